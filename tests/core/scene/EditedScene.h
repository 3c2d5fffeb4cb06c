// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>
#include <map>

#include "core/scene/SceneEditor.h"
#include "core/scene/SceneWriter.h"
#include "tests/core/scene/SceneTestComponents.h"

namespace sofa::test {

inline const std::string sceneText =
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

inline std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    REQUIRE(text.find(from, at + 1) == std::string::npos);
    return text.replace(at, from.size(), to);
}

}  // namespace sofa::test
