// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/MassSpringForceField.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Edge;
using core::Index;
using core::MechanicalParams;
using core::Vector;

namespace {

/// A pair of points, the smaller one first, and the element that it comes from.
struct Pair
{
    Index a, b;
    std::size_t element;
};

void addPair(std::vector<Pair>& pairs, Index a, Index b, std::size_t element)
{
    pairs.push_back({std::min(a, b), std::max(a, b), element});
}

/// Sorts by points and keeps the first element's of equal pairs.
void makeUnique(std::vector<Pair>& pairs)
{
    std::sort(pairs.begin(), pairs.end(), [](const Pair& p, const Pair& q) {
        return std::tie(p.a, p.b, p.element) < std::tie(q.a, q.b, q.element);
    });
    const auto last =
        std::unique(pairs.begin(), pairs.end(), [](const Pair& p, const Pair& q) { return p.a == q.a && p.b == q.b; });
    pairs.erase(last, pairs.end());
}

template <class Element>
std::vector<Pair> allPairs(const Vector<Element>& elements)
{
    std::vector<Pair> pairs;
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (std::size_t i = 0; i < elements[e].size(); ++i)
            for (std::size_t j = i + 1; j < elements[e].size(); ++j) addPair(pairs, elements[e][i], elements[e][j], e);
    makeUnique(pairs);
    return pairs;
}

/// Pairs of quads: vertices i and i + step of each.
std::vector<Pair> quadPairs(const Vector<core::Quad>& quads, std::size_t step)
{
    std::vector<Pair> pairs;
    for (std::size_t e = 0; e < quads.size(); ++e)
        for (std::size_t i = 0; i < 4; ++i) addPair(pairs, quads[e][i], quads[e][(i + step) % 4], e);
    makeUnique(pairs);
    return pairs;
}

/// Pairs of points that have a common neighbour along the sides of quads, but no common quad.
std::vector<Pair> bendPairs(const std::vector<Pair>& sides, const std::vector<Pair>& diagonals)
{
    Index points = 0;
    for (const Pair& p : sides) points = std::max(points, p.b + 1);
    std::vector<Vector<Index>> neighbours(points), together(points);
    for (const Pair& p : sides)
        for (auto* list : {&neighbours, &together}) {
            (*list)[p.a].push_back(p.b);
            (*list)[p.b].push_back(p.a);
        }
    for (const Pair& p : diagonals) together[p.a].push_back(p.b);  // asked for with the smaller point first
    std::vector<Pair> pairs;
    for (const auto& ring : neighbours)
        for (std::size_t i = 0; i < ring.size(); ++i)
            for (std::size_t j = i + 1; j < ring.size(); ++j) {
                const auto [a, b] = std::minmax(ring[i], ring[j]);
                if (std::find(together[a].begin(), together[a].end(), b) == together[a].end()) addPair(pairs, a, b, 0);
            }
    makeUnique(pairs);
    return pairs;
}

}  // namespace

MassSpringForceField::MassSpringForceField()
{
    addAlias(d_tensileStiffness, "stiffness");
    for (const core::BaseData* d :
         std::initializer_list<core::BaseData*>{&d_tensileStiffness, &d_shearStiffness, &d_bendStiffness, &d_damping,
                                                &d_groups, &d_groupStiffness, &d_groupDamping, &d_springs})
        m_changes.track(*d);
}

void MassSpringForceField::init()
{
    Base::init();
    if (!isValid()) return;
    if (!core::resolveOrFind(l_topology, *this)) return;
    if (!l_topology && d_springs.value().empty())
        return fail("it needs a topology in its node or above, or the pairs of points in \"springs\"");
    reinit();
}

void MassSpringForceField::reinit()
{
    try {
        build();
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

core::ElementLists MassSpringForceField::elementLists()
{
    if (m_kind == core::ElementType::Points) return {};
    return {{l_topology.get(), {m_kind}}, {{&d_groups}}};
}

void MassSpringForceField::followTopology(const core::TopologyChange&)
{
    if (m_kind != core::ElementType::Points) build();
}

void MassSpringForceField::build()
{
    m_changes.changed();
    m_springs.clear();
    m_dampings.clear();
    const auto& groups = d_groups.value();
    const auto& stiffness = d_groupStiffness.value();
    const auto& damping = d_groupDamping.value();
    const auto negative = [](const Vector<double>& v) {
        return std::any_of(v.begin(), v.end(), [](double s) { return !(s >= 0.); });
    };
    if (negative(stiffness) || negative(damping))
        throw std::runtime_error("a value of groupStiffness or groupDamping is negative");
    if (!damping.empty() && damping.size() != stiffness.size())
        throw std::runtime_error("groupDamping has " + std::to_string(damping.size()) +
                                 " values and groupStiffness has " + std::to_string(stiffness.size()) +
                                 ": they must be equally long");
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i] >= stiffness.size())
            throw std::runtime_error("groups: value " + std::to_string(i) + " is the group " +
                                     std::to_string(groups[i]) + ", but groupStiffness has only " +
                                     std::to_string(stiffness.size()) + " values");
    addElements();

    const auto& s = state();
    const auto& rest =
        s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
    for (LinearSpring& p : m_springs) {
        const Index largest = std::max(p.m1, p.m2);
        if (largest >= rest.size())
            throw std::runtime_error("a spring joins point " + std::to_string(largest) + ", but the state '" +
                                     s.pathName() + "' has only " + std::to_string(rest.size()) + " points");
        p.initpos = norm(rest[p.m2] - rest[p.m1]);
    }
    auto packed = packedSprings(m_springs, 0.);
    for (std::size_t i = 0; i < packed.size(); ++i) packed[i].drag = m_dampings[i];
    m_packed.build(packed, static_cast<Index>(rest.size()));
}

void MassSpringForceField::addElements()
{
    const auto& groups = d_groups.value();
    const auto add = [&](const std::vector<Pair>& pairs, double stiffness, bool grouped) {
        if (!grouped && stiffness == 0. && d_damping.value() == 0.) return;
        for (const Pair& p : pairs) {
            LinearSpring spring;
            spring.m1 = p.a;
            spring.m2 = p.b;
            spring.ks = grouped ? d_groupStiffness.value()[groups[p.element]] : stiffness;
            m_springs.push_back(spring);
            m_dampings.push_back(grouped && !d_groupDamping.value().empty() ? d_groupDamping.value()[groups[p.element]]
                                                                            : d_damping.value());
        }
    };
    const auto checkGroups = [&](std::size_t count, const char* what) {
        if (count > 0 && !groups.empty() && groups.size() != count)
            throw std::runtime_error("groups has " + std::to_string(groups.size()) + " values for " +
                                     std::to_string(count) + ' ' + what);
    };
    const auto addAll = [&](const auto& elements, const char* what) {
        checkGroups(elements.size(), what);
        add(allPairs(elements), d_tensileStiffness.value(), !groups.empty());
    };
    if (!d_springs.value().empty()) {
        const auto& given = d_springs.value();
        checkGroups(given.size(), "springs");
        std::vector<Pair> pairs;
        for (std::size_t i = 0; i < given.size(); ++i) pairs.push_back({given[i][0], given[i][1], i});
        return add(pairs, d_tensileStiffness.value(), !groups.empty());
    }
    const core::BaseMeshTopology& t = *l_topology;
    // What there is at the beginning; later the last element may be removed.
    using core::ElementType;
    if (m_kind == ElementType::Points)
        m_kind = !t.hexahedra().empty()    ? ElementType::Hexahedra
                 : !t.tetrahedra().empty() ? ElementType::Tetrahedra
                 : !t.quads().empty()      ? ElementType::Quads
                 : !t.triangles().empty()  ? ElementType::Triangles
                 : !t.edges().empty()      ? ElementType::Edges
                                           : ElementType::Points;
    if (m_kind == ElementType::Hexahedra) return addAll(t.hexahedra(), "hexahedra");
    if (m_kind == ElementType::Tetrahedra) return addAll(t.tetrahedra(), "tetrahedra");
    if (m_kind == ElementType::Quads) {
        checkGroups(t.quads().size(), "quads");
        const auto sides = quadPairs(t.quads(), 1), diagonals = quadPairs(t.quads(), 2);
        add(sides, d_tensileStiffness.value(), !groups.empty());
        add(diagonals, d_shearStiffness.value(), false);
        return add(bendPairs(sides, diagonals), d_bendStiffness.value(), false);
    }
    if (m_kind == ElementType::Triangles) return addAll(t.triangles(), "triangles");
    if (m_kind == ElementType::Edges) return addAll(t.edges(), "lines");
    throw std::runtime_error("the mesh '" + t.pathName() + "' has no elements");
}

Vector<LinearSpring> MassSpringForceField::springs() const
{
    Vector<LinearSpring> all = m_springs;
    for (std::size_t i = 0; i < all.size(); ++i) all[i].kd = m_dampings[i];
    return all;
}

void MassSpringForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    if (m_changes.changed()) {
        try {
            build();
        } catch (const std::runtime_error& e) {
            throw std::runtime_error(pathName() + ": " + e.what());
        }
    }
    m_packed.addForce(f, x, v, {.projected = d_projectedTangent.value()});
}

void MassSpringForceField::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    auto& s = state();
    const auto out = s.write(df.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    const double factor = mp.stiffnessFactor(d_rayleighStiffness.value());
    const double damping = m_packed.hasDrag() ? mp.bFactor : 0.;
    if (factor != 0. || damping != 0.) m_packed.addProduct(out, dx, factor, damping);
}

void MassSpringForceField::buildStiffness(const MechanicalParams&, core::BlockSink& k) { m_packed.addStiffness(k); }

void MassSpringForceField::buildDamping(const MechanicalParams&, core::BlockSink& b) { m_packed.addDamping(b); }

double MassSpringForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return Law::energy(m_springs, x, x);
}

void MassSpringForceField::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !l_state) return;
    const auto& x = state().positions();
    drawSprings(tool, m_springs, x, core::Color(1.f, 0.5f, 0.f), core::Color(0.f, 1.f, 0.5f));
}

static const core::RegisterComponent registeredMassSpringForceField =
    core::RegisterComponent("MassSpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Mass-spring systems of tetrahedra, hexahedra, quads or triangles as in the Vega library")
        .example("component/spring/MassSpringForceField.scn")
        .add<MassSpringForceField>();

}  // namespace sofa::component
