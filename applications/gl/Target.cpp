// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Target.h"

#include <algorithm>
#include <string>

namespace sofa::gl {

void Target::release()
{
    for (GLuint* f : {&m_main, &m_resolved, &m_sums, &m_sumsResolved}) {
        if (*f) m_gl.DeleteFramebuffers(1, f);
        *f = 0;
    }
    for (GLuint* r : {&m_color, &m_depth, &m_resolvedColor, &m_sumBuffers[0], &m_sumBuffers[1]}) {
        if (*r) m_gl.DeleteRenderbuffers(1, r);
        *r = 0;
    }
    for (GLuint& t : m_sumTextures) {
        if (t) m_gl.DeleteTextures(1, &t);
        t = 0;
    }
}

GLuint Target::renderbuffer(GLenum format, int samples) const
{
    GLuint r = 0;
    m_gl.GenRenderbuffers(1, &r);
    m_gl.BindRenderbuffer(GL_RENDERBUFFER, r);
    if (samples > 1)
        m_gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, m_width, m_height);
    else
        m_gl.RenderbufferStorage(GL_RENDERBUFFER, format, m_width, m_height);
    return r;
}

GLuint Target::texture(GLenum inner, GLenum format, GLenum type) const
{
    GLuint t = 0;
    m_gl.GenTextures(1, &t);
    m_gl.BindTexture(GL_TEXTURE_2D, t);
    m_gl.TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(inner), m_width, m_height, 0, format, type, nullptr);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    m_gl.BindTexture(GL_TEXTURE_2D, 0);
    return t;
}

void Target::check(const char* what) const
{
    if (m_gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw GlError(std::string("the driver refuses a framebuffer for ") + what + " of " + std::to_string(m_width) +
                      'x' + std::to_string(m_height) + " pixels");
}

void Target::resize(int width, int height, int samples, bool srgb)
{
    GLint most = 1;
    m_gl.GetIntegerv(GL_MAX_SAMPLES, &most);
    samples = std::clamp(samples, 1, std::max(1, static_cast<int>(most)));
    if (m_main && width == m_width && height == m_height && samples == m_samples && srgb == m_srgb) return;
    GLint largest = 0;
    m_gl.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    if (width < 1 || height < 1 || width > largest || height > largest)
        throw GlError("images of " + std::to_string(width) + 'x' + std::to_string(height) +
                      " pixels cannot be drawn; the largest are " + std::to_string(largest) + 'x' +
                      std::to_string(largest));
    release();
    m_width = width;
    m_height = height;
    m_samples = samples;
    m_srgb = srgb;
    const GLenum format = srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8;
    m_color = renderbuffer(format, samples);
    m_depth = renderbuffer(GL_DEPTH_COMPONENT24, samples);
    m_gl.GenFramebuffers(1, &m_main);
    m_gl.BindFramebuffer(GL_FRAMEBUFFER, m_main);
    m_gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, m_color);
    m_gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, m_depth);
    check("images");
    m_resolvedColor = renderbuffer(format, 1);
    m_gl.GenFramebuffers(1, &m_resolved);
    m_gl.BindFramebuffer(GL_FRAMEBUFFER, m_resolved);
    m_gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, m_resolvedColor);
    check("images");
}

void Target::resolve()
{
    m_gl.BindFramebuffer(GL_READ_FRAMEBUFFER, m_main);
    m_gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, m_resolved);
    m_gl.BlitFramebuffer(0, 0, m_width, m_height, 0, 0, m_width, m_height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Target::bindSums()
{
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    if (!m_sums) {
        m_sumBuffers[0] = renderbuffer(GL_RGBA16F, m_samples);
        m_sumBuffers[1] = renderbuffer(GL_RGBA16F, m_samples);
        m_gl.GenFramebuffers(1, &m_sums);
        m_gl.BindFramebuffer(GL_FRAMEBUFFER, m_sums);
        for (unsigned i = 0; i < 2; ++i)
            m_gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, both[i], GL_RENDERBUFFER, m_sumBuffers[i]);
        m_gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, m_depth);
        m_gl.DrawBuffers(2, both);
        check("transparency");
        m_gl.GenFramebuffers(1, &m_sumsResolved);
        m_gl.BindFramebuffer(GL_FRAMEBUFFER, m_sumsResolved);
        for (unsigned i = 0; i < 2; ++i) {
            m_sumTextures[i] = texture(GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT);
            m_gl.FramebufferTexture2D(GL_FRAMEBUFFER, both[i], GL_TEXTURE_2D, m_sumTextures[i], 0);
        }
        m_gl.DrawBuffers(2, both);
        check("transparency");
    }
    m_gl.BindFramebuffer(GL_FRAMEBUFFER, m_sums);
    const float nothing[] = {0.f, 0.f, 0.f, 1.f}, none[] = {0.f, 0.f, 0.f, 0.f};
    m_gl.ClearBufferfv(GL_COLOR, 0, nothing);
    m_gl.ClearBufferfv(GL_COLOR, 1, none);
}

void Target::resolveSums()
{
    m_gl.BindFramebuffer(GL_READ_FRAMEBUFFER, m_sums);
    m_gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, m_sumsResolved);
    for (const GLenum attachment : {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1}) {
        m_gl.ReadBuffer(attachment);
        m_gl.DrawBuffer(attachment);
        m_gl.BlitFramebuffer(0, 0, m_width, m_height, 0, 0, m_width, m_height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    for (unsigned i = 0; i < 2; ++i) {
        m_gl.ActiveTexture(GL_TEXTURE0 + i);
        m_gl.BindTexture(GL_TEXTURE_2D, m_sumTextures[i]);
    }
    m_gl.ActiveTexture(GL_TEXTURE0);
}

void PickTarget::release()
{
    if (m_framebuffer) m_gl.DeleteFramebuffers(1, &m_framebuffer);
    if (m_numbers) m_gl.DeleteRenderbuffers(1, &m_numbers);
    if (m_depth) m_gl.DeleteRenderbuffers(1, &m_depth);
    m_framebuffer = m_numbers = m_depth = 0;
}

void PickTarget::resize(int width, int height)
{
    if (m_framebuffer && width == m_width && height == m_height) return;
    release();
    m_width = width;
    m_height = height;
    m_gl.GenFramebuffers(1, &m_framebuffer);
    m_gl.BindFramebuffer(GL_FRAMEBUFFER, m_framebuffer);
    m_gl.GenRenderbuffers(1, &m_numbers);
    m_gl.BindRenderbuffer(GL_RENDERBUFFER, m_numbers);
    m_gl.RenderbufferStorage(GL_RENDERBUFFER, GL_RG32UI, width, height);
    m_gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, m_numbers);
    m_gl.GenRenderbuffers(1, &m_depth);
    m_gl.BindRenderbuffer(GL_RENDERBUFFER, m_depth);
    m_gl.RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    m_gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, m_depth);
    if (m_gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw GlError("the driver refuses a framebuffer of whole numbers");
}

}  // namespace sofa::gl
