// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/TextScanner.h"
#include "core/math/Vector.h"

namespace sofa::core::io {

/// Reads a list of vertices as Vega has it (.bou, fixed vertices): numbers, which blanks, commas or line ends separate,
/// "a:b" for all from a to b, and lines of comment that start with '#'. The file counts from `base`, the result from 0;
/// it is sorted and has each vertex once. An empty file is an empty list.
/// \throws MeshError, also for numbers below `base` and beyond `vertexCount` vertices
Vector<Index> readVertexList(const std::filesystem::path& path, std::size_t vertexCount = std::size_t{1} << 24,
                             int base = 1);
Vector<Index> parseVertexList(const SourceText& source, std::size_t vertexCount = std::size_t{1} << 24, int base = 1);

/// Writes a list of vertices, eight to a line. \throws MeshError
void writeVertexList(const std::filesystem::path& path, const Vector<Index>& vertices, int base = 1);

}  // namespace sofa::core::io
