// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/Shaders.h"

#include "core/factory/Registry.h"

namespace sofa::component {

OglShader::OglShader()
{
    d_vertexShaders.setDefault({"shaders/toonShading.vert"});
    d_fragmentShaders.setDefault({"shaders/toonShading.frag"});
    addAlias(d_vertexShaders, "vertFilename");
    addAlias(d_fragmentShaders, "fragFilename");
    addAlias(d_geometryShaders, "geoFilename");
}

namespace {

RegisterComponent shading(const std::string& name, const std::string& help)
{
    return RegisterComponent(name, "Shader", "Sofa.GL.Component.Shader")
        .help(help + " It has an effect only in a viewer with OpenGL.")
        .example("component/visual/Shaders.scn");
}

const RegisterComponent components[] = {
    shading("OglShader", "Program that draws the visual models of its node.").add<OglShader>(),
    shading("OglShadowShader", "The shader that draws shadows.").add<OglShadowShader>(),
    shading("OglOITShader", "The shader of order-independent transparency.").add<OglOITShader>(),
    shading("OglShaderDefineMacro", "Macro that is defined in a shader.").add<OglShaderDefineMacro>(),
    shading("OglTexture", "Image for a shader.").add<OglTexture>(),
    shading("OglTexture2D", "Two-dimensional image for a shader.").add<OglTexture2D>(),
    shading("OglTexturePointer", "Another component's texture for a shader.").add<OglTexturePointer>(),
    shading("OrderIndependentTransparencyManager", "Draws transparent models in any order.")
        .add<OrderIndependentTransparencyManager>(),
    shading("OglRenderingSRGB", "Draws with colours in the sRGB space.").add<OglRenderingSRGB>(),
    shading("PostProcessManager", "Adds a pass over the finished image.").add<PostProcessManager>(),
    shading("VisualManagerPass", "Draws the tagged objects into an image of its own.").add<VisualManagerPass>(),
    shading("VisualManagerSecondaryPass", "Draws an image from the images of other passes.")
        .add<VisualManagerSecondaryPass>(),
    shading("CompositingVisualLoop", "Combines the images of several passes.").add<CompositingVisualLoop>(),
};

template <class T>
RegisterComponent variable(const char* type)
{
    return shading(std::string("Ogl") + type + "Variable", "Parameter of a shader.").template add<T>();
}

const RegisterComponent variables[] = {
    variable<OglVariable<int>>("Int"),
    variable<OglVariable<Vec<2, int>>>("Int2"),
    variable<OglVariable<Vec<3, int>>>("Int3"),
    variable<OglVariable<Vec<4, int>>>("Int4"),
    variable<OglVariable<float>>("Float"),
    variable<OglVariable<Vec<2, float>>>("Float2"),
    variable<OglVariable<Vec<3, float>>>("Float3"),
    variable<OglVariable<Vec<4, float>>>("Float4"),
    variable<OglVariable<Vector<int>>>("IntVector"),
    variable<OglVariable<Vector<Vec<2, int>>>>("IntVector2"),
    variable<OglVariable<Vector<Vec<3, int>>>>("IntVector3"),
    variable<OglVariable<Vector<Vec<4, int>>>>("IntVector4"),
    variable<OglVariable<Vector<float>>>("FloatVector"),
    variable<OglVariable<Vector<Vec<2, float>>>>("FloatVector2"),
    variable<OglVariable<Vector<Vec<3, float>>>>("FloatVector3"),
    variable<OglVariable<Vector<Vec<4, float>>>>("FloatVector4"),
    variable<OglMatrixVariable<Mat<2, 2, float>>>("Matrix2"),
    variable<OglMatrixVariable<Mat<3, 3, float>>>("Matrix3"),
    variable<OglMatrixVariable<Mat<4, 4, float>>>("Matrix4"),
    variable<OglMatrixVariable<Mat<2, 3, float>>>("Matrix2x3"),
    variable<OglMatrixVariable<Mat<3, 2, float>>>("Matrix3x2"),
    variable<OglMatrixVariable<Mat<2, 4, float>>>("Matrix2x4"),
    variable<OglMatrixVariable<Mat<4, 2, float>>>("Matrix4x2"),
    variable<OglMatrixVariable<Mat<3, 4, float>>>("Matrix3x4"),
    variable<OglMatrixVariable<Mat<4, 3, float>>>("Matrix4x3"),
    variable<OglMatrixVariable<Vector<Mat<4, 4, float>>>>("Matrix4Vector"),
};

template <class T>
RegisterComponent attribute(const char* type)
{
    return shading(std::string("Ogl") + type + "Attribute", "Values for the vertices of a shader's visual model.")
        .template add<OglAttribute<T>>();
}

const RegisterComponent attributes[] = {
    attribute<float>("Float"),
    attribute<Vec<2, float>>("Float2"),
    attribute<Vec<3, float>>("Float3"),
    attribute<Vec<4, float>>("Float4"),
    attribute<int>("Int"),
    attribute<Vec<2, int>>("Int2"),
    attribute<Vec<3, int>>("Int3"),
    attribute<Vec<4, int>>("Int4"),
    attribute<unsigned int>("UInt"),
    attribute<Vec<2, unsigned int>>("UInt2"),
    attribute<Vec<3, unsigned int>>("UInt3"),
    attribute<Vec<4, unsigned int>>("UInt4"),
};

}  // namespace

}  // namespace sofa::component
