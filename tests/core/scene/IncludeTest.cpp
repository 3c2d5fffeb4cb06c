// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/Installation.h"
#include "core/factory/Registry.h"
#include "core/scene/OldNames.h"
#include "tests/core/scene/SceneTestComponents.h"

namespace include_test {

using namespace sofa::test;
namespace fs = std::filesystem;

namespace {

/// Files in a folder of their own, one of which is loaded.
struct Files
{
    TemporaryDirectory tmp;
    LoadReport report;

    void add(const std::string& name, const std::string& text) const { writeFile(tmp.path() / name, text); }
    std::shared_ptr<Node> load(const std::string& text, const LoadOptions& options = {})
    {
        add("main.scn", text);
        const MessageCapture silence;
        return loadScene((tmp.path() / "main.scn").string(), options, &report);
    }
};

}  // namespace

TEST_CASE("An include puts the root of its file in its place", "[scene]")
{
    Files f;
    f.add("parts/body.xml", "<Node name='body'><TestMass totalMass='2'/><include href='skin.xml'/></Node>");
    f.add("parts/skin.xml", "<Node name='skin'><TestMass label='inner'/></Node>");
    const auto root =
        f.load("<Node>\n<include href='parts/body.xml'/>\n<include name='other' href='parts/body.xml'/>\n</Node>");
    INFO(textOf(f.report));
    CHECK(f.report.messages.empty());
    REQUIRE(root->children().size() == 2);
    CHECK(root->child("other")->components().size() == 1);
    const Node& skin = *root->child("body")->child("skin");
    CHECK(component<TestMass>(skin, "TestMass1").location.str() ==
          (f.tmp.path() / "parts/skin.xml").string() + ":1:19");
}

TEST_CASE("Overrides replace attributes that the included components have", "[scene]")
{
    Files f;
    f.add("body.xml", R"(<Node name='body' tags='node'>
  <TestMass name="one" totalMass="1" label="a"/>
  <TestMass name="two" totalMass="1" tags=""/>
  <TestState name="dofs" template="Vec3" scale="1"/>
  <Node name="inner"><TestMass name="two" totalMass="1"/></Node>
</Node>)");

    SECTION("everywhere")
    {
        const auto root = f.load("<Node><include href='body.xml' totalMass='5' tags='x' template='Rigid3'/></Node>");
        const Node* body = root->child("body");
        INFO(textOf(f.report));
        CHECK(f.report.messages.empty());
        CHECK(component<TestMass>(*body, "one").d_totalMass.value() == 5.);
        CHECK(component<TestMass>(*body->child("inner"), "two").d_totalMass.value() == 5.);
        CHECK(component<TestMass>(*body, "two").hasTag("x"));
        CHECK_FALSE(component<TestMass>(*body, "one").hasTag("x"));
        CHECK(body->hasTag("node"));
        CHECK(body->component("dofs")->templateName() == "Rigid3");
    }
    SECTION("in the components of one name, in both spellings")
    {
        const auto root = f.load("<Node><include href='body.xml' two__totalMass='5' dofs_scale='3'/></Node>");
        const Node* body = root->child("body");
        CHECK(f.report.messages.empty());
        CHECK(component<TestMass>(*body, "one").d_totalMass.value() == 1.);
        CHECK(component<TestMass>(*body, "two").d_totalMass.value() == 5.);
        CHECK(component<TestMass>(*body->child("inner"), "two").d_totalMass.value() == 5.);
        CHECK(component<TestStateBase>(*body, "dofs").d_scale.value() == 3.);
    }
    SECTION("nowhere: a warning at the include")
    {
        f.load("<Node>\n<include href='body.xml' totalMas='5' two__label='x'/></Node>");
        CHECK(f.report.count(Severity::Warning) == 2);
        CHECK_THAT(textOf(f.report),
                   Catch::Contains("main.scn:2:26: warning: 'totalMas' has no effect: no element of the "
                                   "included file has this attribute (did you mean 'totalMass'?)"));
    }
    SECTION("malformed: the error is at the include")
    {
        f.load("<Node>\n<include href='body.xml' scale='big'/></Node>");
        CHECK_THAT(textOf(f.report),
                   Catch::Contains("main.scn:2:26: error: /body/dofs (TestState): attribute 'scale'"));
    }
}

TEST_CASE("The outermost override counts", "[scene]")
{
    Files f;
    f.add("inner.xml", "<Node name='inner'><TestMass label='a' totalMass='1'/></Node>");
    f.add("outer.xml", "<Node name='outer'><include href='inner.xml' label='b' totalMass='2'/></Node>");
    const auto root = f.load("<Node><include href='outer.xml' label='c'/></Node>");
    CHECK(f.report.messages.empty());
    auto& m = component<TestMass>(*root->child("outer")->child("inner"), "TestMass1");
    CHECK(m.d_label.value() == "c");
    CHECK(m.d_totalMass.value() == 2.);
}

TEST_CASE("A root named Group joins the node of the include; a name makes it a node", "[scene]")
{
    Files f;
    f.add("group.xml", "<Node name='Group'><TestMass name='a'/><TestMass label='@[-1].name'/><Node name='n'/></Node>");
    const auto root = f.load(
        "<Node><TestMass/><include href='group.xml'/><TestMass/><include href='group.xml' name='wrapped'/></Node>");
    CHECK(f.report.messages.empty());
    REQUIRE(root->components().size() == 4);
    CHECK(root->components()[1]->name() == "a");
    CHECK(dynamic_cast<TestMass&>(*root->components()[2]).d_label.value() == "a");
    REQUIRE(root->children().size() == 2);
    CHECK(root->children()[0]->name() == "n");
    CHECK(root->child("wrapped")->components().size() == 2);
}

TEST_CASE("_Merge_ changes elements of the same name and adds the others", "[scene]")
{
    Files f;
    f.add("more.xml",
          "<Node name='_Merge_' dt='0.5'><TestMass name='a' totalMass='9'/><TestMass name='b'/>"
          "<Node name='n'><TestMass/></Node></Node>");
    const auto root = f.load(
        "<Node dt='0.1'><TestMass name='a' totalMass='1' label='x'/><Node name='n'/><include href='more.xml'/></Node>");
    INFO(textOf(f.report));
    CHECK(f.report.messages.empty());
    CHECK(root->dt() == 0.5);
    CHECK(root->components().size() == 2);
    CHECK(component<TestMass>(*root, "a").d_totalMass.value() == 9.);
    CHECK(component<TestMass>(*root, "a").d_label.value() == "x");
    REQUIRE(root->children().size() == 1);
    CHECK(root->child("n")->components().size() == 1);
}

TEST_CASE("A file with a component for its root can be included", "[scene]")
{
    Files f;
    f.add("mass.xml", "<TestMass name='m' totalMass='3'/>");
    const auto root = f.load("<Node><include href='mass.xml' totalMass='4'/></Node>");
    CHECK(component<TestMass>(*root, "m").d_totalMass.value() == 4.);
}

TEST_CASE("Includes that cannot be read leave the rest in place", "[scene]")
{
    Files f;
    f.add("broken.xml", "<Node>\n<TestMass>\n</Node>");
    f.add("a.xml", "<Node name='a'><include href='b.xml'/></Node>");
    f.add("b.xml", "<Node name='b'><include href='a.xml'/></Node>");
    const auto root = f.load(
        "<Node>\n<include href='missing.xml'/>\n<include/>\n<include href='broken.xml'/>\n"
        "<include href='a.xml'/>\n<include href='main.scn'/>\n<TestMass/></Node>");
    const std::string at = f.tmp.path().string();
    CHECK(f.report.count(Severity::Error) == 5);
    CHECK_THAT(textOf(f.report),
               Catch::Contains("main.scn:2:10: error: include: cannot find the file 'missing.xml'") &&
                   Catch::Contains(at + "/missing.xml") &&
                   Catch::Contains("main.scn:3:1: error: <include> without href") &&
                   Catch::Contains("broken.xml:2:1: error: this is no well-formed XML") &&
                   Catch::Contains("(included from " + at + "/main.scn:4:1)") &&
                   Catch::Contains("b.xml:1:16: error: cyclic include: " + at + "/a.xml -> " + at + "/b.xml -> " + at +
                                   "/a.xml") &&
                   Catch::Contains("main.scn:6:1: error: cyclic include: " + at + "/main.scn -> " + at + "/main.scn"));
    CHECK(root->components().size() == 1);
}

TEST_CASE("Includes that multiply without bound are stopped", "[scene]")
{
    Files f;
    for (int i = 0; i < 40; ++i) {
        const std::string next = "'" + std::to_string(i + 1) + ".xml'";
        f.add(std::to_string(i) + ".xml",
              "<Node name='Group'><include href=" + next + "/><include href=" + next + "/></Node>");
    }
    f.add("40.xml", "<Node name='Group'><TestMass/></Node>");
    CHECK_THROWS_WITH(f.load("<Node><include href='0.xml'/></Node>"), Catch::Contains("do they multiply?"));
}

TEST_CASE("A prefab is a file of Objects/ that an element names", "[scene]")
{
    Files f;
    f.add("Objects/SoftThing.xml", "<Node name='Group'><TestState scale='1'/><TestMass totalMass='1'/></Node>");
    f.add("Objects/Body.xml", "<Node name='Body'><SoftThing/></Node>");
    const auto root = f.load(
        "<Node><SoftThing scale='2' name='ignored'/><Object type='Body' totalMass='7'/>\n<SoftThing sale='1'/></Node>");
    REQUIRE(root->components().size() == 4);
    CHECK(component<TestStateBase>(*root, "TestState1").d_scale.value() == 2.);
    CHECK(component<TestMass>(*root->child("Body"), "TestMass1").d_totalMass.value() == 7.);
    CHECK(f.report.messages.size() == 1);
    CHECK_THAT(textOf(f.report),
               Catch::Contains("main.scn:2:12: warning: 'sale' has no effect: no element of the prefab "
                               "SoftThing has this attribute (did you mean 'scale'?)"));
}

TEST_CASE("Every prefab that is shipped can be read, and names only components that exist or are known by name",
          "[scene]")
{
    int count = 0;
    for (const auto& entry : fs::directory_iterator(shareDirectory() / "Objects")) {
        INFO(entry.path());
        const MessageCapture capture;
        const SceneElement e = parseSceneFile(entry.path().string(), {.strict = true});
        CHECK(capture.text().empty());
        CHECK(e.isNode);
        ++count;
    }
    CHECK(count >= 26);
    Files f;
    f.load("<Node><BoxConstraint box='1 2 3 4 5 6'/></Node>");
    CHECK(f.report.messages.size() >= 1);  // without the components library BoxROI is unknown
}

TEST_CASE("Old names: renamed, split, merged components; loaders by file name", "[scene]")
{
    CHECK(currentComponentName("EulerImplicit") == "EulerImplicitSolver");
    CHECK(currentComponentName("FixedConstraint") == "FixedProjectiveConstraint");
    CHECK(currentComponentName("EulerImplicitSolver").empty());
    for (const auto& [old, now] : renamedComponents()) {
        CHECK(currentComponentName(old) == now);
        CHECK(old != now);
        CHECK(currentComponentName(now).empty());
    }
    CHECK(findOldComponent("BruteForceDetection")->successors == "BruteForceBroadPhase BVHNarrowPhase");
    CHECK(findOldComponent("TriangleSetTopologyAlgorithms")->successors.empty());
    CHECK(findOldComponent("MechanicalObject") == nullptr);
    CHECK(loaderForFile("mesh/A.OBJ") == "MeshOBJLoader");
    CHECK(loaderForFile("x.vtk") == "MeshVTKLoader");
    CHECK(loaderForFile("x.txt").empty());
    CHECK(findOldAttribute("UniformMass", "totalmass")->now == "totalMass");
    CHECK(findOldAttribute("AnyMapping", "object1")->now == "input");
    CHECK(findOldAttribute("UniformMass", "totalMass") == nullptr);
    CHECK(isBuiltInModule("Sofa.Component.Mass"));
    CHECK_FALSE(isBuiltInModule("Sofa.ComponentX"));
    CHECK_FALSE(isBuiltInModule("SofaPython3"));
    CHECK(currentPath("../..") == "@..");
    CHECK(currentPath("../../Container") == "@../Container");
    CHECK(currentPath("../Visual") == "@Visual");
    CHECK(currentPath("../") == "@.");
    CHECK(currentPath(".../x") == "@.../x");
    CHECK(currentPath("..") == "@.");
    CHECK(currentPath("Visual") == "@Visual");
    CHECK(currentPath("@../x") == "@../x");
}

TEST_CASE("Old names are understood silently, and reported in strict mode", "[scene]")
{
    RegisterComponent("TriangleCollisionModel", "Test", "Test").add<TestMass>();
    const std::string text = "<Node><TriangleModel name='t'/><TriangleSetTopologyAlgorithms name='TopoAlgo'/></Node>";
    LoadReport report, strict;
    const auto root = load(text, report);
    CHECK(report.messages.empty());
    REQUIRE(root->components().size() == 1);
    CHECK(root->components()[0]->name() == "t");
    load(text, strict, {.strict = true});
    Registry::instance().remove("TriangleCollisionModel");
    CHECK(strict.ok());
    CHECK(strict.count(Severity::Deprecated) == 2);
    CHECK_THAT(textOf(strict),
               Catch::Contains("component 'TriangleModel': its name today is 'TriangleCollisionModel'"));
}

TEST_CASE("A component split in two takes its attributes to both, its name to the first", "[scene]")
{
    RegisterComponent("BruteForceBroadPhase", "Test", "Test").add<TestMass>();
    RegisterComponent("BVHNarrowPhase", "Test", "Test").add<TestLoader>();
    LoadReport report;
    const auto root = load("<Node><BruteForceDetection name='N2'/></Node>", report);
    Registry::instance().remove("BruteForceBroadPhase");
    REQUIRE(root->components().size() == 2);
    CHECK(report.messages.empty());
    CHECK(root->components()[0]->name() == "N2");
    CHECK(dynamic_cast<TestLoader*>(root->components()[1].get()));
    CHECK_FALSE(root->components()[1]->d_name.isSet());
    Registry::instance().remove("BVHNarrowPhase");
}

TEST_CASE("An old name of a component that does not exist says so", "[scene]")
{
    LoadReport report;
    load("<Node><SphereModel/></Node>", report);
    CHECK_THAT(textOf(report), Catch::Contains("unknown component 'SphereModel'") &&
                                   Catch::Contains("old name of 'SphereCollisionModel', which does not exist here"));
}

}  // namespace include_test
