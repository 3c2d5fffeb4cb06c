// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/ConvexPatch.h"

#include <algorithm>

#include "core/geometry/ConvexContact.h"

namespace sofa::core::geometry {

bool insidePolygon(std::span<const Vec3> polygon, const Vec3& n, const Vec3& p)
{
    // On one side of all edges, whichever way round they go.
    bool left = false, right = false;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec3 &x = polygon[k], e = polygon[(k + 1) % polygon.size()] - x;
        const double side = dot(cross(e, p - x), n), small = 1e-12 * norm2(e);
        left = left || side > small;
        right = right || side < -small;
    }
    return !(left && right);
}

namespace {

/// Collects contacts along n between points of the face of A and of the face of B.
struct PatchBuilder
{
    ConvexPatch& patch;
    const Vec3& n;
    double limit;

    void add(const Vec3& onA, const Vec3& onB, unsigned code)
    {
        if (patch.count == ConvexPatch::maxCount) return;
        const double d = dot(onB - onA, n);
        if (!(d <= limit)) return;
        // Corners that lie on each other are one.
        const double close2 = 1e-18 * (norm2(onA) + norm2(onB));
        for (std::size_t k = 0; k < patch.count; ++k)
            if (norm2(patch.contacts[k].pointA - onA) <= close2) return;
        patch.contacts[patch.count] = {onA, onA + n * d, n, d};
        patch.codes[patch.count++] = code;
    }
};

/// Where the line through p along n meets the plane of a face; false if it is nearly parallel.
bool meetPlane(const ConvexFace& f, const Vec3& n, const Vec3& p, Vec3& at)
{
    Vec3 m;
    for (std::size_t k = 2; k < f.count; ++k) m += cross(f.points[k - 1] - f.points[0], f.points[k] - f.points[0]);
    const double slope = dot(m, n);
    if (!(std::abs(slope) > 0.1 * norm(m))) return false;
    at = p + n * (dot(m, f.points[0] - p) / slope);
    return true;
}

/// Nearest points of two edges seen along n, if they cross there.
bool crossEdges(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, const Vec3& n, Vec3& onA, Vec3& onB)
{
    const Vec3 u = a1 - a0, v = b1 - b0, w = b0 - a0;
    const double det = dot(cross(u, v), n);
    if (!(std::abs(det) > 1e-9 * norm(u) * norm(v))) return false;
    const double s = dot(cross(w, v), n) / det, t = dot(cross(w, u), n) / det;
    if (!(s > 0. && s < 1. && t > 0. && t < 1.)) return false;
    onA = a0 + u * s;
    onB = b0 + v * t;
    return true;
}

}  // namespace

ConvexPatch coreContacts(const ConvexBody& a, const ConvexBody& b, double limit)
{
    constexpr double sine = 0.1;
    ConvexPatch patch;
    const Contact single = coreContact(a, b);
    if (!(single.distance <= limit)) return patch;
    const Vec3& n = single.normal;
    PatchBuilder builder{patch, n, limit};
    const ConvexFace fa = faceAlong(a, n, sine), fb = faceAlong(b, -n, sine);
    Vec3 x, y;
    if (fa.count >= 3)
        for (std::size_t k = 0; k < fb.count; ++k)
            if (insidePolygon({fa.points.data(), fa.count}, n, fb.points[k]) && meetPlane(fa, n, fb.points[k], x))
                builder.add(x, fb.points[k], 1 + fb.corners[k]);
    if (fb.count >= 3)
        for (std::size_t k = 0; k < fa.count; ++k)
            if (insidePolygon({fb.points.data(), fb.count}, n, fa.points[k]) && meetPlane(fb, n, fa.points[k], x))
                builder.add(fa.points[k], x, 32 + fa.corners[k]);
    if (fa.count >= 2 && fb.count >= 2 && fa.count + fb.count > 4) {
        const std::size_t ea = fa.count == 2 ? 1 : fa.count, eb = fb.count == 2 ? 1 : fb.count;
        for (std::size_t i = 0; i < ea; ++i)
            for (std::size_t j = 0; j < eb; ++j)
                if (crossEdges(fa.points[i], fa.points[(i + 1) % fa.count], fb.points[j], fb.points[(j + 1) % fb.count],
                               n, x, y))
                    builder.add(x, y, 64 + 16 * fa.corners[i] + fb.corners[j]);
    }
    if (fa.count == 2 && fb.count == 2) {
        // Edges that are about parallel: the ends of the part where they lie beside each other.
        const Vec3 u = fa.points[1] - fa.points[0], v = fb.points[1] - fb.points[0];
        const double uu = norm2(u);
        if (uu > 0. && norm(cross(u, v)) <= sine * norm(u) * norm(v) && norm2(v) > 0.) {
            const double s0 = dot(fb.points[0] - fa.points[0], u) / uu, s1 = dot(fb.points[1] - fa.points[0], u) / uu;
            const double low = std::max(0., std::min(s0, s1)), high = std::min(1., std::max(s0, s1));
            if (low < high)
                for (const auto& [s, code] : {std::pair{low, 1u}, {high, 2u}})
                    builder.add(fa.points[0] + u * s, fb.points[0] + v * std::clamp((s - s0) / (s1 - s0), 0., 1.),
                                code);
        }
    }
    if (patch.count == 0) {
        patch.contacts[0] = single;
        patch.codes[0] = 0;
        patch.count = 1;
    }
    return patch;
}

}  // namespace sofa::core::geometry
