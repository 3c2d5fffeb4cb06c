// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/BDFOdeSolver.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace bdf_ode_solver_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

struct Oscillator
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;
    bool good = false;
    Oscillator(const std::string& order, double dt, const std::string& more = "",
               const std::string& newton =
                   "<NewtonRaphsonSolver maxNbIterationsNewton='10' "
                   "absoluteResidualStoppingThreshold='1e-15' relativeInitialStoppingThreshold='0' "
                   "relativeSuccessiveStoppingThreshold='0' warnWhenDiverge='0' warnWhenLineSearchFails='0'/>")
    {
        LoadReport report;
        root = loadSceneText(
            "<Node dt='" + std::to_string(dt) + "' gravity='0 0 0'><DefaultAnimationLoop/><BDFOdeSolver order='" +
                order + "' " + more + "/>" + newton +
                "<SparseLDLSolver/><MechanicalObject template='Vec1' position='1' rest_position='0'/>"
                "<UniformMass totalMass='1'/><RestShapeSpringsForceField points='0' stiffness='4'/></Node>",
            "test.scn", {}, &report);
        REQUIRE(report.ok());
        sim = std::make_unique<Simulation>(root);
        good = sim->init();
    }
    double x() { return root->getAll<State<Vec1Types>>(Search::Down).front()->read(vec_id::position)[0][0]; }
    double v() { return root->getAll<State<Vec1Types>>(Search::Down).front()->read(vec_id::velocity)[0][0]; }
    void run(double time)
    {
        REQUIRE(good);
        while (root->time() < time - 1e-9) sim->step();
    }
};

}  // namespace

TEST_CASE("Coefficients of backward differentiation are the textbook's", "[odesolver]")
{
    Vector<double> a;
    double b = 0.;
    BDFOdeSolver::coefficients({0., 0.5}, a, b);
    CHECK(a[0] == -1.);
    CHECK(b == 1.);
    BDFOdeSolver::coefficients({1., 1.5, 2.}, a, b);
    CHECK(a[0] == Approx(1. / 3.));
    CHECK(a[1] == Approx(-4. / 3.));
    CHECK(b == Approx(2. / 3.));
    BDFOdeSolver::coefficients({0., 1., 2., 3.}, a, b);
    CHECK(a[0] == Approx(-2. / 11.));
    CHECK(a[1] == Approx(9. / 11.));
    CHECK(a[2] == Approx(-18. / 11.));
    CHECK(b == Approx(6. / 11.));
    // Steps of different lengths: exact for polynomials of the order.
    const Vector<double> t{0.1, 0.15, 0.4, 0.5};
    BDFOdeSolver::coefficients(t, a, b);
    for (int p = 0; p <= 3; ++p) {
        double sum = 0.;
        for (std::size_t j = 0; j < 4; ++j) sum += a[j] * std::pow(t[j], p);
        CHECK(sum == Approx(0.1 * b * p * std::pow(0.5, p - 1)).margin(1e-14));
    }
}

TEST_CASE("Backward differentiation has its order", "[odesolver]")
{
    // x'' = −4 x: halving the step divides the error by 2 to the order (the first steps are of lower order, which costs
    // order 3 one at most).
    const auto error = [](const std::string& order, double dt) {
        Oscillator o(order, dt);
        o.run(1.);
        return std::abs(o.x() - std::cos(2.));
    };
    const double one = error("1", 0.005) / error("1", 0.0025), two = error("2", 0.005) / error("2", 0.0025),
                 three = error("3", 0.005) / error("3", 0.0025);
    CHECK(one == Approx(2.).epsilon(0.05));
    CHECK(two == Approx(4.).epsilon(0.1));
    CHECK(three > 3.5);
    CHECK(error("2", 0.005) < 0.05 * error("1", 0.005));
}

TEST_CASE("Order one is the implicit Euler recurrence, with Rayleigh damping", "[odesolver]")
{
    const double h = 0.01, k = 4., rm = 0.3, rk = 0.05;
    Oscillator o("1", h, "rayleighMass='0.3' rayleighStiffness='0.05'");
    REQUIRE(o.good);
    double x = 1., v = 0.;
    for (int i = 0; i < 20; ++i) {
        o.sim->step();
        // v' (1 + h rm + h rk k + h² k) = v − h k x
        v = (v - h * k * x) / (1. + h * rm + h * rk * k + h * h * k);
        x += h * v;
        CHECK(o.x() == Approx(x).epsilon(1e-12));
        CHECK(o.v() == Approx(v).epsilon(1e-12));
    }
    o.sim->reset();
    o.sim->step();
    CHECK(o.v() == Approx(-h * k / (1. + h * rm + h * rk * k + h * h * k)).epsilon(1e-12));
}

TEST_CASE("Backward differentiation needs a Newton solver", "[odesolver]")
{
    CHECK_FALSE(Oscillator("1", 0.01, "", "").good);
}

}  // namespace bdf_ode_solver_test
