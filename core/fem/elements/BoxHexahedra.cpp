// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BoxHexahedra.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

constexpr std::size_t hexahedraChunk = 2048;
constexpr std::size_t pointGrain = 1024;

}  // namespace

std::optional<std::array<double, boxStiffnessScalars>> BoxHexahedra::modesOf(const Stiffness& k)
{
    Stiffness half, modal;  // H K, H K Hᵀ / 64
    for (unsigned m = 0; m < 8; ++m)
        for (unsigned v = 0; v < 8; ++v)
            for (unsigned r = 0; r < 3; ++r)
                for (unsigned c = 0; c < 24; ++c) half[3 * m + r][c] += sign(m, v) * k[3 * v + r][c];
    for (unsigned m = 0; m < 8; ++m)
        for (unsigned v = 0; v < 8; ++v)
            for (unsigned r = 0; r < 24; ++r)
                for (unsigned c = 0; c < 3; ++c) modal[r][3 * m + c] += sign(m, v) / 64. * half[r][3 * v + c];
    double largest = 0., other = 0.;
    // Planes in which a component of a mode changes its sign.
    const auto planes = [](unsigned row) { return row / 3 ^ (4u >> row % 3); };
    for (unsigned r = 0; r < 24; ++r)
        for (unsigned c = 0; c < 24; ++c) {
            const double size = std::abs(modal[r][c]);
            if (!std::isfinite(size)) return std::nullopt;
            largest = std::max(largest, size);
            if (r < 3 || c < 3 || planes(r) != planes(c)) other = std::max(other, size);
        }
    if (!(other <= negligible * largest)) return std::nullopt;
    std::array<double, boxStiffnessScalars> numbers;
    std::size_t n = 0;
    for (const unsigned group : {0u, 6u, 5u, 3u, 7u, 4u, 2u, 1u}) {
        const unsigned rows[3] = {3 * (group ^ 4u), 3 * (group ^ 2u) + 1, 3 * (group ^ 1u) + 2};
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = i; j < 3; ++j)
                if (rows[i] >= 3 && rows[j] >= 3)
                    numbers[n++] = (modal[rows[i]][rows[j]] + modal[rows[j]][rows[i]]) * 0.5;
    }
    return numbers;
}

void BoxHexahedra::build(const Vector<Hexahedron>& elements, Index nbPoints,
                         const std::array<double, boxStiffnessScalars>& stiffness)
{
    m_packs.clear();
    m_elementOf.clear();
    m_chunks.clear();
    m_stiffness = stiffness;
    std::size_t offset = 0;
    for (std::size_t first = 0; first < elements.size(); first += hexahedraChunk) {
        const std::size_t last = std::min(first + hexahedraChunk, elements.size()), packs = (last - first + 7) / 8;
        std::size_t low = nbPoints, high = 0;
        for (std::size_t e = first; e < last; ++e)
            for (const Index v : elements[e]) {
                low = std::min<std::size_t>(low, v);
                high = std::max<std::size_t>(high, v + 1);
            }
        m_chunks.push_back({m_packs.size(), m_packs.size() + packs, low, high, offset});
        offset += high - low + 1;
        for (std::size_t p = 0; p < packs; ++p) {
            BoxPack& pack = m_packs.emplace_back();
            for (std::size_t lane = 0; lane < 8; ++lane) {
                const std::size_t e = first + lane * packs + p;
                const bool used = e < last;
                m_elementOf.push_back(static_cast<std::uint32_t>(used ? e : first));
                for (std::size_t i = 0; i < 8; ++i) {
                    const Index v = elements[used ? e : first][i];
                    pack.vertex[i][lane] = v;
                    pack.target[i][lane] = static_cast<std::uint32_t>(4 * (used ? v - low : high - low));
                }
            }
        }
    }
    if (m_chunks.size() > 1 && offset > 4 * std::size_t{nbPoints}) {
        m_packs.clear();
        return;
    }
    m_frames.resize(m_packs.size());
    m_windows.assign(4 * offset, 0.);
}

void BoxHexahedra::setFrames(const Vector<HexahedronFrames>& frames)
{
    parallelFor(0, m_packs.size(), hexahedraChunk / 8, [&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p)
            for (std::size_t lane = 0; lane < 8; ++lane) {
                const std::uint32_t e = m_elementOf[8 * p + lane];
                for (std::size_t k = 0; k < 9; ++k) m_frames[p].axis[k][lane] = frames[e / 8].axis[k][e % 8];
            }
    });
}

void BoxHexahedra::addProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor)
{
    const HexahedronKernels& kernels = hexahedronKernels();
    parallelFor(0, m_chunks.size(), 1, [&](std::size_t from, std::size_t to) {
        for (std::size_t c = from; c < to; ++c) {
            const Chunk& chunk = m_chunks[c];
            double* window = m_windows.data() + 4 * chunk.offset;
            std::fill_n(window, 4 * (chunk.lastPoint - chunk.firstPoint + 1), 0.);
            kernels.boxProduct(m_packs.data() + chunk.firstPack, m_frames.data() + chunk.firstPack,
                               chunk.lastPack - chunk.firstPack, m_stiffness.data(), -factor, dx[0].data(), window);
        }
    });
    parallelFor(0, df.size(), pointGrain, [&](std::size_t first, std::size_t last) {
        for (const Chunk& c : m_chunks) {
            const double* window = m_windows.data() + 4 * c.offset;
            for (std::size_t i = std::max(first, c.firstPoint); i < std::min(last, c.lastPoint); ++i) {
                const double* w = window + 4 * (i - c.firstPoint);
                df[i] += Vec3{w[0], w[1], w[2]};
            }
        }
    });
}

}  // namespace sofa::core
