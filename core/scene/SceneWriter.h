// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/objectmodel/Node.h"

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
/// A node with several parents is written below the first; a warning says that the others are lost.
std::string writeScene(const Node& root, const WriteOptions& options = {});
/// Writes it to a file. Throws std::runtime_error if that fails; the file is then as it was before.
void saveScene(const Node& root, const std::string& path, WriteOptions options = {});

}  // namespace sofa::core
