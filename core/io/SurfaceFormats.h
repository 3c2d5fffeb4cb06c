// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Reads a stereolithography file (STL), ASCII or binary (little-endian). Corners at exactly the same place become one
/// position, numbered in order of first appearance (options.stlMergePoints; else three positions per facet). Triangles
/// that this leaves with a repeated corner are dropped, with a note. A file that starts with "solid" is binary only if
/// it has the size of a binary file or holds NUL bytes, or with options.stlForceBinary. Facet normals are not kept.
/// \throws MeshError
MeshData readStl(const std::filesystem::path& path, const MeshReadOptions& options = {});
MeshData parseStl(const SourceText& source, const MeshReadOptions& options = {});
/// Writes triangles, and quads as two triangles each, of volumes their border, with facet normals; numbers in ASCII
/// read back exactly, binary files hold single precision. \throws MeshError
void writeStl(const std::filesystem::path& path, const MeshData& mesh, bool binary = false);

/// Reads an object file format file (OFF, and COFF, NOFF, CNOFF, STOFF whose normals and texture coordinates are kept),
/// in ASCII. Faces of 3 corners are triangles, of 4 quads, of 2 edges, of more fans. \throws MeshError
MeshData readOff(const std::filesystem::path& path);
MeshData parseOff(const SourceText& source);
/// Writes triangles, quads and edges (as faces of two corners), of volumes their border; numbers read back exactly.
/// \throws MeshError
void writeOff(const std::filesystem::path& path, const MeshData& mesh);

}  // namespace sofa::core::io
