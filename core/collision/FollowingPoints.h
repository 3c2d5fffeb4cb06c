// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/TopologyChange.h"

namespace sofa::core {

/// Points on the elements of a body that can follow when the points of the body change. Those of contacts, which are
/// found anew in each step, need not; who holds such points for longer calls it.
class FollowingPoints
{
public:
    virtual ~FollowingPoints() = default;
    /// The state whose points carry them.
    virtual const BaseState& carrier() const = 0;
    virtual void followPoints(const TopologyChange& change) = 0;
};

}  // namespace sofa::core
