// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"
#include "core/visual/Color.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of components that only draw: they hold what a viewer needs to know and do nothing without one.
class VisualComponent : public Component, public VisualModel
{
public:
    Data<bool> d_enable{this, {.name = "enable", .help = "Draw this component"}, true};

    VisualComponent() { addAlias(d_enable, "isEnabled"); }
};

}  // namespace sofa::component
