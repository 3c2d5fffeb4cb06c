// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/math/Mat.h"
#include "core/math/Vector.h"

namespace sofa::core {

/// Points and weights of an integral over a reference element, with the gradients of its N shape functions there.
template <std::size_t N>
struct ElementQuadrature
{
    struct Point
    {
        double weight;
        std::array<Vec3, N> gradients;  ///< by the reference coordinates
    };
    Vector<Point> points;
};
/// One point, exact for linear shape functions.
const ElementQuadrature<4>& tetrahedronQuadrature();
/// Trilinear hexahedra in the vertex order of `Hexahedron`: Gauss's rule with n³ points, n = 1 .. 3.
const ElementQuadrature<8>& hexahedronQuadrature(int n);
/// Prisms: n = 1 .. 3 points along the axis times 1, 3 or 6 in the triangle, exact for polynomials of degree 2 n − 1
/// along the axis and 1, 2 or 4 in the triangle. On prisms that are affine images of the reference one, n = 2 is exact
/// for linear elasticity, n = 3 for St Venant-Kirchhoff.
const ElementQuadrature<6>& prismQuadrature(int n);
/// Pyramids, as hexahedra whose top is collapsed: n³ points, n = 2 or 3, exact on affine images as for prisms.
const ElementQuadrature<5>& pyramidQuadrature(int n);

}  // namespace sofa::core
