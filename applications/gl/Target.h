// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "applications/gl/Functions.h"

namespace sofa::gl {

/// A framebuffer with colours and depths, several samples for each pixel if wanted, and a copy of its colours with one
/// sample. Sums for weighted transparency, and numbers for picking, are made when they are needed first.
class Target
{
public:
    explicit Target(const Functions& gl) : m_gl(gl) {}
    ~Target() { release(); }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    /// Makes it anew if anything changed. Throws GlError if the driver refuses.
    void resize(int width, int height, int samples, bool srgb);
    void bind() const { m_gl.BindFramebuffer(GL_FRAMEBUFFER, m_main); }
    /// Colours, one sample; what resolve() copied last.
    GLuint resolved() const { return m_resolved; }
    GLuint main() const { return m_main; }
    void resolve();
    /// Binds the sums of weighted transparency, which share the depths; cleared.
    void bindSums();
    /// Copies the sums to textures of one sample and binds those to units 0 and 1.
    void resolveSums();

    int width() const { return m_width; }
    int height() const { return m_height; }

private:
    GLuint renderbuffer(GLenum format, int samples) const;
    GLuint texture(GLenum inner, GLenum format, GLenum type) const;
    void check(const char* what) const;
    void release();

    const Functions& m_gl;
    int m_width = 0, m_height = 0, m_samples = 0;
    bool m_srgb = false;
    GLuint m_main = 0, m_resolved = 0, m_sums = 0, m_sumsResolved = 0;
    GLuint m_color = 0, m_depth = 0, m_resolvedColor = 0;
    GLuint m_sumBuffers[2] = {0, 0}, m_sumTextures[2] = {0, 0};
};

/// A framebuffer of two whole numbers for each pixel, and depths.
class PickTarget
{
public:
    explicit PickTarget(const Functions& gl) : m_gl(gl) {}
    ~PickTarget() { release(); }
    PickTarget(const PickTarget&) = delete;
    PickTarget& operator=(const PickTarget&) = delete;
    void resize(int width, int height);
    GLuint framebuffer() const { return m_framebuffer; }

private:
    void release();
    const Functions& m_gl;
    int m_width = 0, m_height = 0;
    GLuint m_framebuffer = 0, m_numbers = 0, m_depth = 0;
};

}  // namespace sofa::gl
