// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/ContactPoints.h"

#include <optional>

#include "components/collision/ContactMappings.h"
#include "core/math/Mat.h"
#include "core/objectmodel/Transient.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

using namespace sofa::core;

namespace {

/// State of the contact points of one model.
class ContactPointState final : public State<Vec3Types>
{
public:
    ContactPointState()
    {
        allocate(vec_id::position);
        allocate(vec_id::velocity);
    }
    std::string className() const override { return "ContactPointState"; }
};

/// The points of the model's own state.
class OwnPoints final : public ContactPoints
{
public:
    OwnPoints(const CollisionModel& model, State<Vec3Types>& state) : m_model(model), m_state(state) {}
    State<Vec3Types>& state() override { return m_state; }
    void clear() override {}
    Index add(Index primitive, const PrimitivePoint&, const Vec3&) override { return m_model.vertices(primitive)[0]; }
    void finish() override {}
    void remove() override {}

private:
    const CollisionModel& m_model;
    State<Vec3Types>& m_state;
};

/// Points of a state in a node below that of the model.
template <class In, class MappingType>
class MappedPoints : public ContactPoints
{
public:
    MappedPoints(const CollisionModel& model, State<In>& input, const std::string& name) : m_model(model)
    {
        m_node = addTransientChild(*model.node(), name);
        m_state = &m_node->template create<ContactPointState>();
        m_mapping = &m_node->template create<MappingType>();
        m_mapping->l_input.set(&input);
        m_mapping->l_output.set(m_state);
        m_state->resize(0);
        m_mapping->init();
    }
    State<Vec3Types>& state() override { return *m_state; }
    Node* node() const override { return m_node.get(); }
    void clear() override { m_mapping->rows.clear(); }
    void finish() override
    {
        m_state->resize(static_cast<Index>(m_mapping->rows.size()));
        m_mapping->invalidateJacobian();
        const MechanicalParams mp;
        BaseMapping& mapping = *m_mapping;
        mapping.apply(mp, vec_id::position, vec_id::position);
        if (m_mapping->l_input->isAllocated(vec_id::freePosition)) {
            m_state->allocate(vec_id::freePosition);
            m_state->allocate(vec_id::freeVelocity);
            mapping.apply(mp, vec_id::freePosition, vec_id::freePosition);
            mapping.applyJ(mp, vec_id::freeVelocity, vec_id::freeVelocity);
        }
        mapping.applyJ(mp, vec_id::velocity, vec_id::velocity);
    }
    void remove() override
    {
        const std::vector<Node*> parents = m_node->parents();
        for (Node* p : parents) p->removeChild(*m_node);
    }

protected:
    const CollisionModel& m_model;
    std::shared_ptr<Node> m_node;
    ContactPointState* m_state = nullptr;
    MappingType* m_mapping = nullptr;
};

class MeshPoints final : public MappedPoints<Vec3Types, WeightedPointsMapping>
{
public:
    using MappedPoints::MappedPoints;
    Index add(Index primitive, const PrimitivePoint& point, const Vec3&) override
    {
        if (m_model.compatibility() == Compatibility::Sofa && m_model.dividesQuad(primitive, 1))
            if (const auto row = rowInQuad(primitive, point.position)) return add(*row);
        const auto v = m_model.vertices(primitive);
        const bool given = norm2(point.weights) > 0.;
        const PrimitiveWeights w = given ? point.weights : m_model.weightsAt(primitive, point.position);
        WeightedPointsMapping::Row row{{}, w.m, v.size()};
        for (std::size_t k = 0; k < v.size(); ++k) row.vertices[k] = v[k];
        return add(row);
    }

private:
    Index add(const WeightedPointsMapping::Row& row)
    {
        m_mapping->rows.push_back(row);
        return static_cast<Index>(m_mapping->rows.size() - 1);
    }
    /// SOFA carries a point of half a quad by all four corners, bilinearly: by its coordinates (a, b) in the sides
    /// from corner 0 to 1 and to 3. Of a quad that is no parallelogram that is another point. Nothing where these
    /// sides are parallel.
    std::optional<WeightedPointsMapping::Row> rowInQuad(Index primitive, const Vec3& p) const
    {
        const BaseMeshTopology* mesh = m_model.topology();
        if (!mesh) return {};
        const Quad& q = mesh->quads()[(primitive - mesh->triangles().size()) / 2];
        const Vec3 origin = m_model.point(q[0]), u = m_model.point(q[1]) - origin, v = m_model.point(q[3]) - origin;
        const Vec3 normal = cross(u, v);
        if (!(norm2(normal) > 0.)) return {};
        const Vec3 at = inverse(Mat3::fromColumns(u, v, normal)) * (p - origin);
        const double a = at[0], b = at[1];
        return WeightedPointsMapping::Row{
            {q[0], q[1], q[2], q[3]}, {(1. - a) * (1. - b), a * (1. - b), a * b, (1. - a) * b}, 4};
    }
};

class FramePoints final : public MappedPoints<Rigid3Types, FramePointsMapping>
{
public:
    using MappedPoints::MappedPoints;
    Index add(Index primitive, const PrimitivePoint& point, const Vec3& arm) override
    {
        const Index frame = m_model.vertices(primitive)[0];
        const auto& x = dynamic_cast<const State<Rigid3Types>&>(m_model.state()).positions()[frame];
        m_mapping->rows.push_back({frame, x.orientation.inverseRotate(point.position - x.center), arm, x.orientation});
        return static_cast<Index>(m_mapping->rows.size() - 1);
    }
    /// In SOFA contacts act at the centre or axis.
    double arm(Index primitive) const override { return m_onSurface ? m_model.radius(primitive) : 0.; }

private:
    const bool m_onSurface = m_model.compatibility() == Compatibility::Exact;
};

std::unique_ptr<ContactPoints> createPoints(const CollisionModel& model, const std::string& name)
{
    if (auto* frames = dynamic_cast<State<Rigid3Types>*>(&model.state()))
        return std::make_unique<FramePoints>(model, *frames, name);
    auto& points = dynamic_cast<State<Vec3Types>&>(model.state());
    if (model.shape() == CollisionShape::Point || model.shape() == CollisionShape::Sphere)
        return std::make_unique<OwnPoints>(model, points);
    return std::make_unique<MeshPoints>(model, points, name);
}

[[maybe_unused]] const bool provided = (ContactPoints::setProvider(&createPoints), true);

}  // namespace

}  // namespace sofa::component
