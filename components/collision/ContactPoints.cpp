// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/ContactPoints.h"

#include <array>

#include "core/behavior/MappingInstances.h"

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

/// Points with fixed weights of the vertices of a primitive.
class WeightedPointsMapping final : public Mapping<Vec3Types, Vec3Types>
{
public:
    struct Row
    {
        std::array<Index, 3> vertices;
        std::array<double, 3> weights;
        std::size_t count;
    };
    Vector<Row> rows;

    std::string className() const override { return "WeightedPointsMapping"; }
    using Mapping<Vec3Types, Vec3Types>::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override
    {
        out.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Vec3 p;
            for (std::size_t k = 0; k < rows[i].count; ++k) p += in[rows[i].vertices[k]] * rows[i].weights[k];
            out[i] = p;
        }
    }
    void buildJacobian(JacobianMatrix& j, const InVecCoord&) override
    {
        j.clear();
        for (const Row& r : rows) {
            j.appendRow();
            for (std::size_t k = 0; k < r.count; ++k) j.append(r.vertices[k], Mat3::identity() * r.weights[k]);
        }
    }
};

/// Points fixed in frames: x = c + R p, J = [I, −[R p]×].
class FramePointsMapping final : public Mapping<Rigid3Types, Vec3Types>
{
public:
    struct Row
    {
        Index frame;
        Vec3 local;
    };
    Vector<Row> rows;

    std::string className() const override { return "FramePointsMapping"; }
    bool isLinear() const override { return false; }
    using Mapping<Rigid3Types, Vec3Types>::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override
    {
        out.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto& frame = in[rows[i].frame];
            out[i] = frame.center + frame.orientation.rotate(rows[i].local);
        }
    }
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override
    {
        j.clear();
        for (const Row& row : rows) {
            const Vec3 r = in[row.frame].orientation.rotate(row.local);
            Mat<3, 6> block;
            for (std::size_t k = 0; k < 3; ++k) block[k][k] = 1.;
            block[0][4] = r[2];
            block[0][5] = -r[1];
            block[1][3] = -r[2];
            block[1][5] = r[0];
            block[2][3] = r[1];
            block[2][4] = -r[0];
            j.appendRow();
            j.append(row.frame, block);
        }
    }
};

/// The points of the model's own state.
class OwnPoints final : public ContactPoints
{
public:
    OwnPoints(const CollisionModel& model, State<Vec3Types>& state) : m_model(model), m_state(state) {}
    State<Vec3Types>& state() override { return m_state; }
    void clear() override {}
    Index add(Index primitive, const Vec3&) override { return m_model.vertices(primitive)[0]; }
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
        m_node = model.node()->createChild(name);
        m_state = &m_node->template create<ContactPointState>();
        m_mapping = &m_node->template create<MappingType>();
        m_mapping->l_input.set(&input);
        m_mapping->l_output.set(m_state);
        m_state->resize(0);
        m_mapping->init();
    }
    State<Vec3Types>& state() override { return *m_state; }
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
    Index add(Index primitive, const Vec3& point) override
    {
        const auto v = m_model.vertices(primitive);
        WeightedPointsMapping::Row row{{}, {}, v.size()};
        for (std::size_t k = 0; k < v.size(); ++k) row.vertices[k] = v[k];
        const Vec3 origin = m_model.point(v[0]), a = m_model.point(v[1]) - origin, p = point - origin;
        if (v.size() == 2) {
            const double length = dot(a, a), alpha = length > 0. ? dot(p, a) / length : 0.;
            row.weights = {1. - alpha, alpha, 0.};
        } else {
            const Vec3 b = m_model.point(v[2]) - origin;
            const double aa = dot(a, a), bb = dot(b, b), ab = dot(a, b), pa = dot(p, a), pb = dot(p, b),
                         det = aa * bb - ab * ab;
            const double alpha = det > 0. ? (pa * bb - pb * ab) / det : 0.,
                         beta = det > 0. ? (pb * aa - pa * ab) / det : 0.;
            row.weights = {1. - alpha - beta, alpha, beta};
        }
        m_mapping->rows.push_back(row);
        return static_cast<Index>(m_mapping->rows.size() - 1);
    }
};

class FramePoints final : public MappedPoints<Rigid3Types, FramePointsMapping>
{
public:
    using MappedPoints::MappedPoints;
    Index add(Index primitive, const Vec3& point) override
    {
        const Index frame = m_model.vertices(primitive)[0];
        const auto& x = dynamic_cast<const State<Rigid3Types>&>(m_model.state()).positions()[frame];
        m_mapping->rows.push_back({frame, x.orientation.inverseRotate(point - x.center)});
        return static_cast<Index>(m_mapping->rows.size() - 1);
    }
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
