// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <cstdint>

/// Inner loops of core/geometry/Bvh.h, compiled once for each instruction set, with the same results. Plain C++ on
/// arrays, for the reason given in core/fem/kernels/TetrahedronKernels.h.
namespace sofa::core::geometry {

inline constexpr std::uint32_t bvhWidth = 8;
/// Set in a child that is a primitive, whose index the other bits are; a node otherwise.
inline constexpr std::uint32_t bvhPrimitive = 1u << 31;

/// Up to eight children with their boxes, as a structure of arrays. The bounds of slots that are not in use, and of
/// primitives without a valid box, are not numbers: every comparison with them is false.
struct alignas(64) BvhNode
{
    double bounds[6][bvhWidth];  ///< lower x y z, upper x y z
    std::uint32_t child[bvhWidth];
    std::uint32_t count;  ///< slots in use, the first ones
};

/// Growing array of pairs: first index in the upper half, second in the lower.
struct BvhPairSink
{
    std::uint64_t* data = nullptr;
    std::size_t size = 0, capacity = 0;
    void (*grow)(BvhPairSink& sink, std::size_t least) = nullptr;  ///< makes room for `least` pairs
};

struct BvhKernels
{
    /// Bits of the slots whose gap to the box (lower x y z, upper x y z) is at most `distance` along every axis.
    unsigned (*overlaps)(const BvhNode& node, const double* box, double distance);
    /// Squared distances of the point from the eight boxes; infinite for slots without a box.
    void (*distances2)(const BvhNode& node, const double* point, double* result);
    /// Parameters t ≥ 0 at which the ray origin + t direction enters the eight boxes, and the bits of those that it
    /// meets for some t in [0, last]. Conservative: rounding never loses a box.
    unsigned (*rayEntries)(const BvhNode& node, const double* origin, const double* direction, double last,
                           double* result);
    /// Pairs of primitives below the pair of nodes `item` of two trees. With `deferred`, goes one level down only and
    /// puts pairs of nodes there.
    void (*pairs)(const BvhNode* a, const BvhNode* b, std::uint64_t item, double distance, BvhPairSink& found,
                  BvhPairSink* deferred);
    /// The same within one tree, the smaller index first; an item of twice the same node is all the pairs below it.
    void (*selfPairs)(const BvhNode* a, std::uint64_t item, double distance, BvhPairSink& found, BvhPairSink* deferred);
};

/// The kernels for the instruction set in use (see core/parallel/SimdLevel.h).
const BvhKernels& bvhKernels();

}  // namespace sofa::core::geometry
