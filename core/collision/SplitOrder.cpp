// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/SplitOrder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace sofa::core {

void SplitOrder::build(std::span<const geometry::Aabb> boxes, int depth)
{
    m_places.clear();
    m_boxes.assign(boxes.begin(), boxes.end());
    m_depth = depth;
}

void SplitOrder::finish() const
{
    if (m_boxes.empty()) return;
    struct Cell
    {
        std::size_t begin, end;
        std::uint32_t path, level;
    };
    /// A box, by its centre; the second number keeps the order of equal ones.
    struct Key
    {
        double centre;
        std::uint32_t rank, box;
        bool operator<(const Key& k) const { return centre != k.centre ? centre < k.centre : rank < k.rank; }
    };
    constexpr std::size_t fewest = 4;
    const Vector<geometry::Aabb> boxes = std::exchange(m_boxes, {});
    const auto levels = static_cast<std::uint32_t>(std::clamp(m_depth, 0, maxDepth));
    Vector<std::uint32_t> order(boxes.size());
    std::iota(order.begin(), order.end(), 0u);
    m_places.resize(boxes.size());
    Vector<Cell> open{{0, boxes.size(), 0, 0}};
    std::vector<Key> keys;
    while (!open.empty()) {
        const Cell cell = open.back();
        open.pop_back();
        const std::size_t n = cell.end - cell.begin;
        if (n <= fewest || cell.level == levels) {
            for (std::size_t k = cell.begin; k < cell.end; ++k)
                m_places[order[k]] = {cell.path, cell.level, static_cast<std::uint32_t>(k - cell.begin)};
            continue;
        }
        geometry::Aabb box;
        for (std::size_t k = cell.begin; k < cell.end; ++k) box.include(boxes[order[k]]);
        const Vec3 side = box.upper - box.lower;
        // Of equal sides the later one, but of x and y equal and longer than z, y.
        const std::size_t axis = side[0] > side[1] ? (side[0] > side[2] ? 0 : 2) : (side[1] > side[2] ? 1 : 2);
        keys.resize(n);
        for (std::size_t k = 0; k < n; ++k) {
            const std::uint32_t p = order[cell.begin + k];
            const double centre = boxes[p].lower[axis] + boxes[p].upper[axis];
            keys[k] = {std::isnan(centre) ? 0. : centre, static_cast<std::uint32_t>(k), p};  // infinite boxes
        }
        std::sort(keys.begin(), keys.end());
        for (std::size_t k = 0; k < n; ++k) order[cell.begin + k] = keys[k].box;
        const std::size_t middle = cell.begin + (n + 1) / 2;
        open.push_back({cell.begin, middle, cell.path, cell.level + 1});
        open.push_back({middle, cell.end, cell.path | std::uint32_t{1} << cell.level, cell.level + 1});
    }
}

bool SplitOrder::before(const SplitOrder& a, const SplitOrder& b, std::size_t firstA, std::size_t firstB,
                        std::size_t secondA, std::size_t secondB)
{
    constexpr auto same = std::numeric_limits<std::uint32_t>::max();
    const Place &pa = a.at(firstA), &pb = b.at(firstB), &qa = a.at(secondA), &qb = b.at(secondB);
    // Two cells that are not split differ in a half on the way to the shorter one; the leaves of one cell in their
    // rank.
    const auto firstDifference = [](const Place& p, const Place& q) {
        if (p.path != q.path) return static_cast<std::uint32_t>(std::countr_zero(p.path ^ q.path));
        return p.rank != q.rank ? p.level : same;
    };
    const std::uint32_t step = std::min(firstDifference(pa, qa), firstDifference(pb, qb));
    if (step == same) return false;
    const std::uint32_t ca = pa.childAt(step), cb = pb.childAt(step), da = qa.childAt(step), db = qb.childAt(step);
    const bool leaves = pa.isLeafAt(step) && pb.isLeafAt(step);
    if (leaves != (qa.isLeafAt(step) && qb.isLeafAt(step))) return leaves;
    const bool smaller = ca < da || (ca == da && cb < db);
    return leaves ? smaller : !smaller;
}

}  // namespace sofa::core
