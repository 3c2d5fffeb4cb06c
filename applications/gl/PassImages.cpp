// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/PassImages.h"

namespace sofa::gl {

PassImages::~PassImages()
{
    for (auto& [name, image] : m_all) release(image);
}

void PassImages::release(Image& p) const
{
    if (p.framebuffer) m_gl.DeleteFramebuffers(1, &p.framebuffer);
    for (const GLuint t : {p.color, p.depth})
        if (t) m_gl.DeleteTextures(1, &t);
    p = {};
}

GLuint PassImages::texture(GLenum inner, GLenum format, GLenum type, int width, int height) const
{
    GLuint t = 0;
    m_gl.GenTextures(1, &t);
    m_gl.BindTexture(GL_TEXTURE_2D, t);
    m_gl.TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(inner), width, height, 0, format, type, nullptr);
    const GLint filter = format == GL_RGBA ? GL_LINEAR : GL_NEAREST;
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    m_gl.BindTexture(GL_TEXTURE_2D, 0);
    return t;
}

const PassImages::Image& PassImages::get(std::string_view name, int width, int height)
{
    auto known = m_all.find(name);
    if (known == m_all.end()) known = m_all.emplace(std::string(name), Image{}).first;
    Image& p = known->second;
    if (p.framebuffer && p.width == width && p.height == height) return p;
    release(p);
    p.width = width;
    p.height = height;
    p.depthName = known->first + "_Z";
    p.color = texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, width, height);
    p.depth = texture(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, width, height);
    m_gl.GenFramebuffers(1, &p.framebuffer);
    m_gl.BindFramebuffer(GL_FRAMEBUFFER, p.framebuffer);
    m_gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, p.color, 0);
    m_gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, p.depth, 0);
    if (m_gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw GlError("the driver refuses a framebuffer of " + std::to_string(width) + 'x' + std::to_string(height) +
                      " pixels for a pass");
    return p;
}

const PassImages::Image* PassImages::find(std::string_view name) const
{
    const auto p = m_all.find(name);
    return p == m_all.end() ? nullptr : &p->second;
}

}  // namespace sofa::gl
