// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Reads a polygon file (PLY 1.0): ASCII, binary little-endian or big-endian. Vertices give positions (x y z), normals
/// (nx ny nz) and texture coordinates (u v or s t) and every other scalar property as point data; faces give triangles,
/// quads and fans; edges (vertex1 vertex2) give edges. Other elements are passed over. Format: G. Turk, "The PLY
/// Polygon File Format", 1994. \throws MeshError
MeshData readPly(const std::filesystem::path& path);
MeshData parsePly(const SourceText& source);
/// Writes a binary file (little-endian, double precision): vertices with normals, texture coordinates (s t) and the
/// point data of one number, faces (of volumes their border) and edges. \throws MeshError
void writePly(const std::filesystem::path& path, const MeshData& mesh);

}  // namespace sofa::core::io
