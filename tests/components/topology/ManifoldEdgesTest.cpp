// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/ManifoldEdges.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/log/Message.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

namespace manifold_edges_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// An open line of five points, a ring of four, and a point on no line.
std::string scene(const std::string& edges = "0 1 1 2 3 2 3 4 5 6 6 7 7 8 8 5")
{
    return "<Node name='root' dt='0.01'><DefaultAnimationLoop/><Node name='body'><EulerExplicitSolver/>"
           "<ManifoldEdgeSetTopologyContainer name='mesh' position='0 0 0 1 0 0 2 0 0 3 0 0 4 0 0 0 1 0 1 1 0 1 2 0 "
           "0 2 0 9 9 9' edges='" +
           edges +
           "'/><ManifoldEdgeSetTopologyModifier/><ManifoldEdgeSetGeometryAlgorithms name='measures'/>"
           "<MechanicalObject name='x'/><UniformMass vertexMass='1'/></Node></Node>";
}

ManifoldEdgeSetTopologyContainer& mesh(const Run& r)
{
    return dynamic_cast<ManifoldEdgeSetTopologyContainer&>(r.mesh());
}

const auto& measures(const Run& r)
{
    return *r.body().get<ManifoldEdgeSetGeometryAlgorithms<Vec3Types>>(Search::Local);
}

using Lists = Vector<Vector<Index>>;

Lists pointsOf(const ManifoldEdgeSetTopologyContainer& m)
{
    Lists all;
    for (const auto& l : m.lines()) all.push_back(l.points);
    return all;
}

/// The laws of lines, and that they are those of a container made anew.
void check(const Run& r)
{
    const auto& m = mesh(r);
    Index edges = 0;
    for (Index k = 0; k < m.lines().size(); ++k) {
        const auto& l = m.lines()[k];
        edges += static_cast<Index>(l.edges.size());
        REQUIRE(l.edges.size() + (l.closed ? 0 : 1) == l.points.size());
        for (std::size_t i = 0; i < l.edges.size(); ++i) {
            const Index a = l.points[i], b = l.points[(i + 1) % l.points.size()];
            CHECK(sortedVertices(m.edges()[l.edges[i]]) == sortedVertices(Edge{a, b}));
            CHECK(m.nextPoint(a) == b);
            CHECK(m.previousPoint(b) == a);
            CHECK(m.lineOfPoint(a) == k);
            CHECK(m.lineOfEdge(l.edges[i]) == k);
        }
        const Index least = *std::ranges::min_element(l.edges);
        const auto at = static_cast<std::size_t>(std::ranges::find(l.edges, least) - l.edges.begin());
        CHECK(l.points[at] == m.edges()[least][0]);
        if (!l.closed) CHECK(m.previousEdge(l.edges.front()) == InvalidIndex);
    }
    CHECK(edges == m.edges().size());
    CHECK(m.connectedParts() == m.lines().size());
}

}  // namespace

TEST_CASE("Edges form lines, open and closed, in order")
{
    const Run r(scene());
    const auto& m = mesh(r);
    CHECK(pointsOf(m) == Lists{{0, 1, 2, 3, 4}, {5, 6, 7, 8}});
    CHECK_FALSE(m.lines()[0].closed);
    CHECK(m.lines()[1].closed);
    CHECK(m.lines()[1].edges == Vector<Index>{4, 5, 6, 7});
    CHECK(m.nextPoint(8) == 5);
    CHECK(m.nextPoint(4) == InvalidIndex);
    CHECK(m.nextEdge(7) == 4);
    CHECK(m.lineOfPoint(9) == InvalidIndex);
    CHECK(m.lineOfPoint(99) == InvalidIndex);
    check(r);
    CHECK(pointsOf(mesh(Run(scene("2 1 2 3 0 1")))) == Lists{{3, 2, 1, 0}});
    CHECK(measures(r).lineLength(0) == Approx(4.));
    CHECK(measures(r).lineLength(1) == Approx(4.));
    CHECK(norm(measures(r).pointOnLine(0, 2.5) - Vec3{2.5, 0., 0.}) < 1e-14);
    CHECK(norm(measures(r).pointOnLine(0, 7.) - Vec3{4., 0., 0.}) < 1e-14);
    CHECK(norm(measures(r).pointOnLine(1, -0.25) - Vec3{0., 1.25, 0.}) < 1e-14);
    CHECK(norm(measures(r).pointOnLine(1, 5.5) - Vec3{1., 1.5, 0.}) < 1e-14);
    CHECK(norm(measures(r).tangent(0) - Vec3{1., 0., 0.}) < 1e-14);
    CHECK_THROWS_AS(measures(r).lineLength(2), std::out_of_range);
}

TEST_CASE("Meshes that are no lines are refused, with the place")
{
    const auto tells = [](const std::string& text, const std::string& expected) {
        const MessageCapture messages;
        auto root = loadSceneText(text, "lines.scn");
        REQUIRE(root);
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        return messages.has(Severity::Error, expected);
    };
    CHECK(tells(scene("0 1 1 2 1 3"), "edges: point 1 has 3 edges (0 1 2), on a line it has two at most"));
    CHECK(tells(scene("0 1 1 0"), "edges: edges 0 and 1 have the same points"));
    CHECK(tells(scene("0 1 3 3"), "edges: edge 1 has point 3 twice"));
    std::string other = scene();
    const std::string name = "ManifoldEdgeSetTopologyContainer";
    other.replace(other.find(name), name.size(), "EdgeSetTopologyContainer");
    CHECK(tells(other, "is no ManifoldEdgeSetTopologyContainer"));
}

TEST_CASE("A change that makes a fork is taken back, one that mends it is not")
{
    Run r(scene());
    const Vector<Edge> before = mesh(r).edges();
    {
        TopologyTransaction change(mesh(r));
        change.add(ElementType::Edges, std::array<Index, 2>{2, 9});
        CHECK_THROWS_WITH(change.commit(), Catch::Contains("point 2 has 3 edges") && Catch::Contains("/body/mesh"));
    }
    CHECK(mesh(r).edges() == before);
    CHECK(mesh(r).isValid());
    check(r);
    TopologyTransaction change(mesh(r));
    change.add(ElementType::Edges, std::array<Index, 2>{2, 9});
    change.remove(ElementType::Edges, {2});
    change.commit();
    check(r);
    CHECK(pointsOf(mesh(r)).size() == 3);
    r.simulation->reset();
    CHECK(mesh(r).edges() == before);
    check(r);
}

TEST_CASE("Lines stay lines in random changes, in checkpoints and after a reset")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    for (unsigned seed = 1; seed <= 5; ++seed) {
        Run r(scene()), again(scene());
        const Lists first = pointsOf(mesh(r));
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) { return static_cast<Index>(random() % n); };
        int refused = 0;
        for (int k = 0; k < 60; ++k) {
            const auto count = static_cast<Index>(mesh(r).edges().size());
            try {
                TopologyTransaction change(mesh(r));
                if (k % 3 == 0 && count > 3) {
                    change.remove(ElementType::Edges, {below(count)});
                } else if (k % 3 == 1) {  // divide an edge
                    const Index e = below(count);
                    const Edge v = mesh(r).edges()[e];
                    const Index p = change.addPoints({{{v[0], 0.5}, {v[1], 0.5}}});
                    change.add(ElementType::Edges, std::array{v[0], p, p, v[1]}, {{{e, 1.}}, {{e, 1.}}});
                    change.remove(ElementType::Edges, {e});
                } else {
                    const Index a = below(mesh(r).nbPoints()), b = below(mesh(r).nbPoints());
                    change.add(ElementType::Edges, std::array{a, b});
                }
                change.commit();
            } catch (const std::runtime_error&) {
                ++refused;
            }
            check(r);
        }
        CHECK(refused > 0);
        CHECK(refused < 60);
        saveCheckpoint(*r.simulation, file);
        loadCheckpoint(*again.simulation, file);
        CHECK(mesh(again).lines() == mesh(r).lines());
        r.simulation->reset();
        CHECK(pointsOf(mesh(r)) == first);
    }
}

}  // namespace manifold_edges_test
