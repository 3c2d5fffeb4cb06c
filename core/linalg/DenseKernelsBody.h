// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
// NOLINTBEGIN(misc-definitions-in-headers): included once by the file of each instruction set.
//
// The dense kernels, included by DenseKernels.cpp once per instruction set, inside a namespace of its own that defines
// the vector type V, its width W, load, store, broadcast, multiply, add and negativeMultiplyAdd (c − a b, fused), and
// the tileColumns columns of which W rows are in registers, whole vectors too. No templates and no library functions
// here: the compiler merges those across instruction sets. No include guard for the same reason.

/// Vectors that hold one row of interleaved right-hand sides.
constexpr int rhsVectors = rhsWidth / W;

// --- factorisation -------------------------------------------------------------------------------------------------

void factorDiagonal(double* a, std::ptrdiff_t ld, int nb, double* d, double* inverse, double* w)
{
    for (int k = 0; k < nb; ++k) {
        double* column = a + k * ld;
        const double pivot = column[k];
        const double reciprocal = pivot == 0. ? 0. : 1. / pivot;
        d[k] = pivot;
        inverse[k] = reciprocal;
        for (int i = k + 1; i < nb; ++i) column[i] *= reciprocal;
        for (int j = k + 1; j < nb; ++j) {
            const double wj = column[j] * pivot;
            w[k * blockWidth + j] = wj;
            for (int i = j; i < nb; ++i) a[i + j * ld] = __builtin_fma(-column[i], wj, a[i + j * ld]);
        }
    }
}

/// `strips` vectors of rows at once; nb is a compile-time constant after inlining.
SOFA_KERNEL_INLINE void solveStrip(double* a, std::ptrdiff_t ld, int nb, int strips, const double* inverse,
                                   const double* w)
{
    V x[2][blockWidth];
    SOFA_UNROLL
    for (int s = 0; s < strips; ++s) SOFA_UNROLL
    for (int k = 0; k < nb; ++k) x[s][k] = load(a + k * ld + s * W);
    SOFA_UNROLL
    for (int k = 0; k < nb; ++k) {
        const V r = broadcast(inverse[k]);
        SOFA_UNROLL
        for (int s = 0; s < strips; ++s) x[s][k] = multiply(x[s][k], r);
        SOFA_UNROLL
        for (int j = k + 1; j < nb; ++j) {
            const V wj = broadcast(w[k * blockWidth + j]);
            SOFA_UNROLL
            for (int s = 0; s < strips; ++s) x[s][j] = negativeMultiplyAdd(x[s][k], wj, x[s][j]);
        }
    }
    SOFA_UNROLL
    for (int s = 0; s < strips; ++s) SOFA_UNROLL
    for (int k = 0; k < nb; ++k) store(a + k * ld + s * W, x[s][k]);
}

SOFA_KERNEL_INLINE void solveAllRows(double* a, std::ptrdiff_t ld, int m, int nb, const double* inverse,
                                     const double* w)
{
    int i = 0;
    for (; i + 2 * W <= m; i += 2 * W) solveStrip(a + i, ld, nb, 2, inverse, w);
    for (; i + W <= m; i += W) solveStrip(a + i, ld, nb, 1, inverse, w);
    if (i == m) return;
    double rest[W * blockWidth] = {};
    for (int k = 0; k < nb; ++k)
        for (int r = 0; r < m - i; ++r) rest[k * W + r] = a[k * ld + i + r];
    solveStrip(rest, W, nb, 1, inverse, w);
    for (int k = 0; k < nb; ++k)
        for (int r = 0; r < m - i; ++r) a[k * ld + i + r] = rest[k * W + r];
}

void solveRows(double* a, std::ptrdiff_t ld, int m, int nb, const double* inverse, const double* w)
{
    switch (nb) {
        case 1:
            solveAllRows(a, ld, m, 1, inverse, w);
            break;
        case 2:
            solveAllRows(a, ld, m, 2, inverse, w);
            break;
        case 3:
            solveAllRows(a, ld, m, 3, inverse, w);
            break;
        case 4:
            solveAllRows(a, ld, m, 4, inverse, w);
            break;
        case 5:
            solveAllRows(a, ld, m, 5, inverse, w);
            break;
        case 6:
            solveAllRows(a, ld, m, 6, inverse, w);
            break;
        case 7:
            solveAllRows(a, ld, m, 7, inverse, w);
            break;
        case 8:
            solveAllRows(a, ld, m, 8, inverse, w);
            break;
        case 9:
            solveAllRows(a, ld, m, 9, inverse, w);
            break;
        case 10:
            solveAllRows(a, ld, m, 10, inverse, w);
            break;
        case 11:
            solveAllRows(a, ld, m, 11, inverse, w);
            break;
        default:
            solveAllRows(a, ld, m, blockWidth, inverse, w);
            break;
    }
}

void packColumns(const double* l, std::ptrdiff_t ld, const double* d, int n, int depth, double* packed)
{
    for (int j = 0; j < n; j += tileColumns) {
        const int width = n - j < tileColumns ? n - j : tileColumns, whole = width / W * W;
        double* out = packed + static_cast<std::ptrdiff_t>(j) * depth;
        for (int k = 0; k < depth; ++k, out += tileColumns) {
            const double* in = l + k * ld + j;
            const V dk = broadcast(d[k]);
            int c = 0;
            for (; c < whole; c += W) store(out + c, multiply(load(in + c), dk));
            if (c == width) continue;
            for (; c < width; ++c) out[c] = in[c] * d[k];
            for (; c % W != 0; ++c) out[c] = 0.;
        }
    }
}

/// W rows of `columns` columns of a band: a −= L (D L)ᵀ over `depth` columns before them, packed; with `solve` times
/// the inverse of the diagonal block as well, which makes them L. All in registers.
SOFA_KERNEL_INLINE void updateVector(double* a, std::ptrdiff_t lda, int columns, const double* l, std::ptrdiff_t ld,
                                     int depth, const double* packed, bool solve, const double* inverse,
                                     const double* w)
{
    V x[tileColumns];
    SOFA_UNROLL
    for (int j = 0; j < columns; ++j) x[j] = load(a + j * lda);
    for (int k = 0; k < depth; ++k) {
        const V row = load(l + k * ld);
        SOFA_UNROLL
        for (int j = 0; j < columns; ++j) x[j] = negativeMultiplyAdd(row, broadcast(packed[k * tileColumns + j]), x[j]);
    }
    if (solve) {
        SOFA_UNROLL
        for (int k = 0; k < columns; ++k) {
            x[k] = multiply(x[k], broadcast(inverse[k]));
            SOFA_UNROLL
            for (int j = k + 1; j < columns; ++j)
                x[j] = negativeMultiplyAdd(x[k], broadcast(w[k * tileColumns + j]), x[j]);
        }
    }
    SOFA_UNROLL
    for (int j = 0; j < columns; ++j) store(a + j * lda, x[j]);
}

/// updateVector for a number of columns that is known when the program runs, vector by vector.
SOFA_KERNEL_INLINE void updateColumns(double* a, std::ptrdiff_t lda, int columns, const double* l, std::ptrdiff_t ld,
                                      int depth, const double* packed)
{
    SOFA_UNROLL
    for (int v = 1; v <= tileColumns / W; ++v)
        if (columns == v * W) updateVector(a, lda, v * W, l, ld, depth, packed, false, nullptr, nullptr);
}

void updateRows(const double* l, std::ptrdiff_t ld, int begin, int end, int depth, const double* packed, int n,
                double* c, std::ptrdiff_t ldc)
{
    // Some vectors of rows share a tile of packed columns in the first-level cache. Of wide updates they are copied, so
    // that their columns are not on pages of their own.
    constexpr int rows = 6 * W;
    alignas(64) double strip[rows * updateDepth];
    const bool copies = n > 4 * tileColumns;
    for (int first = begin; first < end; first += rows) {
        const int last = first + rows < end ? first + rows : end;
        if (copies)
            for (int i = first; i < last; i += W) {
                double* to = strip + static_cast<std::ptrdiff_t>(i - first) * depth;
                for (int k = 0; k < depth; ++k) store(to + k * W, load(l + i + k * ld));
            }
        for (int j = 0; j < n && j < last - 1 + W; j += tileColumns) {
            const double* const b = packed + static_cast<std::ptrdiff_t>(j) * depth;
            for (int i = j > first ? j / W * W : first; i < last; i += W) {
                int width = n < i + W ? n - j : i + W - j;
                width = width < tileColumns ? (width + W - 1) / W * W : tileColumns;
                const double* a = copies ? strip + static_cast<std::ptrdiff_t>(i - first) * depth : l + i;
                updateColumns(c + j * ldc + i, ldc, width, a, copies ? W : ld, depth, b);
            }
        }
    }
}

SOFA_KERNEL_INLINE void addTo(double* target, const double* source, int n)
{
    int i = 0;
    for (; i + W <= n; i += W) store(target + i, add(load(target + i), load(source + i)));
    if (i < n) storePart(target + i, add(loadPart(target + i, n - i), loadPart(source + i, n - i)), n - i);
}

void extendAdd(const double* child, std::ptrdiff_t ldChild, const Run* runs, int runCount, double* panel,
               std::ptrdiff_t ldPanel, int pivots, double* update, std::ptrdiff_t ldUpdate)
{
    for (int q = 0; q < runCount; ++q)
        for (int c = 0; c < runs[q].length; ++c) {
            const int column = runs[q].target + c;
            const bool inPanel = column < pivots;
            double* target = inPanel ? panel + column * ldPanel : update + (column - pivots) * ldUpdate;
            const int shift = inPanel ? 0 : pivots;  // rows of the update matrix count from there
            const double* source = child + (runs[q].source + c) * ldChild;
            addTo(target + (column - shift), source + runs[q].source + c, runs[q].length - c);
            for (int p = q + 1; p < runCount; ++p)
                addTo(target + (runs[p].target - shift), source + runs[p].source, runs[p].length);
        }
}

// --- bands ---------------------------------------------------------------------------------------------------------

/// L D Lᵀ of columns [g, g + W) of a diagonal block whose columns before are done. The strict upper triangle is
/// scratch.
SOFA_KERNEL_INLINE void bandDiagonal(double* a, std::ptrdiff_t ld, int g, double* d, double* inverse, double* w)
{
    constexpr int vectors = tileColumns / W;
    for (int j = g; j < g + W; ++j) {
        double* column = a + j * ld;
        V x[vectors];
        SOFA_UNROLL
        for (int v = g / W; v < vectors; ++v) x[v] = load(column + v * W);
        for (int k = 0; k < j; ++k) {
            const V f = broadcast(w[k * tileColumns + j]);
            SOFA_UNROLL
            for (int v = g / W; v < vectors; ++v) x[v] = negativeMultiplyAdd(load(a + k * ld + v * W), f, x[v]);
        }
        store(column + g, x[g / W]);
        const double pivot = column[j];
        const double reciprocal = pivot == 0. ? 0. : 1. / pivot;
        SOFA_UNROLL
        for (int v = g / W; v < vectors; ++v) {
            const V scaled = multiply(x[v], broadcast(reciprocal));
            store(column + v * W, scaled);
            store(w + j * tileColumns + v * W, multiply(scaled, broadcast(pivot)));
        }
        column[j] = pivot;
        d[j] = pivot;
        inverse[j] = reciprocal;
    }
}

void bandBlock(double* band, std::ptrdiff_t ld, int column, int first, double* d, double* inverse, double* packed,
               double* w)
{
    constexpr int vectors = tileColumns / W;
    const int depth = column - first;
    const double* l = band + first * ld + column;
    for (int k = 0; k < depth; ++k) {
        const V dk = broadcast(d[first + k]);
        SOFA_UNROLL
        for (int v = 0; v < vectors; ++v)
            store(packed + k * tileColumns + v * W, multiply(load(l + k * ld + v * W), dk));
    }
    double* a = band + column * ld + column;
    SOFA_UNROLL
    for (int v = 0; v < vectors; ++v)
        updateVector(a + v * W, ld, (v + 1) * W, l + v * W, ld, depth, packed, false, nullptr, nullptr);
    SOFA_UNROLL
    for (int v = 0; v < vectors; ++v) bandDiagonal(a, ld, v * W, d + column, inverse + column, w);
}

void bandRows(double* band, std::ptrdiff_t ld, int column, int begin, int end, int first, const int* envelope,
              const double* packed, const double* inverse, const double* w)
{
    for (int i = begin; i < end; i += W) {
        int k = envelope[i / rowGroup];
        if (k >= column + tileColumns) continue;
        if (k < first) k = first;
        if (k > column) k = column;
        updateVector(band + column * ld + i, ld, tileColumns, band + k * ld + i, ld, column - k,
                     packed + static_cast<std::ptrdiff_t>(k - first) * tileColumns, true, inverse + column, w);
    }
}

// --- solution, one right-hand side ---------------------------------------------------------------------------------

void forward(const double* panel, std::ptrdiff_t ld, int n, int ns, double* y)
{
    int k = 0;
    for (; k + 4 <= ns; k += 4) {
        const double* l = panel + k * ld;
        // Triangle of four columns, then the rows below it.
        for (int c = 0; c < 3; ++c)
            for (int i = c + 1; i < 4; ++i) y[k + i] = __builtin_fma(-l[c * ld + k + i], y[k + c], y[k + i]);
        const V x0 = broadcast(y[k]), x1 = broadcast(y[k + 1]), x2 = broadcast(y[k + 2]), x3 = broadcast(y[k + 3]);
        int i = k + 4;
        for (; i + W <= n; i += W) {
            V v = load(y + i);
            v = negativeMultiplyAdd(load(l + i), x0, v);
            v = negativeMultiplyAdd(load(l + ld + i), x1, v);
            v = negativeMultiplyAdd(load(l + 2 * ld + i), x2, v);
            v = negativeMultiplyAdd(load(l + 3 * ld + i), x3, v);
            store(y + i, v);
        }
        for (; i < n; ++i)
            for (int c = 0; c < 4; ++c) y[i] = __builtin_fma(-l[c * ld + i], y[k + c], y[i]);
    }
    for (; k < ns; ++k) {
        const double* l = panel + k * ld;
        const V x = broadcast(y[k]);
        int i = k + 1;
        for (; i + W <= n; i += W) store(y + i, negativeMultiplyAdd(load(l + i), x, load(y + i)));
        for (; i < n; ++i) y[i] = __builtin_fma(-l[i], y[k], y[i]);
    }
}

/// y_k ← y_k − Σ l_ik y_i over the rows i ≥ first, for `columns` columns k. Eight partial sums, of the rows first,
/// first + 8, … and so on, added as a tree: the same for every vector width. Missing rows count as zeros.
SOFA_KERNEL_INLINE void subtractDots(const double* l, std::ptrdiff_t ld, int first, int n, int columns, double* yk,
                                     const double* y)
{
    V sum[4][8 / W];
    SOFA_UNROLL
    for (int c = 0; c < columns; ++c) SOFA_UNROLL
    for (int v = 0; v < 8 / W; ++v) sum[c][v] = broadcast(0.);
    int i = first;
    for (; i + 8 <= n; i += 8) {
        SOFA_UNROLL
        for (int v = 0; v < 8 / W; ++v) {
            const V x = load(y + i + v * W);
            SOFA_UNROLL
            for (int c = 0; c < columns; ++c)
                sum[c][v] = negativeMultiplyAdd(load(l + c * ld + i + v * W), x, sum[c][v]);
        }
    }
    if (i < n) {
        double x[8] = {}, a[4][8] = {};
        for (int r = 0; r < n - i; ++r) {
            x[r] = y[i + r];
            for (int c = 0; c < columns; ++c) a[c][r] = l[c * ld + i + r];
        }
        SOFA_UNROLL
        for (int v = 0; v < 8 / W; ++v) SOFA_UNROLL
        for (int c = 0; c < columns; ++c)
            sum[c][v] = negativeMultiplyAdd(load(a[c] + v * W), load(x + v * W), sum[c][v]);
    }
    SOFA_UNROLL
    for (int c = 0; c < columns; ++c) {
        double s[8];
        for (int v = 0; v < 8 / W; ++v) store(s + v * W, sum[c][v]);
        yk[c] += ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    }
}

void backward(const double* panel, std::ptrdiff_t ld, int n, int ns, double* y)
{
    int k = ns;
    for (; k % 4 != 0; --k) subtractDots(panel + (k - 1) * ld, ld, k, n, 1, y + k - 1, y);
    for (; k > 0; k -= 4) {
        const double* l = panel + (k - 4) * ld;
        double* x = y + k - 4;
        subtractDots(l, ld, k, n, 4, x, y);
        for (int c = 2; c >= 0; --c)
            for (int i = c + 1; i < 4; ++i) x[c] = __builtin_fma(-l[c * ld + k - 4 + i], x[i], x[c]);
    }
}

// --- solution, rhsWidth right-hand sides ---------------------------------------------------------------------------

/// Rows [i, i + rows) of y −= their columns [k0, k1) of L times rows k of y.
SOFA_KERNEL_INLINE void forwardRows(const double* panel, std::ptrdiff_t ld, int i, int rows, int k0, int k1, double* y)
{
    V sum[4][rhsVectors];
    SOFA_UNROLL
    for (int r = 0; r < rows; ++r) SOFA_UNROLL
    for (int v = 0; v < rhsVectors; ++v) sum[r][v] = load(y + (i + r) * rhsWidth + v * W);
    for (int k = k0; k < k1; ++k) {
        const double* l = panel + k * ld + i;
        SOFA_UNROLL
        for (int v = 0; v < rhsVectors; ++v) {
            const V x = load(y + k * rhsWidth + v * W);
            SOFA_UNROLL
            for (int r = 0; r < rows; ++r) sum[r][v] = negativeMultiplyAdd(broadcast(l[r]), x, sum[r][v]);
        }
    }
    SOFA_UNROLL
    for (int r = 0; r < rows; ++r) SOFA_UNROLL
    for (int v = 0; v < rhsVectors; ++v) store(y + (i + r) * rhsWidth + v * W, sum[r][v]);
}

void forwardMany(const double* panel, std::ptrdiff_t ld, int n, int ns, double* y)
{
    for (int k = 1; k < ns; ++k) forwardRows(panel, ld, k, 1, 0, k, y);
    int i = ns;
    for (; i + 4 <= n; i += 4) forwardRows(panel, ld, i, 4, 0, ns, y);
    for (; i < n; ++i) forwardRows(panel, ld, i, 1, 0, ns, y);
}

/// Rows [k, k + columns) of y −= Σ over rows i in [first, n) of l_ik y_i.
SOFA_KERNEL_INLINE void backwardColumns(const double* panel, std::ptrdiff_t ld, int k, int columns, int first, int n,
                                        double* y)
{
    V sum[4][rhsVectors];
    SOFA_UNROLL
    for (int c = 0; c < columns; ++c) SOFA_UNROLL
    for (int v = 0; v < rhsVectors; ++v) sum[c][v] = load(y + (k + c) * rhsWidth + v * W);
    const double* l = panel + k * ld;
    for (int i = first; i < n; ++i) {
        SOFA_UNROLL
        for (int v = 0; v < rhsVectors; ++v) {
            const V x = load(y + i * rhsWidth + v * W);
            SOFA_UNROLL
            for (int c = 0; c < columns; ++c) sum[c][v] = negativeMultiplyAdd(broadcast(l[c * ld + i]), x, sum[c][v]);
        }
    }
    SOFA_UNROLL
    for (int c = 0; c < columns; ++c) SOFA_UNROLL
    for (int v = 0; v < rhsVectors; ++v) store(y + (k + c) * rhsWidth + v * W, sum[c][v]);
}

void backwardMany(const double* panel, std::ptrdiff_t ld, int n, int ns, double* y)
{
    int k = ns;
    for (; k % 4 != 0; --k) backwardColumns(panel, ld, k - 1, 1, k, n, y);
    for (; k > 0; k -= 4) {
        backwardColumns(panel, ld, k - 4, 4, k, n, y);
        for (int c = 2; c >= 0; --c) backwardColumns(panel, ld, k - 4 + c, 1, k - 4 + c + 1, k, y);
    }
}

void subtractProducts(const double* a, const double* b, const double* f, int n, double* w)
{
    // Four rows of w at a time, in registers.
    for (int r0 = 0; r0 < rhsWidth; r0 += 4) {
        V sum[4][rhsVectors];
        SOFA_UNROLL
        for (int r = 0; r < 4; ++r) SOFA_UNROLL
        for (int v = 0; v < rhsVectors; ++v) sum[r][v] = load(w + (r0 + r) * rhsWidth + v * W);
        for (int i = 0; i < n; ++i) {
            SOFA_UNROLL
            for (int r = 0; r < 4; ++r) {
                const V x = broadcast(a[i * rhsWidth + r0 + r] * f[i]);
                SOFA_UNROLL
                for (int v = 0; v < rhsVectors; ++v)
                    sum[r][v] = negativeMultiplyAdd(x, load(b + i * rhsWidth + v * W), sum[r][v]);
            }
        }
        SOFA_UNROLL
        for (int r = 0; r < 4; ++r) SOFA_UNROLL
        for (int v = 0; v < rhsVectors; ++v) store(w + (r0 + r) * rhsWidth + v * W, sum[r][v]);
    }
}

constexpr Kernels table = {tileColumns, factorDiagonal, solveRows,       packColumns, updateRows,
                           extendAdd,   bandBlock,      bandRows,        forward,     backward,
                           forwardMany, backwardMany,   subtractProducts};
// NOLINTEND(misc-definitions-in-headers)
