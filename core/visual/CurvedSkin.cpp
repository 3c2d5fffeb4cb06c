// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/CurvedSkin.h"

#include <algorithm>

namespace sofa::core {

namespace {

using Control = std::array<Vec3, 6>;

/// Control points of a face: its corners, then those of its sides.
Control controlOf(const SkinFace& face, const Vector<Index>& points, const BezierTopology& mesh, const Vector<Vec3>& x)
{
    const auto corner = [&](std::size_t k) { return points[face.corners[k]]; };
    Control c;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto [a, b] = bezierTriangleEdges[k];
        c[k] = x[corner(k)];
        c[3 + k] = x[controlPointOf(mesh, face.element, corner(a), corner(b))];
    }
    return c;
}

/// Normal of a face at barycentric coordinates, as long as its area is large.
Vec3 normalAt(const Control& c, const std::array<double, 3>& alpha)
{
    std::array<Vec3, 3> d;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) d[i] += c[bezierTriangleControl[i][j]] * alpha[j];
    return cross(d[1] - d[0], d[2] - d[0]);
}

}  // namespace

void CurvedSkin::fill(Geometry& g, const Vector<SkinFace>& faces, const Vector<Index>& points,
                      const BezierTopology& mesh, const Vector<Vec3>& x)
{
    m_corners.assign(points.size(), {});
    m_middles.resize(3 * faces.size());
    m_sides.clear();
    g.positions.reserve(6 * faces.size());
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const SkinFace& face = faces[f];
        const Control c = controlOf(face, points, mesh, x);
        std::array<Index, 6> patch{};
        for (std::size_t k = 0; k < 6; ++k) {
            patch[k] = static_cast<Index>(g.positions.size());
            g.positions.push_back(Vec3f(c[k]));
        }
        g.patches.push_back(patch);
        for (std::size_t k = 0; k < 3; ++k) {
            std::array<double, 3> alpha{};
            alpha[k] = 1.;
            m_corners[face.corners[k]] += normalAt(c, alpha);
            const auto [a, b] = bezierTriangleEdges[k];
            alpha = {};
            alpha[a] = alpha[b] = 0.5;
            m_middles[3 * f + k] = normalAt(c, alpha);
            const Index from = face.corners[a], to = face.corners[b];
            m_sides.push_back({{std::min(from, to), std::max(from, to)}, 3 * f + k});
        }
    }
    // Sides of two faces that have both ends in common are smooth.
    std::ranges::sort(
        m_sides, [](const Side& a, const Side& b) { return a.ends != b.ends ? a.ends < b.ends : a.place < b.place; });
    for (std::size_t i = 0, j = 0; i < m_sides.size(); i = j) {
        Vec3 sum;
        for (j = i; j < m_sides.size() && m_sides[j].ends == m_sides[i].ends; ++j) sum += m_middles[m_sides[j].place];
        for (std::size_t k = i; k < j; ++k) m_middles[m_sides[k].place] = sum;
    }
    g.normals.reserve(6 * faces.size());
    const Vec3 none{0., 0., 1.};
    for (std::size_t f = 0; f < faces.size(); ++f) {
        std::array<Vec3, 3> n;
        for (std::size_t k = 0; k < 3; ++k) {
            n[k] = normalized(m_corners[faces[f].corners[k]], none);
            g.normals.push_back(Vec3f(n[k]));
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 middle = normalized(m_middles[3 * f + k], none);
            g.normals.push_back(
                Vec3f(middle * 2. - (n[bezierTriangleEdges[k][0]] + n[bezierTriangleEdges[k][1]]) * 0.5));
        }
    }
}

void CurvedSkin::fillColors(Geometry& g, const Vector<SkinFace>& faces, FunctionRef<Color(Index, Index)> colorOf)
{
    g.colors.reserve(6 * faces.size());
    for (const SkinFace& face : faces) {
        std::array<Color, 3> c;
        for (std::size_t k = 0; k < 3; ++k) g.colors.push_back(c[k] = colorOf(face.element, face.corners[k]));
        for (const auto [a, b] : bezierTriangleEdges) {
            Color middle;
            middle.rgba = (c[a].rgba + c[b].rgba) * 0.5f;
            g.colors.push_back(middle);
        }
    }
}

}  // namespace sofa::core
