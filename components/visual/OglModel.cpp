// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/OglModel.h"

#include "core/factory/Registry.h"

namespace sofa::component {

OglModel::OglModel()
{
    ignoreAttribute("useVBO", "buffers are always used");
    for (const char* name : {"exportAtBegin", "exportEveryNumberOfSteps"})
        ignoreAttribute(name, "use an exporter component");
}

static const RegisterComponent registered =
    RegisterComponent("OglModel", "VisualModel", "Sofa.GL.Component.Rendering3D")
        .help("Surface that is shown in a viewer, with the choices that concern OpenGL; its vertices follow mappings")
        .example("component/visual/OglModel.scn")
        .add<OglModel>();

static const RegisterComponent shaderRegistered =
    RegisterComponent("OglShaderVisualModel", "VisualModel", "Sofa.GL.Component.Shader")
        .help("Surface that is shown in a viewer by a shader of its own; its vertices follow mappings")
        .example("component/visual/Shaders.scn")
        .add<OglShaderVisualModel>();

}  // namespace sofa::component
