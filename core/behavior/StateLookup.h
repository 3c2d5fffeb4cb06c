// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseState.h"
#include "core/objectmodel/Node.h"

namespace sofa::core {

/// First mechanical state of type S (BaseState or State<...>) in the order of a look-up; states that are only shown are
/// passed over. nullptr if there is none.
template <class S>
S* findMechanicalState(const Node& node, Search where)
{
    S* found = nullptr;
    node.visit(where, [&](Component& c) {
        auto* s = dynamic_cast<S*>(&c);
        if (s && static_cast<const BaseState*>(s)->isMechanical()) found = s;
        return found == nullptr;
    });
    return found;
}

}  // namespace sofa::core
