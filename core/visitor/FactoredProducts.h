// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "core/linalg/BlockCsrMatrix.h"
#include "core/visitor/ExecutionPlan.h"

namespace sofa::core {

/// The contributions Jᵀ K J of mapped states to a matrix, kept as factors: for products q += Jᵀ (K (J p)).
///
/// K holds the blocks of force fields and masses as they give them, J the rows of the points that have any, multiplied
/// out along all mappings between the point and the independent states. Contacts through a barycentric mapping have few
/// such points, others in each step: as part of the matrix they would change its pattern each time and cost e² blocks
/// each (e Jacobian blocks a row), as factors 2 e. Sums are formed in the order in which blocks come, by one thread.
class FactoredProducts
{
public:
    /// Where the scalars of an independent state stand in the system; −1 for a state that is none.
    using OffsetOf = FunctionRef<int(const BaseState&)>;

    /// Drops all blocks; sinks stay valid.
    void clear();
    /// Takes blocks of K with points of two states as rows and columns, multiplied by `factor` as it is at each block.
    std::unique_ptr<BlockSink> sink(const BaseState& row, const BaseState& col, const double& factor);
    /// Makes J for the points of all blocks since `clear`. Independent states have their own scalars as rows.
    void finish(const ExecutionPlan& plan, OffsetOf offset);
    bool empty() const { return m_blocks.empty(); }
    std::size_t bytes() const
    {
        return bytesOf(m_points) + bytesOf(m_entries) + bytesOf(m_blocks) + bytesOf(m_jacobian) + bytesOf(m_values);
    }

    /// Takes scalars of the system, sorted, out of J: columns of fixed degrees of freedom.
    void eliminate(std::span<const int> scalars);
    /// J ← J P, where P is the identity but for the n scalars from `first` on, which it maps by `p` (row-major, n
    /// squared).
    void project(int first, int n, const double* p);

    /// Adds the blocks of Jᵀ K J on the diagonal to those of a matrix of the system.
    void addDiagonal(BlockCsrMatrix& a) const;
    /// q += Jᵀ K J p, for arrays of all scalars of the system.
    void addProduct(const double* p, double* q);

private:
    class Sink;
    /// A point of a state: its scalars in u = J p, and its row of J.
    struct Point
    {
        const BaseState* state;
        Index index;
        int offset;  ///< of its scalars in u
        int size;    ///< number of these scalars
        std::size_t firstEntry = 0, lastEntry = 0;
    };
    /// A block of a row of J: as many rows as the point has scalars.
    struct Entry
    {
        int column;  ///< first scalar in the system
        int size;    ///< number of columns
        std::size_t value;
    };
    /// A block of K.
    struct Block
    {
        int row, col;  ///< scalars in u
        int rows, cols;
        std::size_t value;
    };
    struct Points
    {
        Vector<int> numberOf;  ///< of each point of the state, −1 for those without blocks
    };

    /// One input of a mapping that carries forces.
    struct Link
    {
        const BaseState* input;
        int inputOffset;  ///< in the system, −1 if it is mapped itself
        const BaseJacobian* jacobian;
    };

    int pointOf(const BaseState& s, Points& known, Index index);
    std::span<const Entry> entriesOf(int scalar) const;  ///< of the point with this scalar in u
    /// Adds `m` (rows × size of the state) times the row of J of a point to the entries from `firstEntry` on.
    void addRow(const BaseState& s, int offset, Index index, const double* m, int rows, std::size_t firstEntry);

    std::map<const BaseState*, Points> m_states;       ///< looked up only, never gone through
    std::map<const BaseState*, Vector<Link>> m_links;  ///< of each output; looked up only
    Vector<Point> m_points;
    Vector<Entry> m_entries;
    Vector<Block> m_blocks;
    Vector<double> m_jacobian, m_values;  ///< of the entries and of the blocks, row-major
    Vector<double> m_u, m_f;
};

}  // namespace sofa::core
