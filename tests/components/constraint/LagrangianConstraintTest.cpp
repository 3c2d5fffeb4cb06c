// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "components/constraint/LagrangianSolver.h"
#include "core/objectmodel/Path.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/AssembledLinearSolver.h"

namespace lagrangian_constraint_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;
    bool good = false;

    explicit Scene(const std::string& body, const std::string& loop = "", const std::string& gravity = "0 -9.81 0",
                   const std::string& solver =
                       "<BlockGaussSeidelConstraintSolver maxIterations='5000' tolerance='1e-13' allVerified='1'/>")
    {
        LoadReport report;
        root = loadSceneText("<Node name='root' dt='0.01' gravity='" + gravity + "'><FreeMotionAnimationLoop " + loop +
                                 "/>" + solver + body + "</Node>",
                             "test.scn", {}, &report);
        REQUIRE(report.ok());
        sim = std::make_unique<Simulation>(root);
        good = sim->init();
    }
    void step(int n = 1)
    {
        REQUIRE(good);
        for (int i = 0; i < n; ++i) sim->step();
    }
    template <class D>
    State<D>& state(const std::string& node)
    {
        for (auto* s : root->getAll<State<D>>(Search::Down))
            if (s->node()->name() == node) return *s;
        FAIL("no state in " + node);
        throw std::logic_error("no state");
    }
    LagrangianSolver& solver() { return *root->get<LagrangianSolver>(Search::Local); }
};

std::string beam(const std::string& inside, const std::string& linear = "<SparseLDLSolver/>")
{
    return "<Node name='beam'><EulerImplicitSolver rayleighStiffness='0.02' rayleighMass='0.1'/>" + linear +
           "<RegularGridTopology name='grid' n='5 3 3' min='0 0 0' max='1 0.3 0.3'/><MechanicalObject name='state'/>"
           "<UniformMass totalMass='2'/><HexahedronFEMForceField method='large' youngModulus='20000' "
           "poissonRatio='0.3'/>" +
           inside + "</Node>";
}
const std::string left = "0 5 10 15 20 25 30 35 40";

std::string rod(const std::string& name, const std::string& position, const std::string& extra = "",
                const std::string& velocity = "0 0 0 0 0 0")
{
    return "<Node name='" + name +
           "'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='body' template='Rigid3' position='" +
           position + "' velocity='" + velocity +
           "'/><UniformMass totalMass='2'/><UncoupledConstraintCorrection/><Node name='" + name +
           "Ends'><MechanicalObject name='points' position='-1 0 0  1 0 0'/><RigidMapping/></Node>" + extra + "</Node>";
}
const std::string hook = "<Node name='hook'><MechanicalObject name='points' position='0 0 0'/></Node>";
const std::string joint =
    "<BilateralLagrangianConstraint object1='@hook/points' object2='@rod/rodEnds/points' first_point='0' "
    "second_point='0'/>";

double largestDifference(const Vector<Vec3>& a, const Vector<Vec3>& b)
{
    REQUIRE(a.size() == b.size());
    double worst = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, norm(a[i] - b[i]));
    return worst;
}

/// x = A⁻¹ b by Gauss elimination with pivoting.
Vector<double> solveDense(Vector<double> a, Vector<double> b)
{
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t p = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::abs(a[i * n + k]) > std::abs(a[p * n + k])) p = i;
        for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[p * n + j]);
        std::swap(b[k], b[p]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double f = a[i * n + k] / a[k * n + k];
            for (std::size_t j = k; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
    return b;
}

}  // namespace

TEST_CASE("The compliance is dt H A^-1 H', symmetric and positive semi-definite", "[constraint]")
{
    // The rows act on a mapped state, so that the Jacobian of the mapping takes part too.
    Scene s(
        beam("<GenericConstraintCorrection/><Node name='mapped'><MechanicalObject name='points' position='0.1 0.1 "
             "0.1  0.9 0.2 0.15'/><BarycentricMapping/><FixedLagrangianConstraint indices='0 1'/></Node>"
             "<FixedLagrangianConstraint indices='0 44'/>"));
    s.step(3);
    const ConstraintProblem& p = s.solver().problem();
    const auto* part = s.solver().jacobian().part(s.state<Vec3Types>("beam"));
    REQUIRE(part);
    const auto rows = static_cast<std::size_t>(p.size);
    REQUIRE(rows == 12);
    CHECK(part->size() == 12);
    CHECK(part->points.size() == 6 + 48);  // one point for each direct row, eight of the cell for each mapped one
    SystemAssembly& a = s.root->get<AssembledLinearSolver>(Search::Down)->system().assembly();
    a.complete();
    const auto n = static_cast<std::size_t>(a.size());
    Vector<double> dense(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            dense[i * n + j] = a.matrix().value(static_cast<int>(i), static_cast<int>(j));
    Vector<double> h(rows * n);
    for (std::size_t r = 0; r < rows; ++r)
        for (int e = part->start[r]; e < part->start[r + 1]; ++e)
            for (std::size_t c = 0; c < 3; ++c)
                h[r * n + part->points[static_cast<std::size_t>(e)] * 3 + c] =
                    part->values[static_cast<std::size_t>(e) * 3 + c];
    double largest = 0., worst = 0.;
    const Vector<double> w = p.w.dense();
    for (std::size_t j = 0; j < rows; ++j) {
        const auto x = solveDense(dense, Vector<double>(h.begin() + static_cast<std::ptrdiff_t>(j * n),
                                                        h.begin() + static_cast<std::ptrdiff_t>((j + 1) * n)));
        for (std::size_t i = 0; i < rows; ++i) {
            double sum = 0.;
            for (std::size_t k = 0; k < n; ++k) sum += 0.01 * h[i * n + k] * x[k];
            largest = std::max(largest, std::abs(sum));
            worst = std::max(worst, std::abs(sum - w[i * rows + j]));
            CHECK(w[i * rows + j] == w[j * rows + i]);
        }
    }
    CHECK(largest > 1e-6);
    CHECK(worst < 1e-12 * largest);
    for (int k = 0; k < 50; ++k) {
        Vector<double> v(rows);
        for (std::size_t i = 0; i < rows; ++i) v[i] = std::sin(1. + static_cast<double>(i * 7) * (k + 1));
        double q = 0.;
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < rows; ++j) q += v[i] * w[i * rows + j] * v[j];
        CHECK(q > 0.);
    }
}

TEST_CASE("A beam held by constraint forces moves as one whose points are taken out of the system", "[constraint]")
{
    LoadReport report;
    auto root = loadSceneText("<Node name='root' dt='0.01' gravity='0 -9.81 0'>" +
                                  beam("<FixedProjectiveConstraint indices='" + left + "'/>") + "</Node>",
                              "projected.scn", {}, &report);
    REQUIRE(report.ok());
    Simulation reference(root);
    REQUIRE(reference.init());
    for (int i = 0; i < 20; ++i) reference.step();
    const auto& expected = root->get<State<Vec3Types>>(Search::Down)->positions();

    const std::string held = "<FixedLagrangianConstraint indices='" + left + "'/>";
    for (const std::string correction : {"<LinearSolverConstraintCorrection/>", "<GenericConstraintCorrection/>"}) {
        for (const std::string solver :
             {"<BlockGaussSeidelConstraintSolver maxIterations='20000' tolerance='1e-14' allVerified='1'/>",
              "<NNCGConstraintSolver maxIterations='20000' tolerance='1e-14' allVerified='1'/>"}) {
            Scene s(beam(correction + held), "", "0 -9.81 0", solver);
            s.step(20);
            CHECK(largestDifference(s.state<Vec3Types>("beam").positions(), expected) < 1e-8);
            CHECK(s.solver().d_currentResidual.value() < 1e-12);
        }
    }
    // An iterative linear solver gives the same compliance within its tolerance.
    Scene s(beam("<GenericConstraintCorrection/>" + held,
                 "<CGLinearSolver template='CompressedRowSparseMatrixMat3x3' iterations='500' tolerance='1e-14' "
                 "threshold='1e-40'/>"));
    s.step(20);
    CHECK(largestDifference(s.state<Vec3Types>("beam").positions(), expected) < 1e-7);
}

TEST_CASE("The drift of a joint is that of one linearised step, and does not grow", "[constraint]")
{
    Scene s(hook + rod("rod", "1 0 0 0 0 0 1") + joint);
    double fastest = 0., worst = 0., late = 0.;
    for (int i = 0; i < 1000; ++i) {
        s.step();
        const auto& v = s.state<Rigid3Types>("rod").velocities()[0];
        fastest = std::max(fastest, norm(Rigid3Types::angular(v)));
        const double gap = norm(s.state<Vec3Types>("rodEnds").positions()[0]);
        worst = std::max(worst, gap);
        if (i >= 500) late = std::max(late, gap);
    }
    // A turn by the angle a moves a point at distance 1 by a straight line and at most a²/2 beside it.
    const double bound = 0.5 * (fastest * 0.01) * (fastest * 0.01);
    CHECK(fastest > 1.);
    CHECK(worst > 1e-6);
    CHECK(worst <= bound * 1.01 + 1e-10);
    CHECK(late <= worst);
}

TEST_CASE("Constraint forces between two bodies keep the momentum", "[constraint]")
{
    Scene s(rod("rod", "0 0 0 0 0 0 1", "", "1 0.5 0 0 0 3") + rod("other", "2 0 0 0 0 0 1", "", "-2 0 1 0 1 0") +
                "<BilateralLagrangianConstraint object1='@rod/rodEnds/points' object2='@other/otherEnds/points' "
                "first_point='1' second_point='0'/>",
            "", "0 0 0");
    s.step(200);
    const auto& a = s.state<Rigid3Types>("rod").velocities()[0];
    const auto& b = s.state<Rigid3Types>("other").velocities()[0];
    const Vec3 sum = Rigid3Types::linear(a) + Rigid3Types::linear(b);
    CHECK(norm(sum - Vec3{-1., 0.5, 1.}) < 1e-12);
    CHECK(norm(Rigid3Types::linear(a) - Vec3{1., 0.5, 0.}) > 0.1);
    CHECK(norm(s.state<Vec3Types>("rodEnds").positions()[1] - s.state<Vec3Types>("otherEnds").positions()[0]) < 1e-2);
}

TEST_CASE("By velocities, the corrected velocity undoes the violation of the position in one step", "[constraint]")
{
    Scene s(hook + rod("rod", "1 0.1 0 0 0 0 1") + joint, "solveVelocityConstraintFirst='true'");
    s.step();
    const auto& v = s.state<Rigid3Types>("rod").velocities()[0];
    // At the beginning the end of the rod is 0.1 above the hook, at r = (−1, 0, 0) from its centre.
    const Vec3 end = Rigid3Types::linear(v) + cross(Rigid3Types::angular(v), Vec3{-1., 0., 0.});
    CHECK(norm(end - Vec3{0., -0.1 / 0.01, 0.}) < 1e-8);
}

TEST_CASE("Rigid frames are joined in position and orientation", "[constraint]")
{
    for (const bool keep : {false, true}) {
        const std::string rest = keep ? "keepOrientationDifference='true'" : "rest_vector='0 1 0 0 0 0'";
        Scene s("<Node name='base'><MechanicalObject name='body' template='Rigid3' position='0 0 0 0 0 0 1'/></Node>" +
                rod("rod", keep ? "0 1 0 0 0 0.6 0.8" : "0.2 1 0 0 0.1 0 1") +
                "<BilateralLagrangianConstraint template='Rigid3' object1='@base/body' object2='@rod/body' "
                "first_point='0' second_point='0' " +
                rest + "/>");
        s.step(20);
        const auto& x = s.state<Rigid3Types>("rod").positions()[0];
        CHECK(norm(x.center - Vec3{0., 1., 0.}) < 1e-8);
        const Quat expected = keep ? Quat{0., 0., 0.6, 0.8} : Quat{0., 0., 0., 1.};
        CHECK(norm((x.orientation * expected.inverse()).normalized().toRotationVector()) < 1e-6);
    }
}

TEST_CASE("A bead slides along a wire without friction and stops at its end", "[constraint]")
{
    const std::string wire = "<Node name='wire'><MechanicalObject name='points' position='0 0 0  1 -1 0'/></Node>";
    const std::string bead =
        "<Node name='bead'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='points' position='0.1 -0.1 "
        "0'/><UniformMass totalMass='0.3'/><LinearSolverConstraintCorrection/></Node>";
    Scene s(wire + bead +
            "<SlidingLagrangianConstraint object1='@bead/points' object2='@wire/points' axis_1='0' axis_2='1'/>");
    s.step(20);
    const Vec3 g{0., -9.81, 0.}, t = Vec3{1., -1., 0.} / std::sqrt(2.);
    const double n = 20., dt = 0.01;
    // Implicit Euler under a constant acceleration: x_n = x_0 + a dt² n (n + 1) / 2.
    const Vec3 expected = Vec3{0.1, -0.1, 0.} + t * (dot(g, t) * dt * dt * n * (n + 1.) / 2.);
    CHECK(norm(s.state<Vec3Types>("bead").positions()[0] - expected) < 1e-9);
    s.step(200);
    CHECK(norm(s.state<Vec3Types>("bead").positions()[0] - Vec3{1., -1., 0.}) < 1e-9);
}

TEST_CASE("A bead slides along a wire wherever the wire is, and from either end", "[constraint]")
{
    const Vec3 shift{0.3, -0.7, 2.};
    for (const bool turned : {false, true}) {
        const Vec3 a = shift, b = shift + Vec3{1., -1., 0.}, start = shift + Vec3{0.1, -0.1, 0.};
        Scene s("<Node name='wire'><MechanicalObject name='points' position='" + toText(turned ? b : a) + " " +
                toText(turned ? a : b) +
                "'/></Node><Node name='bead'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='points' "
                "position='" +
                toText(start) +
                "'/><UniformMass totalMass='0.3'/><LinearSolverConstraintCorrection/></Node>"
                "<SlidingLagrangianConstraint object1='@bead/points' object2='@wire/points' axis_1='0' axis_2='1'/>");
        s.step(20);
        const Vec3 g{0., -9.81, 0.}, t = Vec3{1., -1., 0.} / std::sqrt(2.);
        const double n = 20., dt = 0.01;
        const Vec3 expected = start + t * (dot(g, t) * dt * dt * n * (n + 1.) / 2.);
        CHECK(norm(s.state<Vec3Types>("bead").positions()[0] - expected) < 1e-9);
    }
}

TEST_CASE("Stops and uniform constraints hold coordinates", "[constraint]")
{
    for (const std::string loop : {"", "solveVelocityConstraintFirst='true'"}) {
        const auto joints = [](const std::string& name, const std::string& constraint) {
            return "<Node name='" + name +
                   "'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject template='Vec1' position='0.1 -0.2'/>"
                   "<UniformMass vertexMass='1'/><ConstantForceField forces='10  -5'/>"
                   "<LinearSolverConstraintCorrection/>" +
                   constraint + "</Node>";
        };
        Scene s(joints("stop",
                       "<StopperLagrangianConstraint index='0' min='-0.5' max='0.5'/>"
                       "<StopperLagrangianConstraint index='1' min='-0.25' max='0.5'/>") +
                    joints("zero", "<UniformLagrangianConstraint/>") +
                    joints("rest", "<UniformLagrangianConstraint iterative='false' constrainToRestPos='true'/>"),
                loop);
        s.step();
        CHECK(s.state<Vec1Types>("stop").positions()[0][0] == Approx(0.1 + 10. * 1e-4).epsilon(1e-12));
        s.step(100);
        CHECK(s.state<Vec1Types>("stop").positions()[0][0] == Approx(0.5).epsilon(1e-12));
        CHECK(s.state<Vec1Types>("stop").positions()[1][0] == Approx(-0.25).epsilon(1e-12));
        CHECK(std::abs(s.state<Vec1Types>("zero").positions()[0][0]) < 1e-12);
        CHECK(std::abs(s.state<Vec1Types>("zero").positions()[1][0]) < 1e-12);
        CHECK(s.state<Vec1Types>("rest").positions()[0][0] == Approx(0.1).epsilon(1e-12));
        CHECK(s.state<Vec1Types>("rest").positions()[1][0] == Approx(-0.2).epsilon(1e-12));
    }
}

TEST_CASE("Uncoupled compliance of particles is that of the matrix", "[constraint]")
{
    const auto pair = [](const std::string& correction) {
        return "<Node name='pair'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='points' position='0 "
               "0 "
               "0  1 0 0' velocity='0 0 0  0 2 0'/><UniformMass vertexMass='0.5'/>" +
               correction +
               "</Node><BilateralLagrangianConstraint object1='@pair/points' first_point='0' second_point='1' "
               "rest_vector='1 0 0'/>";
    };
    Scene a(pair("<UncoupledConstraintCorrection defaultCompliance='2'/>")), b(pair("<GenericConstraintCorrection/>"));
    a.step(10);
    b.step(10);
    CHECK(largestDifference(a.state<Vec3Types>("pair").positions(), b.state<Vec3Types>("pair").positions()) < 1e-13);
    CHECK(norm(a.state<Vec3Types>("pair").velocities()[0] - a.state<Vec3Types>("pair").velocities()[1]) < 1e-12);
}

TEST_CASE("Mistakes in scenes with constraints are found before the first step", "[constraint]")
{
    CHECK_FALSE(Scene(hook + rod("rod", "1 0 0 0 0 0 1") +
                      "<BilateralLagrangianConstraint object1='@hook/points' object2='@rod/rodEnds/points' "
                      "first_point='0' second_point='2'/>")
                    .good);
    CHECK_FALSE(Scene(beam("<LinearSolverConstraintCorrection/><FixedLagrangianConstraint indices='45'/>")).good);
    CHECK_FALSE(Scene("<Node name='a'><EulerExplicitSolver/><MechanicalObject position='0 0 0'/><UniformMass/>"
                      "<GenericConstraintCorrection/></Node>")
                    .good);
    // Two corrections would move a state twice.
    Scene twice(beam("<LinearSolverConstraintCorrection/><GenericConstraintCorrection/>"));
    REQUIRE(twice.good);
    CHECK_THROWS_WITH(twice.sim->step(), Catch::Contains("two constraint corrections"));
}

TEST_CASE("A body without constraint correction stays where it is, as in SOFA", "[constraint]")
{
    Scene s(beam(""));
    const auto before = s.state<Vec3Types>("beam").positions();
    s.step(3);
    CHECK(largestDifference(s.state<Vec3Types>("beam").positions(), before) == 0.);
}

TEST_CASE("A constraint stops at its end time", "[constraint]")
{
    Scene s(hook + rod("rod", "1 0 0 0 0 0 1") +
            "<BilateralLagrangianConstraint object1='@hook/points' object2='@rod/rodEnds/points' first_point='0' "
            "second_point='0' endTime='0.05'/>");
    s.step(5);
    CHECK(s.solver().d_currentNumConstraints.value() == 3);
    s.step(3);
    CHECK(s.solver().d_currentNumConstraints.value() == 0);
}

TEST_CASE("Only rows that repeat others are regularised by singular values", "[constraint]")
{
    // Point 0 is held twice, point 3 once.
    const auto scene = [](const std::string& attributes) {
        Scene s(
            "<Node name='points'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject position='0 0 0  1 0 0  2 0 "
            "0  "
            "3 0 0'/><UniformMass totalMass='4'/><LinearSolverConstraintCorrection/><FixedLagrangianConstraint "
            "indices='0 3'/><FixedLagrangianConstraint indices='0'/></Node>",
            "", "0 -9.81 0",
            "<BlockGaussSeidelConstraintSolver maxIterations='50' tolerance='1e-10' " + attributes + "/>");
        s.step();
        Vector<double> diagonal;
        const auto& p = s.solver().problem();
        const auto n = static_cast<std::size_t>(p.size);
        REQUIRE(n == 9);
        for (std::size_t i = 0; i < n; ++i) diagonal.push_back(p.w(static_cast<int>(i), static_cast<int>(i)));
        return diagonal;
    };
    const auto none = scene(""), all = scene("regularizationTerm='0.5'"),
               some = scene("regularizationTerm='0.5' useSVDForRegularization='1'");
    for (std::size_t i = 0; i < 9; ++i) {
        CHECK(all[i] == Approx(none[i] + 0.5).epsilon(1e-12));
        const bool repeated = i < 3 || i >= 6;
        CHECK(some[i] == Approx(none[i] + (repeated ? 0.5 : 0.)).epsilon(1e-12));
    }
}

}  // namespace lagrangian_constraint_test
