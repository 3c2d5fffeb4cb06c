// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "core/math/DataTypes.h"
#include "core/mesh/Elements.h"

namespace sofa::component {

using namespace sofa::core;

/// The surface f = c around points, as triangles, where
///
///     f(x) = Σ_p w(|x − p|² / r²),   w(s) = 1 + (−4 s³ + 17 s² − 22 s) / 9 for s < 1, else 0
///
/// (Wyvill, McPheeters, Wyvill, "Data structure for soft objects", The Visual Computer 2, 1986), by marching cubes
/// (Lorensen, Cline, SIGGRAPH 1987). The cubes' corners are at multiples of a step. Where the corners of a side leave a
/// choice, those inside are kept apart, on both cubes alike: the surface is closed, but for the sides of the box. Time
/// and memory are proportional to the cubes near points.
class BlobSurface
{
public:
    struct Parameters
    {
        double radius = 1.;  ///< r, how far a point reaches [m]
        double step = 0.5;   ///< edge of a cube [m]
        double level = 0.5;  ///< c, above 0
        Vec3 low, high;      ///< points outside this box count for nothing, and the surface ends at its sides [m]
    };
    /// Makes points and triangles of the surface; triangles turn their front outwards, to smaller f. Points that are
    /// not finite are left out. Throws std::runtime_error if it takes more than 10⁹ values of w, or goes beyond 2²⁰
    /// steps.
    void make(std::span<const Vec3> around, const Parameters& p);

    const Vector<Vec3>& points() const { return m_points; }
    const Vector<Triangle>& triangles() const { return m_triangles; }

private:
    /// A corner's place in steps.
    using Corner = std::array<int, 3>;
    /// Values at 8 x 8 x 8 corners.
    struct Brick
    {
        static constexpr int size = 8, count = size * size * size;
        explicit Brick(const Corner& o) : origin(o) { vertices.fill({InvalidIndex, InvalidIndex, InvalidIndex}); }
        Corner origin;
        std::array<double, count> values{};
        std::array<std::array<Index, 3>, count> vertices;  ///< points on the edges from each corner along x, y and z
    };

    static std::uint64_t keyOf(const Corner& c);
    static std::size_t placeOf(const Corner& c);
    Brick& brickOf(const Corner& c);
    double value(const Corner& c) const;
    void add(const Vec3& center, const Corner& low, const Corner& high);
    void addCell(const Corner& c);
    Index vertexOn(const Corner& from, std::size_t axis);

    Parameters m_parameters;
    std::unordered_map<std::uint64_t, std::size_t> m_numbers;  ///< of bricks, by their keys
    std::vector<Brick> m_bricks;
    Vector<Vec3> m_points;
    Vector<Triangle> m_triangles;
};

}  // namespace sofa::component
