// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <numbers>

#include "components/articulation/ArticulatedHierarchyController.h"
#include "core/interaction/MouseWheelEvent.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/Paths.h"
#include "tests/harness/SceneText.h"

namespace articulated_hierarchy_test {

using namespace sofa::core;
using namespace sofa::test;
using sofa::component::ArticulatedHierarchyController;
using sofa::component::BvhFile;

namespace {

const std::string motion =
    "HIERARCHY\nROOT Hip\n{\n  OFFSET 0 1 0\n  CHANNELS 4 Xposition Yposition Zposition Zrotation\n"
    "  JOINT Knee\n  {\n    OFFSET 0 -0.5 0\n    CHANNELS 2 Xrotation Zrotation\n"
    "    End Site\n    {\n      OFFSET 0 -0.4 0\n    }\n  }\n}\n"
    "MOTION\nFrames: 3\nFrame Time: 0.1\n0 0 0 0  0 0\n1 2 3 90  90 0\n1 2 3 180  90 90\n";

struct Figure : SceneText
{
    explicit Figure(const std::string& path, const std::string& attributes = "", const std::string& numbers = "",
                    double dt = 0.05)
        : SceneText("<Node name='figure'><MechanicalObject name='numbers' template='Vec1' " + numbers +
                        "/><ArticulatedHierarchyContainer filename='" + path +
                        "'/><ArticulatedHierarchyBVHController " + attributes +
                        "/><Node name='bodies'><MechanicalObject name='state' template='Rigid3'/><UniformMass "
                        "totalMass='3'/><ArticulatedSystemMapping input1='@../numbers'/></Node></Node>",
                    toText(dt))
    {
    }
    const Vector<RigidCoord3>& bodies()
    {
        return root->child("figure")->child("bodies")->get<State<Rigid3Types>>(Search::Local)->positions();
    }
    State<Vec1Types>& numbers() { return *root->child("figure")->get<State<Vec1Types>>(Search::Local); }
};

/// An arm of two hinges, a slide, and a hinge about another axis.
struct Arm : SceneText
{
    explicit Arm(const std::string& attributes)
        : SceneText(
              "<Node name='arm'><MechanicalObject name='numbers' template='Vec1' position='0 0 0 0'/>"
              "<ArticulatedHierarchyContainer/><ArticulatedHierarchyController " +
              attributes +
              "/><Node name='bodies'><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  0 0 0 0 0 0 1  "
              "0 0 0 0 0 0 1  0 0 0 0 0 0 1  0 0 0 0 0 0 1'/><ArticulatedSystemMapping "
              "input1='@../numbers'/></Node>" +
              joint(0, "0 0 1", "rotation") + joint(1, "0 0 1", "rotation") + joint(2, "1 0 0", "translation") +
              joint(3, "0 0 1", "rotation") + "</Node>")
    {
        if (good) controller = root->child("arm")->get<ArticulatedHierarchyController>(Search::Local);
    }
    static std::string joint(int k, const std::string& axis, const std::string& kind)
    {
        const std::string n = std::to_string(k);
        return "<Node name='joint" + n + "'><ArticulationCenter parentIndex='" + n + "' childIndex='" +
               std::to_string(k + 1) + "' posOnParent='1 0 0'/><Articulation axis='" + axis + "' " + kind +
               "='true' articulationIndex='" + n + "'/></Node>";
    }
    void key(char c, bool pressed = true) { root->propagateEvent(KeyEvent(c, pressed)); }
    void button(MouseButton b, bool pressed) { root->propagateEvent(MouseButtonEvent(b, pressed)); }
    std::vector<double> numbers()
    {
        std::vector<double> all;
        for (const auto& x : root->child("arm")->get<State<Vec1Types>>(Search::Local)->positions()) all.push_back(x[0]);
        return all;
    }
    ArticulatedHierarchyController* controller = nullptr;
};

bool near(const std::vector<double>& a, const std::vector<double>& b)
{
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::abs(a[i] - b[i]) > 1e-14) return false;
    return true;
}

}  // namespace

TEST_CASE("Files of captured motions are read with their joints, channels and frames", "[articulation]")
{
    const TemporaryDirectory folder;
    const BvhFile file = BvhFile::read(folder.write("walk.bvh", motion));
    REQUIRE(file.joints.size() == 3);
    CHECK(file.joints[0].name == "Hip");
    CHECK(file.joints[0].parent == BvhFile::none);
    CHECK(file.joints[1].name == "Knee");
    CHECK(file.joints[1].parent == 0);
    CHECK(file.joints[2].name == "Knee end");
    CHECK(file.joints[2].parent == 1);
    CHECK(file.joints[2].offset == Vec3(0, -0.4, 0));
    CHECK(file.joints[2].channels.empty());
    REQUIRE(file.joints[0].channels.size() == 4);
    CHECK(file.joints[0].channels[3].axis == 2);
    CHECK(file.joints[0].channels[3].rotates);
    CHECK_FALSE(file.joints[0].channels[1].rotates);
    CHECK(file.channels == 6);
    CHECK(file.frames == 3);
    CHECK(file.frameTime == 0.1);
    CHECK(file.value(1, 2) == 3.);
    CHECK(file.value(2, 3) == Approx(std::numbers::pi).epsilon(1e-15));
    CHECK(file.valueAt(0.15, 3) == Approx(0.75 * std::numbers::pi).epsilon(1e-14));
    CHECK(file.valueAt(-1., 0) == 0.);
    CHECK(file.valueAt(9., 3) == file.value(2, 3));
}

TEST_CASE("What is wrong with a file of a motion is told with its line", "[articulation]")
{
    const TemporaryDirectory folder;
    const auto said = [&](const std::string& from, const std::string& to) {
        std::string text = motion;
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
        try {
            BvhFile::read(folder.write("bad.bvh", text));
        } catch (const std::exception& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK_THAT(said("HIERARCHY", "HIERARCHIE"), Catch::Contains("bad.bvh:1: expected 'HIERARCHY'"));
    CHECK_THAT(said("OFFSET 0 1 0", "OFFSET 0 one 0"), Catch::Contains("bad.bvh:4") && Catch::Contains("'one'"));
    CHECK_THAT(said("  OFFSET 0 1 0\n", ""), Catch::Contains("an OFFSET of joint 'Hip'"));
    CHECK_THAT(said("Xrotation Zrotation", "Wrotation Zrotation"),
               Catch::Contains("bad.bvh:9: expected a channel") && Catch::Contains("'Wrotation'"));
    CHECK_THAT(said("CHANNELS 2", "CHANNELS 999999999"), Catch::Contains("bad.bvh:9"));
    CHECK_THAT(said("End Site", "End Point"), Catch::Contains("'Site'"));
    CHECK_THAT(said("JOINT Knee", "JUNCTION Knee"), Catch::Contains("JOINT, End Site or }"));
    CHECK_THAT(said("Frames: 3", "Frames: 0"), Catch::Contains("bad.bvh:17: expected one frame at least"));
    CHECK_THAT(said("Time: 0.1", "Time: 0"), Catch::Contains("a time above 0"));
    CHECK_THAT(said("Frames: 3", "Frames: 4"), Catch::Contains("found the end of the line or file"));
    CHECK_THAT(said("Frames: 3", "Frames: 2"), Catch::Contains("expected the end of the file after 2 frames"));
    CHECK_THAT(said("180  90 90", "180  90 nan"), Catch::Contains("bad.bvh:21"));
}

TEST_CASE("A figure moves as its file says", "[articulation]")
{
    const TemporaryDirectory folder;
    const std::string path = folder.write("walk.bvh", motion).string();
    Figure s(path);
    REQUIRE(s.good);
    REQUIRE(s.numbers().size() == 6);
    REQUIRE(s.bodies().size() == 4);
    // Positions are those of the time at the begin of the step.
    s.step(3);
    CHECK(norm(s.bodies()[1].center - Vec3(1, 3, 3)) < 1e-14);  // moved, then turned by 90° about z: down becomes x
    CHECK(norm(s.bodies()[2].center - Vec3(1.5, 3, 3)) < 1e-14);
    // The knee turns by 90° about its own x axis: what was down goes back, along −z, whatever the hip does about z.
    CHECK(norm(s.bodies()[3].center - Vec3(1.5, 3, 2.6)) < 1e-14);
    CHECK(norm(s.bodies()[0].center) == 0.);
    CHECK(s.numbers().velocities()[3][0] == Approx(5. * std::numbers::pi).epsilon(1e-13));  // 90° in 0.1 s
    CHECK(s.numbers().velocities()[0][0] == 0.);
    s.step();
    CHECK(s.numbers().positions()[3][0] == Approx(0.75 * std::numbers::pi).epsilon(1e-14));
    s.step(20);  // at rest at the end
    CHECK(s.numbers().positions()[3][0] == Approx(std::numbers::pi).epsilon(1e-15));
    CHECK(s.numbers().velocities()[3][0] == 0.);
    // The same after a reset.
    s.simulation->reset();
    s.step(3);
    CHECK(norm(s.bodies()[3].center - Vec3(1.5, 3, 2.6)) < 1e-14);

    Figure external(path, "useExternalTime='1' externalTime='0.05'");
    REQUIRE(external.good);
    external.step(7);
    CHECK(external.numbers().positions()[0][0] == 0.5);
}

TEST_CASE("What a figure lacks is an error that says so", "[articulation]")
{
    const TemporaryDirectory folder;
    const std::string path = folder.write("walk.bvh", motion).string(), bad = folder.write("bad.bvh", "x").string();
    const auto said = [](const std::string& file, const std::string& numbers = "") {
        MessageCapture log;
        CHECK_FALSE(Figure(file, "", numbers).good);
        return log.text();
    };
    CHECK_THAT(said(folder.path().string() + "/none.bvh"), Catch::Contains("none.bvh"));
    CHECK_THAT(said(bad), Catch::Contains("bad.bvh:1: expected 'HIERARCHY'") && Catch::Contains("test.scn:1"));
    CHECK_THAT(said(""), Catch::Contains("has no file with a motion"));
    CHECK_THAT(said(path, "position='0 0'"), Catch::Contains("has 6 channels") && Catch::Contains("has 2"));
}

TEST_CASE("Keys choose numbers, and buttons move them", "[articulation]")
{
    Arm s("articulationsIndices='0 2' bindingKeys='A b' angleDelta='0.25'");
    REQUIRE(s.good);
    s.button(MouseButton::Left, true);
    s.step(2);
    CHECK(near(s.numbers(), {0, 0, 0, 0}));  // nothing is chosen
    s.key('a');
    s.key('a', false);
    s.step(2);
    CHECK(near(s.numbers(), {0.5, 0, 0, 0}));
    const auto& bodies = s.root->child("arm")->child("bodies")->get<State<Rigid3Types>>(Search::Local)->positions();
    CHECK(norm(bodies[2].center - Vec3(1. + std::cos(0.5), std::sin(0.5), 0)) < 1e-14);
    s.button(MouseButton::Left, false);
    s.step();
    CHECK(near(s.numbers(), {0.5, 0, 0, 0}));
    s.key('B');  // another one instead
    s.button(MouseButton::Right, true);
    s.step();
    CHECK(near(s.numbers(), {0.5, 0, -0.25, 0}));
    s.button(MouseButton::Right, false);
    s.root->propagateEvent(MouseWheelEvent(3.));
    s.step(2);  // once
    CHECK(near(s.numbers(), {0.5, 0, 1.25, 0}));
    s.key('b');  // lets it go
    s.root->propagateEvent(MouseWheelEvent(3.));
    s.key('x');
    s.step();
    CHECK(near(s.numbers(), {0.5, 0, 1.25, 0}));
    s.key('a');
    s.simulation->reset();
    s.button(MouseButton::Left, true);
    s.step();
    CHECK(near(s.numbers(), {0, 0, 0, 0}));
}

TEST_CASE("Joints behind with the same axis share a motion", "[articulation]")
{
    Arm s("articulationsIndices='0 2' bindingKeys='a b' angleDelta='0.25' propagateUserInteraction='1'");
    REQUIRE(s.good);
    CHECK(s.controller->chainOf(0) == std::vector<Index>{0, 1});  // the slide ends the chain
    CHECK(s.controller->chainOf(2) == std::vector<Index>{2});
    CHECK(s.controller->chainOf(3) == std::vector<Index>{3});
    s.key('a');
    s.button(MouseButton::Left, true);
    s.step(2);
    CHECK(near(s.numbers(), {0.25, 0.25, 0, 0}));
}

TEST_CASE("What a controller of joints lacks is an error that says so", "[articulation]")
{
    const auto said = [](const std::string& attributes) {
        MessageCapture log;
        CHECK_FALSE(Arm(attributes).good);
        return log.text();
    };
    CHECK_THAT(said("articulationsIndices='4' bindingKeys='a'"), Catch::Contains("no articulation has the number 4"));
    CHECK_THAT(said("articulationsIndices='1' bindingKeys='ab'"), Catch::Contains("'ab' is no key"));
    CHECK_THAT(said("articulationsIndices='1 2' bindingKeys='a'"), Catch::Contains("1 bindingKeys for 2"));
    MessageCapture log;
    CHECK_FALSE(SceneText("<MechanicalObject template='Vec1' position='0'/><ArticulatedHierarchyController/>").good);
    CHECK_THAT(log.text(), Catch::Contains("there is no ArticulatedHierarchyContainer"));
}

}  // namespace articulated_hierarchy_test
