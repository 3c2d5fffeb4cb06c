// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Textures.h"

#include <algorithm>
#include <cmath>

#include "core/log/Message.h"

namespace sofa::gl {

namespace {

/// Rows the other way up, as OpenGL counts them.
Image flipped(Image image)
{
    const auto row = static_cast<std::ptrdiff_t>(image.width * image.channels);
    for (std::ptrdiff_t y = 0; y < image.height / 2; ++y)
        std::swap_ranges(image.pixels.begin() + y * row, image.pixels.begin() + (y + 1) * row,
                         image.pixels.begin() + (image.height - 1 - y) * row);
    return image;
}

Image missing()
{
    Image image{8, 8, 3, {}};
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) image.pixels.insert(image.pixels.end(), 3, (x + y) % 2 ? 200 : 120);
    return image;
}

Image load(const std::string& file)
{
    try {
        return readImage(file);
    } catch (const std::exception& e) {
        MessageLog::emit(Severity::Error, e.what(), {}, "renderer");
        return missing();
    }
}

/// Heights as normals: an image that is grey everywhere; another has normals already. White is as high as `height`
/// widths of the image; the sides are joined, as the image is repeated.
Image normalsOf(Image image, float height)
{
    const auto grey = [&](const unsigned char* p) { return image.channels < 3 || (p[0] == p[1] && p[1] == p[2]); };
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            if (!grey(image.at(x, y))) return image;
    Image normals{image.width, image.height, 3, {}};
    normals.pixels.reserve(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);
    const auto at = [&](int x, int y) {
        return static_cast<float>(*image.at((x + image.width) % image.width, (y + image.height) % image.height)) /
               255.f;
    };
    // Slopes by central differences; one width is as many pixels as the image has.
    const float scale = 0.5f * height * static_cast<float>(image.width);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            // The first row is the upper one, where the second coordinate is greatest.
            const float dx = scale * (at(x + 1, y) - at(x - 1, y)), dy = scale * (at(x, y - 1) - at(x, y + 1));
            const float length = std::sqrt(dx * dx + dy * dy + 1.f);
            for (const float n : {-dx / length, -dy / length, 1.f / length})
                normals.pixels.push_back(static_cast<unsigned char>(std::lround(127.5f * (n + 1.f))));
        }
    return normals;
}

bool isOpaque(const Image& image)
{
    if (image.channels % 2) return true;
    const auto step = static_cast<std::size_t>(image.channels);
    for (std::size_t i = step - 1; i < image.pixels.size(); i += step)
        if (image.pixels[i] < 255) return false;
    return true;
}

}  // namespace

TextureCache::~TextureCache()
{
    for (const auto& e : m_entries) m_gl.DeleteTextures(1, &e->texture.id);
}

Texture TextureCache::make(const TextureDescription& d) const
{
    Texture t;
    const bool cube = d.file.empty() && d.pixels.empty() && !d.cube[0].empty();
    t.target = cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D;
    m_gl.ActiveTexture(GL_TEXTURE0);
    m_gl.GenTextures(1, &t.id);
    m_gl.BindTexture(t.target, t.id);
    const TightRows tight(m_gl);
    const auto fill = [&](GLenum target, const Image& image) {
        constexpr GLenum formats[] = {GL_RED, GL_RG, GL_RGB, GL_RGBA};
        constexpr GLint inner[] = {GL_R8, GL_RG8, GL_RGB8, GL_RGBA8};
        const auto c = static_cast<std::size_t>(image.channels - 1);
        const GLint as = d.srgb && image.channels >= 3 ? (image.channels == 3 ? GL_SRGB8 : GL_SRGB8_ALPHA8) : inner[c];
        m_gl.TexImage2D(target, 0, as, image.width, image.height, 0, formats[c], GL_UNSIGNED_BYTE, image.pixels.data());
        t.width = image.width;
        t.height = image.height;
        t.opaque = t.opaque && isOpaque(image);
        if (image.channels < 3) {
            // Grey.
            m_gl.TexParameteri(t.target, GL_TEXTURE_SWIZZLE_G, GL_RED);
            m_gl.TexParameteri(t.target, GL_TEXTURE_SWIZZLE_B, GL_RED);
            m_gl.TexParameteri(t.target, GL_TEXTURE_SWIZZLE_A, image.channels == 2 ? GL_GREEN : GL_ONE);
        }
    };
    if (cube) {
        for (unsigned i = 0; i < 6; ++i) fill(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, load(d.cube[i]));
    } else if (!d.pixels.empty()) {
        const bool sensible = d.width > 0 && d.height > 0 && d.channels >= 1 && d.channels <= 4 &&
                              d.pixels.size() == static_cast<std::size_t>(d.width) *
                                                     static_cast<std::size_t>(d.height) *
                                                     static_cast<std::size_t>(d.channels);
        fill(GL_TEXTURE_2D, sensible ? Image{d.width, d.height, d.channels, d.pixels} : missing());
    } else {
        Image image = load(d.file);
        if (d.bumpHeight > 0.f) image = normalsOf(std::move(image), d.bumpHeight);
        fill(GL_TEXTURE_2D, flipped(std::move(image)));
    }
    const GLint wrap = d.repeat && !cube ? GL_REPEAT : GL_CLAMP_TO_EDGE;
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        m_gl.TexParameteri(t.target, axis, wrap);
    m_gl.TexParameteri(t.target, GL_TEXTURE_MAG_FILTER, d.linear ? GL_LINEAR : GL_NEAREST);
    GLint reduce = d.linear ? GL_LINEAR : GL_NEAREST;
    if (d.mipmaps) {
        m_gl.GenerateMipmap(t.target);
        reduce = d.linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_NEAREST;
    }
    m_gl.TexParameteri(t.target, GL_TEXTURE_MIN_FILTER, reduce);
    m_gl.TexParameterf(t.target, GL_TEXTURE_MIN_LOD, d.minLod);
    m_gl.TexParameterf(t.target, GL_TEXTURE_MAX_LOD, d.maxLod);
    m_gl.BindTexture(t.target, 0);
    return t;
}

const Texture& TextureCache::add(std::shared_ptr<const TextureDescription> description)
{
    auto entry = std::make_unique<Entry>();
    entry->texture = make(*description);
    entry->description = std::move(description);
    entry->frame = m_frame;
    m_entries.push_back(std::move(entry));
    return m_entries.back()->texture;
}

const Texture& TextureCache::get(const std::shared_ptr<const TextureDescription>& description)
{
    for (const auto& e : m_entries)
        if (e->description == description) {
            e->frame = m_frame;
            return e->texture;
        }
    for (const auto& e : m_entries)
        if (*e->description == *description) {
            e->description = description;
            e->frame = m_frame;
            return e->texture;
        }
    return add(description);
}

const Texture& TextureCache::get(const TextureDescription& description)
{
    for (const auto& e : m_entries)
        if (*e->description == description) {
            e->frame = m_frame;
            return e->texture;
        }
    return add(std::make_shared<TextureDescription>(description));
}

const Texture& TextureCache::image(const std::string& file)
{
    for (const auto& e : m_entries)
        if (e->description->file == file && e->description->repeat && !e->description->srgb &&
            e->description->bumpHeight <= 0.f) {
            e->frame = m_frame;
            return e->texture;
        }
    auto d = std::make_shared<TextureDescription>();
    d->file = file;
    return add(std::move(d));
}

void TextureCache::endFrame()
{
    std::erase_if(m_entries, [this](const auto& e) {
        if (e->frame == m_frame) return false;
        m_gl.DeleteTextures(1, &e->texture.id);
        return true;
    });
}

}  // namespace sofa::gl
