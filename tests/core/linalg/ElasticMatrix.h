// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/linalg/BlockAssembler.h"
#include "core/math/Mat.h"

namespace sofa::test {

/// Positions of a box of nx × ny × nz points with unit spacing, each moved by a fixed pseudo-random jitter.
inline std::vector<core::Vec3> boxPoints(int nx, int ny, int nz)
{
    std::vector<core::Vec3> x;
    unsigned state = 12345;
    const auto jitter = [&] {
        state = state * 1664525u + 1013904223u;
        return 0.3 * (static_cast<double>(state >> 8) / 16777216. - 0.5);
    };
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                core::Vec3 p{i, j, k};
                for (double& c : p) c += jitter();
                x.push_back(p);
            }
    return x;
}

/// Six tetrahedra for each cube of the box, all with the same diagonal (Kuhn).
inline std::vector<std::array<int, 4>> boxTetrahedra(int nx, int ny, int nz)
{
    std::vector<std::array<int, 4>> tets;
    const auto id = [&](int i, int j, int k) { return (k * ny + j) * nx + i; };
    const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int k = 0; k + 1 < nz; ++k)
        for (int j = 0; j + 1 < ny; ++j)
            for (int i = 0; i + 1 < nx; ++i)
                for (const auto& order : axes) {
                    int c[3] = {i, j, k};
                    std::array<int, 4> t{};
                    t[0] = id(c[0], c[1], c[2]);
                    for (std::size_t q = 0; q < 3; ++q) {
                        ++c[order[q]];
                        t[q + 1] = id(c[0], c[1], c[2]);
                    }
                    tets.push_back(t);
                }
    return tets;
}

/// Assembles `mass` I + `stiffness` K, K the linear elastic stiffness (λ = μ = 1) of the tetrahedra of a box:
///     K_ab = V (λ ∇Na ∇Nbᵀ + μ ∇Nb ∇Naᵀ + μ (∇Na · ∇Nb) I).
inline void assembleElastic(core::BlockAssembler& assembler, int nx, int ny, int nz, double mass, double stiffness)
{
    using namespace core;
    const auto x = boxPoints(nx, ny, nz);
    const int n = 3 * static_cast<int>(x.size());
    assembler.begin(n, n, 3);
    for (const auto& t : boxTetrahedra(nx, ny, nz)) {
        Vec3 e[4];
        for (std::size_t a = 0; a < 4; ++a) e[a] = x[static_cast<std::size_t>(t[a])];
        const Mat3 d = Mat3::fromColumns(e[1] - e[0], e[2] - e[0], e[3] - e[0]);
        const double volume = std::abs(determinant(d)) / 6.;
        const Mat3 inverted = inverse(d);
        Vec3 g[4] = {{}, inverted[0], inverted[1], inverted[2]};
        g[0] = -(g[1] + g[2] + g[3]);
        for (std::size_t a = 0; a < 4; ++a)
            for (std::size_t b = 0; b < 4; ++b) {
                const Mat3 k = outer(g[a], g[b]) + outer(g[b], g[a]) + Mat3::identity() * dot(g[a], g[b]);
                assembler.add(3 * t[a], 3 * t[b], k.data(), 3, 3, 3, volume * stiffness);
            }
    }
    const Mat3 identity = Mat3::identity();
    for (int i = 0; i < n; i += 3) assembler.add(i, i, identity.data(), 3, 3, 3, mass);
    assembler.end();
}

}  // namespace sofa::test
