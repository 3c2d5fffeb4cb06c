// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/objectmodel/Node.h"

namespace sofa::application {

/// Applies "PATH.NAME=VALUE" to a scene that is loaded and not yet initialised, as if the scene had this attribute;
/// what is wrong with it is a message of severity Error.
void applySetting(core::Node& root, const std::string& setting);

}  // namespace sofa::application
