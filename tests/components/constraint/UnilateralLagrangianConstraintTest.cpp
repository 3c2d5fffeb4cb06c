// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/UnilateralLagrangianConstraint.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "components/constraint/LagrangianSolver.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace unilateral_lagrangian_constraint_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;
    LoadReport report;
    bool good = false;

    explicit Scene(const std::string& body, const std::string& loop = "",
                   const std::string& settings = "tolerance='1e-13'",
                   const std::string& solver = "BlockGaussSeidelConstraintSolver",
                   const std::string& compatibility = "exact")
    {
        root = loadSceneText("<Node name='root' dt='0.01' gravity='0 -9.81 0' compatibility='" + compatibility +
                                 "'><FreeMotionAnimationLoop " + loop + "/><" + solver +
                                 " maxIterations='5000' allVerified='1' " + settings + "/>" + body + "</Node>",
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
    State<Vec3Types>& particles() { return *root->child("particles")->get<State<Vec3Types>>(Search::Local); }
    LagrangianSolver& solver() { return *root->get<LagrangianSolver>(Search::Local); }
    UnilateralLagrangianConstraint& contact() { return *root->get<UnilateralLagrangianConstraint>(Search::Local); }
};

std::string plane(const std::string& positions, const std::string& contact, const std::string& velocity = "0 0 0")
{
    return "<Node name='plane'><MechanicalObject name='points' position='0 0 0'/></Node>"
           "<Node name='particles'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='points' position='" +
           positions + "' velocity='" + velocity +
           "'/><UniformMass vertexMass='2'/><LinearSolverConstraintCorrection/></Node>"
           "<UnilateralLagrangianConstraint object1='@plane/points' object2='@particles/points' " +
           contact + "/>";
}

std::string text(double x)
{
    std::ostringstream s;
    s.precision(17);
    s << x;
    return s.str();
}

}  // namespace

TEST_CASE("Tangents are SOFA's, and an orthonormal base with the normal", "[constraint][contact]")
{
    for (const Vec3& n : {Vec3(1., 0., 0.), Vec3(0., -1., 0.), Vec3(0., 0., 1.), Vec3(0.6, 0., -0.8),
                          Vec3(1., 1., 1.) / std::sqrt(3.), Vec3(-1., -1., -1.) / std::sqrt(3.)}) {
        const auto [t, s] = UnilateralLagrangianConstraint::tangents(n);
        CHECK(std::abs(dot(t, n)) < 1e-15);
        CHECK(std::abs(dot(s, n)) < 1e-15);
        CHECK(std::abs(dot(s, t)) < 1e-15);
        CHECK(norm(t) == Approx(1.).epsilon(1e-14));
        CHECK(norm(s) == Approx(1.).epsilon(1e-14));
    }
    const auto [t, s] = UnilateralLagrangianConstraint::tangents({0., 1., 0.});
    CHECK(norm(t - Vec3(0., 0., 1.)) < 1e-15);
    CHECK(norm(s - Vec3(1., 0., 0.)) < 1e-15);
}

TEST_CASE("On an incline a particle slides exactly when tan θ > μ, with g (sin θ − μ cos θ)", "[constraint][contact]")
{
    const double g = 9.81;
    for (const bool velocities : {false, true}) {
        for (const double degrees : {5., 20., 30., 45., 60.}) {
            const double angle = degrees * std::acos(-1.) / 180.;
            for (const double mu : {0.05, 0.35, std::tan(angle) * 0.999, std::tan(angle) * 1.001, 1.2}) {
                INFO("angle " << degrees << ", mu " << mu << ", by velocities " << velocities);
                const Vec3 normal(-std::sin(angle), std::cos(angle), 0.), down(-std::cos(angle), -std::sin(angle), 0.);
                Scene s(plane("0 0 0", "first_point='0' second_point='0' mu='" + text(mu) + "' normal='" +
                                           text(normal[0]) + ' ' + text(normal[1]) + " 0'"),
                        velocities ? "solveVelocityConstraintFirst='1'" : "");
                s.step(100);
                const double acceleration = std::max(0., g * (std::sin(angle) - mu * std::cos(angle)));
                const Vec3 v = s.particles().velocities()[0];
                CHECK(std::abs(dot(v, down) - acceleration) < 1e-10);
                CHECK(std::abs(dot(v, normal)) < 1e-10);
                CHECK(std::abs(dot(s.particles().positions()[0], normal)) < 1e-10);
                // The contact force holds the normal part of the weight, and friction the rest or μ times it.
                const Vec3 force = s.contact().d_contactForces.value()[0];
                CHECK(dot(force, normal) == Approx(2. * g * std::cos(angle)).epsilon(1e-9));
                CHECK(dot(force, down) ==
                      Approx(-2. * std::min(g * std::sin(angle), mu * g * std::cos(angle))).epsilon(1e-8));
                CHECK(s.solver().d_currentResidual.value() < 1e-12);
            }
        }
    }
}

TEST_CASE("A particle meets a plane at the contact distance and goes on sliding", "[constraint][contact]")
{
    Scene s(plane("0 0.5 0", "first_point='0' second_point='0' distance='0.1' normal='0 3 0'", "1 0 0"));
    double lowest = 1.;
    for (int i = 0; i < 100; ++i) {
        s.step();
        lowest = std::min(lowest, s.particles().positions()[0][1]);
    }
    CHECK(lowest == Approx(0.1).epsilon(1e-12));
    CHECK(s.particles().positions()[0][1] == Approx(0.1).epsilon(1e-12));
    CHECK(s.particles().velocities()[0][0] == Approx(1.).epsilon(1e-13));
}

TEST_CASE("A particle rebounds with the coefficient of restitution, and comes to rest", "[constraint][contact]")
{
    for (const bool velocities : {false, true}) {
        for (const double e : {0.2, 0.5, 0.9, 1.}) {
            INFO("restitution " << e << ", by velocities " << velocities);
            Scene s(plane("0 1 0", "first_point='0' second_point='0' normal='0 1 0' restitution='" + text(e) + "'"),
                    velocities ? "solveVelocityConstraintFirst='1'" : "");
            bool rebounded = false;
            for (int i = 0; i < 100 && !rebounded; ++i) {
                const double before = s.particles().velocities()[0][1];
                s.step();
                const double after = s.particles().velocities()[0][1];
                if (!(after > 0.)) continue;
                rebounded = true;
                CHECK(after == Approx(-e * before).epsilon(1e-10));
            }
            CHECK(rebounded);
            if (e > 0.6) continue;
            s.step(300);
            CHECK(std::abs(s.particles().velocities()[0][1]) < 1e-10);
            CHECK(std::abs(s.particles().positions()[0][1]) < 1e-10);
        }
    }
}

namespace {

/// A tower of eight particles, of which the lowest is held.
std::string tower(const std::string& warmStart, const std::string& correction = "LinearSolverConstraintCorrection")
{
    std::string positions, first, second;
    for (int k = 0; k < 8; ++k) {
        positions += "0 " + text(k) + " 0 ";
        if (k == 7) break;
        first += std::to_string(k) + ' ';
        second += std::to_string(k + 1) + ' ';
    }
    return "<Node name='particles'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='points' position='" +
           positions + "'/><UniformMass vertexMass='2'/><FixedProjectiveConstraint indices='0'/><" + correction +
           "/></Node><UnilateralLagrangianConstraint object1='@particles/points' object2='@particles/points' "
           "first_point='" +
           first + "' second_point='" + second + "' normal='0 1 0' distance='1' mu='0.4' warmStart='" + warmStart +
           "'/>";
}

}  // namespace

TEST_CASE("With a warm start the forces of the step before are those to start from", "[constraint][contact]")
{
    // Sweeps only, as in SOFA.
    const auto scene = [](const std::string& warmStart) {
        return Scene(tower(warmStart), "", "tolerance='1e-13'", "BlockGaussSeidelConstraintSolver", "sofa");
    };
    Scene cold = scene("0"), warm = scene("1");
    cold.step(20);
    warm.step(20);
    CHECK(warm.solver().d_currentIterations.value() < 20);
    CHECK(cold.solver().d_currentIterations.value() > 50);
    for (Index k = 0; k < 8; ++k)
        CHECK(norm(warm.particles().velocities()[k] - cold.particles().velocities()[k]) < 1e-11);
    // A saved state keeps them.
    Archive out;
    warm.contact().archive(out);
    warm.contact().reset();
    Archive in(out.bytes());
    warm.contact().archive(in);
    warm.step();
    CHECK(warm.solver().d_currentIterations.value() <= 2);
    warm.contact().reset();
    warm.step();
    CHECK(warm.solver().d_currentIterations.value() > 50);
}

TEST_CASE("Forces to start from count at once, also where the compliance is not built", "[constraint][contact]")
{
    const std::string body = tower("1", "UncoupledConstraintCorrection defaultCompliance='0.5'");
    const auto run = [&](const std::string& solver, int& sweeps) {
        Scene s(body, "", "tolerance='1e-13'", solver, "sofa");  // sweeps only, with both
        for (int i = 0; i < 20; ++i) {
            s.step();
            sweeps += s.solver().d_currentIterations.value();
        }
        CHECK(s.solver().d_currentResidual.value() < 1e-13);
        return s.particles().velocities();
    };
    int built = 0, unbuilt = 0;
    const auto a = run("BlockGaussSeidelConstraintSolver", built),
               b = run("UnbuiltGaussSeidelConstraintSolver", unbuilt);
    for (Index k = 0; k < 8; ++k) CHECK(norm(a[k] - b[k]) < 1e-13);
    CHECK(built > 100);  // the first step starts from nothing
    CHECK(unbuilt == built);
}

TEST_CASE("Contacts of a scene that make no sense are refused", "[constraint][contact]")
{
    const auto message = [](const std::string& contact) {
        Scene s(plane("0 0 0", contact));
        CHECK(!s.good);
        std::string all;
        for (const auto& m : s.contact().messages()) all += m.text + '\n';
        return all;
    };
    CHECK_THAT(message("first_point='0 0' second_point='0' normal='0 1 0'"), Catch::Contains("one of each"));
    CHECK_THAT(message("first_point='0' second_point='7' normal='0 1 0'"), Catch::Contains("point 7 is not in"));
    CHECK_THAT(message("first_point='0' second_point='0' normal='0 0 0'"), Catch::Contains("no direction"));
    CHECK_THAT(message("first_point='0' second_point='0'"), Catch::Contains("normal has 0 entries"));
}

}  // namespace unilateral_lagrangian_constraint_test
