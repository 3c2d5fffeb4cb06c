// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneText.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

#include "core/scene/TextLinks.h"
#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"

namespace scene_text_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

const std::string body = R"(<?xml version="1.0"?>
<Node name="root" dt="0.01">
  <!-- <CollisionPipeline/> -->
  <Node name="body">
    <MeshTopology name="mesh" position="0 0 0"/>
    <MechanicalObject name="dofs"   position="@mesh.position"/>
    <UniformMass/>
    <Node name="visual">
      <OglModel name="skin" position="@../mesh.position"/>
      <IdentityMapping input="@../dofs" output="@skin"/>
    </Node>
  </Node>
  <AttachConstraint object1="@body/dofs" object2="@/body/dofs"/>
</Node>
)";

/// Number of the element at a path of names.
XmlId at(const SceneText& t, const std::string& path)
{
    const TextLinks links(*t.tree());
    for (std::uint32_t i = 0; i < t.tree()->items().size(); ++i)
        if (!links.nameOf(i).empty() && links.pathOf(i) == path) return t.tree()->items()[i].id;
    FAIL("no element at " << path);
    return 0;
}

bool has(const SceneText& t, const std::string& piece) { return t.bytes().find(piece) != std::string::npos; }

std::vector<fs::path> scenesBelow(const fs::path& folder)
{
    std::vector<fs::path> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (const auto extension = entry.path().extension(); extension == ".scn" || extension == ".xml")
            out.push_back(entry.path());
    std::ranges::sort(out);
    return out;
}

/// One random command or edit of the text; what cannot be done changes nothing.
void editAtRandom(SceneText& t, std::mt19937& random)
{
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
    const unsigned what = static_cast<unsigned>(below(12));
    if (what == 0 || !t.wellFormed()) {
        // By hand, well-formed or not.
        static const std::vector<std::string> pieces{"", "<", "\"", "<Node/>", "x", " a=\"1\"", "\n", "-->", "é"};
        const std::size_t place = below(t.bytes().size()), length = below(3);
        t.edit({{place, std::min(length, t.bytes().size() - place), pieces[below(pieces.size())]}}, "type",
               below(2) ? "typing" : "");
        if (!t.wellFormed() && below(3) == 0) t.undo();
        return;
    }
    const auto& items = t.tree()->items();
    const XmlId one = items[below(items.size())].id, other = items[below(items.size())].id,
                third = items[below(items.size())].id;
    const std::string number = std::to_string(below(1000));
    try {
        switch (what) {
            case 1:
                t.insert(one, 0, "<Node name=\"n\">\n  <UniformMass name=\"m\"/>\n</Node>", true);
                break;
            case 2:
                t.remove({one});
                break;
            case 3:
                t.move({one, third}, other, 0);
                break;
            case 4:
                t.duplicate({one});
                break;
            case 5:
                t.rename(one, "name" + number);
                break;
            case 6:
                t.setAttribute(one, "a" + number, "<\"&'\n" + number, below(2) == 0);
                break;
            case 7:
                if (const auto list = t.tree()->attributes(t.tree()->items()[t.tree()->find(one)]); !list.empty())
                    t.clearAttribute(one, std::string(t.tree()->name(list[below(list.size())])));
                break;
            case 8:
                t.commentOut({one});
                break;
            case 9:
                t.commentIn({one});
                break;
            case 10:
                t.insert(other, 0, t.copied({one, third}), true);
                break;
            default:
                if (below(4) == 0) t.undo();
        }
    } catch (const EditError&) {
    }
}

/// Edits each scene many times, and takes that back. Returns what went wrong.
std::string editAll(const std::vector<fs::path>& scenes, int edits)
{
    std::string wrong;
    unsigned seed = 1;
    for (const fs::path& scene : scenes) {
        const std::string bytes = readBytes(scene.string());
        SceneText t(bytes, scene.string());
        if (t.bytes() != bytes || t.isEdited()) wrong += scene.string() + ": opening changed it\n";
        std::mt19937 random(seed++);
        for (int i = 0; i < edits; ++i) editAtRandom(t, random);
        const std::string after = t.bytes();
        const std::size_t done = t.historyPosition();
        t.goTo(0);
        if (t.bytes() != bytes || t.isEdited()) wrong += scene.string() + ": undo gives other bytes\n";
        t.goTo(done);
        if (t.bytes() != after) wrong += scene.string() + ": redo gives other bytes\n";
        while (t.canUndo()) t.undo();
        if (t.bytes() != bytes) wrong += scene.string() + ": the second undo gives other bytes\n";
    }
    return wrong;
}

}  // namespace

TEST_CASE("A text that is no XML is held, and becomes a tree when it is one")
{
    SceneText t("<Node>\n  <UniformMass\n</Node>\n", "a.scn");
    CHECK_FALSE(t.wellFormed());
    CHECK(t.tree() == nullptr);
    CHECK_THROWS_AS(t.remove({1}), EditError);
    CHECK(std::string(t.error()->what()).starts_with("a.scn:"));
    t.edit({{t.bytes().find("UniformMass") + 11, 0, "/>"}}, "type");
    REQUIRE(t.wellFormed());
    const XmlId mass = at(t, "/UniformMass1");
    // What is not touched keeps its number, also over a time in which the text is broken.
    const std::size_t last = t.bytes().rfind('>');
    t.edit({{last, 1, ""}}, "type");
    CHECK_FALSE(t.wellFormed());
    CHECK(t.tree() != nullptr);
    t.edit({{last, 0, ">"}}, "type");
    REQUIRE(t.wellFormed());
    CHECK(at(t, "/UniformMass1") == mass);
    while (t.canUndo()) t.undo();
    CHECK(t.bytes() == "<Node>\n  <UniformMass\n</Node>\n");
    CHECK_FALSE(t.isEdited());
}

TEST_CASE("Steps of typing merge, and the history goes to any step")
{
    SceneText t("<Node/>", "a.scn");
    t.edit({{5, 0, " "}}, "type", "typing");
    t.edit({{6, 0, "a"}}, "type", "typing");
    t.endMerging();
    t.edit({{7, 0, "=\"1\""}}, "type", "typing");
    CHECK(t.bytes() == "<Node a=\"1\"/>");
    CHECK(t.history() == std::vector<std::string>{"type", "type"});
    t.goTo(1);
    CHECK(t.bytes() == "<Node a/>");
    CHECK(t.history().size() == 2);
    t.goTo(2);
    t.goTo(0);
    CHECK(t.bytes() == "<Node/>");
    t.edit({{5, 0, " b='2'"}}, "other");
    CHECK(t.history() == std::vector<std::string>{"other"});
}

TEST_CASE("Links follow an object that is renamed")
{
    SceneText t(body, "a.scn");
    t.rename(at(t, "/body/dofs"), "points");
    CHECK(has(t, "<MechanicalObject name=\"points\"   position"));
    CHECK(has(t, "input=\"@../points\""));
    CHECK(has(t, "object1=\"@body/points\" object2=\"@/body/points\""));
    t.rename(at(t, "/body"), "organ");
    CHECK(has(t, "object1=\"@organ/points\" object2=\"@/organ/points\""));
    t.rename(at(t, "/organ/mesh"), "container");
    CHECK(has(t, "position=\"@container.position\""));
    CHECK(has(t, "position=\"@../container.position\""));
    CHECK_THROWS_WITH(t.rename(at(t, "/organ/points"), "container"), Catch::Contains("already"));
    CHECK_THROWS_WITH(t.rename(at(t, "/organ/points"), "a/b"), Catch::Contains("cannot be a name"));
    t.goTo(0);
    CHECK(t.bytes() == body);
}

TEST_CASE("Links follow an object that is moved")
{
    SceneText t(body, "a.scn");
    t.move({at(t, "/body/mesh")}, at(t, "/"), at(t, "/body"));
    CHECK(has(t, "\n  <MeshTopology name=\"mesh\" position=\"0 0 0\"/>\n  <Node name=\"body\">"));
    CHECK(has(t, "position=\"@mesh.position\""));  // found above, too
    CHECK(has(t, "<OglModel name=\"skin\" position=\"@/mesh.position\"/>"));
    CHECK(t.history() == std::vector<std::string>{"move MeshTopology 'mesh'"});
    CHECK_THROWS_AS(t.move({at(t, "/body")}, at(t, "/body/visual"), 0), EditError);
    t.undo();
    CHECK(t.bytes() == body);
}

TEST_CASE("Links within a copy lead to the copy")
{
    SceneText t(body, "a.scn");
    const auto copies = t.duplicate({at(t, "/body")});
    REQUIRE(copies.size() == 1);
    CHECK(copies.front() == at(t, "/body2"));
    const TextLinks links(*t.tree());
    const std::uint32_t copy = t.tree()->find(copies.front());
    const auto inside = links.linksIn(copy);
    CHECK(inside.size() == 4);
    for (const TextLink& l : inside) {
        const std::uint32_t to = t.tree()->find(l.target);
        CHECK((to > copy && to < t.tree()->items()[copy].next));
    }
    t.undo();
    // A component in its own node: what others link to stays the original.
    t.duplicate({at(t, "/body/dofs")});
    CHECK(has(t, "<MechanicalObject name=\"dofs2\"   position=\"@mesh.position\"/>"));
    CHECK(has(t, "input=\"@../dofs\""));
    t.undo();
    CHECK(t.bytes() == body);
}

TEST_CASE("What is pasted gets free names, and its links follow")
{
    SceneText t(body, "a.scn");
    const std::string piece = t.copied({at(t, "/body/mesh"), at(t, "/body/dofs"), at(t, "/body/mesh")});
    CHECK(piece ==
          "<MeshTopology name=\"mesh\" position=\"0 0 0\"/>\n"
          "<MechanicalObject name=\"dofs\"   position=\"@mesh.position\"/>");
    const auto made = t.insert(at(t, "/body"), 0, piece, true);
    CHECK(made.size() == 2);
    CHECK(has(t, "<MechanicalObject name=\"dofs2\"   position=\"@mesh2.position\"/>"));
    t.undo();
    // Free in the node and in what is pasted.
    t.insert(at(t, "/body"), 0, "<Node name=\"mesh2\"/>", true);
    t.insert(at(t, "/body"), 0, "<Node name=\"mesh\"/><Node name=\"mesh3\" at=\"@mesh\"/>", true);
    CHECK(has(t, "<Node name=\"mesh4\"/>"));
    CHECK(has(t, "<Node name=\"mesh3\" at=\"@mesh4\"/>"));
    t.goTo(0);
    CHECK(t.bytes() == body);
    CHECK_THROWS_AS(t.insert(at(t, "/body"), 0, "no element"), EditError);
    CHECK_THROWS_AS(t.insert(at(t, "/body"), 0, "<Node"), EditError);
    CHECK(t.bytes() == body);
    CHECK_FALSE(t.canUndo());
}

TEST_CASE("Elements become comments and come back")
{
    SceneText t(body, "a.scn");
    t.commentOut({at(t, "/body/UniformMass1"), at(t, "/body/dofs")});
    CHECK(has(t, "    <!-- <UniformMass/> -->\n"));
    CHECK_THROWS_WITH(t.commentOut({at(t, "/")}), Catch::Contains("root"));
    std::vector<XmlId> comments;
    for (const XmlItem& i : t.tree()->items())
        if (i.kind == XmlItem::Kind::Comment) comments.push_back(i.id);
    REQUIRE(comments.size() == 3);
    t.commentIn(comments);
    CHECK(has(t, "\n  <CollisionPipeline/>\n"));
    CHECK(has(t, "name=\"dofs\"   position=\"@mesh.position\"/>\n    <UniformMass/>\n"));
    t.goTo(0);
    CHECK(t.bytes() == body);
}

TEST_CASE("A command that would break the text changes nothing")
{
    SceneText t(body, "a.scn");
    const XmlId mass = at(t, "/body/UniformMass1");
    CHECK_THROWS_AS(t.setAttribute(mass, "1x", "1"), EditError);
    CHECK_THROWS_AS(t.setAttribute(mass, "a b", "1"), EditError);
    CHECK_THROWS_AS(t.setAttribute(t.tree()->items()[2].id, "a", "1"), EditError);  // a comment
    CHECK(t.bytes() == body);
    CHECK(t.wellFormed());
    CHECK_FALSE(t.canUndo());
    CHECK(at(t, "/body/UniformMass1") == mass);
    t.setAttribute(mass, "totalMass", "<\"&'>");
    CHECK(has(t, "<UniformMass totalMass=\"&lt;&quot;&amp;'&gt;\"/>"));
}

TEST_CASE("A link that may lead into an included file is left alone")
{
    SceneText t(R"(<Node name="root">
  <MeshTopology name="mesh"/>
  <Node name="a"><include href="b.xml"/><MechanicalObject position="@mesh.position"/></Node>
</Node>
)",
                "a.scn");
    t.rename(at(t, "/mesh"), "m");
    CHECK(has(t, "@mesh.position"));
}

TEST_CASE("A thousand edits and as many undos give the same bytes", "[input]")
{
    const fs::path scenes = sofa::test::sourceDirectory() / "scenes";
    CHECK(editAll(scenesBelow(scenes / "demos"), 1000) == "");
    CHECK(editAll(scenesBelow(scenes / "component"), 50) == "");
    CHECK(editAll(scenesBelow(sofa::test::sourceDirectory() / "tests/input/scenes"), 1000) == "");
}

TEST_CASE("A thousand edits and as many undos of scenes of others give the same bytes", "[oracle]")
{
    const auto oracle = sofa::test::oracleDirectory();
    if (!oracle) return sofa::test::skip("no reference scenes");
    std::vector<fs::path> scenes = scenesBelow(*oracle), few;
    std::erase_if(scenes, [](const fs::path& p) { return fs::file_size(p) > 200'000; });
    REQUIRE(scenes.size() > 50);
    CHECK(editAll(scenes, 20) == "");
    for (std::size_t i = 0; i < scenes.size(); i += scenes.size() / 20) few.push_back(scenes[i]);
    CHECK(editAll(few, 1000) == "");
}

}  // namespace scene_text_test
