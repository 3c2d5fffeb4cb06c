// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <initializer_list>
#include <string>

#include "core/objectmodel/Base.h"

namespace sofa::core {

/// Tells in init() of Data of a base class that a class has no use for, or that have none in this scene, where the
/// scene gives them, in the words of Base::ignoreAttribute. `reason`: why they have no effect.
inline void tellWithoutEffect(const Base& object, std::initializer_list<const BaseData*> given,
                              const std::string& reason)
{
    for (const BaseData* d : given)
        if (d->isSet())
            object.message(Severity::Deprecated, "attribute '" + d->name() + "' has no effect: " + reason, d->location);
}

}  // namespace sofa::core
