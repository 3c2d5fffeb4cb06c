// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/objectmodel/Node.h"

namespace sofa::core {

/// What of a graph is written for Graphviz.
struct GraphvizOptions
{
    bool components = true;  ///< components as boxes, not nodes only
    bool links = true;       ///< links between components, and Data that follow others, as dashed arrows
};

/// A scene graph in the language of Graphviz (`dot -Tsvg`): nodes as ellipses, components as boxes coloured by
/// category.
std::string writeGraphviz(const Node& root, const GraphvizOptions& options = {});
/// Writes it to a file. Throws std::runtime_error if that fails.
void saveGraphviz(const Node& root, const std::string& path, const GraphvizOptions& options = {});

}  // namespace sofa::core
