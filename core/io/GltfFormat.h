// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"

namespace sofa::core::io {

/// Writes faces, edges and points as binary glTF 2.0 (.glb; Khronos Group, 2021) in single precision, for web pages and
/// editors: quads as two triangles, volumes by their border, a part for each group and material, with the normals and
/// texture coordinates that there are. Diffuse colours become base colours, exponents n of highlights roughnesses
/// √(2 / (n + 2)); images are not written. \throws MeshError
void writeGlb(const std::filesystem::path& path, const MeshData& mesh);

}  // namespace sofa::core::io
