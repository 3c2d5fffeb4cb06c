// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/FilledCell.h"

#include <cmath>

namespace sofa::core {

namespace {

/// ∫ ℓ dξ over part `i` of n equal parts of [−1, 1], for the three polynomials.
std::array<double, 3> integralsOverPart(int i, int n)
{
    constexpr double g2 = 0.6;  // of the outer points, squared
    const double g = std::sqrt(g2);
    const double a = 2. * i / n - 1., b = 2. * (i + 1) / n - 1.;
    const double one = b - a, x = (b * b - a * a) / 2., xx = (b * b * b - a * a * a) / 3.;
    return {(xx - g * x) / (2. * g2), one - xx / g2, (xx + g * x) / (2. * g2)};
}

}  // namespace

FilledCell::FilledCell()
{
    const double at[3] = {-std::sqrt(0.6), 0., std::sqrt(0.6)};
    for (std::size_t q = 0; q < points; ++q) m_rule[q] = {Vec3{at[q % 3], at[q / 3 % 3], at[q / 9]}, 0.};
}

void FilledCell::add(const Vec<3, int>& place, int n, double factor)
{
    std::array<std::array<double, 3>, 3> w;
    for (std::size_t a = 0; a < 3; ++a) w[a] = integralsOverPart(place[a], n);
    for (std::size_t q = 0; q < points; ++q) m_rule[q].weight += factor * w[0][q % 3] * w[1][q / 3 % 3] * w[2][q / 9];
    if (m_isEmpty) m_factor = factor;
    m_isEmpty = false;
    m_differs = m_differs || factor != m_factor;
}

double FilledCell::mean() const
{
    double sum = 0.;
    for (const auto& point : m_rule) sum += point.weight;
    return sum / 8.;
}

std::optional<double> FilledCell::uniform() const
{
    if (m_isEmpty || m_differs) return std::nullopt;
    constexpr double gauss[3] = {5. / 9., 8. / 9., 5. / 9.};
    for (std::size_t q = 0; q < points; ++q) {
        const double full = m_factor * gauss[q % 3] * gauss[q / 3 % 3] * gauss[q / 9];
        if (std::abs(m_rule[q].weight - full) > 1e-12 * m_factor) return std::nullopt;
    }
    return m_factor;
}

}  // namespace sofa::core
