// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <string>

#include "applications/gl/Renderer.h"

namespace sofa::gl {

/// An OpenGL 3.3 core context without a window or a display: by EGL (surfaceless, then the first device, then the
/// default display), else by OSMesa in software. Renderers draw into framebuffers of their own there. The libraries
/// are loaded when the first context is made, so nothing is linked to them.
class OffscreenContext
{
public:
    enum class Kind
    {
        Any,
        Egl,
        OsMesa
    };
    /// Makes the context and makes it current in this thread. Throws GlError that says what was tried and why it
    /// failed.
    explicit OffscreenContext(Kind kind = Kind::Any);
    ~OffscreenContext();
    OffscreenContext(const OffscreenContext&) = delete;
    OffscreenContext& operator=(const OffscreenContext&) = delete;

    void makeCurrent();
    GetProcAddress procAddress() const;
    /// "EGL surfaceless", "OSMesa", ...
    const std::string& kind() const { return m_kind; }

    /// One way to make a context.
    class Backend
    {
    public:
        virtual ~Backend() = default;
        virtual void makeCurrent() = 0;
        virtual GetProcAddress procAddress() const = 0;
    };

private:
    std::unique_ptr<Backend> m_backend;
    std::string m_kind;
};

}  // namespace sofa::gl
