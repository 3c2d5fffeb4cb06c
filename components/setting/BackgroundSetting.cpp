// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Registry.h"
#include "core/visual/Color.h"

namespace sofa::component {

using namespace core;

namespace {

class BackgroundSetting final : public Component
{
public:
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the background"}};
    Data<FileName> d_image{this, {.name = "image", .help = "Picture behind the scene"}};
};

const RegisterComponent registered = RegisterComponent("BackgroundSetting", "Setting", "Sofa.Component.Setting")
                                         .help("Background of the view. It acts only in a GUI")
                                         .example("component/visual/Decorations.scn")
                                         .add<BackgroundSetting>();

}  // namespace

}  // namespace sofa::component
