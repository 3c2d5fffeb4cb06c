// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The tangents of core/fem/kernels/IsotropicTangent.h on packs, for the texts of the kernels that write or read them.
#pragma once

#include "core/fem/kernels/IsotropicTangent.h"
#include "core/fem/kernels/PackSource.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

/// The numbers of eight tangents, each with eight lanes.
struct TangentRows
{
    alignas(64) double rows[16][8];
};

/// Sets the vectors c₁, c₂, c₃ and c₀ = −(c₁ + c₂ + c₃) of the lanes.
SOFA_PACK void setTangents(const Real (&c)[3][3], const Real& lambdaV, const Real& muV, int lane, TangentRows& to)
{
    for (int i = 0; i < 3; ++i) {
        store(to.rows[i] + lane, -(c[0][i] + c[1][i] + c[2][i]));
        for (int k = 0; k < 3; ++k) store(to.rows[4 * (k + 1) + i] + lane, c[k][i]);
    }
    store(to.rows[3] + lane, muV);
    store(to.rows[7] + lane, lambdaV);
    store(to.rows[11] + lane, Real(0.));
    store(to.rows[15] + lane, Real(0.));
}

/// Writes the tangents of eight elements, `streamed` by non-temporal stores.
SOFA_PACK void writeTangents(const TangentRows& from, IsotropicTangent* tangents, bool streamed)
{
    constexpr int registers = 8 / packLanes;  // of a line of the cache
    for (int lane = 0; lane < 8; lane += packLanes)
        for (int line = 0; line < 16; line += 8) {
            PackValues columns[registers][packLanes];
            for (int g = 0; g < registers; ++g) transposeSquare(from.rows[0], line + packLanes * g, lane, columns[g]);
            for (int l = 0; l < packLanes; ++l)
                for (int g = 0; g < registers; ++g) {
                    double* const numbers = tangents[lane + l].rows[0];
                    double* const to = numbers + line + packLanes * g;
                    if (streamed)
                        stream(to, columns[g][l]);
                    else
                        store(to, columns[g][l]);
                }
        }
}

/// Reads those of the lanes.
SOFA_PACK void readTangents(const IsotropicTangent* tangents, int lane, Real (&c)[3][3], Real& lambdaV, Real& muV)
{
    PackValues rows[16];
    for (int g = 0; g < 16; g += packLanes) {
        PackValues columns[packLanes];
        transposeSquare<16>(tangents->rows[0], lane, g, columns);
        for (int l = 0; l < packLanes; ++l) rows[g + l] = columns[l];
    }
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) c[k][i] = rows[4 * (k + 1) + i];
    muV = rows[3];
    lambdaV = rows[7];
}

}  // namespace

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
