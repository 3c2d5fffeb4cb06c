// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <string_view>

namespace sofa::gl {

/// The log of a driver with `file:line` where it names lines of the one source text ("0:12(5): error", "0(12) : error",
/// "ERROR: 0:12: ...").
std::string locateGlslLog(std::string_view log, std::string_view file);

}  // namespace sofa::gl
