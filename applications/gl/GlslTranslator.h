// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

/// Shaders of scenes are mostly written in GLSL 1.10 or 1.20, with OpenGL's fixed state (gl_Vertex, gl_LightSource,
/// ...) and geometry shaders of the extension EXT_geometry_shader4. This makes GLSL 3.30 core of them (4.00 where there
/// are tessellation shaders). Text only: nothing here needs OpenGL.
namespace sofa::gl {

enum class GlslStage
{
    Vertex,
    TessellationControl,
    TessellationEvaluation,
    Geometry,
    Fragment
};
inline constexpr std::size_t glslStages = 5;

/// Name of the macro that is defined in each stage, so that all stages may be in one file: "VertexShader", ...
std::string_view glslStageName(GlslStage stage);

/// A program as the scene gives it. A stage with empty text does not exist; a vertex or fragment shader that does not
/// exist gets one that passes position, first texture coordinate and colour on.
struct GlslProgram
{
    std::array<std::string, glslStages> source;
    std::vector<std::array<std::string, 2>> macros;  ///< name, value
    /// OpenGL's numbers for the primitives of an EXT_geometry_shader4 shader, and the most vertices of one call; −1:
    /// triangles, triangle strips, and as many as the outputs allow.
    int geometryInput = -1, geometryOutput = -1, geometryVertices = -1;
};

/// The program in GLSL 3.30 core. Lines keep their numbers.
///
/// What replaces OpenGL's fixed state, where a shader uses it:
///  - attributes `sofa_Vertex` (vec4), `sofa_Normal` (vec3), `sofa_Color` (vec4), `sofa_MultiTexCoord0` to 7 (vec4);
///  - uniforms `sofa_ModelViewMatrix` and the other matrices with the same names after the prefix, `sofa_NormalMatrix`,
///    `sofa_TextureMatrix[8]`, `sofa_LightSource[8]`, `sofa_FrontMaterial`, `sofa_BackMaterial`, `sofa_LightModel`,
///    `sofa_FrontLightModelProduct`, `sofa_FrontLightProduct[8]` and those of the back, `sofa_Fog`,
///    `sofa_ClipPlane[8]`;
///  - `sofa_TwoSide` (bool: colours of back faces), `sofa_ClampColor` (bool: vertex colours are limited to [0, 1]);
///  - `sofa_ClipEquations[8]`: vertex shaders without a geometry shader cut at these planes of the camera's frame;
///  - `sofa_FragData[n]` as the outputs, in order.
struct GlslTranslation
{
    std::array<std::string, glslStages> source;
    bool clips = false;  ///< sofa_ClipEquations is there
};
GlslTranslation translateGlsl(const GlslProgram& program);

/// The name that a variable of a scene's shader has after the translation, if it became a reserved word since GLSL 1.20
/// ("texture", "sample", ...); otherwise the name itself.
std::string glslRenamed(std::string_view name);

}  // namespace sofa::gl
