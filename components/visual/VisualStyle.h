// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"
#include "core/visual/DisplayFlags.h"

namespace sofa::component {

using namespace sofa::core;

/// What viewers show of its node and of everything below, as far as no VisualStyle there says otherwise.
class VisualStyle : public Component
{
public:
    Data<DisplayFlags> d_displayFlags{
        this, {.name = "displayFlags", .help = "What is shown and hidden: showVisualModels, hideForceFields, ..."}};

    static std::string_view typeLabel() { return "visual style"; }
    /// Flags that hold in a node: its own VisualStyle and old display attributes, over those of its first parent.
    static DisplayFlags flagsOf(const Node& node);
    /// Whether a flag is shown in a node; without a statement, visual models are shown and all else is hidden.
    static bool shows(const Node& node, DisplayFlags::Flag flag);
};

}  // namespace sofa::component
