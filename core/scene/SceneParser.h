// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <vector>

#include "core/objectmodel/Base.h"
#include "core/scene/SceneDocument.h"

namespace sofa::core {

/// A node or component as the scene language describes it, after includes and prefabs were put in place.
struct SceneElement
{
    bool isNode = false;
    /// `type` is the element name, or the `type` attribute of <Object>. `attributes` are all attributes but that one,
    /// `name` and `template` included, in the order of the file.
    ComponentDescription description;
    std::vector<SceneElement> children;
    ElementPlace place = {};                     ///< of the element, where it was read from a document
    std::vector<GivenElsewhere> elsewhere = {};  ///< attributes that other elements give

    std::string name() const { return description.get("name"); }
};

struct ParseOptions
{
    bool strict = false;   ///< what is a warning otherwise is an error
    bool lenient = false;  ///< what SOFA tolerates is a warning instead of an error
    /// The text is being written (XmlDocument): what is no well-formed XML is a message, and the rest is read.
    bool draft = false;
};

/// Reads a scene file (or prefab) and everything that it includes into one description tree.
///
/// docs/scene-format.md describes the language. What is wrong but leaves the rest readable (an include that is missing,
/// text between the tags, an override that fits nothing) is emitted as a message with its place. Throws SceneError
/// where the file is missing, no well-formed XML or too deeply nested. The files stay in `document`, if one is given,
/// which must be empty.
SceneElement parseSceneFile(const std::string& path, ParseOptions options = {}, SceneDocument* document = nullptr);
/// The same from memory; `path` names the text in messages and its folder is where relative names are looked for.
SceneElement parseSceneText(std::string text, const std::string& path, ParseOptions options = {},
                            SceneDocument* document = nullptr);
/// What an element of a document describes, with its includes: none, one or several.
std::vector<SceneElement> parseElement(SceneDocument& document, const ElementPlace& place, ParseOptions options = {});

/// Nodes of nodes: more levels than this are an error.
inline constexpr int maximalSceneDepth = XmlDocument::deepest;

}  // namespace sofa::core
