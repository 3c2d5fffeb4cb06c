// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Renderer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "applications/gl/RendererImplementation.h"

namespace sofa::gl {

namespace {

/// The camera of a second view, of the size of the main one.
Camera secondView(const ViewportDescription& d, const Camera& main)
{
    Camera c = main;
    c.position = d.position;
    c.orientation = d.orientation;
    c.target = c.position + c.forward();
    c.orthographic = false;
    c.fieldOfView = d.fieldOfView;
    c.computeClip = !(d.zNear > 0. && d.zFar > d.zNear);
    if (!c.computeClip) {
        c.zNear = d.zNear;
        c.zFar = d.zFar;
    }
    return c;
}

}  // namespace

Renderer::Implementation::Implementation(const GetProcAddress& load) : gl(load)
{
    const auto text = [&](GLenum name) {
        const GLubyte* s = gl.GetString(name);
        return std::string(s ? reinterpret_cast<const char*>(s) : "unknown");
    };
    description = text(GL_VENDOR) + ", " + text(GL_RENDERER) + ", OpenGL " + text(GL_VERSION);
    GLint major = 0;
    gl.GetIntegerv(GL_MAJOR_VERSION, &major);
    m_dividesCurves = major >= 4 && gl.PatchParameteri;
    gl.GenBuffers(1, &m_frameBuffer);
    gl.BindBuffer(GL_UNIFORM_BUFFER, m_frameBuffer);
    gl.BufferData(GL_UNIFORM_BUFFER, sizeof(FrameUniforms), nullptr, GL_DYNAMIC_DRAW);
    gl.GenVertexArrays(1, &m_emptyArray);
    gl.GenVertexArrays(1, &m_solidArray);
}

Renderer::Implementation::~Implementation()
{
    gl.DeleteBuffers(1, &m_frameBuffer);
    for (const Sorted& s : m_sorted)
        for (const GLuint b : {s.indexBuffer, s.solidBuffer})
            if (b) gl.DeleteBuffers(1, &b);
    gl.DeleteVertexArrays(1, &m_emptyArray);
    gl.DeleteVertexArrays(1, &m_solidArray);
}

void Renderer::Implementation::resetState()
{
    for (const GLenum what :
         {GL_BLEND, GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST, GL_STENCIL_TEST, GL_POLYGON_OFFSET_FILL,
          GL_RASTERIZER_DISCARD, GL_PROGRAM_POINT_SIZE, GL_FRAMEBUFFER_SRGB})
        gl.Disable(what);
    gl.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl.DepthMask(GL_TRUE);
    gl.DepthFunc(GL_LEQUAL);
    gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl.FrontFace(GL_CCW);
    gl.BlendEquation(GL_FUNC_ADD);
    gl.UseProgram(0);
    gl.BindVertexArray(0);
    gl.BindBuffer(GL_ARRAY_BUFFER, 0);
    gl.ActiveTexture(GL_TEXTURE0);
    gl.BindTexture(GL_TEXTURE_2D, 0);
}

void Renderer::Implementation::setFrame(const FrameUniforms& u)
{
    gl.BindBufferBase(GL_UNIFORM_BUFFER, ShaderLibrary::FrameBlock, m_frameBuffer);
    using Words = std::array<std::uint32_t, sizeof u / sizeof(std::uint32_t)>;
    if (m_frameKnown && std::bit_cast<Words>(u) == std::bit_cast<Words>(m_frame)) return;
    m_frame = u;
    m_frameKnown = true;
    gl.BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof u, &m_frame);
}

void Renderer::Implementation::prepare(const DrawList& list, const Camera& camera)
{
    statistics.uploads = statistics.uploadedBytes = statistics.drawCalls = statistics.triangles = 0;
    m_geometry.beginFrame();
    m_programs.beginFrame();
    m_textures.beginFrame();
    m_text.beginFrame();
    m_curved.beginFrame();
    m_entries.clear();
    m_thingsBox = list.box;
    BoundingBox ground;
    for (const DrawItem& given : list.items) {
        if (!given.geometry) continue;
        const DrawItem& item = dividesOnGpu(list, given) ? given : m_curved.flat(list, given, camera);
        Entry e{&item, &m_geometry.update(item.slot, *item.geometry, item.style.wireframe)};
        e.number = static_cast<std::size_t>(&given - list.items.data());
        // The ground lies below everything: it is blended with the sky before all that is transparent.
        e.ground = item.slot == Dressing::groundSlot;
        e.transparent = !e.ground && isTransparent(item, *e.buffers);
        m_entries.push_back(e);
        const bool extent = e.buffers->has(GeometryBuffers::Positions) || e.buffers->has(GeometryBuffers::Instances);
        if (item.style.layer == DrawStyle::Layer::World && extent) {
            BoundingBox& box = e.ground ? ground : m_thingsBox;
            box.include(Vec3(e.buffers->low));
            box.include(Vec3(e.buffers->high));
        }
    }
    m_box = m_thingsBox;
    m_box.include(ground);
}

Camera Renderer::Implementation::placed(const DrawList&, const Camera& camera) const
{
    Camera c = camera;
    c.computeClipping(m_box);
    return c;
}

void Renderer::Implementation::drawBackground(const DrawList& list, const Rectangle& view)
{
    const bool own = list.background != nullptr;
    const Color c = own ? list.background->color : m_settings.background;
    if (m_settings.transparentBackground)
        gl.ClearColor(0.f, 0.f, 0.f, 0.f);
    else
        gl.ClearColor(c[0], c[1], c[2], 1.f);
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const bool sky = m_settings.surroundings && m_settings.sky && list.surroundings;
    if (!own && sky && !m_settings.transparentBackground) {
        m_shaders.sky();
        gl.Disable(GL_DEPTH_TEST);
        gl.Disable(GL_BLEND);
        gl.BindVertexArray(m_emptyArray);
        gl.DrawArrays(GL_TRIANGLES, 0, 3);
        ++statistics.drawCalls;
    }
    if (!own || list.background->image.empty()) return;
    // Tiles of the image's own size, one of them in the middle.
    const Texture& t = m_textures.image(list.background->image);
    const auto ratio = static_cast<float>(m_settings.pixelRatio);
    const float sx = static_cast<float>(view.width) / (ratio * static_cast<float>(t.width)),
                sy = static_cast<float>(view.height) / (ratio * static_cast<float>(t.height));
    Program& p = m_shaders.background();
    p.set("uPart", Vec<4, float>{sx, sy, 0.5f - 0.5f * sx, 0.5f - 0.5f * sy});
    p.set("uTexture", 0);
    gl.ActiveTexture(GL_TEXTURE0);
    gl.BindTexture(GL_TEXTURE_2D, t.id);
    gl.Disable(GL_DEPTH_TEST);
    gl.Disable(GL_BLEND);
    gl.BindVertexArray(m_emptyArray);
    gl.DrawArrays(GL_TRIANGLES, 0, 3);
    ++statistics.drawCalls;
}

void Renderer::Implementation::drawLayer(const DrawList& list, const Camera& camera, const Rectangle& view,
                                         DrawStyle::Layer layer, Sorted& sorted)
{
    bool transparent = false, labels = false;
    for (const Entry& e : m_entries) {
        if (e.item->style.layer != layer) continue;
        labels = labels || !e.item->geometry->labels.empty();
        if (e.ground) continue;
        if (e.transparent && layer != DrawStyle::Layer::Screen)
            transparent = true;
        else
            drawItem(list, e, Purpose::Color);
    }
    for (const Entry& e : m_entries)
        if (e.ground && layer == DrawStyle::Layer::World) drawItem(list, e, Purpose::Color);
    if (labels) {
        gl.Enable(GL_BLEND);
        gl.BlendEquation(GL_FUNC_ADD);
        gl.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        for (const Entry& e : m_entries)
            if (e.item->style.layer == layer) drawLabels(e);
    }
    if (!transparent) return;
    if (list.orderIndependentTransparency && m_weightedAllowed)
        drawWeighted(list, view, layer);
    else
        drawSorted(list, camera, layer, sorted);
}

void Renderer::Implementation::drawView(const DrawList& list, const Camera& camera, const Rectangle& view,
                                        std::size_t number)
{
    gl.Viewport(view.x, view.y, view.width, view.height);
    drawBackground(list, view);
    m_worldFrame = worldUniforms(list, camera, view.width, view.height);
    for (std::size_t i = 0; i < std::min(list.lights.size(), FrameUniforms::maxLights); ++i)
        m_worldFrame.lights[i].falloff[2] = static_cast<float>(m_shadows.mapOf(i));
    setFrame(m_worldFrame);
    m_programs.beginView(list, camera, m_settings.clip);
    if (m_sorted.size() < 2 * number + 2) m_sorted.resize(2 * number + 2);
    const auto any = [&](DrawStyle::Layer layer) {
        return std::any_of(m_entries.begin(), m_entries.end(),
                           [&](const Entry& e) { return e.item->style.layer == layer; });
    };
    drawLayer(list, camera, view, DrawStyle::Layer::World, m_sorted[2 * number]);
    if (any(DrawStyle::Layer::Overlay)) {
        gl.DepthMask(GL_TRUE);
        gl.Clear(GL_DEPTH_BUFFER_BIT);
        drawLayer(list, camera, view, DrawStyle::Layer::Overlay, m_sorted[2 * number + 1]);
    }
    if (number == 0 && any(DrawStyle::Layer::Screen)) {
        gl.DepthMask(GL_TRUE);
        gl.Clear(GL_DEPTH_BUFFER_BIT);
        setFrame(screenUniforms(view.width, view.height, m_settings.pixelRatio));
        drawLayer(list, camera, view, DrawStyle::Layer::Screen, m_sorted[1]);
    }
}

void Renderer::Implementation::draw(const DrawList& given, const Camera& camera, const RenderSettings& settings,
                                    std::optional<unsigned> framebuffer)
{
    m_settings = settings;
    resetState();
    const DrawList& list = m_dressing.dress(given, camera, settings, m_textWidth);
    m_target.resize(camera.width, camera.height, settings.samples, list.srgb);
    prepare(list, camera);
    // What arrays that an item does not have stand for.
    gl.VertexAttrib4f(ColorAttribute, 1.f, 1.f, 1.f, 1.f);
    gl.VertexAttrib3f(NormalAttribute, 0.f, 0.f, 1.f);
    gl.Enable(GL_PROGRAM_POINT_SIZE);
    if (list.srgb) gl.Enable(GL_FRAMEBUFFER_SRGB);
    const Rectangle whole{0, 0, camera.width, camera.height};
    m_itemFrames =
        std::any_of(list.scopes.begin(), list.scopes.end(), [](const DrawScope& s) { return s.frame.has_value(); });
    // A second view may change places with the first.
    const auto swapped = std::find_if(list.viewports.begin(), list.viewports.end(),
                                      [](const ViewportDescription& d) { return d.swapMainView; });
    const Camera first = swapped == list.viewports.end() ? camera : secondView(*swapped, camera);
    drawShadowMaps(list, first);
    if (!drawPasses(list, first)) {
        m_target.bind();
        drawView(list, placed(list, first), whole, 0);
        drawPostProcess(list, first);
    }

    std::size_t number = 1;
    for (const ViewportDescription& d : list.viewports) {
        const Rectangle part{std::clamp(d.x, 0, whole.width), std::clamp(d.y, 0, whole.height),
                             std::min(d.width, whole.width - d.x), std::min(d.height, whole.height - d.y)};
        if (part.width < 1 || part.height < 1) continue;
        Camera c = swapped != list.viewports.end() && &d == &*swapped ? camera : secondView(d, camera);
        c.width = part.width;
        c.height = part.height;
        gl.Enable(GL_SCISSOR_TEST);
        if (d.border) {
            gl.Scissor(part.x - 1, part.y - 1, part.width + 2, part.height + 2);
            gl.ClearColor(0.f, 0.f, 0.f, 1.f);
            gl.Clear(GL_COLOR_BUFFER_BIT);
        }
        gl.Scissor(part.x, part.y, part.width, part.height);
        drawView(list, placed(list, c), part, number++);
        gl.Disable(GL_SCISSOR_TEST);
    }
    if (list.cornerFrame) drawCornerFrame(*list.cornerFrame, first);
    if (list.lighting && list.lighting->debugDraw) drawShadowTextures();
    m_geometry.endFrame();
    m_textures.endFrame();
    m_text.endFrame();
    m_curved.endFrame();
    resetState();
    m_target.resolve();
    if (framebuffer) {
        gl.BindFramebuffer(GL_READ_FRAMEBUFFER, m_target.resolved());
        gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, *framebuffer);
        gl.BlitFramebuffer(0, 0, camera.width, camera.height, 0, 0, camera.width, camera.height, GL_COLOR_BUFFER_BIT,
                           GL_NEAREST);
        gl.BindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    }
}

Image Renderer::Implementation::image()
{
    Image image;
    if (m_target.width() == 0) return image;
    image.width = m_target.width();
    image.height = m_target.height();
    image.channels = m_settings.transparentBackground ? 4 : 3;
    const std::size_t row = static_cast<std::size_t>(image.width * image.channels);
    image.pixels.resize(row * static_cast<std::size_t>(image.height));
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, m_target.resolved());
    gl.ReadBuffer(GL_COLOR_ATTACHMENT0);
    const TightRows tight(gl);
    gl.ReadPixels(0, 0, image.width, image.height, image.channels == 4 ? GL_RGBA : GL_RGB, GL_UNSIGNED_BYTE,
                  image.pixels.data());
    for (std::size_t y = 0; y < static_cast<std::size_t>(image.height) / 2; ++y) {
        const auto upper = image.pixels.begin() + static_cast<std::ptrdiff_t>(y * row);
        const auto lower = image.pixels.end() - static_cast<std::ptrdiff_t>((y + 1) * row);
        std::swap_ranges(upper, upper + static_cast<std::ptrdiff_t>(row), lower);
    }
    // Colours were mixed with black where nothing is.
    if (image.channels == 4)
        for (std::size_t i = 0; i < image.pixels.size(); i += 4)
            if (const unsigned a = image.pixels[i + 3]; a > 0 && a < 255)
                for (std::size_t c = 0; c < 3; ++c)
                    image.pixels[i + c] =
                        static_cast<unsigned char>(std::min(255u, (image.pixels[i + c] * 255u + a / 2) / a));
    return image;
}

Renderer::Renderer(const GetProcAddress& load) : m(std::make_unique<Implementation>(load)) {}

Renderer::~Renderer() = default;

void Renderer::draw(const DrawList& list, const Camera& camera, const RenderSettings& settings,
                    std::optional<unsigned> framebuffer)
{
    m->draw(list, camera, settings, framebuffer);
}

Image Renderer::image() { return m->image(); }

std::optional<Pick> Renderer::pick(const DrawList& list, const Camera& camera, double x, double y, int tolerance,
                                   const std::function<bool(const DrawItem&)>& wanted)
{
    return m->pick(list, camera, x, y, tolerance, wanted);
}

const RenderStatistics& Renderer::statistics() const { return m->statistics; }

std::string Renderer::description() const { return m->description; }

}  // namespace sofa::gl
