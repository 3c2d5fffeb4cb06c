// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/DataTypes.h"

namespace sofa::core {

/// Flat triangles on the curved surface of a BezierTopology, for what moves their points.
class BezierSurface
{
public:
    virtual ~BezierSurface() = default;
    /// A bound of the distance [m] between the flat triangles and the curved ones they stand for, with these points of
    /// the mesh.
    virtual double deviation(const Vector<Vec3>& points) const = 0;
    /// Makes the weights of the points anew, when the mesh has other degrees: topological mappings are told of changes
    /// before their input is.
    virtual void followDegrees() = 0;
};

}  // namespace sofa::core
