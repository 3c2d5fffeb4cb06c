// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/StickContactForceField.h"

#include "components/collision/ForceResponse.h"
#include "components/collision/PairMotion.h"
#include "core/collision/SeenPrimitives.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void StickContactForceField::draw(DrawTool& tool)
{
    if (!m_active || !l_state1 || !l_state2) return;
    const State<Vec3Types>&a = state1(), &b = state2();
    if (!tool.shows(&a == &b ? DisplayFlags::ForceFields : DisplayFlags::InteractionForceFields)) return;
    auto ends = tool.scratch<Vec3>();
    for (const Spring& s : m_springs) {
        if (s.point1 >= a.size() || s.point2 >= b.size()) continue;
        ends.push_back(a.pointPosition(s.point1));
        ends.push_back(b.pointPosition(s.point2));
    }
    tool.lines(ends, plainStyle(Color(1.f, 0.f, 0.f)));
}

void StickContactForceField::addForce(const MechanicalParams&, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1,
                                      const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2)
{
    if (!m_active) return;
    for (const Spring& s : m_springs) {
        const Vec3 force = forceOf(s, x1, x2, v1, v2);
        f1[s.point1] += force;
        f2[s.point2] -= force;
    }
}

void StickContactForceField::addDForce(const MechanicalParams& mp, const MultiVecDerivId& df)
{
    if (!m_active) return;
    const double factor = mp.stiffnessFactor(d_rayleighStiffness.value());
    PairMotion motion(mp, df, state1(), state2());
    for (const Spring& s : m_springs)
        motion.add(s.point1, s.point2, motion.relative(s.point1, s.point2) * (s.stiffness * factor));
}

void StickContactForceField::buildStiffness(const MechanicalParams&, MatrixAccumulator& k)
{
    if (!m_active) return;
    BlockSink &k11 = k.sink(state1(), state1()), &k12 = k.sink(state1(), state2()), &k21 = k.sink(state2(), state1()),
              &k22 = k.sink(state2(), state2());
    for (const Spring& s : m_springs) {
        const Mat3 block = Mat3::identity() * s.stiffness;
        k11.add(s.point1, s.point1, -block);
        k12.add(s.point1, s.point2, block);
        k21.add(s.point2, s.point1, block);
        k22.add(s.point2, s.point2, -block);
    }
}

double StickContactForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x1, const VecCoord& x2) const
{
    if (!m_active) return 0.;
    double sum = 0.;
    for (const Spring& s : m_springs) sum += 0.5 * s.stiffness * norm2(x2[s.point2] - x1[s.point1] - s.rest);
    return sum;
}

namespace {

/// Springs between the contact points of two models. Stiffness and damping are the sums of contactStiffness and of
/// contactFriction of the models (SOFA). While detection finds the pair the springs start anew in each step, from the
/// contacts of that step: they resist motion, but do not bring points back. A pair that is found no more keeps its last
/// springs, and sticks by them (`keepAlive=0`: it lets go), until a model gets or loses primitives: their numbers may
/// then be those of others.
class StickForceResponse final : public ForceResponse
{
public:
    StickForceResponse(const ModelPair& m, bool keepAlive) : ForceResponse(m), m_keepAlive(keepAlive) {}

    void update(const Vector<DetectedContact>& detected, const IntersectionMethod&) override
    {
        m_kept = detected;
        keepNearest(m_kept);
        const CollisionModel &a = *models().first, &b = *models().second;
        const double stiffness = a.d_contactStiffness.value() + b.d_contactStiffness.value(),
                     damping = a.d_contactFriction.value() + b.d_contactFriction.value();
        points().clear();
        Vector<StickContactForceField::Spring> springs;
        for (const DetectedContact& c : m_kept) {
            const PlacedContact p = placeContact(points(), models(), c);
            springs.push_back({p.point1, p.point2, p.apart, stiffness, damping});
        }
        points().finish();
        m_force->setSprings(std::move(springs));
        m_force->setActive(true);
        m_seen.see(a, b);
    }
    void suspend() override { m_force->setActive(false); }
    void appendForces(Vector<ContactForce>& to) const override
    {
        State<Vec3Types>&a = m_force->state1(), &b = m_force->state2();
        if (!m_force->isActive()) return;
        const auto &va = a.read(vec_id::velocity), &vb = b.read(vec_id::velocity);
        for (const StickContactForceField::Spring& s : m_force->springs()) {
            const Vec3 force = StickContactForceField::forceOf(s, a.positions(), b.positions(), va, vb);
            to.push_back({&a, &b, s.point1, s.point2, -force});
        }
    }
    bool keepsAlive() const override { return m_keepAlive && m_seen.areStill(*models().first, *models().second); }
    void archive(Archive& a) override { m_seen.archive(a, *models().first, *models().second); }
    void resume() override
    {
        points().finish();
        m_force->setActive(true);
    }

private:
    bool keepsPoints() const override { return true; }
    std::shared_ptr<PairInteractionForceField<Vec3Types>> makeForce() override
    {
        return m_force = std::make_shared<StickContactForceField>();
    }

    bool m_keepAlive;
    std::shared_ptr<StickContactForceField> m_force;
    Vector<DetectedContact> m_kept;
    SeenPrimitives m_seen;  ///< at the last update
};

[[maybe_unused]] const bool registeredStickContactForceField = [] {
    const auto create = [](const ModelPair& m, const ResponseParameters& p) -> std::unique_ptr<ContactResponse> {
        const bool keepAlive = p.flag("keepAlive").value_or(true);
        if (!ForceResponse::canPush(m)) return nullptr;
        return std::make_unique<StickForceResponse>(m, keepAlive);
    };
    registerContactResponse("StickContactForceField", create);
    registerContactResponse("stick", create);
    return true;
}();

}  // namespace

}  // namespace sofa::component
