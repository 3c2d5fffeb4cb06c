// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "applications/gl/Functions.h"

struct FT_LibraryRec_;
struct FT_FaceRec_;

namespace sofa::gl {

/// Draws labels with the glyphs of DejaVu Sans, which are drawn once for each size and kept in one texture. Without
/// the font there are no labels; that is reported once.
class TextRenderer
{
public:
    TextRenderer(const Functions& gl, RenderStatistics& statistics);
    ~TextRenderer();
    TextRenderer(const TextRenderer&) = delete;
    TextRenderer& operator=(const TextRenderer&) = delete;

    void beginFrame() { ++m_frame; }
    /// Draws the labels of a slot with the program of text in use; a new texture of glyphs, or another revision,
    /// builds their rectangles again. `screen`: positions are the upper left corners of the texts.
    void draw(std::uint64_t slot, const DrawArray<TextLabel>& labels, double pixelRatio, bool screen);
    void endFrame();
    /// Width of a line of text of a height, both in pixels; 0 without the font.
    float width(const std::string& text, float size);

private:
    struct Glyph
    {
        float u0, v0, u1, v1;  ///< in the texture
        int width, height;     ///< [pixel]
        int left, top;         ///< of the upper left corner from the pen [pixel]
        float advance;         ///< to the next letter [pixel]
    };
    struct Corner
    {
        Vec3f anchor, offset;
        Color color;
        Vec<2, float> texCoord;
    };
    struct Slot
    {
        GLuint buffer = 0, vertexArray = 0;
        std::uint64_t revision = 0, generation = 0;
        double pixelRatio = 0.;
        GLsizei count = 0;
        std::size_t frame = 0;
    };

    void makeAtlas();
    const Glyph* glyph(char32_t letter, int size);
    void append(const TextLabel& label, double pixelRatio, bool screen);
    void release(Slot& s);

    static constexpr int atlasSize = 1024;
    const Functions& m_gl;
    RenderStatistics& m_statistics;
    FT_LibraryRec_* m_library = nullptr;
    FT_FaceRec_* m_face = nullptr;
    GLuint m_atlas = 0;
    int m_x = 1, m_y = 1, m_row = 0;  ///< next free place of the texture, height of its row
    std::uint64_t m_generation = 1;   ///< grows when the texture was full and begun anew
    int m_size = 0;                   ///< of the face now
    std::map<std::pair<int, char32_t>, Glyph> m_glyphs;
    std::map<std::uint64_t, Slot> m_slots;
    std::vector<Corner> m_corners;
    std::size_t m_frame = 0;
};

}  // namespace sofa::gl
