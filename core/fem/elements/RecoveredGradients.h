// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"
#include "core/mesh/BezierElements.h"

namespace sofa::core {

/// Sets the deformation gradient at each point that is a corner: the mean of those of its elements there, by their
/// volumes at rest. Where the motion is smooth such gradients are of higher order than those of the elements
/// (Zienkiewicz and Zhu, "A simple error estimator and adaptive procedure for practical engineering analysis", 1987),
/// and so their change along an edge of degree 1 tells how much it would bend if it could.
///
/// `middles` completes the control points of the elements, whose edges are straight at rest; elements without volume
/// there count for nothing.
void recoverGradients(const Vector<BezierTetrahedron>& elements, const MiddlePoints& middles, const Vector<Vec3>& rest,
                      const Vector<Vec3>& x, Vector<Mat3>& gradients);

}  // namespace sofa::core
