// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/BlockCsrMatrix.h"
#include "core/linalg/SymmetricPattern.h"

namespace sofa::core {

/// The blocks on and right of the diagonal of a matrix of 3 × 3 blocks that is symmetric to rounding, as those are that
/// come through mappings: Jᵀ K J.
class UpperHalf final : public SymmetricSource
{
public:
    /// Refers to the matrix, all whose blocks on the diagonal are stored; `version` changes with its pattern. False,
    /// with no columns then, if a block off the diagonal has no counterpart, or one that differs by more than 1e-13 of
    /// its largest entry.
    bool take(const BlockCsrMatrix& a, std::uint64_t version);
    /// A matrix of so many rows without blocks.
    void clear(std::size_t rows)
    {
        if (m_pattern.rows() != rows || m_pattern.columns.count() > 0) setColumns(nullptr, rows);
    }

    const SymmetricPattern& pattern() const { return m_pattern; }
    void forEachRows(const Rows& rows) override;

private:
    bool isSymmetric(const BlockCsrMatrix& a);
    /// Those of a matrix, or none.
    void setColumns(const BlockCsrMatrix* a, std::size_t rows);

    const BlockCsrMatrix* m_matrix = nullptr;
    std::uint64_t m_version = 0;  ///< of the columns; 0: there are none
    SymmetricPattern m_pattern;
    Vector<int> m_next;               ///< per row, the block left of the diagonal that comes next
    Vector<std::uint32_t> m_columns;  ///< of a row
};

}  // namespace sofa::core
