// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Registry.h"
#include "core/visual/DisplayFlags.h"

namespace sofa::component {

using namespace core;

namespace {

/// Chooses what is shown of its node and of everything below it. It acts only in a GUI.
class VisualStyle final : public Component
{
public:
    Data<DisplayFlags> d_displayFlags{this,
                                      {.name = "displayFlags",
                                       .help = "What is shown: showAll, showVisual, showBehavior, showForceFields, "
                                               "showCollision, showMapping, showWireframe, ... and hide... for each"}};
};

const RegisterComponent registered =
    RegisterComponent("VisualStyle", "VisualStyle", "Sofa.Component.Visual")
        .help("Chooses what is shown of its node and of everything below it. It acts only in a GUI")
        .example("component/visual/Decorations.scn")
        .add<VisualStyle>();

}  // namespace

}  // namespace sofa::component
