// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Bands: the supernodal factorisation of matrices whose envelope is nearly full, as that of a long body whose points
// are numbered from one end to the other.
//
// Panels of bandWidth columns stand one after the other along the diagonal, all with one leading dimension, so that
// entry (i, j) of L is at i + j ld and the columns before a panel are one matrix. A panel takes what all columns before
// it contribute and is then factorised, vector of rows by vector of rows, in registers: neither update matrices nor
// fronts are written, cleared or added. Entry (i, j) is the sum a_ij − Σ l_ik w_jk over increasing k, bit for bit as
// DenseKernels.h has it for a dense matrix: terms left of the envelope would be zero.
#include <algorithm>

#include "core/linalg/SupernodalLdlt.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

constexpr int width = dense::bandWidth, group = dense::rowGroup;

/// Multiplications below a diagonal block above which its rows are spread over threads, and those of one chunk.
constexpr double parallelRows = 4e6;
constexpr double rowsChunk = 1e6;

using supernodal::at;

}  // namespace

void SupernodalLdlt::planBand()
{
    m_tasks.clear();
    m_top.clear();
    m_updates.clear();
    // Whole groups of rows, and panels that begin on a cache line; see also paddedRows.
    std::ptrdiff_t ld = (m_largestFront + width - 1) / width * width;
    if (ld % 256 == 0) ld += width;
    for (std::size_t p = 0; p < m_fronts.size(); ++p) {
        m_fronts[p].ld = ld;
        m_fronts[p].panel = p * width * static_cast<std::size_t>(ld + 1);
    }
    m_factor.assign(m_fronts.size() * width * static_cast<std::size_t>(ld + 1), 0.);
    m_pack.assign(static_cast<std::size_t>((ld + 2 * width) * width + width * width), 0.);
}

void SupernodalLdlt::factorizeBand(const BlockCsrMatrix& a)
{
    const dense::Kernels& kernels = *m_kernels;
    const int tile = kernels.tileColumns, *const envelope = m_structure.envelope.data();
    double *const band = m_factor.data(), *const w = m_pack.data(), *const packed = w + width * width;
    const std::ptrdiff_t ld = m_fronts.empty() ? 0 : m_fronts.front().ld;
    for (std::size_t p = 0; p < m_fronts.size(); ++p) {
        const Front& f = m_fronts[p];
        const int begin = static_cast<int>(p) * width, end = (begin + f.size + group - 1) / group * group;
        gather(p, a);
        // The last panel is filled up by the identity.
        for (int k = f.pivots; k < width; ++k) {
            std::fill_n(band + f.panel + k * ld, ld, 0.);
            band[f.panel + at(k) * at(static_cast<int>(ld) + 1)] = 1.;
        }
        for (int column = begin; column < begin + width; column += tile) {
            int first = column;
            for (int g = column / group; g * group < column + tile; ++g) first = std::min(first, envelope[g]);
            kernels.bandBlock(band, ld, column, first, m_d.data(), m_inverse.data(), packed, w);
            const auto groups = [&](std::size_t from, std::size_t to) {
                kernels.bandRows(band, ld, column, std::max(static_cast<int>(from) * group, column + tile),
                                 static_cast<int>(to) * group, first, envelope, packed, m_inverse.data(), w);
            };
            const std::size_t from = at((column + tile) / group), to = at(end / group);
            const double perGroup = static_cast<double>(group) * tile * (column - first + tile);
            if (to <= from || perGroup * static_cast<double>(to - from) < parallelRows)
                groups(from, to);
            else
                parallelFor(from, to, static_cast<std::size_t>(rowsChunk / perGroup) + 1, groups);
        }
    }
}

}  // namespace sofa::core
