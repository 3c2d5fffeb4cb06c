// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/PenalityContactForceField.h"

#include <algorithm>

#include "components/collision/ForceResponse.h"
#include "components/collision/PairMotion.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void PenalityContactForceField::draw(DrawTool& tool)
{
    if (!l_state1 || !l_state2) return;
    const State<Vec3Types>&a = state1(), &b = state2();
    if (!tool.shows(&a == &b ? DisplayFlags::ForceFields : DisplayFlags::InteractionForceFields)) return;
    auto touching = tool.scratch<Vec3>(), near = tool.scratch<Vec3>(), normals = tool.scratch<Vec3>();
    const double length = 0.02 * tool.sceneSize();
    for (const Contact& c : m_contacts) {
        if (c.point1 >= a.size() || c.point2 >= b.size()) continue;
        const Vec3 p = a.pointPosition(c.point1), q = b.pointPosition(c.point2);
        Vector<Vec3>& lines = c.distance - dot(q - p, c.normal) > 0. ? touching : near;
        lines.push_back(p);
        lines.push_back(q);
        for (const Vec3& v : {p, p - c.normal * length, q, q + c.normal * length}) normals.push_back(v);
    }
    tool.lines(touching, plainStyle(Color(1.f, 0.f, 0.f)));
    tool.lines(near, plainStyle(Color(0.f, 1.f, 0.f)));
    if (tool.shows(DisplayFlags::Normals)) tool.lines(normals, plainStyle(Color(1.f, 1.f, 0.f)));
}

void PenalityContactForceField::addForce(const MechanicalParams&, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1,
                                         const VecCoord& x2, const VecDeriv&, const VecDeriv&)
{
    for (Contact& c : m_contacts) {
        c.depth = c.distance - dot(x2[c.point2] - x1[c.point1], c.normal);
        if (!(c.depth > 0.)) continue;
        const Vec3 force = c.normal * (c.stiffness * c.depth);
        f1[c.point1] -= force;
        f2[c.point2] += force;
    }
}

void PenalityContactForceField::addDForce(const MechanicalParams& mp, const MultiVecDerivId& df)
{
    const double factor = mp.stiffnessFactor(d_rayleighStiffness.value());
    PairMotion motion(mp, df, state1(), state2());
    for (const Contact& c : m_contacts) {
        if (!(c.depth > 0.)) continue;
        const double along = dot(motion.relative(c.point1, c.point2), c.normal);
        motion.add(c.point1, c.point2, c.normal * (c.stiffness * along * factor));
    }
}

void PenalityContactForceField::buildStiffness(const MechanicalParams&, MatrixAccumulator& k)
{
    BlockSink &k11 = k.sink(state1(), state1()), &k12 = k.sink(state1(), state2()), &k21 = k.sink(state2(), state1()),
              &k22 = k.sink(state2(), state2());
    for (const Contact& c : m_contacts) {
        if (!(c.depth > 0.)) continue;
        const Mat3 block = outer(c.normal, c.normal) * c.stiffness;
        k11.add(c.point1, c.point1, -block);
        k12.add(c.point1, c.point2, block);
        k21.add(c.point2, c.point1, block);
        k22.add(c.point2, c.point2, -block);
    }
}

double PenalityContactForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x1, const VecCoord& x2) const
{
    double sum = 0.;
    for (const Contact& c : m_contacts) {
        const double depth = c.distance - dot(x2[c.point2] - x1[c.point1], c.normal);
        if (depth > 0.) sum += 0.5 * c.stiffness * depth * depth;
    }
    return sum;
}

namespace {

/// Penalty contacts of two models: the contact begins at the contact distance of the method plus skins and radii; its
/// stiffness is the product of those of the models, divided by that distance (SOFA).
class PenaltyResponse final : public ForceResponse
{
public:
    using ForceResponse::ForceResponse;

    void update(const Vector<DetectedContact>& detected, const IntersectionMethod& method) override
    {
        m_kept = detected;
        keepNearest(m_kept);
        const CollisionModel &a = *models().first, &b = *models().second;
        const double begin = method.contactDistance() + a.d_contactDistance.value() + b.d_contactDistance.value();
        Vector<PenalityContactForceField::Contact> contacts;
        for (const DetectedContact& c : m_kept) {
            const double distance = begin + a.radius(c.primitive1) + b.radius(c.primitive2);
            double stiffness = a.d_contactStiffness.value() * b.d_contactStiffness.value();
            if (distance != 0.) stiffness /= distance;
            const PlacedContact p = placeContact(points(), models(), c);
            contacts.push_back({p.point1, p.point2, c.normal, begin + p.radii, stiffness});
        }
        m_force->setContacts(std::move(contacts));
    }
    void suspend() override { m_force->setContacts({}); }
    void appendForces(Vector<ContactForce>& to) const override
    {
        State<Vec3Types>&a = m_force->state1(), &b = m_force->state2();
        for (const PenalityContactForceField::Contact& c : m_force->contacts()) {
            const Vec3 apart = b.positions()[c.point2] - a.positions()[c.point1];
            const double depth = std::max(0., c.distance - dot(apart, c.normal));
            to.push_back({&a, &b, c.point1, c.point2, c.normal * (c.stiffness * depth)});
        }
    }

private:
    std::shared_ptr<PairInteractionForceField<Vec3Types>> makeForce() override
    {
        return m_force = std::make_shared<PenalityContactForceField>();
    }

    std::shared_ptr<PenalityContactForceField> m_force;
    Vector<DetectedContact> m_kept;
};

[[maybe_unused]] const bool registeredPenalityContactForceField = [] {
    const auto create = [](const ModelPair& m, const ResponseParameters&) -> std::unique_ptr<ContactResponse> {
        if (!ForceResponse::canPush(m)) return nullptr;
        return std::make_unique<PenaltyResponse>(m);
    };
    registerContactResponse("PenalityContactForceField", create);
    registerContactResponse("default", create);
    return true;
}();

}  // namespace

}  // namespace sofa::component
