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
    // Kept, so that a steady step allocates nothing.
    thread_local SymmetricBlocks blocks;
    thread_local Vector<char> coupled;
    blocks.set(p, source);
    coupled.assign(p.rows(), 0);
    for (Index v = 0; v < p.rows(); ++v) {
        if (!p.columns[v].empty()) coupled[v] = 1;
        for (const std::uint32_t w : p.columns[v]) coupled[w] = 1;
        if (coupled[v]) add(v, v, blocks.diagonals[v]);
        for (std::size_t k = 0; k < p.columns[v].size(); ++k) {
            const Mat3& block = blocks.pairs[p.columns.first(v) + k];
            add(v, p.columns[v][k], block);
            add(p.columns[v][k], v, block.transposed());
        }
    }
}

}  // namespace sofa::core
