// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/FastPolar.h"

#include <cmath>

#include "core/math/Decompositions.h"

namespace sofa::core {

namespace {

/// The closed form for F with determinant `j` and cofactor matrix `cof`; false where it is not accurate.
bool closedForm(const Mat3& f, const Mat3& cof, double j, Mat3& r)
{
    const double a = norm2(f[0]) + norm2(f[1]) + norm2(f[2]);
    // Beyond these lengths the fourth powers below would lose digits to underflow or overflow.
    if (!(a > 1e-60 && a < 1e60)) return false;
    const double constant = a * a - 4. * (norm2(cof[0]) + norm2(cof[1]) + norm2(cof[2]));
    // Rounding errors are at most a few times (I³ / half)² units in the last place.
    constexpr double smallestHalf = 0.02;
    double i = std::sqrt(3. * a), half = 0.;  // half = I³ − a I − 2 J = ¼ g'
    bool converged = false;
    for (int step = 0; step < 12 && !converged; ++step) {
        const double i2 = i * i;
        half = i * (i2 - a) - 2. * j;
        if (!(half > smallestHalf * i2 * i)) return false;
        const double change = ((i2 - 2. * a) * i2 - 8. * j * i + constant) / (4. * half);
        i -= change;
        converged = std::abs(change) <= 1e-8 * i;  // the next change, its square, is below rounding
    }
    if (!converged) return false;
    const double scale = 1. / (i * (i * i - a) - 2. * j);
    const double ff = (i * i + a) * scale, fc = 2. * i * scale, fcc = -2. * scale;
    // F C = (F Fᵀ) F
    Mat3 b;
    for (std::size_t p = 0; p < 3; ++p)
        for (std::size_t q = 0; q < 3; ++q) b[p][q] = fcc * dot(f[p], f[q]);
    for (std::size_t p = 0; p < 3; ++p) b[p][p] += ff;
    for (std::size_t p = 0; p < 3; ++p) r[p] = f[0] * b[p][0] + f[1] * b[p][1] + f[2] * b[p][2] + cof[p] * fc;
    return true;
}

Mat3 cofactors(const Mat3& f) { return Mat3::fromRows(cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1])); }

}  // namespace

Mat3 fastPolarRotation(const Mat3& f)
{
    const Mat3 cof = cofactors(f);
    Mat3 r;
    if (closedForm(f, cof, dot(f[0], cof[0]), r)) return r;
    return polarRotation(f).r;
}

Mat3 fastPolarOrthogonal(const Mat3& f)
{
    const Mat3 cof = cofactors(f);
    const double j = dot(f[0], cof[0]);
    Mat3 r;
    // −F has the orthogonal factor −Q and the same cofactors.
    if (j < 0. ? closedForm(-f, cof, -j, r) : closedForm(f, cof, j, r)) return j < 0. ? -r : r;
    return polarOrthogonal(f).r;
}

Mat3 fastEdgeFrame(const Vec3& x, const Vec3& y)
{
    const Vec3 n = cross(x, y);
    const double xx = norm2(x), nn = norm2(n);
    // Where the edges are nearly parallel, their product has rounding errors along x.
    if (!(nn > 1e-8 * xx * norm2(y))) return edgeFrame(x, y);
    const Vec3 ex = x / std::sqrt(xx), ez = n / std::sqrt(nn);
    return Mat3::fromColumns(ex, cross(ez, ex), ez);
}

}  // namespace sofa::core
