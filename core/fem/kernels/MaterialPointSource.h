// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Part of the text of the kernels of core/fem/kernels/MaterialKernels.h (MaterialKernelSource.h).
#pragma once

#include "core/fem/kernels/MaterialResponseSource.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

/// Index of the block of vertices m < n among those of N vertices.
constexpr int pairIndex(int vertices, int m, int n) { return m * (2 * vertices - m - 1) / 2 + n - m - 1; }

/// Contribution of a quadrature point to the lanes of the mask. Forces and energies are summed here; blocks go to
/// [pair][3][3][lane] in memory; with `Only`, for the only point of elements and all lanes, they are set, else added
/// to. What is not wanted is null or not summed.
template <int N>
struct Point
{
    Real b[N][3];  ///< gradients of the shape functions
    Real volume;   ///< weight of the point
    const double* parameters;
    PackMask lanes;
    bool wantForces, wantEnergy;
    double* blocks;  ///< of the first of the lanes, or null
    Real force[3 * N];
    Real energy;
    Real (*rotation)[3] = nullptr;  ///< columns, set where it is asked for

    /// Nothing is summed yet. `blockRows` has eight lanes.
    __attribute__((always_inline))
    Point(const double* elementParameters, int lane, bool forces, bool energies, double* blockRows)
        : parameters(elementParameters + lane),
          wantForces(forces),
          wantEnergy(energies),
          blocks(blockRows ? blockRows + lane : nullptr),
          energy(0.)
    {
        for (int k = 0; k < 3 * N; ++k) force[k] = 0.;
    }

    __attribute__((always_inline)) void addEnergy(const Real& density)
    {
        energy = energy + select(lanes, density * volume, Real(0.));
    }
    /// −V P b for the columns of P.
    template <bool Only>
    __attribute__((always_inline)) void addForces(const Real (&piola)[3][3])
    {
        Real p[3][3];
        for (int n = 0; n < 3; ++n)
            for (int i = 0; i < 3; ++i) {
                p[n][i] = piola[n][i] * volume;
                if constexpr (!Only) p[n][i] = select(lanes, p[n][i], Real(0.));
            }
        for (int i = 0; i < 3; ++i) {
            Real sum = 0.;
            for (int k = 1; k < N; ++k) {
                const Real f = p[0][i] * b[k][0] + p[1][i] * b[k][1] + p[2][i] * b[k][2];
                sum = sum + f;
                force[3 * k + i] = force[3 * k + i] - f;
            }
            force[i] = force[i] + sum;
        }
    }
    /// Adds to entry (i, l) of the block of vertices m < n; v is already multiplied by −V.
    template <bool Only>
    __attribute__((always_inline)) void addBlockEntry(int m, int n, int i, int l, const Real& v) const
    {
        double* to = blocks + 8 * (9 * pairIndex(N, m, n) + 3 * i + l);
        if constexpr (Only)
            store(to, v);
        else
            store(to, load(to) + select(lanes, v, Real(0.)));
    }
};

}  // namespace

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
