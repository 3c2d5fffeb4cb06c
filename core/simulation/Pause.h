// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Event.h"

namespace sofa::core {

/// A component wishes that the animation pauses: those that can see to it (PauseAnimationOnEvent) hear it.
class PauseEvent : public Event
{
public:
    const char* name() const override { return "PauseEvent"; }
};

/// Asks whoever animates a simulation of this session (SimulationThread) to pause after the step.
void requestPause();
/// Whether that was asked since the last call.
bool takePauseRequest();

}  // namespace sofa::core
