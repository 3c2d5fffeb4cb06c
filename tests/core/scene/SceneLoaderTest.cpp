// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneLoader.h"

#include <catch2/catch.hpp>

#include "core/factory/Registry.h"
#include "tests/core/scene/SceneTestComponents.h"

using namespace sofa::test;

TEST_CASE("Both spellings of components, nested nodes, node attributes", "[scene]")
{
    LoadReport report;
    const auto root = load(R"(<?xml version="1.0"?>
<Node name="top" dt="0.05" gravity="0 0 -1">
  <Object type="TestState" name="dofs" position="1 2 3"/>
  <TestMass totalMass="4"/>
  <Node name="below" activated="0"><TestState template="Rigid3d"/></Node>
  <Node/>
</Node>)",
                           report);
    INFO(textOf(report));
    CHECK(report.ok());
    CHECK(root->name() == "top");
    CHECK(root->dt() == 0.05);
    CHECK(root->gravity() == Vec3{0., 0., -1.});
    REQUIRE(root->components().size() == 2);
    CHECK(root->components()[0]->name() == "dofs");
    CHECK(root->components()[0]->templateName() == "Vec3");
    CHECK(root->components()[1]->name() == "TestMass1");
    CHECK(component<TestMass>(*root, "TestMass1").d_totalMass.value() == 4.);
    REQUIRE(root->children().size() == 2);
    CHECK_FALSE(root->child("below")->isActive());
    CHECK(root->child("below")->components()[0]->templateName() == "Rigid3");
    CHECK(root->children()[1]->name() == "Node1");
}

TEST_CASE("Everything knows its line and column", "[scene]")
{
    LoadReport report;
    const auto root = load("<Node>\n  <!-- x -->\n  <TestMass\n    totalMass='4'  label=\"a\"/>\n</Node>", report);
    auto& mass = component<TestMass>(*root, "TestMass1");
    CHECK(mass.location.str() == "/nowhere/test.scn:3:3");
    CHECK(mass.d_totalMass.location.str() == "/nowhere/test.scn:4:5");
    CHECK(mass.d_label.location.str() == "/nowhere/test.scn:4:20");
    CHECK(root->location.str() == "/nowhere/test.scn:1:1");
}

TEST_CASE("Attributes that mean nothing: a warning with a suggestion, an error in strict mode", "[scene]")
{
    const std::string text = "<Node gravty='0 0 0'><TestMass totalMas='4' _totalMass='5' NOlabel='x'/></Node>";
    LoadReport report, strict;
    load(text, report);
    CHECK(report.ok());
    CHECK(report.count(Severity::Warning) == 2);
    CHECK_THAT(
        textOf(report),
        Catch::Contains(
            "test.scn:1:7: warning: / (Node): 'gravty' is no attribute of Node (did you mean 'gravity'?)") &&
            Catch::Contains("test.scn:1:32: warning: /TestMass1 (TestMass): 'totalMas' is no attribute of TestMass "
                            "(did you mean 'totalMass'?)"));
    load(text, strict, {.strict = true});
    CHECK(strict.count(Severity::Error) == 2);
}

TEST_CASE("Unknown components: an error with the nearest match; a warning where they may be left out", "[scene]")
{
    const std::string text = "<Node>\n <TestMas/><TestMass/>\n</Node>";
    LoadReport report, lenient;
    const auto root = load(text, report);
    CHECK_THAT(textOf(report),
               Catch::Contains("test.scn:2:2: error: unknown component 'TestMas' (did you mean 'TestMass'?)"));
    CHECK(root->components().size() == 1);
    load(text, lenient, {.lenient = true});
    CHECK(lenient.ok());
    CHECK_THAT(textOf(lenient), Catch::Contains("warning: unknown component 'TestMas'") && Catch::Contains("left out"));
}

TEST_CASE("Malformed values are errors at their attribute", "[scene]")
{
    LoadReport report;
    load("<Node dt='fast'><TestState position='1 2 x' scale='-1'/></Node>", report);
    CHECK(report.count(Severity::Error) == 3);
    CHECK_THAT(
        textOf(report),
        Catch::Contains("test.scn:1:7: error: / (Node): attribute 'dt' (double): expected a number, found 'fast'") &&
            Catch::Contains("attribute 'position' (list of Vec3): expected a number, found 'x'") &&
            Catch::Contains("attribute 'scale' (double): expected values > 0, found -1"));
}

TEST_CASE("An unknown template falls back with a warning; in strict mode with an error", "[scene]")
{
    LoadReport report, strict;
    const auto root = load("<Node><TestState template='Vec33'/></Node>", report);
    CHECK(report.ok());
    CHECK_THAT(textOf(report),
               Catch::Contains("has no template 'Vec33' (did you mean 'Vec3'?)") && Catch::Contains("using 'Vec3'"));
    CHECK(root->components().size() == 1);
    load("<Node><TestState template='Vec33'/></Node>", strict, {.strict = true});
    CHECK_FALSE(strict.ok());
    // Of a class without templates too; those of other classes have no meaning, as in SOFA's scenes.
    LoadReport wrong, right;
    load("<Node><TestMass template='Vec33'/></Node>", wrong, {.strict = true});
    CHECK_THAT(textOf(wrong), Catch::Contains("test.scn:1:7: error: no component has a template 'Vec33'"));
    load("<Node><TestMass template='Vec3d'/></Node>", right, {.strict = true});
    CHECK(right.ok());
}

TEST_CASE("Links between Data: by name, path, index; forwards too", "[scene]")
{
    LoadReport report;
    const auto root = load(R"(<Node>
  <TestMass name="late" label="@below/far.label"/>
  <TestLoader name="loader" position="1 0 0  5 0 0" edges="0 1"/>
  <TestROI name="roi" box="0 2" position="@loader.position"/>
  <TestMass name="mass" indices="@[-1].indices" label="@.name"/>
  <Node name="below"><TestMass name="far" label="text" totalMass="@../late.totalMass"/></Node>
</Node>)",
                           report);
    INFO(textOf(report));
    CHECK(report.ok());
    CHECK(component<TestMass>(*root, "mass").d_indices.value() == Vector<int>{0});
    CHECK(component<TestMass>(*root, "late").d_label.value() == "text");
    component<TestLoader>(*root, "loader").d_position.setValue({Vec3{1., 0., 0.}, Vec3{2., 0., 0.}});
    CHECK(component<TestMass>(*root, "mass").d_indices.value() == Vector<int>{0, 1});
    component<TestMass>(*root, "late").d_totalMass.setValue(9.);
    CHECK(component<TestMass>(*root->child("below"), "far").d_totalMass.value() == 9.);
}

TEST_CASE("Broken links are errors that say what is missing", "[scene]")
{
    LoadReport report;
    load(R"(<Node>
  <TestState name="dofs"/>
  <TestMass indices="@nobody.indices"/>
  <TestMass indices="@dofs.indizes"/>
  <TestMass indices="@dofs"/>
  <TestMapping input="@dof" output="@TestMass1"/>
</Node>)",
         report);
    CHECK(report.count(Severity::Error) == 5);
    CHECK_THAT(
        textOf(report),
        Catch::Contains("test.scn:3:13: error: /TestMass1 (TestMass): attribute 'indices': broken link "
                        "\"@nobody.indices\": there is no 'nobody'") &&
            Catch::Contains("'/dofs' (TestState) has no data 'indizes'") &&
            Catch::Contains("expected \"@path.data\"") &&
            Catch::Contains("link 'input': broken link \"@dof\": there is no 'dof' in node '/' or above it (did you "
                            "mean 'dofs'?)") &&
            Catch::Contains("'@TestMass1' exists but is no state"));
}

TEST_CASE("Cyclic links are errors that name the cycle", "[scene]")
{
    LoadReport report;
    load("<Node><TestMass name='a' label='@b.label'/><TestMass name='b' label='@a.label'/></Node>", report);
    CHECK(report.count(Severity::Error) == 1);
    CHECK_THAT(textOf(report), Catch::Contains("cyclic dependency: ") && Catch::Contains("/a.label"));
    LoadReport itself;
    load("<Node><TestMass label='@.label'/></Node>", itself);
    CHECK(itself.ok());
    CHECK_THAT(textOf(itself), Catch::Contains("the link \"@.label\" leads to itself"));
    LoadReport engine;
    load(
        "<Node><TestLoader name='l' edges='@r.indices' position='1 0 0'/><TestROI name='r' box='@l.edges' "
        "position='@l.position'/></Node>",
        engine);
    CHECK_THAT(textOf(engine), Catch::Contains("cyclic dependency: "));
}

TEST_CASE("src links every Data of the same name that the element does not set", "[scene]")
{
    LoadReport report;
    const auto root = load(R"(<Node>
  <TestLoader name="loader" filename="f" position="1 0 0" edges="0 1" translation="7 7 7"/>
  <TestState name="all" src="@loader"/>
  <TestState name="some" src="@loader" position="3 3 3"/>
  <TestState name="none" src="@loader" edges="" position="4 4 4"/>
  <TestState name="placeholder" src="@"/>
  <Node name="n"><TestState name="up" src="@../loader"/><TestState name="old" src="loader"/></Node>
</Node>)",
                           report);
    INFO(textOf(report));
    CHECK(report.ok());
    auto& all = component<TestStateBase>(*root, "all");
    CHECK(all.d_position.value() == Vector<Vec3>{Vec3{1., 0., 0.}});
    CHECK(all.d_lines.value() == Vector<int>{0, 1});  // through the alias edges
    CHECK(all.d_translation.value() == Vec3{});       // the loader's own
    CHECK(all.name() == "all");
    CHECK(all.d_position.linkPath() == "@loader.position");
    CHECK(component<TestStateBase>(*root, "some").d_position.value() == Vector<Vec3>{Vec3{3., 3., 3.}});
    CHECK(component<TestStateBase>(*root, "some").d_lines.value().size() == 2);
    CHECK(component<TestStateBase>(*root, "none").d_lines.value().empty());
    CHECK(component<TestStateBase>(*root->child("n"), "up").d_position.value().size() == 1);
    CHECK(component<TestStateBase>(*root->child("n"), "old").d_position.value().size() == 1);
    component<TestLoader>(*root, "loader").d_position.setValue({Vec3{}, Vec3{}});
    CHECK(all.d_position.value().size() == 2);
}

TEST_CASE("src may lead forwards; a source that never comes is an error", "[scene]")
{
    LoadReport report;
    const auto root = load(R"(<Node>
  <TestState name="early" src="@n/loader"/>
  <TestState name="broken" src="@nobody"/>
  <Node name="n"><TestLoader name="loader" position="1 0 0"/></Node>
</Node>)",
                           report);
    CHECK(component<TestStateBase>(*root, "early").d_position.value().size() == 1);
    CHECK(report.count(Severity::Error) == 1);
    CHECK_THAT(textOf(report),
               Catch::Contains("test.scn:3:28: error") && Catch::Contains("'src': broken link \"@nobody\""));
}

TEST_CASE("Attributes by elements, comments, CDATA and declarations", "[scene]")
{
    LoadReport report;
    const auto root = load(R"(<!DOCTYPE scene>
<Node>
  <?editor something?>
  <TestMass><Attribute type="totalMass"><Data value="6"/></Attribute></TestMass>
  <!-- <TestMass/> -->
  <TestMass label="a &lt; b &amp; c"/>
</Node>)",
                           report);
    INFO(textOf(report));
    CHECK(report.ok());
    REQUIRE(root->components().size() == 2);
    CHECK(component<TestMass>(*root, "TestMass1").d_totalMass.value() == 6.);
    CHECK(component<TestMass>(*root, "TestMass2").d_label.value() == "a < b & c");
}

TEST_CASE("Text between tags, elements inside components", "[scene]")
{
    LoadReport report;
    const auto root = load("<Node>\nhello\n<TestMass totalMass='2'><TestMass/></TestMass>\n</Node>", report);
    CHECK(report.count(Severity::Warning) == 1);
    CHECK(report.count(Severity::Error) == 1);
    CHECK_THAT(textOf(report), Catch::Contains("text between the tags is ignored: \"hello\"") &&
                                   Catch::Contains("<TestMass> inside <TestMass>: a component contains no elements"));
    CHECK(root->components().size() == 1);
    CHECK(component<TestMass>(*root, "TestMass1").d_totalMass.value() == 2.);
}

TEST_CASE("Text that is no scene at all throws with its place", "[scene]")
{
    LoadReport report;
    const auto fails = [&](const std::string& text, const std::string& message) {
        INFO(text.substr(0, 60));
        CHECK_THROWS_AS(load(text, report), SceneError);
        CHECK_THROWS_WITH(load(text, report), Catch::Contains(message));
    };
    fails("", "the file is empty");
    fails("<Node>", "not closed");
    fails("<Node>\n<TestMass></Node>", "test.scn:2:1: this is no well-formed XML: an element is not closed");
    fails("<Node a=b/>", "an attribute is malformed");
    fails("<Node dt='1' dt='2'/>", "given twice");
    fails("<!-- never closed <Node/>", "comment is not closed");
    fails("<TestMass/>", "test.scn:1:1: the root of a scene is <Node>, found <TestMass>");
    fails("just text", "no");
    fails("<?xml version='1.0'?>", "no element");
    std::string deep;
    for (int i = 0; i < 10000; ++i) deep += "<Node>";
    for (int i = 0; i < 10000; ++i) deep += "</Node>";
    fails(deep, "nested too deeply");
}

TEST_CASE("A second root is an error", "[scene]")
{
    LoadReport report;
    load("<Node/>\n<Node/>", report);
    CHECK_THAT(textOf(report), Catch::Contains("test.scn:2:1: error: a second root element <Node>"));
}

TEST_CASE("Names that are taken are reported with the place of the first", "[scene]")
{
    LoadReport report;
    load("<Node>\n<TestMass name='a'/>\n<TestMass name='a'/>\n<Node name='a'/></Node>", report);
    CHECK(report.count(Severity::Warning) == 2);
    CHECK_THAT(
        textOf(report),
        Catch::Contains("test.scn:3:1: warning: the name 'a' is taken already in node '/' (/nowhere/test.scn:2:1)"));
}

TEST_CASE("Old paths of mappings are read as those of today", "[scene]")
{
    LoadReport report;
    const auto root = load(R"(<Node>
  <TestState name="dofs"/>
  <Node name="skin">
    <TestState name="Visual"/>
    <TestMapping name="m" object1="../.." object2="Visual"/>
    <TestMapping name="n" object1="../../dofs" object2="../Visual"/>
    <TestMapping name="above" object1="../dofs" object2="../Visual"/>
  </Node>
</Node>)",
                           report);
    INFO(textOf(report));
    CHECK(report.ok());
    const Node& skin = *root->child("skin");
    for (const char* name : {"m", "n", "above"}) {
        auto& m = component<TestMapping>(skin, name);
        CHECK(m.l_input.get() == root->component("dofs"));
        CHECK(m.l_output.get() == skin.component("Visual"));
    }
}

TEST_CASE("RequiredPlugin is satisfied by what is built in, and fails for what does not exist", "[scene]")
{
    LoadReport report;
    const auto root = load(R"(<Node>
  <RequiredPlugin name="Sofa.Component.Mass"/>
  <RequiredPlugin pluginName="Sofa.GL.Component.Rendering3D SofaImplicitOdeSolver Test.Scene"/>
  <RequiredPlugin name="list" pluginName="[Sofa.Component.Visual, Sofa.Component.StateContainer]"/>
</Node>)",
                           report);
    INFO(textOf(report));
    CHECK(report.messages.empty());
    LoadReport failing;
    load(
        "<Node><RequiredPlugin pluginName='NoSuchPlugin'/><RequiredPlugin/><RequiredPlugin pluginName='NoSuchPlugin' "
        "requireAll='0'/></Node>",
        failing);
    CHECK(failing.count(Severity::Error) == 2);
    CHECK(failing.count(Severity::Warning) == 1);
    CHECK_THAT(textOf(failing),
               Catch::Contains("cannot find the plugin 'NoSuchPlugin'") && Catch::Contains("expected pluginName"));
}

TEST_CASE("AddDataRepository adds a folder seen from the scene", "[scene]")
{
    const TemporaryDirectory tmp;
    writeFile(tmp.path() / "data/only_here.txt", "x");
    writeFile(tmp.path() / "s.scn", "<Node><AddDataRepository path='data'/><AddDataRepository path='none'/></Node>");
    LoadReport report;
    const MessageCapture silence;
    loadScene((tmp.path() / "s.scn").string(), {}, &report);
    CHECK_THAT(textOf(report), Catch::Contains("/none' is no folder"));
    CHECK(report.count(Severity::Error) == 1);
}

TEST_CASE("Elements can be added to a graph that exists", "[scene]")
{
    Node root("root");
    root.create<TestMass>().setName("mass");
    const SceneElement e =
        parseSceneText("<Node name='more'><TestMass totalMass='@../mass.totalMass'/></Node>", "/nowhere/x.scn");
    LoadReport report;
    buildInto(root, e, {}, &report);
    CHECK(report.messages.empty());
    REQUIRE(root.child("more"));
    component<TestMass>(root, "mass").d_totalMass.setValue(5.);
    CHECK(component<TestMass>(*root.child("more"), "TestMass1").d_totalMass.value() == 5.);
}

TEST_CASE("Exceptions of components while parsing are errors of that component", "[scene]")
{
    LoadReport report;
    const auto root = load("<Node><TestState dx='far'/><TestState dx='2'/></Node>", report);
    CHECK_THAT(textOf(report), Catch::Contains("attribute 'dx': expected a number, found 'far'"));
    CHECK(component<TestStateBase>(*root, "TestState2").dx == 2.);
}
