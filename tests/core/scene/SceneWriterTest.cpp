// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneWriter.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/core/scene/SceneTestComponents.h"

namespace scene_writer_test {

using namespace sofa::test;

namespace {

/// Everything that two equal graphs share: names, classes, templates, Data with their links, links.
std::string summary(const Node& root)
{
    std::string s;
    const auto describe = [&s](const Base& b) {
        s += b.pathName() + ' ' + b.className() + ' ' + b.templateName() + '\n';
        for (const BaseData* d : b.data()) s += "  " + d->name() + " = " + d->text() + ' ' + d->linkPath() + '\n';
        for (const BaseLink* l : b.links()) s += "  " + std::string(l->name()) + " -> " + l->text() + '\n';
    };
    for (const Node* n : root.descendants(true)) {
        describe(*n);
        for (const auto& c : n->components()) describe(*c);
    }
    return s;
}

}  // namespace

TEST_CASE("Load, write, load gives an equal graph", "[scene]")
{
    LoadReport report;
    const auto first = load(R"(<Node name="root" dt="0.05" gravity="0 0 -1.5" animate="1">
  <TestLoader name="loader" filename="mesh/a.obj" position="1 0 0  0.1 0.2 0.30000000000000004" edges="0 1"/>
  <TestState src="@loader" template="Rigid3" dx="2.5" scale="3"/>
  <TestROI name="roi" box="0 2" position="@loader.position"/>
  <TestMass indices="@[-1].indices" label="a &quot;b&quot; &lt; c &amp; d&#10;e" tags="x y"/>
  <Node name="skin" activated="0">
    <TestState name="Visual"/>
    <TestMapping input="@../TestState1" output="@Visual" all="@Visual @../roi"/>
    <Node/>
  </Node>
</Node>)",
                            report);
    INFO(textOf(report));
    REQUIRE(report.ok());
    const std::string text = writeScene(*first);
    INFO(text);
    LoadReport again;
    const auto second = load(text, again);
    CHECK(textOf(again).empty());
    CHECK(summary(*second) == summary(*first));
    CHECK(writeScene(*second) == text);
    CHECK(component<TestStateBase>(*second, "TestState1").dx == 2.5);
    CHECK_THAT(text, Catch::Contains("src=\"@loader\"") && !Catch::Contains("printLog") &&
                         !Catch::Contains("name=\"TestState1\""));
}

TEST_CASE("What an editor sets is written; what an engine computes is not", "[scene]")
{
    LoadReport report;
    const auto root =
        load("<Node><TestLoader name='l' position='1 0 0'/><TestROI name='r' box='0 2' position='@l.position'/></Node>",
             report);
    auto& roi = component<TestRoi>(*root, "r");
    REQUIRE(roi.d_indices.value().size() == 1);
    roi.setAttribute("box", "0 5", {});
    const std::string text = writeScene(*root);
    CHECK_THAT(text, Catch::Contains("box=\"0 5\"") && !Catch::Contains("indices"));
}

TEST_CASE("What code computed in a component of a scene is not written", "[scene]")
{
    LoadReport report;
    const auto root = load("<Node><TestMass totalMass='1'/></Node>", report);
    auto& mass = component<TestMass>(*root, "TestMass1");
    mass.d_totalMass.setValue(2.);
    mass.d_label.setValue("new");
    CHECK_THAT(writeScene(*root), Catch::Contains("totalMass=\"1\"") && !Catch::Contains("label"));
}

TEST_CASE("Objects made by code are written with the Data that differ from their defaults", "[scene]")
{
    Node root("made");
    TestMass& m = root.create<TestMass>();
    m.d_totalMass.setValue(1.);
    m.d_indices.setValue({1, 2});
    TestMapping& map = root.create<TestMapping>();
    map.l_all.setPath("@TestMass1", {});
    CHECK(writeScene(root) ==
          "<?xml version=\"1.0\"?>\n"
          "<Node name=\"made\">\n"
          "  <TestMass indices=\"1 2\"/>\n"
          "  <TestMapping all=\"@TestMass1\"/>\n"
          "</Node>\n");
}

TEST_CASE("A node with several parents is written once, and as a reference below the others", "[scene]")
{
    const auto root = std::make_shared<Node>("root");
    const auto a = root->createChild("a"), b = root->createChild("b"), shared = a->createChild("shared");
    b->addChild(shared);
    b->createChild("last");
    const std::string text = writeScene(*root);
    CHECK_THAT(text,
               Catch::Contains("<Node name=\"b\">\n    <Node sameAs=\"@/a/shared\"/>\n    <Node name=\"last\"/>"));
    LoadReport report;
    const auto again = load(text, report);
    INFO(textOf(report));
    CHECK(report.messages.empty());
    REQUIRE(again->child("b")->children().size() == 2);
    CHECK(again->child("b")->children()[0].get() == again->child("a")->child("shared"));
    CHECK(again->child("a")->child("shared")->parents().size() == 2);
    CHECK(writeScene(*again) == text);
}

TEST_CASE("sameAs may lead forwards; to nothing, to a component and into a circle it is an error", "[scene]")
{
    LoadReport report;
    const auto root = load(R"(<Node>
  <Node name="a"><Node sameAs="@../b/late"/></Node>
  <Node name="b"><Node name="late"><Node sameAs="@/b"/></Node><TestMass name="m"/></Node>
  <Node sameAs="@nobody"/>
  <Node sameAs="@b/m"/>
</Node>)",
                           report);
    CHECK(root->child("a")->children().size() == 1);
    CHECK(root->child("b")->child("late")->parents().size() == 2);
    CHECK(report.count(Severity::Error) == 3);
    CHECK_THAT(textOf(report),
               Catch::Contains("test.scn:3:42: error: /b/late (Node): attribute 'sameAs': cyclic graph") &&
                   Catch::Contains("test.scn:4:9: error: / (Node): attribute 'sameAs': there is no 'nobody'") &&
                   Catch::Contains("'@b/m' is no node"));
}

TEST_CASE("Written for another folder, a scene still finds its files", "[scene]")
{
    const TemporaryDirectory tmp;
    writeFile(tmp.path() / "here/mesh/a.obj", "x");
    writeFile(tmp.path() / "here/s.scn",
              "<Node><TestLoader filename='mesh/a.obj'/><TestLoader filename='missing.obj'/></Node>");
    std::filesystem::create_directories(tmp.path() / "there");
    const auto root = loadScene((tmp.path() / "here/s.scn").string());
    CHECK_THAT(writeScene(*root, {.folder = (tmp.path() / "here").string()}),
               Catch::Contains("filename=\"mesh/a.obj\""));
    CHECK_THAT(writeScene(*root, {.folder = (tmp.path() / "there").string()}),
               Catch::Contains("filename=\"../here/mesh/a.obj\"") && Catch::Contains("filename=\"missing.obj\""));
}

}  // namespace scene_writer_test
