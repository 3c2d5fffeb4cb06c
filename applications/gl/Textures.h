// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "applications/gl/Functions.h"

namespace sofa::gl {

/// A texture on the GPU.
struct Texture
{
    GLuint id = 0;
    GLenum target = GL_TEXTURE_2D;  ///< or a cube map
    int width = 0, height = 0;
    bool opaque = true;  ///< no pixel has an opacity below 1
};

/// Keeps textures by what they are described by. An image that cannot be read is reported once; a grey board of squares
/// stands for it.
class TextureCache
{
public:
    explicit TextureCache(const Functions& gl) : m_gl(gl) {}
    ~TextureCache();
    TextureCache(const TextureCache&) = delete;
    TextureCache& operator=(const TextureCache&) = delete;

    /// Valid until endFrame() of the first frame in which it was not asked for.
    const Texture& get(const std::shared_ptr<const TextureDescription>& description);
    const Texture& get(const TextureDescription& description);
    /// An image of a file, in linear filtering without repetition.
    const Texture& image(const std::string& file);
    void beginFrame() { ++m_frame; }
    void endFrame();

private:
    struct Entry
    {
        std::shared_ptr<const TextureDescription> description;
        Texture texture;
        std::size_t frame = 0;
    };

    Texture make(const TextureDescription& d) const;
    const Texture& add(std::shared_ptr<const TextureDescription> description);

    const Functions& m_gl;
    std::vector<std::unique_ptr<Entry>> m_entries;
    std::size_t m_frame = 0;
};

}  // namespace sofa::gl
