// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mass.h"

namespace sofa::core {

/// Adds the rigid velocity v = a + ω × (x − x̄) to all points with which they have this linear momentum [kg m/s] and
/// angular momentum about the origin [kg m²/s]. A body whose inertia is singular, as that of points on a line, gets
/// what it can have.
void giveMomentum(State<Vec3Types>& state, const BaseMass& mass, const Vec6& wanted);

}  // namespace sofa::core
