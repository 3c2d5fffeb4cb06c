// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/interaction/MouseSprings.h"
#include "core/interaction/MouseInteractor.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

using namespace sofa;
using namespace sofa::core;
using component::MouseConstraint;
using component::MouseSprings;

namespace {

const std::string corners = "0 0 0  1 0 0  1 0 1  0 0 1  0 1 0  1 1 0  1 1 1  0 1 1";
const std::string direct = "<SparseLDLSolver template='CompressedRowSparseMatrixd'/>";

/// A soft cube that stands on the floor, with its surface as a mapped mesh.
std::string cube(const std::string& more = "", const std::string& surfaceData = "")
{
    std::string edges;
    for (int i = 0; i < 8; ++i)
        for (int j = i + 1; j < 8; ++j) edges += std::to_string(i) + " " + std::to_string(j) + " ";
    return "<Node name='cube'><EulerImplicitSolver rayleighStiffness='0.05' rayleighMass='1'/>" + direct +
           "<MechanicalObject name='x' position='" + corners + "'/><UniformMass totalMass='1'/><MeshTopology edges='" +
           edges +
           "'/><MeshSpringForceField stiffness='200' damping='0'/><FixedProjectiveConstraint indices='0 1 2 3'/>" +
           more + "<Node name='surface'><MechanicalObject name='y' position='" + corners +
           "'/><MeshTopology quads='4 7 6 5  0 4 5 1  1 5 6 2  2 6 7 3  3 7 4 0'/><TriangleCollisionModel "
           "name='model' " +
           surfaceData + "/><IdentityMapping/></Node></Node>";
}

std::string ball(const std::string& more = "")
{
    return "<Node name='ball'><EulerImplicitSolver rayleighMass='4'/>" + direct +
           "<MechanicalObject name='x' template='Rigid3' position='4 1 0.5 0 0 0 1'/><UniformMass vertexMass='0.5 1 "
           "[0.1 0 0,0 0.1 0,0 0 0.1]'/><SphereCollisionModel template='Rigid3' radius='0.5'/>" +
           more + "</Node>";
}

struct Scene
{
    explicit Scene(const std::string& content, const std::string& gravity = "0 0 0")
        : root(
              loadSceneText("<Node name='root' dt='0.02' gravity='" + gravity + "'>" + content + "</Node>", "test.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    void steps(int n)
    {
        for (int k = 0; k < n; ++k) simulation->step();
    }
    Vec3 point(const std::string& node, Index i) const
    {
        return root->child(node)->get<BaseState>(Search::Local)->pointPosition(i);
    }
    std::string structure() const
    {
        std::string text;
        for (const Node* n : root->descendants(true)) {
            text += n->pathName() + ":";
            for (const auto& c : n->components()) text += " " + c->name() + "/" + c->className();
            text += "\n";
        }
        return text;
    }
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

const PickRay fromAbove{{0.25, 5., 0.5}, {0., -2., 0.}};

}  // namespace

TEST_CASE("a ray picks what it meets first, at the present positions, and changes no model")
{
    Scene s(cube() + ball());
    const auto top = pick(*s.root, fromAbove);
    REQUIRE(top);
    CHECK(top->model->node()->name() == "surface");
    CHECK(norm(top->point - Vec3{0.25, 1., 0.5}) < 1e-14);
    CHECK(top->distance == Approx(4.));
    CHECK(top->index < 2);  // of the first quad
    const auto side = pick(*s.root, {{4., 1., 5.}, {0., 0., -1.}});
    REQUIRE(side);
    CHECK(side->model->node()->name() == "ball");
    CHECK(norm(side->point - Vec3{4., 1., 1.}) < 1e-14);
    CHECK_FALSE(pick(*s.root, {{0.25, 5., 0.5}, {0., 1., 0.}}));
    CHECK_FALSE(pick(*s.root, {{0.25, 5., 0.5}, {}}));
    CHECK(top->model->size() == 0);  // no pipeline, so no boxes: picking made none
    // The nearer of two, also when the other is first in the scene.
    const auto through = pick(*s.root, {{9., 0.9, 0.5}, {-1., 0., 0.}});
    REQUIRE(through);
    CHECK(through->model->node()->name() == "ball");
    dynamic_cast<State<Rigid3Types>&>(*s.root->child("ball")->get<BaseState>(Search::Local))
        .write(vec_id::position)[0]
        .center = {4., 7., 0.5};
    CHECK(pick(*s.root, {{9., 0.9, 0.5}, {-1., 0., 0.}})->model->node()->name() == "surface");
}

TEST_CASE("points and lines are picked within a tolerance, points of states where there is no model")
{
    Scene s(
        "<Node name='a'><MechanicalObject position='0 0 0  2 0 0'/><MeshTopology edges='0 1'/>"
        "<LineCollisionModel/></Node><Node name='b'><MechanicalObject position='0 3 0'/><PointCollisionModel/></Node>"
        "<Node name='c'><MechanicalObject position='7 0 0  8 0 0'/></Node>");
    const auto at = [](double x, double y) { return PickRay{{x, y, 5.}, {0., 0., -1.}}; };
    CHECK_FALSE(pick(*s.root, at(1., 0.05), 0.01));
    const auto line = pick(*s.root, at(1., 0.05), 0.1);
    REQUIRE(line);
    CHECK(line->model->node()->name() == "a");
    CHECK(line->distance == Approx(5.));
    CHECK(pick(*s.root, at(-0.05, 0.05), 0.1)->model->node()->name() == "a");
    CHECK(pick(*s.root, at(0.05, 3.), 0.1)->model->node()->name() == "b");
    const auto point = pick(*s.root, at(8.02, 0.), 0.1);
    REQUIRE(point);
    CHECK(point->model == nullptr);
    CHECK(point->index == 1);
    CHECK(point->state->node()->name() == "c");
}

TEST_CASE("a ray picks capsules, cylinders and boxes where it enters them")
{
    const auto distance = [](const std::string& model, const PickRay& ray) {
        Scene s("<Node name='a'><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/>" + model + "</Node>");
        const auto hit = pick(*s.root, ray);
        if (hit) CHECK(norm(hit->point - ray.at(hit->distance)) < 1e-12);
        return hit ? hit->distance : -1.;
    };
    // Axes of capsules and cylinders are along y; boxes have half lengths of sides.
    const std::string capsule = "<CapsuleCollisionModel template='Rigid3' radii='0.5' heights='2'/>",
                      cylinder = "<CylinderCollisionModel template='Rigid3' radii='0.5' heights='2'/>",
                      box = "<OBBCollisionModel template='Rigid3' extents='1 2 3'/>";
    const PickRay fromX{{5., 0.3, 0.}, {-1., 0., 0.}}, fromY{{0., 5., 0.}, {0., -3., 0.}},
        past{{5., 2.1, 0.}, {-1., 0., 0.}};
    CHECK(distance(capsule, fromX) == Approx(4.5));
    CHECK(distance(capsule, fromY) == Approx(3.5));
    CHECK(distance(capsule, past) == -1.);
    CHECK(distance(cylinder, fromX) == Approx(4.5));
    CHECK(distance(cylinder, fromY) == Approx(4.));
    CHECK(distance(box, fromX) == Approx(4.));
    CHECK(distance(box, fromY) == Approx(3.));
    CHECK(distance(box, past) == -1.);
    // Slanted, to the round end of the capsule: the sphere of radius 1/2 around (0, 1, 0).
    CHECK(distance(capsule, {{3., 4., 0.}, {-1., -1., 0.}}) == Approx(3. * std::sqrt(2.) - 0.5));
}

TEST_CASE("a soft body is pulled by a spring, and comes back when it is let go")
{
    for (const auto button : {MouseButton::Left, MouseButton::Middle}) {
        Scene s("<DefaultAnimationLoop/>" + cube());
        const std::string before = s.structure();
        MouseInteractor mouse(*s.root);
        REQUIRE(mouse.press(button, fromAbove));
        CHECK(mouse.isActive());
        s.steps(20);
        CHECK(norm(s.point("cube", 4) - Vec3{0., 1., 0.}) < 1e-12);  // the mouse did not move
        mouse.move({{0.25, 5.5, 0.5}, {0., -1., 0.}});
        s.steps(400);
        // The corners of the picked triangle rise by part of it; the spring has the rest.
        const double rise = s.point("cube", 4)[1] - 1.;
        CHECK(rise > 0.05);
        CHECK(rise < 0.5);
        CHECK(s.point("cube", 0) == Vec3{});
        mouse.release();
        CHECK_FALSE(mouse.isActive());
        CHECK(s.structure() == before);
        s.steps(800);
        for (Index i = 4; i < 8; ++i) CHECK(s.point("cube", i)[1] == Approx(1.).margin(1e-6));
    }
}

TEST_CASE("a rigid body is drawn to the mouse by the place at which it was taken")
{
    Scene s("<DefaultAnimationLoop/>" + ball());
    MouseInteractor mouse(*s.root);
    REQUIRE(mouse.press(MouseButton::Left, {{4., 9., 0.5}, {0., -1., 0.}}));
    mouse.move({{6., 9., 0.5}, {0., -1., 0.}});
    s.steps(1500);
    const auto& x =
        dynamic_cast<State<Rigid3Types>&>(*s.root->child("ball")->get<BaseState>(Search::Local)).positions()[0];
    CHECK(norm(x.center + x.orientation.rotate(Vec3{0., 0.5, 0.}) - Vec3{6., 1.5, 0.5}) < 1e-6);
}

TEST_CASE("a constraint holds the picked place at the mouse in every step")
{
    for (const bool soft : {true, false}) {
        Scene s("<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver tolerance='1e-12' maxIterations='1000'/>" +
                    cube("<LinearSolverConstraintCorrection/>") + ball("<UncoupledConstraintCorrection/>") +
                    "<ConstraintAttachButtonSetting button='Left'/>",
                "0 -9.81 0");
        const std::string before = s.structure();
        MouseInteractor mouse(*s.root);
        CHECK(mouse.binding(MouseButton::Left).performer == "ConstraintAttachBody");
        const double x = soft ? 0.25 : 4., surface = soft ? 1. : 1.5;
        REQUIRE(mouse.press(MouseButton::Left, {{x, 5., 0.5}, {0., -1., 0.}}));
        const auto picked = *mouse.picked();
        CHECK(picked.point[1] == Approx(surface));
        for (int k = 1; k <= 50; ++k) {
            const double y = 5. + 0.004 * k;
            mouse.move({{x, y, 0.5}, {0., -1., 0.}});
            s.steps(1);
            const Vec3 target{x, surface + 0.004 * k, 0.5};
            Vec3 place;
            if (soft) {
                // In the plane of the picked triangle, with its weights at rest.
                const auto v = picked.model->vertices(picked.index);
                for (const Index i : v) {
                    const Vec3 corner{i == 5 || i == 6 ? 1. : 0., 1., i == 6 || i == 7 ? 1. : 0.};
                    // Weight: 1 at its corner, 0 at the two others, linear in between.
                    Vec3 others[2];
                    int n = 0;
                    for (const Index j : v)
                        if (j != i) others[n++] = {j == 5 || j == 6 ? 1. : 0., 1., j == 6 || j == 7 ? 1. : 0.};
                    const auto area = [](const Vec3& a, const Vec3& b, const Vec3& c) {
                        return cross(b - a, c - a)[1];
                    };
                    const double w = area(picked.point, others[0], others[1]) / area(corner, others[0], others[1]);
                    place += s.point("cube", i) * w;
                }
            } else {
                const auto& frame =
                    dynamic_cast<State<Rigid3Types>&>(*s.root->child("ball")->get<BaseState>(Search::Local))
                        .positions()[0];
                place = frame.center + frame.orientation.rotate(Vec3{0., 0.5, 0.});
            }
            CHECK(norm(place - target) < (soft ? 1e-9 : 1e-3));  // a rotation is held to second order
        }
        mouse.release();
        CHECK(s.structure() == before);
        s.steps(5);
    }
}

TEST_CASE("what is fixed stays when the button is released, until it is taken back")
{
    Scene s("<DefaultAnimationLoop/>" + ball() + "<Node name='cloth'><EulerImplicitSolver/>" + direct +
                "<MechanicalObject position='0 0 0  1 0 0  0 0 1'/><UniformMass vertexMass='0.01'/><MeshTopology "
                "triangles='0 2 1'/><TriangleCollisionModel/></Node>",
            "0 -10 0");
    MouseInteractor mouse(*s.root);
    REQUIRE(mouse.press(MouseButton::Right, {{0.2, 5., 0.2}, {0., -1., 0.}}));
    mouse.move({{0.2, 9., 0.2}, {0., -1., 0.}});
    mouse.release();
    s.steps(300);
    // Each corner hangs on a third of the stiffness.
    for (Index i = 0; i < 3; ++i) CHECK(s.point("cloth", i)[1] == Approx(-0.01 * 10. / (1e4 / 3.)).epsilon(1e-2));
    CHECK(s.point("ball", 0)[1] < -10.);  // the ball fell
    mouse.releaseAll();
    s.steps(50);
    CHECK(s.point("cloth", 0)[1] < -1.);
}

TEST_CASE("buttons do what the settings of the scene say, and what cannot be done has a reason")
{
    Scene s(
        "<DefaultAnimationLoop/>" + cube("", "simulated='0'") +
        "<AttachBodyButtonSetting button='Right' stiffness='5000'/><FixPickedParticleButtonSetting button='Left'/>");
    MouseInteractor mouse(*s.root);
    CHECK(mouse.binding(MouseButton::Right).performer == "AttachBody");
    CHECK(mouse.binding(MouseButton::Right).settings.stiffness == 5000.);
    CHECK(mouse.binding(MouseButton::Left).performer == "FixParticle");
    CHECK(mouse.binding(MouseButton::Left).settings.stiffness == 10000.);
    const std::string before = s.structure();
    for (const auto button : {MouseButton::Left, MouseButton::Right}) {
        CHECK_FALSE(mouse.press(button, fromAbove));
        CHECK_THAT(mouse.reason(), Catch::Contains("nothing moves '/cube/surface/model'"));
    }
    CHECK_FALSE(mouse.press(MouseButton::Left, {{50., 5., 0.}, {0., -1., 0.}}));
    CHECK_THAT(mouse.reason(), Catch::Contains("nothing under the mouse"));
    mouse.bind(MouseButton::Left, {"ConstraintAttachBody", {}});
    CHECK_FALSE(mouse.press(MouseButton::Left, fromAbove));
    CHECK_THAT(mouse.reason(), Catch::Contains("FreeMotionAnimationLoop"));
    mouse.bind(MouseButton::Left, {"Juggle", {}});
    CHECK_FALSE(mouse.press(MouseButton::Left, fromAbove));
    CHECK_THAT(mouse.reason(), Catch::Contains("'Juggle'") && Catch::Contains("AttachBody, "));
    CHECK(s.structure() == before);
}

TEST_CASE("springs of the mouse obey the laws of force fields")
{
    Node root;
    test::addState<Vec3Types>(root, {{0., 0., 0.}, {1., 0., 0.}, {0., 2., 0.}});
    auto force = std::make_shared<MouseSprings>();
    root.addComponent(force);
    force->springs = {{0, {0.1, 0.2, 0.3}, 40.}, {2, {0., -1., 5.}, 7.}};
    REQUIRE(test::initialise(root));
    test::checkForceField(*force, {.displacement = 0.1});
}

TEST_CASE("an anchor follows the mouse as a critically damped oscillator, whatever the step")
{
    const auto after = [](double h, int n) {
        MouseSprings s;
        s.springs = {{0, {}, 1.}};
        s.follow({1., -2., 0.}, 0.1);
        for (int k = 0; k < n; ++k) s.handleEvent(AnimateBeginEvent(h));
        return s.springs[0].anchor;
    };
    // a(t) = T (1 − (1 + t/τ) e^{−t/τ}) from rest at the origin.
    const double part = 1. - (1. + 3.) * std::exp(-3.);
    for (const auto& [h, n] : {std::pair(0.3, 1), std::pair(0.03, 10), std::pair(0.001, 300)})
        CHECK(norm(after(h, n) - Vec3{part, -2. * part, 0.}) < 1e-13);
}
