// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/OglModel.h"

#include "core/factory/Registry.h"

namespace sofa::component {

OglModel::OglModel()
{
    ignoreAttribute("lineSmooth", "the viewer smooths all edges, or none");
    ignoreAttribute("pointSmooth", "the viewer smooths all edges, or none");
    ignoreAttribute("useVBO", "buffers are always used");
    for (const char* name : {"exportAtBegin", "exportEveryNumberOfSteps"})
        ignoreAttribute(name, "use an exporter component");
}

std::uint64_t OglModel::styleVersion() const
{
    return versionOf({&d_blendTransparency, &d_premultipliedAlpha, &d_writeZTransparent, &d_alphaBlend, &d_depthTest,
                      &d_cullFace, &d_lineWidth, &d_pointSize, &d_primitiveType, &d_blendEquation, &d_sourceFactor,
                      &d_destFactor});
}

SurfaceDescription::Primitive OglModel::primitive() const
{
    return static_cast<SurfaceDescription::Primitive>(d_primitiveType.value().index());
}

void OglModel::finishStyle(DrawStyle& style, SurfaceDescription& surface, bool transparent) const
{
    const bool blended = transparent && d_blendTransparency.value(), own = d_alphaBlend.value();
    style.blend = blended || own;
    style.depthWrite = !own && (!blended || d_writeZTransparent.value());
    style.depthTest = d_depthTest.value();
    if (d_cullFace.value() == 1) style.cull = DrawStyle::Cull::Back;
    if (d_cullFace.value() == 2) style.cull = DrawStyle::Cull::Front;
    style.size = primitive() == SurfaceDescription::Primitive::Points ? d_pointSize.value() : d_lineWidth.value();
    surface.premultipliedAlpha = d_premultipliedAlpha.value();
    if (own) {
        surface.sourceFactor = static_cast<SurfaceDescription::Factor>(d_sourceFactor.value().index());
        surface.destinationFactor = static_cast<SurfaceDescription::Factor>(d_destFactor.value().index());
        surface.equation = static_cast<SurfaceDescription::Equation>(d_blendEquation.value().index());
    } else if (surface.premultipliedAlpha) {
        surface.sourceFactor = SurfaceDescription::Factor::One;
    }
}

static const RegisterComponent registeredOglModel =
    RegisterComponent("OglModel", "VisualModel", "Sofa.GL.Component.Rendering3D")
        .help("Surface that is shown in a viewer, with the choices that concern OpenGL; its vertices follow mappings")
        .example("component/visual/OglModel.scn")
        .add<OglModel>();

static const RegisterComponent registeredOglShaderVisualModel =
    RegisterComponent("OglShaderVisualModel", "VisualModel", "Sofa.GL.Component.Shader")
        .help("Surface that is shown in a viewer by a shader of its own; its vertices follow mappings")
        .example("component/visual/Shaders.scn")
        .add<OglShaderVisualModel>();

}  // namespace sofa::component
