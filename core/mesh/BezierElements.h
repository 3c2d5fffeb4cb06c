// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>

#include "core/math/Vec.h"
#include "core/math/Vector.h"
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

/// Control points of a quadratic Bézier triangle: the corners 0 1 2, then those of the edges 01 12 02.
using BezierTriangle = std::array<Index, 6>;

/// Corners of its edges, in the order of their control points, and the control points of two barycentric coordinates.
inline constexpr std::array<std::array<std::size_t, 2>, 3> bezierTriangleEdges{{{0, 1}, {1, 2}, {0, 2}}};
inline constexpr std::array<std::array<std::size_t, 3>, 3> bezierTriangleControl{{{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}};

/// Whether a control point is in the middle of its edge, up to 1e-9 of its length.
inline bool isStraightEdge(const Vec3& from, const Vec3& control, const Vec3& to)
{
    return norm(control - (from + to) * 0.5) <= 1e-9 * norm(to - from);
}

/// Control points of the edges that are of degree 1: none of their own, but the middle of their ends. Elements refer to
/// them by the numbers behind those of the points. With the matrix P that takes points to all control points, x̂ = P x,
/// forces and matrices of elements act on the points as Pᵀ f̂ and Pᵀ K̂ P: positions, momentum and angular momentum of
/// an edge are those of a linear one.
struct MiddlePoints
{
    Index first = 0;  ///< number of points
    Vector<Edge> ends;

    bool empty() const { return ends.empty(); }
    bool isMiddle(Index control) const { return control >= first; }
    const Edge& endsOf(Index control) const { return ends[control - first]; }

    /// P x, in `memory` if that is not x itself.
    template <class T>
    const Vector<T>& extended(const Vector<T>& x, Vector<T>& memory) const
    {
        if (ends.empty()) return x;
        memory.resize(first + ends.size());
        std::copy_n(x.begin(), first, memory.begin());
        for (std::size_t k = 0; k < ends.size(); ++k) memory[first + k] = (x[ends[k][0]] + x[ends[k][1]]) * 0.5;
        return memory;
    }
    /// f += Pᵀ f̂.
    template <class T>
    void addFolded(Vector<T>& f, const Vector<T>& extended) const
    {
        for (std::size_t i = 0; i < first; ++i) f[i] += extended[i];
        for (std::size_t k = 0; k < ends.size(); ++k)
            for (const Index end : ends[k]) f[end] += extended[first + k] * 0.5;
    }
};

}  // namespace sofa::core
