// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/Lights.h"

#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

RegisterComponent light(const char* name, const char* help)
{
    return RegisterComponent(name, "Light", "Sofa.GL.Component.Shader")
        .help(std::string(help) + " It has an effect only in a viewer.")
        .example("component/visual/Lights.scn");
}

const RegisterComponent manager =
    light("LightManager", "Switches the lights of the scene on, and shadows.").add<LightManager>();
const RegisterComponent directional = light("DirectionalLight", "Light of parallel rays.").add<DirectionalLight>();
const RegisterComponent positional =
    light("PositionalLight", "Light from one place in all directions.").add<PositionalLight>();
const RegisterComponent spot = light("SpotLight", "Light from one place in a cone.").add<SpotLight>();

}  // namespace

}  // namespace sofa::component
