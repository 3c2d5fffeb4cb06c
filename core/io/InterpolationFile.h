// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <span>

#include "core/io/TextScanner.h"
#include "core/math/Vec.h"
#include "core/math/Vector.h"

namespace sofa::core::io {

/// Each point of an embedded mesh as a weighted sum of the vertices of an element of a volumetric mesh:
/// x_i = Σ_k weights[i n + k] X[nodes[i n + k]], k < n = nodesPerPoint: 4 in tetrahedra, 8 in cubes.
struct InterpolationWeights
{
    std::size_t nodesPerPoint = 4;
    Vector<Index> nodes;     ///< nodesPerPoint for each point
    Vector<double> weights;  ///< as many

    std::size_t pointCount() const { return nodesPerPoint ? nodes.size() / nodesPerPoint : 0; }
    /// The points (or displacements) that belong to those of the vertices. \throws std::runtime_error where a node is
    /// not among the vertices
    Vector<Vec3> interpolate(std::span<const Vec3> vertices) const;
    friend bool operator==(const InterpolationWeights&, const InterpolationWeights&) = default;
};

/// Reads Vega's file of interpolation weights (.interp): a line "i v₁ w₁ v₂ w₂ …" for each point, points and vertices
/// counted from 0, the points in their order; or Vega's binary form of it: the numbers of points and of nodes for each
/// point, all nodes, all weights, as 32-bit integers and doubles.
/// \throws MeshError, also for a vertex beyond `vertexCount`
InterpolationWeights readInterpolation(const std::filesystem::path& path, std::size_t vertexCount = InvalidIndex);
InterpolationWeights parseInterpolation(const SourceText& bytes, std::size_t vertexCount = InvalidIndex);

/// Writes the text form; numbers read back exactly. With `binary`, the binary form. \throws MeshError
void writeInterpolation(const std::filesystem::path& path, const InterpolationWeights& weights, bool binary = false);

}  // namespace sofa::core::io
