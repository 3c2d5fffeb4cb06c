// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/parallel/Parallel.h"
#include "core/visual/DrawList.h"

namespace sofa::core {

/// Pieces of each edge that the curved triangles of a geometry need so that the flat ones are no farther from them than
/// a part of a pixel: `pixelSize` is the length [m] of a pixel at a position, not positive where it is not seen. At
/// least one, at most `largest`.
int divisionsOf(const Geometry& curved, FunctionRef<double(const Vec3f&)> pixelSize, double pixels = 0.25,
                int largest = 32);

/// Divides each edge of the curved triangles into n pieces: fills positions, normals, colours and triangles, n × n for
/// each patch, in their order. Normals become unit vectors. Other arrays of `flat` are empty.
void flatten(const Geometry& curved, int n, Geometry& flat);

}  // namespace sofa::core
