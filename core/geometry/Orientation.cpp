// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Orientation.h"

#include <array>
#include <cmath>

namespace sofa::core::geometry {

namespace {

/// A sum of numbers, exactly: terms that do not overlap, by increasing magnitude (Shewchuk, GROW-EXPANSION).
class Expansion
{
public:
    void add(double x)
    {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m_size; ++i) {
            const double sum = x + m_terms[i], part = sum - x;
            const double error = (x - (sum - part)) + (m_terms[i] - part);
            if (error != 0.) m_terms[kept++] = error;
            x = sum;
        }
        if (x != 0.) m_terms[kept++] = x;
        m_size = kept;
    }
    double value() const
    {
        double sum = 0.;
        for (std::size_t i = 0; i < m_size; ++i) sum += m_terms[i];
        return sum;
    }

private:
    std::array<double, 200> m_terms;
    std::size_t m_size = 0;
};

/// A difference, exactly: the rounded one and its error.
using Difference = std::array<double, 2>;

Difference exactDifference(double x, double y)
{
    const double d = x - y, part = x - d;
    return {d, (x - (d + part)) + (part - y)};
}

void addProduct(Expansion& sum, const Difference& x, const Difference& y, const Difference& z, double sign)
{
    for (const double p : x)
        for (const double q : y) {
            const double high = p * q, low = std::fma(p, q, -high);
            if (high == 0.) continue;
            for (const double r : z)
                for (const double s : {low, high}) {
                    const double product = s * r;
                    sum.add(sign * std::fma(s, r, -product));
                    sum.add(sign * product);
                }
        }
}

}  // namespace

double exactOrientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    std::array<std::array<Difference, 3>, 3> x;
    const std::array<const Vec3*, 3> points{&b, &c, &d};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) x[i][k] = exactDifference((*points[i])[k], a[k]);
    Expansion sum;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
        addProduct(sum, x[0][k], x[1][l], x[2][m], 1.);
        addProduct(sum, x[0][k], x[1][m], x[2][l], -1.);
    }
    return sum.value();
}

double orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Vec3 u = b - a, v = c - a, w = d - a;
    double determinant = 0., permanent = 0.;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
        const double p = v[l] * w[m], q = v[m] * w[l];
        determinant += u[k] * (p - q);
        permanent += std::abs(u[k]) * (std::abs(p) + std::abs(q));
    }
    // (7 + 56 ε) ε with ε = 2⁻⁵³.
    if (std::abs(determinant) > 7.7715611723761e-16 * permanent || !std::isfinite(permanent)) return determinant;
    return permanent == 0. ? 0. : exactOrientation(a, b, c, d);
}

}  // namespace sofa::core::geometry
