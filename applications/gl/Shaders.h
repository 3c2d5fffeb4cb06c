// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <memory>

#include "applications/gl/Program.h"

namespace sofa::gl {

/// Numbers of the vertex attributes of our buffers; custom ones follow.
enum Attribute : unsigned
{
    PositionAttribute,
    NormalAttribute,
    ColorAttribute,
    TexCoordAttribute,
    TangentAttribute,
    BitangentAttribute,
    InstanceAxes,  ///< three of them
    InstanceCenter = InstanceAxes + 3,
    InstanceColor,
    FirstCustomAttribute
};

/// The stages before the fragments of curved triangles: vertices are control points, the tessellation divides each edge
/// so that no point is off by more than a quarter of a pixel (divisionsOf in core/visual/CurvedFaces.h, for each edge),
/// and `vertex`, a vertex shader for the attributes of surfaces without their declarations, is done for each point.
/// `head` begins with the version, and declares vec2 pixelAt(vec3): the depth and the size of a pixel [m] at a place.
std::vector<ShaderStage> curvedStages(const std::string& head, const std::string& vertex, const std::string& name);

/// Our programs, each compiled when it is used first. A variant of the surface program is a set of features.
class ShaderLibrary
{
public:
    enum Feature : unsigned
    {
        Lit = 1,
        Flat = 2,  ///< normals from the faces as they are on the screen
        Textured = 4,
        NormalMapped = 8,
        Instanced = 16,
        Weighted = 32,  ///< order-independent transparency: two outputs
        Pick = 64,      ///< numbers of items and primitives instead of colours
        WideLines = 128,
        Points = 256,
        Shadowed = 512,
        Curved = 1024  ///< quadratic Bézier triangles as patches of six control points
    };
    /// Numbers of the uniform blocks.
    enum Block : unsigned
    {
        FrameBlock
    };

    explicit ShaderLibrary(const Functions& gl) : m_gl(gl) {}

    Program& surface(unsigned features);
    Program& text();
    Program& background();
    Program& sky();
    /// Puts the sums of weighted transparency over the image.
    Program& composite();

private:
    Program& fixed(std::unique_ptr<Program>& program, const char* name, const char* vertex, const char* fragment);

    const Functions& m_gl;
    std::map<unsigned, std::unique_ptr<Program>> m_surfaces;
    std::unique_ptr<Program> m_text, m_background, m_sky, m_composite;
};

}  // namespace sofa::gl
