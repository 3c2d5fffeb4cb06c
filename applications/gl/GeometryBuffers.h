// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <vector>

#include "applications/gl/Functions.h"
#include "applications/gl/Shaders.h"

namespace sofa::gl {

/// The arrays of one geometry on the GPU.
struct GeometryBuffers
{
    /// One array: the revision that was uploaded last, and its size.
    struct Array
    {
        GLuint buffer = 0;
        std::uint64_t revision = 0;  ///< 0: nothing was uploaded
        std::size_t count = 0, capacity = 0;
    };
    enum Which
    {
        Positions,
        Normals,
        Colors,
        TexCoords,
        Tangents,
        Bitangents,
        PointIndices,
        LineIndices,
        TriangleIndices,
        PatchIndices,  ///< of curved triangles
        EdgeIndices,   ///< of the faces, as lines; where quads are drawn by their edges
        Instances,
        Count
    };
    Array arrays[Count];
    std::vector<Array> attributes;  ///< of custom shaders, in the order of the geometry
    GLuint vertexArray = 0;         ///< of positions and what belongs to them
    std::size_t frame = 0;          ///< in which it was used last
    bool finite = true;             ///< all positions are
    bool opaqueColors = true;       ///< no colour of vertices or solids has an opacity below 1
    std::uint64_t layout = 0;       ///< which arrays the vertex array was made for
    Vec3f low, high;                ///< box of the positions or of the solids' centres

    bool has(Which w) const { return arrays[w].count > 0; }
    std::size_t count(Which w) const { return arrays[w].count; }
};

/// Keeps the buffers of geometries by their slots, uploads what changed, and frees what is not drawn any more.
///
/// Positions that are not finite become the origin, and lines and triangles with such an end lose their extent, so that
/// the numbers of the others stay.
class GeometryCache
{
public:
    GeometryCache(const Functions& gl, RenderStatistics& statistics) : m_gl(gl), m_statistics(statistics) {}
    ~GeometryCache();
    GeometryCache(const GeometryCache&) = delete;
    GeometryCache& operator=(const GeometryCache&) = delete;

    void beginFrame() { ++m_frame; }
    /// Buffers with the content of the geometry; they stay where they are until freed. `edges`: faces are drawn by
    /// their edges.
    GeometryBuffers& update(std::uint64_t slot, const Geometry& geometry, bool edges = false);
    /// Frees buffers of slots that were not updated since beginFrame().
    void endFrame();
    /// Binds the buffer of an array to a vertex attribute of the bound vertex array.
    void attribute(unsigned number, GLuint buffer, int components, std::size_t stride = 0, std::size_t offset = 0,
                   unsigned divisor = 0) const;

private:
    template <class T>
    bool upload(GeometryBuffers::Array& array, const std::vector<T>& data, std::uint64_t revision, bool force = false);
    void release(GeometryBuffers& b);
    void updateSides(GeometryBuffers& b, const Geometry& g);

    const Functions& m_gl;
    RenderStatistics& m_statistics;
    std::map<std::uint64_t, GeometryBuffers> m_buffers;
    std::size_t m_frame = 0;
    // Kept between frames.
    std::vector<Vec3f> m_positions;
    std::vector<Index> m_points;
    std::vector<Edge> m_lines;
    std::vector<Triangle> m_triangles;
    std::vector<std::array<Index, 6>> m_patches;
};

}  // namespace sofa::gl
