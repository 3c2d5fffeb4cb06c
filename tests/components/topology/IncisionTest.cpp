// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Cuts of surfaces along paths, by SurfaceIncision and by INCISE of TopologicalChangeProcessor.
#include <catch2/catch.hpp>
#include <random>

#include "core/simulation/Checkpoint.h"
#include "core/topology/Geometry.h"
#include "core/topology/SurfaceIncision.h"
#include "tests/components/topology/CutScene.h"
#include "tests/harness/Paths.h"

namespace incision_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// A square of 1 m of n x n cells, whose inner points are moved by up to `jitter` cells, and bent upwards by `bend`.
Mesh sheet(int n, double jitter = 0., unsigned seed = 0, double bend = 0.)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> some(-jitter, jitter);
    Mesh m{ElementType::Triangles, {}, {}};
    for (int y = 0; y <= n; ++y)
        for (int x = 0; x <= n; ++x) {
            const bool inside = x > 0 && y > 0 && x < n && y < n;
            Vec3 p = Vec3{x + (inside ? some(random) : 0.), y + (inside ? some(random) : 0.), 0.} / n;
            p[2] = bend * p[0] * (1. - p[0]) + 0.5 * bend * p[1] * p[1];
            m.points.push_back(p);
        }
    const auto p = [n](int x, int y) { return static_cast<Index>(x + (n + 1) * y); };
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            m.elements.push_back({p(x, y), p(x + 1, y), p(x + 1, y + 1)});
            m.elements.push_back({p(x, y), p(x + 1, y + 1), p(x, y + 1)});
        }
    return m;
}

std::string scene(const Vector<Vec3>& points, const std::string& triangles, const std::string& more = "")
{
    return "<Node name='root' dt='0.01' gravity='0 0 -1'><Node name='body'><EulerImplicitSolver "
           "rayleighMass='0.1'/><CGLinearSolver iterations='2000' tolerance='1e-12' threshold='1e-24'/>"
           "<TriangleSetTopologyContainer name='mesh' position='" +
           toText(points) + "' triangles='" + triangles +
           "'/><TriangleSetTopologyModifier/><MechanicalObject name='x'/><DiagonalMass massDensity='1'/>"
           "<TriangularFEMForceField youngModulus='500' poissonRatio='0.3'/><TriangleCollisionModel/>"
           "<LineCollisionModel/><PointCollisionModel/><Node name='skin'><OglModel "
           "name='v'/><IdentityMapping/></Node>" +
           more + "</Node></Node>";
}
std::string scene(const Mesh& m, const std::string& more = "")
{
    std::string triangles;
    for (const auto& e : m.elements) triangles += toText(e) + " ";
    return scene(m.points, triangles, more);
}

double areaOf(const Run& r) { return geometry::totalArea(r.state().positions(), r.mesh().triangles()); }

double massOf(const Run& r)
{
    const auto* mass = r.body().get<BaseMass>(Search::Local);
    double sum = 0.;
    for (Index i = 0; i < r.state().size(); ++i) sum += mass->pointMass(i);
    return sum;
}

double smallestArea(const Run& r)
{
    double least = 1e9;
    const auto& x = r.state().positions();
    for (const Triangle& t : r.mesh().triangles())
        least = std::min(least, geometry::triangleArea(x[t[0]], x[t[1]], x[t[2]]));
    return least;
}

std::set<Edge> edgesOf(const Vector<Triangle>& triangles)
{
    std::set<Edge> edges;
    for (const Triangle& t : triangles)
        for (std::size_t k = 0; k < 3; ++k)
            edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    return edges;
}

/// Points − edges + triangles: 1 for a disc, 0 for a ring.
int euler(const Run& r)
{
    const auto n = [](std::size_t i) { return static_cast<int>(i); };
    return n(r.mesh().nbPoints()) - n(edgesOf(r.mesh().triangles()).size()) + n(r.mesh().triangles().size());
}

/// No edge has more than two triangles, and these go along it in opposite directions; tables are those of the lists.
void checkTables(const Run& r)
{
    const StoredTopology& mesh = r.mesh();
    std::set<std::pair<Index, Index>> directed;
    for (const Triangle& t : mesh.triangles())
        for (std::size_t k = 0; k < 3; ++k) REQUIRE(directed.insert({t[k], t[(k + 1) % 3]}).second);
    std::set<Edge> listed;
    for (Edge e : mesh.edges()) {
        std::ranges::sort(e);
        REQUIRE(listed.insert(e).second);
    }
    REQUIRE(listed == edgesOf(mesh.triangles()));
    std::vector<Vector<Index>> around(mesh.nbPoints());
    for (Index i = 0; i < mesh.triangles().size(); ++i)
        for (const Index v : mesh.triangles()[i]) around[v].push_back(i);
    for (Index p = 0; p < mesh.nbPoints(); ++p) {
        const auto now = mesh.list(ElementType::Triangles)->around(p);
        REQUIRE(std::ranges::equal(now, around[p]));
        REQUIRE_FALSE(around[p].empty());
    }
    REQUIRE(r.state().size() == mesh.nbPoints());
}

Incision cut(const Run& r, const Vector<Vec3>& points, const IncisionSnap& snap = {})
{
    const Vector<Vec3> x = r.state().positions();
    std::vector<SurfacePlace> path;
    for (const Vec3& p : points) path.push_back(nearestPlace(r.mesh(), x, p));
    TopologyTransaction change(r.mesh());
    Incision done = incise(change, r.mesh(), x, path, snap);
    change.commit();
    return done;
}

double difference(const Vector<Vec3>& a, const Vector<Vec3>& b)
{
    REQUIRE(a.size() == b.size());
    double worst = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, norm(a[i] - b[i]));
    return worst;
}

void compareWithFresh(Run& r)
{
    Run fresh(scene(r.state().read(vec_id::restPosition), toText(r.mesh().triangles())));
    fresh.take(r);
    CHECK(massOf(fresh) == Approx(massOf(r)).epsilon(1e-12));
    r.steps(2);
    fresh.steps(2);
    CHECK(difference(r.state().positions(), fresh.state().positions()) < 1e-9);
}

}  // namespace

TEST_CASE("A path across a sheet makes two pieces, one that ends inside or lies inside leaves one")
{
    for (const double snap : {0., 0.1}) {
        const IncisionSnap exact{snap, snap > 0. ? 0.25 : 0.};
        Run across(scene(sheet(5)));
        cut(across, {{0., 0.37, 0.}, {1., 0.52, 0.}}, exact);
        CHECK(pieceCount(across.mesh()) == 2);
        CHECK(euler(across) == 2);
        checkTables(across);
        Run inward(scene(sheet(5)));
        const Incision done = cut(inward, {{0., 0.37, 0.}, {0.47, 0.55, 0.}}, exact);
        CHECK(pieceCount(inward.mesh()) == 1);
        CHECK(euler(inward) == 1);
        // It ends where it was told to, with one point.
        if (snap == 0.) CHECK(norm(inward.state().positions()[done.path.back()] - Vec3{0.47, 0.55, 0.}) < 1e-12);
        for (const OpenedPoint& o : done.opened) CHECK(o.point != done.path.back());
        Run inside(scene(sheet(5)));
        cut(inside, {{0.31, 0.37, 0.}, {0.67, 0.55, 0.}}, exact);
        CHECK(pieceCount(inside.mesh()) == 1);
        CHECK(euler(inside) == 0);  // a slit is a hole
        // In one triangle.
        Run small(scene(sheet(1)));
        cut(small, {{0.5, 0.2, 0.}, {0.7, 0.3, 0.}}, {0., 0.});
        CHECK(euler(small) == 0);
        checkTables(small);
    }
}

TEST_CASE("A path may close, cross itself, run along edges and leave the mesh")
{
    Run closed(scene(sheet(6)));
    cut(closed, {{0.25, 0.3, 0.}, {0.7, 0.25, 0.}, {0.5, 0.8, 0.}, {0.25, 0.3, 0.}});
    CHECK(pieceCount(closed.mesh()) == 2);
    CHECK(euler(closed) == 1);  // a disc and a ring
    CHECK(areaOf(closed) == Approx(1.).epsilon(1e-12));
    checkTables(closed);

    Run eight(scene(sheet(6)));  // two triangles that meet in the crossing
    cut(eight, {{0.2, 0.2, 0.}, {0.8, 0.8, 0.}, {0.8, 0.21, 0.}, {0.2, 0.79, 0.}, {0.2, 0.2, 0.}}, {0., 0.});
    CHECK(pieceCount(eight.mesh()) == 3);
    CHECK(areaOf(eight) == Approx(1.).epsilon(1e-12));
    checkTables(eight);

    Run edges(scene(sheet(4)));  // along a line of edges
    const Incision straight = cut(edges, {{0., 0.5, 0.}, {1., 0.5, 0.}});
    CHECK(edges.mesh().triangles().size() == 32);
    CHECK(straight.opened.size() == 5);
    CHECK(pieceCount(edges.mesh()) == 2);
    cut(edges, {{0.4, 0.01, 0.}, {0.4, 0.4, 0.}});
    // Across the cut from one piece to the other: each is cut up to its border.
    cut(edges, {{0.75, 0.1, 0.}, {0.75, 0.9, 0.}});
    checkTables(edges);
    CHECK(areaOf(edges) == Approx(1.).epsilon(1e-12));

    Run border(scene(sheet(4)));
    CHECK(cut(border, {{0., 0., 0.}, {1., 0., 0.}}).opened.empty());
    CHECK(border.mesh().nbPoints() == 25);
    Run one(scene(sheet(4)));  // one edge inside opens
    CHECK(cut(one, {{0.25, 0.5, 0.}, {0.5, 0.5, 0.}}).opened.size() == 1);
    CHECK(euler(one) == 0);

    // A path over a bay: out of one arm and into the other.
    Mesh bay = sheet(6);
    std::erase_if(bay.elements, [&](const Vector<Index>& t) {
        Vec3 c;
        for (const Index v : t) c += bay.points[v] / 3.;
        return c[0] > 0.34 && c[0] < 0.66 && c[1] > 0.34;
    });
    // Points that nothing uses go.
    std::map<Index, Index> number;
    Vector<Vec3> used;
    for (auto& t : bay.elements)
        for (Index& v : t) {
            const auto entry = number.try_emplace(v, static_cast<Index>(used.size()));
            if (entry.second) used.push_back(bay.points[v]);
            v = entry.first->second;
        }
    bay.points = used;
    Run arms(scene(bay));
    const Incision over = cut(arms, {{0., 0.72, 0.}, {1., 0.78, 0.}});
    CHECK(std::ranges::count(over.path, InvalidIndex) == 1);
    CHECK(pieceCount(arms.mesh()) == 3);
    checkTables(arms);
}

namespace {

void fuzz(unsigned first, unsigned count)
{
    unsigned refused = 0;
    for (unsigned seed = first; seed < first + count; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> some(0., 1.);
        const double bend = seed % 3 == 0 ? 0.3 : 0.;
        Run run(scene(sheet(3 + static_cast<int>(seed % 5), 0.2, seed, bend)));
        const double area = areaOf(run), mass = massOf(run), least = smallestArea(run);
        for (int k = 0; k < 2; ++k) {
            Vector<Vec3> path;
            for (unsigned i = 0; i < 2 + seed % 4; ++i) path.push_back({some(random), some(random), 0.});
            const IncisionSnap snap{seed % 2 == 0 ? 0.1 : 0.02, 0.25};
            const Index points = run.mesh().nbPoints();
            const auto triangles = run.mesh().triangles();
            try {
                cut(run, path, snap);
            } catch (const std::runtime_error& e) {
                // Nothing changed. On flat sheets each path is found, unless all its points go to one of the mesh.
                INFO(e.what());
                REQUIRE((bend > 0. || std::string(e.what()).find("two points of the mesh that differ") < 100));
                ++refused;
                REQUIRE(run.mesh().nbPoints() == points);
                REQUIRE(run.mesh().triangles() == triangles);
            }
            checkTables(run);
            REQUIRE(std::abs(areaOf(run) - area) < 1e-12 * area);
            REQUIRE(std::abs(massOf(run) - mass) < 1e-12 * mass);
            // Where one segment was cut: four divisions.
            if (k == 0 && path.size() == 2) REQUIRE(smallestArea(run) > least * std::pow(snap.path, 4.));
        }
        const auto& x = run.state().positions();
        if (bend == 0.)
            for (const Triangle& t : run.mesh().triangles())
                REQUIRE(geometry::triangleAreaVector(x[t[0]], x[t[1]], x[t[2]])[2] > 0.);
        if (seed % 10 == 0) compareWithFresh(run);
    }
    INFO(refused << " refused");
    CHECK(20 * refused <= count);
}

}  // namespace

TEST_CASE("Random paths: tables, area, mass and followers are those of the cut mesh") { fuzz(0, 60); }

TEST_CASE("Many random paths", "[nightly]") { fuzz(1000, 3000); }

TEST_CASE("What cannot be cut is refused, and nothing changes")
{
    Run run(scene(sheet(3)));
    const auto triangles = run.mesh().triangles();
    CHECK_THROWS_WITH(cut(run, {{0.5, 0.5, 0.}}), Catch::Contains("two points of the mesh that differ"));
    CHECK_THROWS_WITH(cut(run, {{0.5, 0.4, 0.}, {0.5, 0.4, 0.}}),
                      Catch::Contains("two points of the mesh that differ"));
    CHECK_THROWS_WITH(cut(run, {{0.5, std::nan(""), 0.}, {0.5, 0.4, 0.}}), Catch::Contains("not finite"));
    CHECK_THROWS_WITH(cut(run, {{0., 0., 0.}, {0.5, 0.4, 0.}}, {0.7, 0.}), Catch::Contains("within 0 to 0.5"));
    const Vector<Vec3> x = run.state().positions();
    {
        TopologyTransaction change(run.mesh());
        CHECK_THROWS_WITH(incise(change, run.mesh(), x, {{99, {1., 0., 0.}}, {0, {1., 0., 0.}}}),
                          Catch::Contains("there is no triangle 99"));
    }
    {
        // Not committed: taken back, to the bit.
        TopologyTransaction change(run.mesh());
        incise(change, run.mesh(), x,
               {nearestPlace(run.mesh(), x, {0., 0.4, 0.}), nearestPlace(run.mesh(), x, {1., 0.6, 0.})});
        CHECK(run.mesh().triangles() != triangles);
    }
    CHECK(run.mesh().triangles() == triangles);
    CHECK(run.state().positions() == x);
    checkTables(run);
}

TEST_CASE("INCISE cuts at its time; reset and checkpoints know it")
{
    const TemporaryDirectory folder;
    const std::string file = folder
                                 .write("cuts.txt",
                                        "T= 0.01\n INCISE= 2\n0 0.4 0  0.5 0.55 0\nT= 0.03\n INCISE= 2\n0.5 0.55 0 "
                                        "1 0.4 0\n")
                                 .string();
    const auto with = [&](const std::string& name, const std::string& more) {
        return scene(sheet(4), "<TopologicalChangeProcessor filename='" + name + "' " + more + "/>");
    };
    for (const std::string more : {"epsilonSnapPath='0.05'", "saveIndicesAtInit='1'"}) {
        Run run(with(file, more)), again(with(file, more));
        run.steps(2);
        CHECK(pieceCount(run.mesh()) == 1);
        CHECK(run.mesh().nbPoints() > 25);
        const auto checkpoint = (folder / "c.bin").string();
        run.steps(1);
        saveCheckpoint(*run.simulation, checkpoint);
        run.steps(3);
        CHECK(pieceCount(run.mesh()) == 2);
        checkTables(run);
        loadCheckpoint(*again.simulation, checkpoint);
        again.steps(3);
        CHECK(sameState(run, again));
        CHECK(run.mesh().triangles() == again.mesh().triangles());
        run.simulation->reset();
        CHECK(run.mesh().nbPoints() == 25);
        CHECK(run.mesh().triangles().size() == 32);
        run.steps(6);
        CHECK(sameState(run, again));
    }
    MessageCapture messages;
    const auto refused = [&](const std::string& text, const std::string& expected) {
        auto root = loadSceneText(with(folder.write("bad.txt", text).string(), ""), "bad.scn");
        REQUIRE(root);
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        CHECK(messages.has(Severity::Error, expected));
    };
    refused("T= 1\n INCISE= 1\n0 0 0\n", "bad.txt:3: expected two points or more of a cut");
    refused("T= 1\n INCISE= 2\n0 0 0 1 1\n", "2 points of a cut, x y z or a triangle and x y z of each");
    refused("T= 1\n INCISE= 2\n0.5 0 0 0 1 1 1 0\n", "the number of a triangle before each point");
    Run late(with(folder.write("late.txt", "T= 0\n INCISE= 2\n0 0 0 0  99 1 1 0\n").string(), ""));
    CHECK_THROWS_WITH(late.steps(1), Catch::Contains("there is no triangle 99"));
    CHECK(late.mesh().triangles().size() == 32);
}

TEST_CASE("A cloth that is cut in three steps falls in two")
{
    const auto root = loadScene((sourceDirectory() / "scenes/demos/torn_cloth.scn").string());
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    const Node& cloth = *root->child("cloth");
    const auto& mesh = *cloth.get<StoredTopology>(Search::Local);
    const auto& state = *cloth.get<State<Vec3Types>>(Search::Local);
    const auto* mass = cloth.get<BaseMass>(Search::Local);
    const auto areaAtRest = [&] { return geometry::totalArea(state.read(vec_id::restPosition), mesh.triangles()); };
    const auto pieces = [&](int steps) {
        for (int k = 0; k < steps; ++k) simulation.step();
        return pieceCount(mesh);
    };
    CHECK(pieces(72) == 1);
    CHECK(mesh.nbPoints() > 289);
    CHECK(pieces(20) == 2);  // at 0.92 s
    CHECK(pieces(60) == 2);  // and the slit at 1.3 s
    CHECK(areaAtRest() == Approx(1.).epsilon(1e-12));
    double sum = 0.;
    for (Index i = 0; i < state.size(); ++i) sum += mass->pointMass(i);
    CHECK(sum == Approx(0.3).epsilon(1e-12));
    // What hangs is near the corners that hold it, what fell is where half a second of falling brings it.
    Index hanging = 0, fallen = 0;
    for (const Vec3& p : state.positions()) {
        REQUIRE(std::isfinite(p[0] + p[1] + p[2]));
        hanging += p[1] > -0.7 ? 1 : 0;
        fallen += p[1] < -0.9 ? 1 : 0;
    }
    CHECK(hanging > 100);
    CHECK(fallen > 100);
    CHECK(hanging + fallen == state.size());
}

}  // namespace incision_test
