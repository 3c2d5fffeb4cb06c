// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/behavior/State.h"
#include "tests/harness/SceneText.h"

namespace mapped_mass_test {

using namespace sofa::core;
using sofa::test::SceneText;

namespace {

const std::string s_direct = "<SparseLDLSolver/>";
const std::string s_point =
    "<MechanicalObject name='p' position='1 0 0' rest_position='0 0 0'/>"
    "<RestShapeSpringsForceField stiffness='3'/>";
const std::string s_mass = "<UniformMass vertexMass='3'/>";
const std::string s_mapped = "<Node name='mapped'><MechanicalObject/><IdentityMapping/>" + s_mass + "</Node>";

/// A body of 3 kg on a spring, whose mass stands on its state or on a mapped one.
std::unique_ptr<SceneText> body(const std::string& solvers, const std::string& mass)
{
    auto scene =
        std::make_unique<SceneText>("<Node name='body'>" + solvers + s_point + mass + "</Node>", "0.05", "0 -2 0");
    REQUIRE(scene->good);
    return scene;
}

/// Two points on springs of 4 N/m, each of 1 kg, and 2 kg half way between them: the points swing together with 2 kg
/// each, against each other with 1 kg each.
std::string pairWithMiddle(const std::string& solvers, double first, double second)
{
    return "<Node name='pair'>" + solvers +
           "<MeshTopology position='0 0 0  1 0 0' edges='0 1'/><MechanicalObject name='p' rest_position='0 0 0  1 0 0' "
           "position='" +
           toText(Vec3{first, 0., 0.}) + ' ' + toText(Vec3{second, 0., 0.}) +
           "'/><RestShapeSpringsForceField stiffness='4'/><UniformMass vertexMass='1'/><Node name='middle'>"
           "<MechanicalObject position='" +
           toText(Vec3{0.5 * (first + second), 0., 0.}) +
           "'/><BarycentricMapping/><UniformMass vertexMass='2'/></Node></Node>";
}

}  // namespace

TEST_CASE("a mass moves the same on a mapped state as on its own, with every integrator")
{
    const std::string newton =
        "<NewtonRaphsonSolver maxNbIterationsNewton='10' warnWhenLineSearchFails='0' warnWhenDiverge='0'/>";
    for (const std::string& solvers :
         {std::string("<EulerExplicitSolver/>"), std::string("<CentralDifferenceSolver/>"),
          std::string("<RungeKutta2Solver/>"), std::string("<RungeKutta4Solver/>"),
          std::string("<EulerImplicitSolver rayleighMass='0.1' rayleighStiffness='0.1'/>"),
          std::string("<EulerImplicitSolver maxIterations='5'/>"), std::string("<NewmarkImplicitSolver/>"),
          std::string("<VariationalSymplecticSolver/>"), "<BDFOdeSolver rayleighMass='0.1'/>" + newton}) {
        INFO(solvers);
        const auto own = body(solvers + s_direct, s_mass), mapped = body(solvers + s_direct, s_mapped);
        own->step(20);
        mapped->step(20);
        const auto &x = own->state<Vec3Types>("body"), &y = mapped->state<Vec3Types>("body");
        CHECK(norm(y.positions()[0] - x.positions()[0]) < 1e-13);
        CHECK(norm(y.velocities()[0] - x.velocities()[0]) < 1e-13);
        CHECK(norm(x.positions()[0] - Vec3{1., 0., 0.}) > 0.1);
    }
}

TEST_CASE("Runge and Kutta's method takes the matrix of masses that mappings join")
{
    for (const double sign : {1., -1.}) {
        SceneText s(pairWithMiddle("<RungeKutta4Solver/>" + s_direct, 0.1, 1. + sign * 0.1), "0.01", "0 0 0");
        REQUIRE(s.good);
        s.step(100);
        const double frequency = sign > 0. ? std::sqrt(2.) : 2.;
        const auto& x = s.state<Vec3Types>("pair").positions();
        CHECK(x[0][0] == Approx(0.1 * std::cos(frequency)).margin(1e-9));
        CHECK(x[1][0] - 1. == Approx(sign * 0.1 * std::cos(frequency)).margin(1e-9));
    }
}

TEST_CASE("explicit integrators say where they need a linear solver")
{
    for (const std::string name :
         {"EulerExplicitSolver", "CentralDifferenceSolver", "RungeKutta2Solver", "RungeKutta4Solver"}) {
        INFO(name);
        const std::string needed =
            "(" + name +
            "): a mass is not diagonal, or is mapped, or a state has two, or a constraint joins points, "
            "so that a linear solver is needed in node '/body'";
        const std::string solver = "<" + name + " name='integrator'/>";
        for (const std::string& mass : {s_mapped, s_mass + "<UniformMass name='second' vertexMass='1'/>"}) {
            const auto scene = body(solver, mass);
            CHECK_THROWS_WITH(scene->step(), Catch::Contains("/body/integrator " + needed));
        }
        body(solver, s_mass)->step();
    }
}

TEST_CASE("two masses of one state count both")
{
    const auto two = body("<RungeKutta4Solver/>" + s_direct,
                          "<UniformMass vertexMass='1'/><UniformMass name='second' vertexMass='2'/>");
    const auto one = body("<RungeKutta4Solver/>", s_mass);
    two->step(10);
    one->step(10);
    CHECK(norm(two->state<Vec3Types>("body").positions()[0] - one->state<Vec3Types>("body").positions()[0]) < 1e-14);
}

TEST_CASE("the residual of implicit Euler counts masses on mapped states")
{
    for (const std::string& scene :
         {pairWithMiddle("<EulerImplicitSolver name='e' computeResidual='1'/>" + s_direct, 0.1, 1.3),
          "<Node name='body'><EulerImplicitSolver name='e' computeResidual='1'/>" + s_direct + s_point + s_mapped +
              "</Node>"}) {
        SceneText s(scene, "0.05", "0 -2 0");
        REQUIRE(s.good);
        s.step(3);
        const Component* e = s.root->children().front()->get<OdeSolver>();
        CHECK(std::stod(e->findData("residual")->text()) < 1e-28);
    }
}

TEST_CASE("Newton's method of a trust region takes masses on mapped states")
{
    const std::string solvers =
        "<StaticSolver/><NewtonRaphsonSolver maxNbIterationsNewton='10' "
        "globalization='trustRegion'/>" +
        s_direct;
    const auto own = body(solvers, s_mass), mapped = body(solvers, s_mapped);
    own->step();
    mapped->step();
    const Vec3 x = own->state<Vec3Types>("body").positions()[0], y = mapped->state<Vec3Types>("body").positions()[0];
    CHECK(norm(y - x) < 1e-12);
    CHECK(norm(y - Vec3{0., -2., 0.}) < 1e-9);
}

}  // namespace mapped_mass_test
