// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneIncludes.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

#include "core/Installation.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/scene/SceneLoader.h"
#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"

namespace scene_includes_test {

using namespace sofa::core;
using namespace sofa::test;
namespace fs = std::filesystem;

namespace {

/// Names, classes, values and links of all objects; of names of files: the files.
std::string graphOf(const std::string& text, const std::string& path)
{
    const MessageCapture silence;
    LoadReport report;
    const auto root = loadSceneText(text, path, {}, &report);
    std::string s;
    const auto describe = [&s](const Base& b) {
        s += b.pathName() + ' ' + b.className() + ' ' + b.templateName() + '\n';
        for (const BaseData* d : b.data()) {
            std::string value;
            try {
                value = d->text();
            } catch (const std::runtime_error&) {
                value = "(cannot be computed)";
            }
            if (dynamic_cast<const Data<FileName>*>(d) && !value.empty())
                if (const auto file = findFile(value, *d)) value = fs::canonical(*file).string();
            s += "  " + d->name() + '=' + value + ' ' + d->linkPath() + '\n';
        }
        for (BaseLink* l : b.links()) {
            std::string error;
            l->resolve(error);
            s += "  " + std::string(l->name()) + "->" + l->path() + ' ';
            for (const Base* t : l->targets()) s += t->pathName() + ' ';
            s += '\n';
        }
    };
    if (!root) return s;
    for (const Node* n : root->descendants(true)) {
        describe(*n);
        for (const auto& c : n->components()) describe(*c);
    }
    return s;
}

std::string graphOf(const SceneText& t) { return graphOf(t.bytes(), t.path()); }

XmlId elementNamed(const SceneText& t, std::string_view name)
{
    for (const XmlItem& i : t.tree()->items())
        if (i.isElement() && t.tree()->name(i) == name) return i.id;
    return 0;
}

XmlId at(const SceneText& t, const std::string& path)
{
    const TextLinks links(*t.tree());
    for (std::uint32_t i = 0; i < t.tree()->items().size(); ++i)
        if (!links.nameOf(i).empty() && links.pathOf(i) == path) return t.tree()->items()[i].id;
    FAIL("no element at " << path);
    return 0;
}

bool has(const SceneText& t, const std::string& piece) { return t.bytes().find(piece) != std::string::npos; }

/// Inlines the includes of a scene, the outer ones first, until there is none; what is merged stays.
int inlineAll(SceneText& t)
{
    int count = 0;
    for (bool more = true; more;) {
        more = false;
        for (std::uint32_t i = 0; i < t.tree()->items().size() && !more; ++i) {
            if (!includedFile(*t.tree(), i)) continue;
            try {
                inlineIncluded(t, t.tree()->items()[i].id);
                more = true;
                ++count;
            } catch (const EditError& e) {
                const std::string why = e.what();
                INFO(t.path() << ": " << why);
                CHECK((why.find("merged") != std::string::npos || why.find("include") != std::string::npos));
            }
        }
    }
    return count;
}

std::vector<fs::path> scenesBelow(const fs::path& folder)
{
    std::vector<fs::path> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".scn") out.push_back(entry.path());
    std::ranges::sort(out);
    return out;
}

}  // namespace

TEST_CASE("Every prefab that is shipped can be inlined, with its arguments, to the same objects", "[scene]")
{
    const TemporaryDirectory tmp;
    int count = 0;
    for (const auto& entry : fs::directory_iterator(shareDirectory() / "Objects")) {
        const std::string name = entry.path().stem().string();
        INFO(name);
        if (Registry::instance().find(name)) continue;  // a component goes before a prefab
        SceneText t(
            "<Node name='root'>\n  <MechanicalObject name='dofs'/>\n  <" + name +
                " filename='mesh/cube.obj' name='it' totalMass='7' contactStiffness='3'"
                " youngModulus='12' translation='1 2 3' box='0 0 0 2 2 2'/>\n  <Node name='behind'/>\n</Node>\n",
            (tmp.path() / "scene.scn").string());
        const std::string before = t.bytes(), graph = graphOf(t);
        inlineIncluded(t, elementNamed(t, name));
        CHECK(t.historyPosition() == 1);
        CHECK_FALSE(has(t, "<" + name + " "));
        CHECK(graphOf(t) == graph);
        inlineAll(t);
        CHECK(elementNamed(t, name) == 0);
        CHECK(graphOf(t) == graph);
        t.goTo(0);
        CHECK(t.bytes() == before);
        ++count;
    }
    CHECK(count >= 25);
}

TEST_CASE("An include that is inlined keeps comments, names of files, includes within", "[scene]")
{
    const TemporaryDirectory tmp;
    fs::create_directories(tmp / "parts/a");
    tmp.write("parts/a/surface.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    tmp.write(
        "parts/inner.xml",
        "<Node name='inner'><MeshOBJLoader name='l' filename='a/surface.obj'/><UniformMass totalMass='1'/></Node>");
    tmp.write("parts/part.xml",
              "<!-- head -->\n<Node name=\"part\">\n    <!-- the mesh -->\n    <MeshOBJLoader name=\"load\" "
              "filename='a/surface.obj'/>\n\n    <MechanicalObject name='dofs' src='@load'/>\n    <UniformMass "
              "totalMass=\"2\"/>\n    <include href='inner.xml'/>\n</Node>\n");
    SceneText t(
        "<Node name='root'>\n  <include href='parts/part.xml' name='body' totalMass='5' dofs__scale3d='1'/>\n</Node>\n",
        (tmp.path() / "scene.scn").string());
    const std::string graph = graphOf(t);
    inlineIncluded(t, elementNamed(t, "include"));
    INFO(t.bytes());
    CHECK(has(t, "  <Node name=\"body\">\n      <!-- the mesh -->\n"));
    CHECK(has(t, "filename='parts/a/surface.obj'/>\n\n      <MechanicalObject"));
    CHECK(has(t, "<UniformMass totalMass=\"5\"/>"));
    CHECK(has(t, "<include href='parts/inner.xml' totalMass='5'/>"));
    CHECK(graphOf(t) == graph);
    CHECK(inlineAll(t) == 1);
    CHECK(has(t, "<UniformMass totalMass='5'/>"));
    CHECK(graphOf(t) == graph);
}

TEST_CASE("Groups, group names, merging and broken files when they are inlined", "[scene]")
{
    const TemporaryDirectory tmp;
    tmp.write("group.xml", "<Node name='Group'>\n<UniformMass name='m'/>\n<Node name='n'/></Node>");
    tmp.write("merge.xml", "<Node name='_Merge_'><UniformMass name='m' totalMass='3'/></Node>");
    tmp.write("broken.xml", "<Node><UniformMass></Node>");
    tmp.write("empty.xml", "<Node name='Group'/>");
    const auto scene = [&](const std::string& include) {
        return std::make_unique<SceneText>("<Node name='root'>\n  " + include + "\n</Node>\n",
                                           (tmp.path() / "scene.scn").string());
    };
    auto t = scene("<include href='group.xml'/>");
    inlineIncluded(*t, elementNamed(*t, "include"));
    CHECK(t->bytes() == "<Node name='root'>\n  <UniformMass name='m'/>\n  <Node name='n'/>\n</Node>\n");
    t = scene("<include href='group.xml' name='wrapped'/>");
    std::string graph = graphOf(*t);
    inlineIncluded(*t, elementNamed(*t, "include"));
    CHECK(has(*t, "<Node name='wrapped'>"));
    CHECK(graphOf(*t) == graph);
    t = scene("<include href='empty.xml'/>");
    inlineIncluded(*t, elementNamed(*t, "include"));
    CHECK(t->bytes() == "<Node name='root'>\n</Node>\n");
    for (const auto& [include, why] :
         std::map<std::string, std::string>{{"<include href='merge.xml'/>", "merged"},
                                            {"<include href='broken.xml'/>", "read"},
                                            {"<include href='none.xml'/>", "none.xml"},
                                            {"<include/>", "href"},
                                            {"<include href='scene.scn'/>", "scene.scn"}}) {
        t = scene(include);
        const std::string before = t->bytes();
        CHECK_THROWS_WITH(inlineIncluded(*t, elementNamed(*t, "include")), Catch::Contains(why));
        CHECK(t->bytes() == before);
        CHECK_FALSE(t->canUndo());
    }
    t = scene("<UniformMass/>");
    CHECK_THROWS_AS(inlineIncluded(*t, elementNamed(*t, "UniformMass")), EditError);
}

TEST_CASE("What an include may replace", "[scene]")
{
    const TemporaryDirectory tmp;
    tmp.write("part.xml",
              "<Node name='p'><UniformMass name='m' totalMass='3'/><Node name='q'><MechanicalObject name='o'"
              " showObject='1'/><UniformMass name='n' totalMass='@../m.totalMass'/></Node></Node>");
    SceneText t("<Node><include href='part.xml' totalMass='9'/></Node>", (tmp.path() / "s.scn").string());
    const auto all = overridable(t, elementNamed(t, "include"));
    REQUIRE(all.size() == 4);
    CHECK(all[0].spelling == "totalMass");
    CHECK(all[0].value == "3");
    CHECK(all[0].component.empty());
    CHECK(all[1].spelling == "m__totalMass");
    CHECK(all[2].spelling == "showObject");
    CHECK(all[2].component == "o");
    CHECK(all[2].className == "MechanicalObject");
    CHECK(all[3].spelling == "n__totalMass");
    // Each of them has its effect.
    for (const Overridable& o : all) {
        SceneText one("<Node><include href='part.xml' " + o.spelling + "='0'/></Node>", t.path());
        const MessageCapture messages;
        LoadReport report;
        loadSceneText(one.bytes(), one.path(), {.strict = true}, &report);
        CHECK(messages.text().find("no effect") == std::string::npos);
    }
    tmp.write("part.xml", "<Node");
    CHECK_THROWS_AS(overridable(t, elementNamed(t, "include")), EditError);
}

TEST_CASE("A part of a scene becomes a prefab, and comes back", "[scene]")
{
    const TemporaryDirectory tmp;
    tmp.write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const std::string scene =
        "<Node name=\"root\">\n  <UniformMass name=\"before\"/>\n  <Node name=\"body\">\n    <MeshOBJLoader "
        "name=\"load\" filename=\"mesh.obj\"/>\n    <!-- points -->\n    <MechanicalObject src=\"@load\"/>\n    "
        "<UniformMass totalMass=\"@../before.totalMass\"/>\n  </Node>\n  <MechanicalObject "
        "position=\"@body/load.position\"/>\n</Node>\n";
    SceneText t(scene, (tmp.path() / "scene.scn").string());
    const std::string graph = graphOf(t);
    SECTION("a node as a prefab")
    {
        const Extracted e = extractPrefab(t, {at(t, "/body")}, (tmp.path() / "Objects/SoftBody.xml").string());
        CHECK(has(t, "  <SoftBody/>\n  <MechanicalObject position"));
        CHECK(t.tree()->name(t.tree()->items()[t.tree()->find(e.element)]) == "SoftBody");
        REQUIRE(e.leadsOut.size() == 1);
        CHECK(e.leadsOut[0].path == "@../before.totalMass");
        CHECK(readBytes((tmp.path() / "Objects/SoftBody.xml").string()).find("filename=\"../mesh.obj\"") !=
              std::string::npos);
        CHECK(includedFile(*t.tree(), t.tree()->find(e.element))->isPrefab);
        CHECK(t.history() == std::vector<std::string>{"make prefab SoftBody"});
        CHECK(graphOf(t) == graph);
        inlineIncluded(t, e.element);
        CHECK(t.bytes() == scene);
        t.goTo(0);
        CHECK(t.bytes() == scene);
    }
    SECTION("components as an included file")
    {
        const Extracted e = extractPrefab(t, {at(t, "/body/MechanicalObject1"), at(t, "/body/UniformMass1")},
                                          (tmp.path() / "two.xml").string());
        CHECK(has(t, "    <!-- points -->\n    <include href=\"two.xml\"/>\n  </Node>"));
        CHECK(graphOf(t) == graph);
        inlineIncluded(t, e.element);
        CHECK(t.bytes() == scene);
    }
    SECTION("what cannot be")
    {
        const std::string file = (tmp.path() / "x.xml").string();
        const auto refused = [&](const std::vector<XmlId>& ids, const std::string& to, const std::string& why) {
            CHECK_THROWS_WITH(extractPrefab(t, ids, to), Catch::Contains(why));
            CHECK(t.bytes() == scene);
            CHECK_FALSE(fs::exists(file));
        };
        refused({}, file, "selected");
        refused({t.tree()->items()[0].id}, file, "root");
        refused({at(t, "/body/load"), at(t, "/body/UniformMass1")}, file, "behind each other");
        refused({at(t, "/body")}, t.path(), "part of the scene");
        refused({at(t, "/body")}, "/proc/nowhere/x.xml", "/proc/nowhere");
    }
}

TEST_CASE("Prefabs of parts of the repository's scenes load to the same objects, and go back", "[scene][scenes]")
{
    std::mt19937 random(7);
    int count = 0;
    const TemporaryDirectory tmp;
    for (const fs::path& file : scenesBelow(sourceDirectory() / "scenes")) {
        INFO(file);
        SceneText t(readBytes(file.string()), file.string());
        std::vector<std::vector<XmlId>> rows;
        const XmlDocument& x = *t.tree();
        for (std::uint32_t i = 1; i < x.items().size(); ++i) {
            const XmlItem& e = x.items()[i];
            if (!e.isElement() || e.parent == XmlItem::none || x.name(x.items()[e.parent]) != "Node") continue;
            rows.push_back({e.id});
            if (e.next < x.endIn(e.parent) && x.items()[e.next].isElement())
                rows.push_back({e.id, x.items()[e.next].id});
        }
        if (rows.empty()) continue;
        const std::string before = t.bytes(), graph = graphOf(t);
        for (int k = 0; k < 2; ++k) {
            const auto& row = rows[random() % rows.size()];
            const Extracted e =
                extractPrefab(t, row, (tmp.path() / ("Part" + std::to_string(count++) + ".xml")).string());
            CHECK(graphOf(t) == graph);
            inlineIncluded(t, e.element);
            CHECK(graphOf(t) == graph);
            t.goTo(0);
            CHECK(t.bytes() == before);
        }
    }
    CHECK(count > 200);
}

TEST_CASE("Includes of scenes of SOFA are inlined to the same objects", "[oracle]")
{
    const auto folder = oracleDirectory();
    if (!folder) return skip("no reference scenes (shared/oracle)");
    const auto share = {(*folder / "sofa/share").string(), (*folder / "sofa2011/share").string()};
    for (const std::string& s : share) DataRepository::instance().addPath(s);
    int count = 0;
    for (const fs::path& file : scenesBelow(*folder)) {
        try {
            SceneText scene(readBytes(file.string()), file.string());
            if (!scene.wellFormed()) continue;
            bool any = false;
            for (std::uint32_t i = 0; i < scene.tree()->items().size(); ++i)
                any = any || includedFile(*scene.tree(), i);
            if (!any) continue;
            const std::string graph = graphOf(scene);
            INFO(file);
            const int n = inlineAll(scene);
            if (n > 0) CHECK(graphOf(scene) == graph);
            count += n;
        } catch (const SceneError&) {
            continue;  // no text that can be edited
        }
    }
    for (const std::string& s : share) DataRepository::instance().removePath(s);
    CHECK(count > 50);
}

}  // namespace scene_includes_test
