// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/visual/SceneDrawing.h"

namespace sofa::component {

using namespace sofa::core;

/// What viewers show of its node and of everything below, as far as no VisualStyle there says otherwise.
class VisualStyle : public Component, public DisplaySetting
{
public:
    Data<DisplayFlags> d_displayFlags{
        this, {.name = "displayFlags", .help = "What is shown and hidden: showVisualModels, hideForceFields, ..."}};

    static std::string_view typeLabel() { return "visual style"; }
    DisplayFlags displayFlags() const override { return d_displayFlags.value(); }
};

}  // namespace sofa::component
