// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/visual/VisualComponent.h"
#include "core/objectmodel/Link.h"

namespace sofa::component {

class ShaderElement;

/// Program for the GPU that draws everything of its node and of the nodes below, unless one there has a
/// program of its own; of two in one node the second holds. Files are looked for as all others; one that is missing or
/// does not compile is reported, and the default shading takes its place.
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
    void init() override;
    void draw(DrawTool& tool) override;
    /// What a viewer needs of it, and of all elements that belong to it.
    std::shared_ptr<const ShaderDescription> description();

protected:
    virtual void files(ShaderDescription& shader) const;
    /// Of a shader that is the viewer's own: files that the scene gives have no effect.
    void tellUnusedFiles() const;

private:
    const std::vector<const ShaderElement*>& elements();

    std::vector<ShaderDescription::Program> m_programs;
    std::vector<const ShaderElement*> m_elements;  ///< as they were found at these versions of the scene and its links
    std::size_t m_sceneVersion = 0, m_linksVersion = 0;
    std::shared_ptr<const ShaderDescription> m_description;
    std::uint64_t m_version = 0;
};

/// Draws its node and those below with the viewer's own shading, which knows shadows. A texture "colorTexture" colours
/// their surfaces, if the macro USE_TEXTURE is defined.
class OglShadowShader final : public OglShader
{
public:
    void init() override { tellUnusedFiles(); }

protected:
    void files(ShaderDescription&) const override {}
};

/// The shader of order-independent transparency: the viewer's own, so that models above it with another shader are
/// drawn correctly.
class OglOITShader final : public OglShader
{
public:
    void init() override { tellUnusedFiles(); }

protected:
    void files(ShaderDescription&) const override {}
};

/// What belongs to a shader: the linked one; or else the nearest, in its node or above, that has all of its tags.
class ShaderElement : public VisualComponent
{
public:
    Data<std::string> d_id{this, {.name = "id", .help = "Name in the shader; default: the component's name"}};
    Data<Index> d_indexShader{this, {.name = "indexShader", .help = "The shader concerned, of several"}, 0};
    Link<Component> l_shader{this, {"shader", "Shader concerned; default: that of the node"}};

    void init() override;
    /// The shader that it belongs to; nullptr if there is none.
    const OglShader* target() const;
    /// Adds itself to what a viewer is told about the shader.
    virtual void describe(ShaderDescription& shader) const = 0;
    /// Changes with what describe() adds.
    virtual std::uint64_t version() const { return 0; }
    /// Grows whenever any element resolves its link.
    static std::size_t linksVersion();

protected:
    std::string identifier() const { return d_id.value().empty() ? name() : d_id.value(); }
};

/// Macro that is defined in a shader.
class OglShaderDefineMacro final : public ShaderElement
{
public:
    Data<std::string> d_value{this, {.name = "value", .help = "Value of the macro"}};

    void describe(ShaderDescription& shader) const override;
    std::uint64_t version() const override { return versionOf({&d_id, &d_indexShader, &d_value}); }
};

/// Parameter of a shader with a value of type T.
template <class T>
class OglVariable final : public ShaderElement
{
public:
    Data<T> d_value{this, {.name = "value", .help = "Value of the parameter", .unit = "1"}};

    OglVariable() { addAlias(d_value, "values"); }
    void describe(ShaderDescription& shader) const override;
    std::uint64_t version() const override { return versionOf({&d_id, &d_indexShader, &d_value}); }
};

/// Matrix parameter of a shader.
template <class T>
class OglMatrixVariable final : public ShaderElement
{
public:
    Data<T> d_value{this, {.name = "value", .help = "Numbers of the matrix, column after column", .unit = "1"}};
    Data<bool> d_transpose{this, {.name = "transpose", .help = "The numbers are given row after row"}, false};

    OglMatrixVariable() { addAlias(d_value, "values"); }
    void describe(ShaderDescription& shader) const override;
    std::uint64_t version() const override { return versionOf({&d_id, &d_indexShader, &d_value, &d_transpose}); }
};

/// Values of type T for the vertices of a shader's visual model.
template <class T>
class OglAttribute final : public ShaderElement, public VertexAttributeSource
{
public:
    Data<Vector<T>> d_value{this, {.name = "value", .help = "Value for each vertex", .unit = "1"}};

    OglAttribute()
    {
        this->ignoreAttribute("handleDynamicTopology",
                              "values are taken as they are: link them to a list that follows the topology");
    }

    void describe(ShaderDescription&) const override {}
    VertexAttribute attribute() const override;
    std::uint64_t attributeVersion() const override { return versionOf({&d_id, &d_value}); }
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
    void init() override;
    void describe(ShaderDescription& shader) const override;
    /// The image, without the name that a shader gives it.
    TextureDescription texture() const;
    std::uint64_t version() const override;
};

/// Two-dimensional texture for a shader.
class OglTexture2D final : public OglTexture
{
public:
    Data<FileName> d_file2D{this, {.name = "texture2DFilename", .help = "Image file"}};

    void init() override;
};

/// Another component's texture for a shader.
class OglTexturePointer final : public ShaderElement
{
public:
    Link<OglTexture> l_texture{this, {"oglTexture", "The texture"}};
    Data<Index> d_textureUnit{this, {.name = "textureUnit", .help = "Texture unit"}, 1};
    Data<bool> d_enabled{this, {.name = "enabled", .help = "Use the texture"}, true};

    void init() override;
    void describe(ShaderDescription& shader) const override;
    std::uint64_t version() const override;
};

/// Draws transparent models in any order.
class OrderIndependentTransparencyManager final : public VisualComponent
{
public:
    Data<float> d_depthScale{this, {.name = "depthScale", .help = "Scale of the depth", .unit = "1"}, 0.01f};

    void draw(DrawTool& tool) override;
};

/// Draws with colours in the sRGB space.
class OglRenderingSRGB final : public VisualComponent
{
public:
    void draw(DrawTool& tool) override;
};

/// Adds a pass over the finished image, by the shader of its node or above: it finds the image in `colorTexture`, its
/// depth in `depthTexture` and the size of a pixel in `pixelSize`.
class PostProcessManager final : public VisualComponent
{
public:
    Data<double> d_zNear{
        this, {.name = "zNear", .help = "Distance of the near plane; that of the camera is used", .unit = "m"}, 1.};
    Data<double> d_zFar{
        this, {.name = "zFar", .help = "Distance of the far plane; that of the camera is used", .unit = "m"}, 100.};

    void init() override;
    void draw(DrawTool& tool) override;

private:
    std::shared_ptr<const PassDescription> m_pass;
    std::uint64_t m_version = 0;  ///< of the Data that it was made from
};

/// Draws the visual models that have all of its tags into an image of its own, or to the screen. Passes are made where
/// a CompositingVisualLoop is in the node or above and advanced rendering is shown.
class VisualManagerPass : public VisualComponent
{
public:
    Data<float> d_factor{
        this, {.name = "factor", .help = "Resolution of the image relative to the view", .unit = "1"}, 1.f};
    Data<bool> d_renderToScreen{this, {.name = "renderToScreen", .help = "Show this image"}, false};
    Data<std::string> d_outputName{this, {.name = "outputName", .help = "Name of the image"}};

    void draw(DrawTool& tool) override;
    /// Name of the image: that given, or that of the component.
    std::string output() const { return d_outputName.value().empty() ? name() : d_outputName.value(); }

protected:
    bool isMade(const DrawTool& tool) const;
    PassDescription basics() const;

    std::shared_ptr<const PassDescription> m_pass;
    std::uint64_t m_version = 0;  ///< of the Data that it was made from
};

/// Draws an image from the images of other passes before it in its node: those whose tags are all among `input_tags`.
/// The shader finds them under their names, and the depth of primary passes under name_Z, beside width, height [pixel],
/// zNear and zFar [m].
class VisualManagerSecondaryPass final : public VisualManagerPass
{
public:
    Data<TagSet> d_inputTags{this, {.name = "input_tags", .help = "Passes whose images are used"}};
    Data<TagSet> d_outputTags{this, {.name = "output_tags", .help = "Name for other passes"}};
    Data<FileName> d_fragFilename{this, {.name = "fragFilename", .help = "Fragment shader file"}};
    Link<OglShader> l_shader{this, {"shader", "Shader of the pass"}};

    void init() override;
    void draw(DrawTool& tool) override;

private:
    /// The one linked to, or that of the file; none if neither is given.
    std::shared_ptr<const ShaderDescription> shader();

    std::shared_ptr<const ShaderDescription> m_shader;  ///< of fragFilename
    std::uint64_t m_shaderVersion = 0;
};

/// Combines the images of several passes.
class CompositingVisualLoop final : public VisualComponent
{
public:
    CompositingVisualLoop()
    {
        ignoreAttribute("vertFilename", "images are combined by the shaders of the passes");
        ignoreAttribute("fragFilename", "images are combined by the shaders of the passes");
    }
};

}  // namespace sofa::component
