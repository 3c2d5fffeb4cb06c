// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/scene/TextLines.h"
#include "tests/core/scene/AnalysedText.h"
#include "tests/core/scene/SceneTestComponents.h"

namespace scene_lookup_test {

using namespace sofa::test;

namespace {

std::vector<std::string> labels(const AnalysedText& t, bool onlyFitting = false)
{
    std::vector<std::string> out;
    for (const SceneCompletion& c : t.analysis.completions(t.at))
        if (c.fits || !onlyFitting) out.push_back(c.label);
    return out;
}

bool offers(const AnalysedText& t, const std::string& label)
{
    const auto all = labels(t);
    return std::ranges::find(all, label) != all.end();
}

/// The text after the completion of this label, with '|' at the cursor.
std::string completed(const std::string& text, const std::string& label)
{
    const AnalysedText t(text);
    for (const SceneCompletion& c : t.analysis.completions(t.at)) {
        if (c.label != label) continue;
        std::string now = t.analysis.text();
        now.replace(c.replaced.begin, c.replaced.end - c.replaced.begin, c.insert);
        return now.insert(c.replaced.begin + c.cursor, "|");
    }
    return "not offered";
}

}  // namespace

TEST_CASE("Completion of components, also where the tag is not finished", "[scene]")
{
    CHECK(completed("<Node>\n  <TestM|\n</Node>", "TestMass") == "<Node>\n  <TestMass |/>\n</Node>");
    CHECK(completed("<Node>\n  <|\n</Node>", "TestMass") == "<Node>\n  <TestMass |/>\n</Node>");
    CHECK(completed("<Node>\n  |\n</Node>", "TestMass") == "<Node>\n  <TestMass |/>\n</Node>");
    CHECK(completed("<Node><TestROI/><|\n</Node>", "TestMass") == "<Node><TestROI/><TestMass |/>\n</Node>");
    CHECK(completed("<Node><TestROI/>|<TestROI/></Node>", "TestMass") ==
          "<Node><TestROI/><TestMass |/><TestROI/></Node>");
    CHECK(completed("<Node><Test|Foo label='x'/></Node>", "TestMass") == "<Node><TestMass| label='x'/></Node>");
    CHECK(completed("<Node><Object type='T|'/></Node>", "TestMass") == "<Node><Object type='TestMass|'/></Node>");
    CHECK(completed("<Node>\n  <No|\n</Node>", "Node") == "<Node>\n  <Node name=\"|\">\n  </Node>\n</Node>");
    CHECK(completed("<Node>\n  <Node></|\n</Node>", "Node") == "<Node>\n  <Node></Node>|\n</Node>");
    CHECK(completed("<|", "Node").starts_with("<Node name=\"root\">|"));
    CHECK(completed("|", "Node") == "not offered");
    CHECK_FALSE(offers(AnalysedText("<Node><!-- <Te| --></Node>"), "TestMass"));
    CHECK_FALSE(offers(AnalysedText("<Node><TestMass label='<T|'/></Node>"), "TestMass"));
    CHECK_FALSE(offers(AnalysedText("<Node><TestMass><|</TestMass></Node>"), "TestMass"));
    // An alias is offered behind all that fits.
    const AnalysedText t("<Node><|</Node>");
    const auto all = t.analysis.completions(t.at);
    const auto alias = std::ranges::find(all, "AddResourceRepository", &SceneCompletion::label);
    REQUIRE(alias != all.end());
    CHECK_FALSE(alias->fits);
    CHECK(alias->detail == "another name of AddDataRepository");
}

TEST_CASE("Completion of attributes: what is not given yet", "[scene]")
{
    CHECK(completed("<Node><TestMass tot|/></Node>", "totalMass") == "<Node><TestMass totalMass=\"|\"/></Node>");
    CHECK(completed("<Node><TestMass tot|='4'/></Node>", "totalMass") == "<Node><TestMass totalMass|='4'/></Node>");
    CHECK(completed("<Node>\n<TestMass |\n<TestROI/></Node>", "label") ==
          "<Node>\n<TestMass label=\"|\"\n<TestROI/></Node>");
    CHECK(completed("<Node d|></Node>", "dt") == "<Node dt=\"|\"></Node>");
    CHECK(completed("<Node><include |/></Node>", "href") == "<Node><include href=\"|\"/></Node>");
    const AnalysedText t("<Node><TestState scale='1' |/></Node>");
    CHECK_FALSE(offers(t, "scale"));
    CHECK(offers(t, "template"));
    CHECK(offers(t, "dx"));
    CHECK(offers(t, "src"));
    CHECK_FALSE(offers(AnalysedText("<Node><TestROI |/></Node>"), "indices"));  // a result
    CHECK_FALSE(offers(AnalysedText("<Node><TestROI |/></Node>"), "template"));
    const auto all = t.analysis.completions(t.at);
    const auto position = std::ranges::find(all, "position", &SceneCompletion::label);
    REQUIRE(position != all.end());
    CHECK(position->detail == "list of Vec3");
    CHECK(position->help == "Points");
    CHECK(labels(t, true).back() != "printLog");
}

TEST_CASE("Completion of values: choices, templates, files", "[scene]")
{
    CHECK(completed("<Node compatibility='|'/>", "sofa") == "<Node compatibility='sofa|'/>");
    CHECK(completed("<Node activated=\"|/>", "false") == "<Node activated=\"false|/>");
    CHECK(completed("<Node><TestState template='V|x'/></Node>", "Rigid3") ==
          "<Node><TestState template='Rigid3|'/></Node>");
    CHECK(completed("<Node><TestState scale='|'/></Node>", "1") == "<Node><TestState scale='1|'/></Node>");
    const TemporaryDirectory tmp;
    writeFile(tmp / "meshes/ball.obj", "");
    const std::string path = (tmp / "scene.scn").string();
    CHECK(offers(AnalysedText("<Node><TestLoader filename='|'/></Node>", path), "meshes/"));
    CHECK(offers(AnalysedText("<Node><TestLoader filename='meshes/b|'/></Node>", path), "meshes/ball.obj"));
    CHECK(offers(AnalysedText("<Node><include href='meshes/|'/></Node>", path), "meshes/ball.obj"));
}

TEST_CASE("Completion of links: what fits, by the shortest path", "[scene]")
{
    const std::string scene =
        "<Node><TestState name='dofs'/><TestMass name='m'/><Node name='a'><TestState name='inner'/>%</Node>"
        "<Node name='b'><TestState name='far'/></Node></Node>";
    const auto with = [&](const std::string& element) {
        return AnalysedText(std::string(scene).replace(scene.find('%'), 1, element));
    };
    const AnalysedText link = with("<TestMapping name='map' input='|'/>");
    const std::vector<std::string> states = labels(link);
    CHECK(states == std::vector<std::string>{"@inner", "@a", "@dofs", "@..", "@/b/far", "@b"});
    CHECK_FALSE(offers(with("<TestMapping input='|'/>"), "@m"));
    CHECK(offers(with("<TestMass src='@|'/>"), "@m"));
    const AnalysedText data = with("<TestROI position='@dofs.|'/>");
    REQUIRE_FALSE(labels(data).empty());
    CHECK(labels(data).front() == "@dofs.position");
    CHECK(offers(data, "@dofs.scale"));
    CHECK(offers(with("<TestROI position='@|'/>"), "@inner"));
    CHECK(offers(with("<Node sameAs='@|'/>"), "@b"));
    // The link is as it was.
    const AnalysedText again = with("<TestMapping name='map' input='@do|fs'/>");
    labels(again);
    CHECK(again.in(again.analysis.definition(again.at)->range) == "TestState");
}

TEST_CASE("Hover", "[scene]")
{
    const auto hover = [](const std::string& text) {
        const AnalysedText t(text);
        const auto h = t.analysis.hover(t.at);
        return h ? t.in(h->range) + " / " + h->title + " / " + h->text : std::string();
    };
    CHECK(hover("<Node><TestSt|ate/></Node>").starts_with("TestState / TestState (State) / "));
    CHECK(hover("<Node><TestState sc|ale='2'/></Node>") == "scale='2' / scale: double, > 0 = 1 / Factor");
    CHECK(hover("<Node><TestMass totalMass='|2'/></Node>") == "totalMass='2' / totalMass: double [kg] = 1 / Mass");
    CHECK(hover("<Node d|t='1'/>").starts_with("dt='1' / dt: double [s], >= 0 = 0.01 / Time step"));
    CHECK(hover("<Node><TestState name='a'/><TestROI position='@a.po|sition'/></Node>") ==
          "@a.position / /a.position: list of Vec3 / Points");
    CHECK(hover("<Node><TestState name='a'/><TestROI position='@|a.position'/></Node>")
              .starts_with("@a.position / /a (TestState) / "));
    CHECK(hover("<Node><TestROI position='@|b.position'/></Node>") == "@b.position / @b / leads nowhere");
    CHECK(hover("<Node><TestMapping in|put='@b'/></Node>") == "input='@b' / input: link to state / State above");
    CHECK(hover("<Node><TestMass foo|='1'/></Node>").empty());
    CHECK(hover("|<Node/>").empty());
}

TEST_CASE("Definitions and references", "[scene]")
{
    const std::string text =
        "<Node><Node name='a'><TestState name='s' position='0 0 0'/></Node>"
        "<TestROI position='@a/s.position'/><TestMapping input='@a/s' output='@a/s' all='@a/s @a'/></Node>";
    const auto definition = [&](const std::string& part, std::size_t behind) {
        std::string marked = text;
        marked.insert(marked.find(part) + behind, "|");
        const AnalysedText t(marked);
        const auto d = t.analysis.definition(t.at);
        return d ? std::to_string(d->range.begin) + ' ' + t.in(d->range) : std::string();
    };
    CHECK(definition("@a/s.position", 13) == std::to_string(text.find("position")) + " position");
    CHECK(definition("@a/s.position", 4) == std::to_string(text.find("TestState")) + " TestState");
    CHECK(definition("@a/s.position", 2) == std::to_string(text.find("Node name")) + " Node");
    CHECK(definition("@a'/>", 1) == std::to_string(text.find("Node name")) + " Node");
    CHECK(definition("TestROI", 2).empty());
    const AnalysedText t(std::string(text).insert(text.find("name='s'") + 7, "|"));
    std::vector<std::string> found;
    for (const FileRange& r : t.analysis.references(t.at)) found.push_back(t.in(r.range));
    CHECK(found == std::vector<std::string>{"s", "@a/s.position", "@a/s", "@a/s", "@a/s"});
    CHECK(t.analysis.references(t.at, false).size() == 4);
}

TEST_CASE("Renaming: all links follow", "[scene]")
{
    const AnalysedText t(
        "<!-- a -->\n<Node>\n  <Node name='a'><TestState name='s'/></Node>\n"
        "  <TestROI position='@|a/s.position'/> <TestMapping input='@a' output='@a/s'/>\n</Node>");
    REQUIRE(t.analysis.renamed(t.at));
    CHECK(t.in(*t.analysis.renamed(t.at)) == "a");
    const auto edits = t.analysis.rename(t.at, "body");
    REQUIRE(edits.size() == 1);
    CHECK(edits[0].file == "/nowhere/test.scn");
    CHECK(applied(t.analysis.text(), edits[0].edits) ==
          "<!-- a -->\n<Node>\n  <Node name='body'><TestState name='s'/></Node>\n"
          "  <TestROI position='@body/s.position'/> <TestMapping input='@body' output='@body/s'/>\n</Node>");
    // One without a name gets one.
    const AnalysedText unnamed("<Node><TestMa|ss/></Node>");
    CHECK(applied(unnamed.analysis.text(), unnamed.analysis.rename(unnamed.at, "m")[0].edits) ==
          "<Node><TestMass name=\"m\"/></Node>");
    CHECK_THROWS_WITH(t.analysis.rename(t.at, "a b"), Catch::Contains("cannot be a name"));
    CHECK_THROWS_AS(AnalysedText("|<Node/>").analysis.rename(0, "x"), AnalysisError);
    const AnalysedText broken("<Node><TestMa|ss</Node>");
    CHECK_THROWS_WITH(broken.analysis.rename(broken.at, "x"), Catch::Contains("well-formed"));
}

TEST_CASE("Renaming reaches included files", "[scene]")
{
    const TemporaryDirectory tmp;
    writeFile(tmp / "part.xml", "<Node name='part'>\n  <TestMapping input='@../dofs'/>\n</Node>");
    const AnalysedText t("<Node><TestState name='do|fs'/><include href='part.xml'/></Node>",
                         (tmp / "scene.scn").string());
    CHECK(t.analysis.references(t.at, false).size() == 1);
    const auto edits = t.analysis.rename(t.at, "points");
    REQUIRE(edits.size() == 2);
    CHECK(edits[1].file == (tmp / "part.xml").string());
    REQUIRE(edits[1].edits.size() == 1);
    CHECK(edits[1].edits[0].text == "<TestMapping input='@../points'/>");
}

TEST_CASE("Symbols: the tree of nodes and components", "[scene]")
{
    const AnalysedText t(
        "|<Node name='root'><TestMass/><Node name='a'><Object type='TestROI' name='r'/></Node></Node>");
    const auto symbols = t.analysis.symbols();
    REQUIRE(symbols.size() == 1);
    CHECK(symbols[0].name == "root");
    REQUIRE(symbols[0].children.size() == 2);
    CHECK(symbols[0].children[0].name == "TestMass1");
    CHECK(symbols[0].children[0].type == "TestMass");
    REQUIRE(symbols[0].children[1].children.size() == 1);
    CHECK(symbols[0].children[1].children[0].type == "TestROI");
    CHECK(t.in(symbols[0].children[1].children[0].range) == "<Object type='TestROI' name='r'/>");
}

TEST_CASE("Places in texts: bytes, and UTF-16 as editors count", "[scene]")
{
    const std::string text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z\r\nb\n";
    const TextLines lines(text);
    CHECK(lines.utf16(0) == Utf16Position{0, 0});
    CHECK(lines.utf16(3) == Utf16Position{0, 2});
    CHECK(lines.utf16(6) == Utf16Position{0, 3});
    CHECK(lines.utf16(10) == Utf16Position{0, 5});
    CHECK(lines.utf16(13) == Utf16Position{1, 0});
    CHECK(lines.utf16(100) == Utf16Position{2, 0});
    for (const std::size_t at : {0, 1, 3, 6, 10, 11, 13, 14, 15}) CHECK(lines.offset(lines.utf16(at)) == at);
    CHECK(lines.offset(Utf16Position{0, 4}) == 6);  // in the middle of a character
    CHECK(lines.offset(Utf16Position{0, 99}) == 11);
    CHECK(lines.offset(Utf16Position{9, 0}) == text.size());
    CHECK(lines.offset(TextPosition{2, 1}) == 13);
    CHECK(lines.offset(TextPosition{0, 0}) == 0);
}

}  // namespace scene_lookup_test
