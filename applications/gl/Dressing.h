// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "applications/gl/Camera.h"
#include "core/visual/DrawList.h"

namespace sofa::gl {

struct RenderSettings;

/// Adds to a frame what depends on the view: legends, which are laid out so that all of them are inside; and, where
/// viewer and scene want them and the scene has none of its own, light from above with soft shadows, a ground, and the
/// axes of the scene in a corner.
class Dressing
{
public:
    /// Slots of the things added are this one and those above; scenes count theirs from 1.
    static constexpr std::uint64_t firstSlot = ~std::uint64_t{0} - 1024;
    static constexpr std::uint64_t groundSlot = firstSlot;
    /// Width of a text [pixel] of a height [pixel].
    using TextWidth = std::function<float(const std::string&, float)>;

    /// The frame with what is added; `list` itself if there is nothing. Valid until the next call.
    const DrawList& dress(const DrawList& list, const Camera& camera, const RenderSettings& settings,
                          const TextWidth& textWidth);
    /// What casts shadows and what they fall on, of things in a box.
    static BoundingBox litBox(const DrawList& dressed, const BoundingBox& things);

private:
    struct Ground
    {
        GroundDescription where;
        Vec3 centre;
        double radius = 0.;
        std::shared_ptr<Geometry> geometry;
    };
    struct Legend
    {
        std::shared_ptr<const LegendDescription> shown;
        std::array<float, 4> place{};  ///< x, y, scale, width of the frame
        float width = 0.f, height = 0.f;
        std::shared_ptr<Geometry> panel, texts;
    };

    /// Not where the scene has lights or shaders of its own.
    bool addLights(bool shadows);
    void addGround();
    void addLegends(const Camera& camera, double pixelRatio, const TextWidth& textWidth);
    void layOut(Legend& legend, const LegendDescription& d, float x, float y, float scale, const TextWidth& textWidth);

    DrawList m_list;
    Ground m_ground;
    std::vector<Legend> m_legends;
    std::shared_ptr<const SurfaceDescription> m_groundSurface;
    std::uint64_t m_revision = 0;
};

/// Texts of the values at the ticks of a legend, from below, and its title: with a prefix to the unit at the end of the
/// title ("[Pa]") so that the numbers are short.
struct LegendTexts
{
    std::string title;
    std::vector<std::string> ticks;
};
LegendTexts legendTexts(const LegendDescription& legend);

}  // namespace sofa::gl
