// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/simulation/Checkpoint.h"
#include "tests/components/topology/ChangingScene.h"
#include "tests/harness/Paths.h"

namespace contact_follow_test {

/// Contacts of a mesh whose points go while it touches.
using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// A sheet of four triangles on a floor.
std::string sheet(const std::string& model, const std::string& response)
{
    return "<Node name='root' dt='0.01' gravity='0 -9.81 "
           "0'><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver "
           "maxIterations='100' tolerance='1e-9'/><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
           "<LocalMinDistance alarmDistance='0.1' contactDistance='0.02'/><CollisionResponse name='contacts' "
           "response='" +
           response +
           "'/><Node name='body'><EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-12' "
           "threshold='1e-12'/><TriangleSetTopologyContainer name='mesh' position='0 0 0  0 0 1  1 0 0  1 0 1  2 0 0  "
           "2 0 "
           "1' triangles='0 1 2  1 3 2  2 3 4  3 5 4'/><TriangleSetTopologyModifier/><MechanicalObject name='x'/>"
           "<UniformMass vertexMass='0.1'/><UncoupledConstraintCorrection defaultCompliance='0.001'/>" +
           model +
           "</Node><Node name='floor'><MeshTopology position='-3 -0.05 -3  3 -0.05 -3  3 -0.05 3  -3 -0.05 3' "
           "triangles='0 2 1  0 3 2'/><MechanicalObject/><TriangleCollisionModel simulated='0' "
           "moving='0'/></Node></Node>";
}

double lowest(const Run& r)
{
    double y = 1.;
    for (const Vec3& x : moved(r)) y = std::min(y, x[1]);
    return y;
}

}  // namespace

TEST_CASE("Contacts are found anew when points go, whatever touches and whatever answers")
{
    for (const char* model : {"<PointCollisionModel/>", "<LineCollisionModel/><PointCollisionModel/>",
                              "<SphereCollisionModel radius='0.03'/>",
                              "<TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/>"})
        for (const char* response : {"FrictionContactConstraint", "FrictionlessContactConstraint",
                                     "StickContactConstraint", "PenalityContactForceField", "StickContactForceField"}) {
            INFO(model << ' ' << response);
            const std::string text = sheet(model, response);
            Run run(text), again(text);
            const auto contacts = [&] { return run.simulation->root().component("contacts")->findData("contacts"); };
            for (int k = 0; k < 30 && contacts()->text() == "0"; ++k) run.steps(1);
            REQUIRE(contacts()->text() != "0");
            removeElements(run.mesh(), ElementType::Triangles, {3});
            CHECK(moved(run).size() == 5);
            run.steps(10);
            CHECK(contacts()->text() != "0");
            CHECK(lowest(run) > -0.06);
            const TemporaryDirectory folder;
            const auto file = (folder / "c.bin").string();
            saveCheckpoint(*run.simulation, file);
            loadCheckpoint(*again.simulation, file);
            run.steps(5);
            again.steps(5);
            CHECK(sameState(run, again));
        }
}

}  // namespace contact_follow_test
