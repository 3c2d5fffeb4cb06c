// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricPairs.h"

namespace sofa::core {

void setPairs(SymmetricPattern& pattern, const Vector<std::pair<Index, Index>>& pairs, Index rows)
{
    pattern.rowStart.assign(rows + std::size_t{1}, 0);
    for (const auto& [v, w] : pairs) {
        ++pattern.rowStart[v + std::size_t{1}];
        ++pattern.rowStart[w + std::size_t{1}];
    }
    for (std::size_t v = 0; v < rows; ++v) pattern.rowStart[v + 1] += pattern.rowStart[v];
    // Each row in increasing order: first the columns left of the diagonal, then those right of it.
    pattern.entries.resize(2 * pairs.size());
    Vector<std::size_t> next(pattern.rowStart.begin(), pattern.rowStart.end() - 1);
    for (std::uint32_t k = 0; k < pairs.size(); ++k) pattern.entries[next[pairs[k].second]++] = {pairs[k].first, k, 1};
    for (std::uint32_t k = 0; k < pairs.size(); ++k) pattern.entries[next[pairs[k].first]++] = {pairs[k].second, k, 0};
    pattern.id = SymmetricPattern::newId();
}

}  // namespace sofa::core
