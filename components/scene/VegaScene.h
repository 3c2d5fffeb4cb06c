// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <memory>

#include "core/io/VegaConfig.h"
#include "core/scene/SceneLoader.h"

namespace sofa::component {

using namespace sofa::core;

/// Whether a file is a configuration of Vega by its name: it ends in .config.
bool isVegaConfigName(const std::filesystem::path& path);

/// The scene that a configuration of Vega's interactive simulator describes; docs/scene-format.md tells what becomes of
/// each key. Names of files in it count from the folder of the configuration, and every element has the place of the
/// key from which it comes, so that the messages of components point there.
///
/// What the scene leaves out although it would change the motion is a warning; what concerns only Vega's window or its
/// threads, and where Vega 4.0 itself does something else than its keys say, is an informative message.
/// \throws SceneError at a key that asks for what does not exist here, and for files that are missing or do not fit;
/// io::MeshError for files that cannot be read
SceneElement vegaScene(const io::VegaConfig& config);
/// The same for a configuration of Vega's cloth simulator.
SceneElement vegaScene(const io::VegaClothConfig& config);

/// Reads a configuration of either simulator and builds its scene, as loadScene does with a scene file.
/// \throws what vegaScene and io::readVegaConfig throw
std::shared_ptr<Node> loadVegaScene(const std::string& path, const LoadOptions& options = {},
                                    LoadReport* report = nullptr);

}  // namespace sofa::component
