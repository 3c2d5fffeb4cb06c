// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/math/Mat.h"
#include "core/math/Vector.h"

namespace sofa::core {

/// Jacobian of a mapping, J = ∂(mapped)/∂(input): a sparse matrix of R × C blocks in row order, whose column indices
/// are input points. Type-erased access serves assembly (JᵀKJ).
class BaseJacobian
{
public:
    virtual ~BaseJacobian() = default;
    virtual std::size_t blockRows() const = 0;
    virtual std::size_t blockCols() const = 0;

    /// Columns of the blocks of row i, and the blocks (row-major, one after the other).
    std::span<const Index> columns(Index row) const
    {
        return {m_columns.data() + m_rowStart[row], m_rowStart[row + 1] - m_rowStart[row]};
    }
    virtual const double* blocks(Index row) const = 0;
    Index rows() const { return static_cast<Index>(m_rowStart.size()) - 1; }

protected:
    Vector<Index> m_rowStart{0};
    Vector<Index> m_columns;
};

template <std::size_t R, std::size_t C>
class Jacobian final : public BaseJacobian
{
public:
    using Block = Mat<R, C>;
    std::size_t blockRows() const override { return R; }
    std::size_t blockCols() const override { return C; }
    const double* blocks(Index row) const override
    {
        return m_blocks.empty() ? nullptr : m_blocks[0].data() + m_rowStart[row] * R * C;
    }

    /// Starts an empty matrix; rows are appended in order: beginRow, then add for each block.
    void clear()
    {
        m_rowStart.assign(1, 0);
        m_columns.clear();
        m_blocks.clear();
    }
    /// Appends an empty row and returns its index.
    Index appendRow()
    {
        m_rowStart.push_back(m_rowStart.back());
        return rows() - 1;
    }
    /// Appends a block to the last row.
    void append(Index column, const Block& b)
    {
        m_columns.push_back(column);
        m_blocks.push_back(b);
        ++m_rowStart.back();
    }
    /// Block k in storage order, to update the values of a fixed pattern.
    Block& block(std::size_t k) { return m_blocks[k]; }
    std::span<const Block> rowBlocks(Index row) const
    {
        return {m_blocks.data() + m_rowStart[row], m_rowStart[row + 1] - m_rowStart[row]};
    }

    /// out = J in (or out += J in)
    template <class Out, class In>
    void multiply(Vector<Out>& out, const Vector<In>& in, bool accumulate = false) const
    {
        for (Index i = 0; i < rows(); ++i) {
            Out s = accumulate ? out[i] : Out();
            for (Index k = m_rowStart[i]; k < m_rowStart[i + 1]; ++k) s += m_blocks[k] * in[m_columns[k]];
            out[i] = s;
        }
    }
    /// in += Jᵀ out
    template <class Out, class In>
    void addTransposed(Vector<In>& in, const Vector<Out>& out) const
    {
        for (Index i = 0; i < rows(); ++i)
            for (Index k = m_rowStart[i]; k < m_rowStart[i + 1]; ++k)
                in[m_columns[k]] += transposeTimes(m_blocks[k], out[i]);
    }

private:
    Vector<Block> m_blocks;
};

}  // namespace sofa::core
