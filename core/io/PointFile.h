// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/math/Vec.h"
#include "core/math/Vector.h"

namespace sofa::core::io {

/// The points of a file, without its elements.
struct PointFile
{
    Vector<Vec3> positions;   ///< [m]
    Vector<Vec3> velocities;  ///< [m/s]; empty where the format has none
};

/// Reads the points of a mass-spring file (.xs3, .xsp) or of any mesh or sphere file that readMesh knows.
/// \throws std::runtime_error (MeshError) with the place in the file.
PointFile readPoints(const std::filesystem::path& path);

}  // namespace sofa::core::io
