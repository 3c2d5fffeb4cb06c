// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/GeometryBuffers.h"

#include <algorithm>
#include <cmath>

#include "core/visual/SolidReach.h"

namespace sofa::gl {

namespace {

bool hasFinite(const Vec3f& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

void include(GeometryBuffers& b, const Vec3f& p)
{
    for (std::size_t i = 0; i < 3; ++i) {
        b.low[i] = std::min(b.low[i], p[i]);
        b.high[i] = std::max(b.high[i], p[i]);
    }
}

/// Elements of which every end is a finite position; the others have all ends at vertex 0.
template <class Element>
void keepFinite(std::vector<Element>& out, const std::vector<Element>& in, const std::vector<Vec3f>& positions)
{
    out = in;
    for (Element& e : out)
        for (std::size_t i = 0; i < e.size(); ++i)
            if (e[i] >= positions.size() || !hasFinite(positions[e[i]])) {
                for (std::size_t j = 0; j < e.size(); ++j) e[j] = 0;
                break;
            }
}

template <class Element>
bool inRange(const std::vector<Element>& elements, std::size_t vertices)
{
    for (const Element& e : elements)
        for (std::size_t i = 0; i < e.size(); ++i)
            if (e[i] >= vertices) return false;
    return true;
}

}  // namespace

GeometryCache::~GeometryCache()
{
    for (auto& [slot, b] : m_buffers) release(b);
}

void GeometryCache::release(GeometryBuffers& b)
{
    const auto free = [&](GeometryBuffers::Array& a) {
        if (!a.buffer) return;
        m_gl.DeleteBuffers(1, &a.buffer);
        --m_statistics.buffers;
        a = {};
    };
    for (GeometryBuffers::Array& a : b.arrays) free(a);
    for (GeometryBuffers::Array& a : b.attributes) free(a);
    if (b.vertexArray) m_gl.DeleteVertexArrays(1, &b.vertexArray);
    b.vertexArray = 0;
}

template <class T>
bool GeometryCache::upload(GeometryBuffers::Array& array, const std::vector<T>& data, std::uint64_t revision,
                           bool force)
{
    if (data.empty()) {
        const bool changed = array.count > 0;
        array.count = 0;
        array.revision = 0;
        return changed;
    }
    if (!force && revision != 0 && array.revision == revision && array.count == data.size()) return false;
    const std::size_t bytes = data.size() * sizeof(T);
    if (!array.buffer) {
        m_gl.GenBuffers(1, &array.buffer);
        ++m_statistics.buffers;
    }
    m_gl.BindBuffer(GL_ARRAY_BUFFER, array.buffer);
    if (bytes == array.capacity) {
        m_gl.BufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(bytes), data.data());
    } else {
        m_gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), data.data(), GL_DYNAMIC_DRAW);
        array.capacity = bytes;
    }
    array.revision = revision;
    array.count = data.size();
    ++m_statistics.uploads;
    m_statistics.uploadedBytes += bytes;
    return true;
}

void GeometryCache::attribute(unsigned number, GLuint buffer, int components, std::size_t stride, std::size_t offset,
                              unsigned divisor) const
{
    m_gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
    m_gl.EnableVertexAttribArray(number);
    m_gl.VertexAttribPointer(number, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                             reinterpret_cast<const void*>(offset));
    m_gl.VertexAttribDivisor(number, divisor);
}

/// Three edges of each triangle, four of each quad. What is not sound becomes a point, as in the triangles.
void GeometryCache::updateSides(GeometryBuffers& b, const Geometry& g)
{
    auto& edges = b.arrays[GeometryBuffers::EdgeIndices];
    if (g.quads.empty()) {
        edges.count = 0;
        return;
    }
    const std::uint64_t revision = std::max(g.triangles.revision, g.quads.revision);
    if (b.finite && revision != 0 && edges.revision == revision && edges.count > 0) return;
    m_lines.clear();
    auto quad = g.quads.begin();
    for (std::size_t i = 0; i < g.triangles.size(); ++i) {
        const Triangle& t = g.triangles[i];
        while (quad != g.quads.end() && *quad < i) ++quad;
        if (quad != g.quads.end() && *quad == i && i + 1 < g.triangles.size()) {
            const Index d = g.triangles[++i][2];
            m_lines.insert(m_lines.end(), {{t[0], t[1]}, {t[1], t[2]}, {t[2], d}, {d, t[0]}});
        } else {
            m_lines.insert(m_lines.end(), {{t[0], t[1]}, {t[1], t[2]}, {t[2], t[0]}});
        }
    }
    if (!b.finite || !inRange(m_lines, g.positions.size())) {
        const std::vector<Edge> all = m_lines;
        keepFinite(m_lines, all, g.positions);
    }
    upload(edges, m_lines, revision, !b.finite);
}

GeometryBuffers& GeometryCache::update(std::uint64_t slot, const Geometry& g, bool byTheirSides)
{
    GeometryBuffers& b = m_buffers[slot];
    if (b.frame == m_frame) return b;
    b.frame = m_frame;
    using B = GeometryBuffers;
    // No draw call may change what a vertex array refers to.
    m_gl.BindVertexArray(0);

    auto& positions = b.arrays[B::Positions];
    const bool moved = g.positions.revision == 0 || positions.revision != g.positions.revision ||
                       positions.count != g.positions.size();
    const bool wereFinite = b.finite;
    const bool newElements = b.arrays[B::LineIndices].revision != g.lines.revision ||
                             b.arrays[B::TriangleIndices].revision != g.triangles.revision ||
                             b.arrays[B::PatchIndices].revision != g.patches.revision ||
                             b.arrays[B::PointIndices].revision != g.points.revision;
    if (moved) {
        b.finite = std::all_of(g.positions.begin(), g.positions.end(), hasFinite);
        if (!g.positions.empty()) b.low = b.high = {};
        bool first = true;
        for (const Vec3f& p : g.positions)
            if (hasFinite(p)) {
                if (first) b.low = b.high = p;
                first = false;
                include(b, p);
            }
        if (b.finite) {
            upload(positions, g.positions, g.positions.revision);
        } else {
            m_positions.assign(g.positions.begin(), g.positions.end());
            for (Vec3f& p : m_positions)
                if (!hasFinite(p)) p = {};
            upload(positions, m_positions, g.positions.revision);
        }
    }
    // Wrong numbers would make the GPU read what is not ours.
    bool sound = b.finite;
    if (moved || newElements || !wereFinite) {
        sound = sound && inRange(g.lines, g.positions.size()) && inRange(g.triangles, g.positions.size()) &&
                inRange(g.patches, g.positions.size()) &&
                std::all_of(g.points.begin(), g.points.end(), [&](Index i) { return i < g.positions.size(); });
        const bool force = !sound || !wereFinite;
        if (sound) {
            upload(b.arrays[B::PointIndices], g.points, g.points.revision, force);
            upload(b.arrays[B::LineIndices], g.lines, g.lines.revision, force);
            upload(b.arrays[B::TriangleIndices], g.triangles, g.triangles.revision, force);
            upload(b.arrays[B::PatchIndices], g.patches, g.patches.revision, force);
        } else {
            m_points.clear();
            for (const Index i : g.points)
                if (i < g.positions.size() && hasFinite(g.positions[i])) m_points.push_back(i);
            keepFinite(m_lines, g.lines, g.positions);
            keepFinite(m_triangles, g.triangles, g.positions);
            upload(b.arrays[B::PointIndices], m_points, g.points.revision, force);
            upload(b.arrays[B::LineIndices], m_lines, g.lines.revision, force);
            keepFinite(m_patches, g.patches, g.positions);
            upload(b.arrays[B::TriangleIndices], m_triangles, g.triangles.revision, force);
            upload(b.arrays[B::PatchIndices], m_patches, g.patches.revision, force);
        }
    }
    if (byTheirSides) updateSides(b, g);
    const std::size_t n = g.positions.size();
    const auto perVertex = [&](B::Which which, const auto& array) {
        // A wrong number of values is as good as none.
        static const std::remove_cvref_t<decltype(array)> none;
        const auto& used = array.size() == n ? array : none;
        return upload(b.arrays[which], used, used.revision);
    };
    perVertex(B::Normals, g.normals);
    const bool colored = perVertex(B::Colors, g.colors);
    perVertex(B::TexCoords, g.texCoords);
    perVertex(B::Tangents, g.tangents);
    perVertex(B::Bitangents, g.bitangents);
    const bool placed = upload(b.arrays[B::Instances], g.solids, g.solids.revision);
    if (colored || placed) {
        const auto opaque = [](const Color& c) { return c[3] >= 1.f; };
        b.opaqueColors = std::all_of(g.colors.begin(), g.colors.end(), opaque) &&
                         std::all_of(g.solids.begin(), g.solids.end(), [&](const auto& s) { return opaque(s.color); });
    }
    if (placed && !g.solids.empty()) {
        b.low = b.high = g.solids.front().center;
        for (const SolidInstance& s : g.solids) {
            const Vec3f reach = reachOf(s);
            include(b, s.center - reach);
            include(b, s.center + reach);
        }
    }
    while (b.attributes.size() > g.attributes.size()) {
        if (b.attributes.back().buffer) {
            m_gl.DeleteBuffers(1, &b.attributes.back().buffer);
            --m_statistics.buffers;
        }
        b.attributes.pop_back();
    }
    b.attributes.resize(g.attributes.size());
    for (std::size_t i = 0; i < g.attributes.size(); ++i)
        upload(b.attributes[i], g.attributes[i].values, g.attributes.revision);

    // The vertex array, when arrays came or went.
    if (b.has(B::Positions)) {
        std::uint64_t layout = 1;
        for (std::size_t i = 0; i <= B::Bitangents; ++i) layout |= b.arrays[i].count ? std::uint64_t(2) << i : 0;
        if (layout != b.layout || !b.vertexArray) {
            if (!b.vertexArray) m_gl.GenVertexArrays(1, &b.vertexArray);
            m_gl.BindVertexArray(b.vertexArray);
            constexpr std::pair<B::Which, int> members[] = {{B::Positions, 3}, {B::Normals, 3},  {B::Colors, 4},
                                                            {B::TexCoords, 2}, {B::Tangents, 3}, {B::Bitangents, 3}};
            for (const auto& [which, components] : members) {
                if (b.has(which))
                    attribute(which, b.arrays[which].buffer, components);
                else
                    m_gl.DisableVertexAttribArray(which);
            }
            m_gl.BindVertexArray(0);
            b.layout = layout;
        }
    }
    return b;
}

void GeometryCache::endFrame()
{
    for (auto it = m_buffers.begin(); it != m_buffers.end();) {
        if (it->second.frame == m_frame) {
            ++it;
        } else {
            release(it->second);
            it = m_buffers.erase(it);
        }
    }
}

}  // namespace sofa::gl
