// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/linearsolver/CGLinearSolver.h"
#include "components/linearsolver/PCGLinearSolver.h"
#include "core/behavior/State.h"
#include "core/log/Timer.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/LinearSystem.h"
#include "core/visitor/Operations.h"

using namespace sofa::core;

namespace {

/// A rigid body that carries points on springs, coupled to free points: mapped stiffness, a pair force field, a fixed
/// point.
const char* const mixedScene =
    "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver rayleighStiffness='0.05' "
    "rayleighMass='0.02'/>%s"
    "<Node name='free'><MechanicalObject name='dofs' position='0 0 0  1 0.1 0  2 0 0.2'/><UniformMass "
    "vertexMass='0.5'/>"
    "<FixedProjectiveConstraint indices='0'/><SpringForceField spring='0 1 50 0.1 1  1 2 70 0.2 1'/></Node>"
    "<Node name='rigid'><MechanicalObject template='Rigid3' name='body' position='3 0 0 0.1 0.2 0.3 "
    "0.9273618495495704'/>"
    "<UniformMass vertexMass='2 1 [0.4 0 0,0 0.5 0,0 0 0.6]'/><Node name='points'><MechanicalObject name='mapped' "
    "position='0.3 0 0  -0.3 0.2 0  0 0.1 0.4'/><RigidMapping/><SpringForceField spring='0 1 30 0 0.5  1 2 40 0 "
    "0.6'/></Node></Node>"
    "<SpringForceField object1='@free/dofs' object2='@rigid/points/mapped' spring='2 0 60 0.3 0.9  1 1 20 0 "
    "1.5'/></Node>";

std::shared_ptr<Node> mixed(const std::string& solver)
{
    std::string text = mixedScene;
    text.replace(text.find("%s"), 2, solver);
    return loadSceneText(text, "mixed.scn");
}

Vector<double> statesAfter(const std::string& solver, int steps)
{
    auto root = mixed(solver);
    Simulation sim(root);
    REQUIRE(sim.init());
    for (int i = 0; i < steps; ++i) sim.step();
    Vector<double> all;
    for (BaseState* s : ExecutionPlan::of(*root).independentStates()) {
        Vector<double> v(s->size() * s->coordSize());
        s->getScalars(vec_id::position, v.data());
        all.insert(all.end(), v.begin(), v.end());
    }
    return all;
}

double difference(const Vector<double>& a, const Vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double m = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) m = std::max(m, std::abs(a[i] - b[i]));
    return m;
}

}  // namespace

TEST_CASE("the assembled system is the matrix of the matrix-free product, mapped and constrained states included")
{
    auto root = mixed("<SparseLDLSolver/>");
    Simulation sim(root);
    REQUIRE(sim.init());
    for (int i = 0; i < 3; ++i) sim.step();

    MechanicalParams mp;
    mp.implicit = true;
    mp.mFactor = 1.3;
    mp.bFactor = -0.2;
    mp.kFactor = -0.7;
    MechanicalOperations mop(*root, mp);
    VectorOperations vop(*root);
    const VecDerivId p{30}, q{31};
    vop.allocate(p);
    vop.allocate(q);
    mop.propagateXAndV(vec_id::position, vec_id::velocity);
    mop.computeForce(vec_id::force);
    SystemAssembly a;
    a.assemble(*root, mop.mp);
    REQUIRE(a.size() == 9 + 6);
    REQUIRE(a.eliminated().size() == 3);
    SystemAssembly factored;
    factored.assemble(*root, mop.mp, {.factored = true});

    const auto n = static_cast<std::size_t>(a.size());
    Vector<double> in(n), assembled(n), free(n), direct(n);
    double mapped = 0.;
    for (std::size_t column = 3; column < n; ++column) {  // the first point is fixed
        std::fill(in.begin(), in.end(), 0.);
        in[column] = 1.;
        a.scatter(in.data(), p);
        mop.addMBKdx(q, p, 1.3, -0.2, -0.7, true);
        mop.projectResponse(q);
        a.gather(q, free.data());
        a.matrix().multiply(in, assembled);
        double scale = 0.;
        for (double v : assembled) scale = std::max(scale, std::abs(v));
        REQUIRE(scale > 0.);
        CHECK(difference(assembled, free) < 1e-12 * scale);
        factored.matrix().multiply(in, direct);
        mapped = std::max(mapped, difference(direct, free) / scale);
        factored.addFactoredProduct(in, direct);
        CHECK(difference(direct, free) < 1e-12 * scale);
    }
    CHECK(mapped > 0.1);  // what the matrix lacks
    CHECK(a.describe(9 + 4) == "/rigid/body, point 0, component 4");
}

TEST_CASE("all linear solvers give the same motion")
{
    const auto reference = statesAfter("<SparseLDLSolver/>", 20);
    for (const char* solver :
         {"<EigenSimplicialLDLT/>",
          "<EigenSimplicialLDLT implementation='eigen'/>",
          "<EigenSparseLU/>",
          "<EigenSparseLU implementation='eigen'/>",
          "<EigenSparseQR/>",
          "<EigenSparseQR implementation='eigen'/>",
          "<EigenSimplicialLLT/>",
          "<DirectSolver/>",
          "<DirectSolver method='dense'/>",
          "<DirectSolver method='supernodal'/>",
          "<DirectSolver method='simplicialLDLT'/>",
          "<DirectSolver method='simplicialLLT'/>",
          "<DirectSolver method='LU'/>",
          "<DirectSolver method='QR'/>",
          "<CGLinearSolver iterations='500' tolerance='1e-15' threshold='1e-40' assembly='always'/>",
          "<CGLinearSolver iterations='500' tolerance='1e-15' threshold='1e-40' assembly='never'/>",
          "<SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/><NaturalOrderingMethod/>",
          "<MinResLinearSolver iterations='500' tolerance='1e-15'/>",
          "<MinResLinearSolver iterations='500' tolerance='1e-15' template='CompressedRowSparseMatrixd'/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30'/>",
          "<JacobiPreconditioner/><PCGLinearSolver iterations='500' tolerance='1e-30'/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30' preconditioner='@p'/><BlockJacobiPreconditioner "
          "name='p'/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30'/><SSORPreconditioner omega='1.3'/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30'/><IncompleteCholeskyPreconditioner/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30'/><MultigridPreconditioner/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30'/><MultigridPreconditioner coarsest='3'/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30' preconditioner='@p' "
          "assemblingRate='7'/><SparseLDLSolver "
          "name='p'/>",
          "<MatrixLinearSystem name='system'/><SparseLDLSolver linearSystem='@system'/>"}) {
        INFO(solver);
        CHECK(difference(statesAfter(solver, 20), reference) < 1e-10);
    }
}

TEST_CASE("Minimal residuals solve the systems of a column that buckles, which are not positive definite",
          "[linearsolver]")
{
    // Points on a line under compression: the geometric stiffness across it is negative.
    const auto after = [](const std::string& solver) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 0 0' dt='0.5'><DefaultAnimationLoop/><EulerImplicitSolver "
            "rayleighStiffness='0' "
            "rayleighMass='0.2'/>" +
                solver +
                "<MechanicalObject name='dofs' position='0 0 0  1 0.01 0  2 0 0  3 0.01 0  4 0 0'/><UniformMass "
                "vertexMass='1'/><FixedProjectiveConstraint indices='0 4'/><SpringForceField spring='0 1 40 0 1.2  1 2 "
                "40 0 1.2  2 3 40 0 1.2  3 4 40 0 1.2'/></Node>",
            "column.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 3; ++i) sim.step();
        Vector<double> x(15);
        ExecutionPlan::of(*root).independentStates()[0]->getScalars(vec_id::position, x.data());
        return x;
    };
    const Vector<double> exact = after("<DirectSolver method='dense'/>");
    const MessageCapture messages;
    CHECK(difference(after("<MinResLinearSolver iterations='200' tolerance='1e-14'/>"), exact) < 1e-9);
    CHECK(messages.text().empty());
    // Conjugate gradients that check the curvature refuse them.
    (void)after("<PCGLinearSolver iterations='200' tolerance='1e-28'/>");
    CHECK_THAT(messages.text(), Catch::Contains("not positive definite"));
}

TEST_CASE("a block tridiagonal solver moves chains of frames as others do, and says when there is no chain")
{
    const auto moved = [](const std::string& solver, const std::string& lines) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver rayleighStiffness='0.01'/>" + solver +
                "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1  3 0 0 0 0 "
                "0 1'/><MeshTopology lines='" +
                lines +
                "'/><FixedProjectiveConstraint indices='0'/><UniformMass vertexMass='1 1 [0.1 0 0, 0 0.2 0, 0 0 0.2]'/>"
                "<BeamFEMForceField radius='0.1' youngModulus='1e5' poissonRatio='0.3'/></Node>",
            "chain.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 20; ++i) sim.step();
        Vector<double> x;
        for (const RigidCoord3& c : root->get<State<Rigid3Types>>()->positions())
            for (const double v : {c.center[0], c.center[1], c.center[2], c.orientation[2], c.orientation[3]})
                x.push_back(v);
        return x;
    };
    MessageCapture capture;
    const auto reference = moved("<SparseLDLSolver/>", "0 1 1 2 2 3");
    CHECK(reference[16] < -0.01);
    CHECK(difference(moved("<BTDLinearSolver/>", "0 1 1 2 2 3"), reference) < 1e-12);
    CHECK(difference(moved("<BTDLinearSolver template='BTDMatrix6d'/>", "0 1 1 2 2 3"), reference) < 1e-12);
    CHECK(capture.count(Severity::Warning) == 0);
    moved("<BTDLinearSolver/>", "0 1 1 2 1 3");
    CHECK(capture.count(Severity::Warning) == 1);
    CHECK(capture.has(Severity::Warning, "point 1, component 0 with /MechanicalObject1, point 3, component 0"));
}

TEST_CASE("direct solvers keep the factor of a matrix that does not change")
{
    const auto factorizations = [](const std::string& solver, const std::string& force) {
        auto root = loadSceneText("<Node name='root' gravity='0 -1 0'><EulerImplicitSolver/>" + solver +
                                      "<MechanicalObject position='0 0 0  1 0 0'/><UniformMass totalMass='1'/>" +
                                      force + "</Node>",
                                  "two.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        Timers::reset();
        Timers::enable(true);
        for (int i = 0; i < 5; ++i) sim.step();
        Timers::enable(false);
        std::uint64_t count = 0;
        for (const Timers::Row& row : Timers::rows())
            if (row.phase == "Factorize") count += row.count;
        return count;
    };
    for (const char* solver : {"<SparseLDLSolver/>", "<EigenSimplicialLLT/>", "<EigenSparseLU/>"}) {
        INFO(solver);
        CHECK(factorizations(solver, "") == 0);
        CHECK(factorizations(solver, "<SpringForceField spring='0 1 10 0 0.5'/>") == 5);
    }
}

TEST_CASE("direct solvers notice that a matrix does not change any more")
{
    auto root = loadSceneText(
        "<Node name='root' gravity='0 -1 0'><EulerImplicitSolver/><SparseLDLSolver/>"
        "<MechanicalObject name='state' position='0 0 0  1 0 0'/><UniformMass name='mass' "
        "vertexMass='1'/></Node>",
        "two.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    Timers::reset();
    Timers::enable(true);
    std::vector<std::uint64_t> factorizations;  // until the end of each step
    for (int step = 0; step < 8; ++step) {
        // The mass changes before the steps 2, 3 and 4.
        std::string error;
        if (step >= 2 && step < 5)
            REQUIRE(root->component("mass")->findData("vertexMass")->read(std::to_string(step), error));
        sim.step();
        std::uint64_t count = 0;
        for (const Timers::Row& row : Timers::rows())
            if (row.phase == "Factorize") count += row.count;
        factorizations.push_back(count);
    }
    Timers::enable(false);
    // Once more than necessary after a series of changes, during which matrices are not kept for comparison.
    CHECK(factorizations == std::vector<std::uint64_t>{1, 1, 2, 3, 4, 5, 5, 5});
    const auto& v = dynamic_cast<State<Vec3Types>&>(*root->get<BaseState>(Search::Local)).velocities();
    CHECK(v[0][1] == Approx(-8. * root->dt()));
}

TEST_CASE("the analysis of a matrix is kept while its pattern is the same")
{
    // Three points, of which two are tied by a spring of a changing stiffness matrix; the second body appears later.
    const auto phases = [](const std::string& solver) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -1 0'><EulerImplicitSolver/>" + solver +
                "<MechanicalObject position='0 0 0  1 0 0  0 1 0'/><UniformMass totalMass='1'/><SpringForceField "
                "name='springs' spring='0 1 10 0 0.5'/></Node>",
            "three.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        const auto count = [&](int steps) {
            Timers::reset();
            Timers::enable(true);
            for (int i = 0; i < steps; ++i) sim.step();
            Timers::enable(false);
            std::pair<std::uint64_t, std::uint64_t> n{0, 0};
            for (const Timers::Row& row : Timers::rows()) {
                if (row.phase == "Analyze") n.first += row.count;
                if (row.phase == "Factorize") n.second += row.count;
            }
            return n;
        };
        const auto steady = count(5);
        std::string error;
        REQUIRE(root->component("springs")->findData("spring")->read("0 1 10 0 0.5  1 2 10 0 0.5", error));
        dynamic_cast<Component*>(root->component("springs"))->reinit();
        return std::pair{steady, count(5)};
    };
    for (const char* solver :
         {"<SparseLDLSolver/>", "<SparseLDLSolver/><MetisOrderingMethod/>", "<EigenSparseLU/>",
          "<EigenSimplicialLDLT implementation='eigen'/>", "<DirectSolver printLog='0'/>",
          "<DirectSolver printLog='0' method='supernodal'/>", "<PCGLinearSolver/><MultigridPreconditioner/>"}) {
        INFO(solver);
        const auto [steady, changed] = phases(solver);
        CHECK(steady == std::pair<std::uint64_t, std::uint64_t>{0, 5});
        CHECK(changed == std::pair<std::uint64_t, std::uint64_t>{1, 5});
    }
}

TEST_CASE("a direct solver chooses its method by size and kind of the matrix, and says why")
{
    const auto chosen = [](const std::string& n, const std::string& more, const std::string& solver,
                           MessageCapture* log) {
        auto root = loadSceneText("<Node name='root' gravity='0 -1 0'><EulerImplicitSolver/>" + solver +
                                      "<RegularGridTopology name='grid' n='" + n +
                                      "' min='0 0 0' max='1 1 1'/><MechanicalObject/><UniformMass totalMass='1'/>"
                                      "<HexahedronFEMForceField youngModulus='100'/>" +
                                      more + "</Node>",
                                  "grid.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 3; ++i) sim.step();
        if (log) CHECK(log->count(Severity::Info) == 1);
        for (const auto& c : root->components())
            if (c->className() == "DirectSolver") return c->findData("chosen")->text();
        return std::string("none");
    };
    {
        MessageCapture log;
        CHECK(chosen("2 2 2", "", "<DirectSolver/>", &log) == "DenseLU");
        CHECK(log.has(Severity::Info, "24 unknowns, 576 numbers in the matrix. Up to 24 unknowns a dense LU"));
        CHECK(log.has(Severity::Info, "Chosen: DenseLU; the factor has 576 numbers (1 times the matrix)"));
    }
    {
        MessageCapture log;
        CHECK(chosen("3 3 3", "", "<DirectSolver/>", &log) == "SupernodalLDLT");
        CHECK(log.has(Severity::Info, "81 unknowns"));
        CHECK(log.has(Severity::Info,
                      "It is symmetric and positive definite: L D L' by supernodes, against 354294 "
                      "operations of a dense factorisation. Chosen: SupernodalLDLT, ordering AMD"));
        CHECK(log.has(Severity::Info, "threads"));
    }
    {
        MessageCapture log;
        // Not symmetric: a Laplacian with scaled rows.
        CHECK(chosen("3 3 3", "<DampingMatrixForceField laplacian='1' scaleRows='1'/>", "<DirectSolver/>", &log) ==
              "EigenSparseLU");
        CHECK(log.has(Severity::Info, "It is not symmetric and positive definite: sparse LU with pivoting"));
    }
    {
        MessageCapture log;
        CHECK(chosen("2 2 2", "", "<MetisOrderingMethod/><DirectSolver method='supernodal'/>", &log) ==
              "SupernodalLDLT");
        CHECK(log.has(Severity::Info,
                      "24 unknowns, 576 numbers in the matrix. Method: SupernodalLDLT, ordering METIS; the "
                      "factor has 300 numbers (0.520833 times the matrix) and takes"));
    }
    {
        MessageCapture log;
        CHECK(chosen("2 2 2", "", "<DirectSolver printLog='0'/>", nullptr) == "DenseLU");
        CHECK(log.count(Severity::Info) == 0);
    }
}

TEST_CASE("conjugate gradients stop at the number of iterations, the tolerance, the threshold")
{
    const auto iterations = [](const std::string& solver) {
        auto root = mixed(solver);
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        sim.step();
        return root->component("CGLinearSolver1")->findData("lastIterations")->text();
    };
    CHECK(iterations("<CGLinearSolver iterations='2' tolerance='0' threshold='0'/>") == "2");
    CHECK(iterations("<CGLinearSolver iterations='50' tolerance='1e9' threshold='0'/>") == "1");
    CHECK(iterations("<CGLinearSolver iterations='50' tolerance='0' threshold='1e9'/>") == "2");
}

TEST_CASE("light bodies fall with conjugate gradients as they do without, unless SOFA's numbers are asked for")
{
    // 1 kg in 1,000 points, h = 0.01 s, 100 steps of Euler: g h² n (n + 1)/2 = 4.954 m; SOFA's threshold of 1e-5 J is
    // more than p'Ap of the whole body.
    const auto fallen = [](const std::string& compatibility) {
        std::string points;
        for (int i = 0; i < 1000; ++i)
            points += toText(Vec3{0.1 * (i % 10), 0.1 * (i / 10 % 10), 0.1 * (i / 100)}) + "  ";
        auto root =
            loadSceneText("<Node name='root' gravity='0 0 -9.81' dt='0.01' compatibility='" + compatibility +
                              "'><EulerImplicitSolver/><CGLinearSolver name='cg'/><MechanicalObject position='" +
                              points + "'/><UniformMass totalMass='1'/></Node>",
                          "fall.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 100; ++i) sim.step();
        const auto* s = root->get<State<Vec3Types>>(Search::Down);
        CHECK(root->component("cg")->findData("unconvergedSolves")->text() == (compatibility == "sofa" ? "99" : "0"));
        return -s->positions()[0][2];
    };
    MessageCapture capture;
    CHECK(fallen("exact") == Approx(9.81 * 1e-4 * 100. * 101. / 2.).epsilon(1e-9));
    CHECK(capture.count(Severity::Warning) == 0);
    CHECK(fallen("sofa") == Approx(9.81 * 1e-4 * 100.).epsilon(1e-9));
    CHECK(capture.has(Severity::Warning, "p'Ap is below the threshold of 1e-05 at the first iteration"));
    CHECK(capture.count(Severity::Warning) == 1);
}

TEST_CASE("conjugate gradients that run out of iterations say so once, with the residual, and count")
{
    auto root = mixed("<CGLinearSolver name='cg' iterations='2' tolerance='1e-12' threshold='0'/>");
    Simulation sim(root);
    REQUIRE(sim.init());
    MessageCapture capture;
    for (int i = 0; i < 5; ++i) sim.step();
    CHECK(capture.count(Severity::Warning) == 1);
    CHECK(capture.has(Severity::Warning, "a solve ended with |r|/|b| = "));
    CHECK(capture.has(Severity::Warning, "all 2 iterations were used"));
    CHECK(root->component("cg")->findData("unconvergedSolves")->text() == "5");
    sim.reset();
    CHECK(root->component("cg")->findData("unconvergedSolves")->text() == "0");
}

TEST_CASE("a matrix that nobody sees is not assembled where products are as fast without one")
{
    // Equal boxes: their products need no matrix (core/fem/elements/BoxHexahedra.h). What else gives stiffness needs
    // one.
    const auto positions = [](const std::string& solver, const std::string& more, unsigned& iterations) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver "
            "rayleighStiffness='0.05' rayleighMass='0.02'/>" +
                solver +
                "<MechanicalObject/><UniformMass totalMass='3'/><RegularGridTopology nx='3' "
                "ny='4' nz='6' min='0 0 0' max='1 2 3'/><HexahedronFEMForceField "
                "youngModulus='4000' poissonRatio='0.3'/><FixedProjectiveConstraint "
                "indices='0 1 2 3 4 5'/>" +
                more + "</Node>",
            "boxes.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 5; ++i) sim.step();
        iterations =
            static_cast<unsigned>(std::stoul(root->component("CGLinearSolver1")->findData("lastIterations")->text()));
        BaseState* s = ExecutionPlan::of(*root).independentStates().front();
        Vector<double> x(s->size() * 3);
        s->getScalars(vec_id::position, x.data());
        return x;
    };
    const std::string cg =
        "<CGLinearSolver template='CompressedRowSparseMatrixMat3x3' iterations='200' tolerance='1e-12' "
        "threshold='1e-20' assembly='";
    const std::string system = "<MatrixLinearSystem template='CompressedRowSparseMatrixMat3x3'/>";
    const std::string spring = "<SpringForceField spring='8 20 60 0.3 0.9'/>";
    unsigned whole = 0, without = 0, other = 0;
    const Vector<double> always = positions(cg + "always'/>", "", whole);
    const Vector<double> automatic = positions(cg + "auto'/>", "", without);
    CHECK(whole > 10);
    // The last bits of |r| decide whether one more is needed.
    CHECK(std::abs(static_cast<int>(without) - static_cast<int>(whole)) <= 1);
    CHECK(difference(automatic, always) < 1e-10);
    CHECK(difference(automatic, always) > 0.);
    // Products of the whole grid sum in another order than those of single boxes (assembly never).
    const Vector<double> never = positions(cg + "never'/>", "", other);
    CHECK(difference(never, always) < 1e-10);
    CHECK(difference(never, automatic) > 0.);
    // A component for the system may be asked for its matrix.
    CHECK(positions(system + cg + "auto'/>", "", other) == always);
    CHECK(positions(cg + "auto'/>", spring, other) == positions(cg + "always'/>", spring, other));
}

TEST_CASE("implicit Euler takes the product along the velocity from the matrix where that is the same",
          "[linearsolver]")
{
    std::string points, triangles;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            points += std::to_string(0.1 * i) + " " + std::to_string(0.1 * j) + " " +
                      std::to_string(0.01 * ((3 * i + 5 * j) % 7)) + "  ";
            const int p = 6 * i + j;
            if (i < 5 && j < 5)
                for (const int v : {p, p + 1, p + 6, p + 1, p + 7, p + 6}) triangles += std::to_string(v) + " ";
        }
    bool byMatrix = false;
    const auto positions = [&](const std::string& assembly, const std::string& integrator, const std::string& forces,
                               const std::string& more) {
        std::string velocity;
        for (int i = 0; i < 37; ++i) velocity += i == 0 ? "0 0 0 " : i == 36 ? "0 0 1 " : "0.1 -0.2 0.3 ";
        auto root =
            loadSceneText("<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver " + integrator +
                              "/><CGLinearSolver name='cg' template='CompressedRowSparseMatrixMat3x3' "
                              "iterations='400' tolerance='1e-14' threshold='1e-30' assembly='" +
                              assembly + "'/><MechanicalObject position='" + points + "' velocity='" +
                              velocity.substr(0, velocity.size() - 6) + "'/><MeshTopology triangles='" + triangles +
                              "'/><UniformMass totalMass='0.3'/><TriangularFEMForceField "
                              "youngModulus='2000' poissonRatio='0.3' method='large' " +
                              forces + "/>" + more + "</Node>",
                          "membrane.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 5; ++i) sim.step();
        auto& cg = dynamic_cast<sofa::component::CGLinearSolver&>(*root->component("cg"));
        BaseState* s = ExecutionPlan::of(*root).independentStates().front();
        const std::size_t n = s->size() * 3;
        Vector<double> before(n), after(n);
        s->getScalars(vec_id::force, before.data());
        byMatrix = cg.addProduct(vec_id::force, vec_id::velocity, 0.5);
        s->getScalars(vec_id::force, after.data());
        CHECK((before == after) != byMatrix);
        Vector<double> x(n);
        s->getScalars(vec_id::position, x.data());
        return x;
    };
    const std::string damped = "rayleighStiffness='0.05' rayleighMass='0.1'";
    struct Case
    {
        std::string integrator, forces, more;
        bool byMatrix;
    };
    const std::string fixed = "<FixedProjectiveConstraint indices='0'/>";
    for (const Case& c : {Case{"", "", "", true}, Case{damped, "", fixed, true},
                          Case{damped + " trapezoidalScheme='1'", "", fixed, true},
                          Case{damped, "rayleighStiffness='0.1'", fixed, true},  // the integrator must not ask for it
                          Case{damped, "", "<FixedProjectiveConstraint indices='1'/>", false},  // it moves
                          Case{damped, "", "<PlaneProjectiveConstraint indices='0 1' normal='1 1 0'/>", false}}) {
        INFO(c.integrator << ' ' << c.forces << ' ' << c.more);
        const Vector<double> never = positions("never", c.integrator, c.forces, c.more);
        CHECK_FALSE(byMatrix);
        const Vector<double> always = positions("always", c.integrator, c.forces, c.more);
        CHECK(byMatrix == c.byMatrix);
        CHECK(difference(always, never) < 1e-10);
    }
}

TEST_CASE("grids of boxes are multiplied as a whole, with masses and fixed points", "[linearsolver]")
{
    unsigned iterations = 0;
    bool assembled = false;
    const auto positions = [&](const std::string& assembly, const std::string& more) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver "
            "rayleighStiffness='0.05' rayleighMass='0.02'/><CGLinearSolver name='cg' "
            "iterations='400' tolerance='1e-13' threshold='1e-25' assembly='" +
                assembly +
                "'/><MechanicalObject name='state'/><RegularGridTopology name='grid' nx='3' "
                "ny='4' nz='11' min='0 0 0' max='1 2 3'/><CorotationalFEMForceField "
                "template='Vec3,Hexahedron' youngModulus='4000' poissonRatio='0.3'/>" +
                more + "</Node>",
            "grid.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 5; ++i) sim.step();
        auto& cg = dynamic_cast<sofa::component::CGLinearSolver&>(*root->component("cg"));
        iterations = cg.d_lastIterations.value();
        assembled = cg.l_linearSystem->assembly().size() > 0;
        BaseState* s = ExecutionPlan::of(*root).independentStates().front();
        Vector<double> x(s->size() * 3);
        s->getScalars(vec_id::position, x.data());
        return x;
    };
    const std::string fixed = "<FixedProjectiveConstraint indices='0 1 2 3 4 5 6 7 8 9 10 11'/>",
                      density = "<FEMMass template='Vec3,Hexahedron' massDensity='2'/>";
    for (const std::string& more :
         {fixed + density, fixed + "<UniformMass totalMass='3'/>",
          fixed + density + "<UniformMass totalMass='3' rayleighMass='0.1'/>",
          "<PartialFixedProjectiveConstraint indices='0 1 2 3 4 5 6 7 8 9 10 11 20' fixedDirections='1 1 0'/>" +
              density}) {
        INFO(more);
        const Vector<double> always = positions("always", more);
        CHECK(assembled);
        const Vector<double> automatic = positions("auto", more);
        CHECK_FALSE(assembled);
        CHECK(iterations > 20);
        CHECK(difference(automatic, always) < 1e-9);
        CHECK(difference(automatic, always) > 0.);
    }
    // What the product does not have: other forces, masses that differ, directions that are no axes.
    for (const std::string& more :
         {fixed + density + "<SpringForceField spring='8 20 60 0.3 0.9'/>",
          fixed + "<NodalMassDensity property='1 2 1'/><FEMMass template='Vec3,Hexahedron'/>",
          fixed + "<MeshMatrixMass massDensity='2'/>",
          "<LineProjectiveConstraint indices='0 1 2 3 4 5 6 7 8 9 10 11' origin='0 0 0' direction='1 1 0'/>" +
              density}) {
        INFO(more);
        CHECK(positions("auto", more) == positions("always", more));
        CHECK(assembled);
    }
}

TEST_CASE("without a preconditioner, preconditioned conjugate gradients multiply grids as a whole", "[linearsolver]")
{
    bool assembled = false;
    const auto positions = [&](const std::string& solver, const std::string& more) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver rayleighStiffness='0.05' "
            "rayleighMass='0.02'/>" +
                solver +
                "<MechanicalObject name='state'/><RegularGridTopology name='grid' nx='3' ny='4' nz='11' min='0 0 0' "
                "max='1 2 3'/><HexahedronFEMForceField youngModulus='4000' poissonRatio='0.3'/>"
                "<UniformMass totalMass='3'/><FixedProjectiveConstraint indices='0 1 2 3 4 5 6 7 8 9 10 11'/>" +
                more + "</Node>",
            "grid.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 5; ++i) sim.step();
        auto& pcg = dynamic_cast<sofa::component::PCGLinearSolver&>(*root->component("pcg"));
        CHECK(pcg.d_lastIterations.value() > 5);
        assembled = pcg.l_linearSystem->assembly().size() > 0;
        BaseState* s = ExecutionPlan::of(*root).independentStates().front();
        Vector<double> x(s->size() * 3);
        s->getScalars(vec_id::position, x.data());
        return x;
    };
    const std::string pcg = "<PCGLinearSolver name='pcg' iterations='400' tolerance='1e-26'/>",
                      assembling =
                          "<MatrixLinearSystem name='system'/><PCGLinearSolver name='pcg' iterations='400' "
                          "tolerance='1e-26' linearSystem='@system'/>";
    const Vector<double> always = positions(assembling, "");
    CHECK(assembled);
    const Vector<double> whole = positions(pcg, "");
    CHECK_FALSE(assembled);
    CHECK(difference(whole, always) < 1e-9);
    CHECK(difference(whole, always) > 0.);
    CHECK(difference(positions(pcg + "<JacobiPreconditioner/>", ""), always) < 1e-9);
    CHECK(assembled);
    const std::string spring = "<SpringForceField spring='40 60 60 0.3 0.9'/>";
    CHECK(positions(pcg, spring) == positions(assembling, spring));
    CHECK(assembled);
}

TEST_CASE("a preconditioner may be switched off and on between steps", "[linearsolver]")
{
    const auto positions = [](bool switched) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver/><PCGLinearSolver name='pcg' "
            "iterations='400' tolerance='1e-26'/><JacobiPreconditioner/><MechanicalObject name='state'/>"
            "<RegularGridTopology nx='3' ny='4' nz='11' min='0 0 0' max='1 2 3'/>"
            "<HexahedronFEMForceField youngModulus='4000' poissonRatio='0.3'/><UniformMass totalMass='3'/>"
            "<FixedProjectiveConstraint indices='0 1 2 3 4 5 6 7 8 9 10 11'/></Node>",
            "grid.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        auto& pcg = dynamic_cast<sofa::component::PCGLinearSolver&>(*root->component("pcg"));
        // The solution is kept for the next start in the order of the state, whatever multiplies.
        for (int i = 0; i < 6; ++i) {
            pcg.d_usePreconditioner.setValue(!switched || i % 2 == 0);
            sim.step();
        }
        BaseState* s = ExecutionPlan::of(*root).independentStates().front();
        Vector<double> x(s->size() * 3);
        s->getScalars(vec_id::position, x.data());
        return x;
    };
    CHECK(difference(positions(true), positions(false)) < 1e-9);
}

TEST_CASE("what mapped states add, kept as factors, is what the matrix has of it where points move in a plane")
{
    std::string text = mixedScene;
    text.replace(text.find("%s"), 2, "<SparseLDLSolver/>");
    text.replace(text.find("<FixedProjectiveConstraint indices='0'/>"), 40,
                 "<PlaneProjectiveConstraint indices='1 2' normal='1 2 -1'/>");
    auto root = loadSceneText(text, "mixed.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    for (int i = 0; i < 3; ++i) sim.step();
    MechanicalParams mp;
    mp.implicit = true;
    mp.mFactor = 1.3;
    mp.kFactor = -0.7;
    SystemAssembly whole, factored;
    whole.assemble(*root, mp);
    factored.assemble(*root, mp, {.factored = true});
    REQUIRE(whole.size() == 9 + 6);
    const auto n = static_cast<std::size_t>(whole.size());
    Vector<double> in(n), expected(n), direct(n);
    double mapped = 0.;
    for (std::size_t column = 0; column < n; ++column) {
        std::fill(in.begin(), in.end(), 0.);
        in[column] = 1.;
        whole.matrix().multiply(in, expected);
        factored.matrix().multiply(in, direct);
        mapped = std::max(mapped, difference(direct, expected));
        factored.addFactoredProduct(in, direct);
        double scale = 0.;
        for (double v : expected) scale = std::max(scale, std::abs(v));
        CHECK(difference(direct, expected) < 1e-12 * scale);
    }
    CHECK(mapped > 1.);
}

TEST_CASE("contacts behind a dense mapping are factors beside the matrix")
{
    // A block of tetrahedra, whose surface is mapped, falls on its corner. Without contacts there is a matrix, then
    // factors beside it, and the motion is that of products without a matrix.
    struct Run
    {
        Vector<double> x;
        unsigned iterations, contacts;
    };
    const auto run = [](const std::string& assembly, int steps) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -9.81 0' "
            "dt='0.01'><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
            "<NewProximityIntersection alarmDistance='0.1' contactDistance='0.04'/>"
            "<CollisionResponse response='PenalityContactForceField'/><DefaultAnimationLoop/>"
            "<Node name='block'><EulerImplicitSolver rayleighStiffness='0.02' rayleighMass='0.1'/>"
            "<CGLinearSolver name='cg' iterations='300' tolerance='1e-13' threshold='1e-30' assembly='" +
                assembly +
                "'/><MeshTopology position='0 0 0  1 0 0  0 1 0  1 1 0  0 0 1  1 0 1  0 1 1  1 1 1' "
                "tetrahedra='0 1 2 4  1 3 2 7  1 5 7 4  2 7 6 4  1 7 2 4'/>"
                "<MechanicalObject name='points' rotation='35 20 40' translation='0 0.35 0'/><UniformMass "
                "totalMass='1'/>"
                "<TetrahedronFEMForceField youngModulus='2000' poissonRatio='0.3' method='large'/>"
                "<Node name='surface'><MeshTopology position='0.1 0.1 0.1  0.9 0.1 0.1  0.1 0.9 0.1  0.1 0.1 0.9' "
                "triangles='0 2 1  0 1 3  0 3 2  1 2 3'/><MechanicalObject rotation='35 20 40' translation='0 0.35 0'/>"
                "<TriangleCollisionModel/><BarycentricMapping/></Node></Node>"
                "<Node name='floor'><MeshTopology position='-2 0 -2  2 0 -2  2 0 2  -2 0 2' triangles='0 2 1  0 3 2'/>"
                "<MechanicalObject/><TriangleCollisionModel name='faces' moving='0' simulated='0'/></Node></Node>",
            "block.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        Run r{{}, 0, 0};
        for (int i = 0; i < steps; ++i) {
            sim.step();
            if (root->children()[1]->component("faces")->findData("numberOfContacts")->text() != "0") ++r.contacts;
        }
        r.iterations =
            static_cast<unsigned>(std::stoul(root->children()[0]->component("cg")->findData("lastIterations")->text()));
        BaseState* s = ExecutionPlan::of(*root->children().front()).independentStates().front();
        r.x.resize(s->size() * 3);
        s->getScalars(vec_id::position, r.x.data());
        return r;
    };
    const Run never = run("never", 60), automatic = run("auto", 60), always = run("always", 60);
    CHECK(never.contacts > 20);
    CHECK(never.contacts < 60);
    CHECK(automatic.contacts == never.contacts);
    CHECK(automatic.iterations > 10);
    CHECK(difference(automatic.x, never.x) < 1e-9);
    CHECK(difference(automatic.x, always.x) < 1e-9);
    CHECK(difference(automatic.x, never.x) > 0.);
    CHECK(difference(automatic.x, always.x) > 0.);
    CHECK(difference(automatic.x, run("auto", 55).x) > 1e-6);
    setThreadCount(2);
    CHECK(run("auto", 60).x == automatic.x);
    setThreadCount(4);
    CHECK(run("auto", 60).x == automatic.x);
    setThreadCount(0);
}

TEST_CASE("Nothing happens until a force acts, and then what would have happened at once", "[linearsolver]")
{
    // The matrix waits while right-hand sides are zero; the first one that is not must find it.
    const auto fall = [](int still, const std::string& attributes) {
        const auto root = loadSceneText(
            "<Node name='root' gravity='0 0 0' dt='0.01'><DefaultAnimationLoop/><EulerImplicitSolver "
            "rayleighStiffness='0.1'/><CGLinearSolver name='cg' iterations='50' tolerance='1e-12' threshold='1e-20' " +
                attributes +
                "/><MechanicalObject name='x' position='0 0 0  1 0 0  0 2 0'/><UniformMass vertexMass='0.5'/>"
                "<SpringForceField spring='0 1 30 0 1  1 2 50 0 2.2360679774997898'/><ConstantForceField name='push' "
                "indices='0' forces='0 0 0'/></Node>",
            "test.scn");
        REQUIRE(root);
        Simulation simulation(root);
        REQUIRE(simulation.init());
        std::string error;
        auto* force = root->component("push")->findData("forces");
        for (int step = 0; step < still; ++step) simulation.step();
        REQUIRE(force->read("1 2 3", error));
        for (int step = 0; step < 5; ++step) simulation.step();
        REQUIRE(force->read("0 0 0", error));
        for (int step = 0; step < 5; ++step) simulation.step();
        return root->component("x")->findData("position")->text();
    };
    for (const std::string attributes : {"", "assembly='never'", "warmStart='1'"}) {
        const std::string expected = fall(0, attributes);
        CHECK(expected.find("nan") == std::string::npos);
        for (const int still : {1, 2, 5}) CHECK(fall(still, attributes) == expected);
    }
}

TEST_CASE("Products without a matrix follow a scope that changes between two solves", "[linearsolver]")
{
    // As constraint corrections meet it: contacts add nodes after the matrix of the step.
    auto root =
        mixed("<CGLinearSolver name='cg' assembly='never' iterations='100' tolerance='1e-14' threshold='1e-30'/>");
    Simulation sim(root);
    REQUIRE(sim.init());
    sim.step();
    auto& cg = dynamic_cast<LinearSolver&>(*root->component("cg"));
    const std::shared_ptr<Node> rigid = root->children().at(1);
    const std::shared_ptr<Node> points = rigid->children().at(0);

    MechanicalParams mp;
    mp.implicit = true;
    mp.mFactor = 1.;
    mp.kFactor = -0.7;
    const VecDerivId x{30}, b{31};
    VectorOperations vop(*root);
    vop.allocate(x);
    vop.allocate(b);
    const auto& body = dynamic_cast<State<Rigid3Types>&>(*rigid->get<BaseState>(Search::Local));
    const auto solution = [&] {
        const auto rhs = dynamic_cast<State<Rigid3Types>&>(*rigid->get<BaseState>(Search::Local)).write(b);
        rhs[0] = {1., -2., 3., 0.4, 0.5, -0.6};
        cg.solve(x, b);
        return body.read(x)[0];
    };
    cg.setSystem(*root, mp);
    const auto whole = solution();

    points->d_activated.setValue(false);
    cg.setSystem(*root, mp);
    const auto without = solution();
    CHECK(norm(whole - without) > 1e-3 * norm(whole));

    points->d_activated.setValue(true);
    CHECK(norm(solution() - whole) < 1e-9 * norm(whole));
    points->d_activated.setValue(false);
    CHECK(norm(solution() - without) < 1e-9 * norm(whole));
}

TEST_CASE("a preconditioner that is kept is renewed when points have come or gone", "[linearsolver]")
{
    const auto positions = [](unsigned rate) {
        auto root = loadSceneText(
            "<Node name='root' dt='0.01'><EulerImplicitSolver/><PCGLinearSolver name='pcg' "
            "iterations='200' tolerance='1e-12' update_step='" +
                std::to_string(rate) +
                "'/><JacobiPreconditioner/><Node name='a'><MechanicalObject position='0 0 0  1 0.1 0  2 0 0.2'/>"
                "<UniformMass vertexMass='0.5'/><SpringForceField spring='0 1 50 0 1  1 2 70 0 "
                "2'/></Node><Node name='b'><MechanicalObject position='0 1 0  1 1 0'/>"
                "<UniformMass vertexMass='0.2'/></Node></Node>",
            "two.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        const std::shared_ptr<Node> b = root->children().at(1);
        for (int k = 0; k < 2; ++k) {
            root->removeChild(*b);
            sim.step();
            root->addChild(b);
            sim.step();
        }
        Vector<double> x(15);
        double* to = x.data();
        for (BaseState* s : ExecutionPlan::of(*root).independentStates()) {
            s->getScalars(vec_id::position, to);
            to += s->derivScalars();
        }
        return x;
    };
    CHECK(difference(positions(100), positions(1)) < 1e-9);
}

TEST_CASE("preconditioners save iterations, and a factor of the present matrix needs one")
{
    const auto iterations = [](const std::string& solver) {
        auto root =
            loadSceneText("<Node name='root' gravity='0 -9.81 0' dt='0.05'><EulerImplicitSolver/>" + solver +
                              "<RegularGridTopology n='3 3 12' min='0 0 0' max='1 1 "
                              "4'/><MechanicalObject/><UniformMass totalMass='1'/>"
                              "<FixedProjectiveConstraint indices='0-8'/><HexahedronFEMForceField youngModulus='1e5' "
                              "poissonRatio='0.4' method='large'/></Node>",
                          "beam.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        return std::stoi(root->component("solver")->findData("lastIterations")->text());
    };
    const std::string pcg = "<PCGLinearSolver name='solver' iterations='1000' tolerance='1e-16'/>";
    const int plain = iterations(pcg), jacobi = iterations(pcg + "<JacobiPreconditioner/>"),
              block = iterations(pcg + "<BlockJacobiPreconditioner/>"),
              ssor = iterations(pcg + "<SSORPreconditioner/>"),
              cholesky = iterations(pcg + "<IncompleteCholeskyPreconditioner/>");
    CHECK(plain > 20);
    CHECK(jacobi <= plain);
    CHECK(block <= jacobi);
    CHECK(ssor < plain);
    CHECK(cholesky < ssor);
    CHECK(iterations("<PCGLinearSolver name='solver' iterations='1000' tolerance='1e-16' preconditioner='@p'/>"
                     "<SparseLDLSolver name='p'/>") <= 2);
    CHECK(iterations("<PCGLinearSolver name='solver' iterations='3' tolerance='0'/>") == 3);
}

TEST_CASE("a singular system stops the run and names the free degree of freedom")
{
    MessageCapture capture;
    auto root = loadSceneText(
        "<Node name='root' gravity='0 0 0'><StaticSolver/><NewtonRaphsonSolver "
        "absoluteResidualStoppingThreshold='0'/><SparseLDLSolver/>"
        "<MechanicalObject name='dofs' position='0 0 0  1.1 0 0'/><UniformMass vertexMass='1'/><SpringForceField "
        "spring='0 1 10 0 1'/></Node>",
        "singular.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    std::string error;
    try {
        sim.step();
    } catch (const SimulationError& e) {
        error = e.what();
    }
    const bool told = error.find("/dofs, point") != std::string::npos || capture.has(Severity::Warning, "/dofs, point");
    CHECK(told);
}

TEST_CASE("conjugate gradients stop at once when a number is not finite, and say so")
{
    auto root = loadSceneText(
        "<Node name='root' gravity='0 0 1e300' dt='0.01'><EulerImplicitSolver/><CGLinearSolver "
        "name='cg' iterations='2147483647' tolerance='1e-9' threshold='1e-9'/><MechanicalObject "
        "position='0 0 0'/><UniformMass totalMass='1'/></Node>",
        "overflow.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    std::string error;
    try {
        sim.step();
    } catch (const SimulationError& e) {
        error = e.what();
    }
    CHECK(error.find("/cg (CGLinearSolver): the norm of the right-hand side is not finite") != std::string::npos);
}

TEST_CASE("a link to the linear system that is emptied in a running scene is an error with its place", "[input]")
{
    for (const char* solver : {"<SparseLDLSolver name='solver'/>", "<PCGLinearSolver name='solver'/>",
                               "<CGLinearSolver name='solver' iterations='20' tolerance='1e-9' threshold='1e-12'/>"}) {
        INFO(solver);
        auto root = mixed(solver);
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        root->component("solver")->findLink("linearSystem")->setPath("", {});
        CHECK_THROWS_WITH(sim.step(), Catch::Contains("/solver (") &&
                                          Catch::Contains("the link 'linearSystem' points to nothing any more"));
    }
}
