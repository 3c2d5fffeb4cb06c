// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sofa::core {

enum class DescribeFormat
{
    Text,
    Json,
    Markdown
};
/// "text", "json" or "markdown"
std::optional<DescribeFormat> describeFormat(std::string_view name);

/// Everything that the registry knows: each component with module, category, aliases, templates, example and help, and
/// each of its Data with type, default, unit, range and help, its links and its other attributes. `only`: one component
/// (name or alias), or all if empty. Throws std::runtime_error if there is no such component.
std::string describeComponents(DescribeFormat format, const std::string& only = {});

}  // namespace sofa::core
