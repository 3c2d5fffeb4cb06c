// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Names that older scenes use: components, Data and modules that were renamed, merged or removed since. This is the
/// one place to add to. Names that a component still understands itself (its aliases) need no entry.
namespace sofa::core {

/// Today's name of a component; empty if `name` is not an old one.
std::string_view currentComponentName(std::string_view name);
/// Every pair of old and current component name, sorted by the old one.
const std::vector<std::pair<std::string, std::string>>& renamedComponents();

/// What became of a component that has no single successor.
struct OldComponent
{
    std::string_view name;
    /// Components that do its work today, in order, separated by spaces; empty if it has no work any more.
    std::string_view successors;
    std::string_view reason;
    /// Without it the scene would be another one: an error, whose text is the reason.
    bool refused = false;
};
/// nullptr if `name` is none of them.
const OldComponent* findOldComponent(std::string_view name);
/// All of them.
std::span<const OldComponent> oldComponentsWithoutSuccessor();
/// Name of the component that reads meshes from files like `fileName` (old scenes: MeshLoader); empty if there is none.
std::string_view loaderForFile(std::string_view fileName);

/// What became of an attribute.
struct OldAttribute
{
    std::string_view component;  ///< today's class; empty: any
    std::string_view name;
    std::string_view now;     ///< today's name; empty if it has no effect any more
    std::string_view reason;  ///< why it has none
};
/// nullptr if the attribute is not an old one of this component.
const OldAttribute* findOldAttribute(std::string_view component, std::string_view name);

/// The old attributes of a component, each once.
std::vector<std::string_view> oldAttributeNames(std::string_view component);

/// Whether a module or plugin of SOFA is part of this program, so that <RequiredPlugin> has nothing to load.
bool isBuiltInModule(std::string_view name);

/// A path of SOFA before 2012, written without '@' and counted from the component itself, as one of today, counted from
/// its node: "../.." -> "@..", "../../Container" -> "@../Container", "Visual" and "../Visual" -> "@Visual" (in the
/// node, else in those above), ".." -> "@.".
std::string currentPath(std::string_view oldPath);

}  // namespace sofa::core
