// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>

#include "components/spring/LinearSpring.h"
#include "core/fem/elements/LinearSprings.h"

/// Springs that are made of the elements of a mesh, and follow its changes in time as these.
namespace sofa::component {

/// Springs of SpringLaw between points of one state, those no longer than `least` [m] doing nothing, in the form of
/// packs.
core::LinearSprings::Spring packedSpring(const LinearSpring& spring, double least);
core::Vector<core::LinearSprings::Spring> packedSprings(const core::Vector<LinearSpring>& springs, double least);

/// Whether an element of a list that is in increasing order.
inline bool contains(const core::Vector<core::Index>& sorted, core::Index i)
{
    return std::ranges::binary_search(sorted, i);
}

/// How springs have changed.
struct SpringChange
{
    core::ElementSource source;
    core::Vector<core::Index> touched;  ///< places where springs are new or differ, in increasing order
};

/// Lets springs follow a change of points as `source` says: those that end at one of `points` (as they count now, in
/// increasing order), or did at one that is gone, become `made`, which are all that end there now. Springs between the
/// same points keep their places; new ones take those of the ones that are gone, then come at the end; places that are
/// left are taken by those at the end. `packed` has the springs of before.
SpringChange followSprings(core::Vector<LinearSpring>& springs, const core::LinearSprings& packed,
                           const core::Vector<LinearSpring>& made, const core::Vector<core::Index>& points,
                           const core::ElementSource& source);

}  // namespace sofa::component
