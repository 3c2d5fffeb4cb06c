// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/visual/Cameras.h"
#include "core/behavior/State.h"
#include "core/interaction/MouseInteractor.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace button_settings_test {

using namespace sofa;
using namespace sofa::core;
using component::RecordedCamera;

namespace {

std::string scene(const std::string& content)
{
    return "<Node name='root' dt='0.5' gravity='0 0 0'><DefaultAnimationLoop/>" + content + "</Node>";
}

struct Film
{
    explicit Film(const std::string& data = "startTime='1' endTime='5'")
        : root(loadSceneText(scene("<RecordedCamera name='film' position='0 0 9' orientation='0 0 0 1' " + data +
                                   "/><AddRecordedCameraButtonSetting button='Left'/>"
                                   "<StartNavigationButtonSetting button='Right'/>"),
                             "film.scn")),
          simulation(root)
    {
        REQUIRE(simulation.init());
    }
    RecordedCamera& camera() const { return *root->get<RecordedCamera>(Search::Local); }
    void steps(int n)
    {
        for (int k = 0; k < n; ++k) simulation.step();
    }
    std::shared_ptr<Node> root;
    Simulation simulation;
};

/// A ray that meets nothing, from a camera.
PickRay from(const Vec3& place, const Quat& orientation)
{
    return {place, {0., 1., 0.}, RigidCoord3{place, orientation}};
}

const Quat turned = Quat::fromAxisAngle({0., 1., 0.}, 1.);

}  // namespace

TEST_CASE("buttons add the view to the path of a recorded camera, and start and end the flight")
{
    Film f;
    MouseInteractor mouse(*f.root);
    CHECK_FALSE(mouse.press(MouseButton::Right, from({}, {})));
    CHECK_THAT(mouse.reason(), Catch::Contains("'/film': cameraPositions needs two places at least, it has 0"));
    CHECK_FALSE(mouse.press(MouseButton::Left, {{}, {0., 1., 0.}}));
    CHECK_THAT(mouse.reason(), Catch::Contains("not known from where"));
    REQUIRE(mouse.press(MouseButton::Left, from({1., 0., 0.}, Quat())));
    mouse.release();
    REQUIRE(mouse.press(MouseButton::Left, from({3., 2., 0.}, turned)));
    mouse.release();
    CHECK(f.camera().d_cameraPositions.value() == Vector<Vec3>{{1., 0., 0.}, {3., 2., 0.}});
    CHECK(f.camera().d_cameraOrientations.value() == Vector<Quat>{Quat(), turned});

    f.steps(4);
    REQUIRE(mouse.press(MouseButton::Right, from({}, {})));
    mouse.release();
    // It takes the four seconds of the scene, from now on.
    f.steps(4);
    const RigidCoord3 pose = f.camera().poseAt(f.root->time());
    CHECK(norm(pose.center - Vec3{2., 1., 0.}) < 1e-12);
    CHECK(norm((pose.orientation * Quat::fromAxisAngle({0., 1., 0.}, 0.5).inverse()).toRotationVector()) < 1e-12);

    // A checkpoint of the flight.
    const sofa::test::TemporaryDirectory folder;
    const auto file = (folder / "flight.bin").string();
    saveCheckpoint(f.simulation, file);
    Film again;
    loadCheckpoint(again.simulation, file);
    CHECK(again.camera().d_startTime.value() == 2.);
    CHECK(again.camera().d_navigationMode.value());
    again.simulation.reset();
    CHECK(again.camera().d_startTime.value() == 1.);

    // The same button ends it, and a reset brings back the times of the scene; the path stays.
    REQUIRE(mouse.press(MouseButton::Right, from({}, {})));
    CHECK_FALSE(f.camera().d_navigationMode.value());
    REQUIRE(mouse.press(MouseButton::Right, from({}, {})));
    f.simulation.reset();
    CHECK_FALSE(f.camera().d_navigationMode.value());
    CHECK(f.camera().d_startTime.value() == 1.);
    CHECK(f.camera().d_endTime.value() == 5.);
    CHECK(f.camera().d_cameraPositions.value().size() == 2);
}

TEST_CASE("places of a path without orientations have that of the camera")
{
    Film f("cameraPositions='7 0 0  8 0 0'");
    f.camera().addPlace({{9., 0., 0.}, turned});
    CHECK(f.camera().d_cameraPositions.value().size() == 3);
    CHECK(f.camera().d_cameraOrientations.value() == Vector<Quat>{Quat(), Quat(), turned});
}

TEST_CASE("a scene without a recorded camera says so")
{
    const auto root = loadSceneText(scene("<AddRecordedCameraButtonSetting button='Left'/>"), "none.scn");
    Simulation s(root);
    REQUIRE(s.init());
    MouseInteractor mouse(*root);
    CHECK_FALSE(mouse.press(MouseButton::Left, from({}, {})));
    CHECK_THAT(mouse.reason(), Catch::Contains("no RecordedCamera"));
}

TEST_CASE("a setting gives any operation to a button, with the usual strength or another")
{
    const MessageCapture messages;
    const auto binding = [](const std::string& data, bool good = true) {
        const auto root = loadSceneText(scene("<MouseOperationButtonSetting button='Middle' " + data + "/>"), "b.scn");
        Simulation s(root);
        CHECK(s.init() == good);
        return MouseInteractor(*root).binding(MouseButton::Middle);
    };
    CHECK(binding("operation='Refine' strength='0.25'").performer == "Refine");
    CHECK(binding("operation='Refine' strength='0.25'").settings.size == 0.25);
    CHECK(binding("operation='FixParticle'").settings.stiffness == 10000.);
    CHECK(binding("operation='AddForce' strength='7'").settings.force == 7.);
    CHECK(binding("operation='RemovePrimitive'").performer == "RemovePrimitive");
    binding("operation='RemovePrimitive' strength='2'", false);
    CHECK(messages.has(Severity::Error, "the operation 'RemovePrimitive' has none"));
    binding("operation='Refin'", false);
    CHECK(messages.has(Severity::Error, "'Refin'"));
}

TEST_CASE("a button adds frames to the skinned body under the mouse, through what moves with it")
{
    const MessageCapture messages;
    const auto text = [](const std::string& topology) {
        return scene("<AddFrameButtonSetting button='Left'/><Node name='bones'>" + topology +
                     "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  2 0 0 0 0 0 1'/><Node name='skin'>"
                     "<MechanicalObject position='0 -1 0  2 -1 0  1 1 0'/><SkinningMapping/><Node name='hull'>"
                     "<MeshTopology position='0 -1 0  2 -1 0  1 1 0' triangles='0 1 2'/><MechanicalObject/>"
                     "<TriangleCollisionModel/><IdentityMapping/></Node></Node></Node>");
    };
    for (const bool changeable : {true, false}) {
        const auto root = loadSceneText(
            text(changeable ? "<PointSetTopologyContainer position='0 0 0  2 0 0'/><PointSetTopologyModifier/>" : ""),
            "frame.scn");
        Simulation s(root);
        REQUIRE(s.init());
        MouseInteractor mouse(*root);
        CHECK(mouse.binding(MouseButton::Left).performer == "AddFrame");
        const auto& frames = *root->child("bones")->get<State<Rigid3Types>>(Search::Local);
        const bool done = mouse.press(MouseButton::Left, {{0.8, 0.1, 5.}, {0., 0., -1.}});
        INFO(mouse.reason());
        CHECK(done == changeable);
        REQUIRE(frames.size() == (changeable ? 3 : 2));
        if (changeable) CHECK(norm(frames.positions()[2].center - Vec3(0.8, 0.1, 0.)) < 1e-14);
        CHECK((mouse.reason().find("put a PointSetTopologyContainer") == std::string::npos) == changeable);
    }
}

}  // namespace button_settings_test
