// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/MeshQueries.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/topology/CellCoordinates.h"

namespace sofa::core::geometry {

namespace {

template <std::size_t N, class NearestOf>
ClosestElement closestOf(const Vector<std::array<Index, N>>& elements, const Positions& position, const Vec3& p,
                         NearestOf nearestOf)
{
    ClosestElement best;
    best.distance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < elements.size(); ++i) {
        std::array<Vec3, N> x;
        BoundingBox box;
        for (std::size_t k = 0; k < N; ++k) {
            x[k] = position(elements[i][k]);
            box.include(x[k]);
        }
        // Elements lie in the boxes of their corners.
        Vec3 away;
        for (std::size_t k = 0; k < 3; ++k) away[k] = std::max({0., box.low[k] - p[k], p[k] - box.high[k]});
        if (norm(away) > best.distance) continue;
        const Nearest<N> n = nearestOf(x);
        if (!(n.distance < best.distance)) continue;
        best = {static_cast<Index>(i), n.point, {}, n.distance};
        for (std::size_t k = 0; k < N; ++k) best.weights[k] = n.weights[k];
    }
    return best;
}

}  // namespace

ClosestElement closestElement(const Vec3& p, const Vector<Edge>& edges, const Positions& position)
{
    return closestOf(edges, position, p, [&p](const auto& x) { return nearestOnSegment(p, x[0], x[1]); });
}

ClosestElement closestElement(const Vec3& p, const Vector<Triangle>& triangles, const Positions& position)
{
    return closestOf(triangles, position, p, [&p](const auto& x) { return nearestOnTriangle(p, x[0], x[1], x[2]); });
}

ClosestElement closestElement(const Vec3& p, const Vector<Tetrahedron>& tetrahedra, const Positions& position)
{
    return closestOf(tetrahedra, position, p,
                     [&p](const auto& x) { return nearestOnTetrahedron(p, x[0], x[1], x[2], x[3]); });
}

ClosestElement closestElement(const Vec3& p, const Vector<Hexahedron>& hexahedra, const Positions& position)
{
    return closestOf(hexahedra, position, p, [&p](const auto& x) { return nearestOnHexahedron(p, x); });
}

ClosestElement closestElement(const Vec3& p, const Vector<Prism>& prisms, const Positions& position)
{
    return closestOf(prisms, position, p, [&p](const auto& x) { return nearestOnPrism(p, x); });
}

ClosestElement closestElement(const Vec3& p, const Vector<Pyramid>& pyramids, const Positions& position)
{
    return closestOf(pyramids, position, p, [&p](const auto& x) { return nearestOnPyramid(p, x); });
}

ClosestElement closestQuad(const Vec3& p, const Vector<Quad>& quads, const Positions& position)
{
    return closestOf(quads, position, p, [&p](const auto& x) { return nearestOnQuad(p, x); });
}

Vector<SegmentCrossing> crossings(const Vec3& p, const Vec3& q, const Vector<Triangle>& triangles,
                                  const Positions& position)
{
    Vector<SegmentCrossing> found;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const Triangle& t = triangles[i];
        if (const auto c = segmentCrossesTriangle(p, q, position(t[0]), position(t[1]), position(t[2])))
            found.push_back({*c, static_cast<Index>(i)});
    }
    std::ranges::stable_sort(found, {}, &SegmentCrossing::s);
    return found;
}

Vector<PlaneSection> planeSections(const Vec3& origin, const Vec3& normal, const Vector<Triangle>& triangles,
                                   const Positions& position)
{
    if (!(norm(normal) > 0.)) throw std::invalid_argument("the normal of the plane has no length");
    const Vec3 n = normal / norm(normal);
    Vector<PlaneSection> sections;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const Triangle& t = triangles[i];
        std::array<Vec3, 3> x;
        std::array<double, 3> height;
        for (std::size_t k = 0; k < 3; ++k) {
            x[k] = position(t[k]);
            height[k] = dot(n, x[k] - origin);
        }
        PlaneSection section{static_cast<Index>(i), {}};
        std::size_t ends = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t next = (k + 1) % 3;
            const bool above = height[k] >= 0., nextAbove = height[next] >= 0.;
            if (above == nextAbove) continue;
            // From the lower number to the higher one, so that both triangles of an edge compute the same bits.
            const bool turned = t[next] < t[k];
            const std::size_t a = turned ? next : k, b = turned ? k : next;
            // The section begins where the triangle's side goes down.
            section.ends[above ? 0 : 1] = x[a] + (x[b] - x[a]) * (height[a] / (height[a] - height[b]));
            ++ends;
        }
        if (ends == 2) sections.push_back(section);
    }
    return sections;
}

Curvature curvatureAt(const BaseMeshTopology& mesh, Index vertex, const Positions& position)
{
    const auto refuse = [vertex](const char* why) -> Curvature {
        throw std::invalid_argument("the surface has no curvature at the point " + std::to_string(vertex) + ": " + why);
    };
    Vector<Index> near{vertex};
    for (int ring = 0; ring < 2; ++ring) {
        const Vector<Index> from = near;
        for (const Index v : from)
            for (const Index w : mesh.verticesAroundVertex(v))
                if (std::ranges::find(near, w) == near.end()) near.push_back(w);
    }
    if (near.size() < 6) return refuse("it needs five neighbours");
    const Vec3 x = position(vertex);
    Vec3 n;
    for (const Index t : mesh.trianglesAroundVertex(vertex)) {
        const Triangle& c = mesh.triangles()[t];
        n += triangleAreaVector(position(c[0]), position(c[1]), position(c[2]));
    }
    if (!(norm(n) > 0.)) return refuse("its triangles have no normal");
    n = n / norm(n);
    const std::size_t smallest = std::abs(n[0]) <= std::abs(n[1]) && std::abs(n[0]) <= std::abs(n[2]) ? 0
                                 : std::abs(n[1]) <= std::abs(n[2])                                   ? 1
                                                                                                      : 2;
    Vec3 axis;
    axis[smallest] = 1.;
    const Vec3 u = normalized(cross(axis, n)), v = cross(n, u);

    // w = d u + e v + (a u² + 2 b u v + c v²) / 2, with lengths in units of the neighbourhood.
    double size = 0.;
    for (const Index k : near) size = std::max(size, norm(position(k) - x));
    const auto rows = static_cast<Eigen::Index>(near.size() - 1);
    Eigen::Matrix<double, Eigen::Dynamic, 5> m(rows, 5);
    Eigen::VectorXd w(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const Vec3 r = (position(near[static_cast<std::size_t>(i) + 1]) - x) / size;
        const double s = dot(r, u), t = dot(r, v);
        m.row(i) << s, t, 0.5 * s * s, s * t, 0.5 * t * t;
        w[i] = dot(r, n);
    }
    const Eigen::ColPivHouseholderQR<Eigen::Matrix<double, Eigen::Dynamic, 5>> qr(m);
    if (qr.rank() < 5) return refuse("its neighbours do not fix a paraboloid");
    const Eigen::Matrix<double, 5, 1> fit = qr.solve(w);

    // Principal curvatures: eigenvalues of the second fundamental form with respect to the first one.
    const double d = fit[0], e = fit[1], scale = size * std::sqrt(1. + d * d + e * e);
    Eigen::Matrix2d first, second;
    first << 1. + d * d, d * e, d * e, 1. + e * e;
    second << fit[2], fit[3], fit[3], fit[4];
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> solver(-second / scale, first);
    const auto direction = [&](int k) {
        const Eigen::Vector2d q = solver.eigenvectors().col(k);
        return normalized(u * q[0] + v * q[1] + n * (d * q[0] + e * q[1]));
    };
    return {solver.eigenvalues()[1], solver.eigenvalues()[0], direction(1), direction(0)};
}

}  // namespace sofa::core::geometry
