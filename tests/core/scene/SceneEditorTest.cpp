// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneEditor.h"

#include <catch2/catch.hpp>

#include "tests/core/scene/EditedScene.h"
#include "tests/core/scene/SceneTestComponents.h"

namespace scene_editor_test {

using namespace sofa::test;

TEST_CASE("Setting, adding and clearing attributes changes only them", "[scene]")
{
    Edited e;
    SECTION("a value")
    {
        CHECK(e.edit().setAttributes(e.object("/a"), {{"totalMass", "2 g"}}).empty());
        CHECK(e.bytes() == replaced(sceneText, "totalMass = \"1.0\"", "totalMass = \"2 g\""));
        CHECK(dynamic_cast<TestMass&>(e.object("/a")).d_totalMass.value() == Approx(0.002));
        CHECK(dynamic_cast<TestMass&>(e.object("/n/b")).d_totalMass.value() == Approx(0.002));
        e.checkLoaded();
    }
    SECTION("a new one, with the quotes of the others")
    {
        CHECK(e.edit().setAttributes(e.object("/a"), {{"indices", "1 2"}}).empty());
        CHECK(e.bytes() == replaced(sceneText, "label='x'", "label='x' indices='1 2'"));
        e.checkLoaded();
    }
    SECTION("a new one where each has a line")
    {
        CHECK(e.edit().setAttributes(e.object("/loader"), {{"edges", "0 1"}, {"filename", "f"}}).empty());
        CHECK(e.bytes() ==
              replaced(sceneText, "4 5 6\"\n", "4 5 6\"\n        edges=\"0 1\"\n        filename=\"f\"\n"));
        e.checkLoaded();
    }
    SECTION("a text with everything that XML escapes")
    {
        CHECK(e.edit().setAttributes(e.object("/a"), {{"label", "<&>\"'\n\xC3\xA9"}}).empty());
        CHECK(e.bytes() == replaced(sceneText, "'x'", "'&lt;&amp;&gt;\"&apos;&#10;\xC3\xA9'"));
        e.checkLoaded();
    }
    SECTION("an attribute under another name")
    {
        Edited alias("<Node><TestState edges='0 1'/></Node>");
        CHECK(alias.edit().setAttributes(alias.object("/TestState1"), {{"lines", "2 3"}}).empty());
        CHECK(alias.bytes() == "<Node><TestState edges='2 3'/></Node>");
    }
    SECTION("of the root")
    {
        CHECK(e.edit().setAttributes(*e.root, {{"dt", "0.5"}, {"gravity", "0 0 0"}}).empty());
        CHECK(e.bytes() == replaced(sceneText, "dt='0.01'", "dt='0.5' gravity='0 0 0'"));
        e.checkLoaded();
    }
    SECTION("cleared")
    {
        e.edit().clearAttribute(e.object("/a"), "totalMass");
        CHECK(e.bytes() == replaced(sceneText, " totalMass = \"1.0\"", ""));
        CHECK_FALSE(dynamic_cast<TestMass&>(e.object("/a")).d_totalMass.isSet());
        e.checkLoaded();
    }
    SECTION("switched off and on")
    {
        e.edit().switchOffAttribute(e.object("/a"), "label");
        CHECK(e.bytes() == replaced(sceneText, "label=", "_label="));
        CHECK(dynamic_cast<TestMass&>(e.object("/a")).d_label.value().empty());
        e.check();
        e.remember();
        e.edit().switchOnAttribute(e.object("/a"), "label");
        CHECK(e.bytes() == sceneText);
        CHECK(dynamic_cast<TestMass&>(e.object("/a")).d_label.value() == "x");
        e.checkLoaded();
    }
    SECTION("refused: nothing changes")
    {
        const EditErrors errors = e.edit().setAttributes(e.object("/a"), {{"label", "y"}, {"totalMass", "heavy"}});
        REQUIRE(errors.size() == 1);
        CHECK(errors[0].first == "totalMass");
        CHECK_FALSE(e.edit().setAttributes(e.object("/a"), {{"nothing", "1"}}).empty());
        CHECK(e.bytes() == sceneText);
        CHECK(e.summary() == e.graph);
        CHECK_FALSE(e.edit().canUndo());
    }
}

TEST_CASE("Edits of the same attributes become one step on request", "[scene]")
{
    Edited e;
    Base& a = e.object("/a");
    for (const char* v : {"2", "3", "4"}) e.edit().setAttributes(a, {{"totalMass", v}}, EditWhere::AsOverride, true);
    e.edit().setAttributes(a, {{"label", "y"}}, EditWhere::AsOverride, true);
    e.edit().setAttributes(a, {{"label", "z"}});
    CHECK(e.edit().undo());
    CHECK_THAT(e.bytes(), Catch::Contains("label='y'"));
    CHECK(e.edit().undo());
    CHECK_THAT(e.bytes(), Catch::Contains("label='x'") && Catch::Contains("totalMass = \"4\""));
    CHECK(e.edit().undo());
    CHECK(e.bytes() == sceneText);
    CHECK(e.summary() == e.graph);
    CHECK_FALSE(e.edit().undo());
    CHECK(e.edit().redo());
    CHECK_THAT(e.bytes(), Catch::Contains("totalMass = \"4\""));
    CHECK(dynamic_cast<TestMass&>(a).d_totalMass.value() == 4.);
    // After an undo nothing is merged into what was before.
    e.edit().undo();
    e.edit().setAttributes(a, {{"totalMass", "9"}}, EditWhere::AsOverride, true);
    CHECK_FALSE(e.edit().canRedo());
    e.edit().undo();
    CHECK(e.bytes() == sceneText);
}

TEST_CASE("What comes from an include is edited there, or as an override", "[scene]")
{
    const std::string
        main = "<Node>\n  <include href='part.xml' label='o'/>\n  <include href='part.xml' name='two'/>\n</Node>\n",
        part =
            "<Node name='one'>\n  <TestMass name='m' totalMass='1' label='a'/>\n  <TestMass label='b'/>\n"
            "  <Node name='in'><TestMass name='m2' totalMass='2'/></Node>\n</Node>\n";
    Edited e(main, {{"part.xml", part}});
    auto& m = dynamic_cast<TestMass&>(e.object("/one/m"));
    auto& other = dynamic_cast<TestMass&>(e.object("/two/m"));

    SECTION("as a new override")
    {
        CHECK(e.edit().setAttributes(m, {{"totalMass", "5"}}).empty());
        CHECK(e.bytes() == replaced(main, "label='o'", "label='o' m__totalMass='5'"));
        CHECK(e.bytes(1) == part);
        CHECK(other.d_totalMass.value() == 1.);
        e.check();
        e.remember();
        CHECK(e.edit().setAttributes(m, {{"totalMass", "6"}}).empty());
        CHECK(e.bytes() == replaced(main, "label='o'", "label='o' m__totalMass='6'"));
        e.check();
        e.remember();
        e.edit().clearAttribute(m, "totalMass");
        CHECK(e.bytes() == main);
        CHECK(m.d_totalMass.value() == 1.);
        e.checkLoaded();
    }
    SECTION("an override of one where an override of many is")
    {
        CHECK(e.edit().setAttributes(m, {{"label", "p"}}).empty());
        CHECK(e.bytes() == replaced(main, "label='o'", "label='o' m__label='p'"));
        CHECK(dynamic_cast<TestMass&>(e.object("/one/TestMass1")).d_label.value() == "o");
        e.checkLoaded();
    }
    SECTION("in the file, for all that include it")
    {
        CHECK(e.edit().setAttributes(m, {{"totalMass", "5"}}, EditWhere::InInclude).empty());
        CHECK(e.bytes() == main);
        CHECK(e.bytes(1) == replaced(part, "totalMass='1'", "totalMass='5'"));
        CHECK(other.d_totalMass.value() == 5.);
        e.checkLoaded();
        CHECK_THROWS_WITH(e.edit().setAttributes(m, {{"label", "q"}}, EditWhere::InInclude),
                          Catch::Contains("main.scn:2:3: edit it there"));
        e.remember();
        CHECK(e.edit().setAttributes(other, {{"label", "q"}}, EditWhere::InInclude).empty());
        CHECK(m.d_label.value() == "o");
        e.checkLoaded();
    }
    SECTION("what an override cannot say")
    {
        CHECK_THROWS_WITH(e.edit().setAttributes(m, {{"indices", "1"}}),
                          Catch::Contains("the included file does not give it"));
        CHECK_THROWS_WITH(e.edit().setAttributes(e.object("/one/TestMass1"), {{"label", "1"}}),
                          Catch::Contains("its element has no name of its own"));
        CHECK_THROWS_WITH(e.edit().remove(m), Catch::Contains("edit it in that file"));
        CHECK_THROWS_WITH(e.edit().add(e.node("/one"), "<TestMass/>"), Catch::Contains("edit it in that file"));
        CHECK_THROWS_WITH(e.edit().move(m, e.node("/one/in")), Catch::Contains("edit it in that file"));
        CHECK_THROWS_WITH(e.edit().clearAttribute(other, "label"), Catch::Contains("edit it in the included file"));
        CHECK(e.bytes() == main);
        CHECK(e.summary() == e.graph);
    }
    SECTION("the root of the file is renamed by its include")
    {
        e.edit().rename(e.object("/one"), "first");
        CHECK(e.bytes() ==
              replaced(main, "<include href='part.xml' label", "<include name='first' href='part.xml' label"));
        e.checkLoaded();
    }
    SECTION("structure, in the file, for all that include it")
    {
        e.edit().add(e.node("/one/in"), "<TestMass name='new'/>", nullptr, EditWhere::InInclude);
        CHECK(e.object("/two/in/new").className() == "TestMass");
        e.checkLoaded();
        e.remember();
        e.edit().move(e.object("/one/m"), e.node("/one/in"), nullptr, EditWhere::InInclude);
        CHECK(e.object("/two/in/m").className() == "TestMass");
        e.check();
        e.remember();
        e.edit().rename(e.object("/one/in/m"), "k", EditWhere::InInclude);
        CHECK(e.object("/two/in/k").className() == "TestMass");
        e.check();
        e.remember();
        e.edit().remove(e.object("/two/in/k"), EditWhere::InInclude);
        CHECK(findObject(*e.root, "/one/in/k") == nullptr);
        CHECK(e.bytes() == main);
        e.check();
    }
}

TEST_CASE("Line ends and encodings stay", "[scene]")
{
    std::string text = sceneText;
    for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 2) text.insert(i, 1, '\r');
    text = replaced(text, "<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>");
    text = replaced(text, "label='x'", "label='\xE9'");
    Edited e(text);
    e.edit().setAttributes(e.object("/a"), {{"label", "\xC3\xA8\xE2\x82\xAC"}});
    CHECK(e.bytes() == replaced(text, "'\xE9'", "'\xE8&#8364;'"));
    e.edit().add(e.node("/n"), "<Node>\n  <TestMass label='\xC3\xA8'/>\n</Node>");
    e.edit().move(e.object("/n/deep"), *e.root);
    e.edit().setAttributes(e.object("/loader"), {{"edges", "0 1"}});
    std::size_t lone = 0;
    for (std::size_t i = 0; (i = e.bytes().find('\n', i)) != std::string::npos; ++i)
        if (e.bytes()[i - 1] != '\r') ++lone;
    CHECK(lone == 0);
    CHECK_THAT(e.bytes(), Catch::Contains("<TestMass label='\xE8'/>"));
    e.remember();
    while (e.edit().undo()) {
    }
    CHECK(e.bytes() == text);
}

namespace {

/// Finds out only when it begins to work that a value is no good.
class Picky final : public Component
{
public:
    std::string className() const override { return "Picky"; }
    Data<double> d_size{this, {.name = "size", .help = "a number", .unit = "m"}, 1.};
    void reinit() override
    {
        if (isValid() && d_size.value() > 2.) fail("too large");
        if (isValid()) used = d_size.value();
    }
    double used = 1.;
};

}  // namespace

TEST_CASE("A component that refused an edit works on as before, and takes the next one", "[scene]")
{
    const Edited e;
    auto& picky = e.root->create<Picky>();
    picky.setInitialised(true);
    const MessageCapture silence;
    const EditErrors errors = e.edit().setAttributes(picky, {{"size", "3"}});
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].second == "too large");
    CHECK(picky.isValid());
    CHECK(picky.used == 1.);
    CHECK(picky.d_size.value() == 1.);
    CHECK(e.edit().setAttributes(picky, {{"size", "1.5"}}).empty());
    CHECK(picky.used == 1.5);
    REQUIRE(e.edit().undo());
    CHECK(picky.used == 1.);
    REQUIRE(e.edit().redo());
    CHECK(picky.used == 1.5);
    CHECK(picky.isValid());
}

TEST_CASE("A scene that code made can be edited without a document", "[scene]")
{
    const auto root = std::make_shared<Node>("root");
    TestMass& m = root->create<TestMass>();
    SceneEditor editor(*root);
    CHECK(editor.setAttributes(m, {{"totalMass", "3"}}).empty());
    CHECK(m.d_totalMass.value() == 3.);
    editor.rename(m, "m");
    editor.remove(m);
    CHECK(root->components().empty());
    while (editor.undo()) {
    }
    CHECK(root->components().size() == 1);
    CHECK(m.d_totalMass.value() == 1.);
    CHECK(m.name() == "TestMass1");
    CHECK_THROWS_AS(editor.add(*root, "<TestMass/>"), EditError);
}

}  // namespace scene_editor_test
