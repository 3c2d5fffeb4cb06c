// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/fem/materials/LinearElasticity.h"

namespace sofa::core {

/// What the stiffness of an element depends on, as integers that can be sorted: its nodes relative to node 0 in units
/// of 2⁻⁴⁰ of the element's size, so that the cells of a grid share one matrix in spite of rounding, and the material.
template <std::size_t N, std::size_t D>
using StiffnessKey = std::array<std::int64_t, (N - 1) * D + 4>;

/// Key of an element with nodes X_i − X₀, i = 1 .. N − 1 [m]. `factor` is a further scale of the stiffness.
template <std::size_t N, std::size_t D>
StiffnessKey<N, D> stiffnessKey(const Vec<D>* offsets, const LameParameters& material, double factor = 1.)
{
    double size = 0.;
    for (std::size_t i = 0; i + 1 < N; ++i)
        for (const double c : offsets[i]) size = std::max(size, std::abs(c));
    int exponent = 0;
    std::frexp(size, &exponent);
    StiffnessKey<N, D> key;
    std::size_t k = 0;
    for (std::size_t i = 0; i + 1 < N; ++i)
        for (const double c : offsets[i]) key[k++] = std::llround(std::ldexp(c, 40 - exponent));
    key[k++] = exponent;
    key[k++] = std::bit_cast<std::int64_t>(material.lambda);
    key[k++] = std::bit_cast<std::int64_t>(material.mu);
    key[k] = std::bit_cast<std::int64_t>(factor);
    return key;
}

}  // namespace sofa::core
