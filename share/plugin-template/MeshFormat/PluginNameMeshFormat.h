// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/MeshFormat.h"

namespace sofa::component {

/// Triangles in a text file: "triangles P T", then P lines "x y z" with the points and T lines "i j k" with the corners
/// of the triangles, counted from 0. Whatever reads meshes reads it: MeshTopology, OglModel, regions.
///
/// This is the format that the template starts with: replace it by yours, here and in the test.
core::io::MeshData parsePluginName(const core::io::SourceText& source);
void writePluginName(const std::filesystem::path& path, const core::io::MeshData& mesh);

}  // namespace sofa::component
