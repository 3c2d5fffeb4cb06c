// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "core/log/Message.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace line_search_test {

using namespace sofa::core;

namespace {

/// A clamped beam of length 1 m and a square section, with a dead load P at its end, in one static step.
struct Beam
{
    std::string material, elements = "40 2";                        ///< along and across
    double thickness = 0.05, poisson = 0., load = 0., thrust = 0.;  ///< loads across and along [N]
    int trials = 20, iterations = 60, loadSteps = 1;
    double mass = 0.;
    std::string newton = {};  ///< attributes of the solver
};

std::shared_ptr<Node> load(const Beam& b)
{
    const double young = 1e6, mu = young / (2. * (1. + b.poisson)),
                 lambda = young * b.poisson / ((1. + b.poisson) * (1. - 2. * b.poisson)), t = b.thickness;
    const auto space = b.elements.find(' ');
    const int nx = std::stoi(b.elements) + 1, n = std::stoi(b.elements.substr(space)) + 1;
    const std::string grid = std::to_string(nx) + ' ' + std::to_string(n) + ' ' + std::to_string(n);
    return loadSceneText(
        "<Node name='root' dt='1' gravity='0 0 0'><StaticSolver name='static' printLog='1' loadSteps='" +
            std::to_string(b.loadSteps) + "'/><NewtonRaphsonSolver name='newton' " + b.newton +
            " maxNbIterationsNewton='" + std::to_string(b.iterations) + "' maxNbIterationsLineSearch='" +
            std::to_string(b.trials) +
            "' relativeSuccessiveStoppingThreshold='0' relativeInitialStoppingThreshold='1e-6' "
            "absoluteResidualStoppingThreshold='0' warnWhenLineSearchFails='0'/><SparseLDLSolver/>"
            "<RegularGridTopology n='" +
            grid + "' min='0 0 0' max='" + toText(Vec3{1., t, t}) +
            "'/><MechanicalObject/><BoxROI name='foot' box='-0.001 -1 -1 0.001 1 1'/><BoxROI name='tip' box='0.999 -1 "
            "-1 "
            "1.001 1 1'/><FixedProjectiveConstraint indices='@foot.indices'/><ConstantForceField "
            "indices='@tip.indices' "
            "forces='" +
            toText(Vec3{-b.thrust / (n * n), 0., b.load / (n * n)}) + "'/>" +
            (b.mass > 0. ? "<UniformMass totalMass='" + toText(b.mass) + "'/>" : "") +
            "<HyperelasticityFEMForceField elements='hexahedra' materialName='" + b.material + "' ParameterSet='" +
            toText(mu) + ' ' + toText(lambda) + "'/></Node>",
        "beam.scn");
}

/// Deflection of the middle of the end [m].
double tip(const Node& root, const Beam& b)
{
    const auto* s = root.get<State<Vec3Types>>(Search::Down);
    const auto space = b.elements.find(' ');
    const int nx = std::stoi(b.elements) + 1, n = std::stoi(b.elements.substr(space)) + 1;
    const auto middle = static_cast<std::size_t>((n / 2 * n + n / 2 + 1) * nx - 1);
    return s->positions()[middle][2] - b.thickness / 2.;
}

/// The deflection after one step, whose solve must converge.
double deflection(const Beam& b)
{
    auto root = load(b);
    Simulation sim(root);
    REQUIRE(sim.init());
    sim.step();
    CHECK(sim.unconverged().empty());
    return tip(*root, b);
}

}  // namespace

TEST_CASE("a line search does not keep a beam from bending: Euler's elastica under P L^2 = 5 E I")
{
    // Tip deflection 0.71379 L (Bisshopp and Drucker, Large deflection of cantilever beams, 1945); the linear elements,
    // two across, are 3% too stiff.
    const double load = 5. * 1e6 * std::pow(0.05, 4) / 12.;
    for (const char* material : {"StVenantKirchhoff", "NeoHookean"}) {
        INFO(material);
        const double one = deflection({.material = material, .load = load, .trials = 1});
        CHECK(one == Approx(0.714).epsilon(0.05));
        CHECK(deflection({.material = material, .load = load}) == Approx(one).epsilon(1e-5));
    }
}

TEST_CASE("a line search leads to the same equilibrium as Newton's method does, close to incompressibility")
{
    const Beam b{.material = "NeoHookean",
                 .elements = "20 2",
                 .thickness = 0.1,
                 .poisson = 0.499,
                 .load = 0.05 * 3. * 1e6 * std::pow(0.1, 4) / 12.};
    Beam one = b;
    one.trials = 1;
    CHECK(deflection(b) == Approx(deflection(one)).epsilon(1e-5));
}

TEST_CASE("Parts of a load lead to the equilibrium of the whole load")
{
    const Beam whole{.material = "NeoHookean", .load = 5. * 1e6 * std::pow(0.05, 4) / 12.};
    Beam parts = whole;
    parts.loadSteps = 7;
    CHECK(deflection(parts) == Approx(deflection(whole)).epsilon(1e-5));
}

TEST_CASE("Parts of a load on which Newton's method does not converge are halved")
{
    // Eight iterations without a line search are too few for the whole load, and for a half of it.
    Beam b{.material = "NeoHookean", .load = 5. * 1e6 * std::pow(0.05, 4) / 12.};
    const double expected = deflection(b);
    b.trials = 1;
    b.iterations = 8;
    auto root = load(b);
    Simulation sim(root);
    REQUIRE(sim.init());
    sim.step();
    CHECK_FALSE(sim.unconverged().empty());
    b.loadSteps = 2;
    const MessageCapture messages;
    CHECK(deflection(b) == Approx(expected).epsilon(1e-5));
    CHECK(messages.has(Severity::Info, "this part is halved"));
}

TEST_CASE("What does not converge leaves the last equilibrium, and says which")
{
    Beam b{.material = "NeoHookean", .load = 5. * 1e6 * std::pow(0.05, 4) / 12., .trials = 1, .iterations = 1};
    SECTION("of the load's parts")
    {
        b.loadSteps = 2;
        b.newton = "absoluteEstimateDifferenceThreshold='1e-30'";
        auto root = load(b);
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        REQUIRE(sim.unconverged().size() == 1);
        CHECK(tip(*root, b) == 0.);
        CHECK_THAT(sim.unconverged()[0], Catch::Contains(" 0% of the last"));
    }
    SECTION("of the step before")
    {
        b.newton = "updateStateWhenDiverged='0'";
        auto root = load(b);
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        CHECK_FALSE(sim.unconverged().empty());
        CHECK(tip(*root, b) == 0.);
    }
}

TEST_CASE("A trust region bends a column that Newton's method leaves standing under 1.88 times Euler's load")
{
    // The elastica whose end has turned by 120 degrees: P = (2 K / pi)^2 of Euler's load and a deflection of 2 k / K,
    // k = sin 60 degrees, K(k) = 2.15652 (Love, Mathematical Theory of Elasticity, 263).
    const double section = std::pow(0.05, 4) / 12., euler = 1e6 * section * std::pow(std::acos(-1.) / 2., 2);
    Beam b{.material = "NeoHookean", .load = 1e-4 * euler, .thrust = 1.8848 * euler, .iterations = 200, .mass = 1.};
    CHECK(std::abs(deflection(b)) < 0.01);
    b.newton = "globalization='trustRegion'";
    CHECK(deflection(b) == Approx(0.8032).epsilon(0.02));
}

TEST_CASE("A trust region leads to the equilibrium of a line search where that is stable, in few iterations")
{
    Beam b{.material = "NeoHookean", .load = 5. * 1e6 * std::pow(0.05, 4) / 12., .mass = 1.};
    const double expected = deflection(b);
    b.newton = "globalization='trustRegion'";
    b.iterations = 30;
    CHECK(deflection(b) == Approx(expected).epsilon(1e-5));
}

TEST_CASE("A trust region needs masses, and says so")
{
    Simulation sim(load({.material = "NeoHookean", .load = 1., .newton = "globalization='trustRegion'"}));
    REQUIRE(sim.init());
    CHECK_THROWS_WITH(sim.step(), Catch::Contains("/newton") && Catch::Contains("bodies with mass"));
}

}  // namespace line_search_test
