// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/OrientedBox.h"

#include <cmath>
#include <stdexcept>

#include "core/mesh/SubElements.h"
#include "core/objectmodel/DataText.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

OrientedBox::OrientedBox(const Vec<10>& b)
{
    const Vec3 p1{b[3], b[4], b[5]};
    m_p0 = {b[0], b[1], b[2]};
    m_p2 = {b[6], b[7], b[8]};
    const Vec3 diagonal = m_p2 - m_p0, p3 = m_p0 + (m_p2 - p1);
    m_normal = normalized(cross(p1 - m_p0, diagonal));
    if (m_normal == Vec3{})
        throw std::runtime_error("the three points " + toText(b) + " lie on a line and span no box");
    const std::array<Vec3, 2> sides{p1 - m_p0, m_p2 - p1};
    for (std::size_t i = 0; i < 2; ++i) {
        m_sideNormals[i] = normalized(cross(sides[i], m_normal));
        m_extents[i] = std::abs(dot(diagonal, m_sideNormals[i]));
    }
    m_halfDepth = std::abs(b[9] / 2.);
    const Vec3 half = m_normal * (b[9] / 2.);
    m_corners = {m_p0 - half, p1 - half, m_p2 - half, p3 - half, m_p0 + half, p1 + half, m_p2 + half, p3 + half};
}

bool OrientedBox::contains(const Vec3& p) const
{
    const Vec3 from0 = p - m_p0, from2 = p - m_p2;
    for (std::size_t i = 0; i < 2; ++i)
        if (!(std::abs(dot(from0, m_sideNormals[i])) <= m_extents[i] &&
              std::abs(dot(from2, m_sideNormals[i])) <= m_extents[i]))
            return false;
    return withinDepth(p);
}

bool OrientedBox::withinDepth(const Vec3& p) const { return std::abs(dot(p - m_p0, m_normal)) <= m_halfDepth; }

void OrientedBox::draw(DrawTool& tool, const std::vector<OrientedBox>& boxes, const Color& color, float pixels)
{
    auto x = tool.scratch<Vec3>();
    auto edges = tool.scratch<Edge>();
    for (const OrientedBox& b : boxes) {
        const auto first = static_cast<Index>(x.size());
        x.insert(x.end(), b.corners().begin(), b.corners().end());
        for (const auto& e : hexahedronEdges) edges.push_back({first + e[0], first + e[1]});
    }
    drawEdges(tool, edges, x, color, pixels);
}

}  // namespace sofa::component
