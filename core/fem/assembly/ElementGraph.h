// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "core/behavior/MatrixAccumulator.h"
#include "core/fem/assembly/AssemblyPlan.h"
#include "core/fem/assembly/EdgeAssembly.h"
#include "core/fem/assembly/IsotropicRows.h"
#include "core/mesh/Renumbering.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

/// Connectivity of finite elements with N vertices each, D scalars per vertex, compiled for the two things that every
/// element force field does: summing vectors of the elements into the vertices, and summing their stiffness blocks into
/// a matrix.
///
/// Sums are taken in the order of the elements, whatever the number of threads: each thread takes a range of elements
/// and adds in place, except for vertices that elements of several ranges have. For these it keeps the terms, which are
/// added up afterwards. So results are bitwise the same for any number of threads. An element may name a vertex more
/// than once.
///
/// What takes elements eight at a time takes them in the order of a sweep (ElementReordering), which is that of the
/// elements unless `build` is told otherwise: pack p has the elements at the places 8 p to 8 p + 7. Sums into vertices
/// still are in the order of the elements.
template <std::size_t N, std::size_t D = 3>
class ElementGraph
{
public:
    using Element = std::array<Index, N>;

    /// Compiles the connectivity. Throws std::runtime_error, naming the element, if it has a vertex outside of
    /// [0, nbPoints). Control points from `middles` on have none of their own, but the middle of the ends of their
    /// edges (addIsotropicStiffness).
    void build(const Vector<Element>& elements, Index nbPoints, ElementReordering order = {},
               Index middles = InvalidIndex);
    /// Follows a change: elements and points come from those before as the sources say; `changed` are those that are
    /// new or have other numbers or vertices, which `elementOf` gives. Elements that only got another place are added
    /// to them.
    void follow(FunctionRef<const Element&(Index)> elementOf, Index nbPoints, const ElementSource& source,
                const ElementSource& points, Vector<Index>& changed);

    const Vector<Element>& elements() const { return m_elements; }
    const ElementReordering& order() const { return m_order; }
    Index size() const { return static_cast<Index>(m_elements.size()); }
    Index nbPoints() const { return m_nbPoints; }

    /// Calls `f(e)` for the elements that contain vertex v, in increasing order; once for one that names v twice.
    template <class F>
    void forEachAround(Index v, F&& f) const
    {
        Index last = InvalidIndex;
        for (const std::uint32_t slot : m_slots[v])
            if (const Index e = slot / N; e != last) f(last = e);
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
        planRanges();
        parallelFor(0, m_threads, 1, [&](std::size_t first, std::size_t last) {
            Vec<D> out[N];
            for (std::size_t e = rangeStart(first); e < rangeStart(last); ++e) {
                kernel(static_cast<Index>(e), out);
                addTerms(f, e, out);
            }
        });
        m_shared.sum(f);
    }

    /// Like accumulate, for kernels that take eight elements at once: `kernel(p, out)` sets out[lane][vertex], as
    /// scalars, for the elements at the places 8 p + lane; lanes beyond the last element are dropped.
    template <class Kernel>
    void accumulatePacks(Vector<Vec<D>>& f, Kernel&& kernel) const
    {
        constexpr std::size_t width = 8;
        const std::size_t n = m_elements.size(), packs = (n + width - 1) / width;
        if (!m_order.elements.empty()) return accumulateSwept(f, kernel);
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
        planRanges();
        parallelFor(0, m_threads, 1, [&](std::size_t first, std::size_t last) {
            alignas(64) Vec<D> out[width * N];
            const std::size_t end = rangeStart(last);
            for (std::size_t e = rangeStart(first); e < end; e += width) {
                kernel(e / width, out[0].data());
                for (std::size_t l = 0; l < std::min(width, end - e); ++l) addTerms(f, e + l, out + l * N);
            }
        });
        m_shared.sum(f);
    }

    /// Adds the symmetric matrix −K, for kernels that take eight elements at once: see EdgeAssembly, which calls
    /// `values(pack, out)` from several threads if the mesh is large.
    template <class Values>
    void addPackStiffness(BlockSink& sink, Values&& values) const requires(D == 3)
    {
        EdgeAssembly::Source source(edgeAssembly(), values);
        sink.addSymmetric(edgeAssembly().pattern(), source);
    }
    const EdgeAssembly& edgeAssembly() const
    {
        m_sums.prepare(mesh());
        return m_sums.rows;
    }
    /// Adds the symmetric matrix −K of isotropic linear elasticity in linear or quadratic Bézier tetrahedra, from the
    /// tangents of the elements by place; in points that are no middles, Pᵀ K P (see MiddlePoints).
    void addIsotropicStiffness(BlockSink& sink, const Vector<IsotropicTangent>& tangents) const
        requires((N == 4 || N == 10) && D == 3)
    {
        m_isotropicRows.prepare(mesh());
        IsotropicRows::Source source(m_isotropicRows.rows, tangents.data());
        sink.addSymmetric(m_isotropicRows.rows.pattern(), source);
    }

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

    /// Sets out[e] = value(e) for each element.
    template <class T, class F>
    void evaluate(Vector<T>& out, F&& value) const
    {
        out.resize(m_elements.size());
        parallelFor(0, m_elements.size(), minParallel, [&](std::size_t b, std::size_t end) {
            for (std::size_t e = b; e < end; ++e) out[e] = value(static_cast<Index>(e));
        });
    }

    /// Adds the symmetric matrix −K to `sink`, where K is the sum of element stiffness matrices whose D × D blocks are
    /// `block(e, i, j)` = K_ij, i ≠ j, with K_ji = K_ijᵀ and vanishing sums over each row of blocks (a translation
    /// causes no force). Each pair of vertices is summed over its elements first; the sink then gets one block for each
    /// nonzero of the matrix. The matrix is exactly symmetric.
    template <class Block>
    void addStiffness(BlockSink& sink, Block&& block) const requires(D == 3)
    {
        constexpr std::size_t width = 8;
        addPackStiffness(sink, [&](std::size_t pack, double* out) {
            for (std::size_t lane = 0; lane < std::min(width, size() - pack * width); ++lane) {
                const Index e = m_order.elementAt(pack * width + lane);
                double* to = out + lane;
                for (std::size_t i = 0; i < N; ++i)
                    for (std::size_t j = i + 1; j < N; ++j) {
                        // That of the smaller and the larger vertex.
                        const bool isSwapped = m_elements[e][i] > m_elements[e][j];
                        const Mat<D> k = isSwapped ? block(e, j, i) : block(e, i, j);
                        for (std::size_t r = 0; r < D; ++r)
                            for (std::size_t c = 0; c < D; ++c, to += width) *to = -k[r][c];
                    }
            }
        });
    }
    template <class Block>
    void addStiffness(BlockSink& sink, Block&& block) const requires(D != 3)
    {
        preparePairs();
        m_pairBlocks.resize(m_pairStart.size() - 1);
        parallelFor(0, m_pairBlocks.size(), pairGrain, [&](std::size_t first, std::size_t last) {
            for (std::size_t p = first; p < last; ++p) {
                Mat<D> s;
                for (std::size_t k = m_pairStart[p]; k < m_pairStart[p + 1]; ++k)
                    s -= block(m_contributions[k].element, m_contributions[k].i, m_contributions[k].j);
                m_pairBlocks[p] = s;
            }
        });
        finishPairs(sink);
    }

private:
    static constexpr std::size_t minParallel = 2048;  ///< meshes below run on one thread
    static constexpr std::size_t elementGrain = 512;
    static constexpr std::size_t vertexGrain = 1024;
    static constexpr std::uint32_t shared = 1u << 31, notShared = ~0u;
    static constexpr std::size_t pairGrain = 1024;

    /// First element of the range of a thread, a multiple of eight but for the end.
    std::size_t rangeStart(std::size_t thread) const
    {
        return std::min(m_elements.size(), (m_elements.size() * thread / m_threads + 7) / 8 * 8);
    }
    /// Terms of the vertices that several ranges have, one after the other.
    struct SharedTerms
    {
        Vector<Vec<D>> terms;
        Vector<Index> vertices;
        Vector<std::size_t> start{0};  ///< per vertex, into the terms

        void clear();
        /// Makes room for the terms of a vertex and returns where they begin.
        std::size_t add(Index v, std::size_t count);
        /// f[v] += the terms of v, in their order.
        void sum(Vector<Vec<D>>& f) const;
    };
    /// Finds the vertices that ranges share, and places for their terms.
    void planRanges() const;
    void addTerms(Vector<Vec<D>>& f, std::size_t e, const Vec<D>* terms) const
    {
        for (std::size_t i = 0; i < N; ++i) {
            const Index v = m_elements[e][i];
            if (m_sharedOf[v] == notShared)
                f[v] += terms[i];
            else
                sharedTerm(v, static_cast<std::uint32_t>(e * N + i)) = terms[i];
        }
    }
    Vec<D>& sharedTerm(Index v, std::uint32_t slot) const
    {
        const auto slots = m_slots[v];
        const auto place = static_cast<std::size_t>(std::ranges::lower_bound(slots, slot) - slots.begin());
        return m_shared.terms[m_shared.start[m_sharedOf[v]] + place];
    }

    // Sums of packs that are not in the order of the elements. The terms of a vertex wait in a frontal buffer until all
    // are there: each rank has room for so many of them, which does not depend on the other ranks. Vertices with more
    // terms have them with those that ranges share.
    static constexpr std::uint32_t frontRoom = 32, sharedRow = 255;
    using PackKernel = FunctionRef<void(std::size_t pack, double* out)>;
    void accumulateSwept(Vector<Vec<D>>& f, PackKernel kernel) const;
    void sweepChunks(Vector<Vec<D>>& f, PackKernel kernel, std::size_t begin, std::size_t end, Vec<D>* front) const;
    /// Finds places for the terms, and the vertices that ranges of the sweep share, where something has changed.
    void planSweep() const;
    const AssemblyPlan& sweepPlan() const;

    ElementConnectivity mesh() const
    {
        return {m_elements.empty() ? nullptr : m_elements[0].data(), m_elements.size(), N, m_slots, m_order, m_middles};
    }
    /// Rows of a matrix that are made when they are first asked for, and then follow.
    template <class R>
    struct FollowingRows
    {
        R rows;
        bool isReady = false;
        Vector<Index> touched;  ///< vertices around which something has changed since they were made

        void prepare(const ElementConnectivity& mesh)
        {
            sortUnique(touched);
            while (!touched.empty() && touched.back() >= mesh.points()) touched.pop_back();  // those that are gone
            if (!isReady)
                rows.build(mesh);
            else if (!touched.empty())
                rows.update(mesh, std::move(touched));
            isReady = true;
            touched.clear();
        }
        void touch(const Vector<Index>& vertices, std::size_t points)
        {
            if (isReady) touched.insert(touched.end(), vertices.begin(), vertices.end());
            if (touched.size() > 16 * points) forget();  // all had better be made anew
        }
        void forget()
        {
            isReady = false;
            touched.clear();
        }
    };
    /// Finds the pairs of vertices, smaller one first, by increasing lower and then higher rank, and the terms of each.
    void collectPairs() const;
    /// Forgets what follow() does not change.
    void forgetTables();
    void buildSlots();
    /// Takes an element out of the slots of its vertices, or puts it there.
    void changeSlots(Index e, bool add);
    void preparePairs() const;
    void finishPairs(BlockSink& sink) const;

    Vector<Element> m_elements;
    Index m_nbPoints = 0, m_middles = InvalidIndex;
    ElementReordering m_order;
    mutable bool m_planReady = false, m_planFollows = false;  ///< with m_changedPlaces
    mutable AssemblyPlan m_plan;
    PiecewiseRows<std::uint32_t> m_slots;  ///< per vertex: element * N + local vertex, increasing

    // For the parallel sums, by number of threads.
    mutable unsigned m_threads = 0;
    mutable Vector<std::uint32_t> m_sharedOf;  ///< per vertex: in m_shared, or `notShared`
    mutable SharedTerms m_shared;

    // For sums of packs along a sweep, by number of threads.
    mutable unsigned m_sweepThreads = 0;
    mutable std::vector<std::size_t> m_sweepRanges;  ///< chunks where the threads begin, and the end
    mutable Vector<std::uint32_t>
        m_sweepTargets;  ///< per place and local vertex: in the frontal buffer, or `shared` + a term
    struct SweepRow
    {
        std::uint8_t terms = 0;   ///< in the frontal buffer; `sharedRow`: they are in m_sweepShared
        std::uint16_t range = 0;  ///< of the sweep, which completes it
    };
    mutable Vector<SweepRow> m_sweepRows;      ///< per rank
    mutable std::uint64_t m_sweepPlanned = 0;  ///< version of the plan
    mutable std::size_t m_frontSize = 0;       ///< power of two
    mutable Vector<Vec<D>> m_fronts;
    mutable SharedTerms m_sweepShared;
    /// Vertices around which something has changed since the sweep was planned, and places of elements that have.
    mutable Vector<Index> m_sweepTouched;
    mutable Vector<std::size_t> m_changedPlaces;

    // Built when a matrix is first asked for, but in space.
    mutable bool m_pairsReady = false;
    mutable Vector<std::pair<Index, Index>> m_pairs;  ///< lower vertex first
    mutable Vector<std::size_t> m_pairStart;          ///< per pair, into m_contributions
    mutable Vector<PairContribution> m_contributions;
    mutable Vector<Mat<D>> m_pairBlocks, m_diagonals;
    mutable FollowingRows<EdgeAssembly> m_sums;
    mutable FollowingRows<IsotropicRows> m_isotropicRows;
};

#define SOFA_ELEMENT_GRAPHS(X) X(2, 1) X(2, 2) X(2, 3) X(3, 2) X(3, 3) X(4, 2) X(4, 3) X(5, 3) X(6, 3) X(8, 3) X(10, 3)
#define SOFA_EXTERN(N, D) extern template class ElementGraph<N, D>;
SOFA_ELEMENT_GRAPHS(SOFA_EXTERN)
#undef SOFA_EXTERN

}  // namespace sofa::core
