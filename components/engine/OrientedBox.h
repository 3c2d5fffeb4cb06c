// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/visual/DrawTool.h"

namespace sofa::component {

/// Box over a parallelogram p0, p1, p2, p3 = p0 + (p2 − p1), from half a depth below it to half a depth above. Scenes
/// give the three points and the depth [m].
class OrientedBox
{
public:
    /// Throws std::runtime_error if the points lie on a line.
    explicit OrientedBox(const core::Vec<10>& pointsAndDepth);
    /// Whether |(p − p0)·n| and |(p − p2)·n| are at most the extents for the normals of two pairs of sides, and
    /// |(p − p0)·normal| at most half the depth. The border belongs to the box.
    bool contains(const core::Vec3& p) const;
    /// Whether |(p − p0)·normal| is at most half the depth.
    bool withinDepth(const core::Vec3& p) const;
    /// The four corners on one side of the parallelogram, then those on the other.
    const std::array<core::Vec3, 8>& corners() const { return m_corners; }

    static void draw(core::DrawTool& tool, const std::vector<OrientedBox>& boxes, const core::Color& color,
                     float pixels);

private:
    core::Vec3 m_p0, m_p2, m_normal;
    std::array<core::Vec3, 2> m_sideNormals;
    std::array<double, 2> m_extents;
    double m_halfDepth;
    std::array<core::Vec3, 8> m_corners;
};

}  // namespace sofa::component
