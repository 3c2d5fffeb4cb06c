// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/SweepAndPrune.h"

#include <algorithm>
#include <cmath>

namespace sofa::component {

namespace {

/// The box with its upper faces moved by the distance and a little more, so that rounding loses no pair. They do not
/// move below the lower ones: of pairs for a negative distance some are sorted out by `pairs`.
geometry::Aabb padded(const geometry::Aabb& b, double distance)
{
    distance = std::max(distance, 0.);
    geometry::Aabb p = b;
    constexpr double more = 4. * std::numeric_limits<double>::epsilon();
    for (std::size_t k = 0; k < 3; ++k)
        if (std::isfinite(b.upper[k]))
            p.upper[k] = b.upper[k] + distance + more * (std::abs(b.upper[k]) + std::abs(distance));
    return p;
}

std::uint64_t key(std::uint32_t i, std::uint32_t j) { return (std::uint64_t(std::min(i, j)) << 32) | std::max(i, j); }

}  // namespace

bool SweepAndPrune::overlap(std::uint32_t i, std::uint32_t j) const
{
    const geometry::Aabb &a = m_padded[i], &b = m_padded[j];
    for (std::size_t k = 0; k < 3; ++k)
        if (!(a.lower[k] <= b.upper[k] && b.lower[k] <= a.upper[k])) return false;
    return true;
}

void SweepAndPrune::update(std::span<const geometry::Aabb> boxes, double distance)
{
    bool same = m_boxes.size() == boxes.size();
    for (std::size_t i = 0; same && i < boxes.size(); ++i) same = m_boxes[i].valid() == boxes[i].valid();
    m_boxes.assign(boxes.begin(), boxes.end());
    m_distance = distance;
    m_padded.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) m_padded[i] = padded(boxes[i], distance);
    m_swaps = 0;
    if (!same) return start();
    const std::size_t limit = 32 * boxes.size() + 1024;
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (!sortAxis(axis, limit)) return start();
}

bool SweepAndPrune::sortAxis(std::size_t axis, std::size_t limit)
{
    Vector<EndPoint>& points = m_axes[axis];
    for (EndPoint& e : points)
        e.value = e.code & 1u ? m_padded[e.code >> 1].upper[axis] : m_padded[e.code >> 1].lower[axis];
    for (std::size_t k = 1; k < points.size(); ++k) {
        const EndPoint moving = points[k];
        std::size_t to = k;
        for (; to > 0 && moving < points[to - 1]; --to) {
            const EndPoint& passed = points[to - 1];
            points[to] = passed;
            if (++m_swaps > limit) return false;
            const std::uint32_t i = moving.code >> 1, j = passed.code >> 1;
            const bool upper = moving.code & 1u, passedUpper = passed.code & 1u;
            if (upper == passedUpper || i == j) continue;
            if (passedUpper) {  // a lower end comes before an upper one: they overlap along this axis now
                if (overlap(i, j)) m_pairs.insert(key(i, j));
            } else {
                m_pairs.erase(key(i, j));
            }
        }
        points[to] = moving;
    }
    return true;
}

void SweepAndPrune::start()
{
    ++m_starts;
    m_swaps = 0;
    m_pairs.clear();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Vector<EndPoint>& points = m_axes[axis];
        points.clear();
        for (std::size_t i = 0; i < m_boxes.size(); ++i) {
            if (!m_boxes[i].valid()) continue;
            const auto code = static_cast<std::uint32_t>(2 * i);
            points.push_back({m_padded[i].lower[axis], code});
            points.push_back({m_padded[i].upper[axis], code + 1});
        }
        std::sort(points.begin(), points.end());
    }
    Vector<std::uint32_t> open;
    for (const EndPoint& e : m_axes[0]) {
        const std::uint32_t i = e.code >> 1;
        if (e.code & 1u) {
            open.erase(std::find(open.begin(), open.end(), i));
            continue;
        }
        for (const std::uint32_t j : open)
            if (overlap(i, j)) m_pairs.insert(key(i, j));
        open.push_back(i);
    }
}

void SweepAndPrune::pairs(Vector<geometry::IndexPair>& out) const
{
    out.clear();
    for (const std::uint64_t k : m_pairs) {
        const auto i = static_cast<Index>(k >> 32), j = static_cast<Index>(k & 0xffffffffu);
        if (m_boxes[i].overlaps(m_boxes[j], m_distance)) out.push_back({i, j});
    }
    std::sort(out.begin(), out.end());
}

}  // namespace sofa::component
