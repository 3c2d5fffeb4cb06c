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
    for (Index v = 0; v < m.pattern.rows(); ++v) {
        const std::span<const double> values = m.values[v];
        sink.addIdentity(v, v, values[0], d);
        for (std::size_t k = 0; k < m.pattern.columns[v].size(); ++k) {
            const Index w = m.pattern.columns[v][k];
            sink.addIdentity(v, w, values[k + 1], d);
            sink.addIdentity(w, v, values[k + 1], d);
        }
    }
}

}  // namespace sofa::core
