// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneEditor.h"

#include <catch2/catch.hpp>
#include <map>

#include "core/scene/SceneWriter.h"
#include "tests/core/scene/SceneTestComponents.h"

using namespace sofa::test;

namespace {

const std::string sceneText =
    "<?xml version=\"1.0\"?>\n"
    "<!-- head -->\n"
    "<Node name=\"root\" dt='0.01'>\n"
    "    <TestMass name=\"a\" totalMass = \"1.0\"  label='x'/> <!-- beside -->\n"
    "    <TestLoader\n"
    "        name=\"loader\"\n"
    "        position=\"1 2 3\n"
    "                  4 5 6\"\n"
    "    />\n"
    "    <!-- a node -->\n"
    "    <Node name=\"n\">\n"
    "        <TestMass name=\"b\" totalMass=\"@../a.totalMass\"/>\n"
    "        <TestState name=\"s\" src=\"@../loader\"/>\n"
    "        <Node name=\"deep\">\n"
    "            <TestMapping name=\"map\" input=\"@../s\" all=\"@../../a @../b\"/>\n"
    "        </Node>\n"
    "    </Node>\n"
    "    <Node name=\"empty\"/>\n"
    "</Node>\n";

/// A scene that is edited; what every edit must keep is checked here.
struct Edited
{
    TemporaryDirectory tmp;
    std::shared_ptr<Node> root;
    std::vector<std::string> before;  ///< of each file
    std::string graph;

    explicit Edited(const std::string& text = sceneText,
                    std::initializer_list<std::pair<std::string, std::string>> files = {})
    {
        for (const auto& [name, content] : files) writeFile(tmp.path() / name, content);
        writeFile(tmp.path() / "main.scn", text);
        const MessageCapture silence;
        LoadReport report;
        root = loadScene((tmp.path() / "main.scn").string(), {}, &report);
        INFO(textOf(report));
        REQUIRE(report.ok());
        remember();
    }
    SceneDocument& document() const { return *root->scene().document; }
    const std::string& bytes(std::uint32_t file = 0) const { return document().xml(file).bytes(); }
    SceneEditor edit() const { return SceneEditor(*root); }
    void remember()
    {
        before.clear();
        for (std::uint32_t i = 0; i < document().fileCount(); ++i) before.push_back(bytes(i));
        graph = summary();
    }

    /// Names, classes, values and links of the graph.
    std::string summary() const
    {
        std::string s;
        const auto describe = [&s](const Base& b) {
            s += b.pathName() + ' ' + b.className() + '\n';
            for (const BaseData* d : b.data()) s += "  " + d->name() + '=' + d->text() + ' ' + d->linkPath() + '\n';
            for (BaseLink* l : b.links()) {
                std::string error;
                l->resolve(error);
                s += "  " + std::string(l->name()) + "->" + l->path() + ' ';
                for (const Base* t : l->targets()) s += t->pathName() + ' ';
                s += '\n';
            }
            const auto& given = b.givenAttributes();
            for (const auto& [name, text] : std::map<std::string, std::string>(given.begin(), given.end()))
                s += "  given " + name + '=' + text + '\n';
        };
        for (const Node* n : root->descendants(true)) {
            describe(*n);
            for (const auto& c : n->components()) describe(*c);
        }
        return s;
    }

    /// What the last edit did is what the text says, is not seen as a change of the graph, and can be taken back and
    /// done again exactly.
    void check()
    {
        const std::string text = bytes(), now = summary();
        std::vector<std::string> after;
        for (std::uint32_t i = 0; i < document().fileCount(); ++i) after.push_back(bytes(i));
        {
            const MessageCapture silence;
            LoadReport report;
            saveScene(*root, (tmp.path() / "copy.scn").string());
            CHECK(readBytes((tmp.path() / "copy.scn").string()) == text);
        }
        REQUIRE(edit().undo());
        for (std::uint32_t i = 0; i < document().fileCount(); ++i) CHECK(bytes(i) == before[i]);
        CHECK(summary() == graph);
        REQUIRE(edit().redo());
        for (std::uint32_t i = 0; i < document().fileCount(); ++i) CHECK(bytes(i) == after[i]);
        CHECK(summary() == now);
    }
    /// The same, and a graph loaded from the files is the one that was edited.
    void checkLoaded()
    {
        check();
        for (std::uint32_t i = 0; i < document().fileCount(); ++i) writeFile(document().xml(i).path(), bytes(i));
        const MessageCapture silence;
        LoadReport report;
        Edited again("<Node/>");
        again.root = loadScene((tmp.path() / "main.scn").string(), {}, &report);
        INFO(textOf(report));
        CHECK(report.ok());
        CHECK(again.summary() == summary());
    }

    Base& object(const std::string& path) const
    {
        Base* b = findObject(*root, path);
        if (!b) throw std::runtime_error("no object " + path);
        return *b;
    }
    Node& node(const std::string& path) const { return dynamic_cast<Node&>(object(path)); }
};

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    REQUIRE(text.find(from, at + 1) == std::string::npos);
    return text.replace(at, from.size(), to);
}

}  // namespace

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
