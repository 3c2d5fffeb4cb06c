// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/MassSpringForceField.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/mesh/Renumbering.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/topology/ElementsOf.h"
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
std::vector<Pair> allPairs(const Vector<Element>& elements, const Vector<Index>& some)
{
    std::vector<Pair> pairs;
    for (const Index e : some)
        for (std::size_t i = 0; i < elements[e].size(); ++i)
            for (std::size_t j = i + 1; j < elements[e].size(); ++j) addPair(pairs, elements[e][i], elements[e][j], e);
    makeUnique(pairs);
    return pairs;
}

/// Pairs of some quads: vertices i and i + step of each.
std::vector<Pair> quadPairs(const Vector<core::Quad>& quads, const Vector<Index>& some, std::size_t step)
{
    std::vector<Pair> pairs;
    for (const Index e : some)
        for (std::size_t i = 0; i < 4; ++i) addPair(pairs, quads[e][i], quads[e][(i + step) % 4], e);
    makeUnique(pairs);
    return pairs;
}

/// Pairs of points that have a common neighbour along the sides of quads, but no common quad.
std::vector<Pair> bendPairs(const std::vector<Pair>& sides, const std::vector<Pair>& diagonals)
{
    std::vector<core::Edge> directed;  // along each side, both ways
    for (const Pair& p : sides) directed.insert(directed.end(), {{p.a, p.b}, {p.b, p.a}});
    std::ranges::sort(directed);
    const auto has = [](const std::vector<Pair>& list, Index a, Index b) {
        const auto it =
            std::ranges::lower_bound(list, std::pair(a, b), {}, [](const Pair& p) { return std::pair(p.a, p.b); });
        return it != list.end() && it->a == a && it->b == b;
    };
    std::vector<Pair> pairs;
    for (auto ring = directed.begin(); ring != directed.end();) {
        const auto end = std::find_if(ring, directed.end(), [&](const core::Edge& e) { return e[0] != (*ring)[0]; });
        for (; ring != end; ++ring)
            for (auto other = ring + 1; other != end; ++other)
                if (const Index a = (*ring)[1], b = (*other)[1]; !has(sides, a, b) && !has(diagonals, a, b))
                    addPair(pairs, a, b, 0);
    }
    makeUnique(pairs);
    return pairs;
}

/// The kinds of elements that have springs; the first that is there counts.
using Kind = std::pair<core::ElementType, const char*>;
constexpr Kind kinds[] = {{core::ElementType::Hexahedra, "hexahedra"},
                          {core::ElementType::Tetrahedra, "tetrahedra"},
                          {core::ElementType::Quads, "quads"},
                          {core::ElementType::Triangles, "triangles"},
                          {core::ElementType::Edges, "lines"}};

/// In packs the damping of a spring is a drag.
core::LinearSprings::Spring draggedSpring(const LinearSpring& s) { return {s.m1, s.m2, s.ks, 0., s.kd, s.initpos, 0.}; }

Vector<core::LinearSprings::Spring> draggedSprings(const Vector<LinearSpring>& springs)
{
    Vector<core::LinearSprings::Spring> all;
    all.reserve(springs.size());
    for (const LinearSpring& s : springs) all.push_back(draggedSpring(s));
    return all;
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

void MassSpringForceField::followTopology(const core::TopologyChange& change)
{
    if (m_kind != core::ElementType::Points && !followInPlace(change)) build();
}

bool MassSpringForceField::followInPlace(const core::TopologyChange& change)
{
    const core::BaseMeshTopology& t = *l_topology;
    const core::ElementSource source = change.source(pointsOf(state()));
    Vector<Index> points = change.touchedPoints(t);
    // Also where values of groups followed the elements.
    if (m_changes.changed() || change.restores() || source.before != m_packed.nbPoints() ||
        2 * points.size() > source.now)
        return false;
    const auto widen = [&](Vector<Index>& some) { addVertices(t, m_kind, elementsAround(t, m_kind, some), some); };
    Vector<Index> needed = points;
    if (m_kind == core::ElementType::Quads) {
        // Springs that resist bending depend on the quads around the point between their ends, and are there only if
        // these have no quad in common.
        widen(points);
        needed = points;
        widen(needed);
    }
    Vector<LinearSpring> made = springsOf(elementsAround(t, m_kind, needed));
    std::erase_if(made, [&](const LinearSpring& s) { return !contains(points, s.m1) && !contains(points, s.m2); });
    const SpringChange springs = followSprings(m_springs, m_packed, made, points, source);
    if (!m_packed.follow([&](Index i) { return draggedSpring(m_springs[i]); }, source.now, springs.source, source,
                         springs.touched))
        m_packed.build(draggedSprings(m_springs), source.now);
    return true;
}

void MassSpringForceField::checkGroups() const
{
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
    const bool isGiven = !d_springs.value().empty();
    const std::size_t count = isGiven ? d_springs.value().size() : elementCount(*l_topology, m_kind);
    if (count > 0 && !groups.empty() && groups.size() != count)
        throw std::runtime_error("groups has " + std::to_string(groups.size()) + " values for " +
                                 std::to_string(count) + ' ' +
                                 (isGiven ? "springs" : std::ranges::find(kinds, m_kind, &Kind::first)->second));
}

void MassSpringForceField::chooseKind()
{
    // What there is at the beginning; later the last element may be removed.
    if (!d_springs.value().empty() || m_kind != core::ElementType::Points) return;
    for (const auto& [kind, name] : kinds)
        if (elementCount(*l_topology, kind) > 0) {
            m_kind = kind;
            return;
        }
    throw std::runtime_error("the mesh '" + l_topology->pathName() + "' has no elements");
}

void MassSpringForceField::build()
{
    m_changes.changed();
    chooseKind();
    checkGroups();
    m_springs = springsOf(
        core::identity(d_springs.value().empty() ? elementCount(*l_topology, m_kind) : d_springs.value().size()));
    m_packed.build(draggedSprings(m_springs), static_cast<Index>(state().size()));
}

Vector<LinearSpring> MassSpringForceField::springsOf(const Vector<Index>& elements) const
{
    const auto& s = state();
    const auto& rest =
        s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
    const auto& groups = d_groups.value();
    Vector<LinearSpring> all;
    const auto add = [&](const std::vector<Pair>& pairs, double stiffness, bool grouped) {
        if (!grouped && stiffness == 0. && d_damping.value() == 0.) return;
        for (const Pair& p : pairs) {
            if (const Index largest = std::max(p.a, p.b); largest >= rest.size())
                throw std::runtime_error("a spring joins point " + std::to_string(largest) + ", but the state '" +
                                         s.pathName() + "' has only " + std::to_string(rest.size()) + " points");
            const bool ownDamping = grouped && !d_groupDamping.value().empty();
            all.push_back({p.a, p.b, grouped ? d_groupStiffness.value()[groups[p.element]] : stiffness,
                           ownDamping ? d_groupDamping.value()[groups[p.element]] : d_damping.value(),
                           norm(rest[p.b] - rest[p.a])});
        }
    };
    const auto addAll = [&](const auto& list) {
        add(allPairs(list, elements), d_tensileStiffness.value(), !groups.empty());
        return all;
    };
    if (const auto& given = d_springs.value(); !given.empty()) {
        std::vector<Pair> pairs;
        for (const Index i : elements) pairs.push_back({given[i][0], given[i][1], i});
        add(pairs, d_tensileStiffness.value(), !groups.empty());
        return all;
    }
    const core::BaseMeshTopology& t = *l_topology;
    using core::ElementType;
    switch (m_kind) {
        case ElementType::Hexahedra:
            return addAll(t.hexahedra());
        case ElementType::Tetrahedra:
            return addAll(t.tetrahedra());
        case ElementType::Triangles:
            return addAll(t.triangles());
        case ElementType::Edges:
            return addAll(t.edges());
        default:
            break;
    }
    const auto sides = quadPairs(t.quads(), elements, 1), diagonals = quadPairs(t.quads(), elements, 2);
    add(sides, d_tensileStiffness.value(), !groups.empty());
    add(diagonals, d_shearStiffness.value(), false);
    add(bendPairs(sides, diagonals), d_bendStiffness.value(), false);
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
