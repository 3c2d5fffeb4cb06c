// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/math/Vec.h"

/// Distances of convex hulls of a few points, by brute force in extended precision: the reference of the tests of
/// core/geometry.
namespace sofa::test {

using Extended = long double;
using ExtendedVec = std::array<Extended, 3>;

inline ExtendedVec extended(const core::Vec3& x) { return {x[0], x[1], x[2]}; }

/// Distance of the convex hulls of two sets of at most five points: for every pair of faces (subsets of the points) the
/// least distance of the affine spaces that they span, kept if its weights are not negative. Least squares by
/// orthogonalisation faces that span less than they should are left out, for their own faces give the same points.
inline Extended hullDistance(const std::vector<ExtendedVec>& a, const std::vector<ExtendedVec>& b)
{
    Extended best2 = std::numeric_limits<Extended>::infinity();
    const auto dot3 = [](const ExtendedVec& x, const ExtendedVec& y) {
        return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    };
    const auto minus = [](const ExtendedVec& x, const ExtendedVec& y) {
        return ExtendedVec{x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    };
    for (unsigned sa = 1; sa < (1u << a.size()); ++sa)
        for (unsigned sb = 1; sb < (1u << b.size()); ++sb) {
            const int unknowns = __builtin_popcount(sa) + __builtin_popcount(sb) - 2;
            if (unknowns > 3) continue;
            const auto ia = static_cast<std::size_t>(__builtin_ctz(sa)),
                       ib = static_cast<std::size_t>(__builtin_ctz(sb));
            // rest = b0 − a0; columns: −(a_i − a0), b_j − b0
            std::array<ExtendedVec, 3> columns{};
            std::size_t n = 0;
            for (std::size_t i = ia + 1; i < a.size(); ++i)
                if (sa >> i & 1) columns[n++] = minus(a[ia], a[i]);
            const std::size_t ofA = n;
            for (std::size_t j = ib + 1; j < b.size(); ++j)
                if (sb >> j & 1) columns[n++] = minus(b[j], b[ib]);
            const ExtendedVec start = minus(b[ib], a[ia]);
            // Modified Gram-Schmidt, twice, with back substitution.
            std::array<ExtendedVec, 3> q = columns;
            std::array<std::array<Extended, 3>, 3> r{};
            bool full = true;
            for (std::size_t k = 0; k < n && full; ++k) {
                const Extended size = std::sqrt(dot3(q[k], q[k]));
                for (int pass = 0; pass < 2; ++pass)
                    for (std::size_t l = 0; l < k; ++l) {
                        const Extended c = dot3(q[l], q[k]);
                        r[l][k] += c;
                        for (std::size_t m = 0; m < 3; ++m) q[k][m] -= c * q[l][m];
                    }
                r[k][k] = std::sqrt(dot3(q[k], q[k]));
                full = r[k][k] > 1e-17L * size;
                if (full)
                    for (Extended& x : q[k]) x /= r[k][k];
            }
            if (!full) continue;
            std::array<Extended, 3> w{};
            ExtendedVec rest = start;
            for (int refine = 0; refine < 2; ++refine) {
                std::array<Extended, 3> y{}, d{};
                for (std::size_t k = 0; k < n; ++k) y[k] = -dot3(q[k], rest);
                for (std::size_t k = n; k-- > 0;) {
                    d[k] = y[k];
                    for (std::size_t l = k + 1; l < n; ++l) d[k] -= r[k][l] * d[l];
                    d[k] /= r[k][k];
                }
                for (std::size_t k = 0; k < n; ++k) {
                    w[k] += d[k];
                    for (std::size_t m = 0; m < 3; ++m) rest[m] += d[k] * columns[k][m];
                }
            }
            Extended sumA = 0., sumB = 0.;
            bool inside = true;
            for (std::size_t k = 0; k < n; ++k) {
                inside = inside && w[k] >= 0.;
                (k < ofA ? sumA : sumB) += w[k];
            }
            if (inside && sumA <= 1. && sumB <= 1.) best2 = std::min(best2, dot3(rest, rest));
        }
    return std::sqrt(best2);
}

inline std::vector<ExtendedVec> hull(const std::vector<core::Vec3>& x)
{
    std::vector<ExtendedVec> r;
    for (const core::Vec3& p : x) r.push_back(extended(p));
    return r;
}

}  // namespace sofa::test
