// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/fem/MaterialLaws.h"

/// Inner loops of hyperelastic tetrahedra on packs of eight elements, compiled once for each instruction set. The
/// arithmetic is the same at every level, without fused multiply-adds, so that all levels give the same bits. This
/// header is plain C++ on arrays for the reason given in core/fem/TetrahedronKernels.h.
namespace sofa::core {

/// Eight tetrahedra with linear shape functions; the lane comes last. Unused lanes repeat an element, with no volume.
struct alignas(64) GradientTetrahedronPack
{
    double gradient[9][8];  ///< ∇N₁, ∇N₂, ∇N₃ in the rest shape [1/m]: component c of vertex k at 3 (k − 1) + c
    double volume[8];  ///< [m³]
    std::uint32_t vertex[4][8];
};

/// How the tangent is made positive semi-definite.
enum class TangentProjection
{
    None,
    Clamp,     ///< negative eigenvalues become zero
    Absolute,  ///< negative eigenvalues change their sign
};

/// What is to be done with a pack.
struct MaterialEvaluation
{
    MaterialLaw law = MaterialLaw::StVenantKirchhoff;
    InvariantFunction user = nullptr;    ///< with MaterialLaw::User
    std::size_t userParameters = 0;      ///< that it reads
    double smallestStretch = -1e300;     ///< principal stretches below are raised to it
    bool compressionResistance = false;  ///< the last parameter is its coefficient c [Pa]
    TangentProjection projection = TangentProjection::None;
};

struct MaterialKernels
{
    /// Forces [lane][vertex][3], blocks [pair][3][3][lane] of −K for the vertex pairs 01 02 03 12 13 23, and energies
    /// [lane] of a pack at positions x; each may be null. `parameters` holds [parameter][lane]; it, blocks and energies
    /// are aligned to 64 bytes.
    void (*tetrahedra)(const MaterialEvaluation&, const GradientTetrahedronPack&, const double* parameters,
                       const double* x, double* forces, double* blocks, double* energies);

    /// Singular value decompositions F = U diag(s) Vᵀ of eight matrices in the convention of core/fem/Decompositions.h;
    /// all arrays are [entry][lane], matrices row by row, aligned to 64 bytes.
    void (*svd)(const double* f, double* u, double* s, double* v);

    /// Natural logarithm and exponential of eight numbers, for tests.
    void (*logarithm)(const double* x, double* y);
    void (*exponential)(const double* x, double* y);
};

/// The kernels for the instruction set in use (core/parallel/SimdLevel.h).
const MaterialKernels& materialKernels();

}  // namespace sofa::core
