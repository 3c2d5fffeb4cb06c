// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mapping/BarycentricWeights.h"
#include "core/objectmodel/DataText.h"
#include "core/topology/ElementData.h"

namespace sofa::component {

/// Points in the elements of a mesh: x_i = offset_i + Σ_k w_ik X_k.
struct Embedding
{
    BarycentricWeights weights;
    Vector<Index> elements;  ///< of each point, as computeBarycentricWeights numbers them; InvalidIndex: it has none
    Vector<Vec3> offsets;    ///< none: they are zero

    std::span<const Index> vertices(Index i) const
    {
        return {weights.columns.data() + weights.rowStart[i], weights.columns.data() + weights.rowStart[i + 1]};
    }
    std::span<const double> weightsOf(Index i) const
    {
        return {weights.weights.data() + weights.rowStart[i], weights.weights.data() + weights.rowStart[i + 1]};
    }
    Vec3 position(Index i, const Vector<Vec3>& x) const;
    friend bool operator==(const Embedding& a, const Embedding& b)
    {
        return a.weights.rowStart == b.weights.rowStart && a.weights.columns == b.weights.columns &&
               a.weights.weights == b.weights.weights && a.elements == b.elements && a.offsets == b.offsets;
    }
    static std::string_view typeName() { return "points in elements"; }
};
bool readValue(TextCursor& c, Embedding& e);
void writeValue(std::string& out, const Embedding& e);

/// The elements whose vertices carry the points, where only weights are known.
Vector<Index> elementsOfWeights(const BarycentricWeights& w, const BaseMeshTopology& topology, Index vertexCount);

/// The connected part of a mesh on which each vertex is, named by its least vertex.
Vector<Index> partsOf(const BaseMeshTopology& topology, Index vertexCount);

/// A change of the mesh that carries points, and of these points.
struct EmbeddingChange
{
    const BaseMeshTopology& topology;  ///< as it is now
    const Vector<Vec3>&before, &now;   ///< vertices at rest
    const Vector<Index>& partsBefore;  ///< partsOf; may be empty
    const Vector<Vec3>& pointsAtRest;  ///< as they are now: places of new ones that have no ancestors
    std::size_t kinds;                 ///< the first of carrierKinds, of which the embedding's elements are
    ElementSource elements;            ///< of these
    ElementSource vertices, points;
};

/// What becomes of an embedding.
///
/// A point stays in its element. If that is gone, the point goes to the nearest (at rest) of those made of it, the one
/// that contains it above all; if nothing was made of it, it keeps the vertices that carried it; if some of these are
/// gone, it goes to the nearest element that is left: of the parts on which its other vertices are, else of those
/// that were part of the same piece, else of all. Where vertices move at rest, points stay where they are and go to
/// the elements around, or to the nearest one as above if theirs is gone. New points go where their ancestors are. Each
/// keeps its place at rest.
///
/// \throws std::runtime_error if no element is left for a point
Embedding followed(const Embedding& e, const EmbeddingChange& change);

}  // namespace sofa::component
