// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/PointCacheFile.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "core/io/RawBytes.h"

namespace sofa::core::io {

namespace {

template <class T>
void appendBigEndian(std::string& bytes, T value)
{
    appendRaw(bytes, value);
    std::reverse(bytes.end() - sizeof(T), bytes.end());
}

}  // namespace

bool PointCacheFile::hasExtension(const std::filesystem::path& path)
{
    return path.extension() == ".pc2" || path.extension() == ".mdd";
}

PointCacheFile::PointCacheFile(const std::filesystem::path& path, std::size_t points)
    : m_file(path), m_positions(m_file), m_points(points), m_isMdd(path.extension() == ".mdd")
{
    if (points > std::numeric_limits<std::int32_t>::max())
        throw std::runtime_error(path.string() + ": a point cache holds fewer points than " + std::to_string(points));
}

void PointCacheFile::add(double time, std::span<const Vec3> positions)
{
    if (positions.size() != m_points)
        throw std::runtime_error(m_file.path() +
                                 ": a point cache has the same points at all times, and now there are " +
                                 std::to_string(positions.size()) + " instead of " + std::to_string(m_points));
    std::string bytes;
    bytes.reserve(positions.size() * 12);
    for (const Vec3& p : positions) {
        for (const double c : p) {
            if (m_isMdd)
                appendBigEndian(bytes, static_cast<float>(c));
            else
                appendRaw(bytes, static_cast<float>(c));
        }
    }
    m_positions.write(bytes);
    m_times.push_back(static_cast<float>(time));
}

void PointCacheFile::finish()
{
    const auto samples = static_cast<std::uint32_t>(m_times.size()), points = static_cast<std::uint32_t>(m_points);
    std::string head;
    if (m_isMdd) {
        appendBigEndian(head, samples);
        appendBigEndian(head, points);
        for (const float t : m_times) appendBigEndian(head, t);
    } else {
        head.assign("POINTCACHE2\0", 12);
        appendRaw(head, std::uint32_t{1});
        appendRaw(head, points);
        appendRaw(head, 0.f);
        appendRaw(head, 1.f);
        appendRaw(head, samples);
    }
    m_file.write(head);
    m_positions.appendTo(m_file);
    m_file.commit();
}

}  // namespace sofa::core::io
