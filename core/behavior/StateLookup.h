// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/State.h"
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

/// Sets a link that the scene does not give to the first mechanical state of the type in the component's node or above.
/// That there is none fails the component, and the function returns false.
template <class DataTypes>
bool findState(Link<State<DataTypes>>& link, Component& owner)
{
    if (!link && !link.isSet()) link.set(findMechanicalState<State<DataTypes>>(*owner.node(), Search::Up));
    if (!link)
        owner.fail(std::string(link.name()) + ": there is no state of type " + std::string(DataTypes::name()) +
                   " in its node or above");
    return static_cast<bool>(link);
}

}  // namespace sofa::core
