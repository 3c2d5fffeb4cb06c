// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "applications/gl/Functions.h"

namespace sofa::gl {

/// Images that passes draw into and later ones read: colours and depths, one sample for each pixel.
class PassImages
{
public:
    struct Image
    {
        int width = 0, height = 0;
        GLuint framebuffer = 0, color = 0, depth = 0;
        std::string depthName;  ///< by which shaders know its depth
    };

    explicit PassImages(const Functions& gl) : m_gl(gl) {}
    ~PassImages();
    PassImages(const PassImages&) = delete;
    PassImages& operator=(const PassImages&) = delete;

    /// The image of a name; made, or made anew, if it is of another size.
    const Image& get(std::string_view name, int width, int height);
    /// nullptr if no pass made it.
    const Image* find(std::string_view name) const;

private:
    GLuint texture(GLenum inner, GLenum format, GLenum type, int width, int height) const;
    void release(Image& p) const;

    const Functions& m_gl;
    std::map<std::string, Image, std::less<>> m_all;
};

}  // namespace sofa::gl
