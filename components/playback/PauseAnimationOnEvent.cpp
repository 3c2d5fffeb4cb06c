// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/PauseAnimationOnEvent.h"

#include "core/factory/Registry.h"
#include "core/simulation/Pause.h"

namespace sofa::component {

void PauseAnimationOnEvent::handleEvent(const Event& e)
{
    if (!dynamic_cast<const PauseEvent*>(&e)) return;
    message(Severity::Info, "the animation is paused");
    requestPause();
}

static const RegisterComponent registeredPauseAnimationOnEvent =
    RegisterComponent("PauseAnimationOnEvent", "Controller", "Sofa.Component.SceneUtility")
        .help("Pauses the animation when a component asks for it")
        .example("component/playback/PauseAnimationOnEvent.scn")
        .add<PauseAnimationOnEvent>();

}  // namespace sofa::component
