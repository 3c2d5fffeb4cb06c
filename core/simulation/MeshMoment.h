// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/objectmodel/Node.h"

/// The meshes of a scene at one moment, for recordings of scenes whose meshes change.
namespace sofa::core {

/// All by which the meshes, and the points of the states, of two moments of a scene are told apart.
std::vector<std::size_t> meshVersions(const Node& root);

/// The meshes and points of a scene as they are (archiveElements), and what the components that follow them keep.
std::string meshesOf(Node& root);

/// Brings them into the scene. Throws std::runtime_error for those of another scene, having changed some.
void showMeshes(Node& root, const std::string& bytes);

}  // namespace sofa::core
