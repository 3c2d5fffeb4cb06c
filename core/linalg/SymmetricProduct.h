// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

#include "core/linalg/BlockCsrMatrix.h"

namespace sofa::core {

/// Products with a matrix of 3 × 3 blocks, symmetric but for the blocks of the diagonal, that read only the blocks on
/// and right of the diagonal: half of the memory traffic, which is what such a product waits for.
///
///     product.prepare(a, patternVersion, SymmetricProduct::Stored::Symmetric);   // whenever the values have changed
///     product.multiply(a, x, y);                  // y = A x, many times
///
/// A solver that multiplies many times keeps its vectors *padded*, with a fourth number of zero for each point, as the
/// products take them: see multiplyPadded.
///
/// A block B of row i and column j > i does two things, y_i += B x_j and y_j += Bᵀ x_i, with fused multiply-adds (exact
/// ones of the C library where the instruction set has none). Rows are cut into chunks, of whole groups of rows, whose
/// blocks take half a megabyte or some more, 64 at most, whatever the number of threads; each chunk sums into a window
/// of its own, from its first row to its last column, and the windows are added up in their order. So the bits depend
/// neither on the number of threads nor on the instruction set. They are not those of BlockCsrMatrix::multiply, which
/// sums in another order. Of a window only the pages are cleared and added up in which the chunk has columns, so that
/// points that cuts add behind all others cost little.
class SymmetricProduct
{
public:
    /// What a matrix has.
    enum class Stored
    {
        Any,        ///< any blocks
        Symmetric,  ///< each block off the diagonal is the transpose of its counterpart
        Upper       ///< the same, and only the blocks on and right of the diagonal are stored
    };
    /// Looks at the matrix. Where it is not symmetric, where blocks are not 3 × 3 or one of the diagonal is not stored,
    /// or where the numbering is so bad that the windows would cost more than they save, or where the matrix is large,
    /// whole, and its rows are short, products are those of BlockCsrMatrix. `patternVersion` is a number that changes
    /// with the pattern of this matrix, not zero. A matrix that is Stored::Upper has no products unless
    /// usesUpperTriangle() then is true.
    void prepare(const BlockCsrMatrix& a, std::uint64_t patternVersion, Stored stored);

    /// True if products take half of the matrix.
    bool usesUpperTriangle() const { return m_usesUpper; }
    /// True if a matrix of this pattern may be stored as Stored::Upper, whose products then are faster than those of
    /// the whole matrix. True before the first `prepare`: it is so of most.
    bool prefersUpper() const { return m_prefersUpper; }

    /// y = A x for the matrix of the last `prepare`. Throws std::runtime_error if sizes do not fit, or if there is no
    /// product.
    void multiply(const BlockCsrMatrix& a, const Vector<double>& x, Vector<double>& y);

    /// Memory of its vectors.
    std::size_t bytes() const { return bytesOf(m_x) + bytesOf(m_y) + bytesOf(m_windows); }

    /// Size of padded vectors, while usesUpperTriangle(): four numbers for each point and for one point more, which
    /// stays zero.
    std::size_t paddedSize() const { return m_x.size(); }
    /// Padded from three numbers for each point, and back; `padded` has paddedSize() numbers. Requires
    /// usesUpperTriangle().
    void pad(const double* x, Vector<double>& padded) const;
    void unpad(const Vector<double>& padded, double* x) const;
    /// y = A x for padded vectors; returns x · y, which costs next to nothing where there is one chunk: its sums go
    /// over the even and the odd points, component by component. Requires usesUpperTriangle(); throws
    /// std::runtime_error if sizes do not fit.
    double multiplyPadded(const BlockCsrMatrix& a, const Vector<double>& x, Vector<double>& y);

private:
    /// Points [first, last).
    struct Run
    {
        std::size_t first, last;
    };
    struct Chunk
    {
        std::size_t first, last;  ///< rows
        std::size_t end;          ///< of the window: one behind its last column
        std::size_t offset;       ///< of the window in m_windows, in points; the first chunk has none
        std::vector<Run> used;    ///< what of its window has columns, in whole pages; not of the first chunk
    };
    /// Some rows that follow one another (BlockCsrMatrix::rowGroup).
    struct Group
    {
        std::uint32_t blocks = 0, end = 0;  ///< on and right of the diagonal; one behind the last column
    };
    /// Looks at the groups of rows that have changed since the last call.
    void analyse(const BlockCsrMatrix& a);
    /// Sets a group. False if a row has no block on the diagonal.
    bool findGroup(const BlockCsrMatrix& a, std::size_t group);
    /// Cuts the rows into so many chunks at most, and returns the points of all windows.
    std::size_t cut(std::size_t rows, std::size_t most);
    /// Sets `used` of a chunk. `pages` has a zero for each page, before and after.
    static void findUsed(Chunk& chunk, const BlockCsrMatrix& a, Vector<char>& pages);
    /// y = A x, but for the windows; returns x · y if there are none.
    double addChunks(const BlockCsrMatrix& a, const double* x, double* y);
    void mergeWindows(double* y);

    bool m_usesUpper = false, m_suits = false, m_prefersUpper = true;
    Stored m_stored = Stored::Any;
    const BlockCsrMatrix* m_matrix = nullptr;  ///< of the last analysis, to compare addresses
    std::uint64_t m_version = 0;
    std::vector<Chunk> m_chunks;
    std::uint64_t m_patternId = 0, m_changes = 0;  ///< that the groups are for
    Vector<Group> m_groups;
    std::size_t m_half = 0;     ///< blocks on and right of the diagonal
    bool m_isComplete = false;  ///< the diagonal
    /// Padded; windows are those of all chunks but the first, which sums into the result.
    Vector<double> m_x, m_y, m_windows;
};

}  // namespace sofa::core
