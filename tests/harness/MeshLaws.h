// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <map>

#include "core/mesh/SubElements.h"
#include "core/topology/Geometry.h"

/// What holds for meshes that engines make.
namespace sofa::test {

/// Whether each side of each face belongs to exactly one other face, in the opposite direction.
template <std::size_t N>
bool isClosed(const core::Vector<std::array<core::Index, N>>& faces)
{
    std::map<core::Edge, int> sides;
    for (const auto& f : faces)
        for (std::size_t k = 0; k < N; ++k) ++sides[{f[k], f[(k + 1) % N]}];
    return !faces.empty() && std::all_of(sides.begin(), sides.end(), [&](const auto& s) {
        const auto opposite = sides.find({s.first[1], s.first[0]});
        return s.second == 1 && opposite != sides.end() && opposite->second == 1;
    });
}

inline double leastVolume(const core::Vector<core::Vec3>& x, const core::Vector<core::Tetrahedron>& tetrahedra)
{
    double least = 1e300;
    for (const auto& [a, b, c, d] : tetrahedra)
        least = std::min(least, core::geometry::tetrahedronVolume(x[a], x[b], x[c], x[d]));
    return least;
}

inline double leastVolume(const core::Vector<core::Vec3>& x, const core::Vector<core::Hexahedron>& hexahedra)
{
    double least = 1e300;
    for (const auto& h : hexahedra) {
        std::array<core::Vec3, 8> corners;
        for (std::size_t k = 0; k < 8; ++k) corners[k] = x[h[k]];
        least = std::min(least, core::geometry::hexahedronVolume(corners));
    }
    return least;
}

inline core::Vector<core::Triangle> inTriangles(const core::Vector<core::Quad>& quads)
{
    core::Vector<core::Triangle> triangles;
    for (const auto& [a, b, c, d] : quads) {
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, d});
    }
    return triangles;
}

/// A box of n³ cells on [0, 1]³, moved by up to `jitter` at random, x fastest.
template <class Random>
core::Vector<core::Vec3> gridPoints(core::Index n, double jitter, Random& random)
{
    core::Vector<core::Vec3> x;
    for (core::Index k = 0; k <= n; ++k)
        for (core::Index j = 0; j <= n; ++j)
            for (core::Index i = 0; i <= n; ++i)
                x.push_back(core::Vec3{double(i), double(j), double(k)} / double(n) + random.point(jitter));
    return x;
}
inline core::Vector<core::Hexahedron> gridHexahedra(core::Index n)
{
    core::Vector<core::Hexahedron> out;
    const core::Index y = n + 1, z = y * y;
    for (core::Index k = 0; k < n; ++k)
        for (core::Index j = 0; j < n; ++j)
            for (core::Index i = 0; i < n; ++i) {
                const core::Index p = i + j * y + k * z;
                out.push_back({p, p + 1, p + 1 + y, p + y, p + z, p + 1 + z, p + 1 + y + z, p + y + z});
            }
    return out;
}
inline core::Vector<core::Tetrahedron> inTetrahedra(const core::Vector<core::Hexahedron>& hexahedra)
{
    core::Vector<core::Tetrahedron> out;
    for (const auto& h : hexahedra)
        for (const auto& t : core::hexahedronTetrahedra) out.push_back(core::subElement(h, t));
    return out;
}

}  // namespace sofa::test
