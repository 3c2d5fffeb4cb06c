// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/scene/SceneDocument.h"

namespace sofa::core {

struct WriteOptions
{
    /// Folder of the file to be written: names of files are changed so that they are found from there. Empty: they are
    /// written as they are.
    std::string folder = {};
    /// State with which the written scene begins, in place of one that the root names (Node::d_checkpoint).
    std::string checkpoint = {};
};

/// A graph as a scene: every node and component with what a scene or an editor gave it (Base::givenAttributes); of
/// objects that code created, the Data that it set to something other than the default. Includes and prefabs are
/// written out. Loading the text gives an equal graph. What components computed is not written: they do it again, and
/// the state of a running simulation goes into a checkpoint (saveSceneAndState in core/simulation/Checkpoint.h).
/// A node with several parents is written below the first; below the others stands a reference to it.
std::string writeScene(const Node& root, const WriteOptions& options = {});
/// One object as an element, a node with all below it.
std::string writeElement(const Base& object);
/// Writes a scene to a file: one that was loaded as its document (SceneDocument::save), so that what was not changed is
/// as in its file; another one, or a part of one, as writeScene does. Throws FileChanged, and std::runtime_error where
/// the file cannot be written; it is then as it was before.
void saveScene(Node& root, const std::string& path, const SaveOptions& options = {});

}  // namespace sofa::core
