// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/math/Vec.h"
#include "core/math/Vector.h"

namespace sofa::core::io {

/// Voxels of an image in space: voxel (i, j, k) has the number i + nx (j + ny k).
struct Voxels
{
    Vec<3, int> count;            ///< numbers of voxels along x, y and z
    Vec3 size;                    ///< size of a voxel [m]
    Vector<std::uint8_t> filled;  ///< 1 where the file has a value other than 0
};

/// Reads a text file of SOFA's (.voxel): three numbers of voxels, three sizes, and a value for each voxel.
/// \throws MeshError with the place in the file.
Voxels readVoxelText(const std::filesystem::path& path);

/// Reads a file of one byte for each voxel (.raw), behind a header. Bytes that are missing are an error.
/// @param count   numbers of voxels along x, y and z, at least 1
/// @param header  bytes before the first voxel
/// \throws MeshError
Vector<std::uint8_t> readRawVoxels(const std::filesystem::path& path, const Vec<3, int>& count, std::size_t header = 0);

}  // namespace sofa::core::io
