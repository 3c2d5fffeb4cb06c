// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/assembly/AssemblyPlan.h"
#include "core/fem/kernels/EdgeKernels.h"
#include "core/linalg/SymmetricPairs.h"
#include "core/math/Vector.h"

namespace sofa::core {

/// Room for `size` sums at `memory`, which has 9 · size scalars.
inline EdgeSumWindow edgeSumWindow(double* memory, std::size_t size, std::size_t mask)
{
    return {memory, memory + 8 * size, mask};
}
/// Sums the stiffness blocks of elements into those of SymmetricPairs, in one sweep over the elements that hands rows
/// over as soon as they are complete.
///
/// Elements come in packs of eight, in the order of their places (ElementReordering). The blocks of a pack are added to
/// the sums of their pairs at once, in this order; a row of the matrix is complete when no later element has its
/// vertex. The sums that are in use at a time are few if the order is good: they live in a frontal buffer that stays in
/// the cache. Any other order gives its sums too, with a frontal buffer as large as it needs.
///
/// Several threads sweep over ranges of rows, each with a frontal buffer of its own. Elements at the border of two
/// ranges are computed by both, so that results do not depend on the number of threads.
class EdgeAssembly
{
public:
    /// `values` of a pack: for each pair of local vertices 01 02 .. 12 .. the nine values, with eight lanes each, of
    /// the block of the smaller and the larger vertex.
    using PackValues = FunctionRef<void(std::size_t pack, double* values)>;

    /// `start` and `contributions` list the element blocks of each of `pairs`; the elements, with `vertices`
    /// each, are those that `plan` was built for in this order. Rows are those of the ranks.
    void build(const SymmetricPairs& pairs, const Vector<std::size_t>& start,
               const Vector<PairContribution>& contributions, std::size_t vertices, const ElementReordering& order,
               const AssemblyPlan& plan);

    /// For each pair of local vertices i < j of the eight elements of a pack, a bit for each lane where vertex i of the
    /// mesh is the larger one.
    const std::uint8_t* transposed(std::size_t pack) const { return &m_transposed[pack * m_elementPairs]; }

    /// SymmetricSource of the sums of what `values` gives, for the pairs that this was built for; it refers to all
    /// three.
    class Source final : public SymmetricSource
    {
    public:
        Source(const EdgeAssembly& sums, const SymmetricPairs& pairs, PackValues values)
            : m_sums(sums), m_pairs(pairs), m_values(values)
        {
        }
        void forEachRows(const Rows& rows) override;

    private:
        void sweep(std::size_t begin, std::size_t end, const EdgeSumWindow& sums, const Rows& rows) const;

        const EdgeAssembly& m_sums;
        const SymmetricPairs& m_pairs;
        PackValues m_values;
    };

private:
    AssemblyPlan m_plan;
    std::size_t m_elementPairs = 0;
    std::size_t m_frontSize = 0;                ///< power of two
    Vector<std::uint32_t> m_targets;            ///< per place and pair
    Vector<std::uint8_t> m_transposed;          ///< per pack and pair
    mutable std::vector<std::size_t> m_ranges;  ///< chunks where the threads begin, and the end
    mutable unsigned m_threads = 0;             ///< that the ranges are for
    mutable Vector<double> m_fronts;
};

}  // namespace sofa::core
