// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <exception>
#include <string>

namespace sofa::core {

/// What went wrong, in words for a user.
std::string reasonOf(const std::exception& e);

}  // namespace sofa::core
