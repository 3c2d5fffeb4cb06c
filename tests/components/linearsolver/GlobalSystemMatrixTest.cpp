// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <zlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace global_system_matrix_test {

using namespace sofa::core;
using namespace sofa::test;
using Catch::Matchers::Contains;

namespace {

/// Two points of 2 kg and 3 kg on a spring of 50 N/m along x, h = 0.1 s: M + h² K.
std::string scene(const std::string& solver)
{
    return "<Node name='root' gravity='0 -10 0' dt='0.1'><EulerImplicitSolver/>" + solver +
           "<MechanicalObject position='0 0 0  1 0 0'/><DiagonalMass vertexMass='2 3'/>"
           "<SpringForceField spring='0 1 50 0 1'/></Node>";
}

/// The text of a file after a step of the scene, in which "@@" is a folder.
std::string written(std::string text, const std::string& file)
{
    const TemporaryDirectory folder;
    for (auto at = text.find("@@"); at != std::string::npos; at = text.find("@@"))
        text.replace(at, 2, folder.path().string());
    auto root = loadSceneText(text, "matrix.scn");
    {
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        sim.cleanup();
    }
    std::ifstream in(folder.path() / file, std::ios::binary);
    std::stringstream contents;
    contents << in.rdbuf();
    return contents.str();
}

/// Row, column and value of the lines of a Matrix Market file.
std::map<std::pair<int, int>, double> entries(const std::string& text)
{
    std::istringstream in(text);
    std::string head;
    std::getline(in, head);
    CHECK(head == "%%MatrixMarket matrix coordinate real general");
    int rows = 0, columns = 0, count = 0;
    in >> rows >> columns >> count;
    CHECK(rows == 6);
    CHECK(columns == 6);
    std::map<std::pair<int, int>, double> all;
    int i = 0, j = 0;
    double v = 0.;
    while (in >> i >> j >> v) all[{i, j}] = v;
    CHECK(static_cast<int>(all.size()) == count);
    return all;
}

const std::string exporter = "<GlobalSystemMatrixExporter filename='@@/a' exportAtEnd='1'";

}  // namespace

TEST_CASE("The matrix of a solver is written")
{
    SECTION("in the Matrix Market format, with or without a linear system in the scene")
    {
        for (const char* system : {"", "<MatrixLinearSystem/>", "<TypedMatrixLinearSystem/>"}) {
            const auto a = entries(written(scene(system + exporter + " format='mtx'/><SparseLDLSolver/>"), "a.mtx"));
            CHECK(a.at({1, 1}) == Approx(2.5).epsilon(1e-14));
            CHECK(a.at({1, 4}) == Approx(-0.5).epsilon(1e-14));
            CHECK(a.at({4, 1}) == Approx(-0.5).epsilon(1e-14));
            CHECK(a.at({6, 6}) == Approx(3.).epsilon(1e-14));
        }
        const auto a = entries(written(scene(exporter + " format='mtx'/><PCGLinearSolver/>"), "a.mtx"));
        CHECK(a.at({4, 1}) == Approx(-0.5).epsilon(1e-14));
    }
    SECTION("as text")
    {
        const std::string solver = "/><SparseLDLSolver/>";
        CHECK_THAT(written(scene(exporter + solver), "a.txt"), Catch::Matchers::StartsWith("2.5 0 0 -0.5 0 0\n0 2 0 "));
        CHECK_THAT(written(scene(exporter + " format='csv'" + solver), "a.csv"), Contains("\n-0.5,0,0,3.5,0,0\n"));
        CHECK_THAT(written(scene(exporter + " precision='1'" + solver), "a.txt"),
                   Catch::Matchers::StartsWith("2 0 0 "));
        CHECK(written(scene("<GlobalSystemMatrixExporter filename='@@/b' exportEveryNumberOfSteps='1'" + solver),
                      "b00001.txt")
                  .size() > 70);
    }
}

TEST_CASE("The image of a matrix is black where it has numbers")
{
    const auto pixels = [](const std::string& size) {
        const std::string png =
            written(scene("<GlobalSystemMatrixImage filename='@@/a' exportAtEnd='1' " + size + "/><SparseLDLSolver/>"),
                    "a.png");
        REQUIRE(png.substr(1, 3) == "PNG");
        const int side = static_cast<unsigned char>(png[19]);
        // The contents of the chunk IDAT, between its type and its check sum.
        const auto at = png.find("IDAT");
        const auto length = static_cast<unsigned char>(png[at - 1]);
        std::string rows(1000, '\0');
        uLongf count = 1000;
        REQUIRE(uncompress(reinterpret_cast<Bytef*>(rows.data()), &count,
                           reinterpret_cast<const Bytef*>(png.data() + at + 4), length) == Z_OK);
        CHECK(static_cast<int>(count) == 2 * side);
        std::string all;
        for (int i = 0; i < side; ++i)
            for (int j = 0; j < side; ++j)
                all +=
                    (static_cast<unsigned char>(rows[static_cast<std::size_t>(2 * i + 1)]) >> (7 - j)) & 1 ? '.' : 'x';
        return all;
    };
    CHECK(pixels("") ==
          "x..x.."
          ".x...."
          "..x..."
          "x..x.."
          "....x."
          ".....x");
    // Each pixel stands for three times three entries.
    CHECK(pixels("size='2'") == "xxxx");
}

TEST_CASE("A composite system assembles others with that of the solver")
{
    const std::string systems =
        "<Node name='m'><MatrixLinearSystem name='all'/><MatrixLinearSystem name='mass' assembleStiffness='0'/>"
        "<MatrixLinearSystem name='stiffness' assembleMass='0'/></Node><CompositeLinearSystem name='composite' "
        "linearSystems='@m/all @m/mass @m/stiffness' solverLinearSystem='@m/all'/>";
    for (const char* solver : {"<SparseLDLSolver linearSystem='@composite'/>",
                               "<CGLinearSolver linearSystem='@composite' iterations='20' tolerance='1e-12' "
                               "threshold='1e-12' template='CompressedRowSparseMatrixd'/>"}) {
        INFO(solver);
        const auto of = [&](const std::string& system) {
            return entries(written(
                scene(systems + exporter + " format='mtx' linearSystem='@" + system + "'/>" + solver), "a.mtx"));
        };
        CHECK(of("m/all").at({1, 1}) == Approx(2.5).epsilon(1e-14));
        CHECK(of("composite").at({1, 1}) == Approx(2.5).epsilon(1e-14));
        CHECK(of("m/mass").at({1, 1}) == Approx(2.).epsilon(1e-14));
        CHECK(of("m/stiffness").at({1, 1}) == Approx(0.5).epsilon(1e-14));
        CHECK(of("m/stiffness").at({1, 4}) == Approx(-0.5).epsilon(1e-14));
    }
}

TEST_CASE("A projection method changes nothing of the matrix, and names one or two states")
{
    const auto matrixWith = [](const std::string& method) {
        return written("<Node name='root' gravity='0 -10 0' dt='0.1'><EulerImplicitSolver/><MatrixLinearSystem/>" +
                           exporter + " format='mtx'/>" + method +
                           "<SparseLDLSolver/><MechanicalObject position='0 0 0  1 0 0'/>"
                           "<DiagonalMass vertexMass='2 3'/><Node name='mapped'><MechanicalObject name='points'/>"
                           "<SpringForceField spring='0 1 50 0 1'/><IdentityMapping/></Node></Node>",
                       "a.mtx");
    };
    const std::string plain = matrixWith("");
    CHECK(entries(plain).at({1, 1}) == Approx(2.5));
    CHECK(matrixWith("<MatrixProjectionMethod mechanicalStates='@mapped/points' areJacobiansConstant='1'/>") == plain);
    const auto good = [](const std::string& states) {
        auto root = loadSceneText(
            "<Node><Node name='a'><MechanicalObject name='x'/></Node><MatrixProjectionMethod " + states + "/></Node>",
            "a.scn");
        return Simulation(root).init();
    };
    CHECK(good("mechanicalStates='@a/x @a/x'"));
    CHECK_FALSE(good(""));
    CHECK_FALSE(good("mechanicalStates='@a/x @a/x @a/x'"));
    CHECK_FALSE(good("mechanicalStates='@b/x'"));
}

TEST_CASE("Mistakes with linear systems are told with their place")
{
    const auto refusal = [](const std::string& text) {
        MessageCapture log;
        auto root = loadSceneText("<Node name='root'>\n" + text + "</Node>", "bad.scn");
        Simulation sim(root);
        CHECK_FALSE(sim.init());
        return log.text();
    };
    CHECK_THAT(refusal("<CompositeLinearSystem/>"),
               Contains("bad.scn:2") && Contains("the system of the solver is expected at least"));
    CHECK_THAT(refusal("<CompositeLinearSystem name='c' linearSystems='@c'/>"), Contains("cannot be part of one"));
    CHECK_THAT(refusal("<GlobalSystemMatrixImage/>"), Contains("bad.scn:2") && Contains("no linear solver"));
    // A solver without a matrix, and one that has not solved yet.
    MessageCapture log;
    CHECK(written(scene("<MatrixFreeSystem/>" + exporter +
                        "/><CGLinearSolver assembly='never' iterations='20' tolerance='1e-9' threshold='1e-9'/>"),
                  "a.txt")
              .empty());
    CHECK(log.has(Severity::Warning, "there is no matrix to write"));
}

TEST_CASE("A linear system without a matrix asks for products without one")
{
    const auto because = [](const std::string& system) {
        auto root = loadSceneText(scene(system + "<CGLinearSolver name='solver' iterations='20' tolerance='1e-9' "
                                                 "threshold='1e-9' template='CompressedRowSparseMatrixd'/>"),
                                  "free.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        Explanation e;
        dynamic_cast<const LinearSolver&>(*root->component("solver")).explain(e);
        return std::string(e.text("because"));
    };
    CHECK_THAT(because("<MatrixLinearSystem/>"), Contains("template"));
    CHECK_THAT(because("<MatrixFreeSystem/>"), !Contains("template"));
}

TEST_CASE("Parallel names of SOFA are names of ours")
{
    auto root = loadSceneText(
        "<Node name='root' gravity='0 -10 0' dt='0.1'><EulerImplicitSolver/><ParallelCGLinearSolver "
        "template='ParallelCompressedRowSparseMatrixMat3x3d' iterations='20' tolerance='1e-9' "
        "threshold='1e-9'/><MechanicalObject position='0 0 0  1 0 0'/><UniformMass "
        "vertexMass='1'/><MeshTopology lines='0 1'/><ParallelSpringForceField spring='0 1 50 0 1'/>"
        "<ParallelMeshSpringForceField linesStiffness='10'/></Node>",
        "parallel.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    sim.step();
    CHECK(root->get<LinearSolver>()->className() == "CGLinearSolver");
}

}  // namespace global_system_matrix_test
