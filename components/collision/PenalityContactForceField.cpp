// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/PenalityContactForceField.h"

#include <algorithm>

#include "core/collision/ContactPoints.h"
#include "core/collision/ContactResponse.h"

namespace sofa::component {

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
    // A state that the calling solver does not move has no displacement.
    const double factor = mp.stiffnessFactor(d_rayleighStiffness.value());
    const auto displacements = [&](const State<Vec3Types>& s) {
        return s.isAllocated(mp.dx.at(s)) ? &s.read(mp.dx.at(s)) : nullptr;
    };
    const auto target = [&](State<Vec3Types>& s) { return s.isAllocated(df.at(s)) ? &s.write(df.at(s)) : nullptr; };
    const VecDeriv *dx1 = displacements(state1()), *dx2 = displacements(state2());
    VecDeriv *df1 = target(state1()), *df2 = target(state2());
    for (const Contact& c : m_contacts) {
        if (!(c.depth > 0.)) continue;
        const Vec3 d = (dx2 ? (*dx2)[c.point2] : Vec3()) - (dx1 ? (*dx1)[c.point1] : Vec3());
        const Vec3 force = c.normal * (c.stiffness * dot(d, c.normal) * factor);
        if (df1) (*df1)[c.point1] += force;
        if (df2) (*df2)[c.point2] -= force;
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
class PenaltyResponse final : public ContactResponse
{
public:
    using ContactResponse::ContactResponse;

    void insert(Node& where, const std::string& name) override
    {
        m_points1 = ContactPoints::create(*models().first, "contacts of " + name);
        m_points2 = models().first == models().second ? nullptr
                                                      : ContactPoints::create(*models().second, "contacts of " + name);
        m_force = std::make_shared<PenalityContactForceField>();
        m_force->setName(name);
        m_force->l_state1.set(&m_points1->state());
        m_force->l_state2.set(&second().state());
        where.addComponent(m_force);
        m_where = &where;
        m_force->init();
    }
    void update(const Vector<DetectedContact>& detected, const IntersectionMethod& method) override
    {
        m_kept = detected;
        keepNearest(m_kept);
        const CollisionModel &a = *models().first, &b = *models().second;
        const double begin = method.contactDistance() + a.d_contactDistance.value() + b.d_contactDistance.value();
        m_points1->clear();
        if (m_points2) m_points2->clear();
        Vector<PenalityContactForceField::Contact> contacts;
        for (const DetectedContact& c : m_kept) {
            const double distance = begin + a.radius(c.primitive1) + b.radius(c.primitive2);
            double stiffness = a.d_contactStiffness.value() * b.d_contactStiffness.value();
            if (distance != 0.) stiffness /= distance;
            contacts.push_back({m_points1->add(c.primitive1, c.point1), second().add(c.primitive2, c.point2), c.normal,
                                distance, stiffness});
        }
        m_points1->finish();
        if (m_points2) m_points2->finish();
        m_force->setContacts(std::move(contacts));
    }
    void suspend() override { m_force->setContacts({}); }
    void remove() override
    {
        m_where->removeComponent(*m_force);
        m_points1->remove();
        if (m_points2) m_points2->remove();
    }

    std::vector<Base*> inserted() const override
    {
        std::vector<Base*> all{m_force.get()};
        for (const auto* points : {m_points1.get(), m_points2.get()})
            if (points && points->node()) all.push_back(points->node());
        return all;
    }
    Node* forceNode() const override { return m_where; }
    void moveForces(Node& where) override
    {
        where.addComponent(m_force);
        m_where = &where;
    }

private:
    ContactPoints& second() { return m_points2 ? *m_points2 : *m_points1; }

    std::unique_ptr<ContactPoints> m_points1, m_points2;  ///< the second one is null for a model with itself
    std::shared_ptr<PenalityContactForceField> m_force;
    Node* m_where = nullptr;
    Vector<DetectedContact> m_kept;
};

[[maybe_unused]] const bool registered = [] {
    const auto create = [](const ModelPair& m, const ResponseParameters&) -> std::unique_ptr<ContactResponse> {
        // Rays have no surface that could be pushed.
        if (m.first->shape() == CollisionShape::Ray || m.second->shape() == CollisionShape::Ray) return nullptr;
        return std::make_unique<PenaltyResponse>(m);
    };
    registerContactResponse("PenalityContactForceField", create);
    registerContactResponse("default", create);
    return true;
}();

}  // namespace

}  // namespace sofa::component
