// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/log/Message.h"
#include "core/math/Mat.h"
#include "core/simulation/Checkpoint.h"
#include "tests/components/odesolver/Oscillator.h"
#include "tests/harness/Paths.h"

namespace vega_integrator_test {

using namespace sofa::core;
using sofa::test::oscillator;
using sofa::test::Run;
using sofa::test::SpringRun;
using sofa::test::SpringScene;

namespace {

const std::string direct = "<SparseLDLSolver/>";

std::string newmark(const std::string& attributes) { return "<NewmarkImplicitSolver " + attributes + "/>" + direct; }

/// Observed order on a nonlinear motion, that of the point in a plane: error against a much finer run, at h and h/2.
double planarOrder(const std::string& solvers, double h, bool staggered = false)
{
    const auto at = [&](double step) {
        SpringScene s{.solvers = solvers, .h = step, .x = {1.1, 0., 0.}, .v = {0., 1., 0.}};
        // Velocities half a step earlier: v − h/2 a, with a = −4 · 0.1 along x.
        if (staggered) s.v[0] += 0.5 * step * 0.4;
        return SpringRun(s).run(static_cast<int>(std::lround(1. / step))).x();
    };
    const Vec3 exact = at(h / 64.);
    const double e1 = norm(at(h) - exact), e2 = norm(at(h / 2.) - exact);
    REQUIRE(e2 > 1e-9);
    return std::log2(e1 / e2);
}

/// Parameters of Newmark's recurrence for the oscillator u'' + d u' + k u = 0.
struct Newmark
{
    double h, k, d, beta, gamma;
    double u, v, a;
    void step()
    {
        const double uPast = u + h * v + h * h * (0.5 - beta) * a, vPast = v + h * (1. - gamma) * a;
        a = -(k * uPast + d * vPast) / (1. + h * gamma * d + h * h * beta * k);
        u = uPast + h * h * beta * a;
        v = vPast + h * gamma * a;
    }
};

void checkNewmark(SpringScene scene, Newmark n, double factor)
{
    for (const char* iterations : {"maxIterations='1'", "maxIterations='4' epsilon='1e-9'"}) {
        INFO(iterations);
        SpringScene s = scene;
        s.h = n.h;
        s.solvers.replace(s.solvers.find("/>"), 2, std::string(" ") + iterations + "/>");
        SpringRun run(s);
        Newmark expected = n;
        for (int i = 0; i < 10; ++i) {
            run.run(1);
            expected.step();
            CHECK(run.x()[0] - 1. == Approx(expected.u).epsilon(factor * 1e-12));
            CHECK(run.v()[0] == Approx(expected.v).epsilon(factor * 1e-12));
        }
    }
}

}  // namespace

TEST_CASE("Newmark's method and central differences are of second order")
{
    CHECK(planarOrder(newmark(""), 0.05) == Approx(2.).margin(0.1));
    CHECK(planarOrder(newmark("maxIterations='10'"), 0.05) == Approx(2.).margin(0.1));
    CHECK(planarOrder(newmark("gamma='0.7' beta='0.36' maxIterations='10'"), 0.01) == Approx(1.).margin(0.1));
    CHECK(planarOrder("<CentralDifferenceSolver/>", 0.02) == Approx(2.).margin(0.1));
    CHECK(planarOrder("<CentralDifferenceSolver rayleighMass='0.3'/>", 0.02) == Approx(2.).margin(0.1));
    CHECK(planarOrder("<CentralDifferenceSolver rayleighMass='0.3' rayleighStiffness='0.1'/>" + direct, 0.02) ==
          Approx(2.).margin(0.1));
    CHECK(planarOrder("<CentralDifferenceSolver startVelocity='before'/>", 0.02, true) == Approx(2.).margin(0.1));
    CHECK(planarOrder("<CentralDifferenceSolver startVelocity='before'/>", 0.005) == Approx(1.).margin(0.1));
    CHECK(planarOrder("<EulerImplicitSolver maxIterations='10'/>" + direct, 0.005) == Approx(1.).margin(0.1));
}

TEST_CASE("Newmark's method follows its recurrence, linearised and by Newton's method")
{
    const Newmark plain{.h = 0.05, .k = 4., .d = 0., .beta = 0.25, .gamma = 0.5, .u = 0.1, .v = 0., .a = -0.4};
    SECTION("average acceleration") { checkNewmark({.solvers = newmark("")}, plain, 10.); }
    SECTION("other parameters, Rayleigh damping of the solver")
    {
        Newmark n = plain;
        n.beta = 0.3;
        n.gamma = 0.6;
        n.d = 0.2 + 0.1 * 4.;
        checkNewmark({.solvers = newmark("beta='0.3' gamma='0.6' rayleighMass='0.2' rayleighStiffness='0.1'")}, n, 10.);
    }
    SECTION("Rayleigh damping of force field and mass")
    {
        Newmark n = plain;
        n.d = 0.2 + 0.1 * 4.;
        checkNewmark({.solvers = newmark(""), .spring = "rayleighStiffness='0.1'", .mass = "rayleighMass='0.2'"}, n,
                     10.);
    }
    SECTION("viscous forces, which count once")
    {
        Newmark n = plain;
        n.d = 0.7;
        n.v = 0.5;
        n.a = -0.4 - 0.7 * 0.5;
        checkNewmark({.solvers = newmark(""),
                      .v = {0.5, 0., 0.},
                      .more = "<UniformVelocityDampingForceField dampingCoefficient='0.7' implicit='1'/>"},
                     n, 10.);
    }
    SECTION("without initial acceleration")
    {
        Newmark n = plain;
        n.a = 0.;
        checkNewmark({.solvers = newmark("initialAcceleration='0'")}, n, 10.);
    }
}

TEST_CASE("beta = 0 is explicit: central differences with velocities at the steps")
{
    Newmark n{.h = 0.05, .k = 4., .d = 0., .beta = 0., .gamma = 0.5, .u = 0.1, .v = 0., .a = -0.4};
    SpringRun run({.solvers = newmark("beta='0'"), .h = 0.05});
    for (int i = 0; i < 10; ++i) {
        run.run(1);
        n.step();
        CHECK(run.x()[0] - 1. == Approx(n.u).epsilon(1e-11));
    }
}

TEST_CASE("the average acceleration keeps the energy of a linear oscillator, gamma > 1/2 loses some")
{
    const auto energy = [](const Run& r) { return 0.5 * r.v * r.v + 2. * (r.x - 1.) * (r.x - 1.); };
    const double e0 = 2. * 0.01;
    // Rounding of 2000 steps.
    CHECK(energy(oscillator(newmark(""), 0.1, 2000)) == Approx(e0).epsilon(1e-10));
    CHECK(energy(oscillator(newmark("maxIterations='3'"), 0.1, 500)) == Approx(e0).epsilon(1e-10));
    CHECK(energy(oscillator(newmark("gamma='0.6' beta='0.3025'"), 0.1, 500)) < 0.5 * e0);
    CHECK(energy(oscillator("<CentralDifferenceSolver/>", 0.02, 5000)) == Approx(e0).epsilon(0.05));
}

TEST_CASE("in static mode a step finds the equilibrium, whatever the start")
{
    // The weight 10 N stretches the spring of 100 N/m by 0.1; the point starts aside and far from its place.
    SpringRun run({.solvers = newmark("staticMode='1' maxIterations='50' epsilon='1e-12'"),
                   .x = {1.4, 0.3, 0.},
                   .v = {3., 0., 0.},
                   .more = "<ConstantForceField indices='1' forces='0 0 0'/>",
                   .stiffness = 100.,
                   .gravity = {10., 0., 0.}});
    run.run(1);
    CHECK(norm(run.x() - Vec3{1.1, 0., 0.}) <= 1e-10);
    CHECK(norm(run.v()) == 0.);
}

TEST_CASE("implicit Euler by Newton's method solves the nonlinear equation of the step")
{
    const auto residual = [](const std::string& attributes) {
        SpringRun run(
            {.solvers = "<EulerImplicitSolver name='solver' computeResidual='1' " + attributes + "/>" + direct,
             .h = 0.2,
             .x = {1.3, 0., 0.},
             .v = {0., 2., 0.}});
        run.run(1);
        const auto* solver = run.root->component("solver");
        return std::pair{std::stod(solver->findData("residual")->text()),
                         std::stoi(solver->findData("iterations")->text())};
    };
    const auto [linear, one] = residual("");
    CHECK(linear > 1e-4);
    CHECK(one == 1);
    const auto [converged, several] = residual("maxIterations='20' epsilon='1e-12'");
    CHECK(converged < 1e-22);
    CHECK(several > 2);
    CHECK(several < 8);
    // It stops where it is told to, before the next solve.
    const auto [loose, few] = residual("maxIterations='20' epsilon='0.05'");
    CHECK(few < several);
    CHECK(loose > converged);
    CHECK(residual("maxIterations='2' epsilon='0'").second == 2);
}

TEST_CASE("Newton's method of implicit Euler counts all kinds of damping once")
{
    // M dv = −h (k u' + d v'), u' = u + h v'
    const double h = 0.05, k = 4., d = 0.2 + 0.1 * k + 0.3;
    SpringRun run({.solvers = "<EulerImplicitSolver rayleighMass='0.2' rayleighStiffness='0.1' maxIterations='5' "
                              "epsilon='1e-9'/>" +
                              direct,
                   .h = h,
                   .more = "<UniformVelocityDampingForceField dampingCoefficient='0.3' implicit='1'/>"});
    double u = 0.1, v = 0.;
    for (int i = 0; i < 10; ++i) {
        run.run(1);
        v = (v - h * k * u) / (1. + h * d + h * h * k);
        u += h * v;
        CHECK(run.x()[0] - 1. == Approx(u).epsilon(1e-11));
        CHECK(run.v()[0] == Approx(v).epsilon(1e-11));
    }
}

TEST_CASE("explicit Euler takes mass damping")
{
    double u = 0.1, v = 0.;
    const double h = 0.05;
    for (int n = 1; n <= 10; ++n) {
        v += h * (-4. * u - 0.3 * v);
        u += h * v;
        const Run r = oscillator("<EulerExplicitSolver rayleighMass='0.3'/>", h, n);
        CHECK(r.x - 1. == Approx(u).epsilon(1e-11));
        CHECK(r.v == Approx(v).epsilon(1e-11));
    }
}

namespace {

/// Central differences for the point in a plane, with the damping matrix of every `period`-th step.
struct PlanarCentralDifference
{
    double h, rM, rK;
    int period;
    bool now;  ///< the start velocity is that at the start
    Mat<2, 2> c{};
    int n = 0;
    Vec2 x{1.1, 0.}, v{0., 1.};

    void step()
    {
        const double l = norm(x);
        const Vec2 u = x * (1. / l);
        if (n == 0 || (period > 0 && n % period == 0)) {
            // K = ∂f/∂x = −4 (u uᵀ + (1 − 1/l) (I − u uᵀ))
            for (std::size_t i = 0; i < 2; ++i)
                for (std::size_t j = 0; j < 2; ++j) {
                    const double unit = i == j ? 1. : 0., uu = u[i] * u[j];
                    c[i][j] = rM * unit + rK * 4. * (uu + (1. - 1. / l) * (unit - uu));
                }
        }
        const Vec2 r = (u * (-4. * (l - 1.)) - c * v) * h;
        const double a = 1. + 0.5 * h * c[0][0], b = 0.5 * h * c[0][1], d = 1. + 0.5 * h * c[1][1];
        const double determinant = a * d - b * b;
        const Vec2 change{(d * r[0] - b * r[1]) / determinant, (a * r[1] - b * r[0]) / determinant};
        v += change * (now && n == 0 ? 0.5 : 1.);
        x += v * h;
        ++n;
    }
};

}  // namespace

TEST_CASE("central differences take the damping matrix of every k-th step")
{
    for (const int period : {0, 1, 3}) {
        INFO("tangentialDampingMode " << period);
        for (const double rK : {0., 0.2})
            for (const bool now : {true, false}) {
                PlanarCentralDifference expected{.h = 0.05, .rM = 0.3, .rK = rK, .period = period, .now = now};
                SpringRun run({.solvers = "<CentralDifferenceSolver rayleighMass='0.3' rayleighStiffness='" +
                                          toText(rK) + "' tangentialDampingMode='" + std::to_string(period) +
                                          "' startVelocity='" + (now ? "auto" : "before") + "'/>" + direct,
                               .h = 0.05,
                               .v = {0., 1., 0.}});
                for (int i = 0; i < 20; ++i) {
                    run.run(1);
                    expected.step();
                    CHECK(run.x()[0] == Approx(expected.x[0]).epsilon(1e-11));
                    CHECK(run.x()[1] == Approx(expected.x[1]).epsilon(1e-11));
                }
            }
    }
}

TEST_CASE("integrators say what does not go together")
{
    MessageCapture capture;
    const auto fails = [&](const std::string& solvers, const std::string& message) {
        auto root = SpringScene{.solvers = solvers}.load();
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        CHECK(capture.has(Severity::Error, message));
    };
    fails(newmark("beta='0' maxIterations='2'"), "several Newton iterations need beta > 0");
    fails("<NewmarkImplicitSolver/>", "it needs a linear solver in node '/'");
    fails("<EulerImplicitSolver trapezoidalScheme='1' maxIterations='2'/>" + direct,
          "several Newton iterations need backward Euler");
    fails("<CentralDifferenceSolver rayleighStiffness='1'/>", "rayleighStiffness needs a linear solver");
    fails("<CentralDifferenceSolver rayleighStiffness='1' tangentialDampingMode='0'/><CGLinearSolver/>",
          "tangentialDampingMode=\"0\" keeps the matrix of an earlier step");
}

TEST_CASE("integrators with a memory continue from a checkpoint bit for bit, and start anew after a reset")
{
    for (const std::string& solver :
         {std::string("<CentralDifferenceSolver rayleighStiffness='0.2' tangentialDampingMode='0'/>") + direct,
          newmark("maxIterations='3'"), newmark("")}) {
        INFO(solver);
        const SpringScene scene{.solvers = solver, .h = 0.05, .v = {0., 1., 0.}};
        const sofa::test::TemporaryDirectory folder;
        const std::string file = (folder.path() / "state").string();
        SpringRun whole(scene);
        whole.run(7);
        saveCheckpoint(whole.simulation, file);
        whole.run(7);
        SpringRun continued(scene);
        loadCheckpoint(continued.simulation, file);
        continued.run(7);
        CHECK(continued.x() == whole.x());
        CHECK(continued.v() == whole.v());
        whole.simulation.reset();
        whole.run(14);
        CHECK(continued.x() == whole.x());
    }
}

}  // namespace vega_integrator_test
