// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/io/OutputFile.h"
#include "core/math/Vec.h"

namespace sofa::core::io {

/// A point cache (.pc2): the positions of the points of a mesh at each of several times, in little-endian order
/// ("POINTCACHE2\0", version 1, number of points, first frame, frames between samples, number of samples; then the
/// positions of each sample in single precision). Blender's modifier "Mesh Cache" reads it. The file is complete or
/// absent.
class PointCacheFile
{
public:
    /// Throws std::runtime_error if the file cannot be written.
    PointCacheFile(const std::filesystem::path& path, std::size_t points);
    /// Appends a sample. Throws std::runtime_error, also for another number of points.
    void add(std::span<const Vec3> positions);
    void finish();

private:
    OutputFile m_file;
    std::size_t m_points;
    std::uint32_t m_samples = 0;
};

}  // namespace sofa::core::io
