// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/visual/VisualComponent.h"
#include "core/objectmodel/Link.h"

namespace sofa::component {

/// Program for the graphics processor that draws the visual models of its node.
class OglShader : public VisualComponent
{
public:
    Data<bool> d_turnOn{this, {.name = "turnOn", .help = "Use the shader"}, true};
    Data<bool> d_passive{this, {.name = "passive", .help = "Use it only where a component asks for it"}, false};
    Data<Vector<std::string>> d_vertexShaders{this, {.name = "fileVertexShaders", .help = "Vertex shader files"}};
    Data<Vector<std::string>> d_fragmentShaders{this, {.name = "fileFragmentShaders", .help = "Fragment shader files"}};
    Data<Vector<std::string>> d_geometryShaders{this, {.name = "fileGeometryShaders", .help = "Geometry shader files"}};
    Data<Vector<std::string>> d_tessellationControl{
        this, {.name = "fileTessellationControlShaders", .help = "Tessellation control shader files"}};
    Data<Vector<std::string>> d_tessellationEvaluation{
        this, {.name = "fileTessellationEvaluationShaders", .help = "Tessellation evaluation shader files"}};
    Data<int> d_geometryInputType{
        this, {.name = "geometryInputType", .help = "Input primitives of the geometry shader; -1: default"}, -1};
    Data<int> d_geometryOutputType{
        this, {.name = "geometryOutputType", .help = "Output primitives of the geometry shader; -1: default"}, -1};
    Data<int> d_geometryVerticesOut{
        this, {.name = "geometryVerticesOut", .help = "Most vertices of the geometry shader; -1: default"}, -1};
    Data<float> d_outerLevel{
        this, {.name = "tessellationOuterLevel", .help = "Subdivision of edges", .unit = "1"}, 1.f};
    Data<float> d_innerLevel{
        this, {.name = "tessellationInnerLevel", .help = "Subdivision of faces", .unit = "1"}, 1.f};
    Data<Index> d_indexActiveShader{this, {.name = "indexActiveShader", .help = "The shader in use, of several"}, 0};
    Data<bool> d_backfaceWriting{this, {.name = "backfaceWriting", .help = "Write the colour of back faces"}, false};
    Data<bool> d_clampVertexColor{this, {.name = "clampVertexColor", .help = "Limit vertex colours to [0, 1]"}, true};

    OglShader();
};

/// The shader that draws shadows of the lights of a LightManager.
class OglShadowShader final : public OglShader
{
};

/// The shader of order-independent transparency.
class OglOITShader final : public OglShader
{
};

/// What belongs to one of the shaders of a node.
class ShaderElement : public VisualComponent
{
public:
    Data<std::string> d_id{this, {.name = "id", .help = "Name in the shader; default: the component's name"}};
    Data<Index> d_indexShader{this, {.name = "indexShader", .help = "The shader concerned, of several"}, 0};
    Link<Component> l_shader{this, {"shader", "Shader concerned; default: that of the node"}};
};

/// Macro that is defined in a shader.
class OglShaderDefineMacro final : public ShaderElement
{
public:
    Data<std::string> d_value{this, {.name = "value", .help = "Value of the macro"}};
};

/// Parameter of a shader with a value of type T.
template <class T>
class OglVariable final : public ShaderElement
{
public:
    Data<T> d_value{this, {.name = "value", .help = "Value of the parameter", .unit = "1"}};
};

/// Matrix parameter of a shader.
template <class T>
class OglMatrixVariable final : public ShaderElement
{
public:
    Data<T> d_value{this, {.name = "value", .help = "Value of the parameter, row by row", .unit = "1"}};
    Data<bool> d_transpose{this, {.name = "transpose", .help = "Transpose the matrix"}, false};
};

/// Values of type T for the vertices of a shader's visual model.
template <class T>
class OglAttribute final : public ShaderElement
{
public:
    Data<Vector<T>> d_value{this, {.name = "value", .help = "Value for each vertex", .unit = "1"}};
    Data<bool> d_handleDynamicTopology{
        this, {.name = "handleDynamicTopology", .help = "Follow changes of the topology"}, true};
};

/// Image or computed texture for a shader.
class OglTexture : public ShaderElement
{
public:
    Data<FileName> d_filename{this, {.name = "filename", .help = "Image file"}};
    Data<Index> d_textureUnit{this, {.name = "textureUnit", .help = "Texture unit"}, 1};
    Data<bool> d_enabled{this, {.name = "enabled", .help = "Use the texture"}, true};
    Data<bool> d_repeat{this, {.name = "repeat", .help = "Repeat the image"}, false};
    Data<bool> d_linearInterpolation{this, {.name = "linearInterpolation", .help = "Interpolate between pixels"}, true};
    Data<bool> d_generateMipmaps{this, {.name = "generateMipmaps", .help = "Prepare smaller copies"}, true};
    Data<bool> d_srgbColorspace{
        this, {.name = "srgbColorspace", .help = "The image is in the sRGB colour space"}, false};
    Data<float> d_minLod{this, {.name = "minLod", .help = "Least level of detail", .unit = "1"}, -1000.f};
    Data<float> d_maxLod{this, {.name = "maxLod", .help = "Greatest level of detail", .unit = "1"}, 1000.f};
    Data<Index> d_width{
        this, {.name = "proceduralTextureWidth", .help = "Width of a texture given by values [pixel]"}, 0};
    Data<Index> d_height{
        this, {.name = "proceduralTextureHeight", .help = "Height of a texture given by values [pixel]"}, 0};
    Data<Index> d_bits{this, {.name = "proceduralTextureNbBits", .help = "Bits for each colour"}, 1};
    Data<Vector<Index>> d_values{this, {.name = "proceduralTextureData", .help = "Values of the texture"}};
    Data<FileName> d_posX{this, {.name = "cubemapFilenamePosX", .help = "Image of the +x face of a cube map"}};
    Data<FileName> d_posY{this, {.name = "cubemapFilenamePosY", .help = "Image of the +y face of a cube map"}};
    Data<FileName> d_posZ{this, {.name = "cubemapFilenamePosZ", .help = "Image of the +z face of a cube map"}};
    Data<FileName> d_negX{this, {.name = "cubemapFilenameNegX", .help = "Image of the -x face of a cube map"}};
    Data<FileName> d_negY{this, {.name = "cubemapFilenameNegY", .help = "Image of the -y face of a cube map"}};
    Data<FileName> d_negZ{this, {.name = "cubemapFilenameNegZ", .help = "Image of the -z face of a cube map"}};

    OglTexture() { addAlias(d_filename, "textureFilename"); }
};

/// Two-dimensional texture for a shader.
class OglTexture2D final : public OglTexture
{
public:
    Data<FileName> d_file2D{this, {.name = "texture2DFilename", .help = "Image file"}};
};

/// Another component's texture for a shader.
class OglTexturePointer final : public ShaderElement
{
public:
    Link<OglTexture> l_texture{this, {"oglTexture", "The texture"}};
    Data<Index> d_textureUnit{this, {.name = "textureUnit", .help = "Texture unit"}, 1};
    Data<bool> d_enabled{this, {.name = "enabled", .help = "Use the texture"}, true};
};

/// Draws transparent models in any order.
class OrderIndependentTransparencyManager final : public VisualComponent
{
public:
    Data<float> d_depthScale{this, {.name = "depthScale", .help = "Scale of the depth", .unit = "1"}, 0.01f};
};

/// Draws with colours in the sRGB space.
class OglRenderingSRGB final : public VisualComponent
{
};

/// Adds a pass over the finished image.
class PostProcessManager final : public VisualComponent
{
public:
    Data<double> d_zNear{this, {.name = "zNear", .help = "Distance of the near plane", .unit = "m"}, 1.};
    Data<double> d_zFar{this, {.name = "zFar", .help = "Distance of the far plane", .unit = "m"}, 100.};
};

/// Draws the tagged objects into an image of its own.
class VisualManagerPass : public VisualComponent
{
public:
    Data<float> d_factor{
        this, {.name = "factor", .help = "Resolution of the image relative to the view", .unit = "1"}, 1.f};
    Data<bool> d_renderToScreen{this, {.name = "renderToScreen", .help = "Show this image"}, false};
    Data<std::string> d_outputName{this, {.name = "outputName", .help = "Name of the image"}};
};

/// Draws an image from the images of other passes.
class VisualManagerSecondaryPass final : public VisualManagerPass
{
public:
    Data<TagSet> d_inputTags{this, {.name = "input_tags", .help = "Passes whose images are used"}};
    Data<TagSet> d_outputTags{this, {.name = "output_tags", .help = "Name for other passes"}};
    Data<FileName> d_fragFilename{this, {.name = "fragFilename", .help = "Fragment shader file"}};
    Link<OglShader> l_shader{this, {"shader", "Shader of the pass"}};
};

/// Combines the images of several passes.
class CompositingVisualLoop final : public VisualComponent
{
public:
    Data<FileName> d_vertFilename{
        this, {.name = "vertFilename", .help = "Vertex shader file"}, FileName{"shaders/compositing.vert"}};
    Data<FileName> d_fragFilename{
        this, {.name = "fragFilename", .help = "Fragment shader file"}, FileName{"shaders/compositing.frag"}};
};

}  // namespace sofa::component
