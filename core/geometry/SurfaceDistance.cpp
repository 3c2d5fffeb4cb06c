// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/SurfaceDistance.h"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "core/geometry/Proximity.h"

namespace sofa::core::geometry {

SurfaceDistance::SurfaceDistance(const Vector<Vec3>& positions, const Vector<Triangle>& triangles)
    : m_positions(positions), m_triangles(triangles)
{
    if (triangles.empty()) throw std::runtime_error("there is no triangle");
    Vector<Aabb> boxes;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (const Index i : triangles[t])
            if (i >= positions.size() || !isFinite(positions[i]))
                throw std::runtime_error("triangle " + std::to_string(t) + " has the point " + std::to_string(i) +
                                         ", which " + (i < positions.size() ? "is not finite" : "does not exist"));
        const auto [a, b, c] = corners(static_cast<Index>(t));
        boxes.push_back(Aabb::of(a, b, c));
    }
    m_bvh.build({boxes.data(), boxes.size()});
}

std::array<Vec3, 3> SurfaceDistance::corners(Index triangle) const
{
    const Triangle& t = m_triangles[triangle];
    return {m_positions[t[0]], m_positions[t[1]], m_positions[t[2]]};
}

double SurfaceDistance::operator()(const Vec3& p) const
{
    const auto nearest = m_bvh.closest(p, Aabb::infinity, [&](Index t) {
        const auto [a, b, c] = corners(t);
        return pointTriangle(p, a, b, c).distance2;
    });
    const double distance = std::sqrt(nearest.distance2);
    // All triangles that have the nearest point, but for rounding; where there are several such points they agree.
    const double reach = distance * (1. + 1e-9) + 1e-300;
    Vector<Index> candidates;
    m_bvh.boxQuery(Aabb::of(p), reach, candidates);
    double side = 0.;
    for (const Index t : candidates) {
        const std::array<Vec3, 3> x = corners(t);
        const auto place = pointTriangle(p, x[0], x[1], x[2]);
        if (place.distance2 > reach * reach) continue;
        std::size_t count = 0, corner = 0;
        for (std::size_t k = 0; k < 3; ++k)
            if (place.weightsB[k] > 1e-9) {
                ++count;
                corner = k;
            }
        double weight = std::numbers::pi * static_cast<double>(count - 1);
        if (count == 1) {
            const Vec3 u = x[(corner + 1) % 3] - x[corner], v = x[(corner + 2) % 3] - x[corner];
            weight = std::atan2(norm(cross(u, v)), dot(u, v));
        }
        side -= weight * dot(place.delta, normalized(cross(x[1] - x[0], x[2] - x[0])));
    }
    return side < 0. ? -distance : distance;
}

}  // namespace sofa::core::geometry
