// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/objectmodel/Node.h"

namespace sofa::core {

/// Resolves a link of a component; where the scene gives none, it leads to the first T in the component's node or
/// above, if any. A path that leads nowhere fails the component, and the function returns false.
template <class T>
bool resolveOrFind(Link<T>& link, Component& owner)
{
    std::string error;
    if (!link.resolve(error)) {
        owner.fail(std::string(link.name()) + ": " + error);
        return false;
    }
    if (!link) link.set(owner.node()->template get<T>(Search::Up));
    return true;
}

/// The same for a link that the component cannot do without: that there is none fails it, too.
template <class T>
bool resolveOrNeed(Link<T>& link, Component& owner)
{
    if (!resolveOrFind(link, owner)) return false;
    if (!link) owner.fail("it needs a " + typeLabelOf<T>() + " in its node or above");
    return static_cast<bool>(link);
}

}  // namespace sofa::core
