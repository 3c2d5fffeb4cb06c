// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "applications/gl/RendererImplementation.h"

namespace sofa::gl {

namespace {

GLenum factor(SurfaceDescription::Factor f)
{
    switch (f) {
        case SurfaceDescription::Factor::Zero:
            return GL_ZERO;
        case SurfaceDescription::Factor::One:
            return GL_ONE;
        case SurfaceDescription::Factor::SourceAlpha:
            return GL_SRC_ALPHA;
        case SurfaceDescription::Factor::OneMinusSourceAlpha:
            return GL_ONE_MINUS_SRC_ALPHA;
    }
    return GL_ONE;
}

GLenum equation(SurfaceDescription::Equation e)
{
    switch (e) {
        case SurfaceDescription::Equation::Add:
            return GL_FUNC_ADD;
        case SurfaceDescription::Equation::Subtract:
            return GL_FUNC_SUBTRACT;
        case SurfaceDescription::Equation::Min:
            return GL_MIN;
        case SurfaceDescription::Equation::Max:
            return GL_MAX;
    }
    return GL_FUNC_ADD;
}

bool usesOwnBlending(const SurfaceDescription& s)
{
    return s.sourceFactor != SurfaceDescription::Factor::SourceAlpha ||
           s.destinationFactor != SurfaceDescription::Factor::OneMinusSourceAlpha ||
           s.equation != SurfaceDescription::Equation::Add;
}

/// The image of a surface: its own, or that which the scene gives to the default shading (OglShadowShader).
const TextureDescription* textureOf(const DrawList& list, const DrawItem& item)
{
    if (item.style.surface->texture) return item.style.surface->texture.get();
    const ShaderDescription* s = list.shaderOf(item.scope);
    if (!s || !s->programs.empty()) return nullptr;
    const bool used =
        std::any_of(s->macros.begin(), s->macros.end(), [](const auto& m) { return m.name == "USE_TEXTURE"; });
    if (used)
        for (const TextureDescription& t : s->textures)
            if (t.uniform == "colorTexture") return &t;
    return nullptr;
}

}  // namespace

bool Renderer::Implementation::isTransparent(const DrawItem& item, const GeometryBuffers& b)
{
    const DrawStyle& s = item.style;
    if (!s.blend) return false;
    if (b.has(GeometryBuffers::Instances) || b.has(GeometryBuffers::Colors)) return !b.opaqueColors;
    const bool faces = b.has(GeometryBuffers::TriangleIndices) || b.has(GeometryBuffers::PatchIndices);
    if (!s.surface || !faces) return s.color[3] < 1.f;
    if (s.surface->diffuse[3] < 1.f || usesOwnBlending(*s.surface)) return true;
    return s.surface->texture && b.has(GeometryBuffers::TexCoords) && !m_textures.get(s.surface->texture).opaque;
}

bool Renderer::Implementation::dividesOnGpu(const DrawList& list, const DrawItem& item) const
{
    const DrawStyle& s = item.style;
    const Geometry& g = *item.geometry;
    if (!m_settings.tessellation || !m_dividesCurves || g.patches.empty() || !g.texCoords.empty()) return false;
    if (s.wireframe || s.firstTriangle != 0 || s.triangleCount >= 0) return false;
    if (const ShaderDescription* shader = list.shaderOf(item.scope); shader && !shader->programs.empty()) return false;
    if (!s.blend) return true;
    const auto isOpaque = [](const Color& c) { return c[3] >= 1.f; };
    if (s.surface ? !isOpaque(s.surface->diffuse) || usesOwnBlending(*s.surface) : !isOpaque(s.color)) return false;
    return std::ranges::all_of(g.colors, isOpaque);
}

void Renderer::Implementation::drawPatches(const GeometryBuffers& b)
{
    gl.PatchParameteri(GL_PATCH_VERTICES, 6);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, b.arrays[GeometryBuffers::PatchIndices].buffer);
    gl.DrawElements(GL_PATCHES, static_cast<GLsizei>(6 * b.count(GeometryBuffers::PatchIndices)), GL_UNSIGNED_INT,
                    nullptr);
}

std::pair<std::size_t, std::size_t> Renderer::Implementation::triangleRange(const Entry& e) const
{
    const std::size_t all = e.buffers->count(GeometryBuffers::TriangleIndices);
    const DrawStyle& s = e.item->style;
    const std::size_t first = std::min(all, static_cast<std::size_t>(std::max(0, s.firstTriangle)));
    const std::size_t count =
        s.triangleCount < 0 ? all - first : std::min(all - first, static_cast<std::size_t>(s.triangleCount));
    return {first, count};
}

Program& Renderer::Implementation::begin(const DrawList& list, const Entry& e, unsigned features, Purpose purpose,
                                         int pickNumber, bool faces)
{
    const DrawStyle& style = e.item->style;
    const GeometryBuffers& b = *e.buffers;
    const SurfaceDescription* surface = faces ? style.surface.get() : nullptr;
    const bool instanced = features & ShaderLibrary::Instanced;
    const bool colored = instanced || b.has(GeometryBuffers::Colors);
    if (purpose == Purpose::Pick) {
        features |= ShaderLibrary::Pick;
    } else {
        if (purpose == Purpose::Weighted) features |= ShaderLibrary::Weighted;
        const bool smooth = instanced || b.has(GeometryBuffers::Normals);
        // Edges of flat faces have no normal.
        if (faces && style.lit && (smooth || !style.wireframe))
            features |= ShaderLibrary::Lit | (smooth ? 0u : unsigned(ShaderLibrary::Flat));
        if (features & ShaderLibrary::Lit && m_shadows.count() > 0) features |= ShaderLibrary::Shadowed;
        if (surface && b.has(GeometryBuffers::TexCoords)) {
            if (textureOf(list, *e.item)) features |= ShaderLibrary::Textured;
            if (surface->normalMap && b.has(GeometryBuffers::Tangents) && b.has(GeometryBuffers::Bitangents))
                features |= ShaderLibrary::NormalMapped;
        }
    }
    Program& p = m_shaders.surface(features);
    p.use();
    if (features & ShaderLibrary::Shadowed) m_shadows.apply(p);
    if (purpose == Purpose::Pick) {
        p.set("uItem", pickNumber);
    } else if (surface) {
        p.set("uDiffuse", colored ? Color() : surface->diffuse);
        Vec<4, float> ambient = surface->ambient.rgba, specular = surface->specular.rgba;
        ambient[3] = 0.f;
        specular[3] = surface->useSpecular ? std::max(surface->shininess, 1e-3f) : 0.f;
        if (!surface->useSpecular) specular = {};
        p.set("uAmbientColor", ambient);
        p.set("uSpecular", specular);
        const Color& glow = surface->emissive;
        p.set("uEmissive", surface->useEmissive ? Vec3f{glow[0], glow[1], glow[2]} : Vec3f{});
        if (features & ShaderLibrary::Textured) {
            gl.ActiveTexture(GL_TEXTURE0);
            gl.BindTexture(GL_TEXTURE_2D, m_textures.get(*textureOf(list, *e.item)).id);
        }
        if (features & ShaderLibrary::NormalMapped) {
            const GLuint map = m_textures.get(surface->normalMap).id;
            gl.ActiveTexture(GL_TEXTURE1);
            gl.BindTexture(GL_TEXTURE_2D, map);
            gl.ActiveTexture(GL_TEXTURE0);
        }
    } else {
        p.set("uDiffuse", colored ? Color() : style.color);
        p.set("uAmbientColor", Vec<4, float>{0.f, 0.f, 0.f, 0.2f});
        p.set("uSpecular", Vec<4, float>{0.2f, 0.2f, 0.2f, 30.f});
        p.set("uEmissive", Vec3f{});
    }
    p.set("uSize", std::max(1.f, style.size * static_cast<float>(m_settings.pixelRatio)));

    // Planes of the node and of those above.
    Vec<4, float> planes[8];
    int count = 0;
    for (std::size_t i = e.item->scope; i < list.scopes.size();) {
        for (const Vec<4, float>& plane : list.scopes[i].clipPlanes)
            if (count < 8) planes[count++] = plane;
        const std::size_t above = list.scopes[i].parent;
        if (above >= i) break;
        i = above;
    }
    if (m_settings.clip && style.layer == DrawStyle::Layer::World && !e.ground && count < 8)
        planes[count++] = *m_settings.clip;
    p.set("uClipCount", count);
    if (count > 0) gl.Uniform4fv(p.location("uClip"), count, planes[0].data());

    const bool screen = style.layer == DrawStyle::Layer::Screen;
    if (style.depthTest && !screen)
        gl.Enable(GL_DEPTH_TEST);
    else
        gl.Disable(GL_DEPTH_TEST);
    const bool blended = purpose == Purpose::Color && (e.transparent || e.ground || (screen && style.blend));
    gl.DepthMask(style.depthWrite && !blended && purpose != Purpose::Weighted);
    if (style.cull == DrawStyle::Cull::None || !faces) {
        gl.Disable(GL_CULL_FACE);
    } else {
        gl.Enable(GL_CULL_FACE);
        gl.CullFace(style.cull == DrawStyle::Cull::Back ? GL_BACK : GL_FRONT);
    }
    if (purpose == Purpose::Weighted) {
        gl.Enable(GL_BLEND);
        gl.BlendEquation(GL_FUNC_ADD);
        gl.BlendFuncSeparate(GL_ONE, GL_ONE, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA);
    } else if (blended) {
        gl.Enable(GL_BLEND);
        const bool pre = surface && surface->premultipliedAlpha;
        gl.BlendEquation(surface ? equation(surface->equation) : GL_FUNC_ADD);
        gl.BlendFuncSeparate(pre       ? GL_ONE
                             : surface ? factor(surface->sourceFactor)
                                       : GL_SRC_ALPHA,
                             surface ? factor(surface->destinationFactor) : GL_ONE_MINUS_SRC_ALPHA, GL_ONE,
                             GL_ONE_MINUS_SRC_ALPHA);
        p.set("uPremultiplied", pre ? 1 : 0);
    } else {
        gl.Disable(GL_BLEND);
    }
    if (faces) {
        gl.PolygonMode(GL_FRONT_AND_BACK, style.wireframe ? GL_LINE : GL_FILL);
        // Faces stand back a little for the lines on them.
        gl.Enable(GL_POLYGON_OFFSET_FILL);
        gl.PolygonOffset(1.f, 1.f);
    } else {
        gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
        gl.Disable(GL_POLYGON_OFFSET_FILL);
    }
    ++statistics.drawCalls;
    return p;
}

void Renderer::Implementation::drawPoints(const DrawList& list, const Entry& e, Purpose purpose, int pickNumber)
{
    begin(list, e, ShaderLibrary::Points, purpose, pickNumber, false);
    gl.BindVertexArray(e.buffers->vertexArray);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, e.buffers->arrays[GeometryBuffers::PointIndices].buffer);
    gl.DrawElements(GL_POINTS, static_cast<GLsizei>(e.buffers->count(GeometryBuffers::PointIndices)), GL_UNSIGNED_INT,
                    nullptr);
}

void Renderer::Implementation::drawLines(const DrawList& list, const Entry& e, Purpose purpose, int pickNumber)
{
    const bool wide = static_cast<double>(e.item->style.size) * m_settings.pixelRatio > 1.;
    begin(list, e, wide ? ShaderLibrary::WideLines : 0u, purpose, pickNumber, false);
    gl.BindVertexArray(e.buffers->vertexArray);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, e.buffers->arrays[GeometryBuffers::LineIndices].buffer);
    gl.DrawElements(GL_LINES, static_cast<GLsizei>(2 * e.buffers->count(GeometryBuffers::LineIndices)), GL_UNSIGNED_INT,
                    nullptr);
}

void Renderer::Implementation::drawTriangles(const DrawList& list, const Entry& e, Purpose purpose, int pickNumber,
                                             GLuint indices, std::size_t first, std::size_t count)
{
    using B = GeometryBuffers;
    const B& b = *e.buffers;
    // Of quads, what parts their triangles is not shown. The shader of a scene takes triangles only.
    const bool edges = e.item->style.wireframe && purpose != Purpose::Pick && b.has(B::EdgeIndices) &&
                       indices == b.arrays[B::TriangleIndices].buffer;
    Program& p = begin(list, e, 0, purpose, pickNumber, true);
    p.set("uEdges", edges ? 1 : 0);
    if (purpose == Purpose::Color && e.item->style.surface && drawByScene(e, indices, first, count)) return;
    gl.BindVertexArray(b.vertexArray);
    statistics.triangles += count;
    if (edges) {
        // Two edges fewer for each quad before.
        const auto& quads = e.item->geometry->quads;
        const auto linesBefore = [&](std::size_t triangle) {
            const auto passed = std::lower_bound(quads.begin(), quads.end(), static_cast<Index>(triangle));
            return 3 * triangle - 2 * static_cast<std::size_t>(passed - quads.begin());
        };
        const std::size_t from = linesBefore(first), to = linesBefore(first + count);
        gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, b.arrays[B::EdgeIndices].buffer);
        gl.DrawElements(GL_LINES, static_cast<GLsizei>(2 * (to - from)), GL_UNSIGNED_INT,
                        reinterpret_cast<const void*>(from * sizeof(Edge)));
        return;
    }
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
    gl.DrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * count), GL_UNSIGNED_INT,
                    reinterpret_cast<const void*>(first * sizeof(Triangle)));
}

void Renderer::Implementation::drawSolids(const DrawList& list, const Entry& e, Purpose purpose, int pickNumber,
                                          GLuint instances, std::size_t first, std::size_t count)
{
    const SolidMeshes::Mesh& mesh = m_solids.mesh(e.item->geometry->solid, count <= 2000);
    begin(list, e, ShaderLibrary::Instanced, purpose, pickNumber, true);
    bindSolids(mesh, instances, first);
    const auto draw = [&] {
        gl.DrawElementsInstanced(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr, static_cast<GLsizei>(count));
    };
    if (purpose == Purpose::Color && e.transparent && e.item->style.cull == DrawStyle::Cull::None) {
        // Of a convex body the far side comes first.
        gl.Enable(GL_CULL_FACE);
        gl.CullFace(GL_FRONT);
        draw();
        gl.CullFace(GL_BACK);
        ++statistics.drawCalls;
    }
    draw();
    statistics.triangles += count * static_cast<std::size_t>(mesh.count) / 3;
}

void Renderer::Implementation::drawItem(const DrawList& list, const Entry& e, Purpose purpose, std::size_t number)
{
    using B = GeometryBuffers;
    const B& b = *e.buffers;
    setItemFrame(list, *e.item);
    const auto pickNumber = [&](Pick::Primitive kind) {
        return static_cast<int>(4 * number + static_cast<std::size_t>(kind));
    };
    if (b.has(B::Positions)) {
        const auto [first, count] = triangleRange(e);
        if (count > 0)
            drawTriangles(list, e, purpose, pickNumber(Pick::Primitive::Triangle), b.arrays[B::TriangleIndices].buffer,
                          first, count);
        if (b.has(B::PatchIndices)) {
            begin(list, e, ShaderLibrary::Curved, purpose, pickNumber(Pick::Primitive::Triangle), true)
                .set("uEdges", 0);
            gl.BindVertexArray(b.vertexArray);
            drawPatches(b);
            statistics.triangles += b.count(B::PatchIndices);
        }
        if (b.has(B::LineIndices)) drawLines(list, e, purpose, pickNumber(Pick::Primitive::Line));
        if (b.has(B::PointIndices)) drawPoints(list, e, purpose, pickNumber(Pick::Primitive::Point));
    }
    if (b.has(B::Instances))
        drawSolids(list, e, purpose, pickNumber(Pick::Primitive::Solid), b.arrays[B::Instances].buffer, 0,
                   b.count(B::Instances));
}

void Renderer::Implementation::drawLabels(const Entry& e)
{
    const DrawStyle& style = e.item->style;
    if (e.item->geometry->labels.empty()) return;
    const bool screen = style.layer == DrawStyle::Layer::Screen;
    if (style.depthTest && !screen)
        gl.Enable(GL_DEPTH_TEST);
    else
        gl.Disable(GL_DEPTH_TEST);
    gl.DepthMask(GL_FALSE);
    gl.Disable(GL_CULL_FACE);
    gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl.Disable(GL_POLYGON_OFFSET_FILL);
    m_shaders.text().set("uAtlas", 0);
    m_text.draw(e.item->slot, e.item->geometry->labels, m_settings.pixelRatio, screen);
}

}  // namespace sofa::gl
