// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/haptics/LCPForceFeedback.h"

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"

namespace sofa::component {

void LCPForceFeedback::init()
{
    m_state = findMechanicalState<State<Rigid3Types>>(*node(), Search::Up);
    if (!m_state) return fail("it needs a state of type Rigid3 in its node or above: the tool");
    m_solver = node()->get<ConstraintSolver>(Search::Root);
    if (!m_solver) return fail("it needs a constraint solver in the scene");
}

void LCPForceFeedback::beginStep(const HapticMotion&, double)
{
    m_timed = false;
    for (const HapticDevice* d : node()->getAll<HapticDevice>(Search::Root))
        if (d->d_deviceIndex.value() == d_indice.value()) m_timed = d->d_threaded.value();
}

void LCPForceFeedback::prepare()
{
    m_prepared.constraints.reset();
    d_constraints.setValue(0);
    if (!m_state || !m_solver || m_state->size() == 0 || !m_state->isAllocated(vec_id::freePosition)) return;
    m_prepared.constraints = m_solver->snapshot(*m_state);
    if (!m_prepared.constraints) return;
    d_constraints.setValue(m_prepared.constraints->rows());
    if (d_localHapticConstraintAllFrames.value()) m_prepared.constraints->moveToFirstPoint();
    m_prepared.free = m_state->read(vec_id::freePosition)[0];
    m_prepared.settings = {.tolerance = 1e-3 * m_prepared.constraints->tolerance(),
                           .maxIterations = d_solverMaxIt.value(),
                           .deadline = {}};
    m_prepared.timeout = m_timed ? d_solverTimeout.value() : 0.;
    m_prepared.factor = d_forceCoef.value();
    m_prepared.rotates = d_derivRotations.value();
}

Vec6 LCPForceFeedback::wrench(const HapticMotion& m)
{
    if (!m_used.constraints) return {};
    using Clock = std::chrono::steady_clock;
    ConstraintSnapshot::Settings settings = m_used.settings;
    if (m_used.timeout > 0.)
        settings.deadline =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(m_used.timeout));
    Vec6 dx = Rigid3Types::difference(m.pose, m_used.free);
    if (!m_used.rotates) dx = Rigid3Types::makeDeriv(Rigid3Types::linear(dx), {});
    m_used.constraints->solve(dx, settings);
    Vec6 force{};
    m_used.constraints->addForce(force);
    return force * m_used.factor;
}

static const RegisterComponent registeredLCPForceFeedback =
    RegisterComponent("LCPForceFeedback", "HapticRendering", "Sofa.Component.Haptics")
        .help("Constraint-based haptic rendering: contacts of the tool are solved at the rate of the device")
        .example("component/haptics/LCPForceFeedback.scn")
        .add<LCPForceFeedback>();

}  // namespace sofa::component
