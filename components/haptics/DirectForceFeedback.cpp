// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/haptics/DirectForceFeedback.h"

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/simulation/SceneForces.h"

namespace sofa::component {

void DirectForceFeedback::init()
{
    m_state = findMechanicalState<State<Rigid3Types>>(*node(), Search::Up);
    if (!m_state) fail("it needs a state of type Rigid3 in its node or above: the tool");
}

void DirectForceFeedback::prepare()
{
    m_prepared = {};
    if (!m_state || m_state->size() == 0) return;
    SceneForces::with(node()->root(), [&](VecDerivId f) {
        if (m_state->isAllocated(f)) m_prepared = m_state->read(f)[0] * d_forceCoef.value();
    });
}

static const RegisterComponent registeredDirectForceFeedback =
    RegisterComponent("DirectForceFeedback", "HapticRendering", "Sofa.Component.Haptics")
        .help("Direct coupling: the hand gets the force that the scene has on the tool at the end of a step")
        .example("component/haptics/DirectForceFeedback.scn")
        .add<DirectForceFeedback>();

}  // namespace sofa::component
