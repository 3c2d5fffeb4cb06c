// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Vec.h"
#include "core/math/Vector.h"
#include "core/mesh/Elements.h"

namespace sofa::core::geometry {

/// Throws std::runtime_error unless triangles are the surface of a solid, seen from outside. The message names the
/// first triangles, edges or points that are wrong, and says how many there are. What is asked for:
///   - vertices exist and are finite, and triangles have an area;
///   - two triangles run along each edge, one each way: the surface is closed, and its sides agree;
///   - triangles meet in common corners and edges only;
///   - the volume inside is positive.
/// A solid may have several parts, and cavities, whose surfaces are seen from inside them.
void requireClosedSurface(const Vector<Vec3>& positions, const Vector<Triangle>& triangles);

/// The second of these only, which says what is inside.
void requireTwoSides(const Vector<Triangle>& triangles);

}  // namespace sofa::core::geometry
