// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/visitor/ExecutionPlan.h"
#include "core/visitor/SystemLayout.h"

namespace sofa::core {

/// The first constraint of a plan that joins points, none: null.
const BaseProjectiveConstraint* joiningConstraint(const ExecutionPlan& plan);

/// Throws std::runtime_error unless all points that constraints of the plan join are unknowns of the layout that
/// nothing else holds: two projections that share a point are no projection together.
void checkJoinedPoints(const ExecutionPlan& plan, const SystemLayout& layout);

}  // namespace sofa::core
