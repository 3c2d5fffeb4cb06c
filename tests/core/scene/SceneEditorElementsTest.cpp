// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/scene/SceneWriter.h"
#include "tests/core/scene/EditedScene.h"
#include "tests/core/scene/SceneTestComponents.h"

using namespace sofa::test;

TEST_CASE("Elements are added with the indentation around them", "[scene]")
{
    Edited e;
    SECTION("at the end")
    {
        const auto made = e.edit().add(e.node("/n"), "<Node name=\"new\">\n  <TestMass/>\n</Node>");
        REQUIRE(made.size() == 1);
        CHECK(made[0]->pathName() == "/n/new");
        CHECK(
            e.bytes() ==
            replaced(
                sceneText, "        </Node>\n    </Node>\n",
                "        </Node>\n        <Node name=\"new\">\n          <TestMass/>\n        </Node>\n    </Node>\n"));
        e.checkLoaded();
    }
    SECTION("before a component")
    {
        e.edit().add(e.node("/n"), "<TestMass name=\"c\"/>", &e.object("/n/s"));
        CHECK(e.bytes() ==
              replaced(sceneText, "        <TestState", "        <TestMass name=\"c\"/>\n        <TestState"));
        CHECK(e.node("/n").components()[1]->name() == "c");
        e.checkLoaded();
    }
    SECTION("into an empty tag")
    {
        e.edit().add(e.node("/empty"), "<TestMass/><TestMass/>");
        CHECK(e.bytes() == replaced(sceneText, "<Node name=\"empty\"/>",
                                    "<Node name=\"empty\">\n        <TestMass/><TestMass/>\n    </Node>"));
        e.checkLoaded();
    }
    SECTION("what cannot be made leaves nothing behind")
    {
        const MessageCapture silence;
        CHECK_THROWS_AS(e.edit().add(e.node("/n"), "<TestMass/><NoSuchThing/>"), EditError);
        CHECK_THROWS_AS(e.edit().add(e.node("/n"), "<TestMass totalMass='x'/>"), EditError);
        CHECK_THROWS_AS(e.edit().add(e.node("/n"), "<TestMass"), EditError);
        CHECK_THROWS_AS(e.edit().add(e.node("/n"), "no element"), EditError);
        CHECK_THROWS_AS(e.edit().add(e.node("/n"), "</Node><Node>"), EditError);
        CHECK(e.bytes() == sceneText);
        CHECK(e.summary() == e.graph);
    }
}

TEST_CASE("Elements are removed with their lines", "[scene]")
{
    Edited e;
    SECTION("alone in its lines")
    {
        e.edit().remove(e.object("/loader"));
        CHECK(e.bytes() == replaced(sceneText,
                                    "    <TestLoader\n        name=\"loader\"\n        position=\"1 2 3\n              "
                                    "    4 5 6\"\n    />\n",
                                    ""));
        CHECK(e.root->component("loader") == nullptr);
    }
    SECTION("beside something")
    {
        e.edit().remove(e.object("/a"));
        CHECK(e.bytes() == replaced(sceneText, "<TestMass name=\"a\" totalMass = \"1.0\"  label='x'/>", ""));
    }
    SECTION("a node with all in it, and back with the same objects")
    {
        const Base* deep = &e.object("/n/deep/map");
        e.edit().remove(e.object("/n"));
        CHECK(e.root->child("n") == nullptr);
        e.edit().undo();
        CHECK(e.bytes() == sceneText);
        CHECK(&e.object("/n/deep/map") == deep);
        CHECK(e.root->children()[0]->name() == "n");
        CHECK(e.document().text(e.document().origin(*deep)->place).starts_with("<TestMapping"));
        e.edit().redo();
        CHECK_THAT(e.bytes(), !Catch::Contains("deep"));
    }
    SECTION("what was removed is not written by Save either")
    {
        e.edit().remove(e.object("/n/deep"));
        const std::string text = e.bytes();
        saveScene(*e.root, (e.tmp.path() / "main.scn").string());
        CHECK(e.bytes() == text);
        CHECK(readBytes((e.tmp.path() / "main.scn").string()) == text);
    }
    CHECK_THROWS_AS(e.edit().remove(*e.root), EditError);
}

TEST_CASE("Elements are moved with new indentation, and links follow", "[scene]")
{
    Edited e;
    SECTION("to another node")
    {
        const Base* map = &e.object("/n/deep/map");
        const Base* s = &e.object("/n/s");
        e.edit().move(e.object("/n/deep"), e.node("/empty"));
        CHECK(map->pathName() == "/empty/deep/map");
        CHECK(e.bytes() ==
              replaced(replaced(sceneText,
                                "        <Node name=\"deep\">\n"
                                "            <TestMapping name=\"map\" input=\"@../s\" all=\"@../../a @../b\"/>\n"
                                "        </Node>\n",
                                ""),
                       "<Node name=\"empty\"/>",
                       "<Node name=\"empty\">\n        <Node name=\"deep\">\n"
                       "            <TestMapping name=\"map\" input=\"@/n/s\" all=\"@../../a @/n/b\"/>\n"
                       "        </Node>\n    </Node>"));
        CHECK(dynamic_cast<const TestMapping*>(map)->l_input.get() == s);
        e.checkLoaded();
    }
    SECTION("within its node")
    {
        e.edit().move(e.object("/n/s"), e.node("/n"), &e.object("/n/b"));
        CHECK(e.node("/n").components()[0]->name() == "s");
        const std::string b = "        <TestMass name=\"b\" totalMass=\"@../a.totalMass\"/>\n",
                          s = "        <TestState name=\"s\" src=\"@../loader\"/>\n";
        CHECK(e.bytes() == replaced(sceneText, b + s, s + b));
        e.checkLoaded();
    }
    SECTION("a value of several lines keeps them")
    {
        e.edit().move(e.object("/loader"), e.node("/n"), &e.object("/n/b"));
        CHECK_THAT(e.bytes(), Catch::Contains("        <TestLoader\n            name=\"loader\"\n"
                                              "            position=\"1 2 3\n                  4 5 6\"\n"
                                              "        />\n        <TestMass name=\"b\"") &&
                                  Catch::Contains("src=\"@/n/loader\""));
        e.checkLoaded();
    }
    SECTION("not into itself")
    {
        CHECK_THROWS_AS(e.edit().move(e.object("/n"), e.node("/n/deep")), EditError);
        CHECK_THROWS_AS(e.edit().move(e.object("/n"), e.node("/n")), EditError);
        CHECK(e.bytes() == sceneText);
        CHECK(e.summary() == e.graph);
    }
}

TEST_CASE("A new name is followed by the links that lead to it or through it", "[scene]")
{
    Edited e;
    SECTION("a component")
    {
        e.edit().rename(e.object("/a"), "mass");
        CHECK(e.bytes() == replaced(replaced(replaced(sceneText, "name=\"a\"", "name=\"mass\""), "@../a.totalMass",
                                             "@../mass.totalMass"),
                                    "@../../a @../b", "@../../mass @../b"));
        e.checkLoaded();
    }
    SECTION("a source")
    {
        e.edit().rename(e.object("/loader"), "mesh");
        CHECK_THAT(e.bytes(), Catch::Contains("src=\"@../mesh\""));
        CHECK(dynamic_cast<TestStateBase&>(e.object("/n/s")).d_position.linkPath() == "@../mesh.position");
        e.checkLoaded();
    }
    SECTION("a source in the old spelling")
    {
        Edited f("<Node><TestLoader name='l' position='1 2 3'/><TestState src='l'/><TestState src='l'/></Node>");
        f.edit().rename(f.object("/l"), "k");
        CHECK(f.bytes() ==
              "<Node><TestLoader name='k' position='1 2 3'/><TestState src='@k'/><TestState src='@k'/></Node>");
        f.checkLoaded();
    }
    SECTION("an object without name gets one")
    {
        Edited f("<Node><TestMass totalMass='1'/><TestMass totalMass='@TestMass1.totalMass'/></Node>");
        f.edit().rename(f.object("/TestMass1"), "m");
        CHECK(f.bytes() == "<Node><TestMass name='m' totalMass='1'/><TestMass totalMass='@m.totalMass'/></Node>");
        f.check();
    }
    SECTION("names that are taken, or are none")
    {
        CHECK_THROWS_AS(e.edit().rename(e.object("/a"), "n"), EditError);
        CHECK_THROWS_AS(e.edit().rename(e.object("/a"), "x/y"), EditError);
        CHECK_THROWS_AS(e.edit().rename(e.object("/a"), ""), EditError);
        CHECK(e.bytes() == sceneText);
        CHECK(e.summary() == e.graph);
    }
}

TEST_CASE("References to a node with several parents follow it, and go with it", "[scene]")
{
    const std::string text =
        "<Node>\n  <Node name='a'>\n    <Node name='shared'/>\n  </Node>\n  <Node name='b'>\n"
        "    <Node sameAs='@/a/shared'/>\n    <Node name='last'/>\n  </Node>\n</Node>\n";
    Edited e(text);
    e.edit().rename(e.object("/a"), "c");
    CHECK(e.bytes() == replaced(replaced(text, "'a'", "'c'"), "@/a/shared", "@/c/shared"));
    e.checkLoaded();
    e.remember();
    e.edit().remove(e.object("/c/shared"));
    CHECK_THAT(e.bytes(), !Catch::Contains("shared"));
    CHECK(e.node("/b").children().size() == 1);
    e.checkLoaded();
    e.edit().undo();
    CHECK(e.node("/b").children()[0]->name() == "shared");
    e.edit().undo();
    CHECK(e.bytes() == text);
    // One more parent, by other ways.
    e.remember();
    e.root->addChild(e.node("/b").children()[1]);
    e.document().update(*e.root);
    CHECK_THAT(e.bytes(), Catch::Contains("  <Node sameAs=\"@/b/last\"/>\n</Node>"));
    // The step of an update comes back with the next one: the graph is still so.
    const std::string now = e.bytes();
    e.edit().undo();
    CHECK(e.bytes() == e.before[0]);
    e.document().update(*e.root);
    CHECK(e.bytes() == now);
    // And one less.
    e.root->removeChild(e.node("/b/last"));
    e.document().update(*e.root);
    CHECK(e.bytes() == e.before[0]);
}

TEST_CASE("Components are switched off as comments, nodes by their attribute", "[scene]")
{
    Edited e;
    e.edit().switchOff(e.object("/n/s"));
    CHECK(e.bytes() == replaced(sceneText, "<TestState name=\"s\" src=\"@../loader\"/>",
                                "<!-- <TestState name=\"s\" src=\"@../loader\"/> -->"));
    CHECK(e.node("/n").component("s") == nullptr);
    const auto off = e.edit().switchedOff(e.node("/n"));
    REQUIRE(off.size() == 1);
    e.remember();
    CHECK(e.edit().switchOn(e.node("/n"), off[0]).size() == 1);
    CHECK(e.bytes() == sceneText);
    CHECK(e.node("/n").component("s") != nullptr);
    e.edit().undo();
    e.edit().undo();
    CHECK(e.bytes() == sceneText);
    CHECK(e.edit().switchedOff(*e.root).empty());  // "a node" is no element
    e.edit().switchOff(e.object("/n"));
    CHECK(e.bytes() == replaced(sceneText, "<Node name=\"n\">", "<Node name=\"n\" activated=\"0\">"));
    CHECK_FALSE(e.node("/n").isActive());
    e.edit().undo();
    CHECK(e.node("/n").isActive());
    CHECK(e.bytes() == sceneText);
    Edited f("<Node><TestMass label='--'/></Node>");
    CHECK_THROWS_AS(f.edit().switchOff(f.object("/TestMass1")), EditError);
}
