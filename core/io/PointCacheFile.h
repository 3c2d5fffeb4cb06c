// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>
#include <vector>

#include "core/io/ScratchFile.h"
#include "core/math/Vec.h"

namespace sofa::core::io {

/// A point cache: the positions of the points of a mesh at each of several times, in single precision. Blender's
/// modifier "Mesh Cache" and others read it. By the extension of the file:
///   .pc2  little-endian: "POINTCACHE2\0", version 1, number of points, first frame, frames between samples, number of
///         samples; then the positions of each sample
///   .mdd  big-endian: number of samples, number of points, time of each sample [s]; then the positions of each sample
/// The file is complete or absent.
class PointCacheFile
{
public:
    /// Whether the name is that of a point cache.
    static bool hasExtension(const std::filesystem::path& path);

    /// Throws std::runtime_error if the file cannot be written.
    PointCacheFile(const std::filesystem::path& path, std::size_t points);
    /// Appends a sample. Throws std::runtime_error, also for another number of points.
    void add(double time, std::span<const Vec3> positions);
    void finish();

private:
    OutputFile m_file;
    ScratchFile m_positions;
    std::size_t m_points;
    bool m_isMdd;
    std::vector<float> m_times;
};

}  // namespace sofa::core::io
