// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/mesh/Elements.h"

namespace sofa::core {

/// Control points of a quadratic Bézier tetrahedron: the corners 0 1 2 3, then those of the edges 01 12 02 03 13 23
/// (the order of VTK's quadratic tetrahedron).
using BezierTetrahedron = std::array<Index, 10>;

/// Corners of the edges, in the order of their control points.
inline constexpr std::array<std::array<std::size_t, 2>, 6> bezierEdges{
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
/// The control point that belongs to two barycentric coordinates: a corner for (i, i).
inline constexpr std::array<std::array<std::size_t, 4>, 4> bezierControl{
    {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}}};

}  // namespace sofa::core
