// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <string_view>

namespace sofa::core {

/// A text as it stands in an attribute or between tags of XML.
std::string escapeXml(std::string_view text);

}  // namespace sofa::core
