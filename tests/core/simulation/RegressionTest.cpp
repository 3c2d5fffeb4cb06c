// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Regression.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/behavior/Solvers.h"
#include "core/io/OutputFile.h"
#include "core/io/StateFile.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace regression_test {

using namespace sofa;
using namespace sofa::core;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// Steps without mechanics: points move with their velocities, of which the test may say more.
class Mover final : public AnimationLoop
{
public:
    std::string className() const override { return "Mover"; }
    void step(double dt) override
    {
        if (dt == 0.) dt = node()->dt();
        for (auto* s : node()->getAll<test::TestState<Vec3Types>>(Search::Down))
            s->add(vec_id::position, vec_id::position, vec_id::velocity, dt);
        node()->d_time.setValue(node()->time() + dt);
    }
};
class Solver final : public OdeSolver
{
public:
    std::string className() const override { return "Solver"; }
    void solve(double, const MultiVecCoordId&, const MultiVecDerivId&) override {}
    double velocityIntegrationFactor(double) const override { return 1.; }
    double positionIntegrationFactor(double dt) const override { return dt; }
};

struct Scene
{
    test::TemporaryDirectory folder;
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    test::TestState<Vec3Types>*first, *second;
    std::unique_ptr<Simulation> simulation;
    RegressionCase test;

    Scene()
    {
        root->d_dt.setValue(0.1);
        root->create<Mover>();
        auto body = root->createChild("body");
        body->create<Solver>();
        first = &test::addState<Vec3Types>(*body, {{0., 0., 0.}, {1., 0., 0.}});
        auto below = body->createChild("below");
        second = &test::addState<Vec3Types>(*below, {{5., 0., 0.}});
        test::addState<Vec3Types>(*root->createChild("shown"), {{0., 0., 0.}});  // nothing integrates it
        first->setName("dofs");
        second->setName("dofs");
        test.name = "a.scn";
        test.references = (folder.path() / "references/sub/a.scn.reference_").string();
        test.steps = 4;
        test.epsilon = 1e-9;
        test.dumps = 1;
        begin();
    }
    void begin()
    {
        first->setPositions({{0., 0., 0.}, {1., 0., 0.}});
        second->setPositions({{5., 0., 0.}});
        first->d_velocity.setValue({{0., 1. / 3., 0.}, {0., 0., 0.}});
        root->d_time.setValue(0.);
        REQUIRE(test::initialise(*root));
        simulation = std::make_unique<Simulation>(root);
    }
    std::string file(const char* name) const { return test.references + name; }
    RegressionOutcome compare()
    {
        begin();
        return compareWithReferences(*simulation, test);
    }
    std::string problems()
    {
        std::string all;
        for (const std::string& p : compare().problems) all += p + '\n';
        return all;
    }
};

std::vector<RegressionCase> read(const std::string& file, const std::string& text, std::string& errors)
{
    writeFile(file, text);
    std::vector<std::string> all;
    auto cases = readRegressionList(file, all);
    errors.clear();
    for (const std::string& e : all) errors += e + '\n';
    return cases;
}

}  // namespace

TEST_CASE("A list of regression tests is read as SOFA does")
{
    const test::TemporaryDirectory folder;
    fs::create_directories(folder.path() / "scenes");
    writeFile(folder.path() / "scenes/a.scn", "");
    writeFile(folder.path() / "b.scn", "");
    const std::string file = (folder.path() / "list.regression-tests").string();
    std::string errors;
    const auto cases = read(file,
                            "# references\n\nreferences/all\n### scenes ###\nscenes/a.scn 100 1e-4 0 1\n"
                            "  b.scn\t3 0 1 0\n",
                            errors);
    CHECK(errors.empty());
    REQUIRE(cases.size() == 2);
    CHECK(cases[0].name == "scenes/a.scn");
    CHECK(cases[0].scene == (folder.path() / "scenes/a.scn").string());
    CHECK(cases[0].references == (folder.path() / "references/all/scenes/a.scn.reference_").string());
    CHECK(cases[0].steps == 100);
    CHECK(cases[0].epsilon == 1e-4);
    CHECK_FALSE(cases[0].mapped);
    CHECK(cases[0].dumps == 1);
    CHECK(cases[1].mapped);
    CHECK(cases[1].dumps == 0);

    unsetenv("REGRESSION_DIR");
    const std::string text = "$REGRESSION_DIR/references\nb.scn 1 0 0 0\n";
    CHECK(read(file, text, errors).at(0).references == (folder.path() / "references/b.scn.reference_").string());
    setenv("REGRESSION_DIR", "/elsewhere", 1);
    CHECK(read(file, text, errors).at(0).references == "/elsewhere/references/b.scn.reference_");
    unsetenv("REGRESSION_DIR");
}

TEST_CASE("Mistakes in a list of regression tests are told with their lines", "[input]")
{
    const test::TemporaryDirectory folder;
    writeFile(folder.path() / "b.scn", "");
    const std::string file = (folder.path() / "list").string();
    std::string errors;
    read(file,
         "references\nb.scn 0 0 0 0\nb.scn 1.5 0 0 0\nb.scn 1 -1 0 0\nb.scn 1 nan 0 0\nb.scn 1 0 2 0\nb.scn 1 0 0 2\n"
         "b.scn 1 0 0\nb.scn 1 0 0 0 0\nnone.scn 1 0 0 0\nb.scn 1 0 0 0\nb.scn 2 0 0 0\n",
         errors);
    for (const char* part :
         {"list:2: a number of steps was expected, found '0'", "list:3: a number of steps", "list:4: the error",
          "list:5: the error", "list:6: 0 or 1", "list:7: a number of frames", "list:8: SCENE STEPS",
          "5 words, found 4", "5 words, found 6", "list:10: there is no scene", "list:12: 'b.scn' is in"})
        CHECK_THAT(errors, Contains(part));
    CHECK_THAT(errors, !Contains("list:11"));
    read(file, "b.scn 1 0 0 0\n", errors);
    CHECK_THAT(errors, Contains("list:1: the first line names the folder of the references and nothing else"));
    read(file, "references\n# nothing\n", errors);
    CHECK_THAT(errors, Contains("list:2: a scene was expected, found the end of the file"));
    read(file, "references\n" + (folder.path() / "b.scn").string() + " 1 0 0 0\n", errors);
    CHECK_THAT(errors, Contains("list:2: a scene is named from the folder of the list"));
    read(file, "# nothing\n", errors);
    CHECK_THAT(errors, Contains("list:1: the folder of the references was expected"));
    std::vector<std::string> all;
    readRegressionList((folder.path() / "none").string(), all);
    REQUIRE(all.size() == 1);
    CHECK_THAT(all[0], Contains("no such file"));
}

TEST_CASE("References that were written agree to the bit, and a change is found")
{
    Scene s;
    CHECK(writeReferences(*s.simulation, s.test) == 2);
    const auto frames = io::readStateFile(s.file("0_dofs_mstate.txt.gz"));
    REQUIRE(frames.size() == 2);
    CHECK(frames[1].time == Approx(0.4));
    CHECK(fs::exists(s.file("1_dofs_mstate.txt.gz")));
    s.test.epsilon = 0.;
    auto outcome = s.compare();
    CHECK(outcome.problems.empty());
    CHECK(outcome.agrees(0.));
    REQUIRE(outcome.states.size() == 2);
    CHECK(outcome.states[0].state == "/body/dofs");
    CHECK(outcome.states[0].frames == 2);

    // One number of six is 0.6 away at the end only.
    s.begin();
    s.first->d_velocity.setValue({{0., 1. / 3., 0.}, {1.5, 0., 0.}});
    s.test.epsilon = 0.01;
    writeReferences(*s.simulation, s.test);
    outcome = s.compare();
    CHECK(outcome.problems.empty());
    CHECK_FALSE(outcome.agrees(0.01));
    CHECK(outcome.states[0].position == Approx(0.6 / 6.));
    CHECK(outcome.states[0].velocity == Approx(2. * 0.1 * 1.5 / 6.));  // both frames
    CHECK(outcome.states[0].firstTime == 0.);                          // velocities differ at once
    CHECK(outcome.agrees(0.11));
    CHECK(outcome.states[1].error() == 0.);
}

TEST_CASE("New references have as many frames as the list says, and take the place of older ones")
{
    Scene s;
    fs::create_directories(fs::path(s.test.references).parent_path());
    for (const char* old : {"0_other_mstate.txt.gz", "mstate_1_dofs.json.gz", "mstate_0_dofs.csv.gz"})
        writeFile(s.file(old), "");
    writeFile(s.file("notes"), "");
    const auto times = [&s](std::size_t dumps) {
        s.begin();
        s.test.dumps = dumps;
        writeReferences(*s.simulation, s.test);
        std::vector<int> all;
        for (const auto& f : io::readStateFile(s.file("0_dofs_mstate.txt.gz")))
            all.push_back(static_cast<int>(std::lround(10. * f.time)));
        return all;
    };
    CHECK(times(0) == std::vector{0, 1, 2, 3, 4});
    CHECK(times(1) == std::vector{0, 4});
    CHECK(times(2) == std::vector{0, 2, 4});
    CHECK(times(3) == std::vector{0, 2, 3, 4});
    CHECK(times(4) == std::vector{0, 1, 2, 3, 4});
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& f : fs::directory_iterator(fs::path(s.test.references).parent_path())) ++files;
    CHECK(files == 3);
    CHECK(s.compare().agrees(0.));
}

TEST_CASE("References of SOFA's regression program are compared")
{
    Scene s;
    fs::create_directories(fs::path(s.test.references).parent_path());
    writeFile(s.file("mstate_0_dofs.json.gz"),
              R"({"0.0": [[0, 0, 0], [1, 0, 0]], "0.2": [[0, 0.0666666666666667, 0], [1, 0, 0]]})");
    writeFile(s.file("mstate_1_dofs.csv.gz"), "# num_points=1\n0.0,5,0,0\n0.4,5,0,0.003\n");
    const auto outcome = s.compare();
    CHECK(outcome.problems.empty());
    REQUIRE(outcome.states.size() == 2);
    CHECK(outcome.states[0].error() < 1e-15);
    CHECK(outcome.states[1].position == Approx(0.003 / std::sqrt(3.)));
    CHECK(outcome.states[1].firstTime == Approx(0.4));
    CHECK_FALSE(outcome.agrees(s.test.epsilon));
}

TEST_CASE("What keeps a scene from being compared is told", "[input]")
{
    Scene s;
    CHECK_THAT(s.problems(), Contains("/body/dofs has no reference") && Contains("--update writes it"));
    writeReferences(*s.simulation, s.test);
    CHECK(s.problems().empty());
    const std::string second = s.file("1_dofs_mstate.txt.gz");
    writeFile(second, "T= 0\n  X= 5 0\n");
    CHECK_THAT(s.problems(), Contains("1_dofs_mstate.txt.gz:2: 2 numbers, /body/below/dofs has 3"));
    writeFile(second, "T= 0\n  X= 5 0 0\nT= 0.55\n  X= 5 0 0\n");
    CHECK_THAT(s.problems(), Contains("1_dofs_mstate.txt.gz:3: the time 0.550000 s does not come in 4 steps"));
    writeFile(second, "T= 0\n  X= 5 0 zero\n");
    CHECK_THAT(s.problems(), Contains("1_dofs_mstate.txt.gz:2: expected a number"));
    writeFile(second, "");
    CHECK_THAT(s.problems(), Contains("it holds no frame"));
    writeFile(second, "T= 0\n  X= nan 0 0\n");
    CHECK(s.problems().empty());
    CHECK_FALSE(s.compare().agrees(1e9));
    writeFile(s.file("mstate_1_dofs.json.gz"), "{}");
    CHECK_THAT(s.problems(), Contains("has several references"));
    fs::remove(s.file("mstate_1_dofs.json.gz"));
    fs::rename(second, s.file("2_dofs_mstate.txt.gz"));
    CHECK_THAT(s.problems(), Contains("the scene has no state for"));
    CHECK_FALSE(s.compare().agrees(1e9));
}

}  // namespace regression_test
