// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/ElementMeasures.h"

#include <cmath>
#include <limits>

namespace sofa::component {

namespace {

/// Adds a 3 × 3 block to a matrix of points, and its transpose to the opposite one.
template <std::size_t M>
void addPair(Mat<M, M>& h, std::size_t a, std::size_t b, const Mat3& block)
{
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            h[3 * a + i][3 * b + j] += block[i][j];
            if (a != b) h[3 * b + j][3 * a + i] += block[i][j];
        }
}

/// Second derivatives of what depends on differences of two points only: ∂²/∂d² for d = x_b − x_a.
Mat<6, 6> ofDifference(const Mat3& second)
{
    Mat<6, 6> h;
    addPair(h, 0, 0, second);
    addPair(h, 1, 1, second);
    addPair(h, 0, 1, second * -1.);
    return h;
}

/// The direction from a to b; of points at one place the same part in all directions.
Vec3 directionOf(const std::array<Vec3, 2>& x)
{
    const Vec3 d = x[1] - x[0];
    const double length = norm(d);
    return length > std::numeric_limits<double>::epsilon() ? d / length : Vec3::filled(1. / std::sqrt(3.));
}

Vec3 twiceArea(const std::array<Vec3, 3>& x) { return cross(x[1] - x[0], x[2] - x[0]); }

}  // namespace

double EdgeLength::value(const Points& x) { return norm(x[1] - x[0]); }

auto EdgeLength::gradient(const Points& x) -> Points
{
    const Vec3 n = directionOf(x);
    return {n * -1., n};
}

auto EdgeLength::hessian(const Points& x) -> Hessian
{
    const double length = value(x);
    if (!(length > std::numeric_limits<double>::epsilon())) return {};
    const Vec3 n = directionOf(x);
    return ofDifference((Mat3::identity() - outer(n, n)) * (1. / length));
}

double EdgeSquareLength::value(const Points& x) { return norm2(x[1] - x[0]); }

auto EdgeSquareLength::gradient(const Points& x) -> Points
{
    const Vec3 d = (x[1] - x[0]) * 2.;
    return {d * -1., d};
}

auto EdgeSquareLength::hessian(const Points&) -> Hessian { return ofDifference(Mat3::identity() * 2.); }

double TriangleArea::value(const Points& x) { return 0.5 * norm(twiceArea(x)); }

auto TriangleArea::gradient(const Points& x) -> Points
{
    const Vec3 n = twiceArea(x);
    const double size = norm(n);
    if (!(size > 0.)) return {};
    const Vec3 half = n * (0.5 / size);
    return {cross(half, x[2] - x[1]), cross(half, x[0] - x[2]), cross(half, x[1] - x[0])};
}

auto TriangleArea::hessian(const Points& x) -> Hessian
{
    // With n = a × b + b × c + c × a and u = n / |n|: ∂²A = ½ (∂nᵀ (I − u uᵀ) ∂n / |n| + u · ∂²n).
    Hessian h;
    const Vec3 n = twiceArea(x);
    const double size = norm(n);
    if (!(size > 0.)) return h;
    const Vec3 u = n / size;
    const Mat3 project = (Mat3::identity() - outer(u, u)) * (0.5 / size), second = crossMatrix(u) * -0.5;
    const Mat3 first[3] = {crossMatrix(x[2] - x[1]), crossMatrix(x[0] - x[2]), crossMatrix(x[1] - x[0])};  // ∂n
    for (std::size_t p = 0; p < 3; ++p) {
        for (std::size_t q = p; q < 3; ++q) addPair(h, p, q, first[p].transposed() * project * first[q]);
        addPair(h, p, (p + 1) % 3, second);
    }
    return h;
}

double TetrahedronVolume::value(const Points& x) { return dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])) / 6.; }

auto TetrahedronVolume::gradient(const Points& x) -> Points
{
    const Vec3 e1 = (x[1] - x[0]) / 6., e2 = x[2] - x[0], e3 = x[3] - x[0];
    const Vec3 b = cross(e2, e3) / 6., c = cross(e3, e1), d = cross(e1, e2);
    return {(b + c + d) * -1., b, c, d};
}

auto TetrahedronVolume::hessian(const Points& x) -> Hessian
{
    const Mat3 e1 = crossMatrix(x[1] - x[0]) * (1. / 6.), e2 = crossMatrix(x[2] - x[0]) * (1. / 6.),
               e3 = crossMatrix(x[3] - x[0]) * (1. / 6.);
    // Of pairs of the last three points; the first one takes the opposite of all.
    Hessian h;
    addPair(h, 1, 2, e3 * -1.);
    addPair(h, 1, 3, e2);
    addPair(h, 2, 3, e1 * -1.);
    const auto block = [&](std::size_t a, std::size_t b) { return h.block<3, 3>(3 * a, 3 * b); };
    Mat3 all;
    for (std::size_t b = 1; b < 4; ++b) {
        const Mat3 column = (block(1, b) + block(2, b) + block(3, b)) * -1.;
        addPair(h, 0, b, column);
        all = all - column;
    }
    addPair(h, 0, 0, all);
    return h;
}

}  // namespace sofa::component
