// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/OldAnimationLoops.h"

#include <catch2/catch.hpp>

#include "components/constraint/LagrangianSolver.h"
#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace old_animation_loops_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;
    Scene(const std::string& dt, const std::string& loop, const std::string& body)
    {
        LoadReport report;
        root = loadSceneText("<Node name='root' dt='" + dt + "' gravity='0 -9.81 0'>" + loop + body + "</Node>",
                             "test.scn", {}, &report);
        REQUIRE(report.ok());
        sim = std::make_unique<Simulation>(root);
        REQUIRE(sim->init());
    }
    void step(int n)
    {
        for (int i = 0; i < n; ++i) sim->step();
    }
    const Vector<Vec3>& x() { return root->getAll<State<Vec3Types>>(Search::Down).front()->read(vec_id::position); }
};

const std::string beam =
    "<Node name='beam'><EulerImplicitSolver rayleighStiffness='0.01'/><SparseLDLSolver/><RegularGridTopology n='5 3 3' "
    "min='0 0 0' max='1 0.3 0.3'/><MechanicalObject/><UniformMass totalMass='2'/><HexahedronFEMForceField "
    "youngModulus='20000' poissonRatio='0.3'/>";
const std::string held = "<FixedProjectiveConstraint indices='0 5 10 15 20 25 30 35 40'/></Node>";
const std::string constrained =
    "<LinearSolverConstraintCorrection/><FixedLagrangianConstraint indices='0 5 10 15 20 25 30 35 40'/></Node>";

}  // namespace

TEST_CASE("A step in parts is as many steps of a part each", "[animation]")
{
    // Powers of two, so that times are the same bits.
    Scene parts("0.125", "<MultiStepAnimationLoop collisionSteps='4' integrationSteps='2'/>", beam + held),
        single("0.015625", "<DefaultAnimationLoop/>", beam + held);
    parts.step(3);
    single.step(24);
    CHECK(parts.root->time() == 0.375);
    CHECK(single.root->time() == 0.375);
    CHECK(parts.x()[4][1] < -1e-3);
    CHECK(parts.x() == single.x());
}

TEST_CASE("The loop of old scenes has a constraint solver of its own, with its values", "[animation]")
{
    const std::string values = " tolerance='1e-11' maxIterations='4000' sor='1.1' scaleTolerance='0'";
    Scene old("0.01", "<ConstraintAnimationLoop" + values + "/>", beam + constrained),
        today("0.01", "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver" + values + "/>",
              beam + constrained);
    old.step(20);
    today.step(20);
    auto* solver = old.root->get<LagrangianSolver>(Search::Local);
    REQUIRE(solver);
    CHECK(solver->d_tolerance.value() == 1e-11);
    CHECK(solver->d_maxIterations.value() == 4000);
    CHECK(solver->d_currentNumConstraints.value() == 27);
    CHECK(old.x()[4][1] < -1e-3);
    CHECK(old.x() == today.x());
    // A solver of the scene is used instead.
    Scene own("0.01", "<ConstraintAnimationLoop/><NNCGConstraintSolver tolerance='1e-3'/>", beam + constrained);
    CHECK(own.root->getAll<ConstraintSolver>(Search::Down).size() == 1);
}

TEST_CASE("Penalty contacts take part in the free motion if collisions come first", "[animation]")
{
    const std::string scene =
        "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><DiscreteIntersection/><CollisionResponse "
        "response='PenalityContactForceField'/><Node name='floor'><MechanicalObject position='0 -1 0'/>"
        "<SphereCollisionModel radius='1' simulated='0' moving='0'/></Node><Node name='ball'><EulerImplicitSolver/>"
        "<SparseLDLSolver/><MechanicalObject position='0 0.49 0'/><UniformMass totalMass='1'/>"
        "<UncoupledConstraintCorrection defaultCompliance='1'/><SphereCollisionModel radius='0.5' "
        "contactStiffness='10000'/></Node>";
    const auto height = [&](const std::string& loop) {
        Scene s("0.01", loop, scene);
        s.step(1);
        for (auto* state : s.root->getAll<State<Vec3Types>>(Search::Down))
            if (state->node()->name() == "ball") return state->read(vec_id::position)[0][1];
        return 0.;
    };
    const double after = height("<ConstraintAnimationLoop/>"),
                 first = height("<ConstraintAnimationLoop doCollisionsFirst='1'/>");
    CHECK(after < 0.49);
    CHECK(first > after + 1e-5);
}

}  // namespace old_animation_loops_test
