// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <utility>

#include "core/scene/XmlDocument.h"

namespace sofa::core {

/// The bytes with the edits, which are sorted by place, and the edits that take them back, their numbers still missing.
/// Throws std::logic_error if edits overlap or lie outside.
std::pair<std::string, std::vector<TextEdit>> spliced(const std::string& bytes, const std::vector<TextEdit>& edits);

}  // namespace sofa::core
