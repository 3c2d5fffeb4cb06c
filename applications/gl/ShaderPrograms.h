// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>

#include "applications/gl/Camera.h"
#include "applications/gl/CompiledShader.h"
#include "applications/gl/Functions.h"
#include "applications/gl/Textures.h"
#include "core/visual/DrawList.h"

namespace sofa::gl {

/// Programs that scenes give: compiled from their files (translated from older GLSL), told what fixed-function OpenGL
/// would know (matrices, lights, material) and what the scene's elements say (values, images).
///
/// A program is compiled when it is used first. If that fails, the log of the driver is reported with the file and the
/// line that it names, and what it should draw is drawn by the renderer's own shading. Programs are kept as long as
/// their description is the same, or differs in values only.
class ShaderPrograms
{
public:
    ShaderPrograms(const Functions& gl, TextureCache& textures);
    ~ShaderPrograms();
    ShaderPrograms(const ShaderPrograms&) = delete;
    ShaderPrograms& operator=(const ShaderPrograms&) = delete;

    /// Forgets programs whose files changed on disk: they are compiled again when they are used.
    void beginFrame();
    /// What holds for all that is drawn until the next call.
    /// `clip`: a plane of the viewer, beside those of the scene.
    void beginView(const DrawList& list, const Camera& camera, const std::optional<Vec<4, float>>& clip);
    /// Makes the program of the item's scope that in use, with all its values. False if the scope has none, or it does
    /// not work: then nothing changed. Vertex attributes are at the places of the renderer's (Shaders.h); those of the
    /// i-th VertexAttribute of the geometry at FirstCustomAttribute + i.
    bool use(const DrawItem& item);
    /// An image that a pass gives to its shader, under a name.
    struct PassImage
    {
        std::string_view name;
        GLuint texture = 0;
    };
    /// Draws the whole view of the bound framebuffer (its size [pixel] is told as width, height and pixelSize) by the
    /// program. `images` are told to samplers of these names. False if it does not work: then nothing is drawn.
    bool drawPass(const ShaderDescription& shader, std::span<const PassImage> images, int width, int height,
                  double zNear, double zFar);
    /// What the program in use takes: GL_PATCHES, GL_LINES_ADJACENCY (the geometry's lines, two and two), or
    /// GL_TRIANGLES.
    GLenum primitive(const DrawItem& item) const;
    /// Ends the use of a program: planes do not cut any more.
    void done();

private:
    const CompiledShader* find(const ShaderDescription& shader, std::span<const VertexAttribute> attributes);
    void setValues(const CompiledShader& program, const ShaderDescription& shader, std::span<const PassImage> images);
    void setMatrices(const CompiledShader& program, const Matrix& modelView, const Matrix& projection) const;
    void setLights(const CompiledShader& program, const SurfaceDescription* surface) const;
    void setMaterial(const CompiledShader& program, const SurfaceDescription& surface) const;
    void setClipping(const CompiledShader& program, std::uint32_t scope, const Matrix& view);

    const Functions& m_gl;
    TextureCache& m_textures;
    std::vector<std::unique_ptr<CompiledShader>> m_programs;
    const DrawList* m_list = nullptr;
    Camera m_camera;
    const CompiledShader* m_current = nullptr;
    int m_clipping = 0;
    std::optional<Vec<4, float>> m_clip;
    // Kept between uses.
    std::vector<int> m_integers;
    std::vector<float> m_numbers;
    std::vector<GLint> m_told;  ///< samplers that know their units
    std::vector<Vec<4, float>> m_planes;
    GLuint m_screen = 0, m_corners = 0;  ///< vertex array and buffer of the whole view
};

}  // namespace sofa::gl
