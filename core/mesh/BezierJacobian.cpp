// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/mesh/BezierJacobian.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/mesh/BezierElements.h"

namespace sofa::core {

namespace {

using Barycentric = std::array<double, 4>;

/// A polynomial of the third degree on a part of a tetrahedron, by its polar form: at(i, j, k), in any order of the
/// corners i, j, k of the part, is a coefficient of the Bernstein basis (Farin, "Curves and Surfaces for CAGD").
struct Part
{
    std::array<double, 64> values;
    std::array<Barycentric, 4> corners;
    double bound;

    static std::size_t index(std::size_t i, std::size_t j, std::size_t k) { return 16 * i + 4 * j + k; }
    double atCorner(std::size_t i) const { return values[21 * i]; }
    void findBound() { bound = *std::min_element(values.begin(), values.end()); }

    /// Takes the middle of two corners for the second of them.
    void move(std::size_t kept, std::size_t moved)
    {
        for (std::size_t a = 0; a < 4; ++a) corners[moved][a] = 0.5 * (corners[kept][a] + corners[moved][a]);
        for (const std::size_t stride : {16u, 4u, 1u})
            for (std::size_t n = 0; n < values.size(); ++n)
                if (n / stride % 4 == moved) values[n] = 0.5 * (values[n] + values[n + kept * stride - moved * stride]);
        findBound();
    }
    /// The ends of the longest edge, in barycentric coordinates.
    std::pair<std::size_t, std::size_t> longestEdge() const
    {
        std::pair<std::size_t, std::size_t> longest;
        double most = -1.;
        for (const auto& [i, j] : bezierEdges) {
            double length2 = 0.;
            for (std::size_t a = 0; a < 4; ++a) length2 += std::pow(corners[i][a] - corners[j][a], 2);
            if (length2 > most * (1. + 1e-9)) longest = {i, j}, most = length2;
        }
        return longest;
    }
};

}  // namespace

LowestJacobian lowestJacobian(const std::array<Vec3, 10>& control, double tolerance)
{
    // ∂x/∂α_m = Σ_j α_j u_mj with u_mj = 2 (p_mj − p_0j), so that J = Σ α_i α_j α_k det(u_1i, u_2j, u_3k).
    std::array<std::array<Vec3, 4>, 3> u;
    for (std::size_t m = 0; m < 3; ++m)
        for (std::size_t j = 0; j < 4; ++j)
            u[m][j] = (control[bezierControl[m + 1][j]] - control[bezierControl[0][j]]) * 2.;
    const auto product = [&u](std::size_t i, std::size_t j, std::size_t k) {
        return dot(u[0][i], cross(u[1][j], u[2][k]));
    };
    Part whole;
    for (std::size_t a = 0; a < 4; ++a) {
        whole.corners[a] = {};
        whole.corners[a][a] = 1.;
    }
    double scale = 0.;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i; j < 4; ++j)
            for (std::size_t k = j; k < 4; ++k) {
                const double value = (product(i, j, k) + product(i, k, j) + product(j, i, k) + product(j, k, i) +
                                      product(k, i, j) + product(k, j, i)) /
                                     6.;
                for (const auto& [a, b, c] :
                     {std::array{i, j, k}, {i, k, j}, {j, i, k}, {j, k, i}, {k, i, j}, {k, j, i}})
                    whole.values[Part::index(a, b, c)] = value;
                scale = std::max(scale, std::abs(value));
            }
    whole.findBound();

    LowestJacobian lowest{0., whole.atCorner(0), whole.corners[0]};
    const auto look = [&lowest](const Part& part) {
        for (std::size_t i = 0; i < 4; ++i)
            if (part.atCorner(i) < lowest.value) lowest.value = part.atCorner(i), lowest.place = part.corners[i];
    };
    look(whole);
    // The part whose bound is the lowest comes first.
    const auto higher = [](const Part& a, const Part& b) { return a.bound > b.bound; };
    std::vector<Part> parts{whole};
    while (parts.front().bound < lowest.value - tolerance * scale) {
        std::pop_heap(parts.begin(), parts.end(), higher);
        const auto [i, j] = parts.back().longestEdge();
        Part half = parts.back();
        half.move(i, j);
        parts.back().move(j, i);
        for (const Part& part : {half, parts.back()}) look(part);
        std::push_heap(parts.begin(), parts.end(), higher);
        parts.push_back(half);
        std::push_heap(parts.begin(), parts.end(), higher);
    }
    lowest.bound = std::min(parts.front().bound, lowest.value);
    return lowest;
}

}  // namespace sofa::core
