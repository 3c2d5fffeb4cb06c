// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneAnalysis.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/factory/PluginManager.h"
#include "core/io/DataRepository.h"
#include "core/scene/SceneLoader.h"
#include "tests/core/scene/AnalysedText.h"
#include "tests/core/scene/SceneTestComponents.h"

namespace scene_analysis_test {

using namespace sofa::test;

namespace {

std::string listed(const std::vector<SceneProblem>& problems)
{
    std::string all;
    for (const SceneProblem& p : problems) all += p.message.str() + '\n';
    return all;
}

/// The lines of a text, sorted.
std::vector<std::string> lines(const std::string& text)
{
    std::istringstream in(text);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);) out.push_back(line);
    std::ranges::sort(out);
    return out;
}

}  // namespace

TEST_CASE("An analysis has the messages of the loader, word by word, at their places", "[scene][input]")
{
    const std::string path = "/nowhere/test.scn";
    for (const std::string text :
         {"<Node>\n  <TestMass totalMas='4'/>\n  <TestState scale='-1' name='s'/>\n  <TestState name='s'/>\n</Node>",
          "<Node gravity='0 x 0'>\n  <Unknown a='b'/>\n  <TestMapping input='@nowhere' output='@/'/>\n</Node>",
          "<Node>\n  <TestROI box='@mass.totalMass'/> text\n  <TestMass name='mass' totalMass='1 2'/>\n</Node>",
          "<Node>\n <include href='missing.xml'/>\n <Object/>\n <TestState src='@x' template='Vec9'/>\n</Node>",
          "<TestMass/>", "", "<Node/><Node/>"}) {
        INFO(text);
        LoadReport report;
        MessageCapture capture;
        std::string expected;
        try {
            loadSceneText(text, path, {}, &report);
            expected = textOf(report);
        } catch (const SceneError& e) {
            expected = Message{Severity::Error, e.where(), {}, e.reason()}.str() + '\n';
        }
        SceneAnalysis analysis(path);
        analysis.setText(text);
        CHECK(lines(listed(analysis.problems())) == lines(expected));
        CHECK_FALSE(expected.empty());
        CHECK(capture.messages().size() == report.messages.size());  // the analysis tells nobody else
    }
}

TEST_CASE("What is underlined: names that are wrong, values that are, elements", "[scene]")
{
    SceneAnalysis analysis("/nowhere/test.scn");
    analysis.setText("<Node>\n  <TestMass totalMas='4' label='a' totalMass='-x'/>\n  <Unknown a='1'/>\n</Node>");
    REQUIRE(analysis.problems().size() == 3);
    const auto underlined = [&](std::size_t i) {
        const TextRange& r = analysis.problems()[i].range;
        return analysis.text().substr(r.begin, r.end - r.begin);
    };
    CHECK(underlined(0) == "totalMas");
    CHECK(underlined(1) == "-x");
    CHECK(underlined(2) == "Unknown");
}

TEST_CASE("A text that is not well-formed: the fault has its place, and the rest is read", "[scene][input]")
{
    SceneAnalysis analysis("/nowhere/test.scn");
    const auto faultOf = [](const std::string& text) {
        const MessageCapture silence;
        try {
            loadSceneText(text, "/nowhere/test.scn");
        } catch (const SceneError& e) {
            return Message{Severity::Error, e.where(), {}, e.reason()}.str();
        }
        return std::string();
    };
    for (const std::string broken :
         {"<TestMass", "<TestMass tot", "<TestMass totalMass", "<TestMass totalMass=", "<TestMass totalMass=\"4",
          "<TestMass totalMass=\"4 />", "<TestMass \"/>", "<TestMass / totalMass='4'/>", "<TestMass totalMass=4 />",
          "<TestMass totalMass='4' totalMass='5'/>", "</TestMass>", "<TestMass></Node>", "<Node name='open'>", "<",
          "<!-- open", "<![CDATA[ open", "<?open", "<1/>"}) {
        const std::string text =
            "<Node name='root'>\n  <TestState name='before'/>\n  " + broken + "\n  <TestState scale='-7'/>\n</Node>\n";
        INFO(text);
        analysis.setText(text);
        const std::string all = listed(analysis.problems());
        INFO(all);
        CHECK(all.find(faultOf(text)) != std::string::npos);
        REQUIRE(analysis.root());
        CHECK(analysis.root()->component("before"));
        // What stands behind is there too, unless a comment and the like goes on to the end, or the root is closed.
        const bool swallows = broken.starts_with("<!") || broken.starts_with("<?") || broken.ends_with("</Node>");
        CHECK((all.find("found -7") != std::string::npos) == !swallows);
    }
}

TEST_CASE("A text of which nothing can be read has one message", "[scene][input]")
{
    std::string nested = "<Node><1";
    for (int i = 0; i < 600; ++i) nested += "<Node>";
    SceneAnalysis analysis("/nowhere/test.scn");
    for (const std::string& text : {nested, std::string("\0", 1), std::string()}) {
        analysis.setText(text);
        CHECK(analysis.problems().size() == 1);
        CHECK(analysis.completions(0).empty());
        CHECK(analysis.symbols().empty());
        CHECK_FALSE(analysis.root());
    }
}

TEST_CASE("Every beginning of a scene can be analysed", "[scene][input]")
{
    const std::string text =
        "<?xml version='1.0'?>\n<Node name='r' dt='0.1'>\n<!-- c -->\n<TestState name=\"a\" position='0 0 0'/>\n"
        "<Node name='b'><TestMapping input='@..' output='@../a'/></Node><![CDATA[x]]>\n</Node>\n";
    SceneAnalysis analysis("/nowhere/test.scn"), small("/nowhere/test.scn");
    small.setPatience(0.);
    for (std::size_t n = 0; n <= text.size(); ++n) {
        analysis.setText(text.substr(0, n));
        small.setText(text.substr(0, n));
        for (const SceneAnalysis* a : {&analysis, &small}) {
            a->completions(n);
            a->hover(n);
            a->definition(n);
            a->references(n);
            a->symbols();
            for (const SceneProblem& p : a->problems()) {
                CHECK(p.range.begin <= p.range.end);
                CHECK(p.range.end <= n);
                a->fixes(p);
            }
        }
    }
    analysis.refresh();  // a slow machine may have tried what was edited only
    CHECK(listed(analysis.problems()).find("text between the tags") != std::string::npos);
    CHECK(analysis.problems().size() == 1);
}

TEST_CASE("An edit of a large scene is tried in the graph that there is, with the same messages", "[scene]")
{
    const std::string begin = "<Node name='root'>\n  <TestState name='dofs' scale='2'/>\n  <Unknown a='1'/>\n";
    const std::string end =
        "\n  <Node name='below'>\n    <TestMapping input='@dofs' output='@gone'/>\n  </Node>\n</Node>";
    SceneAnalysis quick("/nowhere/test.scn"), whole("/nowhere/test.scn");
    quick.setPatience(0.);
    quick.setText(begin + end);
    CHECK_FALSE(quick.isProvisional());
    for (const std::string middle :
         {"<", "<T", "<TestMass", "<TestMass totalMass='x'", "<TestMass totalMass='x'/>", "<TestMass totalMass='1'/>",
          "<TestMass name='m' totalMass='1'/>", "<TestMass name='m' totalMas='1'/>", "<TestMapping input='@dofs'/>",
          "<TestMapping input='@dof'/>", "<TestState name='dofs'/>", "<Node><TestMass totalMass='x'/></Node>",
          "<Node dt='x'><TestMass totalMass='x'/></Node>", "<!-- <TestMass/> -->", ""}) {
        INFO(middle);
        quick.setText(begin + middle + end);
        whole.setText(begin + middle + end);
        CHECK(listed(quick.problems()) == listed(whole.problems()));
    }
    quick.setText(begin + end);
    CHECK(quick.isProvisional());
    quick.edit({begin.find("'2'") + 1, 1, "-3"});
    CHECK(quick.isProvisional());
    CHECK(listed(quick.problems()).find("2:26: error: /dofs (TestState): attribute 'scale'") != std::string::npos);
    // The name of what others lead to: known for sure after a refresh.
    quick.edit({quick.text().find("'dofs'") + 1, 4, "other"});
    quick.refresh();
    CHECK_FALSE(quick.isProvisional());
    CHECK(listed(quick.problems()).find("there is no 'dofs'") != std::string::npos);
    CHECK_THROWS_AS(quick.edit({1000, 1, ""}), AnalysisError);
}

TEST_CASE("Problems of included files, and of what initialisation finds", "[scene]")
{
    const TemporaryDirectory tmp;
    const auto& folder = tmp.path();
    writeFile(folder / "part.xml", "<Node name='part'>\n  <TestMass totalMass='x'/>\n</Node>");
    SceneAnalysis analysis((folder / "scene.scn").string());
    analysis.setText("<Node>\n  <include href='part.xml'/>\n</Node>");
    REQUIRE(analysis.problems().size() == 1);
    CHECK_FALSE(analysis.problems()[0].inText);
    CHECK(analysis.problems()[0].message.where.str() == (folder / "part.xml").string() + ":2:13");
    // With errors nothing is initialised.
    analysis.check([](const auto&, const auto&) { FAIL(); });
    writeFile(folder / "part.xml", "<Node name='part'>\n  <TestMass totalMass='1'/>\n</Node>");
    analysis.refresh();
    CHECK(analysis.problems().empty());
    analysis.check([](const std::shared_ptr<Node>& root, const auto&) {
        root->children()[0]->components()[0]->fail("it needs a topology");
        root->message(Severity::Error, "something of the root");
    });
    REQUIRE(analysis.problems().size() == 2);
    CHECK(analysis.problems()[0].message.text == "something of the root");
    CHECK(analysis.problems()[0].range == TextRange{1, 5});
    analysis.setText(analysis.text() + "\n");
    CHECK(analysis.problems().empty());
}

TEST_CASE("A draft writes no file of messages, and its folders are its own", "[scene]")
{
    const TemporaryDirectory tmp;
    const auto& folder = tmp.path();
    std::filesystem::create_directories(folder / "data");
    const auto paths = DataRepository::instance().paths();
    SceneAnalysis analysis((folder / "scene.scn").string());
    analysis.setText("<Node><FileMessageHandlerComponent filename='" + (folder / "log.txt").string() +
                     "'/><AddDataRepository path='data'/></Node>");
    CHECK(analysis.problems().empty());
    CHECK_FALSE(std::filesystem::exists(folder / "log.txt"));
    CHECK(DataRepository::instance().paths() == paths);
}

// --- Fixes ---------------------------------------------------------------------------------------------------------

namespace {

/// The text after the first fix of the first problem.
std::string fixed(const std::string& text)
{
    SceneAnalysis analysis("/nowhere/test.scn");
    analysis.setText(text);
    REQUIRE_FALSE(analysis.problems().empty());
    INFO(analysis.problems()[0].message.text);
    const auto fixes = analysis.fixes(analysis.problems()[0]);
    return fixes.empty() ? "no fix" : applied(text, fixes[0].edits);
}

}  // namespace

TEST_CASE("Fixes: what was meant, today's names", "[scene]")
{
    CHECK(fixed("<Node><TestMas a='TestMas'/></Node>") == "<Node><TestMass a='TestMas'/></Node>");
    CHECK(fixed("<Node><Object type='TestMas'/></Node>") == "<Node><Object type='TestMass'/></Node>");
    CHECK(fixed("<Node><TestMass totalMas='4'/></Node>") == "<Node><TestMass totalMass='4'/></Node>");
    CHECK(fixed("<Node><TestState name='state'/><TestMapping input='@stat'/></Node>") ==
          "<Node><TestState name='state'/><TestMapping input='@state'/></Node>");
    CHECK(fixed("<Node><TestState name='s'/><TestROI box='0 1' position='@s.positon'/></Node>") ==
          "<Node><TestState name='s'/><TestROI box='0 1' position='@s.position'/></Node>");
    CHECK(fixed("<Node compatibility='exakt'/>") == "<Node compatibility='exact'/>");
    CHECK(fixed("<Node><TestState template='Vec33'/></Node>") == "<Node><TestState template='Vec3'/></Node>");
    CHECK(fixed("<Node><RequiredPlugin name='Sofa.Component.Mass' suffixMap='x'/></Node>") ==
          "<Node><RequiredPlugin name='Sofa.Component.Mass'/></Node>");
    CHECK(fixed("<Node><TestMass totalMass='x'/></Node>") == "no fix");
}

TEST_CASE("Fixes: what a message says is missing", "[scene]")
{
    const auto added = [](const std::string& message) -> std::string {
        SceneAnalysis analysis("/nowhere/test.scn");
        analysis.setText("<Node>\n  <TestLoader name='mesh'/>\n  <TestMass/>\n</Node>");
        analysis.check([&](const std::shared_ptr<Node>& root, const auto&) { root->components()[1]->fail(message); });
        REQUIRE(analysis.problems().size() == 1);
        const auto fixes = analysis.fixes(analysis.problems()[0]);
        if (fixes.empty()) return {};
        REQUIRE(fixes[0].edits.size() == 1);
        CHECK(fixes[0].edits[0].at == analysis.text().find("<TestMass"));
        CHECK(fixes[0].edits[0].text.ends_with("/>\n  "));
        return fixes[0].edits[0].text.substr(0, fixes[0].edits[0].text.size() - 3);
    };
    CHECK(added("it needs a linear solver in node '/'").starts_with("<CGLinearSolver "));
    CHECK(added("needs a thing, for example <TestMass totalMass=\"1\"/>.") == "<TestMass totalMass=\"1\"/>");
    CHECK(added("it needs a topology in its node or above") == "<MeshTopology src=\"@mesh\"/>");
    CHECK(added("it needs a state (MechanicalObject) before it") == "<MechanicalObject/>");
    CHECK(added("it needs a MechanicalObject of type Rigid3 in its node") == "<MechanicalObject template=\"Rigid3\"/>");
    CHECK(added("it needs a broad phase (TestROI, ...)") == "<TestROI/>");
    CHECK(added("something else with TestROI").empty());
}

TEST_CASE("Fixes: the plugin that has an unknown component", "[scene]")
{
    const TemporaryDirectory tmp;
    writeFile(tmp / "libSoft.Extra.so", std::string("\0N4soft12SoftMaterialE\0", 22));
    PluginManager::instance().addSearchPath(tmp.path().string());
    CHECK(fixed("<Node>\n  <SoftMaterial/>\n</Node>") ==
          "<Node>\n  <RequiredPlugin pluginName=\"Soft.Extra\"/>\n  <SoftMaterial/>\n</Node>");
    CHECK(fixed("<Node><SoftMat/></Node>") == "no fix");
}

}  // namespace scene_analysis_test
