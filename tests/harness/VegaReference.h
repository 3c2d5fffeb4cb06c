// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

namespace sofa::test {

/// The reference values of the Vega library (reference.json.gz), empty where there are none. Throws std::runtime_error
/// if the file cannot be read.
std::optional<nlohmann::json> vegaReference();

/// File of a mesh of the reference, by the "file" of its record; empty if it is kept elsewhere.
std::optional<std::filesystem::path> vegaMesh(const std::string& file);

}  // namespace sofa::test
