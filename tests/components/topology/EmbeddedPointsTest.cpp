// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <random>

#include "components/mapping/BarycentricMapping.h"
#include "core/parallel/Parallel.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/ElementsOf.h"
#include "tests/components/topology/ChangingScene.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/Paths.h"

namespace embedded_points_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;
using component::BarycentricMapping;
using E = ElementType;

namespace {

std::string nameOfSet(E type)
{
    std::string name = elementTypeName(type);
    name[0] = static_cast<char>(std::toupper(name[0]));
    return name + "SetTopology";
}

/// A mesh of points with weight, and points in it.
std::string scene(E type, const std::string& topology, const Vector<Vec3>& vertices, std::span<const Index> elements,
                  const Vector<Vec3>& points, const std::string& more = "")
{
    return "<Node name='root' dt='0.01' gravity='0 -9.81 0'><Node name='body'><EulerImplicitSolver/><CGLinearSolver "
           "iterations='50' tolerance='1e-14' threshold='1e-20'/><" +
           (topology.empty() ? nameOfSet(type) + "Container" : topology) + " name='mesh' position='" +
           toText(vertices) + "' " + nameOf(type) + "='" + toText(Vector<Index>(elements.begin(), elements.end())) +
           "'/><" + nameOfSet(type) + "Modifier/><MechanicalObject name='x'/><UniformMass vertexMass='1'/>" +
           "<Node name='points'>" + more + "<MechanicalObject name='p' position='" + toText(points) +
           "'/><BarycentricMapping name='map'/></Node></Node></Node>";
}

Vector<Index> flat(const Mesh& m)
{
    Vector<Index> all;
    for (const Vector<Index>& e : m.elements) all.insert(all.end(), e.begin(), e.end());
    return all;
}

BarycentricMapping& mappingOf(const Run& r)
{
    return dynamic_cast<BarycentricMapping&>(*r.body().child("points")->component("map"));
}
State<Vec3Types>& pointsOf(const Run& r) { return *r.body().child("points")->get<State<Vec3Types>>(Search::Local); }

std::span<const Index> verticesOfElement(const Run& r, E type, Index e)
{
    return verticesOf(r.mesh(), type).subspan(e * nodeCount(type), nodeCount(type));
}

/// Weights that are not zero, by vertex.
std::map<Index, double> row(const Run& r, Index i)
{
    const auto& w = mappingOf(r).weights();
    std::map<Index, double> all;
    for (Index k = w.rowStart[i]; k < w.rowStart[i + 1]; ++k)
        if (std::abs(w.weights[k]) > 1e-12) all[w.columns[k]] += w.weights[k];
    return all;
}

double embeddedDifference(const Run& a, const Run& b)
{
    REQUIRE(mappingOf(a).weights().rows() == mappingOf(b).weights().rows());
    double worst = 0.;
    for (Index i = 0; i < mappingOf(a).weights().rows(); ++i) {
        auto all = row(a, i);
        for (const auto& [v, w] : row(b, i)) all[v] -= w;
        for (const auto& [v, w] : all) worst = std::max(worst, std::abs(w));
    }
    return worst;
}

/// A change that replaces an element by two halves (or by three or four parts around its centre).
void split(StoredTopology& t, E type, Index element)
{
    if (type == E::Triangles || type == E::Tetrahedra) return splitAtCentre(t, type, element);
    const auto list = verticesOf(t, type).subspan(element * nodeCount(type), nodeCount(type));
    const Vector<Index> v(list.begin(), list.end());
    TopologyTransaction change(t);
    const auto middle = [&](Index a, Index b) { return change.addPoints({{{v[a], 0.5}, {v[b], 0.5}}}); };
    Vector<Index> parts;
    if (type == E::Edges) {
        const Index m = middle(0, 1);
        parts = {v[0], m, m, v[1]};
    } else if (type == E::Quads) {
        const Index m = middle(0, 1), n = middle(3, 2);
        parts = {v[0], m, n, v[3], m, v[1], v[2], n};
    } else {
        const Index m = middle(0, 1), n = middle(3, 2), o = middle(4, 5), p = middle(7, 6);
        parts = {v[0], m, n, v[3], v[4], o, p, v[7], m, v[1], v[2], n, o, v[5], v[6], p};
    }
    change.add(type, parts, {{{element, 1.}}, {{element, 1.}}});
    change.remove(type, {element});
    change.commit();
}

void renumber(StoredTopology& t, std::mt19937& random)
{
    Vector<Index> now(t.nbPoints());
    std::iota(now.begin(), now.end(), Index{0});
    for (std::size_t i = now.size(); i-- > 1;) std::swap(now[i], now[random() % (i + 1)]);
    TopologyTransaction change(t);
    change.renumberPoints(now);
    change.commit();
}

/// A point inside each element.
Vector<Vec3> insides(const Mesh& m, std::mt19937& random)
{
    Vector<Vec3> all;
    for (const Vector<Index>& e : m.elements) {
        const std::size_t n = m.type == E::Quads || m.type == E::Hexahedra ? 0 : e.size();
        const auto number = [&] { return 0.1 + 0.8 * static_cast<double>(random() % 1000) / 1000.; };
        if (n == 0) {
            Vec3 x = m.points[e[0]] + (m.points[e[1]] - m.points[e[0]]) * number() +
                     (m.points[e[3]] - m.points[e[0]]) * number();
            if (e.size() == 8) x += (m.points[e[4]] - m.points[e[0]]) * number();
            all.push_back(x);
            continue;
        }
        double sum = 0.;
        Vec3 x;
        for (const Index v : e) {
            const double w = number();
            sum += w;
            x += m.points[v] * w;
        }
        all.push_back(x / sum);
    }
    return all;
}

/// The block without its shear: its cells are parallelepipeds, in which SOFA's coordinates are exact.
Mesh straightBlock(E type)
{
    Mesh m = block(type);
    for (std::size_t i = 0; i < m.points.size(); ++i)
        m.points[i] = {0.1 * double(i % 3), 0.1 * double(i / 3 % 3), 0.1 * double(i / 9) + 0.002 * double(i % 3)};
    return m;
}

const Vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

}  // namespace

TEST_CASE("Embedded points follow random changes as if they had been embedded in the new mesh")
{
    for (const E type : {E::Tetrahedra, E::Hexahedra, E::Triangles, E::Quads, E::Edges})
        for (const std::string topology : {"", "MeshTopology"}) {
            // On other meshes of edges SOFA takes the first edge onto which a point projects.
            if (type == E::Edges && !topology.empty()) continue;
            INFO(nameOf(type) << " " << topology);
            std::mt19937 random(3);  // NOLINT: the same numbers each time
            const Mesh m = straightBlock(type);
            const Vector<Vec3> points = insides(m, random);
            const std::string text = scene(type, topology, m.points, flat(m), points);
            Run run(text), untouched(text);
            int splits = 0, removals = 0, moves = 0;
            for (int k = 0; k < 60; ++k) {
                StoredTopology& t = run.mesh();
                const auto e = static_cast<Index>(random() % elementCount(t, type));
                if (random() % 8 == 0) {
                    renumber(t, random);
                } else if (random() % 3 == 0 && std::ranges::count(mappingOf(run).elements(), e) == 0 &&
                           elementCount(t, type) > 4) {
                    removeElements(t, type, {e});
                    ++removals;
                } else if (type == E::Tetrahedra && random() % 4 == 0) {
                    const auto v = verticesOfElement(run, type, e);
                    TopologyTransaction change(t);
                    change.movePoints({v[0]}, {{{v[0], 0.98}, {v[1], 0.02}}});
                    change.commit();
                    ++moves;
                } else if (splits < 25) {
                    split(t, type, e);
                    ++splits;
                }
                if (moves > 0) continue;  // points may come to lie outside
                const Run fresh(
                    scene(type, topology, run.state().read(vec_id::restPosition), verticesOf(t, type), points));
                CHECK(embeddedDifference(run, fresh) < 1e-10);
            }
            CHECK(splits == 25);
            CHECK(removals > 0);
            for (Index i = 0; i < points.size(); ++i) {
                Vec3 x;
                for (const auto& [v, w] : row(run, i)) x += run.state().read(vec_id::restPosition)[v] * w;
                CHECK(norm(x - points[i]) < 1e-12);
            }
            run.steps(2);
            checkMapping(mappingOf(run), {.translates = true});
            run.simulation->reset();
            CHECK(mappingOf(run).weights().columns == mappingOf(untouched).weights().columns);
            CHECK(mappingOf(run).weights().weights == mappingOf(untouched).weights().weights);
            CHECK(mappingOf(run).elements() == mappingOf(untouched).elements());
            run.steps(3);
            untouched.steps(3);
            CHECK(sameState(run, untouched));
            CHECK(pointsOf(run).positions() == pointsOf(untouched).positions());
        }
}

TEST_CASE("Points in skewed quads and hexahedra stay where they are when these are divided")
{
    for (const E type : {E::Quads, E::Hexahedra}) {
        std::mt19937 random(5);  // NOLINT
        Mesh m = straightBlock(type);
        for (Vec3& p : m.points)
            p += Vec3{double(random() % 100), double(random() % 100), double(random() % 100)} * 2e-4;
        Run run(scene(type, "", m.points, flat(m), insides(m, random)));
        const auto atRest = [&] {
            Vector<Vec3> x;
            for (Index i = 0; i < pointsOf(run).size(); ++i) {
                x.emplace_back();
                for (const auto& [v, w] : row(run, i)) x.back() += run.state().read(vec_id::restPosition)[v] * w;
            }
            return x;
        };
        const Vector<Vec3> before = atRest();
        for (Index e = 0; e < 4; ++e) split(run.mesh(), type, e);
        CHECK(difference(atRest(), before) < 1e-13);
    }
}

TEST_CASE("Points of a triangle that is cut go with the right side")
{
    // The triangle 0 1 2 is cut along the line from 0 to the middle of 1 2; each side has its own copies of these two.
    Run run(scene(E::Triangles, "", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::array<Index, 3>{0, 1, 2},
                  {{0.5, 0.2, 0}, {0.2, 0.5, 0}, {0.9, 0.05, 0}, {-0.1, 0.5, 0}, {0.4, -0.2, 0}}));
    StoredTopology& t = run.mesh();
    TopologyTransaction change(t);
    const Index p = change.addPoints({{{1, 0.5}, {2, 0.5}}, {{1, 0.5}, {2, 0.5}}, {{0, 1.}}});
    change.add(E::Triangles, std::array<Index, 6>{0, 1, p, p + 2, p + 1, 2}, {{{0, 1.}}, {{0, 1.}}});
    change.remove(E::Triangles, {0});
    change.commit();
    // Triangle 0 is now the second one: the last takes the place of what went.
    CHECK(t.triangles() == Vector<Triangle>{{5, 4, 2}, {0, 1, 3}});
    CHECK(mappingOf(run).elements() == Vector<Index>{1, 0, 1, 0, 1});
    // The sides part, and the points go with them.
    const Vec3 up{0, 0, 1};
    {
        const auto x = run.state().write(vec_id::position);
        for (const Index v : {5, 4, 2}) x[v] += up;
    }
    MechanicalOperations(*run.root, MechanicalParams()).propagateXAndV(vec_id::position, vec_id::velocity);
    const Vector<Vec3> expected{{0.5, 0.2, 0}, {0.2, 0.5, 1}, {0.9, 0.05, 0}, {-0.1, 0.5, 1}, {0.4, -0.2, 0}};
    CHECK(difference(pointsOf(run).positions(), expected) < 1e-14);
}

TEST_CASE("A cut goes on to the bit after a checkpoint, and nothing is left of one that is taken back")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "cut.bin").string();
    std::mt19937 random(3);  // NOLINT
    const Mesh m = block(E::Tetrahedra);
    const std::string text = scene(E::Tetrahedra, "", m.points, flat(m), insides(m, random));
    Run run(text), other(text);
    run.steps(2);
    other.steps(2);
    for (int k = 0; k < 2; ++k) {
        const auto weights = mappingOf(run).weights().weights;
        {
            TopologyTransaction change(run.mesh());
            const Index p = change.addPoints({{{0, 0.5}, {1, 0.5}}});
            change.add(E::Tetrahedra, Tetrahedron{p, 1, 3, 6}, {{{7, 1.}}});
            change.remove(E::Tetrahedra, {7});
        }
        CHECK(mappingOf(run).weights().weights == weights);
        run.steps(1);
        other.steps(1);
        CHECK(sameState(run, other));
        CHECK(pointsOf(run).positions() == pointsOf(other).positions());
        // And once more after a change that stays.
        split(run.mesh(), E::Tetrahedra, 7);
        split(other.mesh(), E::Tetrahedra, 7);
    }
    const auto around = run.mesh().tetrahedraAroundVertex(26);
    removeElements(run.mesh(), E::Tetrahedra, {around.begin(), around.end()});
    run.steps(1);
    saveCheckpoint(*run.simulation, file);
    run.steps(3);
    for (const unsigned threads : {1u, 3u}) {
        setThreadCount(threads);
        Run again(text);
        loadCheckpoint(*again.simulation, file);
        again.steps(3);
        CHECK(mappingOf(again).weights().weights == mappingOf(run).weights().weights);
        CHECK(mappingOf(again).elements() == mappingOf(run).elements());
        CHECK(pointsOf(again).positions() == pointsOf(run).positions());
        split(again.mesh(), E::Tetrahedra, 3);
        again.simulation->reset();
        again.steps(3);
        Run first(text);
        first.steps(3);
        CHECK(pointsOf(again).positions() == pointsOf(first).positions());
    }
    setThreadCount(1);
}

TEST_CASE("A change that a later follower refuses leaves embedded points as they were")
{
    std::mt19937 random(3);  // NOLINT
    const Mesh m = block(E::Tetrahedra);
    std::string text = scene(E::Tetrahedra, "", m.points, flat(m), insides(m, random));
    const std::string end = "</Node></Node></Node>";
    text.replace(text.find(end), end.size(), "</Node><Monitor template='Vec3' indices='26'/></Node></Node>");
    Run run(text);
    const auto columns = mappingOf(run).weights().columns;
    Vector<Index> all(run.mesh().tetrahedra().size() - 1);
    std::iota(all.begin(), all.end(), Index{1});
    CHECK_THROWS_WITH(removeElements(run.mesh(), E::Tetrahedra, all), Catch::Contains("it watches"));
    CHECK(mappingOf(run).weights().columns == columns);
    split(run.mesh(), E::Tetrahedra, 2);
    const auto changed = mappingOf(run).weights().columns;
    CHECK(changed != columns);
    CHECK_THROWS_WITH(removeElements(run.mesh(), E::Tetrahedra, all), Catch::Contains("it watches"));
    CHECK(mappingOf(run).weights().columns == changed);
}

TEST_CASE("Points whose element goes keep its vertices, and go to what is left of their piece when these go")
{
    // Two strips of squares, 0 .. 2 and 3 .. 5; the second is nearer to the first square of the first one.
    const auto strip = [](double y, double x0) {
        Vector<Vec3> p;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 2; ++j) p.push_back({x0 + i, y + j, 0});
        return p;
    };
    Vector<Vec3> vertices = strip(0., 0.);
    const Vector<Vec3> more = strip(1.1, 0.);
    vertices.insert(vertices.end(), more.begin(), more.end());
    Vector<Index> quads;
    for (const Index first : {0u, 8u})
        for (Index i = 0; i < 3; ++i) {
            const Index a = first + 2 * i;
            for (const Index v : {a, a + 2, a + 3, a + 1}) quads.push_back(v);
        }
    Run run(scene(E::Quads, "", vertices, quads, {{0.25, 0.75, 0.}, {0.75, 0.5, 0.}}));
    StoredTopology& t = run.mesh();
    const auto nodes = [&] {
        std::set<Index> all;
        for (const auto& [v, w] : row(run, 0)) all.insert(v);
        return all;
    };
    // Square 0 goes and with it the points 0 and 1: the next square of the strip takes over, outside of it.
    removeElements(t, E::Quads, {0});
    REQUIRE(t.nbPoints() == 14);
    const Index carrier = mappingOf(run).elements()[0];
    REQUIRE(carrier != InvalidIndex);
    const auto list = verticesOfElement(run, E::Quads, carrier);
    CHECK(nodes() == std::set<Index>(list.begin(), list.end()));
    Vec3 x;
    for (const auto& [v, w] : row(run, 0)) {
        CHECK(run.state().read(vec_id::restPosition)[v][1] < 1.05);
        x += run.state().read(vec_id::restPosition)[v] * w;
    }
    CHECK(norm(x - Vec3{0.25, 0.75, 0.}) < 1e-15);
    // Of the first strip nothing is left in the end: the second one carries the points; without that nobody does.
    const auto ofStrip = [&](double low, double high) {
        Vector<Index> found;
        for (Index e = 0; e < t.quads().size(); ++e) {
            const double y = run.state().read(vec_id::restPosition)[t.quads()[e][0]][1];
            if (y > low && y < high) found.push_back(e);
        }
        return found;
    };
    removeElements(t, E::Quads, ofStrip(-0.5, 0.5));
    CHECK(t.quads().size() == 3);
    CHECK(mappingOf(run).elements()[0] != InvalidIndex);
    const auto left = mappingOf(run).weights().columns;
    CHECK_THROWS_WITH(removeElements(t, E::Quads, ofStrip(0.5, 2.)),
                      Catch::Contains("body/points/map' (BarycentricMapping): no element is left"));
    CHECK(t.quads().size() == 3);
    CHECK(mappingOf(run).weights().columns == left);
}

TEST_CASE("Where the vertices stay, the points of an element that goes stay on them")
{
    Run run(scene(E::Triangles, "", square, std::array<Index, 6>{0, 1, 2, 0, 2, 3}, {{0.7, 0.2, 0}, {0.2, 0.7, 0}}));
    const auto before = row(run, 0);
    // Another triangle holds the vertices.
    TopologyTransaction change(run.mesh());
    change.add(E::Triangles, std::array<Index, 3>{1, 2, 3});
    change.remove(E::Triangles, {0});
    change.commit();
    CHECK(mappingOf(run).elements()[0] == InvalidIndex);
    CHECK(row(run, 0) == before);
}

TEST_CASE("Embedded points come and go, and are embedded where they come from")
{
    const std::string mesh =
        "<TriangleSetTopologyContainer name='own' position='0.1 0.1 0 0.9 0.1 0 0.9 0.8 0 0.1 0.8 0' triangles='0 1 2 "
        "0 2 3'/><TriangleSetTopologyModifier/>";
    const Vector<Vec3> points{{0.1, 0.1, 0}, {0.9, 0.1, 0}, {0.9, 0.8, 0}, {0.1, 0.8, 0}};
    const std::array<Index, 6> triangles{0, 1, 2, 0, 2, 3};
    const std::string text = scene(E::Triangles, "", square, triangles, points, mesh);
    Run run(text);
    auto& own = *run.body().child("points")->get<StoredTopology>(Search::Local);
    splitAtCentre(own, E::Triangles, 1);
    REQUIRE(pointsOf(run).size() == 5);
    REQUIRE(mappingOf(run).weights().rows() == 5);
    CHECK(row(run, 4).size() == 3);
    removeElements(own, E::Triangles, {0});
    // Point 1 goes, and the last takes its place.
    REQUIRE(mappingOf(run).weights().rows() == 4);
    const Vector<Vec3> now = pointsOf(run).read(vec_id::restPosition);
    CHECK(norm(now[1] - (points[0] + points[2] + points[3]) / 3.) < 1e-15);
    const Run fresh(scene(E::Triangles, "", square, triangles, now));
    CHECK(embeddedDifference(run, fresh) < 1e-14);
    checkMapping(mappingOf(run), {.translates = true});
    run.simulation->reset();
    Run other(text);
    run.steps(2);
    other.steps(2);
    CHECK(pointsOf(run).positions() == pointsOf(other).positions());
    TopologyTransaction change(own);
    CHECK_THROWS_WITH(change.movePoints({0}, {{{1, 1.}}}), Catch::Contains("embedded points cannot be moved"));
}

}  // namespace embedded_points_test
