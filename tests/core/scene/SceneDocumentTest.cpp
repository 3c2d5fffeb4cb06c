// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneDocument.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
#include <set>

#include "core/scene/SceneParser.h"
#include "core/scene/SceneWriter.h"
#include "tests/core/scene/SceneTestComponents.h"
#include "tests/harness/Skip.h"

namespace scene_document_test {

using namespace sofa::test;
namespace fs = std::filesystem;

namespace {

/// A scene in a folder of its own.
struct Scene
{
    TemporaryDirectory tmp;
    std::shared_ptr<Node> root;

    std::string path(const std::string& name = "main.scn") const { return (tmp.path() / name).string(); }
    void add(const std::string& name, const std::string& text) const { writeFile(tmp.path() / name, text); }
    Node& load(const std::string& text)
    {
        add("main.scn", text);
        const MessageCapture silence;
        LoadReport report;
        root = loadScene(path(), {}, &report);
        INFO(textOf(report));
        CHECK(report.ok());
        return *root;
    }
    SceneDocument& document() const { return *root->scene().document; }
    const std::string& bytes(std::uint32_t file = 0) const { return document().xml(file).bytes(); }
    std::string saved(const std::string& name = "main.scn") const { return readBytes(path(name)); }
    template <class T>
    T& get(const std::string& at, const std::string& name) const
    {
        const Node* n = root.get();
        if (!at.empty()) n = n->child(at);
        return component<T>(*n, name);
    }
};

bool isScene(const fs::path& p)
{
    return p.extension() == ".scn" || p.extension() == ".xml" || p.extension() == ".pscn";
}

/// Reads every scene below a folder and compares what the document has with the file. Returns how many could be read.
int roundTrips(const fs::path& folder, std::vector<std::string>& unreadable)
{
    int good = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || !isScene(entry.path())) continue;
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(in), {});
        INFO(entry.path());
        const MessageCapture silence;
        SceneDocument document;
        try {
            parseSceneFile(entry.path().string(), {}, &document);
        } catch (const SceneError& e) {
            unreadable.push_back(e.what());
            if (document.fileCount() == 0) continue;
        }
        // Each file, also those that were included, and through an edit of each and back.
        for (std::uint32_t i = 0; i < document.fileCount(); ++i)
            if (document.xml(i).bytes() != readBytes(document.xml(i).path())) FAIL("other bytes: " << i);
        if (document.xml(0).bytes() != bytes) FAIL("other bytes");
        XmlDocument x = document.xml(0);
        const XmlItem root = x.items()[x.root()];
        const auto back = x.apply({{root.nameEnd, 0, " x='1'"}});
        x.apply(back);
        if (x.bytes() != bytes) FAIL("other bytes after an edit was taken back");
        ++good;
    }
    return good;
}

}  // namespace

TEST_CASE("Every scene of this repository has the same bytes in its document", "[scene]")
{
    std::vector<std::string> unreadable;
    CHECK(roundTrips(sourceDirectory() / "scenes", unreadable) > 150);
    CHECK(roundTrips(sourceDirectory() / "share", unreadable) > 20);
    CHECK(unreadable.empty());
}

TEST_CASE("Every readable scene of the reference, of today and of 2011, has the same bytes in its document", "[oracle]")
{
    const auto oracle = oracleDirectory();
    if (!oracle) return skip("no reference scenes (shared/oracle)");
    std::vector<std::string> unreadable;
    CHECK(roundTrips(*oracle / "sofa", unreadable) >= 290);
    CHECK(roundTrips(*oracle / "sofa2011", unreadable) >= 155);
    // An empty file, and two that no XML reader takes.
    INFO(unreadable.size() << " unreadable" << (unreadable.empty() ? "" : ": " + unreadable.front()));
    CHECK(unreadable.size() <= 4);
}

TEST_CASE("A scene that was not changed is saved with its bytes", "[scene]")
{
    const std::vector<std::string> texts{
        "<?xml version=\"1.0\" ?>\r\n<!-- a -- >b -->\r\n<Node   name = 'root'\r\n\tdt=\"0.0100\" >\r\n"
        "\t<TestMass\ttotalMass='1.50' label=\"&lt;&#65;\"  />\r\n\r\n</Node  >\r\n<!-- end -->",
        "\xEF\xBB\xBF<Node><Object type='TestMass' label='\xC3\xA9'/><TestOldMass/></Node>",
        "<?xml version='1.0' encoding='ISO-8859-1'?><Node><TestMass label='\xE9'/><?pi x?></Node>\n\n",
        "<!DOCTYPE s [<!ELEMENT Node ANY>]><Node><TestMass><Attribute type='label'><Data value='x'/></Attribute>"
        "</TestMass>\n<![CDATA[]]></Node>"};
    for (const std::string& text : texts) {
        INFO(text);
        Scene s;
        s.load(text);
        saveScene(*s.root, s.path());
        CHECK(s.saved() == text);
        saveScene(*s.root, s.path("copy.scn"));
        CHECK(s.saved("copy.scn") == text);
        CHECK_FALSE(s.document().canUndo());
    }
}

TEST_CASE("Each object knows the element that made it, through includes and overrides", "[scene]")
{
    Scene s;
    s.add("inner.xml", "<Node name='inner'>\n <TestMass name='m' label='a' totalMass='1'/>\n</Node>");
    s.add("outer.xml", "<Node name='Group'><include href='inner.xml' label='b'/></Node>");
    s.add("Objects/Thing.xml", "<TestMass name='thing' label='t'/>");
    s.load(
        "<Node>\n<include href='outer.xml' m__totalMass='7'/>\n<include href='inner.xml' name='other'/>\n"
        "<Thing/>\n<TestMass><Attribute type='label'><Data value='v'/></Attribute></TestMass>\n</Node>");
    CHECK(s.document().fileCount() == 4);  // inner.xml once
    const auto& m = s.get<TestMass>("inner", "m");
    const auto& m2 = s.get<TestMass>("other", "m");
    const auto& doc = s.document();
    CHECK(doc.where(m).str() == s.path("inner.xml") + ":2:2");
    CHECK(doc.origin(m)->place.isSameElement(doc.origin(m2)->place));
    CHECK(doc.origin(m)->place.include != doc.origin(m2)->place.include);
    REQUIRE(doc.chain(m).size() == 2);
    CHECK(doc.text(doc.chain(m)[0].by) == "<include href='outer.xml' m__totalMass='7'/>");
    CHECK(doc.text(doc.chain(m)[1].by) == "<include href='inner.xml' label='b'/>");
    CHECK(doc.chain(m2).size() == 1);
    CHECK(doc.giver(m, "totalMass").spelling == "m__totalMass");
    CHECK(doc.text(doc.giver(m, "totalMass").by) == "<include href='outer.xml' m__totalMass='7'/>");
    CHECK(doc.text(doc.giver(m, "label").by) == "<include href='inner.xml' label='b'/>");
    CHECK(doc.giver(m2, "label").by == doc.origin(m2)->place);
    CHECK(doc.giver(*s.root->child("other"), "name").by.file == 0);
    CHECK_FALSE(doc.giver(m, "indices").by.known());
    const auto& thing = s.get<TestMass>("", "thing");
    CHECK(doc.chain(thing).at(0).isPrefab);
    CHECK(doc.text(doc.giver(s.get<TestMass>("", "TestMass1"), "label").by) == "<Data value='v'/>");
    CHECK(doc.objectsOf(*s.root, doc.origin(m)->place).size() == 2);
    CHECK(doc.origin(*s.root)->place == ElementPlace{0, doc.xml(0).items()[doc.xml(0).root()].id, 0});
}

TEST_CASE("Changes of the graph by other ways come into the document when it is saved", "[scene]")
{
    Scene s;
    s.add("part.xml", "<Node name='part'><TestMass name='p' totalMass='1'/><TestMass totalMass='1'/></Node>");
    Node& root = s.load(
        "<Node>\n"
        "  <!-- what stays -->\n"
        "  <TestMass name=\"a\" totalMass = '1.0'  label='x'/> <!-- beside -->\n"
        "  <TestMass name=\"gone\"/>\n"
        "  <Node name=\"n\">\n"
        "    <TestMass name=\"b\"/>\n"
        "  </Node>\n"
        "  <include href='part.xml'/>\n"
        "</Node>\n");
    s.get<TestMass>("", "a").setAttribute("totalMass", "2", {});
    s.get<TestMass>("", "a").setAttribute("indices", "1 2", {});
    root.removeComponent(s.get<TestMass>("", "gone"));
    root.addComponent(std::shared_ptr(root.child("n")->components()[0]));
    s.get<TestMass>("part", "p").setAttribute("totalMass", "3", {});
    Node& made = *root.child("n")->createChild("made");
    made.create<TestMass>().d_totalMass.setValue(5.);
    const std::string before = s.bytes();
    s.document().update(root);
    CHECK(s.bytes() ==
          "<Node>\n"
          "  <!-- what stays -->\n"
          "  <TestMass name=\"a\" totalMass = '2'  label='x' indices='1 2'/> <!-- beside -->\n"
          "  <Node name=\"n\">\n"
          "    <Node name=\"made\">\n"
          "      <TestMass totalMass=\"5\"/>\n"
          "    </Node>\n"
          "  </Node>\n"
          "  <include href='part.xml' p__totalMass='3'/>\n"
          "  <TestMass name=\"b\"/>\n"
          "</Node>\n");
    const std::string after = s.bytes();
    s.document().update(root);
    CHECK(s.bytes() == after);
    // What was added is known from now on.
    component<TestMass>(made, "TestMass1").setAttribute("label", "l", {});
    made.setName("other");
    s.document().update(root);
    CHECK_THAT(s.bytes(), Catch::Contains("    <Node name=\"other\">\n      <TestMass totalMass=\"5\" label=\"l\"/>"));
    s.document().undo();
    s.document().undo();
    CHECK(s.bytes() == before);
}

TEST_CASE("What no override can say makes an include be written out", "[scene]")
{
    Scene s;
    s.add("part.xml", "<Node name='Group'><TestMass name='p' totalMass='1'/><Node name='n'><TestMass/></Node></Node>");
    Node& root = s.load("<Node>\n  <include href='part.xml'/>\n  <include href='part.xml'/>\n</Node>\n");
    component<TestMass>(*root.child("n"), "TestMass1").setAttribute("label", "new", {});
    s.document().update(root);
    CHECK(s.bytes() ==
          "<Node>\n"
          "  <TestMass name=\"p\" totalMass=\"1\"/>\n"
          "  <Node name=\"n\">\n"
          "    <TestMass label=\"new\"/>\n"
          "  </Node>\n"
          "  <include href='part.xml'/>\n"
          "</Node>\n");
    CHECK(s.document().chain(*root.child("n")).empty());
}

TEST_CASE("What a merged file gives is overridden at its include; what cannot be saved is said", "[scene]")
{
    Scene s;
    s.add("more.xml", "<Node name='_Merge_' dt='0.5'><TestMass name='a' totalMass='9'/></Node>");
    Node& root =
        s.load("<Node>\n  <TestMass name='a' totalMass='1' label='x'/>\n  <include href='more.xml'/>\n</Node>\n");
    auto& a = s.get<TestMass>("", "a");
    REQUIRE(a.d_totalMass.value() == 9.);
    a.setAttribute("totalMass", "7", {});
    a.setAttribute("label", "y", {});
    s.document().update(root);
    const std::string now =
        "<Node>\n  <TestMass name='a' totalMass='1' label='y'/>\n  <include href='more.xml' "
        "a__totalMass='7'/>\n</Node>\n";
    CHECK(s.bytes() == now);
    LoadReport report;
    const auto again = loadSceneText(now, s.path(), {}, &report);
    CHECK(report.messages.empty());
    CHECK(component<TestMass>(*again, "a").d_totalMass.value() == 7.);
    const MessageCapture capture;
    root.setAttribute("dt", "0.25", {});
    s.document().update(root);
    CHECK(s.bytes() == now);
    CHECK(capture.has(Severity::Warning, "a change cannot be saved: an include gives 'dt' of '/' another value"));
}

TEST_CASE("Saved elsewhere, a scene finds its files and includes, and keeps all else", "[scene]")
{
    Scene s;
    s.add("here/mesh/a.obj", "x");
    s.add("here/part.xml", "<Node name='part'><TestLoader name='l' filename='mesh/a.obj'/></Node>");
    s.add("here/Objects/Thing.xml", "<Node name='Group'><TestMass label='t'/></Node>");
    fs::create_directories(s.tmp.path() / "there");
    const std::string text =
        "<Node>\n <!-- c -->\n <TestLoader filename='mesh/a.obj'/>\n <TestLoader filename='missing.obj'/>\n"
        " <include href='part.xml'/>\n <Thing name='ignored' label='u'></Thing>\n</Node>\n";
    s.add("here/main.scn", text);
    const auto root = loadScene(s.path("here/main.scn"));
    saveScene(*root, s.path("here/copy.scn"));
    CHECK(s.saved("here/copy.scn") == text);
    saveScene(*root, s.path("there/copy.scn"));
    CHECK(s.saved("there/copy.scn") ==
          "<Node>\n <!-- c -->\n <TestLoader filename='../here/mesh/a.obj'/>\n <TestLoader filename='missing.obj'/>\n"
          " <include href='../here/part.xml'/>\n <include href=\"../here/Objects/Thing.xml\" label='u'></include>\n"
          "</Node>\n");
    CHECK(root->scene().document->xml(0).bytes() == text);
    LoadReport report;
    const auto again = loadScene(s.path("there/copy.scn"), {}, &report);
    CHECK(report.messages.empty());
    CHECK(component<TestMass>(*again, "TestMass1").d_label.value() == "u");
    CHECK_THROWS_WITH(saveScene(*root, s.path("nowhere/copy.scn")), Catch::Contains("cannot write"));
    CHECK_THROWS_WITH(saveScene(*root, s.path("here/part.xml")), Catch::Contains("is part of the scene"));
}

TEST_CASE("Nothing is overwritten that others have changed on the disk", "[scene]")
{
    Scene s;
    s.add("part.xml", "<Node name='part'><TestMass name='p' totalMass='1'/></Node>");
    Node& root = s.load("<Node><include href='part.xml'/><TestMass name='m'/></Node>");
    CHECK(s.document().changedOnDisk().empty());
    // The same bytes at another time are no change.
    s.add("main.scn", s.bytes());
    fs::last_write_time(s.path(), fs::file_time_type::clock::now() + std::chrono::hours(1));
    CHECK(s.document().changedOnDisk().empty());
    const std::string theirs = "<Node><!-- theirs --></Node>";
    s.add("main.scn", theirs);
    CHECK(s.document().changedOnDisk() == std::vector{s.path()});
    s.get<TestMass>("", "m").setAttribute("label", "mine", {});
    CHECK_THROWS_AS(saveScene(root, s.path()), FileChanged);
    CHECK_THROWS_WITH(saveScene(root, s.path()), Catch::Contains("main.scn' was changed by another program"));
    CHECK(s.saved() == theirs);
    saveScene(root, s.path("elsewhere.scn"));
    CHECK_THAT(s.saved("elsewhere.scn"), Catch::Contains("label='mine'"));
    saveScene(root, s.path(), {.overwrite = true});
    CHECK_THAT(s.saved(), Catch::Contains("label='mine'"));
    // From then on that is what was on the disk.
    s.get<TestMass>("", "m").setAttribute("label", "again", {});
    saveScene(root, s.path());
    CHECK_THAT(s.saved(), Catch::Contains("label='again'"));
    CHECK_FALSE(s.document().isEdited());
    // An included file is asked about only if it is to be written.
    s.add("part.xml", "<Node/>");
    CHECK_NOTHROW(saveScene(root, s.path()));
    s.document().begin("edit");
    s.document().give(root, s.get<TestMass>("part", "p"), "totalMass", "2", EditWhere::InInclude);
    s.document().commit();
    CHECK(s.document().isEdited(1));
    CHECK_THROWS_AS(saveScene(root, s.path()), FileChanged);
    CHECK(s.saved("part.xml") == "<Node/>");
    saveScene(root, s.path(), {.overwrite = true});
    CHECK(s.saved("part.xml") == "<Node name='part'><TestMass name='p' totalMass='2'/></Node>");
}

TEST_CASE("Present values are written on request", "[scene]")
{
    Scene s;
    Node& root = s.load("<Node><TestMass name='m' totalMass='1.50' label='x'/><TestMass totalMass='1'/></Node>");
    s.get<TestMass>("", "m").d_totalMass.setValue(2.);
    s.document().update(root);
    CHECK_FALSE(s.document().isEdited());
    s.document().update(root, true);
    CHECK(s.bytes() == "<Node><TestMass name='m' totalMass='2' label='x'/><TestMass totalMass='1'/></Node>");
    s.document().update(root, true);
    CHECK(s.bytes() == "<Node><TestMass name='m' totalMass='2' label='x'/><TestMass totalMass='1'/></Node>");
}

TEST_CASE("What initialisation and loops make is no part of the text", "[scene]")
{
    Scene s;
    Node& root = s.load("<Node/>");
    const std::uint64_t first = Base::nextSerial();
    root.create<TestMass>();
    s.document().leaveOut(first);
    s.document().update(root);
    CHECK(s.bytes() == "<Node/>");
    root.create<TestMass>();
    s.document().update(root);
    CHECK(s.bytes() == "<Node>\n  <TestMass/>\n</Node>");
}

TEST_CASE("A scene of 50 MB is read, edited and taken back in time", "[nightly]")
{
    std::string text = "<Node>\n";
    for (int i = 0; text.size() < 50'000'000; ++i)
        text += "  <Node name=\"n" + std::to_string(i) +
                "\">\n    <TestMass name=\"m\" totalMass=\"1.5\" label=\"some text\"/> <!-- a comment -->\n"
                "    <TestState position=\"0.25 1.5 2.75 0.25 1.5 2.75 0.25 1.5 2.75 0.25 1.5 2.75\"/>\n  </Node>\n";
    text += "</Node>\n";
    using Clock = std::chrono::steady_clock;
    const auto seconds = [](Clock::time_point from) {
        return std::chrono::duration<double>(Clock::now() - from).count();
    };
    auto from = Clock::now();
    XmlDocument x(text, "large.scn");
    const double scan = seconds(from);
    CHECK(x.bytes() == text);
    from = Clock::now();
    const XmlItem& last = x.items()[x.items().size() - 2];
    const auto back = x.apply({{last.begin + std::size_t{5}, 0, " a=\"1\""}});
    x.apply(back);
    const double edits = seconds(from);
    CHECK(x.bytes() == text);
    std::cout << "50 MB of " << x.items().size() << " parts: " << 50. / scan << " MB/s, an edit " << edits / 2.
              << " s\n";
    CHECK(scan < 2.);
    CHECK(edits < 4.);
}

}  // namespace scene_document_test
