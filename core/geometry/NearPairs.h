// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/geometry/BvhPairs.h"

namespace sofa::core::geometry {

/// The pairs of boxes of two moving bodies that overlap within a distance, from those that did within a somewhat larger
/// one some steps ago (the lists of L. Verlet, "Computer 'experiments' on classical fluids", Physical Review 159,
/// 1967).
///
/// A search with the margin m holds until the bounds of the boxes have moved by more than m, those of both bodies
/// together, beyond the way that both share. Until then the pairs of a step are found in its list, by a look at both
/// boxes: the same ones in the same order as a search of each step finds. The margin follows the speed, between a tenth
/// and half of the mean size of the boxes; where they move faster, or a box is not finite, or pairs are few for the
/// number of boxes, each step is searched.
class NearPairs
{
public:
    /// Finds the sorted pairs within a distance.
    using Search = FunctionRef<std::span<const IndexPair>(double distance)>;

    /// Valid until the next call, or until the next one of `search`.
    std::span<const IndexPair> find(std::span<const Aabb> a, std::span<const Aabb> b, double distance, Search search);
    /// Number of searches so far.
    std::size_t searches() const { return m_searches; }

private:
    Vector<Aabb> m_a, m_b;  ///< at the last search
    double m_distance = -1.;
    double m_margin = 0.;  ///< 0: there is no list
    std::size_t m_age = 0;
    Vector<IndexPair> m_kept, m_found;
    std::size_t m_last = 0;  ///< pairs that were found in the last step
    std::size_t m_searches = 0;
};

}  // namespace sofa::core::geometry
