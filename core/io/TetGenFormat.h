// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Reads the points (.node) and tetrahedra (.ele) that TetGen and Stellar write (H. Si, TetGen user's manual, "File
/// formats"). `path` is one of the two files; the other one, of the same name, is beside it. A .node file without an
/// .ele file gives its points alone.
///
///   .node  "n 3 attributes markers", then n lines "number x y z attributes… marker"
///   .ele   "n 4 attributes" (or 10), then n lines "number v₁ v₂ v₃ v₄ … attributes…"
///
/// Numbers start at 0 or 1 and ascend by one; the corners count as the points do. Lines that start with '#' are passed
/// over. Attributes of points become the point data "attributes", boundary markers "marker"; tetrahedra whose first
/// attribute (the region) is the same integer form a group with it as tag. Second-order tetrahedra are reduced to
/// their corners, with a note.
/// \throws MeshError
MeshData readTetGen(const std::filesystem::path& path);
MeshData parseTetGen(const SourceText& nodes, const SourceText& elements);
MeshData parseTetGenNodes(const SourceText& nodes);

/// Writes points and tetrahedra into the two files of the name that `path` has without its extension, numbered from 1;
/// the tag of the group that a tetrahedron is in becomes its attribute, 0 where it is in none. \throws MeshError
void writeTetGen(const std::filesystem::path& path, const MeshData& mesh);

}  // namespace sofa::core::io
