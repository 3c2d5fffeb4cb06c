// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// The stiffness of a tetrahedron of isotropic linear elasticity: with the gradients c_k of its shape functions in the
/// axes of the world [1/m], the first three numbers of row k, its blocks are λV c_i c_jᵀ + μV (c_j c_iᵀ + (c_i·c_j) I).
/// The fourth numbers of the rows are μV, λV [J], 0, 0.
struct alignas(64) IsotropicTangent
{
    double rows[4][4];
};

}  // namespace sofa::core
