// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/MatrixAccumulator.h"

#include <array>

namespace sofa::core {

void BlockSink::addIdentity(Index i, Index j, double m, std::size_t d)
{
    std::array<double, 36> block{};
    for (std::size_t k = 0; k < d; ++k) block[k * d + k] = m;
    addBlock(i, j, block.data(), d, d);
}

void BlockSink::addSymmetric(const SymmetricPattern& p, SymmetricSource& source)
{
    const PairBlocks pairs = source.all();
    for (std::size_t v = 0; v < p.rows(); ++v) {
        std::size_t k = p.rowStart[v];
        const std::size_t end = p.rowStart[v + 1];
        if (k == end) continue;
        const auto row = static_cast<Index>(v);
        for (; k < end && p.entries[k].transposed; ++k)
            add(row, p.entries[k].column, pairs.at(p.entries[k].pair).transposed());
        add(row, row, diagonalBlock(p, v, pairs));
        for (; k < end; ++k) add(row, p.entries[k].column, pairs.at(p.entries[k].pair));
    }
}

}  // namespace sofa::core
