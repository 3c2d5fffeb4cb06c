// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/TextRenderer.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/Installation.h"
#include "core/log/Message.h"

namespace sofa::gl {

namespace {

/// Size [pixel] in which glyphs of a size in space are drawn.
constexpr int worldLetters = 48;

std::string fontFile()
{
    if (const char* own = std::getenv("SOFA_FONT")) return own;
    const std::string name = "DejaVuSans.ttf";
    for (const std::string& folder :
         {(core::shareDirectory() / "fonts").string(), std::string("/usr/share/fonts/truetype/dejavu"),
          std::string("/usr/share/fonts/dejavu-sans-fonts"), std::string("/usr/share/fonts/dejavu"),
          std::string("/usr/share/fonts/TTF"), std::string("/usr/local/share/fonts")})
        if (std::filesystem::exists(folder + '/' + name)) return folder + '/' + name;
    return name;
}

/// Next letter of a UTF-8 text; a byte that belongs to none stands for itself.
char32_t next(const std::string& text, std::size_t& at)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(at);
    const unsigned length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    char32_t c = length == 1 ? first : first & (0xffu >> (length + 1));
    for (unsigned i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0) != 0x80) {
            ++at;
            return first;
        }
        c = (c << 6) | (byte(at + i) & 0x3f);
    }
    at += length;
    return c;
}

}  // namespace

TextRenderer::TextRenderer(const Functions& gl, RenderStatistics& statistics) : m_gl(gl), m_statistics(statistics)
{
    const std::string file = fontFile();
    if (FT_Init_FreeType(&m_library) != 0) m_library = nullptr;
    if (!m_library || FT_New_Face(m_library, file.c_str(), 0, &m_face) != 0) {
        m_face = nullptr;
        MessageLog::emit(Severity::Warning,
                         "the font '" + file +
                             "' cannot be read: texts are left out (package fonts-dejavu-core, or "
                             "the file named by the environment variable SOFA_FONT)",
                         {}, "renderer");
    }
}

TextRenderer::~TextRenderer()
{
    for (auto& [slot, s] : m_slots) release(s);
    if (m_atlas) m_gl.DeleteTextures(1, &m_atlas);
    if (m_face) FT_Done_Face(m_face);
    if (m_library) FT_Done_FreeType(m_library);
}

void TextRenderer::release(Slot& s)
{
    if (s.buffer) {
        m_gl.DeleteBuffers(1, &s.buffer);
        --m_statistics.buffers;
    }
    if (s.vertexArray) m_gl.DeleteVertexArrays(1, &s.vertexArray);
}

const TextRenderer::Glyph* TextRenderer::glyph(char32_t letter, int size)
{
    const auto known = m_glyphs.find({size, letter});
    if (known != m_glyphs.end()) return &known->second;
    if (size != m_size) FT_Set_Pixel_Sizes(m_face, 0, static_cast<FT_UInt>(size));
    m_size = size;
    if (FT_Load_Char(m_face, letter, FT_LOAD_RENDER) != 0) return nullptr;
    const FT_GlyphSlot g = m_face->glyph;
    const int w = static_cast<int>(g->bitmap.width), h = static_cast<int>(g->bitmap.rows);
    if (w + 2 > atlasSize || h + 2 > atlasSize) return nullptr;
    if (m_x + w + 1 > atlasSize) {
        m_x = 1;
        m_y += m_row + 1;
        m_row = 0;
    }
    if (m_y + h + 1 > atlasSize) {
        // Full: begin anew. What was built of the old glyphs is built again.
        m_glyphs.clear();
        m_x = m_y = 1;
        m_row = 0;
        ++m_generation;
    }
    m_gl.BindTexture(GL_TEXTURE_2D, m_atlas);
    if (w > 0 && h > 0) {
        const TightRows tight(m_gl);
        m_gl.PixelStorei(GL_UNPACK_ROW_LENGTH, g->bitmap.pitch);
        m_gl.TexSubImage2D(GL_TEXTURE_2D, 0, m_x, m_y, w, h, GL_RED, GL_UNSIGNED_BYTE, g->bitmap.buffer);
        m_gl.PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    }
    constexpr float s = 1.f / atlasSize;
    const Glyph made{static_cast<float>(m_x) * s,
                     static_cast<float>(m_y) * s,
                     static_cast<float>(m_x + w) * s,
                     static_cast<float>(m_y + h) * s,
                     w,
                     h,
                     g->bitmap_left,
                     g->bitmap_top,
                     static_cast<float>(g->advance.x) / 64.f};
    m_x += w + 1;
    m_row = std::max(m_row, h);
    return &m_glyphs.emplace(std::pair(size, letter), made).first->second;
}

void TextRenderer::makeAtlas()
{
    if (m_atlas) return;
    m_gl.GenTextures(1, &m_atlas);
    m_gl.BindTexture(GL_TEXTURE_2D, m_atlas);
    const std::vector<unsigned char> empty(static_cast<std::size_t>(atlasSize) * atlasSize);
    const TightRows tight(m_gl);
    m_gl.TexImage2D(GL_TEXTURE_2D, 0, GL_R8, atlasSize, atlasSize, 0, GL_RED, GL_UNSIGNED_BYTE, empty.data());
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

float TextRenderer::width(const std::string& text, float size)
{
    if (!m_face) return 0.f;
    m_gl.ActiveTexture(GL_TEXTURE0);
    makeAtlas();
    const int height = std::clamp(static_cast<int>(std::lround(size)), 4, 256);
    float sum = 0.f;
    for (std::size_t at = 0; at < text.size();)
        if (const Glyph* g = glyph(next(text, at), height)) sum += g->advance;
    return sum * size / static_cast<float>(height);
}

void TextRenderer::append(const TextLabel& label, double pixelRatio, bool screen)
{
    const bool world = label.worldSize && !screen;
    const int size =
        world ? worldLetters
              : std::clamp(static_cast<int>(std::lround(static_cast<double>(label.size) * pixelRatio)), 4, 256);
    const float scale = world ? label.size / worldLetters : 1.f;
    const auto line = static_cast<float>(std::ceil(1.2 * size));
    // A text of the screen hangs from its position, one in space stands beside its point.
    const float left = screen || world ? 0.f : std::round(0.3f * static_cast<float>(size));
    float x = left, y = screen ? -static_cast<float>(size) : left;
    for (std::size_t at = 0; at < label.text.size();) {
        const char32_t letter = next(label.text, at);
        if (letter == '\n') {
            x = left;
            y -= line;
            continue;
        }
        const Glyph* g = glyph(letter, size);
        if (!g) continue;
        if (g->width > 0) {
            const float x0 = x + static_cast<float>(g->left), y1 = y + static_cast<float>(g->top);
            const float x1 = x0 + static_cast<float>(g->width), y0 = y1 - static_cast<float>(g->height);
            const auto corner = [&](float cx, float cy, float u, float v) {
                m_corners.push_back({label.position, {cx * scale, cy * scale, world ? 1.f : 0.f}, label.color, {u, v}});
            };
            corner(x0, y0, g->u0, g->v1);
            corner(x1, y0, g->u1, g->v1);
            corner(x1, y1, g->u1, g->v0);
            corner(x0, y0, g->u0, g->v1);
            corner(x1, y1, g->u1, g->v0);
            corner(x0, y1, g->u0, g->v0);
        }
        x += g->advance;
    }
}

void TextRenderer::draw(std::uint64_t slot, const DrawArray<TextLabel>& labels, double pixelRatio, bool screen)
{
    if (!m_face || labels.empty()) return;
    m_gl.ActiveTexture(GL_TEXTURE0);
    makeAtlas();
    Slot& s = m_slots[slot];
    s.frame = m_frame;
    if (labels.revision == 0 || s.revision != labels.revision || s.generation != m_generation ||
        s.pixelRatio != pixelRatio) {
        // Once more if the texture was begun anew meanwhile; what needs more glyphs than it holds is shown in part.
        for (int attempt = 0; attempt < 2; ++attempt) {
            const std::uint64_t before = m_generation;
            m_corners.clear();
            for (const TextLabel& l : labels)
                if (std::isfinite(l.position[0] + l.position[1] + l.position[2])) append(l, pixelRatio, screen);
            if (before == m_generation) break;
        }
        if (!s.buffer) {
            m_gl.GenBuffers(1, &s.buffer);
            ++m_statistics.buffers;
            m_gl.GenVertexArrays(1, &s.vertexArray);
        }
        m_gl.BindVertexArray(s.vertexArray);
        m_gl.BindBuffer(GL_ARRAY_BUFFER, s.buffer);
        const std::size_t bytes = m_corners.size() * sizeof(Corner);
        m_gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), m_corners.data(), GL_DYNAMIC_DRAW);
        ++m_statistics.uploads;
        m_statistics.uploadedBytes += bytes;
        constexpr std::array<int, 4> components{3, 3, 4, 2};
        std::size_t offset = 0;
        for (unsigned i = 0; i < 4; ++i) {
            m_gl.EnableVertexAttribArray(i);
            m_gl.VertexAttribPointer(i, components[i], GL_FLOAT, GL_FALSE, sizeof(Corner),
                                     reinterpret_cast<const void*>(offset));
            offset += static_cast<std::size_t>(components[i]) * sizeof(float);
        }
        s.revision = labels.revision;
        s.generation = m_generation;
        s.pixelRatio = pixelRatio;
        s.count = static_cast<GLsizei>(m_corners.size());
    }
    m_gl.BindTexture(GL_TEXTURE_2D, m_atlas);
    m_gl.BindVertexArray(s.vertexArray);
    m_gl.DrawArrays(GL_TRIANGLES, 0, s.count);
    ++m_statistics.drawCalls;
}

void TextRenderer::endFrame()
{
    for (auto it = m_slots.begin(); it != m_slots.end();) {
        if (it->second.frame == m_frame) {
            ++it;
        } else {
            release(it->second);
            it = m_slots.erase(it);
        }
    }
}

}  // namespace sofa::gl
