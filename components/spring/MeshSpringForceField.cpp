// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/MeshSpringForceField.h"

#include <algorithm>
#include <set>
#include <utility>

#include "components/spring/SpringAttributes.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/topology/ElementsOf.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;

template <class D>
MeshSpringForceField<D>::MeshSpringForceField()
{
    this->addAlias(d_tetrahedraStiffness, "tetrasStiffness");
    this->addAlias(d_tetrahedraDamping, "tetrasDamping");
    this->d_stiffness.setDisplayed(false);
    this->d_damping.setDisplayed(false);
    for (const core::BaseData* d : std::initializer_list<core::BaseData*>{
             &d_linesStiffness, &d_linesDamping, &d_trianglesStiffness, &d_trianglesDamping, &d_quadsStiffness,
             &d_quadsDamping, &d_tetrahedraStiffness, &d_tetrahedraDamping, &d_cubesStiffness, &d_cubesDamping,
             &d_noCompression, &d_localRange})
        m_parameters.track(*d);
}

template <class D>
void MeshSpringForceField<D>::parse(core::ComponentDescription& desc)
{
    distributeAttribute(
        *this, desc, "stiffness",
        {"linesStiffness", "trianglesStiffness", "quadsStiffness", "tetrahedraStiffness", "cubesStiffness"});
    distributeAttribute(*this, desc, "damping",
                        {"linesDamping", "trianglesDamping", "quadsDamping", "tetrahedraDamping", "cubesDamping"});
    Base::parse(desc);
}

/// Makes the springs of elements.
template <class D>
struct MeshSpringForceField<D>::Builder
{
    const MeshSpringForceField& owner;
    const typename D::VecCoord& rest;
    core::Vector<LinearSpring> springs{};

    explicit Builder(const MeshSpringForceField& f) : owner(f), rest(restOf(f.state1())) {}
    static const typename D::VecCoord& restOf(const core::State<D>& s)
    {
        return s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
    }

    /// Adds those between all pairs of vertices of an element for which wanted(lower, upper) holds.
    template <class Element, class Wanted>
    void add(const Element& e, double stiffness, double damping, Wanted&& wanted)
    {
        for (std::size_t i = 0; i < e.size(); ++i)
            for (std::size_t j = i + 1; j < e.size(); ++j) {
                const Index a = e[i], b = e[j];
                const auto [lower, upper] = std::minmax(a, b);
                if (!isInRange(lower)) continue;
                if (upper >= rest.size())
                    throw std::runtime_error("the mesh has a point " + std::to_string(upper) + ", but the state '" +
                                             owner.state1().pathName() + "' has only " + std::to_string(rest.size()));
                if (!wanted(lower, upper)) continue;
                const double length = norm(rest[b] - rest[a]);
                const double divisor = length > std::numeric_limits<double>::epsilon() ? length : 1.;
                springs.push_back(
                    {a, b, stiffness / divisor, damping / divisor, length, owner.d_noCompression.value(), true});
            }
    }
    bool isInRange(Index lower) const
    {
        const auto& range = owner.d_localRange.value();
        return (range[0] == core::InvalidIndex || lower >= range[0]) &&
               (range[1] == core::InvalidIndex || lower <= range[1]);
    }
};

template <class D>
template <class Add>
void MeshSpringForceField<D>::forEachKind(Add&& add) const
{
    const core::BaseMeshTopology& t = *l_topology;
    // Lists that nobody asks for are not derived.
    const auto kind = [&](core::ElementType type, const auto& stiffness, const auto& damping, auto elements) {
        if (stiffness.value() != 0. || damping.value() != 0.)
            add(type, (t.*elements)(), stiffness.value(), damping.value());
    };
    using T = core::BaseMeshTopology;
    using core::ElementType;
    kind(ElementType::Edges, d_linesStiffness, d_linesDamping, &T::edges);
    kind(ElementType::Triangles, d_trianglesStiffness, d_trianglesDamping, &T::triangles);
    kind(ElementType::Quads, d_quadsStiffness, d_quadsDamping, &T::quads);
    kind(ElementType::Tetrahedra, d_tetrahedraStiffness, d_tetrahedraDamping, &T::tetrahedra);
    kind(ElementType::Hexahedra, d_cubesStiffness, d_cubesDamping, &T::hexahedra);
}

template <class D>
core::Vector<LinearSpring> MeshSpringForceField<D>::springsOfMesh() const
{
    Builder b(*this);
    core::Vector<Index> last(b.rest.size(), core::InvalidIndex);  // per point, the latest spring of which it is the
    core::Vector<Index> before;                                   // lower end, and per spring the one before
    const auto isNew = [&](Index lower, Index upper) {
        for (Index k = last[lower]; k != core::InvalidIndex; k = before[k])
            if (std::max(b.springs[k].m1, b.springs[k].m2) == upper) return false;
        before.push_back(std::exchange(last[lower], static_cast<Index>(b.springs.size())));
        return true;
    };
    forEachKind([&](core::ElementType, const auto& elements, double stiffness, double damping) {
        for (const auto& e : elements) b.add(e, stiffness, damping, isNew);
    });
    return std::move(b.springs);
}

template <class D>
core::Vector<LinearSpring> MeshSpringForceField<D>::springsAt(const core::Vector<Index>& points) const
{
    Builder b(*this);
    std::set<core::Edge> joined;
    const auto isNew = [&](Index lower, Index upper) {
        return (contains(points, lower) || contains(points, upper)) && joined.insert({lower, upper}).second;
    };
    forEachKind([&](core::ElementType type, const auto& elements, double stiffness, double damping) {
        for (const Index e : elementsAround(*l_topology, type, points)) b.add(elements[e], stiffness, damping, isNew);
    });
    return std::move(b.springs);
}

template <class D>
void MeshSpringForceField<D>::init()
{
    if (this->d_indices1.isSet() || this->d_indices2.isSet() || this->d_springs.isSet())
        this->msgWarning() << "indices1, indices2 and spring have no effect here: the springs are those of the mesh";
    this->findStates();
    if (!this->isValid()) return;
    std::string error;
    if (!l_topology.resolve(error)) return this->fail("topology: " + error);
    core::Vector<LinearSpring> springs;
    if (&this->state1() == &this->state2()) {
        if (!l_topology) l_topology.set(this->node()->template get<core::BaseMeshTopology>());
        if (!l_topology) return this->fail("it needs a topology in its node or above");
        try {
            springs = springsOfMesh();
        } catch (const std::runtime_error& e) {
            return this->fail(e);
        }
    }
    m_parameters.changed();
    this->d_springs.setValue(std::move(springs));
    Base::init();
}

template <class D>
core::TopologyFollower::PointLists MeshSpringForceField<D>::pointLists()
{
    if (&this->state1() != &this->state2()) return Base::pointLists();
    return {{{pointsOf(this->state1()), this->springLists(core::ElementData::Kind::Computed)}}};
}

template <class D>
void MeshSpringForceField<D>::followTopology(const core::TopologyChange& change)
{
    if (&this->state1() != &this->state2()) return;
    const auto made = [&](const core::Vector<Index>& points) { return springsAt(points); };
    if (m_parameters.changed() || !this->followMesh(change, *l_topology, made)) this->setSprings(springsOfMesh());
}

template <class D>
void MeshSpringForceField<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !this->l_state1 || !this->l_state2) return;
    const core::State<D>&a = this->state1(), &b = this->state2();
    struct Shown
    {
        core::Vec3 from, to;
        double elongation;
    };
    auto springs = tool.scratch<Shown>();
    double largest = 0.;
    for (const LinearSpring& s : this->d_springs.value()) {
        if (!s.enabled || s.m1 >= a.size() || s.m2 >= b.size()) continue;
        const core::Vec3 p = a.pointPosition(s.m1), q = b.pointPosition(s.m2);
        const double elongation = s.initpos > 0. ? norm(q - p) / s.initpos - 1. : 0.;
        springs.push_back({p, q, elongation});
        largest = std::max(largest, std::abs(elongation));
    }
    const double least = d_drawMinElongationRange.value();
    double range = std::min(largest, d_drawMaxElongationRange.value()) - least;
    if (!(range > 0.)) range = 1.;
    tool.geometry(
        core::plainStyle(core::Color(), static_cast<float>(d_drawSpringSize.value())), [&](core::Geometry& g) {
            for (const Shown& s : springs) {
                const auto i = static_cast<core::Index>(g.positions.size());
                const auto part = static_cast<float>(std::clamp((std::abs(s.elongation) - least) / range, 0., 1.));
                const core::Color color =
                    s.elongation > 0. ? core::Color(part, 0.f, 1.f - part) : core::Color(0.f, part, 1.f - part);
                for (const core::Vec3& p : {s.from, s.to}) {
                    g.positions.push_back(core::Vec3f(p));
                    g.colors.push_back(color);
                }
                g.lines.push_back({i, i + 1});
            }
        });
}

template class MeshSpringForceField<core::Vec1Types>;
template class MeshSpringForceField<core::Vec2Types>;
template class MeshSpringForceField<core::Vec3Types>;

static const core::RegisterComponent registeredMeshSpringForceField =
    core::RegisterComponent("MeshSpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs between the vertices of the elements of a mesh")
        .alias("MeshSpring")
        .alias("ParallelMeshSpringForceField")
        .example("component/spring/MeshSpringForceField.scn")
        .add<MeshSpringForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types>();

}  // namespace sofa::component
