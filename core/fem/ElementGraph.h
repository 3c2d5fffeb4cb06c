// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>

#include "core/behavior/MatrixAccumulator.h"
#include "core/fem/TetrahedronKernels.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

/// Connectivity of finite elements with N vertices each, D scalars per vertex, compiled for the two things that every
/// element force field does: summing vectors of the elements into the vertices, and summing their stiffness blocks into
/// a matrix.
///
/// Sums are taken in the order of the elements, whatever the number of threads: the sequential path adds in place; the
/// parallel one writes the results of an element to slots that it owns, and then each vertex adds up its own slots. So
/// results are bitwise the same for any number of threads. An element may name a vertex more than once.
template <std::size_t N, std::size_t D = 3>
class ElementGraph
{
public:
    using Element = std::array<Index, N>;

    /// Compiles the connectivity. Throws std::runtime_error, naming the element, if it has a vertex outside of
    /// [0, nbPoints).
    void build(const Vector<Element>& elements, Index nbPoints);

    const Vector<Element>& elements() const { return m_elements; }
    Index size() const { return static_cast<Index>(m_elements.size()); }
    Index nbPoints() const { return m_nbPoints; }

    /// Calls `f(e)` for the elements that contain vertex v, in increasing order; once for one that names v twice.
    template <class F>
    void forEachAround(Index v, F&& f) const
    {
        for (std::size_t k = m_slotStart[v]; k < m_slotStart[v + std::size_t{1}]; ++k)
            if (k == m_slotStart[v] || m_slotOf[k] / N != m_slotOf[k - 1] / N) f(static_cast<Index>(m_slotOf[k] / N));
    }

    /// f[v] += what the elements around v contribute: `kernel(e, out)` sets the N vectors `out` of element e. It is
    /// called once for each element, from several threads if the mesh is large.
    template <class Kernel>
    void accumulate(Vector<Vec<D>>& f, Kernel&& kernel) const
    {
        const std::size_t n = m_elements.size();
        if (n < minParallel || threadCount() < 2) {
            Vec<D> out[N];
            for (std::size_t e = 0; e < n; ++e) {
                kernel(static_cast<Index>(e), out);
                for (std::size_t i = 0; i < N; ++i) f[m_elements[e][i]] += out[i];
            }
            return;
        }
        m_slots.resize(n * N);
        parallelFor(0, n, elementGrain, [&](std::size_t b, std::size_t end) {
            for (std::size_t e = b; e < end; ++e) kernel(static_cast<Index>(e), &m_slots[e * N]);
        });
        sumSlots(f);
    }

    /// Like accumulate, for kernels that take eight elements at once: `kernel(p, out)` sets out[lane][vertex], as
    /// scalars, for the elements 8 p + lane; lanes beyond the last element are dropped.
    template <class Kernel>
    void accumulatePacks(Vector<Vec<D>>& f, Kernel&& kernel) const
    {
        constexpr std::size_t width = 8;
        const std::size_t n = m_elements.size(), packs = (n + width - 1) / width;
        if (n < minParallel || threadCount() < 2) {
            alignas(64) Vec<D> out[width * N];
            for (std::size_t p = 0; p < packs; ++p) {
                kernel(p, out[0].data());
                const std::size_t count = std::min(width, n - p * width);
                for (std::size_t l = 0; l < count; ++l)
                    for (std::size_t i = 0; i < N; ++i) f[m_elements[p * width + l][i]] += out[l * N + i];
            }
            return;
        }
        m_slots.resize(packs * width * N);
        parallelFor(0, packs, elementGrain / width, [&](std::size_t b, std::size_t end) {
            for (std::size_t p = b; p < end; ++p) kernel(p, m_slots[p * width * N].data());
        });
        sumSlots(f);
    }

    /// Elements around pairs of vertices, for kernels that have element blocks in pieces: see pairs().
    struct Pairs
    {
        const PairContribution* contributions;  ///< of pair p: start[p] .. start[p + 1], elements in increasing order
        const std::size_t* start;
        std::size_t count;
        Mat<D>* blocks;      ///< to be set before finishPairs
        const Index* first;  ///< smaller vertex of each pair; pairs are sorted by it
    };
    /// The two halves of addPairs: the pairs, whose blocks the caller sets, and handing them over.
    Pairs pairs() const
    {
        preparePairs();
        return {m_contributions.data(), m_pairStart.data(), m_pairBlocks.size(), m_pairBlocks.data(),
                m_pairFirst.data()};
    }
    void finishPairs(BlockSink& sink) const;

    /// Calls `body(e)` for each element, from several threads if the mesh is large.
    template <class Body>
    void forEach(Body&& body) const
    {
        parallelFor(0, m_elements.size(), m_elements.size() < minParallel ? m_elements.size() : elementGrain,
                    [&](std::size_t b, std::size_t end) {
                        for (std::size_t e = b; e < end; ++e) body(static_cast<Index>(e));
                    });
    }

    /// Sum of `term(e)` over the elements.
    template <class Term>
    double sum(Term&& term) const
    {
        return parallelSum(0, m_elements.size(), minParallel, 0., [&](std::size_t b, std::size_t end) {
            double s = 0.;
            for (std::size_t e = b; e < end; ++e) s += term(static_cast<Index>(e));
            return s;
        });
    }

    /// Adds the symmetric matrix −K to `sink`, where K is the sum of element stiffness matrices whose D × D blocks are
    /// `block(e, i, j)` = K_ij, i ≠ j, with K_ji = K_ijᵀ and vanishing sums over each row of blocks (a translation
    /// causes no force). Each pair of vertices is summed over its elements first; the sink then gets one block for each
    /// nonzero of the matrix, row by row and by increasing columns. The matrix is exactly symmetric.
    template <class Block>
    void addStiffness(BlockSink& sink, Block&& block) const
    {
        addPairs(sink, [&](const PairContribution* contributions, const std::size_t* start, std::size_t first,
                           std::size_t last, Mat<D>* blocks) {
            for (std::size_t p = first; p < last; ++p) {
                Mat<D> s;
                for (std::size_t k = start[p]; k < start[p + 1]; ++k)
                    s -= block(contributions[k].element, contributions[k].i, contributions[k].j);
                blocks[p] = s;
            }
        });
    }

    /// The same for kernels that sum whole pairs: `sumPairs(contributions, start, first, last, blocks)` sets the blocks
    /// of −K of the pairs [first, last); contributions start[p] .. start[p + 1] belong to pair p.
    template <class SumPairs>
    void addPairs(BlockSink& sink, SumPairs&& sumPairs) const
    {
        preparePairs();
        parallelFor(0, m_pairBlocks.size(), pairGrain, [&](std::size_t b, std::size_t end) {
            sumPairs(m_contributions.data(), m_pairStart.data(), b, end, m_pairBlocks.data());
        });
        finishPairs(sink);
    }

private:
    static constexpr std::size_t minParallel = 2048;  ///< meshes below run on one thread
    static constexpr std::size_t elementGrain = 512;
    static constexpr std::size_t vertexGrain = 1024;
    static constexpr std::size_t pairGrain = 1024;

    /// f[v] += the slots of v, in the order of the elements.
    void sumSlots(Vector<Vec<D>>& f) const;
    void preparePairs() const;

    Vector<Element> m_elements;
    Index m_nbPoints = 0;
    Vector<std::size_t> m_slotStart;  ///< per vertex, into m_slotOf
    Vector<std::size_t> m_slotOf;     ///< element * N + local vertex, in increasing order for each vertex
    mutable Vector<Vec<D>> m_slots;   ///< work space of the parallel sums

    // Built when a matrix is first asked for.
    mutable bool m_pairsReady = false;
    mutable Vector<std::size_t> m_pairStart;  ///< per pair, into m_contributions
    mutable Vector<PairContribution> m_contributions;
    mutable Vector<Mat<D>> m_pairBlocks;
    mutable Vector<Index> m_pairFirst;  ///< smaller vertex of each pair
    mutable SymmetricPattern m_pattern;
};

#define SOFA_ELEMENT_GRAPHS(X) X(2, 1) X(2, 2) X(2, 3) X(3, 2) X(3, 3) X(4, 2) X(4, 3) X(5, 3) X(6, 3) X(8, 3)
#define SOFA_EXTERN(N, D) extern template class ElementGraph<N, D>;
SOFA_ELEMENT_GRAPHS(SOFA_EXTERN)
#undef SOFA_EXTERN

}  // namespace sofa::core
