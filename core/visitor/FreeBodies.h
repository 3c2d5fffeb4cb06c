// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/visitor/SystemAssembly.h"

namespace sofa::core {

/// Says which bodies of a singular matrix, assembled for the scope of a plan, nothing holds: for each the rigid motions
/// without resistance, the projective constraints that act on it and leave these, and what could hold it. Empty if no
/// motion is free.
///
/// A body is what the matrix couples: one state or several. With the rigid motions v about its centre (translations,
/// and rotations over half of its extent, as linear combinations of unit size), those are free whose resistance vᵀ A v
/// is below 10⁻⁹ of the largest vᵀ diag(A) v. States in space, in the plane, of numbers and of frames have rigid
/// motions.
std::string describeFreeBodies(const SystemAssembly& a, const ExecutionPlan& plan);

}  // namespace sofa::core
