// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/CubeTopology.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/objectmodel/Node.h"
#include "tests/components/topology/RemovalScene.h"

namespace cube_topology_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

std::string scene(const std::string& topology)
{
    return "<Node name='root'><Node name='body'><" + topology + "/><MechanicalObject/></Node></Node>";
}

/// Volume that the quads enclose [m³], positive if they are turned outwards.
double volume(const StoredTopology& t)
{
    double sum = 0.;
    for (const Quad& q : t.quads())
        for (const Triangle& f : {Triangle{q[0], q[1], q[2]}, Triangle{q[0], q[2], q[3]}})
            sum += dot(t.pointPosition(f[0]), cross(t.pointPosition(f[1]), t.pointPosition(f[2]))) / 6.;
    return sum;
}

}  // namespace

TEST_CASE("The surface of a box: points, edges and quads turned outwards")
{
    const std::string box = "CubeTopology nx='4' ny='3' nz='5' min='1 2 3' max='4 6 11' ";
    const Run shared(scene(box)), inside(scene(box + "internalPoints='1'")), split(scene(box + "splitNormals='1'"));
    CHECK(shared.mesh().nbPoints() == 4 * 3 * 5 - 2 * 1 * 3);
    CHECK(inside.mesh().nbPoints() == 4 * 3 * 5);
    CHECK(split.mesh().nbPoints() == 2 * (4 * 3 + 3 * 5 + 4 * 5));
    for (const Run* r : {&shared, &inside, &split}) {
        const StoredTopology& t = r->mesh();
        CHECK(t.quads().size() == 2 * (3 * 2 + 2 * 4 + 3 * 4));
        CHECK(volume(t) == Approx(3. * 4. * 8.));
        for (const Quad& q : t.quads()) {
            const Vec3 n =
                cross(t.pointPosition(q[1]) - t.pointPosition(q[0]), t.pointPosition(q[3]) - t.pointPosition(q[0]));
            const Vec3 x = (t.pointPosition(q[0]) + t.pointPosition(q[2])) * 0.5;
            CHECK(dot(n, x - Vec3{2.5, 4., 7.}) > 0.);
        }
        std::set<Edge> edges;
        for (const Edge& e : t.edges()) edges.insert(e);
        CHECK(edges.size() == t.edges().size());
        for (Index i = 0; i < t.nbPoints(); ++i) CHECK(r->state().pointPosition(i) == t.pointPosition(i));
    }
    // Euler: V - E + F = 2.
    CHECK(shared.mesh().nbPoints() + shared.mesh().quads().size() == shared.mesh().edges().size() + 2);
    CHECK(shared.mesh().quads().front() == Quad{0, 4, 5, 1});
    CHECK(shared.mesh().pointPosition(13) == Vec3{2., 2., 11.});
    CHECK(split.mesh().quads().front() == Quad{35, 39, 40, 36});
    CHECK(inside.mesh().pointPosition(17) == Vec3{2., 4., 5.});
}

TEST_CASE("A sphere of quads has its points at one distance")
{
    const Run r(scene("SphereQuadTopology nx='9' ny='9' nz='9' center='1 2 3' radius='2'"));
    for (Index i = 0; i < r.mesh().nbPoints(); ++i)
        CHECK(norm(r.mesh().pointPosition(i) - Vec3{1., 2., 3.}) == Approx(2.));
    CHECK(volume(r.mesh()) == Approx(4. / 3. * 3.14159265 * 8.).epsilon(0.06));
}

TEST_CASE("A box changes as other meshes do")
{
    Run r(scene("CubeTopology nx='3' ny='3' nz='3'"));
    removeElements(r.mesh(), ElementType::Quads, {0, 5});
    CHECK(r.mesh().quads().size() == 22);
    r.simulation->reset();
    CHECK(r.mesh().quads().size() == 24);
}

TEST_CASE("Boxes and spheres that cannot be are told")
{
    MessageCapture messages;
    const auto fails = [&](const std::string& topology, const std::string& expected) {
        auto root = loadSceneText(scene(topology), "cube.scn");
        REQUIRE(root);
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        CHECK(messages.has(Severity::Error, expected));
    };
    fails("CubeTopology nx='3' ny='1' nz='3'", "ny: expected 2 to 4096 points, not 1");
    fails("CubeTopology nx='3' ny='3' nz='3' max='1 0 1'", "must be below max (1 0 1)");
    fails("SphereQuadTopology nx='3' ny='3' nz='3'", "radius: it needs a radius above zero");
}

}  // namespace cube_topology_test
