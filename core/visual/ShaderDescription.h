// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/math/DataTypes.h"
#include "core/objectmodel/Base.h"
#include "core/visual/Color.h"

/// What components say about light, surfaces, shaders and cameras, for a renderer to carry out. Nothing here knows of a
/// graphics library.
namespace sofa::core {

using Vec3f = Vec<3, float>;

/// An image on surfaces, or for a shader.
struct TextureDescription
{
    std::string file;                         ///< path of the image; empty: `pixels`
    std::array<std::string, 6> cube;          ///< +x −x +y −y +z −z of a cube map, instead of a file
    int width = 0, height = 0, channels = 0;  ///< of `pixels`
    std::vector<unsigned char> pixels;        ///< rows from below, without padding
    std::string uniform;                      ///< name in the shader
    int shader = 0;                           ///< index of the program, of those of one OglShader
    int unit = 0;
    bool repeat = true, linear = true, mipmaps = true, srgb = false;
    float minLod = -1000.f, maxLod = 1000.f;
    /// Above 0: a grey image is the height of the surface, in this many widths of the image for white. It becomes a
    /// normal map.
    float bumpHeight = 0.f;
    friend bool operator==(const TextureDescription&, const TextureDescription&) = default;
};

/// Reflection of a surface (Phong's model) and what OpenGL is told about it.
struct SurfaceDescription
{
    Color ambient{0.2f, 0.2f, 0.2f}, diffuse{0.75f, 0.75f, 0.75f}, specular{1.f, 1.f, 1.f}, emissive{0.f, 0.f, 0.f};
    float shininess = 45.f;
    bool useSpecular = false, useEmissive = false;
    bool vertexColors = false;  ///< the diffuse colour is that of the vertices
    std::shared_ptr<const TextureDescription> texture, normalMap;
    enum class Factor
    {
        Zero,
        One,
        SourceAlpha,
        OneMinusSourceAlpha
    };
    Factor sourceFactor = Factor::SourceAlpha, destinationFactor = Factor::OneMinusSourceAlpha;
    enum class Equation
    {
        Add,
        Subtract,
        Min,
        Max
    };
    Equation equation = Equation::Add;
    enum class Primitive
    {
        Triangles,
        LinesAdjacency,
        Patches,
        Points
    };
    Primitive primitive = Primitive::Triangles;
    bool castsShadow = true;
    bool premultipliedAlpha = false;
    std::vector<std::string> tags;  ///< of the model, for passes that draw some models only
    friend bool operator==(const SurfaceDescription&, const SurfaceDescription&) = default;
};

/// A value given to a shader: numbers for scalars, vectors and matrices (column after column), or arrays of them.
struct UniformDescription
{
    std::string name;
    int rows = 1, columns = 1;  ///< 1 × 1: a scalar; n × 1: a vector
    int count = 1;              ///< of the elements of an array
    bool integer = false;
    bool transpose = false;
    int shader = 0;  ///< index of the program, of those of one OglShader
    std::vector<float> values;
    std::vector<int> integers;
    friend bool operator==(const UniformDescription&, const UniformDescription&) = default;
};

/// A program of the GPU as files, with all that the scene gives it. Without programs it is the viewer's
/// own shading; of the textures, "colorTexture" then colours the surfaces where the macro USE_TEXTURE is defined.
struct ShaderDescription
{
    /// Files of each program, by stage; one OglShader may hold several programs, of which `active` is used.
    struct Program
    {
        std::string vertex, fragment, geometry, tessellationControl, tessellationEvaluation;
        friend bool operator==(const Program&, const Program&) = default;
    };
    std::string path;  ///< of the component, for messages
    std::vector<Program> programs;
    int active = 0;
    bool passive = false, backfaceWriting = false, clampVertexColor = true;
    int geometryInput = -1, geometryOutput = -1, geometryVertices = -1;  ///< OpenGL's numbers; −1: default
    float tessellationOuter = 1.f, tessellationInner = 1.f;
    struct Macro
    {
        std::string name, value;
        int shader = 0;  ///< index of the program
        friend bool operator==(const Macro&, const Macro&) = default;
    };
    std::vector<Macro> macros;
    std::vector<UniformDescription> uniforms;
    std::vector<TextureDescription> textures;
    friend bool operator==(const ShaderDescription&, const ShaderDescription&) = default;
};

/// A source of light.
struct LightDescription
{
    enum class Kind
    {
        Directional,
        Positional,
        Spot
    };
    Kind kind = Kind::Directional;
    Color color;
    Vec3 position;                ///< [m]; of the camera's frame where `fixedToCamera`
    Vec3 direction{0., 0., -1.};  ///< unit vector: towards a directional light; along the axis of a spot
    bool fixedToCamera = false;
    float attenuation = 0.f;  ///< linear coefficient [1/m]
    float cutoff = 30.f;      ///< half angle of the cone [deg]
    float exponent = 1.f;
    bool shadows = true, softShadows = false, drawSource = false;
    float shadowFactor = 1.f, lightBleeding = 0.05f, minVariance = 0.001f;
    int shadowTextureSize = 0;
    double zNear = 0., zFar = 0.;  ///< 0: from the scene [m]
    friend bool operator==(const LightDescription&, const LightDescription&) = default;
};

/// What holds for all lights of a scene.
struct LightingDescription
{
    bool shadows = false, softShadows = false;
    Color ambient{0.f, 0.f, 0.f, 0.f};
    bool debugDraw = false;
    friend bool operator==(const LightingDescription&, const LightingDescription&) = default;
};

struct BackgroundDescription
{
    Color color{1.f, 1.f, 1.f};
    std::string image;  ///< path; empty: the colour alone
    friend bool operator==(const BackgroundDescription&, const BackgroundDescription&) = default;
};

/// Where the scene puts its camera.
struct CameraDescription
{
    Vec3 position;
    Quat orientation;  ///< the camera looks along its −z axis, y up
    Vec3 lookAt;
    double fieldOfView = 45.;  ///< vertical [deg]
    bool orthographic = false;
    bool computeClip = true;           ///< near and far planes from the scene
    double zNear = 0.01, zFar = 100.;  ///< [m], unless computed
    bool placed = true;                ///< false: the scene leaves place and orientation to the viewer
    bool scripted = false;             ///< the scene moves it; otherwise it is the first view only
    friend bool operator==(const CameraDescription&, const CameraDescription&) = default;
};

/// The axes of the scene's frame in a corner of the view, turning with the camera.
struct CornerFrameDescription
{
    enum class Style
    {
        Arrows,
        Cylinders,
        CubeCones
    };
    enum class Corner
    {
        BottomLeft,
        BottomRight,
        TopRight,
        TopLeft
    };
    Style style = Style::Cylinders;
    Corner corner = Corner::BottomRight;
    int size = 150;  ///< side of the square [pixel]
    friend bool operator==(const CornerFrameDescription&, const CornerFrameDescription&) = default;
};

/// Colours for numbers, beside the view: the title, the colours from below, and the values of both ends. Viewers move
/// it and make it smaller where it does not fit into the view.
struct LegendDescription
{
    std::string title;
    std::vector<Color> colors;  ///< of `low` first, two or more
    double low = 0., high = 1.;
    bool placed = false;      ///< the scene chooses the place
    float x = 10.f, y = 5.f;  ///< of its upper left corner then [pixel]
    float titleSize = 14.f;   ///< height of the text [pixel]
    friend bool operator==(const LegendDescription&, const LegendDescription&) = default;
};

/// Where the ground of the scene is.
struct GroundDescription
{
    Vec3 up;            ///< unit vector against gravity
    double level = 0.;  ///< of the ground along it [m]
    friend bool operator==(const GroundDescription&, const GroundDescription&) = default;
};

/// A second view in a part of the first.
struct ViewportDescription
{
    int x = 0, y = 0, width = 0, height = 0;  ///< [pixel], from the lower left corner
    Vec3 position;
    Quat orientation;
    double zNear = 0., zFar = 0., fieldOfView = 45.;
    bool advanced = false, border = true, swapMainView = false;
    friend bool operator==(const ViewportDescription&, const ViewportDescription&) = default;
};

/// An image that is made on the way to the final one.
struct PassDescription
{
    enum class Kind
    {
        Scene,   ///< draws the models that have all of `tags` into the image `output`, and their depth into output_Z
        Images,  ///< draws `output` by the shader from the images `inputs`
        PostProcess  ///< draws the final image by the shader from the image so far
    };
    Kind kind = Kind::Scene;
    std::string output;               ///< name of its image
    std::vector<std::string> tags;    ///< models drawn; empty: all
    std::vector<std::string> inputs;  ///< names of the images used
    float factor = 1.f;               ///< size relative to the view
    bool toScreen = false;            ///< it is the final image, and no other pass is made after it
    std::shared_ptr<const ShaderDescription> shader;
    double zNear = 1., zFar = 100.;  ///< as the scene gives them [m]; shaders are told those of the camera
    friend bool operator==(const PassDescription&, const PassDescription&) = default;
};

}  // namespace sofa::core
