// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/math/Vector.h"

namespace sofa::component {

/// Checks a list `indexPairs` of points of several states: two numbers for each point, a state and a point of it. What
/// is wrong, or an empty text.
template <class States>
std::string faultOfIndexPairs(const core::Vector<core::Index>& pairs, const States& states)
{
    if (pairs.size() % 2 != 0)
        return "indexPairs has " + std::to_string(pairs.size()) +
               " numbers; expected two for each point: an input state and a point of it";
    for (std::size_t k = 0; k < pairs.size(); k += 2) {
        const core::Index s = pairs[k], i = pairs[k + 1];
        const bool known = s < states.size();
        if (known && i < states[s]->size()) continue;
        return "pair " + std::to_string(k / 2) + " of indexPairs (" + std::to_string(s) + " " + std::to_string(i) +
               "): " +
               (known ? "the state '" + states[s]->pathName() + "' has " + std::to_string(states[s]->size()) + " points"
                      : "there are " + std::to_string(states.size()) + " input states");
    }
    return {};
}

}  // namespace sofa::component
