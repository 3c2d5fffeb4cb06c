// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <span>

#include "core/topology/BezierTopology.h"

namespace sofa::component {

using namespace sofa::core;

/// Each embedded point as a weighted sum of mesh points: x_i = Σ_k weight_k X_column_k, the weights of a point summing
/// to 1. Row i holds the entries rowStart[i] to rowStart[i + 1].
struct BarycentricWeights
{
    Vector<Index> rowStart{0};
    Vector<Index> columns;
    Vector<double> weights;

    Index rows() const { return static_cast<Index>(rowStart.size()) - 1; }
    void append(std::span<const Index> nodes, std::span<const double> w)
    {
        columns.insert(columns.end(), nodes.begin(), nodes.end());
        weights.insert(weights.end(), w.begin(), w.end());
        rowStart.push_back(static_cast<Index>(columns.size()));
    }
    void append(const Ancestors& from)
    {
        for (const Ancestor& a : from) {
            columns.push_back(a.index);
            weights.push_back(a.weight);
        }
        rowStart.push_back(static_cast<Index>(columns.size()));
    }
};

/// Embeds `points` in the elements of a mesh with vertices `vertices` [m].
///
/// The elements used are, as in SOFA:
///   grid that locates cells  the cell that holds the point at rest, or the nearest cell;
///   topology container       the hexahedra if there are any, else tetrahedra, quads, triangles, edges;
///   other topology           tetrahedra and hexahedra; without those triangles and quads; without those edges.
///
/// In an element with vertex p₀ and edge vectors a, b, c (surfaces: c = a × b) the local coordinates of a point are
/// v = [a b c]⁻¹ (x − p₀). They are the weights of a tetrahedron or triangle; for quads and hexahedra they are taken as
/// the coordinates of the bilinear or trilinear shape functions, which is exact for parallelepipeds. An element's
/// distance is the largest violation of its bounds (0 ≤ v, Σ v ≤ 1 or v ≤ 1; on surfaces |v₃| ≤ 0.01), which is
/// negative inside; where that is positive, it is the squared distance to the element's centre. The element of least
/// distance is taken, the first one of equals; the weights of a point outside extrapolate.
///
/// In topology containers the candidates are those that overlap the point's cell in a hash grid, whose cell size is the
/// mean edge length, then those of the 26 cells around it if the best distance exceeds half of that; all elements if
/// there is none. Degenerate elements are left out.
///
/// In quadratic Bézier tetrahedra a point has the weights B_k of all control points (bezierCoordinates). Where rest
/// shapes are curved, it goes to the one with the largest least coordinate, of those whose hulls have it in their box.
///
/// `elements` tells the element of each point, numbered one kind after the other in the order of carrierKinds.
///
/// \throws std::runtime_error if the topology has no element, an element refers to a vertex that does not exist, or a
/// position is not finite.
BarycentricWeights computeBarycentricWeights(const BaseMeshTopology& topology, const Vector<Vec3>& vertices,
                                             const Vector<Vec3>& points, Vector<Index>* elements = nullptr);

/// Barycentric coordinates α of a point in a quadratic element with these control points, x = Σ_ij α_i α_j p_ij, by
/// Newton's method from those in the tetrahedron of its corners. Nothing where that does not converge.
std::optional<std::array<double, 4>> bezierCoordinates(const std::array<Vec3, 10>& control, const Vec3& x);

/// Appends a point with the barycentric coordinates `alpha` in a Bézier tetrahedron: the weights α_i α_j of its control
/// points; those of middle points go to the ends of their edges.
void appendBezierPoint(BarycentricWeights& w, const double* alpha, const BezierTetrahedron& t,
                       const MiddlePoints& middles);

/// Kinds of elements that can carry points.
inline constexpr std::array carrierKinds{ElementType::Tetrahedra, ElementType::Hexahedra, ElementType::Triangles,
                                         ElementType::Quads, ElementType::Edges};

/// An element and the local coordinates of a point in it, as above; of an edge the first coordinate alone.
struct PlaceInElement
{
    Index element = InvalidIndex;
    Vec3 local;
};
/// The same for any topology with the elements and the search of the last kind. `places` tells, for each point, its
/// element in the list of all of these: hexahedra count on after tetrahedra, quads after triangles.
BarycentricWeights computeMeshWeights(const BaseMeshTopology& topology, const Vector<Vec3>& vertices,
                                      const Vector<Vec3>& points, Vector<PlaceInElement>& places);

}  // namespace sofa::component
