// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sofa::core {

enum class SchemaFormat
{
    RelaxNg,
    Json
};
/// "rng" or "json".
std::optional<SchemaFormat> schemaFormat(std::string_view name);

/// What scenes may contain, from the registry: components of the program and of loaded plugins under all their names,
/// with their attributes, the types of these and the prefabs of the data repository. docs/editors.md says what it is
/// for. RELAX NG describes scene files; JSON Schema describes scenes in which an element is an object, with its class
/// under "type", its attributes as members and, in a node, its elements under "children".
std::string sceneSchema(SchemaFormat format);

}  // namespace sofa::core
