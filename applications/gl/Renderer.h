// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>

#include "applications/gl/Camera.h"
#include "applications/gl/Image.h"
#include "core/visual/DrawList.h"

namespace sofa::gl {

/// Thrown when OpenGL cannot do what is needed.
struct GlError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Address of a function of OpenGL by its name, in the current context; null if there is none.
using GetProcAddress = std::function<void*(const char*)>;

/// What the viewer chooses, not the scene.
struct RenderSettings
{
    int samples = 4;                     ///< for each pixel; 0 or 1: edges are not smoothed
    Color background{1.f, 1.f, 1.f};     ///< unless the scene has one
    bool transparentBackground = false;  ///< images with opacity 0 where nothing is
    bool surroundings = false;           ///< sky, ground, light and axes, where the scene wants them and has none
    bool sky = true;                     ///< and ground, as a part of that; else there is the background
    double pixelRatio = 1.;              ///< pixels of the framebuffer in one of the screen: widths, letters
    bool tessellation = true;            ///< the GPU divides curved triangles, where it can (OpenGL 4)
    /// What is in space is cut: n·x + d ≥ 0 is drawn and picked, beside what the planes of the scene leave. The ground
    /// and the axes in the corner stay whole, and the viewer's own light casts no shadows then.
    std::optional<Vec<4, float>> clip = {};
    friend bool operator==(const RenderSettings&, const RenderSettings&) = default;
};

/// What a renderer did for the last frame, and what it holds.
struct RenderStatistics
{
    std::size_t uploads = 0;        ///< arrays of geometry sent to the GPU
    std::size_t uploadedBytes = 0;  ///< of them
    std::size_t drawCalls = 0;
    std::size_t triangles = 0;
    std::size_t buffers = 0;  ///< alive now, of geometry
};

/// What is seen at a pixel.
struct Pick
{
    enum class Primitive
    {
        Point,
        Line,
        Triangle,
        Solid
    };
    std::size_t item = 0;              ///< index in the list's items
    std::uint64_t slot = 0;            ///< of the item
    const Component* owner = nullptr;  ///< of the item: only to compare
    Primitive primitive = Primitive::Triangle;
    std::size_t index = 0;      ///< of the primitive in its array of the geometry: of curved triangles, the patch
    Vec3 position;              ///< [m]
    double pixelDistance = 0.;  ///< to the pixel that was asked for
};

/// Draws DrawLists with OpenGL 3.3 core. One renderer belongs to one context, which must be current in every call, the
/// destructor's too. It draws into framebuffers of its own and copies the result; the state of the context afterwards
/// is: no program, no vertex array, no texture in unit 0, depth test, blending and culling off.
class Renderer
{
public:
    /// Throws GlError if the context lacks what is needed.
    explicit Renderer(const GetProcAddress& load);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    /// Draws a frame of the camera's size and copies it to a framebuffer of the context (0: the window's; none: it
    /// is only kept for image()). Arrays with the revision that they had at the frame before are not uploaded.
    void draw(const DrawList& list, const Camera& camera, const RenderSettings& settings = {},
              std::optional<unsigned> framebuffer = {});
    /// The last frame: RGB, or RGBA where its background was transparent.
    Image image();
    /// What is seen nearest to a pixel (from the upper left corner, of the camera's view), at most `tolerance` pixels
    /// away; lines and points count as a pixel and a half nearer than they are. `wanted` chooses items; hidden
    /// ones do not hide others.
    std::optional<Pick> pick(const DrawList& list, const Camera& camera, double x, double y, int tolerance = 3,
                             const std::function<bool(const DrawItem&)>& wanted = {});

    const RenderStatistics& statistics() const;
    /// Vendor, renderer and version, for the user.
    std::string description() const;

private:
    class Implementation;
    std::unique_ptr<Implementation> m;
};

}  // namespace sofa::gl
