// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/fem/kernels/IsotropicTangent.h"
#include "core/fem/materials/MaterialLaws.h"

/// Inner loops of hyperelastic elements on packs of eight elements, compiled once for each instruction set. The
/// arithmetic is the same at every level, without fused multiply-adds, so that all levels give the same bits. This
/// header is plain C++ on arrays for the reason given in core/fem/kernels/TetrahedronKernels.h.
namespace sofa::core {

/// Eight elements of one kind; the lane comes last in every array, and arrays are aligned to 64 bytes. Unused lanes
/// repeat an element, with no volume.
struct ElementPackView
{
    int vertexCount;                ///< N: 4, 5, 6 or 8
    int points;                     ///< of the quadrature
    const std::uint32_t* vertices;  ///< [vertex][lane]
    const double*
        gradients;  ///< of the shape functions 1 .. N − 1 in the rest shape [1/m]: [point][3 (k − 1) + c][lane]
    const double* volumes;  ///< weights of the points [m³]: [point][lane]
    /// tr S of the polar decompositions at the positions of the last call for forces: [point][lane]. Calls for forces
    /// set them, calls for blocks need not find them again. Null for other laws than the corotational ones.
    double* traces;
    /// Where calls for forces leave the tangents of the eight tetrahedra, of one point of quadrature each, or null: for
    /// laws that have the stiffness of linear elasticity, rotated or not. `streamed` by non-temporal stores.
    IsotropicTangent* tangents = nullptr;
    bool streamed = false;
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
    /// Forces [lane][vertex][3], blocks [pair][3][3][lane] of −K for the vertex pairs 01 02 .. 12 .., and energies
    /// [lane] of a pack at positions x; each may be null. `parameters` holds [parameter][lane].
    void (*elements)(const MaterialEvaluation&, const ElementPackView&, const double* parameters, const double* x,
                     double* forces, double* blocks, double* energies);

    /// Singular value decompositions F = U diag(s) Vᵀ of eight matrices in the convention of
    /// core/math/Decompositions.h; all arrays are [entry][lane], matrices row by row, aligned to 64 bytes.
    void (*svd)(const double* f, double* u, double* s, double* v);

    /// Natural logarithm and exponential of eight numbers, for tests.
    void (*logarithm)(const double* x, double* y);
    void (*exponential)(const double* x, double* y);
};

/// The kernels for the instruction set in use (core/parallel/SimdLevel.h).
const MaterialKernels& materialKernels();

}  // namespace sofa::core
