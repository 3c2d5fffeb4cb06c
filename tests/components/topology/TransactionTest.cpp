// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "core/mesh/Adjacency.h"
#include "core/mesh/SubElements.h"
#include "core/parallel/Parallel.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/components/topology/ChangingScene.h"
#include "tests/harness/Paths.h"

namespace transaction_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Everything that a change must keep: elements with the vertices of the state, sides exactly those of the elements.
void checkTables(const Run& r)
{
    const StoredTopology& t = r.mesh();
    REQUIRE(t.nbPoints() == r.state().size());
    REQUIRE(t.d_position.value().size() == r.state().size());
    std::set<Edge> edges;
    const auto expect = [&](const Vector<Edge>& all) {
        for (const Edge& e : all) edges.insert(sortedVertices(e));
    };
    if (t.tetrahedra().empty())
        expect(edgesOf(t.triangles(), {}));
    else
        expect(edgesOf(t.tetrahedra(), Vector<Hexahedron>()));
    std::set<Edge> there;
    for (const Edge& e : t.edges()) there.insert(sortedVertices(e));
    CHECK(there == edges);
    CHECK(t.edges().size() == edges.size());
    if (t.tetrahedra().empty()) return;
    std::set<Triangle> faces, listed;
    for (const Triangle& f : trianglesOf(t.tetrahedra())) faces.insert(sortedVertices(f));
    for (const Triangle& f : t.triangles()) listed.insert(sortedVertices(f));
    CHECK(listed == faces);
    CHECK(t.triangles().size() == faces.size());
}

double volumeOf(const Run& r)
{
    double sum = 0.;
    for (const Tetrahedron& t : r.mesh().tetrahedra()) {
        const auto& x = r.state().read(vec_id::restPosition);
        sum += dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]) / 6.;
    }
    return sum;
}

}  // namespace

TEST_CASE("Points go with their last element, and the body is one of the mesh that is left")
{
    for (const ElementType type : {ElementType::Tetrahedra, ElementType::Triangles}) {
        const Body b = changing(type);
        INFO(b.name);
        Run run(withName(textOf(b, allOf(b))));
        run.steps(4);
        // All elements around a point that is not fixed.
        const Index corner = type == ElementType::Tetrahedra ? 26 : 24;
        const auto around = type == ElementType::Tetrahedra ? run.mesh().tetrahedraAroundVertex(corner)
                                                            : run.mesh().trianglesAroundVertex(corner);
        const Index before = run.state().size();
        removeElements(run.mesh(), type, {around.begin(), around.end()});
        CHECK(run.state().size() < before);
        CHECK(run.state().findData("size")->text() == std::to_string(run.state().size()));
        checkTables(run);
        const Run fresh(withName(textNow(b, run)));
        fresh.take(run);
        const auto* mass = run.body().get<Mass<Vec3Types>>(Search::Local);
        const auto* expected = fresh.body().get<Mass<Vec3Types>>(Search::Local);
        for (Index i = 0; i < run.state().size(); ++i) CHECK(mass->pointMass(i) == Approx(expected->pointMass(i)));
        run.steps(3);
        fresh.simulation->step();
        fresh.simulation->step();
        fresh.simulation->step();
        CHECK(difference(moved(run), moved(fresh)) < 1e-12);
        run.simulation->reset();
        CHECK(run.state().size() == before);
        CHECK_FALSE(run.mesh().isEdited());
    }
}

TEST_CASE("A split conserves volume, mass and momentum, and a reset undoes it to the bit")
{
    const Body b = changing(ElementType::Tetrahedra);
    Run run(withName(textOf(b, allOf(b))));
    run.steps(6);
    const Vector<Vec3> after = moved(run);
    run.simulation->reset();
    run.steps(3);
    const double volume = volumeOf(run), mass = totalMass(run);
    for (const Index e : {0u, 7u, 20u}) splitAtCentre(run.mesh(), ElementType::Tetrahedra, e);
    checkTables(run);
    CHECK(run.mesh().tetrahedra().size() == 48 + 9);
    CHECK(run.state().size() == 27 + 3);
    CHECK(volumeOf(run) == Approx(volume).epsilon(1e-12));
    CHECK(totalMass(run) == Approx(mass).epsilon(1e-12));
    const Run fresh(withName(textNow(b, run)));
    fresh.take(run);
    run.steps(3);
    for (int k = 0; k < 3; ++k) fresh.simulation->step();
    CHECK(difference(moved(run), moved(fresh)) < 1e-12);
    run.simulation->reset();
    run.steps(6);
    CHECK(moved(run) == after);
}

TEST_CASE("New elements take the values of their ancestors")
{
    Body b = changing(ElementType::Tetrahedra);
    b.forces = heterogeneous("TetrahedronFEMForceField");
    Run run(textOf(b, allOf(b)));
    run.steps(1);
    const auto moduli = [&] {
        for (const auto& c : run.body().components())
            if (auto* d = c->findData("youngModulus")) return static_cast<Data<Vector<double>>*>(d)->value();
        return Vector<double>();
    };
    const Vector<double> before = moduli();
    TopologyTransaction change(run.mesh());
    const Tetrahedron t = run.mesh().tetrahedra()[3];
    const Index p = change.addPoints({{{t[0], 0.25}, {t[1], 0.75}}});
    const Index e = change.add(ElementType::Tetrahedra, Tetrahedron{p, t[1], t[2], t[3]}, {{{3, 0.25}, {9, 0.75}}});
    change.remove(ElementType::Tetrahedra, {0});
    change.commit();
    const Vector<double> now = moduli();
    REQUIRE(now.size() == 48);
    CHECK(e == 48);
    CHECK(now[0] == Approx(0.25 * before[3] + 0.75 * before[9]));  // the new one took the place of element 0
    CHECK(now[47] == before[47]);
}

TEST_CASE("What is taken back leaves nothing behind")
{
    const Body b = changing(ElementType::Tetrahedra);
    Run run(withName(textOf(b, allOf(b)))), other(withName(textOf(b, allOf(b))));
    run.steps(3);
    other.steps(3);
    StoredTopology& t = run.mesh();
    const auto edges = t.edges();
    const auto tetrahedra = t.tetrahedra();
    {
        TopologyTransaction change(t);
        const Index p = change.addPoints({{{0, 0.5}, {1, 0.5}}});
        change.add(ElementType::Tetrahedra, Tetrahedron{p, 1, 3, 6});
        change.remove(ElementType::Tetrahedra, {0, 5, 40});
        Vector<Index> now(t.nbPoints());
        for (Index i = 0; i < now.size(); ++i) now[i] = static_cast<Index>(now.size()) - 1 - i;
        change.renumberPoints(now);
        change.movePoints({2, 5}, {{{0, 1.}}, {{1, 0.5}, {3, 0.5}}});
        CHECK_THROWS_WITH(change.remove(ElementType::Triangles, {0}), Catch::Contains("is a side of tetrahedron"));
        CHECK_THROWS_WITH(change.removePoints({0}), Catch::Contains("belongs to"));
        CHECK_THROWS_WITH(change.add(ElementType::Tetrahedra, Tetrahedron{0, 1, 2, 2}), Catch::Contains("twice"));
        CHECK_THROWS_WITH(change.add(ElementType::Tetrahedra, Tetrahedron{0, 1, 2, 99}), Catch::Contains("point 99"));
        CHECK_THROWS_WITH(change.renumberPoints({0, 0}), Catch::Contains("no permutation"));
    }
    CHECK(t.edges() == edges);
    CHECK(t.tetrahedra() == tetrahedra);
    CHECK_FALSE(t.isEdited());
    CHECK_FALSE(run.state().hasChangedPoints());
    run.steps(3);
    other.steps(3);
    CHECK(sameState(run, other));
}

TEST_CASE("A change of points continues from a checkpoint to the bit")
{
    const sofa::test::TemporaryDirectory folder;
    const auto file = (folder / "points.bin").string();
    const Body b = changing(ElementType::Tetrahedra);
    const std::string text = withName(textOf(b, allOf(b)));
    Run run(text);
    run.steps(3);
    splitAtCentre(run.mesh(), ElementType::Tetrahedra, 4);
    run.steps(2);
    const auto around = run.mesh().tetrahedraAroundVertex(26);
    removeElements(run.mesh(), ElementType::Tetrahedra, {around.begin(), around.end()});
    run.steps(1);
    saveCheckpoint(*run.simulation, file);
    run.steps(4);
    for (const unsigned threads : {1u, 3u}) {
        setThreadCount(threads);
        Run again(text);
        loadCheckpoint(*again.simulation, file);
        again.steps(4);
        CHECK(sameState(run, again));
        again.simulation->reset();
        CHECK(again.state().size() == 27);
    }
    setThreadCount(1);
}

TEST_CASE("What cannot follow points is named")
{
    Body b = changing(ElementType::Tetrahedra);
    b.forces = always(
        "<TetrahedronFEMForceField youngModulus='5000'/><DiagonalVelocityDampingForceField name='follower' "
        "dampingCoefficient='1 1 1 2 2 2'/>");
    Run run(textOf(b, allOf(b)));
    run.steps(1);
    const auto around = run.mesh().tetrahedraAroundVertex(26);
    CHECK_THROWS_WITH(removeElements(run.mesh(), ElementType::Tetrahedra, {around.begin(), around.end()}),
                      Catch::Contains("follower"));
    CHECK(run.mesh().tetrahedra().size() == 48);
    CHECK(run.state().size() == 27);

    Body without = soft();
    Run fixed(textOf(without, allOf(without)));
    TopologyTransaction change(fixed.mesh());
    CHECK_THROWS_WITH(change.addPoints({{{0, 1.}}}), Catch::Contains("there is no topology modifier in its node"));
}

TEST_CASE("Random changes: tables stay those of the elements, and the body moves as a new one would")
{
    for (const ElementType type : {ElementType::Tetrahedra, ElementType::Triangles}) {
        const Body b = changing(type);
        INFO(b.name);
        Run run(withName(textOf(b, allOf(b))));
        std::mt19937 random(7);  // NOLINT: the same numbers each time
        int changes = 0;
        for (int round = 0; round < 12; ++round) {
            for (int k = 0; k < 3; ++k) {
                const std::size_t n =
                    type == ElementType::Tetrahedra ? run.mesh().tetrahedra().size() : run.mesh().triangles().size();
                const auto e = static_cast<Index>(random() % n);
                if (random() % 3 == 0)
                    removeElements(run.mesh(), type, {e});
                else
                    splitAtCentre(run.mesh(), type, e);
                ++changes;
                checkTables(run);
            }
            const Run fresh(withName(textNow(b, run)));
            fresh.take(run);
            run.steps(1);
            fresh.simulation->step();
            CHECK(difference(moved(run), moved(fresh)) < 1e-10);
        }
        CHECK(changes == 36);
        run.simulation->reset();
        Run other(withName(textOf(b, allOf(b))));
        run.steps(2);
        other.steps(2);
        CHECK(sameState(run, other));
    }
}

}  // namespace transaction_test
