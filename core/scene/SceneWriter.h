// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/objectmodel/Node.h"

namespace sofa::core {

struct WriteOptions
{
    /// Write the present values of Data in place of the texts that the scene gave.
    bool currentValues = false;
    /// Folder of the file to be written: names of files are changed so that they are found from there. Empty: they are
    /// written as they are.
    std::string folder = {};
};

/// A graph as a scene: every node and component with what a scene or an editor gave it (Base::givenAttributes); of
/// objects that code created, the Data that it set to something other than the default. Includes and prefabs are
/// written out. Loading the text gives an equal graph.
/// A node with several parents is written below the first; a warning says that the others are lost.
std::string writeScene(const Node& root, const WriteOptions& options = {});
/// Writes it to a file. Throws std::runtime_error if that fails; the file is then as it was before.
void saveScene(const Node& root, const std::string& path, WriteOptions options = {});

}  // namespace sofa::core
