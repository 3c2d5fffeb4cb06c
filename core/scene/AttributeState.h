// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/objectmodel/Base.h"

namespace sofa::core {

/// An attribute of an object as it is, to be put back.
struct AttributeState
{
    std::shared_ptr<Base> object;
    std::string name;
    std::optional<std::string> given;
    std::shared_ptr<void> value;  ///< of a Data that follows no other
    bool isSet = false;
    bool isValid = true;  ///< the component

    AttributeState(Base& b, std::string attribute);

    void restore() const;
    /// What follows a change of attributes: links lead where they say, and the component takes them over.
    static void finish(Base& b);
};

}  // namespace sofa::core
