// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <span>
#include <unordered_set>

#include "core/geometry/BvhPairs.h"

namespace sofa::component {

using namespace sofa::core;

/// Pairs of boxes that are near each other, kept up to date while the boxes move: the end points of the boxes stay
/// sorted along each axis, and every swap of two neighbours begins or ends an overlap (J. D. Cohen, M. C. Lin,
/// D. Manocha, M. Ponamgi, "I-COLLIDE", Symposium on Interactive 3D Graphics 1995). A step costs what has changed.
class SweepAndPrune
{
public:
    /// New boxes; a number other than before, or a motion that swaps very many end points, starts anew. Boxes that are
    /// not valid belong to no pair.
    void update(std::span<const geometry::Aabb> boxes, double distance);
    /// Pairs i < j of boxes that overlap within the distance (Aabb::overlaps), sorted.
    void pairs(Vector<geometry::IndexPair>& out) const;
    /// Swaps of end points in the last update; 0 after a start.
    std::size_t swaps() const { return m_swaps; }
    /// Number of starts so far.
    std::size_t starts() const { return m_starts; }

private:
    struct EndPoint
    {
        double value;
        std::uint32_t code;  ///< 2 box + 1 for the upper end
        bool operator<(const EndPoint& e) const
        {
            // Lower ends come first, so that boxes that touch overlap.
            if (value != e.value) return value < e.value;
            return (code & 1u) != (e.code & 1u) ? (code & 1u) < (e.code & 1u) : code < e.code;
        }
    };
    void start();
    bool sortAxis(std::size_t axis, std::size_t limit);
    bool overlap(std::uint32_t i, std::uint32_t j) const;

    Vector<geometry::Aabb> m_boxes, m_padded;
    double m_distance = 0.;
    std::array<Vector<EndPoint>, 3> m_axes;
    std::unordered_set<std::uint64_t> m_pairs;  ///< of padded boxes; (smaller << 32) | larger
    std::size_t m_swaps = 0, m_starts = 0;
};

}  // namespace sofa::component
