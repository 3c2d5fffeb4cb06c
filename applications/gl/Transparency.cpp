// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "applications/gl/RendererImplementation.h"

namespace sofa::gl {

void Renderer::Implementation::sortParts(const Camera& camera, DrawStyle::Layer layer, Sorted& sorted)
{
    using B = GeometryBuffers;
    const Matrix view = camera.view();
    m_keys.clear();
    for (const Entry& e : m_entries)
        if (e.transparent && e.item->style.layer == layer) {
            const Geometry& g = *e.item->geometry;
            m_keys.push_back({e.item->slot, g.positions.revision, g.triangles.revision + g.solids.revision,
                              e.item->style.firstTriangle, e.item->style.triangleCount});
            // Places of entries in the list matter too.
            m_keys.push_back({static_cast<std::uint64_t>(&e - m_entries.data()), 0, 0, 0, 0});
        }
    if (m_keys == sorted.keys && view == sorted.view) return;
    sorted.keys = m_keys;
    sorted.view = view;

    // Depth along the axis: minus the third row of the matrix.
    const float ax = static_cast<float>(-view[2]), ay = static_cast<float>(-view[6]),
                az = static_cast<float>(-view[10]);
    const auto depth = [&](const Vec3f& p) { return ax * p[0] + ay * p[1] + az * p[2]; };
    sorted.parts.clear();
    for (std::size_t n = 0; n < m_entries.size(); ++n) {
        const Entry& e = m_entries[n];
        if (!e.transparent || e.item->style.layer != layer) continue;
        const Geometry& g = *e.item->geometry;
        const auto entry = static_cast<std::uint32_t>(n);
        const float middle = depth((e.buffers->low + e.buffers->high) * 0.5f);
        if (e.buffers->has(B::PointIndices)) sorted.parts.push_back({middle, entry, -1});
        if (e.buffers->has(B::LineIndices)) sorted.parts.push_back({middle, entry, -2});
        const auto [first, count] = triangleRange(e);
        for (std::size_t i = first; i < first + count; ++i) {
            const Triangle& t = g.triangles[i];
            float d = 0.f;
            bool good = true;
            for (const Index v : t) {
                good = good && v < g.positions.size();
                if (good) d += depth(g.positions[v]);
            }
            if (good && std::isfinite(d)) sorted.parts.push_back({d / 3.f, entry, static_cast<std::int32_t>(i)});
        }
        for (std::size_t i = 0; i < g.solids.size(); ++i)
            if (const float d = depth(g.solids[i].center); std::isfinite(d))
                sorted.parts.push_back({d, entry, static_cast<std::int32_t>(i)});
    }
    std::sort(sorted.parts.begin(), sorted.parts.end(), [](const Part& a, const Part& b) {
        if (a.depth != b.depth) return a.depth > b.depth;
        return a.entry != b.entry ? a.entry < b.entry : a.index < b.index;
    });

    sorted.runs.clear();
    m_indices.clear();
    m_instances.clear();
    for (const Part& p : sorted.parts) {
        const Geometry& g = *m_entries[p.entry].item->geometry;
        const bool solids = p.index >= 0 && !g.solids.empty();
        const bool goesOn = p.index >= 0 && !sorted.runs.empty() && sorted.runs.back().entry == p.entry &&
                            sorted.runs.back().index >= 0 && !solids;
        if (!goesOn) sorted.runs.push_back({p.entry, p.index, solids ? m_instances.size() : m_indices.size() / 3, 0});
        ++sorted.runs.back().count;
        if (solids)
            m_instances.push_back(g.solids[static_cast<std::size_t>(p.index)]);
        else if (p.index >= 0)
            for (const Index v : g.triangles[static_cast<std::size_t>(p.index)]) m_indices.push_back(v);
    }
    const auto upload = [&](GLuint& buffer, const auto& data) {
        if (data.empty()) return;
        if (!buffer) gl.GenBuffers(1, &buffer);
        gl.BindVertexArray(0);
        gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
        const std::size_t bytes = data.size() * sizeof(data[0]);
        gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), data.data(), GL_STREAM_DRAW);
        ++statistics.uploads;
        statistics.uploadedBytes += bytes;
    };
    upload(sorted.indexBuffer, m_indices);
    upload(sorted.solidBuffer, m_instances);
}

void Renderer::Implementation::drawSorted(const DrawList& list, const Camera& camera, DrawStyle::Layer layer,
                                          Sorted& sorted)
{
    sortParts(camera, layer, sorted);
    for (const Run& r : sorted.runs) {
        const Entry& e = m_entries[r.entry];
        if (r.index == -1)
            drawPoints(list, e, Purpose::Color, 0);
        else if (r.index == -2)
            drawLines(list, e, Purpose::Color, 0);
        else if (!e.item->geometry->solids.empty())
            drawSolids(list, e, Purpose::Color, 0, sorted.solidBuffer, r.first, r.count);
        else
            drawTriangles(list, e, Purpose::Color, 0, sorted.indexBuffer, r.first, r.count);
    }
    gl.DepthMask(GL_TRUE);
}

void Renderer::Implementation::drawWeighted(const DrawList& list, const Rectangle& view, DrawStyle::Layer layer)
{
    m_target.bindSums();
    gl.Viewport(view.x, view.y, view.width, view.height);
    for (const Entry& e : m_entries)
        if (e.transparent && e.item->style.layer == layer) drawItem(list, e, Purpose::Weighted);
    const GLboolean scissored = gl.IsEnabled(GL_SCISSOR_TEST);
    gl.Disable(GL_SCISSOR_TEST);
    m_target.resolveSums();
    if (scissored) gl.Enable(GL_SCISSOR_TEST);
    m_target.bind();
    gl.Viewport(0, 0, m_target.width(), m_target.height());
    Program& p = m_shaders.composite();
    p.set("uSum", 0);
    p.set("uWeight", 1);
    gl.Disable(GL_DEPTH_TEST);
    gl.DepthMask(GL_FALSE);
    gl.Disable(GL_CULL_FACE);
    gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl.Enable(GL_BLEND);
    gl.BlendEquation(GL_FUNC_ADD);
    gl.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl.BindVertexArray(m_emptyArray);
    gl.DrawArrays(GL_TRIANGLES, 0, 3);
    ++statistics.drawCalls;
    gl.Viewport(view.x, view.y, view.width, view.height);
    gl.DepthMask(GL_TRUE);
}

}  // namespace sofa::gl
