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
