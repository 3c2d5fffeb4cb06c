// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/elements/HyperelasticElements.h"
#include "core/mesh/BezierElements.h"

namespace sofa::core {

/// Rules of increasing order: 14 points, then 64, 125, 216, 343 and 512. The last one serves estimates of the error.
inline constexpr int bezierQuadratureLevels = 6;

/// Quadratic Bézier tetrahedra. Level 0: 14 points, exact for polynomials of degree 5 (Walkington, "Quadrature on
/// simplices of arbitrary dimension", 2000), and so for St Venant-Kirchhoff in straight rest shapes. Level k: (k + 3)³
/// points, exact for degree 2 k + 5.
const ElementQuadrature<10>& bezierQuadrature(int level = 0);

/// The rule for a mesh.
struct BezierQuadratureChoice
{
    int level = 0;
    double error = 0.;           ///< largest estimated one
    Index worst = InvalidIndex;  ///< an element for which no rule is good enough
};

/// The rule of lowest order whose estimated error is within the tolerance in all elements. In curved rest shapes the
/// integrands are rational; the error is that of ∫ ∇B_a·∇B_b, estimated by the next rule, as a part of it.
BezierQuadratureChoice chooseBezierQuadrature(const Vector<BezierTetrahedron>& elements, const Vector<Vec3>& rest,
                                              double tolerance);

}  // namespace sofa::core
