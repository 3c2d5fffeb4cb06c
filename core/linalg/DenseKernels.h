// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>

/// Dense kernels of the supernodal L D Lᵀ factorisation, compiled once per instruction set and chosen at run time.
///
/// All matrices are column-major. A *panel* holds ns columns of the factor: its ns × ns top is unit lower triangular
/// with D on the diagonal (the strict upper triangle is scratch), the rows below belong to the update rows.
///
/// The arithmetic is fixed, whatever the instruction set, blocking and number of threads: with w_jk = l_jk · d_k
/// rounded,
///     a_ij ← fma(−l_ik, w_jk, a_ij)   for k = 0, 1, 2, …   then   l_ij = a_ij · (1/d_j).
/// Vector lanes run over i, so no sum is ever reordered, and every multiplication-addition is fused.
namespace sofa::core::dense {

/// Column width of the innermost factorisation step.
inline constexpr int blockWidth = 12;

/// Depth of one packed update: how many columns k are subtracted per sweep over the target.
inline constexpr int updateDepth = 192;

/// Rows of the longest vectors.
inline constexpr int rowGroup = 8;

/// Columns of a panel of a band, a multiple of rowGroup, of all block sizes and of tileColumns.
inline constexpr int bandWidth = 24;

/// Right-hand sides that the multiple solves treat at once, interleaved.
inline constexpr int rhsWidth = 8;

/// Consecutive rows of a child's update matrix that are consecutive in its parent's front as well.
struct Run
{
    int source;  ///< first row in the child's update matrix
    int target;  ///< first row in the parent's front
    int length;
};

struct Kernels
{
    /// Columns of the tile in registers, which divides bandWidth; its rows are one vector.
    int tileColumns;

    /// L D Lᵀ of the lower triangle of the nb × nb matrix a, nb ≤ blockWidth. Stores d and 1/d (0 for d = 0), and
    /// w[k · blockWidth + j] = l_jk d_k for j > k.
    void (*factorDiagonal)(double* a, std::ptrdiff_t ld, int nb, double* d, double* inverse, double* w);

    /// Rows of the panel below a factorised diagonal block: m rows of nb columns become L.
    void (*solveRows)(double* a, std::ptrdiff_t ld, int m, int nb, const double* inverse, const double* w);

    /// Packs n rows of columns [0, depth) of `l`, times d, in groups of tileColumns; room for n rounded up to
    /// bandWidth.
    void (*packColumns)(const double* l, std::ptrdiff_t ld, const double* d, int n, int depth, double* packed);

    /// C −= L (D L)ᵀ for the rows [begin, end) of L and C, begin a multiple of rowGroup, against the n packed columns:
    /// in the lower triangle, row i of C having its diagonal in column i. The rest of the last group of rows and
    /// columns is read and written; so are values right of the diagonal.
    void (*updateRows)(const double* l, std::ptrdiff_t ld, int begin, int end, int depth, const double* packed, int n,
                       double* c, std::ptrdiff_t ldc);

    /// Adds the lower triangle of a child's update matrix to its parent's front: to the panel (first `pivots` columns,
    /// leading dimension ldPanel) and to the update matrix of the parent (ldUpdate).
    void (*extendAdd)(const double* child, std::ptrdiff_t ldChild, const Run* runs, int runCount, double* panel,
                      std::ptrdiff_t ldPanel, int pivots, double* update, std::ptrdiff_t ldUpdate);

    /// Bands: entry (i, j) is at band[j ld + i].
    ///
    /// L D Lᵀ of the tileColumns columns from `column` on, their diagonal block: subtracts what the columns from
    /// `first` on contribute, whose rows times d it leaves in `packed`, and factorises it. d and inverse are those of
    /// all columns; w as in factorDiagonal, with tileColumns for blockWidth.
    void (*bandBlock)(double* band, std::ptrdiff_t ld, int column, int first, double* d, double* inverse,
                      double* packed, double* w);

    /// The rows [begin, end) below it, whole groups of rowGroup, become L. envelope[i / rowGroup] is the first
    /// column that is not zero in row i; rows that are zero in all of these columns are left as they are.
    void (*bandRows)(double* band, std::ptrdiff_t ld, int column, int begin, int end, int first, const int* envelope,
                     const double* packed, const double* inverse, const double* w);

    /// y ← L⁻¹ y on the panel's top, y below −= L₂₁ y above. n rows, ns columns.
    void (*forward)(const double* panel, std::ptrdiff_t ld, int n, int ns, double* y);

    /// y above ← L₁₁⁻ᵀ (y above − L₂₁ᵀ y below).
    void (*backward)(const double* panel, std::ptrdiff_t ld, int n, int ns, double* y);

    /// The same for rhsWidth right-hand sides: row i of y starts at y[i · rhsWidth].
    void (*forwardMany)(const double* panel, std::ptrdiff_t ld, int n, int ns, double* y);
    void (*backwardMany)(const double* panel, std::ptrdiff_t ld, int n, int ns, double* y);

    /// w −= Aᵀ diag(f) B for n rows of rhsWidth interleaved columns each; w is rhsWidth × rhsWidth, row-major. Terms
    /// are fma(−(a f), b, w), row after row.
    void (*subtractProducts)(const double* a, const double* b, const double* f, int n, double* w);
};

/// Kernels for the current SIMD level (core/parallel/SimdLevel.h).
const Kernels& kernels();

}  // namespace sofa::core::dense
