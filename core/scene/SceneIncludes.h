// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/SceneText.h"
#include "core/scene/TextLinks.h"

/// Includes and prefabs in the text of a scene (docs/scene-format.md): what they bring, and commands that put the text
/// of other files into a scene and parts of a scene into other files. Every command compares what the loader reads
/// before and after it, and changes nothing where that would not be the same.
namespace sofa::core {

/// The name by which a file is found from a folder: relative if that is sure to lead there.
std::string nameFrom(const std::string& file, const std::filesystem::path& folder);

/// The file that an element stands for.
struct IncludedFile
{
    std::string path;       ///< absolute; empty if there is no such file
    bool isPrefab = false;  ///< the element names a file of Objects/
};

/// For an include, and for an element that is no component but for which there is a prefab; none for others.
std::optional<IncludedFile> includedFile(const XmlDocument& x, std::uint32_t element);

/// An attribute that an include may replace.
struct Overridable
{
    std::string spelling;   ///< the attribute of the include: "youngModulus", "material__youngModulus"
    std::string attribute;  ///< of the component
    std::string component;  ///< its name; empty if it has none, and where several components are meant
    std::string className, templateName;
    std::string value;  ///< that the file gives
};

/// What an include or prefab may replace, in the order of the file: each attribute for all components that have it and,
/// where several have it, for each that has a name. Throws EditError where the files cannot be read.
std::vector<Overridable> overridable(const SceneText& text, XmlId include);

/// The element becomes the text that it includes, with its attributes filled in, in one step. Includes within stay if
/// they can. Throws EditError, and changes nothing, where the scene would not be the same, for a file that cannot be
/// read, and for one that is merged with its node.
void inlineIncluded(SceneText& text, XmlId include);

/// What extractPrefab has done.
struct Extracted
{
    XmlId element = 0;                    ///< the include, or the prefab's element, that stands there now
    std::vector<TextLink> leadsOut = {};  /// links of the new file to what is outside of it, with paths
};

/// Elements that stand behind each other in a node, in one step, become a file that is included in their place: by its
/// name as a prefab if it is Objects/<Name>.xml beside the scene, else by <include>. A single node becomes the root of
/// the file; others become a group. An existing file is overwritten. Throws EditError, and changes nothing, where the
/// scene would not be the same or the file cannot be written.
Extracted extractPrefab(SceneText& text, const std::vector<XmlId>& elements, const std::string& file);

/// The links of elements to what is outside of them.
std::vector<TextLink> linksLeadingOut(const XmlDocument& x, const std::vector<XmlId>& elements);

}  // namespace sofa::core
