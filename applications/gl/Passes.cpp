// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <utility>

#include "applications/gl/RendererImplementation.h"

namespace sofa::gl {

namespace {

/// Slots of what is drawn for the renderer itself; scenes count theirs from 1.
constexpr std::uint64_t ownSlot = ~std::uint64_t{0} - 16;

/// A solid along a coordinate axis from one place to another.
SolidInstance along(std::size_t axis, float from, float to, float radius, const Color& color)
{
    SolidInstance s{};
    s.axes[(axis + 1) % 3] = radius;
    s.axes[3 + (axis + 2) % 3] = radius;
    s.axes[6 + axis] = to - from;
    s.center[axis] = from;
    s.color = color;
    return s;
}

void addItem(DrawList& list, Solid solid, std::vector<SolidInstance> solids)
{
    auto g = std::make_shared<Geometry>();
    g->solid = solid;
    g->solids.assign(solids.begin(), solids.end());
    // A frame of another style has other solids under the same slot.
    static std::uint64_t revisions = 0;
    g->solids.revision = ++revisions;
    DrawItem item;
    item.slot = ownSlot + list.items.size();
    item.style.lit = false;
    item.geometry = std::move(g);
    list.items.push_back(std::move(item));
}

}  // namespace

void Renderer::Implementation::bindSolids(const SolidMeshes::Mesh& mesh, GLuint instances, std::size_t first)
{
    gl.BindVertexArray(m_solidArray);
    static_assert(sizeof(SolidInstance) == 16 * sizeof(float));
    constexpr std::size_t number = sizeof(float), stride = sizeof(SolidInstance);
    m_geometry.attribute(PositionAttribute, mesh.vertices, 3, 6 * number, 0);
    m_geometry.attribute(NormalAttribute, mesh.vertices, 3, 6 * number, 3 * number);
    const std::size_t start = first * stride;
    for (unsigned i = 0; i < 4; ++i)
        m_geometry.attribute(InstanceAxes + i, instances, 3, stride, start + 3 * i * number, 1);
    m_geometry.attribute(InstanceColor, instances, 4, stride, start + 12 * number, 1);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices);
}

/// Lights are in the camera's frame already: only the items move.
void Renderer::Implementation::setItemFrame(const DrawList& list, const DrawItem& item)
{
    if (!m_itemFrames || item.style.layer == DrawStyle::Layer::Screen || item.scope >= list.scopes.size()) return;
    const auto frame = list.frameOf(item.scope);
    FrameUniforms u = m_worldFrame;
    if (frame) {
        Matrix view;
        for (std::size_t i = 0; i < 16; ++i) view[i] = static_cast<double>(m_worldFrame.view[i]);
        view = view * matrixOf(*frame);
        for (std::size_t i = 0; i < 16; ++i) u.view[i] = static_cast<float>(view[i]);
    }
    setFrame(u);
}

bool Renderer::Implementation::drawByScene(const Entry& e, GLuint indices, std::size_t first, std::size_t count)
{
    if (!m_programs.use(*e.item)) return false;
    const GeometryBuffers& b = *e.buffers;
    gl.BindVertexArray(b.vertexArray);
    const auto& attributes = e.item->geometry->attributes;
    for (std::size_t i = 0; i < std::min(attributes.size(), b.attributes.size()); ++i)
        m_geometry.attribute(FirstCustomAttribute + static_cast<unsigned>(i), b.attributes[i].buffer,
                             attributes[i].components);
    const GLenum primitive = m_programs.primitive(*e.item);
    if (primitive == GL_LINES_ADJACENCY && b.has(GeometryBuffers::LineIndices)) {
        gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, b.arrays[GeometryBuffers::LineIndices].buffer);
        gl.DrawElements(GL_LINES_ADJACENCY, static_cast<GLsizei>(2 * b.count(GeometryBuffers::LineIndices)),
                        GL_UNSIGNED_INT, nullptr);
    } else {
        gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
        gl.DrawElements(primitive == GL_PATCHES ? GL_PATCHES : GL_TRIANGLES, static_cast<GLsizei>(3 * count),
                        GL_UNSIGNED_INT, reinterpret_cast<const void*>(first * sizeof(Triangle)));
    }
    for (std::size_t i = 0; i < b.attributes.size(); ++i)
        gl.DisableVertexAttribArray(FirstCustomAttribute + static_cast<unsigned>(i));
    statistics.triangles += count;
    m_programs.done();
    return true;
}

void Renderer::Implementation::castShadow(const DrawList& list, const Entry& e, int map)
{
    const DrawStyle& style = e.item->style;
    const GeometryBuffers& b = *e.buffers;
    if (style.layer != DrawStyle::Layer::World || !style.lit || e.transparent || style.wireframe) return;
    if (style.surface && !style.surface->castsShadow) return;
    const auto frame = m_itemFrames ? list.frameOf(e.item->scope) : std::nullopt;
    if (b.has(GeometryBuffers::Positions)) {
        const auto [first, count] = triangleRange(e);
        const bool curved = b.has(GeometryBuffers::PatchIndices);
        if (count == 0 && !curved) return;
        m_shadows.bindProgram(map, curved ? ShadowMaps::Kind::Curved : ShadowMaps::Kind::Triangles, frame);
        gl.BindVertexArray(b.vertexArray);
        ++statistics.drawCalls;
        if (curved) return drawPatches(b);
        gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, b.arrays[GeometryBuffers::TriangleIndices].buffer);
        gl.DrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * count), GL_UNSIGNED_INT,
                        reinterpret_cast<const void*>(first * sizeof(Triangle)));
    } else if (b.has(GeometryBuffers::Instances)) {
        const std::size_t count = b.count(GeometryBuffers::Instances);
        const SolidMeshes::Mesh& mesh = m_solids.mesh(e.item->geometry->solid, count <= 2000);
        m_shadows.bindProgram(map, ShadowMaps::Kind::Instanced, frame);
        bindSolids(mesh, b.arrays[GeometryBuffers::Instances].buffer, 0);
        gl.DrawElementsInstanced(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr, static_cast<GLsizei>(count));
        ++statistics.drawCalls;
    }
}

void Renderer::Implementation::drawShadowMaps(const DrawList& list, const Camera& camera)
{
    m_shadows.place(list, camera, Dressing::litBox(list, m_thingsBox));
    for (int i = 0; i < m_shadows.count(); ++i) {
        m_shadows.begin(i);
        for (const Entry& e : m_entries) castShadow(list, e, i);
        m_shadows.end();
    }
}

void Renderer::Implementation::drawShadowTextures()
{
    const int side = std::max(1, std::min(m_target.width(), m_target.height()) / 4);
    resetState();
    m_target.bind();
    Program& p = m_shaders.background();
    p.use();
    p.set("uPart", Vec<4, float>{1.f, 1.f, 0.f, 0.f});
    p.set("uTexture", 0);
    gl.BindVertexArray(m_emptyArray);
    for (int i = 0; i < m_shadows.count(); ++i) {
        gl.BindTexture(GL_TEXTURE_2D, m_shadows.texture(i));
        gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
        gl.Viewport(i * side, 0, side, side);
        gl.DrawArrays(GL_TRIANGLES, 0, 3);
        gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        ++statistics.drawCalls;
    }
    gl.BindTexture(GL_TEXTURE_2D, 0);
    gl.BindVertexArray(0);
}

bool Renderer::Implementation::drawPasses(const DrawList& list, const Camera& camera)
{
    using Kind = PassDescription::Kind;
    const Camera seen = placed(list, camera);
    for (const auto& each : list.passes) {
        const PassDescription& pass = *each;
        if (pass.kind == Kind::PostProcess) continue;
        const float factor = pass.toScreen ? 1.f : pass.factor;
        const int width = std::max(1, static_cast<int>(factor * static_cast<float>(camera.width))),
                  height = std::max(1, static_cast<int>(factor * static_cast<float>(camera.height)));
        // Asked for first: making an image binds another framebuffer.
        const PassImages::Image* image = pass.toScreen ? nullptr : &m_images.get(pass.output, width, height);
        if (image)
            gl.BindFramebuffer(GL_FRAMEBUFFER, image->framebuffer);
        else
            m_target.bind();
        if (pass.kind == Kind::Scene) {
            m_allEntries = m_entries;
            std::erase_if(m_entries, [&](const Entry& e) {
                const auto* surface = e.item->style.surface.get();
                return !std::all_of(pass.tags.begin(), pass.tags.end(), [&](const std::string& t) {
                    return surface && std::find(surface->tags.begin(), surface->tags.end(), t) != surface->tags.end();
                });
            });
            m_weightedAllowed = false;
            const double ratio = m_settings.pixelRatio;
            m_settings.pixelRatio *= static_cast<double>(factor);
            drawView(list, seen, {0, 0, width, height}, 0);
            m_settings.pixelRatio = ratio;
            m_weightedAllowed = true;
            m_entries.swap(m_allEntries);
        } else {
            resetState();
            gl.Viewport(0, 0, width, height);
            gl.ClearColor(0.f, 0.f, 0.f, 1.f);
            gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
            m_passImages.clear();
            for (const std::string& name : pass.inputs)
                if (const auto* input = m_images.find(name)) {
                    m_passImages.push_back({name, input->color});
                    m_passImages.push_back({input->depthName, input->depth});
                }
            m_programs.beginView(list, seen, m_settings.clip);
            if (!pass.shader ||
                !m_programs.drawPass(*pass.shader, m_passImages, camera.width, camera.height, seen.zNear, seen.zFar)) {
                // Without a shader that works, the first image is shown.
                Program& p = m_shaders.background();
                p.use();
                p.set("uPart", Vec<4, float>{1.f, 1.f, 0.f, 0.f});
                p.set("uTexture", 0);
                gl.BindTexture(GL_TEXTURE_2D, m_passImages.empty() ? 0 : m_passImages.front().texture);
                gl.BindVertexArray(m_emptyArray);
                gl.DrawArrays(GL_TRIANGLES, 0, 3);
            }
            ++statistics.drawCalls;
        }
        if (pass.toScreen) {
            m_target.bind();
            return true;
        }
    }
    return false;
}

void Renderer::Implementation::drawPostProcess(const DrawList& list, const Camera& camera)
{
    const Camera seen = placed(list, camera);
    const int width = m_target.width(), height = m_target.height();
    for (const auto& each : list.passes) {
        const PassDescription& pass = *each;
        if (pass.kind != PassDescription::Kind::PostProcess || !pass.shader) continue;
        const PassImages::Image& before = m_images.get("image before a post-process", width, height);
        gl.BindFramebuffer(GL_READ_FRAMEBUFFER, m_target.main());
        gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, before.framebuffer);
        gl.BlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT,
                           GL_NEAREST);
        resetState();
        m_target.bind();
        gl.Viewport(0, 0, width, height);
        const ShaderPrograms::PassImage images[] = {{"colorTexture", before.color}, {"depthTexture", before.depth}};
        if (m_programs.drawPass(*pass.shader, images, width, height, seen.zNear, seen.zFar)) ++statistics.drawCalls;
    }
}

void Renderer::Implementation::drawCornerFrame(const CornerFrameDescription& frame, const Camera& camera)
{
    using Style = CornerFrameDescription::Style;
    using Corner = CornerFrameDescription::Corner;
    if (frame.size < 1) return;
    if (m_cornerList.items.empty() || !(m_cornerList.cornerFrame == frame)) {
        m_cornerList = {};
        m_cornerList.scopes.resize(1);
        m_cornerList.cornerFrame = frame;
        std::vector<SolidInstance> shafts, heads;
        for (std::size_t i = 0; i < 3; ++i) {
            Color color(0.f, 0.f, 0.f);
            color[i] = 1.f;
            if (frame.style == Style::CubeCones) {
                // Cones stand with their tips to the cube.
                heads.push_back(along(i, 0.75f, 0.25f, 0.25f, color));
                heads.push_back(along(i, -0.75f, -0.25f, 0.25f, Color(0.5f, 0.5f, 0.5f)));
            } else {
                const bool arrows = frame.style == Style::Arrows;
                shafts.push_back(along(i, 0.f, arrows ? 0.8f : 1.f, 0.05f, color));
                if (arrows) heads.push_back(along(i, 0.8f, 1.f, 0.1f, color));
            }
        }
        if (frame.style == Style::CubeCones) {
            SolidInstance cube{};
            cube.axes = {0.25f, 0.f, 0.f, 0.f, 0.25f, 0.f, 0.f, 0.f, 0.25f};
            cube.color = Color(0.3f, 0.3f, 0.3f);
            addItem(m_cornerList, Solid::Cube, {cube});
        }
        if (!shafts.empty()) addItem(m_cornerList, Solid::Cylinder, shafts);
        if (!heads.empty()) addItem(m_cornerList, Solid::Cone, heads);
    }
    const int size = std::min({static_cast<int>(frame.size * m_settings.pixelRatio), camera.width, camera.height});
    const bool right = frame.corner == Corner::BottomRight || frame.corner == Corner::TopRight;
    const bool top = frame.corner == Corner::TopLeft || frame.corner == Corner::TopRight;
    const Rectangle view{right ? camera.width - size : 0, top ? camera.height - size : 0, size, size};
    Camera eye;
    eye.orientation = camera.orientation;
    eye.position = eye.forward() * -3.;
    eye.target = {};
    eye.fieldOfView = 60.;
    eye.computeClip = false;
    eye.zNear = 0.5;
    eye.zFar = 10.;
    eye.width = eye.height = size;
    gl.Viewport(view.x, view.y, view.width, view.height);
    gl.Enable(GL_SCISSOR_TEST);
    gl.Scissor(view.x, view.y, view.width, view.height);
    gl.DepthMask(GL_TRUE);
    gl.Clear(GL_DEPTH_BUFFER_BIT);
    m_worldFrame = worldUniforms(m_cornerList, eye, size, size);
    setFrame(m_worldFrame);
    const bool frames = std::exchange(m_itemFrames, false);
    const auto clip = std::exchange(m_settings.clip, std::nullopt);
    for (const DrawItem& item : m_cornerList.items)
        drawItem(m_cornerList, {&item, &m_geometry.update(item.slot, *item.geometry), false}, Purpose::Color);
    m_itemFrames = frames;
    m_settings.clip = clip;
    gl.Disable(GL_SCISSOR_TEST);
}

}  // namespace sofa::gl
