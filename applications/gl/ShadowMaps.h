// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <vector>

#include "applications/gl/Camera.h"
#include "applications/gl/Program.h"
#include "core/visual/DrawList.h"

namespace sofa::gl {

/// A frame as a matrix from its own coordinates to those of the world.
Matrix matrixOf(const RigidCoord3& frame);

/// Depths of a scene as its lights see it (L. Williams, "Casting curved shadows on curved surfaces", SIGGRAPH 1978),
/// for directional lights and spots. A point is in shadow where something is nearer to the light; edges are smoothed by
/// comparing with several depths around it (W. Reeves, D. Salesin, R. Cook, "Rendering antialiased shadows with depth
/// maps", SIGGRAPH 1987), wider ones for soft shadows.
class ShadowMaps
{
public:
    static constexpr int most = 4;       ///< lights that cast shadows; further ones shine through
    static constexpr int firstUnit = 8;  ///< texture units of the maps
    /// The function shadowOf() for fragment shaders that know the uniform block Frame.
    static const char* function();

    explicit ShadowMaps(const Functions& gl) : m_gl(gl) {}
    ~ShadowMaps();
    ShadowMaps(const ShadowMaps&) = delete;
    ShadowMaps& operator=(const ShadowMaps&) = delete;

    /// Chooses the lights and places their maps. `box`: of what casts shadows and what they fall on.
    void place(const DrawList& list, const Camera& camera, const BoundingBox& box);
    int count() const { return static_cast<int>(m_maps.size()); }
    GLuint texture(int i) const { return m_buffers[i].texture; }
    /// Binds map i to be drawn, cleared.
    void begin(int i);
    enum class Kind
    {
        Triangles,
        Instanced,  ///< solids
        Curved      ///< patches, as ShaderLibrary has them
    };
    /// The program for what is drawn next into map i, in a frame of its own or the world's.
    void bindProgram(int i, Kind kind, const std::optional<RigidCoord3>& frame);
    void end();
    /// Number of the map of a light of the list; −1: it has none.
    int mapOf(std::size_t light) const;
    /// Tells a program with shadowOf() of the maps.
    void apply(const Program& program) const;

private:
    struct Map
    {
        std::size_t light = 0;
        int size = 1024;
        Matrix toLight{};   ///< world to the cube of the map
        float texel = 0.f;  ///< size [m]; of a spot: at 1 m
        bool spot = false, soft = false;
    };
    /// Texture and framebuffer, kept from frame to frame.
    struct Buffer
    {
        int size = 0;
        GLuint texture = 0, framebuffer = 0;
    };

    void resize(Buffer& buffer, int size) const;

    const Functions& m_gl;
    std::vector<Map> m_maps;
    Buffer m_buffers[most];
    std::unique_ptr<Program> m_programs[3];  ///< by kind
    Matrix m_seen{};                         ///< world to the view of the camera, whose pixels have
    float m_pixel = 0.f;                     ///< this size [m] at a depth of 1
};

}  // namespace sofa::gl
