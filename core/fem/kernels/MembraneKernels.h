// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/kernels/MaterialKernels.h"

/// Inner loops of hyperelastic elements of lower dimension than the body that they stand for
/// (core/fem/elements/MembraneElements.h), on packs of eight elements, compiled once for each instruction set like
/// those of core/fem/kernels/MaterialKernels.h.
namespace sofa::core {

/// Eight elements of one kind with N vertices, M = 1 (edges) or 2 (triangles, quads) dimensions in a space of D; the
/// lane comes last in every array, and arrays are aligned to 64 bytes. Unused lanes repeat an element, with no volume.
struct MembranePackView
{
    int points;                     ///< of the quadrature
    const std::uint32_t* vertices;  ///< [vertex][lane]
    const double* gradients;  ///< of the shape functions 1 .. N − 1 in the tangent frame of the rest shape [1/m]:
                              ///< [point][M (k − 1) + c][lane]
    const double* frames;     ///< tangent frames of the rest shape: [point][vector c][i][lane]; null where M = D
    const double* volumes;    ///< weights of the points, thickness or cross-section included [m³]: [point][lane]
};

/// What is to be done with a pack.
struct MembraneEvaluation
{
    MaterialEvaluation material;
    int parameters = 0;         ///< of an element; the last one is the coefficient of the compression resistance
    bool freeThickness = true;  ///< no stress across surfaces; else their thickness stays (plane strain). Edges are
                                ///< free to change their cross-section in any case
};

struct MembraneKernels
{
    /// Forces [lane][vertex][D], blocks [pair][D][D][lane] of −K for the vertex pairs 01 02 .. 12 .., and energies
    /// [lane] of a pack at positions x of D scalars each; each may be null. `parameters` holds [parameter][lane].
    using Function = void (*)(const MembraneEvaluation&, const MembranePackView&, const double* parameters,
                              const double* x, double* forces, double* blocks, double* energies);
    Function edges[2], triangles[2], quads[2];  ///< in the plane, in space
    Function curvedTriangles;                   ///< of six nodes, in space
};

/// The kernels for the instruction set in use (core/parallel/SimdLevel.h).
const MembraneKernels& membraneKernels();

}  // namespace sofa::core
