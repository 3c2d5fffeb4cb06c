// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cstring>

#include "core/behavior/ForceField.h"
#include "core/behavior/State.h"
#include "core/log/Phases.h"
#include "core/math/DataTypes.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"

namespace interruption_test {

using namespace sofa::core;

namespace {

/// No force: it interrupts the thread when it is asked for the n-th time.
class Interrupter final : public ForceField<Vec3Types>
{
public:
    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    std::string className() const override { return "Interrupter"; }
    void addForce(const MechanicalParams&, Vector<Vec3>&, const Vector<Vec3>&, const Vector<Vec3>&) override
    {
        count();
    }
    void buildStiffness(const MechanicalParams&, BlockSink&) override { count(); }
    double potentialEnergy(const MechanicalParams&, const Vector<Vec3>&) const override { return 0.; }

    void count()
    {
        if (calls++ == at) Phases::ofThisThread().interrupt();
    }
    int calls = 0, at = -1;
};

/// Two soft cubes that fall on each other and on the ground, and slide.
const std::string scene = R"(<Node name="root" dt="0.02" gravity="0 -9.81 0"><FreeMotionAnimationLoop/>
<BlockGaussSeidelConstraintSolver maxIterations="50" tolerance="1e-6"/>
<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><LocalMinDistance alarmDistance="0.03" contactDistance="0.01"/>
<CollisionResponse response="FrictionContactConstraint" responseParams="mu=0.4"/>
<Node name="one"><EulerImplicitSolver/><SparseLDLSolver/><RegularGridTopology n="3 3 3" min="0 0.03 0" max="0.2 0.23 0.2"/>
<MechanicalObject velocity="0.5 0 0"/><UniformMass totalMass="1"/><HexahedronFEMForceField youngModulus="20000" poissonRatio="0.3"/>
<LinearSolverConstraintCorrection/><TriangleCollisionModel/><PointCollisionModel/></Node>
<Node name="two"><EulerImplicitSolver/><SparseLDLSolver/><RegularGridTopology n="3 3 3" min="0.05 0.26 0" max="0.25 0.46 0.2"/>
<MechanicalObject/><UniformMass totalMass="1"/><HexahedronFEMForceField youngModulus="20000" poissonRatio="0.3"/>
<LinearSolverConstraintCorrection/><TriangleCollisionModel/><PointCollisionModel/></Node>
<Node name="ground"><MeshTopology position="-3 0 -3  3 0 -3  -3 0 3  3 0 3" triangles="0 2 1  1 2 3"/>
<MechanicalObject/><TriangleCollisionModel moving="0" simulated="0"/></Node></Node>)";

struct Run
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
    Interrupter* interrupter = nullptr;

    Run()
    {
        LoadReport report;
        root = loadSceneText(scene, "test.scn", {}, &report);
        REQUIRE(report.ok());
        interrupter = &root->children().front()->create<Interrupter>();
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
        interrupter->calls = 0;
    }
    std::vector<double> numbers() const
    {
        std::vector<double> all;
        for (const BaseState* s : root->getAll<BaseState>(Search::Down)) {
            if (s->node()->name() == "ground") continue;
            const auto& points = dynamic_cast<const State<Vec3Types>&>(*s);
            for (const auto* v : {&points.read(vec_id::position), &points.read(vec_id::velocity)})
                for (const Vec3& k : *v) all.insert(all.end(), k.begin(), k.end());
        }
        return all;
    }
};

}  // namespace

TEST_CASE("After a step that was interrupted anywhere, a reset scene gives the same bits", "[constraint]")
{
    constexpr int steps = 12;
    Run reference;
    for (int i = 0; i < steps; ++i) reference.simulation->step();
    const std::vector<double> expected = reference.numbers();
    const int calls = reference.interrupter->calls;
    REQUIRE(calls > 2 * steps);

    Run run;
    for (int at = 0; at < calls; ++at) {
        run.interrupter->calls = 0;
        run.interrupter->at = at;
        bool interrupted = false;
        for (int i = 0; i < steps && !interrupted; ++i) {
            try {
                run.simulation->step();
            } catch (const Interrupted&) {
                interrupted = true;
            }
        }
        INFO("interrupted after call " << at);
        REQUIRE(interrupted);
        Phases::ofThisThread().interrupt(false);
        CHECK(run.simulation->isInterrupted());
        CHECK_THROWS_WITH(run.simulation->step(), "the step before this one was interrupted: reset the scene first");
        CHECK_THROWS_WITH(saveCheckpoint(*run.simulation, "never"),
                          "there is no checkpoint of a step that was interrupted");
        run.interrupter->at = -1;
        run.simulation->reset();
        for (int i = 0; i < steps; ++i) run.simulation->step();
        const std::vector<double> now = run.numbers();
        REQUIRE(now.size() == expected.size());
        REQUIRE(std::memcmp(now.data(), expected.data(), now.size() * sizeof(double)) == 0);
    }
}

}  // namespace interruption_test
