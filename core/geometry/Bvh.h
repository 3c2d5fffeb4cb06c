// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/geometry/Aabb.h"
#include "core/geometry/BvhKernels.h"
#include "core/math/Vector.h"
#include "core/parallel/Parallel.h"

namespace sofa::core::geometry {

/// Bounding-volume hierarchy over the boxes of primitives 0 … n − 1 (points, triangles, whole objects).
///
/// Nodes have up to eight children, whose boxes lie side by side, so that one vector instruction tests them all
/// (I. Wald, C. Benthin, S. Boulos, "Getting rid of packets", IEEE Symposium on Interactive Ray Tracing 2008). The tree
/// is built from above by splits of least surface-area cost among sixteen bins along the longest axis of the centres
/// (I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007), where the cost of n primitives is
/// ⌈n/8⌉, and falls back to the median where that does not separate them. While the primitives only move, `refit`
/// computes the boxes anew and keeps the tree.
///
/// Every box of a primitive stands in the tree as given, in double precision, so that queries find exactly the
/// primitives whose boxes satisfy the query; no two trees over the same boxes differ in that. Building and refitting
/// run in parallel with the same result for any number of threads; queries do not change the tree and may run at the
/// same time. Buffers are kept: only a tree that grows allocates.
///
/// Primitives whose box is not `Aabb::valid` are found by no query. Empty boxes are a way to switch primitives off;
/// those with bounds that are not numbers are listed in `invalid()` for the caller to report.
class Bvh
{
public:
    /// Largest number of primitives.
    static constexpr std::size_t maxSize = bvhPrimitive - 1;

    /// Builds the tree. Throws std::length_error for more than `maxSize` boxes.
    void build(std::span<const Aabb> boxes);
    /// New boxes of the same primitives, in the tree as it is. Throws std::invalid_argument if their number differs.
    void refit(std::span<const Aabb> boxes);
    /// What keeps the tree good at least cost: refits it, and builds it anew if there is none for as many primitives or
    /// if its degradation exceeds `rebuildRatio()`. Returns whether it was built.
    bool update(std::span<const Aabb> boxes);

    /// How much worse than right after the last build a query is expected to be, 1 after the build. The surface areas
    /// of all boxes of nodes are summed and divided by those of the primitives (all boxes enlarged by the mean size of
    /// a primitive, so that flat and straight arrangements count too): the surface-area heuristic, relative to what the
    /// primitives themselves cost. It does not change when everything is scaled. Infinite boxes are left out.
    double degradation() const { return m_costAtBuild > 0. ? m_cost / m_costAtBuild : 1.; }
    double rebuildRatio() const { return m_rebuildRatio; }
    void setRebuildRatio(double ratio) { m_rebuildRatio = ratio; }

    /// Number of primitives, valid or not.
    std::size_t size() const { return m_size; }
    /// Box of all valid primitives; empty if there is none.
    const Aabb& bounds() const { return m_bounds; }
    /// Primitives whose box has a bound that is not a number, in increasing order.
    std::span<const Index> invalid() const { return m_invalid; }

    /// Primitives whose boxes overlap `box` within `distance` (Aabb::overlaps), in increasing order. `found` is
    /// replaced.
    void boxQuery(const Aabb& box, double distance, Vector<Index>& found) const;

    struct Nearest
    {
        Index primitive = InvalidIndex;  ///< InvalidIndex if there is none within the distance
        double distance2 = 0.;
    };
    /// The primitive nearest to p, of those within `maxDistance`. `distance2(i)` gives the squared distance of
    /// primitive i from p, which is not below that of its box but for rounding. Of several at the same distance the
    /// smallest index is returned, whatever the tree.
    Nearest closest(const Vec3& p, double maxDistance, FunctionRef<double(Index)> distance2) const;

    /// Calls `visit(i, last)` for primitives whose box the ray origin + t direction meets for some t in [0, last],
    /// nearer nodes first. `visit` returns the new `last`: its t of a hit, to look only for nearer ones; `last` to see
    /// them all; a negative number to stop. The direction need not be of unit length.
    void rayQuery(const Vec3& origin, const Vec3& direction, double last,
                  FunctionRef<double(Index, double)> visit) const;

    /// The nodes, root first, level by level; empty without primitives. For queries of pairs and for drawing.
    std::span<const BvhNode> nodes() const { return {m_nodes.data(), m_nodes.size()}; }
    /// Box of a node: what its parent has of it.
    const Aabb& nodeBounds(std::size_t node) const { return m_nodeBounds[node]; }
    /// Number of levels of nodes.
    std::size_t depth() const { return m_levelStart.empty() ? 0 : m_levelStart.size() - 1; }

private:
    struct Reference  ///< a primitive while the tree is built, its box cut to finite numbers
    {
        Vec3 lower, upper;
        Index index;
    };
    struct Range  ///< consecutive references, and where they are split in two; 0 for a leaf
    {
        Index begin = 0, end = 0, split = 0;
        Index size() const { return end - begin; }
    };
    struct Split  ///< the inner node of the binary tree that splits at its own index
    {
        Range left, right;
        double leftArea = 0., rightArea = 0.;
    };
    struct Task
    {
        Range range;
        unsigned depth;
        Index parent;
        bool isLeft;
    };

    struct Cut
    {
        Index at;
        double leftArea, rightArea;
    };

    void makeReferences(std::span<const Aabb> boxes);
    double area(const Vec3& lower, const Vec3& upper) const;
    Cut cut(Index begin, Index end, unsigned depth);
    Index splitSerially(Index begin, Index end, unsigned depth);
    void splitAll();
    void collapse();
    std::size_t gatherChildren(const Range& node, Range* children) const;
    void computeBounds(std::span<const Aabb> boxes);

    Vector<BvhNode> m_nodes;
    Vector<Aabb> m_nodeBounds;
    Vector<std::size_t> m_levelStart;
    std::size_t m_size = 0;
    Aabb m_bounds;
    Vector<Index> m_invalid;
    double m_padding = 0., m_cost = 0., m_costAtBuild = 0., m_rebuildRatio = 1.5;

    // Work space of build.
    Vector<Reference> m_references;
    Index m_validCount = 0;
    Vector<Split> m_splits;
    Range m_root;
    Vector<Task> m_tasks, m_nextTasks, m_subtrees;
    Vector<Range> m_level, m_nextLevel, m_children;
};

}  // namespace sofa::core::geometry
