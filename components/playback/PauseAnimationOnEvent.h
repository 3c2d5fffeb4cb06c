// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"

namespace sofa::component {

using namespace sofa::core;

/// Pauses the animation in a window after the step in which a PauseEvent comes (core/simulation/Pause.h). A run in
/// batch, where nobody could let it go on, goes on.
class PauseAnimationOnEvent final : public Component
{
public:
    PauseAnimationOnEvent() { d_listening.setDefault(true); }
    void handleEvent(const Event& e) override;
};

}  // namespace sofa::component
