// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/log/Reason.h"
#include "core/objectmodel/Component.h"

namespace sofa::core {

/// What a component threw in a step, or at the end, with its path, class and place in the scene.
struct ComponentError : std::runtime_error
{
    ComponentError(const Component& c, const std::exception& e) : std::runtime_error(textOf(c, reasonOf(e))) {}

private:
    static std::string textOf(const Component& c, const std::string& reason)
    {
        // Some tell their path themselves.
        const std::string path = c.pathName(), sender = path + " (" + c.className() + "): ";
        const std::string own = reason.starts_with(path + ": ") ? reason.substr(path.size() + 2) : reason;
        return (own.starts_with(sender) ? own : sender + own) +
               (c.location.known() ? " (" + c.location.str() + ")" : std::string());
    }
};

}  // namespace sofa::core
