// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Base.h"

namespace sofa::component {

/// Lets one attribute set several Data: "stiffness" the stiffness of lines, triangles, ... As in SOFA, attributes count
/// in alphabetical order: those of `data` that come before `attribute` yield to it, the others win over it. All that
/// concern these are marked as used.
void distributeAttribute(core::Base& owner, core::ComponentDescription& desc, const std::string& attribute,
                         const std::vector<std::string>& data);

}  // namespace sofa::component
