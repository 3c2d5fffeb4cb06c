// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/OldAnimationLoops.h"

#include "components/animation/StepPhases.h"
#include "core/collision/CollisionDetection.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using namespace core;

void MultiStepAnimationLoop::init()
{
    std::string error;
    if (!l_targetNode.resolve(error)) fail("targetNode: " + error);
}

void MultiStepAnimationLoop::step(double dt)
{
    Node& target = l_targetNode ? *l_targetNode : *node();
    if (dt == 0.) dt = target.dt();
    const int collisions = d_collisionSteps.value(), integrations = d_integrationSteps.value();
    const double part = dt / (collisions * integrations);
    phases::begin(target, dt);
    for (int c = 0; c < collisions; ++c) {
        const double start = target.time();
        computeCollisions(target, part);
        for (int i = 0; i < integrations; ++i) {
            phases::integrate(target, part, vec_id::position, vec_id::velocity);
            phases::projectAndPropagate(target, part);
            phases::endIntegration(target, part);
            target.root().d_time.setValue(start + (i + 1) * part);
        }
    }
    phases::finish(target, dt);
}

ConstraintAnimationLoop::ConstraintAnimationLoop()
{
    ignoreAttribute("displayTime", "use the timers of runSofa");
    ignoreAttribute("doubleBuffer", "no other thread reads the constraint problem");
    ignoreAttribute("schemeCorrection", "the compliance is that of the matrix");
    ignoreAttribute("realTimeCompensation", "runs do not wait");
    for (const char* graph : {"graphErrors", "graphConstraints", "graphForces"})
        ignoreAttribute(graph, "graphs are those of the constraint solver");
}

void ConstraintAnimationLoop::init()
{
    if (!l_constraintSolver.isSet() && !node()->get<ConstraintSolver>(Search::Down))
        createConstraintSolver({{"tolerance", d_tolerance.text()},
                                {"maxIterations", d_maxIterations.text()},
                                {"scaleTolerance", d_scaleTolerance.text()},
                                {"allVerified", d_allVerified.text()},
                                {"sor", d_sor.text()}});
    FreeMotionAnimationLoop::init();
}

static const RegisterComponent registeredMultiStepAnimationLoop =
    RegisterComponent("MultiStepAnimationLoop", "AnimationLoop", "Sofa.Component.AnimationLoop")
        .help("Animation step of several detections of collisions and time steps")
        .example("component/animation/MultiStepAnimationLoop.scn")
        .add<MultiStepAnimationLoop>();
static const RegisterComponent registeredConstraintAnimationLoop =
    RegisterComponent("ConstraintAnimationLoop", "AnimationLoop", "Sofa.Component.AnimationLoop")
        .help("Time step with Lagrangian constraints and a Gauss-Seidel solver of its own, for old scenes")
        .example("component/animation/ConstraintAnimationLoop.scn")
        .add<ConstraintAnimationLoop>();

}  // namespace sofa::component
