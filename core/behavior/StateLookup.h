// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>

#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"

namespace sofa::core {

/// First mechanical state of type S (BaseState or State<...>) in the order of a look-up; states that are only shown are
/// passed over. Of several states in the node of that one, the first that carries all of `tags`, if one does. nullptr
/// if there is none.
template <class S>
S* findMechanicalState(const Node& node, Search where, const TagSet& tags = {})
{
    const auto carriesTags = [&tags](const S& s) {
        const TagSet& own = static_cast<const BaseState&>(s).d_tags.value();
        return std::includes(own.begin(), own.end(), tags.begin(), tags.end());
    };
    S* found = nullptr;
    node.visit(where, [&](Component& c) {
        auto* s = dynamic_cast<S*>(&c);
        if (s && static_cast<const BaseState*>(s)->isMechanical()) found = s;
        return found == nullptr;
    });
    if (!found || carriesTags(*found)) return found;
    for (S* s : static_cast<const BaseState*>(found)->node()->template getAll<S>())
        if (static_cast<const BaseState*>(s)->isMechanical() && carriesTags(*s)) return s;
    return found;
}

/// Sets a link that the scene does not give to the first mechanical state of the type in the component's node or above,
/// with the tags of the component if there are several.
/// That there is none fails the component, and the function returns false.
template <class DataTypes>
bool findState(Link<State<DataTypes>>& link, Component& owner)
{
    if (!link && !link.isSet())
        link.set(findMechanicalState<State<DataTypes>>(*owner.node(), Search::Up, owner.d_tags.value()));
    if (!link)
        owner.fail(std::string(link.name()) + ": there is no state of type " + std::string(DataTypes::name()) +
                   " in its node or above");
    return static_cast<bool>(link);
}

}  // namespace sofa::core
