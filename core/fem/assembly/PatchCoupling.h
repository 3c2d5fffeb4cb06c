// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/MatrixAccumulator.h"
#include "core/linalg/SymmetricPairs.h"
#include "core/math/Vector.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

/// Where the dilatation tr ε or det F of isotropic elasticity on linear elements that fill a volume is taken.
enum class Dilatation
{
    Pointwise,  ///< at each point of the quadrature: elements lock as Poisson's ratio approaches 0.5
    Averaged    ///< its mean over the element where that has several points, over the tetrahedra around each node
};

/// Part of a stiffness matrix that couples all vertices of *patches* with each other, by vectors a, r of each patch:
///
///     K = Σ_p (a_p r_pᵀ + r_p a_pᵀ + c_p a_p a_pᵀ)
///
/// as a mean over a patch has a gradient a_p at each of its vertices. The entries of a_p, and those of r_p, sum to
/// zero, as a translation causes no force. A patch is an element, or all elements around a node, whose vertices are
/// neighbours of second order. Sums are in the order of the patches, whatever the number of threads.
class PatchCoupling
{
public:
    /// Patch p has the vertices at [start[p], start[p + 1]), each once.
    void build(Vector<std::size_t> start, Vector<Index> vertices, Index nbPoints);

    std::size_t size() const { return m_start.empty() ? 0 : m_start.size() - 1; }
    /// Number of places: vertices of all patches.
    std::size_t places() const { return m_vertices.size(); }
    /// The places of a patch are first(p) .. first(p + 1) − 1.
    std::size_t first(std::size_t p) const { return m_start[p]; }
    Index vertex(std::size_t place) const { return m_vertices[place]; }
    /// Place of a vertex in a patch that has it.
    std::size_t placeOf(std::size_t p, Index v) const;

    /// By place: a and r; by patch: c.
    Vector<Vec3> a, r;
    Vector<double> c;

    /// f[v] += Σ terms of the places of v.
    void accumulate(Vector<Vec3>& f, const Vector<Vec3>& terms) const;
    /// df −= factor K dx.
    void addProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    /// Adds the blocks of −K.
    void addStiffness(BlockSink& sink) const;

    /// Calls `body(p)` for each patch, from several threads if there are many.
    template <class Body>
    void forEach(Body&& body) const
    {
        parallelFor(0, size(), grain, [&](std::size_t first, std::size_t last) {
            for (std::size_t p = first; p < last; ++p) body(p);
        });
    }

private:
    static constexpr std::size_t grain = 128;
    /// Of the places i, j of a patch, with the lower and the higher vertex.
    struct Term
    {
        std::uint32_t patch, i, j;
    };
    void preparePairs() const;

    Index m_nbPoints = 0;
    Vector<std::size_t> m_start;
    Vector<Index> m_vertices;
    Vector<std::size_t> m_around;  ///< per vertex, into m_placesAround
    Vector<std::size_t> m_placesAround;
    mutable Vector<Vec3> m_terms;

    // Built when a matrix is first asked for.
    mutable bool m_pairsReady = false;
    mutable SymmetricPairs m_pairs;
    mutable Vector<std::size_t> m_pairStart;  ///< per pair, into m_pairTerms
    mutable Vector<Term> m_pairTerms;
    mutable Vector<Mat3> m_blocks;
};

}  // namespace sofa::core
