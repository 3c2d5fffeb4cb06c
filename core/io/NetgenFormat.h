// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Reads the neutral format of the mesher Netgen (Netgen user guide, "Mesh formats"): three lists, each with its number
/// of entries on a line before it and an entry on each line:
///
///     x y z                           points
///     subdomain p1 p2 p3 p4 ...       volumes: 4, 5, 6, 8 or 10 points, numbered from 1
///     condition p1 p2 p3 ...          faces: 3, 4 or 6 points
///
/// The list of faces may be missing. Second-order tetrahedra and triangles give their midside nodes. Subdomains and
/// boundary conditions become groups of cells with their number as tag. \throws MeshError
MeshData parseNetgen(const SourceText& source);

/// Writes points, volumes (prisms and pyramids as well) and faces, with the tag of the group that a cell is in, 0 where
/// it is in none. \throws MeshError
void writeNetgen(const std::filesystem::path& path, const MeshData& mesh);

}  // namespace sofa::core::io
