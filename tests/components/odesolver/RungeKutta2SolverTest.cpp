// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/odesolver/Oscillator.h"

namespace runge_kutta2_solver_test {

using namespace sofa::core;
using sofa::test::oscillator;
using sofa::test::Run;

TEST_CASE("The midpoint rule follows its recurrence at every step")
{
    // u = x − 1 with u'' = −4 u: u' = (1 − 2 h²) u + h v, v' = (1 − 2 h²) v − 4 h u.
    double u = 0.1, v = 0.;
    const double h = 0.05, c = 1. - 2. * h * h;
    for (int n = 1; n <= 20; ++n) {
        const double next = c * u + h * v;
        v = c * v - 4. * h * u;
        u = next;
        const Run r = oscillator("<RungeKutta2Solver/>", h, n);
        CHECK(r.x == Approx(1. + u).epsilon(1e-13));
        CHECK(r.v == Approx(v).epsilon(1e-12).margin(1e-14));
    }
}

TEST_CASE("The midpoint rule has second order")
{
    const auto error = [](double h) {
        const Run r = oscillator("<RungeKutta2Solver/>", h, static_cast<int>(std::lround(1. / h)));
        return std::hypot(r.x - 1. - 0.1 * std::cos(2.), 0.5 * (r.v + 0.2 * std::sin(2.)));
    };
    for (const double h : {0.02, 0.01}) CHECK(std::log2(error(h) / error(h / 2.)) == Approx(2.).margin(0.05));
}

TEST_CASE("The midpoint rule falls exactly, under gravity that a mass adds apart, too")
{
    for (const char* apart : {"0", "1"}) {
        auto root = loadSceneText(
            std::string(
                "<Node name='root' gravity='0 -10 0' dt='0.1'><RungeKutta2Solver/><MechanicalObject position='0 "
                "0 0' velocity='1 0 0'/><UniformMass vertexMass='2' separateGravity='") +
                apart + "'/></Node>",
            "fall.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 10; ++i) sim.step();
        const auto& s = *root->get<State<Vec3Types>>();
        CHECK(s.velocities()[0][1] == Approx(-10.).epsilon(1e-13));
        CHECK(s.positions()[0][0] == Approx(1.).epsilon(1e-13));
        // Gravity apart is an impulse at the beginning of each step.
        CHECK(s.positions()[0][1] == Approx(*apart == '1' ? -5.5 : -5.).epsilon(1e-13));
    }
}

TEST_CASE("Velocities are damped behind an integrator, and small ones stop")
{
    const auto velocities = [](const std::string& damping, const std::string& type, const std::string& velocity) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 0 0' dt='0.1'><EulerExplicitSolver/><DampVelocitySolver " + damping +
                "/><MechanicalObject template='" + type + "' velocity='" + velocity + "' position='" +
                (type == "Vec3" ? "0 0 0  1 0 0" : "0 0 0 0 0 0 1") + "'/><UniformMass vertexMass='1'/></Node>",
            "damped.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 3; ++i) sim.step();
        const BaseState& s = *root->get<BaseState>();
        Vector<double> v(s.derivScalars());
        s.getScalars(vec_id::velocity, v.data());
        return v;
    };
    const auto v = velocities("rate='2'", "Vec3", "1 2 0  0 0 0.01");
    CHECK(v[0] == Approx(std::exp(-0.6)).epsilon(1e-14));
    CHECK(v[1] == Approx(2. * std::exp(-0.6)).epsilon(1e-14));
    CHECK(v[5] == Approx(0.01 * std::exp(-0.6)).epsilon(1e-14));
    CHECK(velocities("", "Vec3", "1 2 0  0 0 0")[0] == Approx(std::exp(-0.297)).epsilon(1e-14));
    // The norm of a point decides, not its components: 0.008 of the first is kept.
    const auto slow = velocities("rate='0' threshold='0.02'", "Vec3", "0.008 2 0  0.01 0.01 0.01");
    CHECK(slow == Vector<double>{0.008, 2., 0., 0., 0., 0.});
    CHECK(velocities("rate='0' threshold='0.02'", "Rigid3", "0.01 0 0 0 0 0.01") == Vector<double>(6, 0.));
    CHECK(velocities("rate='0' threshold='0.02'", "Rigid3", "0.01 0 0 0 0 0.03")[0] == 0.01);
}

TEST_CASE("velocities below the threshold stop, those that reach it go on")
{
    const auto after = [](const std::string& threshold) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 0 0' dt='0.1'><EulerExplicitSolver/><DampVelocitySolver rate='0' "
            "threshold='" +
                threshold +
                "'/><MechanicalObject position='0 0 0  0 0 0' velocity='3 4 0  3 3.5 0'/>"
                "<UniformMass vertexMass='1'/></Node>",
            "threshold.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        return root->get<State<Vec3Types>>(Search::Down)->velocities();
    };
    CHECK(after("5") == Vector<Vec3>{{3., 4., 0.}, {}});
    CHECK(after("5.1") == Vector<Vec3>{{}, {}});
    CHECK(after("0") == Vector<Vec3>{{3., 4., 0.}, {3., 3.5, 0.}});
}

}  // namespace runge_kutta2_solver_test
