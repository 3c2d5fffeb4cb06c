// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/objectmodel/DataNumbers.h"
#include "core/objectmodel/Node.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/BodyMesh.h"
#include "core/simulation/Probe.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace solver_quantities_test {

using namespace sofa::core;
using Catch::Matchers::Contains;

// What solvers, constraints and contacts tell: iterations, residuals, forces.

namespace {

struct Run
{
    Run(const std::string& content, int steps, const std::string& attributes = "gravity='0 -10 0' dt='0.01'")
        : sim(loadSceneText("<Node name='root' " + attributes + ">" + content + "</Node>", "told.scn"))
    {
        REQUIRE(sim.init());
        for (int i = 0; i < steps; ++i) sim.step();
    }
    Vector<double> probe(const std::string& text) const { return Probe(text).evaluate(sim.root()).values; }
    double number(const std::string& text) const
    {
        const Vector<double> all = probe(text);
        REQUIRE(all.size() == 1);
        return all[0];
    }
    Simulation sim;
};

std::string bar(const std::string& solvers, const std::string& more = "")
{
    return solvers +
           "<RegularGridTopology n='5 2 2' min='0 0 0' max='4 1 1'/><MechanicalObject name='dofs'/>"
           "<UniformMass totalMass='1'/><FixedProjectiveConstraint indices='0 5 10 15'/>"
           "<HexahedronFEMForceField youngModulus='3000' poissonRatio='0.3'/>" +
           more;
}

/// A ball of 2 kg that lies on a floor, by constraints or by penalties.
std::string ball(const std::string& response, const std::string& kind, const std::string& more)
{
    const std::string state = kind == "points"
                                  ? "<MechanicalObject name='dofs' position='1 0.31 2.5'/>"
                                  : "<MechanicalObject name='dofs' template='Rigid3' position='1 0.31 2.5 0 0 0 1'/>";
    return more +
           "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/>"
           "<MinProximityIntersection alarmDistance='0.2' contactDistance='0.01'/><CollisionResponse name='manager' "
           "response='" +
           response + "'/><Node name='ball'><EulerImplicitSolver/><SparseLDLSolver/>" + state +
           "<UniformMass totalMass='2'/><LinearSolverConstraintCorrection/>"
           "<SphereCollisionModel name='model' radius='0.3' contactStiffness='100'/></Node>"
           "<Node name='floor'><RegularGridTopology n='3 1 3' min='-4 0 -4' max='4 0 4'/><MechanicalObject/>"
           "<TriangleCollisionModel name='model' moving='0' simulated='0' contactStiffness='100'/></Node>";
}

const std::string constraints =
    "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver name='solver' maxIterations='1000' "
    "tolerance='1e-12'/>";

}  // namespace

TEST_CASE("Krylov solvers tell iterations and residual of the last solve, and the errors of each iteration")
{
    for (const std::string solver : {"CGLinearSolver", "MinResLinearSolver", "PCGLinearSolver"}) {
        INFO(solver);
        const auto run = [&](const std::string& iterations) {
            const std::string tolerance = solver == "PCGLinearSolver"  ? "1e-20"
                                          : solver == "CGLinearSolver" ? "1e-10' threshold='1e-20"
                                                                       : "1e-10";
            return Run(bar("<EulerImplicitSolver/><" + solver + " name='linear' iterations='" + iterations +
                           "' tolerance='" + tolerance + "'/>"),
                       3);
        };
        const Run few = run("3"), many = run("500");
        CHECK(few.number("@/linear.lastIterations") == 3.);
        CHECK(few.number("@/linear.lastResidual") > 1e-6);
        CHECK(many.number("@/linear.lastIterations") > 5.);
        CHECK(many.number("@/linear.lastResidual") <= 1e-10);
        CHECK(many.number("@/linear.lastResidual") > 0.);
        const Vector<double> graph = many.probe("@/linear.graph");
        REQUIRE(graph.size() >= 6);
        if (solver != "PCGLinearSolver") CHECK(graph.front() == Approx(1.));  // it starts from the solution before
        const double last = many.number("@/linear.lastResidual");
        CHECK(graph.back() == Approx(solver == "PCGLinearSolver" ? last * last : last));
    }
}

TEST_CASE("Newton's method tells iterations and residual, of static solutions and of steps")
{
    const std::string cg = "<SparseLDLSolver/>";
    const Run rest(bar("<StaticSolver/><NewtonRaphsonSolver name='newton' maxNbIterationsNewton='30' "
                       "absoluteResidualStoppingThreshold='1e-7' relativeSuccessiveStoppingThreshold='0' "
                       "relativeInitialStoppingThreshold='0'/>" +
                       cg),
                   1);
    const Vector<double> squares = rest.probe("@/newton.residualGraph");
    REQUIRE(squares.size() > 2);
    CHECK(rest.number("@/newton.lastIterations") == static_cast<double>(squares.size() - 1));
    CHECK(rest.number("@/newton.lastResidual") == std::sqrt(squares.back()));
    CHECK(rest.number("@/newton.lastResidual") <= 1e-7);

    for (const std::string solver : {"EulerImplicitSolver", "NewmarkImplicitSolver"}) {
        INFO(solver);
        const Run step(bar("<" + solver + " name='ode' maxIterations='20' epsilon='1e-6'/>" + cg), 2);
        CHECK(step.number("@/ode.iterations") > 1.);
        CHECK(step.number("@/ode.lastResidual") > 0.);
        CHECK(step.number("@/ode.lastResidual") < 1e-6);
    }
    CHECK(std::isnan(Run(bar("<EulerImplicitSolver name='ode'/>" + cg), 1).number("@/ode.lastResidual")));
}

TEST_CASE("Lagrangian constraints tell what they add to their points, and the force of each row")
{
    const Run run(
        "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver name='solver' maxIterations='100' "
        "tolerance='1e-12'/><Node name='body'><EulerImplicitSolver/><SparseLDLSolver/>"
        "<MechanicalObject name='dofs' position='0 0 0  1 0 0  2 0 0'/><UniformMass totalMass='9'/>"
        "<LinearSolverConstraintCorrection/><FixedLagrangianConstraint name='a' indices='0'/>"
        "<FixedLagrangianConstraint name='b' indices='2'/>"
        "<BilateralLagrangianConstraint name='rod' object1='@dofs' object2='@dofs' first_point='1' second_point='2' "
        "rest_vector='1 0 0'/></Node>",
        3);
    const auto isAt = [&](const std::string& path, const Vector<double>& expected) {
        INFO(path);
        const Vector<double> found = run.probe(path);
        REQUIRE(found.size() == expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).margin(1e-8));
    };
    isAt("@/body/a.reaction", {0., 30., 0., 0., 0., 0., 0., 0., 0.});
    isAt("@/body/b.reaction", {0., 0., 0., 0., 0., 0., 0., 60., 0.});
    isAt("@/body/rod.reaction", {0., 0., 0., 0., 30., 0., 0., -30., 0.});
    isAt("@/body/a.lambda:norm", {30.});
    isAt("@/body/dofs.constraintForce", {0., 30., 0., 0., 30., 0., 0., 30., 0.});
    CHECK(run.probe("@/solver.lambda").size() == 9);
    CHECK(run.number("@/solver.currentNumConstraints") == 9.);
    CHECK(run.number("@/solver.currentIterations") >= 1.);
    CHECK(run.number("@/solver.currentResidual") < 1e-9);
}

TEST_CASE("contacts tell their number, where they act and with which force")
{
    for (const std::string kind : {"points", "frames"})
        for (const bool penalty : {false, true}) {
            INFO(kind << (penalty ? ", penalties" : ", constraints"));
            const Run run(penalty ? ball("PenalityContactForceField", kind, "")
                                  : ball("FrictionContactConstraint", kind, constraints),
                          penalty ? 400 : 30);
            const double weight = 2. * 10.;
            CHECK(run.number("@/manager.contacts") >= 1.);
            CHECK(run.number("@/pipeline.contactCount") >= 1.);
            const Vector<double> force = run.probe("@/manager.contactForces"),
                                 onBall = run.probe("@/ball/model.contactForce"),
                                 onFloor = run.probe("@/floor/model.contactForce"),
                                 atPoint = run.probe("@/ball/dofs.contactForce");
            REQUIRE(force.size() == 3);
            REQUIRE(onBall.size() == 3);
            REQUIRE(atPoint.size() == (kind == "points" ? 3 : 6));
            CHECK(onBall[1] == Approx(weight).epsilon(penalty ? 0.05 : 1e-6));
            CHECK(std::abs(force[1]) == std::abs(onBall[1]));
            CHECK(onFloor[1] == -onBall[1]);
            CHECK(atPoint[1] == Approx(onBall[1]));
            const Vector<double> where = run.probe("@/manager.contactPoints");
            CHECK(where[0] == Approx(1.).margin(1e-3));
            CHECK(where[2] == Approx(2.5).margin(1e-3));

            BodyMeshes meshes(run.sim.root());
            for (const Body& b : meshes.bodies()) {
                if (b.state->node()->name() != "ball") continue;
                const io::MeshData m = meshes.mesh(b);
                const auto field = std::find_if(m.pointData.begin(), m.pointData.end(),
                                                [](const io::DataArray& a) { return a.name == "contactForce"; });
                REQUIRE(field != m.pointData.end());
                CHECK(field->values[1] == atPoint[1]);
            }
        }
}

TEST_CASE("forces of contacts are carried to the points of the body")
{
    const Run run(ball("PenalityContactForceField", "points", "") +
                      "<Node name='soft'><EulerImplicitSolver/><CGLinearSolver iterations='100'/>"
                      "<RegularGridTopology n='2 2 2' min='2 0.02 0' max='3 1 1'/><MechanicalObject name='dofs'/>"
                      "<UniformMass totalMass='4'/><HexahedronFEMForceField youngModulus='3000'/><Node name='skin'>"
                      "<MeshTopology position='2.2 0.02 0.2  2.8 0.02 0.2  2.5 0.02 0.8' triangles='0 1 2'/>"
                      "<MechanicalObject name='skin'/><BarycentricMapping/>"
                      "<PointCollisionModel name='model' contactStiffness='100'/></Node></Node>",
                  40);
    const Vector<double> onPoints = run.probe("@/soft/dofs.contactForce:sum"),
                         onModel = run.probe("@/soft/skin/model.contactForce");
    REQUIRE(onPoints.size() == 3);
    CHECK(onModel[1] > 1.);
    for (std::size_t k = 0; k < 3; ++k) CHECK(onPoints[k] == Approx(onModel[k]).margin(1e-9));
    // What the contacts add to the lower points is more than what they add to the upper ones.
    const Vector<double> y = run.probe("@/soft/dofs.contactForce:y");
    CHECK(y[0] + y[1] + y[4] + y[5] > 10. * std::abs(y[2] + y[3] + y[6] + y[7]));
}

TEST_CASE("a probe of an empty list is an error where a table needs its column")
{
    const sofa::test::TemporaryDirectory folder;
    Run run(ball("FrictionContactConstraint", "points", constraints), 0);
    ProbeTable table((folder / "t.csv").string(), {"@/manager.contactForces"});
    CHECK_THROWS_WITH(table.write(run.sim), Contains("told.scn:1:") && Contains("/manager (CollisionResponse)") &&
                                                Contains("the list is empty") && Contains("':sum' is 0"));
    ProbeTable sums((folder / "s.csv").string(), {"@/manager.contactForces:sum"});
    CHECK_NOTHROW(sums.write(run.sim));
    run.sim.step();
    CHECK_NOTHROW(sums.write(run.sim));
}

}  // namespace solver_quantities_test
