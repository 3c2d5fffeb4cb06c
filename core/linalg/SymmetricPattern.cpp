// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricPattern.h"

#include <algorithm>
#include <atomic>

namespace sofa::core {

std::uint64_t SymmetricPattern::newId()
{
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void SymmetricPattern::columnsWere(const PiecewiseRows<std::uint32_t>& before)
{
    changed.clear();
    for (std::size_t v = 0; v < rows(); ++v)
        if (v >= before.size() || !std::ranges::equal(before[v], columns[v])) changed.push_back(static_cast<Index>(v));
    // Who has the matrix follows these rows, unless all had better be made anew.
    previous = 8 * changed.size() < rows() ? id : 0;
    if (previous == 0) changed.clear();
    id = newId();
}

void SymmetricBlocks::set(const SymmetricPattern& p, SymmetricSource& source)
{
    pairs.resize(p.columns.extent());
    diagonals.resize(p.rows());
    source.forEachRows([&](std::size_t first, std::size_t last, const double* block) {
        const auto take = [&block](Mat3& to) {
            std::copy_n(block, 9, to.data());
            block += 9;
        };
        for (std::size_t r = first; r < last; ++r) {
            const Index v = p.vertexAt(r);
            take(diagonals[v]);
            for (std::size_t k = 0; k < p.columns[v].size(); ++k) take(pairs[p.columns.first(v) + k]);
        }
    });
}

}  // namespace sofa::core
