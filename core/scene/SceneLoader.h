// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/objectmodel/Node.h"
#include "core/scene/SceneParser.h"

namespace sofa::core {

/// How forgiving the loader is.
struct LoadOptions
{
    /// Attributes that mean nothing, text between tags and templates that do not exist are errors, not warnings, and
    /// old names are reported.
    bool strict = false;
    /// What SOFA tolerates is a warning instead of an error, and the scene goes on as it does there: classes, plugins
    /// and includes that do not exist, broken links, lists of different lengths (Component::tolerate).
    bool lenient = false;
    /// The root's `compatibility` where the scene does not give it; empty: the default.
    std::string compatibility = {};
    /// A root without animation loop or visual loop gets the default ones.
    bool addDefaultLoops = true;
    /// Names of old scenes are reported, as in strict mode.
    bool reportOldNames = false;
    /// The text is being written: it need not be well-formed (ParseOptions::draft), and nothing is done outside of the
    /// scene, as writing a file of messages.
    bool draft = false;
};

/// What was found while a scene was loaded. Every message was emitted to MessageLog too.
struct LoadReport
{
    std::vector<Message> messages;

    std::size_t count(Severity s) const;
    /// True if there was no error: the scene is what its author wrote, and may be initialised.
    bool ok() const { return count(Severity::Error) == 0; }
};

/// Loads a scene: reads the file and what it includes, creates nodes and components in the order of the file, binds
/// links between Data as soon as their targets exist, and checks in the end that every link leads somewhere. Nothing is
/// initialised yet; Simulation::init checks that what is required was given.
///
/// Throws SceneError if the file cannot be read or is no scene at all. All other errors are messages with their place
/// (file:line:column), and what they concern is left out; `report` collects them.
std::shared_ptr<Node> loadScene(const std::string& path, const LoadOptions& options = {}, LoadReport* report = nullptr);
/// The same from memory. `path` names the text in messages; names of files are relative to its folder.
std::shared_ptr<Node> loadSceneText(std::string text, const std::string& path, const LoadOptions& options = {},
                                    LoadReport* report = nullptr);

/// The same from a description, as parseSceneFile returns it or a program makes it. Throws SceneError if its root is no
/// node.
std::shared_ptr<Node> buildScene(const SceneElement& root, const LoadOptions& options = {},
                                 LoadReport* report = nullptr);

/// Builds what an element describes, and all below it, in a node of an existing graph: for editors and generated
/// scenes. Does not add default loops.
void buildInto(Node& parent, const SceneElement& element, const LoadOptions& options = {},
               LoadReport* report = nullptr);

/// What the loader says about an element in a node of an existing graph, in which nothing of it stays: for editors.
std::vector<Message> tryElement(Node& parent, const SceneElement& element, const LoadOptions& options = {});

}  // namespace sofa::core
