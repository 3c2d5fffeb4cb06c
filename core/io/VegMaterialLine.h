// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>

#include "core/io/DataLines.h"
#include "core/io/VegFormat.h"

namespace sofa::core::io {

/// Reads the line of properties of a material of a .veg file (see readVeg). What is odd but allowed goes to `notes`.
/// \throws MeshError for an unknown kind, numbers that are missing, too many or out of range
VegMaterial parseVegMaterial(const DataLine& line, const std::string& name, std::vector<std::string>& notes);

/// What a material needs to be valid ("a density above 0"); empty if it is. What is odd but allowed in an orthotropic
/// one goes to `notes`, after `place`.
std::string problemOf(const VegMaterial& material);
void addOddities(const VegMaterial& material, const std::string& place, std::vector<std::string>& notes);

/// Assigns the materials and notes what is odd about a mesh that was read: elements in no region, and tetrahedra that
/// are not positively oriented, of which place(e) is told for the first.
void completeVeg(VegMesh& mesh, const std::string& path, const std::function<std::string(std::size_t)>& place);

/// Checks a mesh before it is written, so that what is written can be read. \throws MeshError with the name of the file
void checkVegForWriting(const std::string& file, const VegMesh& mesh);

/// The line of properties. \throws MeshError, with the name of the file, where the material is not valid
std::string vegMaterialText(const std::string& file, const VegMaterial& material);

}  // namespace sofa::core::io
