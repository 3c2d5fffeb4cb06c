// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Reads a gmsh mesh: format versions 1 ($NOD/$ELM), 2.0–2.2, 4.0 and 4.1, ASCII or binary in either byte order
/// (the file's own marker tells). Format: gmsh reference manual, "MSH file format" and "(Legacy)".
///
/// * Positions keep the file's order; node numbers may have gaps and any order, elements refer to them by number.
/// * Second-order edges, triangles and tetrahedra give their corners and midside nodes; other high-order
///   elements give their corners, and a note. All nodes stay in `positions`.
/// * Physical groups become `groups`; consecutive elements of one elementary entity become one entry of `ranges`,
///   named by the entity's tag.
/// * Other sections (data, periodicity, partitions) are skipped, with a note.
/// \throws MeshError
MeshData readGmsh(const std::filesystem::path& path);
MeshData parseGmsh(const SourceText& source);

/// Writes positions and all cells as gmsh 2.2 ASCII; numbers read back exactly. An element carries the tag of the
/// first of `groups` that holds it (0: none) as its physical tag, and 1 as its elementary tag; groups with a name are
/// written as physical names. Polylines are written as their edges. \throws MeshError
void writeGmsh(const std::filesystem::path& path, const MeshData& mesh);
/// Writes the same as gmsh 4.1, binary (little-endian): elements of one kind whose first group is the same form an
/// entity, with that group as its physical group. \throws MeshError
void writeGmsh4(const std::filesystem::path& path, const MeshData& mesh);

}  // namespace sofa::core::io
