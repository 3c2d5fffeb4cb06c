// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <stdexcept>

#include "core/objectmodel/Component.h"

namespace sofa::core {

/// What a link of a component points to, for links that its init has set: a program or a user may have emptied them
/// since. Throws std::runtime_error, with the path of the component and the name of the link, if it points to nothing.
template <class T>
T& needed(const Link<T>& link, const Component& owner)
{
    if (T* target = link.get()) return *target;
    throw std::runtime_error(owner.pathName() + " (" + owner.className() + "): the link '" + std::string(link.name()) +
                             "' points to nothing any more; it was emptied after the scene had been initialised. Give "
                             "it a path, and initialise the component again");
}

}  // namespace sofa::core
