// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <random>

#include "core/mesh/Renumbering.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/Subdivision.h"
#include "core/topology/TopologicalMapping.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

namespace point_follow_test {

/// Mappings with points of their own, when points and elements of their input come and go.
using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Case
{
    const char* mapping;
    ElementType type;
    std::string below;
    bool isMoved;  ///< by a mechanical mapping; otherwise the state is free
};

const std::string triangles = "<TriangleSetTopologyContainer name='out'/>",
                  tetrahedra = "<TetrahedronSetTopologyContainer name='out'/>",
                  hexahedra = "<HexahedronSetTopologyContainer name='out'/>",
                  cloud = "<PointSetTopologyContainer name='out'/>", state = "<MechanicalObject name='x'/>",
                  mechanical = state + "<Mesh2PointMechanicalMapping/>";

std::vector<Case> cases()
{
    using E = ElementType;
    return {
        {"points of points", E::Triangles,
         triangles + "<Mesh2PointTopologicalMapping pointBaryCoords='0 0 0  0 0 0.5' copyTriangles='1'/>" + mechanical,
         true},
        {"points of points, edges and triangles", E::Triangles,
         cloud +
             "<Mesh2PointTopologicalMapping pointBaryCoords='0 0 0.1' edgeBaryCoords='0.25 0 0  0.75 0 0' "
             "triangleBaryCoords='0.2 0.3 0'/>" +
             state,
         false},
        {"points of edges and tetrahedra", E::Tetrahedra,
         cloud + "<Mesh2PointTopologicalMapping edgeBaryCoords='0.5 0 0' tetraBaryCoords='0.2 0.3 0.1'/>" + mechanical,
         true},
        {"points of quads and hexahedra", E::Hexahedra,
         cloud + "<Mesh2PointTopologicalMapping quadBaryCoords='0.2 0.4 0' hexaBaryCoords='0.2 0.3 0.1'/>" + mechanical,
         true},
        {"centres", E::Hexahedra, cloud + "<CenterPointTopologicalMapping/>" + state, false},
        {"finer tetrahedra", E::Tetrahedra,
         tetrahedra + "<SimpleTesselatedTetraTopologicalMapping/>" + state +
             "<SimpleTesselatedTetraMechanicalMapping/>",
         true},
        {"finer hexahedra", E::Hexahedra, hexahedra + "<SimpleTesselatedHexaTopologicalMapping/>" + state, false},
        {"finer tetrahedra with a skin", E::Tetrahedra,
         tetrahedra + "<SimpleTesselatedTetraTopologicalMapping/>" + state +
             "<SimpleTesselatedTetraMechanicalMapping/><Node name='skin'><TriangleSetTopologyContainer/>"
             "<Tetra2TriangleTopologicalMapping/><TriangleCollisionModel/><Node><OglModel/><IdentityMapping/></Node>"
             "</Node>",
         true},
    };
}

std::string textOf(ElementType type, const std::string& positions, const std::string& lists, const std::string& below)
{
    std::string kind(nameOf(type));
    kind = type == ElementType::Triangles ? "Triangle" : type == ElementType::Tetrahedra ? "Tetrahedron" : "Hexahedron";
    return "<Node name='root' dt='0.01' gravity='0 0 0'><Node name='body'><EulerImplicitSolver/><CGLinearSolver "
           "iterations='10' tolerance='1e-9' threshold='1e-9'/><" +
           kind + "SetTopologyContainer name='mesh' position='" + positions + "'" + lists + "/><" + kind +
           "SetTopologyModifier/><MechanicalObject name='x'/><UniformMass vertexMass='1'/><Node name='surface'>" +
           below + "</Node></Node></Node>";
}

std::string initialText(const Case& c)
{
    const Mesh m = block(c.type);
    std::string positions, list;
    for (const Vec3& p : m.points) positions += toText(p) + " ";
    // Points on no element would go at once.
    for (const auto& e : m.elements) list += toText(e) + " ";
    return textOf(c.type, positions, std::string(" ") + nameOf(c.type) + "='" + list + "'", c.below);
}

/// The scene of the mesh as it is now.
std::string textNow(const Case& c, const Run& r)
{
    const StoredTopology& t = r.mesh();
    std::string lists;
    const auto add = [&](const char* name, const auto& list) {
        if (!list.empty()) lists += std::string(" ") + name + "='" + toText(list) + "'";
    };
    add("edges", t.edges());
    add("triangles", t.triangles());
    add("quads", t.quads());
    add("tetrahedra", t.tetrahedra());
    add("hexahedra", t.hexahedra());
    return textOf(c.type, toText(r.state().positions()), lists, c.below);
}

const State<Vec3Types>& made(const Run& r) { return *r.body().child("surface")->get<State<Vec3Types>>(Search::Local); }

/// The mapping of a run has what a new one would make.
void checkAsNew(const Case& c, const Run& r)
{
    Run fresh(textNow(c, r));
    const auto &map = r.surface<TopologicalMapping>(), &other = fresh.surface<TopologicalMapping>();
    REQUIRE(map.mappedPoints().size() == other.mappedPoints().size());
    bool same = true;
    for (std::size_t i = 0; i < map.mappedPoints().size(); ++i) {
        const MappedPoint &a = map.mappedPoints()[i], &b = other.mappedPoints()[i];
        same = same && a.offset == b.offset && a.from.size() == b.from.size();
        for (std::size_t k = 0; same && k < a.from.size(); ++k)
            same = a.from[k].index == b.from[k].index && a.from[k].weight == b.from[k].weight;
    }
    CHECK(same);
    CHECK(map.localToGlobal() == other.localToGlobal());
    CHECK(r.surface().nbPoints() == fresh.surface().nbPoints());
    CHECK(r.surface().triangles() == fresh.surface().triangles());
    CHECK(r.surface().tetrahedra() == fresh.surface().tetrahedra());
    CHECK(r.surface().hexahedra() == fresh.surface().hexahedra());
}

/// All points are where the mapping makes them, and have that velocity, which is set by the caller to that of the
/// input.
void checkPlaces(const Case& c, const Run& r, bool velocities)
{
    const auto points = r.surface<TopologicalMapping>().mappedPoints();
    const auto& s = made(r);
    REQUIRE(s.size() == points.size());
    double x = 0., v = 0., own = 0.;
    for (Index i = 0; i < points.size(); ++i) {
        Vec3 at = points[i].offset, rate;
        for (const Ancestor& a : points[i].from) {
            at += r.state().positions()[a.index] * a.weight;
            rate += r.state().velocities()[a.index] * a.weight;
        }
        x = std::max(x, norm(s.positions()[i] - at));
        v = std::max(v, norm(s.velocities()[i] - rate));
        own = std::max(own, norm(r.surface().pointPosition(i) - at));
    }
    INFO(c.mapping);
    CHECK(x < 1e-12);
    CHECK(own < 1e-12);
    if (velocities) CHECK(v < 1e-12);
}

/// Velocities that tell the points apart.
void mark(const Run& r)
{
    const auto v = r.state().write(vec_id::velocity);
    for (Index i = 0; i < v.size(); ++i) v[i] = {std::sin(i), 1. + i, 0.1 * i * i};
    const auto points = r.surface<TopologicalMapping>().mappedPoints();
    const auto w = r.body().child("surface")->get<State<Vec3Types>>(Search::Local)->write(vec_id::velocity);
    for (Index i = 0; i < points.size(); ++i) {
        w[i] = {};
        for (const Ancestor& a : points[i].from) w[i] += v[a.index] * a.weight;
    }
}

class Random
{
public:
    explicit Random(unsigned seed) : m_numbers(seed) {}
    Index below(std::size_t n) { return static_cast<Index>(m_numbers() % n); }
    Vector<Index> permutation(std::size_t n)
    {
        Vector<Index> all = identity(n);
        for (std::size_t i = n; i > 1; --i) std::swap(all[i - 1], all[below(i)]);
        return all;
    }

private:
    std::mt19937 m_numbers;
};

/// An element gets a point of its own in the place of one that it shares.
void loosen(TopologyTransaction& change, StoredTopology& t, ElementType type, Index e, Random& random)
{
    const auto old = t.list(type)->element(e);
    Vector<Index> vertices(old.begin(), old.end());
    Index& v = vertices[random.below(vertices.size())];
    v = change.addPoints({{{v, 1.}}});
    change.add(type, vertices, {{{e, 1.}}});
    change.remove(type, {e});
}

void changeAtRandom(StoredTopology& t, ElementType type, Random& random)
{
    const std::size_t count = t.list(type)->size();
    TopologyTransaction change(t);
    const auto divide = [&] {
        const auto e = t.list(type)->element(random.below(count));
        splitEdge(change, t, e[0], e[1], 0.3);
    };
    switch (random.below(6)) {
        case 0:
            if (count > 2) change.remove(type, {random.below(count)});
            break;
        case 1:
            loosen(change, t, type, random.below(count), random);
            break;
        case 2:
            change.renumberPoints(random.permutation(t.nbPoints()));
            break;
        case 3:
            loosen(change, t, type, 0, random);
            change.renumberPoints(random.permutation(t.nbPoints()));
            if (count > 2) change.remove(type, {0, 1});
            break;
        default:
            if (type != ElementType::Hexahedra)
                divide();
            else
                loosen(change, t, type, random.below(count), random);
    }
    change.commit();
}

/// Cannot follow when it is told so.
class Obstacle final : public Component, public TopologyFollower
{
public:
    Obstacle(const StoredTopology& t, ElementType type) : m_topology(t), m_type(type) {}
    ElementLists elementLists() override { return {{&m_topology, {m_type}}, {}}; }
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange& change) override
    {
        if (blocks && !change.restores()) throw std::runtime_error("an obstacle");
    }
    bool blocks = true;

private:
    const StoredTopology& m_topology;
    ElementType m_type;
};

}  // namespace

TEST_CASE("Mappings with points of their own follow points and elements")
{
    for (const Case& c : cases())
        for (unsigned seed = 1; seed <= 4; ++seed) {
            INFO(c.mapping << ", seed " << seed);
            Run r(initialText(c));
            Random random(seed);
            mark(r);
            for (int k = 0; k < 8; ++k) {
                changeAtRandom(r.mesh(), c.type, random);
                checkAsNew(c, r);
                checkPlaces(c, r, true);
            }
            r.simulation->reset();
            const Run initial(initialText(c));
            checkAsNew(c, r);
            CHECK(made(r).positions() == made(initial).positions());
            CHECK(r.surface().nbPoints() == initial.surface().nbPoints());
        }
}

TEST_CASE("What mappings make comes back if a change is taken back")
{
    for (const Case& c : cases()) {
        INFO(c.mapping);
        Run r(initialText(c));
        Random random(5);
        mark(r);
        changeAtRandom(r.mesh(), c.type, random);
        const auto obstacle = std::make_shared<Obstacle>(r.mesh(), c.type);
        r.root->addComponent(obstacle);
        int blocked = 0;
        for (int k = 0; k < 8; ++k) {
            const auto x = made(r).positions(), v = made(r).velocities();
            const auto own = r.surface<StoredTopology>().d_position.value();
            const auto lists = r.surface().tetrahedra();
            obstacle->blocks = true;
            Random same = random;
            try {
                changeAtRandom(r.mesh(), c.type, same);
            } catch (const std::runtime_error& e) {
                CHECK(std::string(e.what()) == "an obstacle");
                ++blocked;
            }
            CHECK(made(r).positions() == x);
            CHECK(made(r).velocities() == v);
            CHECK(r.surface<StoredTopology>().d_position.value() == own);
            CHECK(r.surface().tetrahedra() == lists);
            checkAsNew(c, r);
            obstacle->blocks = false;
            changeAtRandom(r.mesh(), c.type, random);
            checkAsNew(c, r);
            checkPlaces(c, r, true);
        }
        CHECK(blocked > 4);
    }
}

TEST_CASE("Points that mappings make are kept by checkpoints")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    for (const Case& c : cases()) {
        INFO(c.mapping);
        Run r(initialText(c)), again(initialText(c));
        Random random(7);
        mark(r);
        for (int k = 0; k < 4; ++k) changeAtRandom(r.mesh(), c.type, random);
        r.steps(2);
        saveCheckpoint(*r.simulation, file);
        loadCheckpoint(*again.simulation, file);
        const auto check = [&] {
            checkAsNew(c, again);
            CHECK(sameState(r, again));
            CHECK(made(r).positions() == made(again).positions());
            CHECK(made(r).velocities() == made(again).velocities());
            CHECK(r.surface<TopologicalMapping>().localToGlobal() ==
                  again.surface<TopologicalMapping>().localToGlobal());
        };
        check();
        Random same = random;
        changeAtRandom(r.mesh(), c.type, random);
        changeAtRandom(again.mesh(), c.type, same);
        r.steps(2);
        again.steps(2);
        check();
        again.simulation->reset();
        CHECK(made(again).positions() == made(Run(initialText(c))).positions());
    }
}

TEST_CASE("Points that mappings make go with points that are moved")
{
    for (const Case& c : cases()) {
        INFO(c.mapping);
        Run r(initialText(c));
        const auto own = r.surface<StoredTopology>().d_position.value();
        {
            TopologyTransaction change(r.mesh());
            change.movePoints({0, 4}, {{{0, 0.8}, {1, 0.2}}, {{4, 0.9}, {5, 0.1}}});
            change.commit();
        }
        CHECK(r.surface<StoredTopology>().d_position.value() != own);
        const auto points = r.surface<TopologicalMapping>().mappedPoints();
        for (Index i = 0; i < points.size(); ++i) {
            Vec3 at = points[i].offset;
            for (const Ancestor& a : points[i].from) at += r.state().positions()[a.index] * a.weight;
            CHECK(norm(r.surface().pointPosition(i) - at) < 1e-12);
            if (c.isMoved) CHECK(norm(made(r).positions()[i] - at) < 1e-12);
        }
        r.simulation->reset();
        CHECK(r.surface<StoredTopology>().d_position.value() == own);
    }
}

TEST_CASE("What is known of points goes to those that are made of them")
{
    // A fixed edge in a finer mesh, and masses of its points.
    const std::string finer =
        "<TetrahedronSetTopologyContainer name='mesh' position='0 0 0 1 0 0 0 1 0 0 0 1' tetrahedra='0 1 2 3'/>"
        "<TetrahedronSetTopologyModifier/><MechanicalObject name='x'/><UniformMass vertexMass='1'/>";
    Run r(
        "<Node name='root' dt='0.01' gravity='0 0 0'><Node name='body'><EulerImplicitSolver/><CGLinearSolver "
        "iterations='10' tolerance='1e-9' threshold='1e-9'/>" +
        finer +
        "<Node name='surface'><TetrahedronSetTopologyContainer/><SimpleTesselatedTetraTopologicalMapping "
        "name='map'/><MechanicalObject/><FixedProjectiveConstraint name='fixed' indices='0 1'/></Node></Node></Node>");
    TopologyTransaction change(r.mesh());
    splitEdge(change, r.mesh(), 0, 1, 0.5);
    change.commit();
    // The new point of the input, and the middles of the two edges to it.
    CHECK(made(r).size() == 5 + 9);
    const auto all = r.surface<TopologicalMapping>().mappedPoints();
    Vector<Index> expected;
    for (Index i = 0; i < all.size(); ++i)
        if (std::ranges::all_of(all[i].from, [](const Ancestor& a) { return a.index < 2 || a.index == 4; }))
            expected.push_back(i);
    CHECK(expected.size() == 5);
    auto* fixed = r.body().child("surface")->component("fixed")->findData("indices");
    Vector<Index> now = dynamic_cast<Data<Vector<Index>>&>(*fixed).value();
    std::ranges::sort(now);
    CHECK(now == expected);
    r.simulation->reset();
    CHECK(fixed->text() == "0 1");
}

TEST_CASE("Points follow through several mappings")
{
    // Six tetrahedra of each hexahedron are translated, five are made anew; centres are made of made points.
    const Mesh m = block(ElementType::Hexahedra);
    std::string positions, cells;
    for (const Vec3& p : m.points) positions += toText(p) + " ";
    for (const auto& e : m.elements) cells += toText(e) + " ";
    for (const char* each : {"6", "5"}) {
        INFO(each);
        const std::string text =
            textOf(ElementType::Hexahedra, positions, " hexahedra='" + cells + "'",
                   tetrahedra + "<Hexa2TetraTopologicalMapping tetrahedraPerHexahedron='" + each +
                       "'/><Node name='finer'><TetrahedronSetTopologyContainer name='mesh'/>"
                       "<SimpleTesselatedTetraTopologicalMapping/><MechanicalObject name='y'/>"
                       "<SimpleTesselatedTetraMechanicalMapping input='@../../x'/><Node name='middles'>"
                       "<PointSetTopologyContainer/><Mesh2PointTopologicalMapping tetraBaryCoords='0.25 0.25 0.25'/>"
                       "<MechanicalObject/><Mesh2PointMechanicalMapping input='@../y'/></Node></Node>");
        Run r(text);
        Node& finer = *r.body().child("surface")->child("finer");
        const auto& out = *finer.get<StoredTopology>(Search::Local);
        const auto& y = *finer.get<State<Vec3Types>>(Search::Local);
        const auto& z = *finer.child("middles")->get<State<Vec3Types>>(Search::Local);
        const auto check = [&] {
            const auto& coarse = r.surface().tetrahedra();
            REQUIRE(out.tetrahedra().size() == 8 * coarse.size());
            REQUIRE(z.size() == out.tetrahedra().size());
            REQUIRE(out.nbPoints() == y.size());
            double worst = 0.;
            for (Index i = 0; i < z.size(); ++i) {
                Vec3 middle;
                for (const Index v : out.tetrahedra()[i]) middle += y.positions()[v] * 0.25;
                worst = std::max(worst, norm(z.positions()[i] - middle));
            }
            for (Index i = 0; i < coarse.size(); ++i) {
                // The eight parts have the middle of the whole.
                Vec3 whole, parts;
                for (const Index v : coarse[i]) whole += r.state().positions()[v] * 0.25;
                for (Index k = 0; k < 8; ++k) parts += z.positions()[8 * i + k] * 0.125;
                worst = std::max(worst, norm(whole - parts));
            }
            CHECK(worst < 1e-12);
        };
        check();
        Random random(3);
        for (int k = 0; k < 5; ++k) {
            TopologyTransaction change(r.mesh());
            if (k % 2 == 0) loosen(change, r.mesh(), ElementType::Hexahedra, random.below(4), random);
            change.remove(ElementType::Hexahedra, {random.below(3)});
            change.commit();
            check();
        }
        r.simulation->reset();
        check();
        CHECK(y.positions() ==
              Run(text).body().child("surface")->child("finer")->get<State<Vec3Types>>(Search::Local)->positions());
    }
}

}  // namespace point_follow_test
