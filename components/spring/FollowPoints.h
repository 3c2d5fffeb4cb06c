// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseState.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// The springs (with points m1 and m2) between two states that are left after a change, with the new numbers of their
/// points.
template <class Spring>
core::Vector<Spring> springsLeft(const core::Vector<Spring>& springs, const core::TopologyChange& change,
                                 const core::BaseState& state1, const core::BaseState& state2)
{
    const core::Vector<core::Index> now1 = change.source(pointsOf(state1)).inverse(),
                                    now2 = change.source(pointsOf(state2)).inverse();
    const auto renumber = [](core::Index& i, const core::Vector<core::Index>& now) {
        if (!now.empty()) i = now.at(i);
        return i != core::InvalidIndex;
    };
    core::Vector<Spring> left;
    for (Spring s : springs)
        if (renumber(s.m1, now1) && renumber(s.m2, now2)) left.push_back(s);
    return left;
}

}  // namespace sofa::component
