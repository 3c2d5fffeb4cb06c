// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/DrawCheck.h"

namespace component_drawing_test {

using namespace sofa;
using namespace sofa::core;

/// What components draw of themselves: places, colours and numbers.
namespace {

struct Scene
{
    explicit Scene(const std::string& content, int steps = 0)
        : root(loadSceneText(
              "<Node name='root' gravity='0 -10 0' dt='0.01'><DefaultAnimationLoop/>" + content + "</Node>",
              "drawing.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
        for (int k = 0; k < steps; ++k) simulation->step();
    }
    Component& find(const std::string& name) const
    {
        for (Node* n : root->descendants())
            for (const auto& c : n->components())
                if (c->name() == name) return *c;
        FAIL("there is no " + name);
        throw 0;
    }
    test::Drawing draw(const std::string& name, const std::string& flags) const
    {
        return test::Drawing(find(name), flags);
    }

    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

const std::string tetrahedron =
    "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  0 0 1'/>"
    "<MeshTopology name='mesh' tetrahedra='0 1 2 3'/>";

bool near(const Vec3f& a, const Vec3& b) { return norm(Vec3(a) - b) < 1e-6; }

}  // namespace

TEST_CASE("A state shows its points, spheres, frames, indices and velocities", "[visual]")
{
    const std::string positions = "position='1 2 3  4 5 6' ";
    const auto with = [&](const std::string& more) {
        return Scene("<MechanicalObject name='x' " + positions + more + "/>").draw("x", "showAll");
    };
    CHECK(with("").size() == 0);
    const auto points = with("showObject='1' showObjectScale='7' showColor='1 0 0 1'");
    REQUIRE(points.points == 2);
    CHECK(points.style(0).size == 7.f);
    CHECK(points.style(0).color == Color(1.f, 0.f, 0.f));
    CHECK(near(points.geometry(0).positions[1], {4., 5., 6.}));
    const auto spheres = with("showObject='1' showObjectScale='0.5' drawMode='3'");
    REQUIRE(spheres.solids == 2);
    CHECK(spheres.geometry(0).solids[0].axes[0] == 0.5f);
    CHECK(spheres.geometry(0).solids[0].color == Color(0.f, 1.f, 0.f));
    const auto indices = with("showIndices='1'");
    REQUIRE(indices.labels == 2);
    CHECK(indices.geometry(0).labels[1].text == "1");
    const auto velocities = with("velocity='1 0 0  0 2 0' showVectors='1' showVectorsScale='0.5'");
    REQUIRE(velocities.lines == 2);
    CHECK(near(velocities.geometry(0).positions[3], {4., 6., 6.}));
    CHECK(with("velocity='1 0 0  0 2 0' showVectors='1' drawMode='2'").solids == 4);

    Scene rigid(
        "<MechanicalObject template='Rigid3' name='x' position='1 0 0 0 0 0 1' showObject='1' "
        "showObjectScale='2'/>");
    const auto frames = rigid.draw("x", "showAll");
    CHECK(frames.solids == 6);  // three shafts, three heads
}

TEST_CASE("Springs are shown by the flags of their kind and by their strain", "[visual]")
{
    const Scene inside(
        "<MechanicalObject position='0 0 0  1 0 0  3 0 0'/>"
        "<SpringForceField name='s' spring='0 1 10 0 2  1 2 10 0 1'/>");
    CHECK(inside.draw("s", "hideAll showInteractionForceFields").size() == 0);
    const auto d = inside.draw("s", "hideAll showForceFields");
    REQUIRE(d.lines == 2);
    REQUIRE(d.size() == 2);
    CHECK(d.style(0).color == Color(1.f, 0.5f, 0.f));  // shorter than at rest
    CHECK(d.style(1).color == Color(0.f, 1.f, 0.5f));
    CHECK(near(d.geometry(1).positions[1], {3., 0., 0.}));
    const Scene cylinders(
        "<MechanicalObject position='0 0 0  1 0 0'/>"
        "<SpringForceField name='s' spring='0 1 10 0 1' drawMode='1' showArrowSize='0.1'/>");
    CHECK(cylinders.draw("s", "showAll").solids == 1);
    const Scene rest(
        "<MechanicalObject position='1 0 0  2 0 0' rest_position='1 1 0  2 1 0'/>"
        "<RestShapeSpringsForceField name='s' points='1' drawSpring='1' springColor='1 1 0 1'/>");
    const auto r = rest.draw("s", "showForceFields");
    REQUIRE(r.lines == 1);
    CHECK(r.style(0).color == Color(1.f, 1.f, 0.f));
    CHECK(near(r.geometry(0).positions[1], {2., 1., 0.}));
}

TEST_CASE("Finite elements show faces, shrunk as asked for, and their stress", "[visual]")
{
    const auto scene = [&](const std::string& more) {
        return Scene("<EulerExplicitSolver/>" + tetrahedron +
                         "<UniformMass/><TetrahedronFEMForceField name='fem' method='large' " + more + "/>",
                     1);
    };
    const Scene plain = scene("");
    CHECK(plain.draw("fem", "hideAll").size() == 0);
    const auto d = plain.draw("fem", "showForceFields");
    CHECK(d.triangles == 4);
    REQUIRE(d.size() == 4);
    CHECK(d.style(0).color == Color(0.f, 0.f, 1.f));
    CHECK_FALSE(d.style(0).lit);
    const Scene stressed = scene("computeVonMisesStress='2' showVonMisesStressPerElement='1'");
    const auto s = stressed.draw("fem", "showForceFields");
    REQUIRE(s.size() == 1);
    CHECK(s.geometry(0).colors.size() == 4);
    const Scene nodes = scene("computeVonMisesStress='2' showVonMisesStressPerNode='1'");
    CHECK(nodes.draw("fem", "showForceFields").points == 4);
    // Frames of the rotations: three arrows at each point.
    CHECK(plain.draw("fem", "showForceFields showNormals").solids == 4 * 6);
}

TEST_CASE("Loads are arrows, planes and spheres", "[visual]")
{
    const Scene scene(
        "<MechanicalObject position='0 0 0  1 0 0'/>"
        "<ConstantForceField name='c' indices='1' forces='0 4 0' showArrowSize='0.5'/>"
        "<PlaneForceField name='p' normal='0 1 0' d='1' showPlane='1' showPlaneSize='2'/>"
        "<SphereForceField name='s' center='5 0 0' radius='2'/>");
    const auto arrows = scene.draw("c", "showForceFields");
    REQUIRE(arrows.solids == 2);
    CHECK(near(arrows.geometry(0).solids[0].center, {1., 0., 0.}));
    CHECK(near(arrows.geometry(1).solids[0].center, {1., 1.6, 0.}));  // the head takes a fifth
    const auto plane = scene.draw("p", "showForceFields");
    CHECK(plane.triangles == 2);
    CHECK(plane.lines == 2);  // both points are behind it
    CHECK(plane.style(0).color[3] == 0.5f);
    for (const Vec3f& p : plane.geometry(0).positions) CHECK(p[1] == Approx(1.));
    CHECK(scene.draw("s", "showForceFields").solids == 1);
    CHECK(scene.draw("s", "hideAll").size() == 0);
}

TEST_CASE("A turning box is six sides, seen from outside", "[visual]")
{
    const Scene scene(
        "<MechanicalObject position='0 0 0  1 0 0'/>"
        "<WashingMachineForceField name='w' center='0 0 0' size='1 2 4'/>");
    CHECK(scene.draw("w", "hideAll").size() == 0);
    const auto d = scene.draw("w", "showForceFields");
    CHECK(d.triangles == 12);
    CHECK(d.lines == 1);  // one point is outside
    REQUIRE(d.size() == 7);
    CHECK(near(d.geometry(0).positions[1], {0.5, 0., 0.}));
    for (std::size_t side = 1; side < 7; ++side) {
        CHECK(d.style(side).color[3] == 0.5f);
        const Geometry& g = d.geometry(side);
        for (const Triangle& t : g.triangles) {
            const Vec3f a = g.positions[t[0]], normal = cross(g.positions[t[1]] - a, g.positions[t[2]] - a);
            CHECK(dot(normal, a) > 0.f);
        }
    }
}

TEST_CASE("Constraints show their points", "[visual]")
{
    const Scene scene(tetrahedron +
                      "<FixedProjectiveConstraint name='f' indices='1 3'/>"
                      "<FixedProjectiveConstraint name='all' fixAll='1' drawSize='0.2'/>"
                      "<FixedProjectiveConstraint name='hidden' indices='1' showObject='0'/>");
    const auto d = scene.draw("f", "showBehaviorModels");
    REQUIRE(d.points == 2);
    CHECK(d.style(0).color == Color(1.f, 0.5f, 0.5f));
    CHECK(near(d.geometry(0).positions[0], {1., 0., 0.}));
    const auto all = scene.draw("all", "showBehaviorModels");
    REQUIRE(all.solids == 4);
    CHECK(all.geometry(0).solids[0].axes[0] == 0.2f);
    CHECK(scene.draw("hidden", "showBehaviorModels").size() == 0);
    CHECK(scene.draw("f", "hideAll").size() == 0);
}

TEST_CASE("Mappings show what follows what", "[visual]")
{
    const Scene scene(
        "<MechanicalObject template='Rigid3' position='1 0 0 0 0 0 1'/><Node name='child'>"
        "<MechanicalObject position='0 1 0  0 2 0'/><RigidMapping name='m'/></Node>");
    CHECK(scene.draw("m", "hideAll").size() == 0);
    const auto d = scene.draw("m", "showMappings");
    CHECK(d.points == 2);
    REQUIRE(d.lines == 2);
    CHECK(near(d.geometry(1).positions[0], {1., 0., 0.}));
    CHECK(near(d.geometry(1).positions[1], {1., 1., 0.}));
    CHECK(scene.draw("m", "showMechanicalMappings").points == 2);
}

TEST_CASE("Collision models show their primitives and the boxes of their hierarchy", "[visual]")
{
    const Scene scene(
        "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><DiscreteIntersection/>"
        "<CollisionResponse response='PenalityContactForceField'/>"
        "<Node name='mesh'>"
        "<MechanicalObject position='0 0 0  1 0 0  0 1 0  1 1 0'/>"
        "<MeshTopology triangles='0 1 2  2 1 3' edges='0 1 1 2'/>"
        "<TriangleCollisionModel name='t' color='0 1 0 1'/><LineCollisionModel name='l'/>"
        "<PointCollisionModel name='p'/></Node>"
        "<Node name='balls'><MechanicalObject position='5 0 0  9 0 0'/>"
        "<SphereCollisionModel name='s' radius='0.5'/></Node>"
        "<Node name='solids'><MechanicalObject template='Rigid3' position='0 5 0 0 0 0 1'/>"
        "<OBBCollisionModel name='b' defaultExtent='0.3'/>"
        "<CapsuleCollisionModel name='c' defaultRadius='0.2' defaultHeight='1'/></Node>",
        1);
    CHECK(scene.draw("t", "hideAll").size() == 0);
    const auto t = scene.draw("t", "showCollisionModels");
    REQUIRE(t.size() == 2);  // the front, and the back by its edges
    CHECK(t.geometry(0).triangles.size() == 2);
    CHECK(t.style(0).color == Color(0.f, 1.f, 0.f));
    CHECK(t.style(0).cull == DrawStyle::Cull::Back);
    CHECK(t.style(1).wireframe);
    CHECK(scene.draw("t", "showCollisionModels showNormals").lines == 2);
    CHECK(scene.draw("l", "showCollisionModels").lines == 2);
    CHECK(scene.draw("p", "showCollisionModels").points == 4);
    const auto s = scene.draw("s", "showCollisionModels");
    REQUIRE(s.solids == 2);
    CHECK(near(s.geometry(0).solids[1].center, {9., 0., 0.}));
    CHECK(s.geometry(0).solids[1].axes[0] == 0.5f);
    const auto boxes = scene.draw("s", "hideAll showBoundingCollisionModels");
    CHECK(boxes.solids == 0);
    CHECK(boxes.lines == 3 * 12);  // one box of all, one of each sphere
    CHECK(boxes.style(1).color[3] == Approx(0.8));
    const auto b = scene.draw("b", "showCollisionModels");
    REQUIRE(b.solids == 1);
    CHECK(b.geometry(0).solid == Solid::Cube);
    CHECK(b.geometry(0).solids[0].axes[0] == Approx(0.3));
    CHECK(scene.draw("c", "showCollisionModels").solids == 3);  // a cylinder, two spheres
}

TEST_CASE("Contacts are shown with their normals", "[visual]")
{
    const Scene scene(
        "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/>"
        "<MinProximityIntersection alarmDistance='0.5' contactDistance='0.1'/>"
        "<CollisionResponse response='PenalityContactForceField'/>"
        "<Node name='a'><MechanicalObject position='0 0 0'/><SphereCollisionModel radius='0.5'/></Node>"
        "<Node name='b'><MechanicalObject position='1.2 0 0'/><SphereCollisionModel radius='0.5'/></Node>",
        1);
    const auto d = scene.draw("pipeline", "hideAll showDetectionOutputs");
    CHECK(d.lines == 1);
    CHECK(d.points == 2);
    CHECK(scene.draw("pipeline", "hideAll showDetectionOutputs showNormals").lines == 3);
    CHECK(scene.draw("pipeline", "hideAll").size() == 0);
}

TEST_CASE("Topologies and regions show their elements", "[visual]")
{
    const Scene scene(
        "<MechanicalObject position='0 0 0  1 0 0  0 1 0  0 0 1'/>"
        "<MeshTopology name='mesh' tetrahedra='0 1 2 3' drawTetrahedra='1' drawTriangles='1'/>"
        "<BoxROI name='roi' box='-1 -1 -1 2 2 0.5' drawBoxes='1' drawPoints='1' drawEdges='1' "
        "drawSize='4'/>");
    const auto mesh = scene.draw("mesh", "hideAll");
    CHECK(mesh.lines == 6);
    CHECK(mesh.triangles == 4);
    const auto roi = scene.draw("roi", "showBehaviorModels");
    CHECK(roi.lines == 12 + 3);
    CHECK(roi.points == 3);
    CHECK(roi.style(0).size == 4.f);
    CHECK(scene.draw("roi", "hideAll").size() == 0);
}

TEST_CASE("Masses show centres and the axes of bodies", "[visual]")
{
    const Scene scene(
        "<MechanicalObject template='Rigid3' position='1 0 0 0 0 0 1'/>"
        "<UniformMass name='m' vertexMass='2 1 [1 0 0, 0 1 0, 0 0 1]' showGravityCenter='1'/>");
    const auto d = scene.draw("m", "showBehaviorModels");
    CHECK(d.lines == 3 + 3);
    // A cube with these moments of inertia per mass has the side √6.
    const Geometry& axis = d.geometry(0);
    CHECK(norm(Vec3(axis.positions[1] - axis.positions[0])) == Approx(std::sqrt(6.)));
    CHECK(scene.draw("m", "hideAll").size() == 0);
}

}  // namespace component_drawing_test
