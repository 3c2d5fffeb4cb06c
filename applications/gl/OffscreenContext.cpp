// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/OffscreenContext.h"

#include <dlfcn.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/osmesa.h>

#include <cstring>
#include <vector>

namespace sofa::gl {

namespace {

/// A library loaded for good; throws GlError.
void* library(std::initializer_list<const char*> names)
{
    std::string why;
    for (const char* name : names) {
        if (void* l = dlopen(name, RTLD_NOW | RTLD_GLOBAL)) return l;
        const char* error = dlerror();
        if (why.empty() && error) why = error;
    }
    throw GlError(why);
}

template <class F>
F* symbol(void* from, const char* name)
{
    auto* f = reinterpret_cast<F*>(dlsym(from, name));
    if (!f) throw GlError(std::string("the library has no function ") + name);
    return f;
}

class EglBackend final : public OffscreenContext::Backend
{
public:
    enum class Platform
    {
        Surfaceless,
        Device,
        Default
    };

    explicit EglBackend(Platform platform)
        : m_library(library({"libEGL.so.1", "libEGL.so"})),
          m_getProcAddress(symbol<decltype(eglGetProcAddress)>(m_library, "eglGetProcAddress")),
          m_makeCurrent(symbol<decltype(eglMakeCurrent)>(m_library, "eglMakeCurrent")),
          m_destroyContext(symbol<decltype(eglDestroyContext)>(m_library, "eglDestroyContext")),
          m_getError(symbol<decltype(eglGetError)>(m_library, "eglGetError"))
    {
        const char* extensions =
            symbol<decltype(eglQueryString)>(m_library, "eglQueryString")(EGL_NO_DISPLAY, EGL_EXTENSIONS);
        const auto has = [&](const char* name) { return extensions && std::strstr(extensions, name); };
        const auto platformDisplay =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(m_getProcAddress("eglGetPlatformDisplayEXT"));
        if (platform == Platform::Surfaceless) {
            if (!platformDisplay || !has("EGL_MESA_platform_surfaceless")) throw GlError("EGL has no such platform");
            m_display = platformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        } else if (platform == Platform::Device) {
            const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(m_getProcAddress("eglQueryDevicesEXT"));
            EGLDeviceEXT device = nullptr;
            EGLint count = 0;
            if (!platformDisplay || !query || !has("EGL_EXT_platform_device") || !query(1, &device, &count) ||
                count < 1)
                throw GlError("EGL has no devices");
            m_display = platformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
        } else {
            m_display = symbol<decltype(eglGetDisplay)>(m_library, "eglGetDisplay")(EGL_DEFAULT_DISPLAY);
        }
        if (m_display == EGL_NO_DISPLAY) throw GlError("there is no display");
        // The display is never terminated: the library shares it with other contexts of the process.
        check(symbol<decltype(eglInitialize)>(m_library, "eglInitialize")(m_display, nullptr, nullptr),
              "eglInitialize");
        check(symbol<decltype(eglBindAPI)>(m_library, "eglBindAPI")(EGL_OPENGL_API), "eglBindAPI");
        const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        symbol<decltype(eglChooseConfig)>(m_library, "eglChooseConfig")(m_display, wanted, &config, 1, &count);
        const EGLint attributes[] = {
            EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
        m_context = symbol<decltype(eglCreateContext)>(m_library, "eglCreateContext")(
            m_display, count > 0 ? config : EGLConfig{}, EGL_NO_CONTEXT, attributes);
        check(m_context != EGL_NO_CONTEXT, "eglCreateContext for OpenGL 3.3 core");
        makeCurrent();
    }
    ~EglBackend() override
    {
        m_makeCurrent(m_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (m_context) m_destroyContext(m_display, m_context);
    }
    EglBackend(const EglBackend&) = delete;
    EglBackend& operator=(const EglBackend&) = delete;

    void makeCurrent() override
    {
        check(m_makeCurrent(m_display, EGL_NO_SURFACE, EGL_NO_SURFACE, m_context), "eglMakeCurrent");
    }
    GetProcAddress procAddress() const override
    {
        return [get = m_getProcAddress](const char* name) { return reinterpret_cast<void*>(get(name)); };
    }

private:
    void check(bool good, const char* what) const
    {
        if (!good) throw GlError(std::string(what) + " failed with error " + std::to_string(m_getError()));
    }

    void* m_library;
    decltype(eglGetProcAddress)* m_getProcAddress;
    decltype(eglMakeCurrent)* m_makeCurrent;
    decltype(eglDestroyContext)* m_destroyContext;
    decltype(eglGetError)* m_getError;
    EGLDisplay m_display = EGL_NO_DISPLAY;
    EGLContext m_context = EGL_NO_CONTEXT;
};

class OsMesaBackend final : public OffscreenContext::Backend
{
public:
    OsMesaBackend()
        : m_library(library({"libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so"})),
          m_getProcAddress(symbol<decltype(OSMesaGetProcAddress)>(m_library, "OSMesaGetProcAddress")),
          m_makeCurrent(symbol<decltype(OSMesaMakeCurrent)>(m_library, "OSMesaMakeCurrent")),
          m_destroyContext(symbol<decltype(OSMesaDestroyContext)>(m_library, "OSMesaDestroyContext"))
    {
        const int attributes[] = {OSMESA_FORMAT,
                                  OSMESA_RGBA,
                                  OSMESA_DEPTH_BITS,
                                  24,
                                  OSMESA_PROFILE,
                                  OSMESA_CORE_PROFILE,
                                  OSMESA_CONTEXT_MAJOR_VERSION,
                                  3,
                                  OSMESA_CONTEXT_MINOR_VERSION,
                                  3,
                                  0};
        m_context =
            symbol<decltype(OSMesaCreateContextAttribs)>(m_library, "OSMesaCreateContextAttribs")(attributes, nullptr);
        if (!m_context) throw GlError("OSMesaCreateContextAttribs for OpenGL 3.3 core failed");
        makeCurrent();
    }
    ~OsMesaBackend() override { m_destroyContext(m_context); }
    OsMesaBackend(const OsMesaBackend&) = delete;
    OsMesaBackend& operator=(const OsMesaBackend&) = delete;

    void makeCurrent() override
    {
        if (!m_makeCurrent(m_context, m_pixels.data(), 0x1401 /* GL_UNSIGNED_BYTE */, size, size))
            throw GlError("OSMesaMakeCurrent failed");
    }
    GetProcAddress procAddress() const override
    {
        return [get = m_getProcAddress](const char* name) { return reinterpret_cast<void*>(get(name)); };
    }

private:
    /// It wants an image of its own, which nothing is drawn into.
    static constexpr int size = 4;
    std::vector<unsigned char> m_pixels = std::vector<unsigned char>(4 * size * size);
    void* m_library;
    decltype(OSMesaGetProcAddress)* m_getProcAddress;
    decltype(OSMesaMakeCurrent)* m_makeCurrent;
    decltype(OSMesaDestroyContext)* m_destroyContext;
    OSMesaContext m_context = nullptr;
};

}  // namespace

OffscreenContext::OffscreenContext(Kind kind)
{
    std::string tried;
    const auto attempt = [&](const char* name, auto make) {
        if (m_backend) return;
        try {
            m_backend = make();
            m_kind = name;
        } catch (const GlError& e) {
            tried += std::string(tried.empty() ? "" : "; ") + name + ": " + e.what();
        }
    };
    if (kind != Kind::OsMesa) {
        using Platform = EglBackend::Platform;
        attempt("EGL surfaceless", [] { return std::make_unique<EglBackend>(Platform::Surfaceless); });
        attempt("EGL device", [] { return std::make_unique<EglBackend>(Platform::Device); });
        attempt("EGL", [] { return std::make_unique<EglBackend>(Platform::Default); });
    }
    if (kind != Kind::Egl) attempt("OSMesa", [] { return std::make_unique<OsMesaBackend>(); });
    if (!m_backend) throw GlError("no OpenGL 3.3 context without a window can be made (" + tried + ")");
}

OffscreenContext::~OffscreenContext() = default;

void OffscreenContext::makeCurrent() { m_backend->makeCurrent(); }

GetProcAddress OffscreenContext::procAddress() const { return m_backend->procAddress(); }

}  // namespace sofa::gl
