// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

namespace sofa::core {

/// Root of the tree that the running program belongs to: the installation prefix, or the build folder. It is found
/// from the place of the loaded library, so an installed tree may be moved. Throws std::runtime_error where
/// the system cannot say which file the library was loaded from.
std::filesystem::path installationDirectory();

/// Folder of the shared resources: meshes/, textures/, ... and scenes/. It is `share/sofa` below
/// installationDirectory(), in the build folder as in an installed tree.
std::filesystem::path shareDirectory();

}  // namespace sofa::core
