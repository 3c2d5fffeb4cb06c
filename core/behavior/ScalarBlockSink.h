// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/MatrixAccumulator.h"
#include "core/linalg/ScalarBlockMatrix.h"

namespace sofa::core {

/// What a BlockSink may be besides: a receiver of whole matrices of multiples of the identity, which knows from them
/// that its matrix stays symmetric, and adds them without a call for each block.
class ScalarBlockSink
{
public:
    virtual ~ScalarBlockSink() = default;
    /// Adds `m` with blocks of d × d scalars: the sums of BlockSink::addIdentity. False if it cannot; then nothing was
    /// added.
    virtual bool addScalarBlocks(const ScalarBlockMatrix& m, std::size_t d) = 0;
};

/// Adds `m` with blocks of d × d scalars to any sink.
inline void addScalarBlocks(BlockSink& sink, const ScalarBlockMatrix& m, std::size_t d)
{
    if (auto* whole = dynamic_cast<ScalarBlockSink*>(&sink); whole && whole->addScalarBlocks(m, d)) return;
    for (std::size_t k = 0; k < m.places.size(); ++k) {
        const auto [row, column] = m.places[k];
        sink.addIdentity(row, column, m.values[k], d);
        if (row != column) sink.addIdentity(column, row, m.values[k], d);
    }
}

}  // namespace sofa::core
