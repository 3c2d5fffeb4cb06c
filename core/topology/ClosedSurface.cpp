// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/ClosedSurface.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/geometry/BvhPairs.h"
#include "core/geometry/Orientation.h"
#include "core/geometry/Proximity.h"
#include "core/topology/Geometry.h"

namespace sofa::core::geometry {

namespace {

using Corners = std::array<Vec3, 3>;

/// An edge as a triangle runs through it.
struct Side
{
    Index low, high, triangle;
    bool upwards;  ///< from the lower to the higher point
};

Corners cornersOf(const Vector<Vec3>& x, const Triangle& t) { return {x[t[0]], x[t[1]], x[t[2]]}; }

std::string numbered(const char* what, Index i) { return std::string(what) + ' ' + std::to_string(i); }

void requireTriangles(const Vector<Vec3>& x, const Vector<Triangle>& triangles)
{
    if (triangles.empty()) throw std::runtime_error("there is no triangle");
    for (Index t = 0; t < triangles.size(); ++t) {
        for (const Index i : triangles[t])
            if (i >= x.size() || !isFinite(x[i]))
                throw std::runtime_error(numbered("triangle", t) + " has the " + numbered("point", i) + ", which " +
                                         (i < x.size() ? "is not finite" : "does not exist"));
        const auto [a, b, c] = cornersOf(x, triangles[t]);
        if (!(norm(cross(b - a, c - a)) > 0.)) throw std::runtime_error(numbered("triangle", t) + " has no area");
    }
}

/// The sides of all triangles, those of one edge one after the other.
std::vector<Side> sidesOf(const Vector<Triangle>& triangles)
{
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (Index t = 0; t < triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const Index a = triangles[t][k], b = triangles[t][(k + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), t, a < b});
        }
    std::ranges::sort(sides, {}, [](const Side& s) { return std::tuple(s.low, s.high, s.triangle); });
    return sides;
}

/// Whether two triangles have a point in common beside the corners that both have.
bool overlap(const Vector<Vec3>& x, Triangle a, Triangle b)
{
    // Common corners to the front of both.
    std::size_t common = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto same = std::find(b.begin() + static_cast<std::ptrdiff_t>(common), b.end(), a[i]);
        if (same == b.end()) continue;
        std::swap(*same, b[common]);
        std::swap(a[i], a[common++]);
    }
    const Corners p = cornersOf(x, a), q = cornersOf(x, b);
    switch (common) {
        case 0:
            return triangleTriangle(p, q).distance2 == 0.;
        case 1:
            return segmentTriangle(p[1], p[2], q[0], q[1], q[2]).distance2 == 0. ||
                   segmentTriangle(q[1], q[2], p[0], p[1], p[2]).distance2 == 0.;
        case 2:  // in one plane, and on the same side of the common edge
            return orientation(p[0], p[1], p[2], q[2]) == 0. &&
                   dot(cross(p[1] - p[0], p[2] - p[0]), cross(p[1] - p[0], q[2] - p[0])) > 0.;
        default:
            return true;
    }
}

}  // namespace

void requireTwoSides(const Vector<Triangle>& triangles)
{
    const std::vector<Side> sides = sidesOf(triangles);
    std::size_t open = 0, branching = 0, disagreeing = 0;
    std::string firstOpen, firstBranching, firstDisagreeing;
    for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
        const Side& s = sides[i];
        while (end < sides.size() && sides[end].low == s.low && sides[end].high == s.high) ++end;
        const std::string edge = std::to_string(s.low) + '-' + std::to_string(s.high);
        if (end - i == 1) {
            if (open++ == 0) firstOpen = edge;
        } else if (end - i > 2) {
            if (branching++ == 0) firstBranching = edge;
        } else if (s.upwards == sides[i + 1].upwards) {
            if (disagreeing++ == 0)
                firstDisagreeing = std::to_string(s.triangle) + " and " + std::to_string(sides[i + 1].triangle);
        }
    }
    if (open > 0)
        throw std::runtime_error("the surface is open: " + std::to_string(open) +
                                 (open == 1 ? " edge has" : " edges have") +
                                 " one triangle only, the first is that of the points " + firstOpen);
    if (branching > 0)
        throw std::runtime_error("more than two triangles meet at " + std::to_string(branching) +
                                 (branching == 1 ? " edge" : " edges") + ", the first is that of the points " +
                                 firstBranching);
    if (disagreeing > 0)
        throw std::runtime_error("triangles are not all seen from the same side: at " + std::to_string(disagreeing) +
                                 (disagreeing == 1 ? " edge" : " edges") + ", the first between the triangles " +
                                 firstDisagreeing);
}

void requireClosedSurface(const Vector<Vec3>& positions, const Vector<Triangle>& triangles)
{
    requireTriangles(positions, triangles);
    requireTwoSides(triangles);

    Vector<Aabb> boxes;
    for (const Triangle& t : triangles) {
        const auto [a, b, c] = cornersOf(positions, t);
        boxes.push_back(Aabb::of(a, b, c));
    }
    Bvh bvh;
    bvh.build({boxes.data(), boxes.size()});
    BvhPairs pairs;
    const auto found =
        pairs.within(bvh, 0., [&](Index i, Index j) { return overlap(positions, triangles[i], triangles[j]); });
    if (!found.empty())
        throw std::runtime_error("the surface intersects itself: " + std::to_string(found.size()) +
                                 (found.size() == 1 ? " pair" : " pairs") +
                                 " of triangles, the first of the triangles " + std::to_string(found[0].first) +
                                 " and " + std::to_string(found[0].second));
    if (!(enclosedVolume(positions, triangles) > 0.))
        throw std::runtime_error("the triangles are seen from inside; turn them round");
}

}  // namespace sofa::core::geometry
