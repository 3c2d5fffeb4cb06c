// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Reads a list of spheres (.sph): a first line "sph 1.0", then "nums N" (a hint only) and lines "sphe index x y z
/// radius"; '#' starts a comment line. Gives `positions` and `radii` in file order; the indices are not used and a
/// missing radius is 1, as in SOFA. Unknown keywords and a count that does not fit give notes. \throws MeshError
MeshData readSpheres(const std::filesystem::path& path);
MeshData parseSpheres(const SourceText& source);

/// Writes `positions` and `radii` (1 where there are fewer) in that format. \throws MeshError
void writeSpheres(const std::filesystem::path& path, const MeshData& mesh);

}  // namespace sofa::core::io
