// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/MeshSpringForceField.h"

#include <algorithm>
#include <utility>

#include "components/spring/SpringAttributes.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
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

/// Collects the springs, each pair of points once.
template <class D>
struct MeshSpringForceField<D>::Builder
{
    const MeshSpringForceField& owner;
    const typename D::VecCoord& rest;
    core::Vector<LinearSpring> springs;
    core::Vector<Index> last;    ///< per point, the latest spring of which it is the lower end
    core::Vector<Index> before;  ///< per spring, the one before with the same lower end

    /// Whether a spring joins the points already.
    bool joins(Index lower, Index upper) const
    {
        for (Index k = last[lower]; k != core::InvalidIndex; k = before[k])
            if (std::max(springs[k].m1, springs[k].m2) == upper) return true;
        return false;
    }
    void add(Index a, Index b, double stiffness, double damping)
    {
        const auto& range = owner.d_localRange.value();
        if (range[0] != core::InvalidIndex && (a < range[0] || b < range[0])) return;
        if (range[1] != core::InvalidIndex && a > range[1] && b > range[1]) return;
        if (std::max(a, b) >= rest.size())
            throw std::runtime_error("the mesh has a point " + std::to_string(std::max(a, b)) + ", but the state '" +
                                     owner.state1().pathName() + "' has only " + std::to_string(rest.size()));
        const auto [lower, upper] = std::minmax(a, b);
        if (joins(lower, upper)) return;
        before.push_back(std::exchange(last[lower], static_cast<Index>(springs.size())));
        const double length = norm(rest[b] - rest[a]);
        const double divisor = length > std::numeric_limits<double>::epsilon() ? length : 1.;
        springs.push_back({a, b, stiffness / divisor, damping / divisor, length, owner.d_noCompression.value(), true});
    }

    /// All pairs of vertices of each element.
    template <class Element>
    void addElements(const core::Vector<Element>& elements, double stiffness, double damping)
    {
        if (stiffness == 0. && damping == 0.) return;
        for (const Element& e : elements)
            for (std::size_t i = 0; i < e.size(); ++i)
                for (std::size_t j = i + 1; j < e.size(); ++j) add(e[i], e[j], stiffness, damping);
    }
};

template <class D>
core::Vector<LinearSpring> MeshSpringForceField<D>::springsOfMesh() const
{
    const core::State<D>& s = this->state1();
    const auto id = s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position;
    const auto& rest = s.read(id);
    Builder b{*this, rest, {}, core::Vector<Index>(rest.size(), core::InvalidIndex), {}};
    const core::BaseMeshTopology& t = *l_topology;
    // Lists that nobody asks for are not derived.
    const auto wanted = [](const auto& k, const auto& d) { return k.value() != 0. || d.value() != 0.; };
    if (wanted(d_linesStiffness, d_linesDamping))
        b.addElements(t.edges(), d_linesStiffness.value(), d_linesDamping.value());
    if (wanted(d_trianglesStiffness, d_trianglesDamping))
        b.addElements(t.triangles(), d_trianglesStiffness.value(), d_trianglesDamping.value());
    if (wanted(d_quadsStiffness, d_quadsDamping))
        b.addElements(t.quads(), d_quadsStiffness.value(), d_quadsDamping.value());
    if (wanted(d_tetrahedraStiffness, d_tetrahedraDamping))
        b.addElements(t.tetrahedra(), d_tetrahedraStiffness.value(), d_tetrahedraDamping.value());
    if (wanted(d_cubesStiffness, d_cubesDamping))
        b.addElements(t.hexahedra(), d_cubesStiffness.value(), d_cubesDamping.value());
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
    this->d_springs.setValue(std::move(springs));
    Base::init();
}

template <class D>
void MeshSpringForceField<D>::followTopology(const core::TopologyChange&)
{
    if (&this->state1() == &this->state2()) this->setSprings(springsOfMesh());
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
