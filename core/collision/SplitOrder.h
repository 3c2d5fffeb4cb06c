// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <span>

#include "core/geometry/Aabb.h"
#include "core/math/Vector.h"
#include "core/objectmodel/Archive.h"

namespace sofa::core {

/// Where the primitives of a model stand in a tree of boxes that is split at the median: from it follows the order in
/// which SOFA comes upon pairs of primitives. Solvers of constraints that stop at a tolerance depend on that order, so
/// that it is part of SOFA's numbers; which pairs there are is not decided here (core/geometry/Bvh.h does).
///
/// The root holds all boxes. A cell of more than four is split across the longest side of its box, up to `depth` times:
/// its boxes are sorted (stably) by the sum of their bounds along that side, the first ⌈n/2⌉ go to the first half. The
/// boxes of a cell that is not split are its leaves, in the order that the sorting left. SOFA builds the tree when it
/// first looks for collisions and keeps it; so does the collision model.
class SplitOrder
{
public:
    static constexpr int defaultDepth = 6;
    static constexpr int maxDepth = 32;

    /// Takes the boxes; the tree is made of them when the order is first asked for, by one thread: many models never
    /// have two contacts at once.
    void build(std::span<const geometry::Aabb> boxes, int depth);
    std::size_t size() const { return m_boxes.empty() ? m_places.size() : m_boxes.size(); }
    void archive(Archive& a)
    {
        finish();
        a(m_places);
    }

    /// Order of two pairs of primitives, the first ones of `a`, the second ones of `b`, when both trees are descended
    /// at once: a pair of cells is looked at as all pairs of their children. Pairs of leaves come first, in increasing
    /// order; then the others, those that were found last first (they lie on a stack).
    static bool before(const SplitOrder& a, const SplitOrder& b, std::size_t firstA, std::size_t firstB,
                       std::size_t secondA, std::size_t secondB);

private:
    struct Place
    {
        std::uint32_t path;   ///< halves on the way from the root, the first in the lowest bit
        std::uint32_t level;  ///< number of splits on the way
        std::uint32_t rank;   ///< among the leaves of the cell

        bool isLeafAt(std::uint32_t step) const { return step >= level; }
        /// Child that is taken at a step of the descent; a leaf stays what it is.
        std::uint32_t childAt(std::uint32_t step) const
        {
            return step < level ? path >> step & 1u : step == level ? rank : 0u;
        }
    };
    /// The place of a primitive.
    const Place& at(std::size_t primitive) const
    {
        finish();
        return m_places[primitive];
    }
    /// Makes the tree of the boxes that were taken, if there are any.
    void finish() const;

    mutable Vector<Place> m_places;
    mutable Vector<geometry::Aabb> m_boxes;  ///< waiting for finish()
    int m_depth = defaultDepth;
};

}  // namespace sofa::core
