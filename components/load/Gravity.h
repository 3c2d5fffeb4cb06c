// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"

namespace sofa::component {

/// Gravity of its node and of what is below it, in place of that of the root.
class Gravity : public core::Component
{
public:
    core::Data<core::Vec3> d_gravity{this, {.name = "gravity", .help = "Gravity in world axes", .unit = "m/s^2"}};

    Gravity();

    void init() override;
    void reinit() override;
    void cleanup() override;
    /// Follows changes at the beginning of each step.
    void handleEvent(const core::Event& e) override;
};

}  // namespace sofa::component
