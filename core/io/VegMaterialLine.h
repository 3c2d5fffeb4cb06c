// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/DataLines.h"
#include "core/io/VegFormat.h"

namespace sofa::core::io {

/// Reads the line of properties of a material of a .veg file (see readVeg). What is odd but allowed goes to `notes`.
/// \throws MeshError for an unknown kind, numbers that are missing, too many or out of range
VegMaterial parseVegMaterial(const DataLine& line, const std::string& name, std::vector<std::string>& notes);

/// The line of properties. \throws MeshError, with the name of the file, where the material is not valid
std::string vegMaterialText(const std::string& file, const VegMaterial& material);

}  // namespace sofa::core::io
