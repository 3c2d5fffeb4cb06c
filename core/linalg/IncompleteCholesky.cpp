// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/IncompleteCholesky.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sofa::core {

namespace {

/// Calls f with the block size as a constant.
template <class F>
void forBlockSize(int size, F&& f)
{
    switch (size) {
        case 1:
            return f.template operator()<1>();
        case 2:
            return f.template operator()<2>();
        case 3:
            return f.template operator()<3>();
        default:
            return f.template operator()<6>();
    }
}

/// c −= a bᵀ
template <int B>
void subtractProduct(const double* a, const double* b, double* c)
{
    for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) {
            double sum = 0.;
            for (int k = 0; k < B; ++k) sum += a[i * B + k] * b[j * B + k];
            c[i * B + j] -= sum;
        }
}

/// Replaces a symmetric block, of which the lower triangle is read, by the inverse of its Cholesky factor. False if it
/// is not positive definite.
template <int B>
bool invertFactor(double* d)
{
    double l[B * B] = {};
    for (int j = 0; j < B; ++j) {
        double pivot = d[j * B + j];
        for (int k = 0; k < j; ++k) pivot -= l[j * B + k] * l[j * B + k];
        // A pivot that is all rounding would make L huge.
        if (!(pivot > 1e-12 * d[j * B + j]) || !std::isfinite(pivot)) return false;
        l[j * B + j] = std::sqrt(pivot);
        for (int i = j + 1; i < B; ++i) {
            double sum = d[i * B + j];
            for (int k = 0; k < j; ++k) sum -= l[i * B + k] * l[j * B + k];
            l[i * B + j] = sum / l[j * B + j];
        }
    }
    std::fill_n(d, B * B, 0.);
    for (int j = 0; j < B; ++j) {
        d[j * B + j] = 1. / l[j * B + j];
        for (int i = j + 1; i < B; ++i) {
            double sum = 0.;
            for (int k = j; k < i; ++k) sum -= l[i * B + k] * d[k * B + j];
            d[i * B + j] = sum / l[i * B + i];
        }
    }
    return true;
}

}  // namespace

void IncompleteCholesky::factorize(const BlockCsrMatrix& a)
{
    if (a.rows() != a.cols()) throw std::runtime_error("the matrix is not square");
    const auto rows = static_cast<std::size_t>(a.blockRows());
    m_blockSize = a.blockSize();
    m_rowPtr.assign(1, 0);
    m_columns.clear();
    for (std::size_t i = 0; i < rows; ++i) {
        const int diagonal = a.diagonal(static_cast<int>(i));
        if (diagonal < 0) throw std::runtime_error("a block of the diagonal is missing");
        for (int k = a.rowPtr()[i]; k < diagonal; ++k) m_columns.push_back(a.colIdx()[static_cast<std::size_t>(k)]);
        m_rowPtr.push_back(static_cast<int>(m_columns.size()));
    }
    const std::size_t area = static_cast<std::size_t>(m_blockSize * m_blockSize);
    m_values.resize((m_columns.size() + rows) * area);
    const auto attempt = [&] {
        bool done = false;
        forBlockSize(m_blockSize, [&]<int B>() { done = factorizeBlocks<B>(a); });
        return done;
    };
    m_shift = 0.;
    while (!attempt()) {
        m_shift = m_shift == 0. ? 1e-3 : 2. * m_shift;
        if (m_shift > 1.) throw std::runtime_error("the matrix is not positive definite");
    }
}

template <int B>
bool IncompleteCholesky::factorizeBlocks(const BlockCsrMatrix& a)
{
    constexpr std::size_t area = B * B;
    // Row i has its blocks from m_rowPtr[i] + i on; the last one is that of the diagonal.
    const auto firstOf = [&](std::size_t i) { return static_cast<std::size_t>(m_rowPtr[i]) + i; };
    const std::size_t rows = m_rowPtr.size() - 1;
    Vector<int> placeOf(rows, -1);  // of the columns of the present row, in m_values
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t first = firstOf(i), diagonal = firstOf(i + 1) - 1;
        const double* from = a.block(static_cast<std::size_t>(a.rowPtr()[i]));
        double* const row = m_values.data() + first * area;
        std::copy_n(from, (diagonal - first + 1) * area, row);
        double* const d = m_values.data() + diagonal * area;
        for (std::size_t k = 0; k < B; ++k) d[k * B + k] *= 1. + m_shift;
        const int* const columns = m_columns.data() + m_rowPtr[i];
        for (std::size_t k = first; k < diagonal; ++k)
            placeOf[static_cast<std::size_t>(columns[k - first])] = static_cast<int>(k);
        for (std::size_t k = first; k < diagonal; ++k) {
            const auto j = static_cast<std::size_t>(columns[k - first]);
            double* const block = m_values.data() + k * area;
            const std::size_t last = firstOf(j + 1) - 1;
            for (std::size_t m = firstOf(j); m < last; ++m) {
                const int place = placeOf[static_cast<std::size_t>(m_columns[m - j])];
                if (place >= 0)
                    subtractProduct<B>(m_values.data() + static_cast<std::size_t>(place) * area,
                                       m_values.data() + m * area, block);
            }
            // L_ij = block L_jj⁻ᵀ, with the inverse of L_jj.
            double product[area] = {};
            subtractProduct<B>(block, m_values.data() + last * area, product);
            for (std::size_t e = 0; e < area; ++e) block[e] = -product[e];
            subtractProduct<B>(block, block, d);
        }
        for (std::size_t k = first; k < diagonal; ++k) placeOf[static_cast<std::size_t>(columns[k - first])] = -1;
        if (!invertFactor<B>(d)) return false;
    }
    return true;
}

void IncompleteCholesky::apply(std::span<const double> r, std::span<double> z) const
{
    if (z.data() != r.data()) std::copy(r.begin(), r.end(), z.begin());
    forBlockSize(m_blockSize, [&]<int B>() { applyBlocks<B>(z.data()); });
}

template <int B>
void IncompleteCholesky::applyBlocks(double* z) const
{
    constexpr std::size_t area = B * B;
    const std::size_t rows = m_rowPtr.size() - 1;
    const auto at = [&](std::size_t i) { return z + static_cast<std::ptrdiff_t>(i * B); };
    for (std::size_t i = 0; i < rows; ++i) {
        double* const x = at(i);
        auto k = static_cast<std::size_t>(m_rowPtr[i]);
        const auto last = static_cast<std::size_t>(m_rowPtr[i + 1]);
        const double* block = m_values.data() + (k + i) * area;
        for (; k < last; ++k, block += area) {
            const double* const y = at(static_cast<std::size_t>(m_columns[k]));
            for (int r = 0; r < B; ++r)
                for (int c = 0; c < B; ++c) x[r] -= block[r * B + c] * y[c];
        }
        for (int r = B; r-- > 0;) {
            double sum = 0.;
            for (int c = 0; c <= r; ++c) sum += block[r * B + c] * x[c];
            x[r] = sum;
        }
    }
    for (std::size_t i = rows; i-- > 0;) {
        double* const x = at(i);
        const auto first = static_cast<std::size_t>(m_rowPtr[i]);
        auto k = static_cast<std::size_t>(m_rowPtr[i + 1]);
        const double* block = m_values.data() + (k + i) * area;
        for (int r = 0; r < B; ++r) {
            double sum = 0.;
            for (int c = r; c < B; ++c) sum += block[c * B + r] * x[c];
            x[r] = sum;
        }
        while (k-- > first) {
            block -= area;
            double* const y = at(static_cast<std::size_t>(m_columns[k]));
            for (int r = 0; r < B; ++r)
                for (int c = 0; c < B; ++c) y[c] -= block[r * B + c] * x[r];
        }
    }
}

}  // namespace sofa::core
