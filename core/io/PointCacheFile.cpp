// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/PointCacheFile.h"

#include <limits>
#include <stdexcept>

#include "core/io/RawBytes.h"

namespace sofa::core::io {

namespace {

constexpr std::size_t samplesAt = 28;

}  // namespace

PointCacheFile::PointCacheFile(const std::filesystem::path& path, std::size_t points) : m_file(path), m_points(points)
{
    if (points > std::numeric_limits<std::uint32_t>::max())
        throw std::runtime_error(path.string() + ": a point cache holds fewer points than " + std::to_string(points));
    std::string header("POINTCACHE2\0", 12);
    appendRaw(header, std::uint32_t{1});
    appendRaw(header, static_cast<std::uint32_t>(points));
    appendRaw(header, 0.f);
    appendRaw(header, 1.f);
    appendRaw(header, m_samples);
    m_file.write(header);
}

void PointCacheFile::add(std::span<const Vec3> positions)
{
    if (positions.size() != m_points)
        throw std::runtime_error(m_file.path() +
                                 ": a point cache has the same points at all times, and now there are " +
                                 std::to_string(positions.size()) + " instead of " + std::to_string(m_points));
    std::string bytes;
    bytes.reserve(positions.size() * 12);
    for (const Vec3& p : positions)
        for (const double c : p) appendRaw(bytes, static_cast<float>(c));
    m_file.write(bytes);
    ++m_samples;
}

void PointCacheFile::finish()
{
    std::string number;
    appendRaw(number, m_samples);
    m_file.overwrite(samplesAt, number);
    m_file.commit();
}

}  // namespace sofa::core::io
