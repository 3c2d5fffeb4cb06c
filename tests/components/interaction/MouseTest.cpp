// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/interaction/MouseSprings.h"
#include "core/interaction/MouseInteractor.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace mouse_test {

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
    CHECK(pickColliding(*s.root, at(0.05, 3.), 0.1)->model->node()->name() == "b");
    CHECK_FALSE(pickColliding(*s.root, at(8.02, 0.), 0.1));  // nothing collides there
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

TEST_CASE("one of several fixed points is released, and the others stay")
{
    const std::string cloth =
        "<DefaultAnimationLoop/><Node name='cloth'><EulerImplicitSolver/>" + direct +
        "<MechanicalObject position='0 0 0  1 0 0  0 0 1'/><UniformMass vertexMass='0.01'/><MeshTopology "
        "triangles='0 2 1'/><TriangleCollisionModel/></Node>" +
        ball();
    Scene s(cloth, "0 -10 0");
    const std::string before = s.structure();
    const auto above = [](double x, double z) { return PickRay{{x, 5., z}, {0., -1., 0.}}; };
    MouseInteractor mouse(*s.root);
    mouse.bind(MouseButton::Left, {"UnfixParticle", {}});
    // Nothing is fixed yet.
    CHECK_FALSE(mouse.press(MouseButton::Left, above(0.1, 0.1)));
    CHECK_THAT(mouse.reason(), Catch::Contains("no fixed point"));
    for (const auto& ray : {above(0.2, 0.2), above(4., 0.5)}) {
        REQUIRE(mouse.press(MouseButton::Right, ray));
        mouse.release();
    }
    // Near the second corner of the triangle: only that one is let go. It swings about the two others.
    REQUIRE(mouse.press(MouseButton::Left, above(0.8, 0.1)));
    mouse.release();
    s.steps(40);
    CHECK(s.point("cloth", 1)[1] < -0.5);
    CHECK(norm(s.point("cloth", 0)) < 1e-3);
    CHECK(norm(s.point("cloth", 2) - Vec3{0., 0., 1.}) < 1e-3);
    CHECK(norm(s.point("ball", 0) - Vec3{4., 1., 0.5}) < 0.02);
    // The body is fixed by a place of its own: taken away with what was made for it.
    REQUIRE(mouse.press(MouseButton::Left, above(4., 0.5)));
    mouse.release();
    CHECK_FALSE(mouse.press(MouseButton::Left, above(4., 0.5)));
    s.steps(100);
    CHECK(s.point("ball", 0)[1] < -2.);
    CHECK(norm(s.point("cloth", 0)) < 1e-3);
    mouse.releaseAll();
    CHECK(s.structure() == before);
}

TEST_CASE("a force of the mouse pushes away from the viewer, and pulls where it is dragged")
{
    // A ball that collides, a surface that is only shown, and a point that is neither.
    for (const std::string& model :
         {std::string("<SphereCollisionModel radius='0.5'/>"),
          std::string("<Node name='shown'><OglModel position='-1 -1 0  1 -1 0  0 1 0' triangles='0 1 2'/>"
                      "<RigidMapping/></Node>"),
          std::string()}) {
        const bool rigid = model.find("RigidMapping") != std::string::npos;
        const std::string state = rigid ? "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/><UniformMass "
                                          "vertexMass='2 1 [1 0 0,0 1 0,0 0 1]'/>"
                                        : "<MechanicalObject position='0 0 0'/><UniformMass totalMass='2'/>";
        Scene s("<DefaultAnimationLoop/><Node name='body'><EulerExplicitSolver symplectic='1'/>" + state + model +
                "</Node>");
        const std::string before = s.structure();
        MouseInteractor mouse(*s.root);
        mouse.setTolerance(0.1);
        mouse.bind(MouseButton::Left, {"AddForce", {.force = 3.}});
        REQUIRE(mouse.press(MouseButton::Left, {{0., 0., 5.}, {0., 0., -2.}}));
        s.steps(10);
        // v = F t / m, x = Σ v dt
        const double dt = 0.02, a = 3. / 2.;
        CHECK(s.point("body", 0)[2] == Approx(-a * dt * dt * 55.));
        const double z = s.point("body", 0)[2];
        // Dragged to the right: the force turns, and does not depend on how far.
        mouse.move({{1., 0., 5.}, {0., 0., -1.}});
        s.steps(10);
        const Vec3 x = s.point("body", 0);
        CHECK(x[0] == Approx(a * dt * dt * 55.));
        CHECK(x[2] == Approx(z - a * 10. * dt * 10. * dt));
        mouse.release();
        CHECK(s.structure() == before);
        s.steps(10);
        CHECK(s.point("body", 0)[0] == Approx(x[0] + a * 10. * dt * 10. * dt));
    }
}

TEST_CASE("a rigid body without a collision model is taken by its surface, at the place under the mouse")
{
    Scene s(
        "<DefaultAnimationLoop/><Node name='bar'><EulerImplicitSolver rayleighMass='1'/>" + direct +
        "<MechanicalObject name='x' template='Rigid3' position='0 0 0 0 0 0 1'/><UniformMass vertexMass='1 1 "
        "[0.1 0 0,0 0.1 0,0 0 0.1]'/><Node name='shown'><OglModel name='model' position='-2 -0.5 0  2 -0.5 0  2 0.5 0  "
        "-2 0.5 0' quads='0 1 2 3'/><RigidMapping/></Node></Node>"
        "<Node name='wall'><OglModel name='model' position='-9 -9 2  9 -9 2  0 9 2' triangles='0 1 2'/></Node>");
    const std::string before = s.structure();
    const PickRay ray{{1.5, 0., 1.}, {0., 0., -1.}};
    const auto picked = pick(*s.root, ray);
    REQUIRE(picked);
    CHECK(picked->surface->pathName() == "/bar/shown/model");
    CHECK(picked->state->pathName() == "/bar/x");
    CHECK(picked->model == nullptr);
    CHECK(norm(picked->point - Vec3{1.5, 0., 0.}) < 1e-14);
    CHECK(picked->triangle == Triangle{0, 1, 2});
    MouseInteractor mouse(*s.root);
    REQUIRE(mouse.press(MouseButton::Left, ray));
    mouse.move({{1.5, 1., 1.}, {0., 0., -1.}});
    s.steps(1500);
    const auto& x =
        dynamic_cast<State<Rigid3Types>&>(*s.root->child("bar")->get<BaseState>(Search::Local)).positions()[0];
    CHECK(norm(x.center + x.orientation.rotate(Vec3{1.5, 0., 0.}) - Vec3{1.5, 1., 0.}) < 1e-6);
    CHECK(2. * std::abs(x.orientation[2]) > 0.1);  // it turned, as it was not taken at its centre
    mouse.release();
    CHECK(s.structure() == before);
    // The wall stands before it, but nothing moves it.
    const auto wall = pick(*s.root, {{0., 3., 5.}, {0., 0., -1.}});
    REQUIRE(wall);
    CHECK(wall->surface->pathName() == "/wall/model");
    CHECK_FALSE(mouse.press(MouseButton::Left, {{0., 3., 5.}, {0., 0., -1.}}));
    CHECK_THAT(mouse.reason(), Catch::Contains("nothing moves '/wall/model'"));
}

TEST_CASE("what is held may be removed from the scene before it is let go")
{
    for (const MouseButton button : {MouseButton::Left, MouseButton::Right}) {
        Scene s("<DefaultAnimationLoop/>" + cube() + ball());
        MouseInteractor mouse(*s.root);
        REQUIRE(mouse.press(button, fromAbove));
        s.steps(1);
        s.root->removeChild(*s.root->child("cube"));
        mouse.release();
        mouse.releaseAll();
        s.steps(1);
    }
}

TEST_CASE("operations say what they do, and how strongly")
{
    for (const std::string& name : performers().names()) {
        const auto info = performers().find(name);
        REQUIRE(info);
        CHECK_FALSE(info->text.empty());
        CHECK(info->create({}) != nullptr);
        if (!info->strength) continue;
        CHECK_FALSE(info->strength->unit.empty());
        CHECK(info->strength->usual > 0.);
        CHECK(PerformerSettings().*info->strength->value > 0.);
    }
    CHECK(performers().find("AddForce")->strength->unit == "N");
    CHECK(performers().find("Juggle") == nullptr);
    // A name that is taken keeps its first meaning; the error says so.
    const MessageCapture capture;
    CHECK(performers().add("AddForce", {}) == nullptr);
    CHECK_THAT(capture.text(), Catch::Contains("AddForce"));
    CHECK(performers().find("AddForce")->create);
}

TEST_CASE("the force of the mouse obeys the laws of force fields")
{
    Node root;
    test::addState<Vec3Types>(root, {{0., 0., 0.}, {1., 0., 0.}});
    auto force = std::make_shared<component::MouseForce>();
    root.addComponent(force);
    force->point = 1;
    force->force = {1., -2., 3.};
    REQUIRE(test::initialise(root));
    const MechanicalParams mp;
    State<Vec3Types>& state = *root.get<State<Vec3Types>>(Search::Local);
    Vector<Vec3> f(2);
    force->addForce(mp, f, state.positions(), f);
    CHECK(f[0] == Vec3{});
    CHECK(f[1] == Vec3{1., -2., 3.});
    // f = −∂E/∂x; the energy is linear, so a difference of any size is exact.
    Vector<Vec3> x = state.positions();
    const double e0 = force->potentialEnergy(mp, x);
    for (std::size_t c = 0; c < 3; ++c) {
        auto moved = x;
        moved[1][c] += 0.5;
        CHECK((force->potentialEnergy(mp, moved) - e0) / 0.5 == -force->force[c]);
    }
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

}  // namespace mouse_test
