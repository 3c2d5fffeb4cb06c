// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BoxGrid.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/fem/elements/BoxHexahedra.h"
#include "core/linalg/VectorKernels.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

constexpr std::size_t gridChunk = 2048;
constexpr std::size_t lineGrain = 64;
constexpr auto none = ~std::uint32_t{0};

}  // namespace

void BoxGrid::build(const Vector<Hexahedron>& elements, Index nbPoints, const Modes& stiffness)
{
    clear();
    if (elements.empty()) return;
    m_modes = stiffness;
    // Steps from vertex 0 to its neighbours, the same for all elements.
    const Hexahedron& h = elements[0];
    std::array<std::size_t, 3> step{};
    for (std::size_t a = 0; a < 3; ++a) {
        const Index other = h[std::array{1u, 3u, 4u}[a]];
        if (other <= h[0]) return;
        step[a] = other - h[0];
    }
    for (const Hexahedron& e : elements)
        for (unsigned v = 0; v < 8; ++v) {
            std::size_t at = e[0];
            for (unsigned a = 0; a < 3; ++a)
                if ((BoxHexahedra::positiveAxes(v) & (4u >> a)) != 0) at += step[a];
            if (at != e[v] || at >= nbPoints) return;
        }
    // Points are numbered along one axis first, then along the next: 1, n₁, n₁ n₂.
    std::array<unsigned, 3> order{0, 1, 2};
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return step[a] < step[b]; });
    if (step[order[0]] != 1 || step[order[2]] % step[order[1]] != 0 || nbPoints % step[order[2]] != 0) return;
    std::array<std::size_t, 3> points{};  // along the axes of the elements
    points[order[0]] = step[order[1]];
    points[order[1]] = step[order[2]] / step[order[1]];
    points[order[2]] = nbPoints / step[order[2]];
    std::size_t boxes = 1;
    for (const std::size_t n : points) boxes *= n - 1;
    if (boxes != elements.size()) return;

    // Lines along the axis whose rows have the fewest packs.
    const auto packsAlong = [&](unsigned axis) {
        return (points[axis] - 1 + packLength - 1) / packLength * (boxes / (points[axis] - 1));
    };
    m_axis = 0;
    for (const unsigned axis : {1u, 2u})
        if (packsAlong(axis) < packsAlong(m_axis)) m_axis = axis;
    const std::array<unsigned, 3> axes{m_axis, m_axis == 0 ? 1u : 0u, m_axis == 2 ? 1u : 2u};
    for (std::size_t k = 0; k < 3; ++k) {
        m_points[k] = points[axes[k]];
        m_step[k] = step[axes[k]];
    }
    m_packs = (m_points[0] - 1 + packLength - 1) / packLength;
    m_stride = (m_points[0] + packLength - 1) / packLength * packLength;
    m_lines = m_points[1] * m_points[2];

    const std::size_t rowElements = m_points[0] - 1, across = m_points[1] - 1, rows = across * (m_points[2] - 1);
    m_elementOf.assign(rows * m_packs * packLength, none);
    for (std::size_t e = 0; e < elements.size(); ++e) {
        const std::size_t v = elements[e][0], i = v / m_step[0] % m_points[0], j = v / m_step[1] % m_points[1],
                          k = v / m_step[2] % m_points[2];
        if (i >= rowElements || j >= across || k >= m_points[2] - 1) return clear();
        std::uint32_t& of = m_elementOf[(k * across + j) * m_packs * packLength + i];
        if (of != none) return clear();
        of = static_cast<std::uint32_t>(e);
    }
    m_frames.assign(rows * m_packs, {});
    m_used.assign(m_packs * packLength, 0.);
    std::fill_n(m_used.begin(), rowElements, 1.);
    m_layers = std::max<std::size_t>(1, gridChunk / (across * rowElements));
    const std::size_t chunks = (m_points[2] - 1 + m_layers - 1) / m_layers;
    m_borders.resize((chunks - 1) * m_points[1] * 3 * m_stride);
    m_givenMass.clear();
    m_pointMass.clear();
    m_givenFixed.clear();
    m_fixed.clear();
}

void BoxGrid::setFrames(const Vector<HexahedronFrames>& frames)
{
    parallelFor(0, m_frames.size(), gridChunk / packLength, [&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p)
            for (std::size_t lane = 0; lane < packLength; ++lane) {
                const std::uint32_t e = m_elementOf[packLength * p + lane];
                if (e == none) continue;
                for (std::size_t k = 0; k < 9; ++k) m_frames[p].axis[k][lane] = frames[e / 8].axis[k][e % 8];
            }
    });
}

bool BoxGrid::modesOfMass(const Mat<8>& mass, std::array<double, 8>& modes)
{
    static constexpr auto signs = [] {
        std::array<std::array<double, 8>, 8> s{};
        for (unsigned m = 0; m < 8; ++m)
            for (unsigned v = 0; v < 8; ++v) s[m][v] = BoxHexahedra::sign(m, v);
        return s;
    }();
    Mat<8> half;
    for (unsigned m = 0; m < 8; ++m)
        for (unsigned v = 0; v < 8; ++v)
            for (unsigned w = 0; w < 8; ++w) half[m][w] += signs[m][v] * mass[v][w];
    double largest = 0., other = 0.;
    for (unsigned m = 0; m < 8; ++m)
        for (unsigned n = 0; n < 8; ++n) {
            double entry = 0.;
            for (unsigned w = 0; w < 8; ++w) entry += half[m][w] * signs[n][w];
            entry /= 64.;
            if (!std::isfinite(entry)) return false;
            largest = std::max(largest, std::abs(entry));
            if (m == n)
                modes[m] = entry;
            else
                other = std::max(other, std::abs(entry));
        }
    return other <= BoxHexahedra::negligible * largest;
}

bool BoxGrid::takes(const Mat<8>& elementMass) const
{
    std::array<double, 8> modes{};
    return modesOfMass(elementMass, modes);
}

std::size_t BoxGrid::place(std::size_t point) const
{
    const std::size_t i = point / m_step[0] % m_points[0], j = point / m_step[1] % m_points[1],
                      k = point / m_step[2] % m_points[2];
    return (k * m_points[1] + j) * 3 * m_stride + i;
}

void BoxGrid::prepare(const SystemTerms& terms)
{
    std::array<double, 8> mass{};
    if (!modesOfMass(terms.elementMass, mass))
        throw std::runtime_error("the mass of the elements is not that of boxes");
    for (std::size_t n = 0; n < boxStiffnessScalars; ++n) m_numbers[n] = -terms.stiffness * m_modes[n];
    // The modes of the components of each block (see boxStiffnessScalars) have the mass on the diagonal.
    constexpr unsigned threes[5][3] = {{4, 2, 1}, {2, 4, 7}, {1, 7, 4}, {7, 1, 2}, {3, 5, 6}},
                       twos[3][2] = {{6, 5}, {6, 3}, {5, 3}};
    constexpr std::size_t diagonalOfThree[3] = {0, 3, 5}, diagonalOfTwo[2] = {0, 2};
    for (std::size_t b = 0; b < 5; ++b)
        for (std::size_t c = 0; c < 3; ++c) m_numbers[6 * b + diagonalOfThree[c]] += mass[threes[b][c]];
    for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t c = 0; c < 2; ++c) m_numbers[30 + 3 * b + diagonalOfTwo[c]] += mass[twos[b][c]];
    m_numbers[boxStiffnessScalars] = mass[0];

    if (terms.pointMass != m_givenMass) {
        m_givenMass = terms.pointMass;
        m_pointMass.clear();
    }
    if (!terms.pointMass.empty() && m_pointMass.empty()) {
        m_pointMass.assign(m_lines * m_stride, 0.);
        for (std::size_t i = 0; i < terms.pointMass.size(); ++i) {
            const std::size_t at = place(i), line = at / (3 * m_stride);
            m_pointMass[at - 2 * line * m_stride] = terms.pointMass[i];
        }
    }
    if (terms.fixed == m_givenFixed) return;
    m_givenFixed = terms.fixed;
    m_fixed.clear();
    for (const std::size_t scalar : terms.fixed) m_fixed.push_back(place(scalar / 3) + scalar % 3 * m_stride);
}

void BoxGrid::load(const double* state, double* own) const
{
    std::fill_n(own, size(), 0.);
    for (std::size_t k = 0; k < m_points[2]; ++k)
        for (std::size_t j = 0; j < m_points[1]; ++j) {
            const double* from = state + 3 * (j * m_step[1] + k * m_step[2]);
            double* to = own + (k * m_points[1] + j) * 3 * m_stride;
            for (std::size_t i = 0; i < m_points[0]; ++i)
                for (std::size_t c = 0; c < 3; ++c) to[c * m_stride + i] = from[3 * i * m_step[0] + c];
        }
}

void BoxGrid::store(const double* own, double* state) const
{
    for (std::size_t k = 0; k < m_points[2]; ++k)
        for (std::size_t j = 0; j < m_points[1]; ++j) {
            double* to = state + 3 * (j * m_step[1] + k * m_step[2]);
            const double* from = own + (k * m_points[1] + j) * 3 * m_stride;
            for (std::size_t i = 0; i < m_points[0]; ++i)
                for (std::size_t c = 0; c < 3; ++c) to[3 * i * m_step[0] + c] = from[c * m_stride + i];
        }
}

void BoxGrid::addRows(const double* p, double* q, std::size_t first, std::size_t last, double* border) const
{
    const auto kernel = hexahedronKernels().boxRow[m_axis];
    const std::size_t line = 3 * m_stride, layer = m_points[1] * line, across = m_points[1] - 1;
    for (std::size_t k = first; k < last; ++k) {
        const double* points = p + k * layer;
        double *low = q + k * layer, *high = k + 1 == last && border ? border : low + layer;
        for (std::size_t j = 0; j < across; ++j, points += line, low += line, high += line)
            kernel({{points, points + line, points + layer, points + layer + line},
                    {low, low + line, high, high + line},
                    m_frames.data() + (k * across + j) * m_packs,
                    m_used.data(),
                    m_points[0] - 1,
                    m_stride},
                   m_numbers.data());
    }
}

std::size_t BoxGrid::bytes() const
{
    return bytesOf(m_elementOf) + bytesOf(m_frames) + bytesOf(m_used) + bytesOf(m_pointMass) + bytesOf(m_borders);
}

double BoxGrid::multiply(const Vector<double>& x, Vector<double>& y)
{
    const double* const p = x.data();
    double* const q = y.data();
    const std::size_t line = 3 * m_stride, layer = m_points[1] * line, layers = m_points[2] - 1,
                      chunks = (layers + m_layers - 1) / m_layers;
    std::fill_n(q + m_lines * line, packLength, 0.);
    parallelFor(0, m_lines, lineGrain, [&](std::size_t first, std::size_t last) {
        if (m_pointMass.empty()) return void(std::fill_n(q + first * line, (last - first) * line, 0.));
        for (std::size_t l = first; l < last; ++l)
            for (std::size_t c = 0; c < 3; ++c) {
                const double *m = m_pointMass.data() + l * m_stride, *from = p + l * line + c * m_stride;
                double* to = q + l * line + c * m_stride;
                for (std::size_t i = 0; i < m_stride; ++i) to[i] = m[i] * from[i];
            }
    });
    parallelFor(0, chunks, 1, [&](std::size_t from, std::size_t to) {
        for (std::size_t c = from; c < to; ++c) {
            double* border = nullptr;
            if (c + 1 < chunks) {
                border = m_borders.data() + c * layer;
                std::fill_n(border, layer, 0.);
            }
            addRows(p, q, c * m_layers, std::min(layers, (c + 1) * m_layers), border);
        }
    });
    for (std::size_t c = 0; c + 1 < chunks; ++c) {
        const double* border = m_borders.data() + c * layer;
        double* to = q + (c + 1) * m_layers * layer;
        for (std::size_t i = 0; i < layer; ++i) to[i] += border[i];
    }
    for (const std::size_t i : m_fixed) q[i] = 0.;
    return vector::dot(x, y);
}

}  // namespace sofa::core
