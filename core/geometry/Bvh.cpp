// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Bvh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace sofa::core::geometry {

namespace {

constexpr std::size_t grain = 4096;     // primitives of a chunk in loops over all
constexpr std::size_t nodeGrain = 128;  // nodes of a chunk
constexpr Index subtreeSize = 2048;     // ranges below are one chunk
constexpr unsigned binCount = 16;
constexpr unsigned medianDepth = 40;  // below this depth ranges are halved, so that recursion is bounded
constexpr double farthest = 1e140;    // products of two extents stay finite

double finite(double x) { return std::clamp(x, -farthest, farthest); }

struct Extents  ///< box of boxes, and of twice their centres
{
    Vec3 lower = Vec3::filled(Aabb::infinity), upper = Vec3::filled(-Aabb::infinity);
    Vec3 lowerCentre = lower, upperCentre = upper;
};

struct Bin
{
    Vec3 lower = Vec3::filled(Aabb::infinity), upper = Vec3::filled(-Aabb::infinity);
    Index count = 0;

    void include(const Vec3& lo, const Vec3& hi)
    {
        for (std::size_t k = 0; k < 3; ++k) {
            lower[k] = std::min(lower[k], lo[k]);
            upper[k] = std::max(upper[k], hi[k]);
        }
    }
};
using Bins = std::array<Bin, binCount>;

double blocks(Index n)
{
    const Index whole = (n + bvhWidth - 1) / bvhWidth;
    return static_cast<double>(whole);
}

}  // namespace

// --- Building ---------------------------------------------------------------------------------------------------

void Bvh::build(std::span<const Aabb> boxes)
{
    if (boxes.size() > maxSize)
        throw std::length_error("a bounding-volume hierarchy takes at most " + std::to_string(maxSize) +
                                " primitives; given: " + std::to_string(boxes.size()));
    m_size = boxes.size();
    makeReferences(boxes);
    splitAll();
    collapse();
    computeBounds(boxes);
    m_costAtBuild = m_cost;
}

void Bvh::refit(std::span<const Aabb> boxes)
{
    if (boxes.size() != m_size)
        throw std::invalid_argument("the bounding-volume hierarchy has " + std::to_string(m_size) +
                                    " primitives; given to refit: " + std::to_string(boxes.size()));
    computeBounds(boxes);
}

bool Bvh::update(std::span<const Aabb> boxes)
{
    if (boxes.size() == m_size) {
        refit(boxes);
        if (!(degradation() > m_rebuildRatio)) return false;
    }
    build(boxes);
    return true;
}

void Bvh::makeReferences(std::span<const Aabb> boxes)
{
    // Valid primitives first, so that the others, which may become valid later, do not enlarge or fill their nodes.
    m_references.resize(boxes.size());
    Index valid = 0, other = static_cast<Index>(boxes.size());
    double sum = 0.;
    for (Index i = 0; i < boxes.size(); ++i) {
        const Aabb& b = boxes[i];
        if (!b.valid()) {
            m_references[--other] = {Vec3{}, Vec3{}, i};
            continue;
        }
        Reference& r = m_references[valid++];
        r.index = i;
        for (std::size_t k = 0; k < 3; ++k) {
            r.lower[k] = finite(b.lower[k]);
            r.upper[k] = finite(b.upper[k]);
        }
        const Vec3 e = r.upper - r.lower;
        const double size = e[0] + e[1] + e[2];
        if (size < farthest) sum += size;
    }
    m_validCount = valid;
    m_padding = valid > 0 ? sum / (3. * valid) : 0.;
}

double Bvh::area(const Vec3& lower, const Vec3& upper) const
{
    const Vec3 e = upper - lower + Vec3::filled(m_padding);
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
}

Bvh::Cut Bvh::cut(Index begin, Index end, unsigned depth)
{
    const Extents x = parallelReduce(
        begin, end, 2 * grain, Extents{},
        [&](std::size_t first, std::size_t last) {
            Extents r;
            for (std::size_t i = first; i < last; ++i) {
                const Reference& p = m_references[i];
                for (std::size_t k = 0; k < 3; ++k) {
                    const double centre = p.lower[k] + p.upper[k];
                    r.lower[k] = std::min(r.lower[k], p.lower[k]);
                    r.upper[k] = std::max(r.upper[k], p.upper[k]);
                    r.lowerCentre[k] = std::min(r.lowerCentre[k], centre);
                    r.upperCentre[k] = std::max(r.upperCentre[k], centre);
                }
            }
            return r;
        },
        [](Extents a, const Extents& b) {
            for (std::size_t k = 0; k < 3; ++k) {
                a.lower[k] = std::min(a.lower[k], b.lower[k]);
                a.upper[k] = std::max(a.upper[k], b.upper[k]);
                a.lowerCentre[k] = std::min(a.lowerCentre[k], b.lowerCentre[k]);
                a.upperCentre[k] = std::max(a.upperCentre[k], b.upperCentre[k]);
            }
            return a;
        });
    const Vec3 spread = x.upperCentre - x.lowerCentre;
    const auto axis = static_cast<std::size_t>(std::max_element(spread.begin(), spread.end()) - spread.begin());
    const double low = x.lowerCentre[axis], scale = binCount / spread[axis];
    if (depth < medianDepth && spread[axis] > 0. && std::isfinite(scale)) {
        const auto binOf = [axis, low, scale](const Reference& p) {
            return std::min(static_cast<unsigned>((p.lower[axis] + p.upper[axis] - low) * scale), binCount - 1);
        };
        const Bins bins = parallelReduce(
            begin, end, 2 * grain, Bins{},
            [&](std::size_t first, std::size_t last) {
                Bins r;
                for (std::size_t i = first; i < last; ++i) {
                    Bin& b = r[binOf(m_references[i])];
                    b.include(m_references[i].lower, m_references[i].upper);
                    ++b.count;
                }
                return r;
            },
            [](Bins a, const Bins& b) {
                for (unsigned k = 0; k < binCount; ++k) {
                    a[k].include(b[k].lower, b[k].upper);
                    a[k].count += b[k].count;
                }
                return a;
            });
        std::array<double, binCount> rightArea{};
        std::array<Index, binCount> rightCount{};
        Bin sweep;
        for (unsigned k = binCount - 1; k > 0; --k) {
            sweep.include(bins[k].lower, bins[k].upper);
            sweep.count += bins[k].count;
            rightCount[k] = sweep.count;
            rightArea[k] = sweep.count > 0 ? area(sweep.lower, sweep.upper) : 0.;
        }
        sweep = {};
        unsigned best = 0;
        double leastCost = Aabb::infinity;
        Cut result{};
        for (unsigned k = 1; k < binCount; ++k) {
            sweep.include(bins[k - 1].lower, bins[k - 1].upper);
            sweep.count += bins[k - 1].count;
            if (sweep.count == 0 || rightCount[k] == 0) continue;
            const double leftArea = area(sweep.lower, sweep.upper);
            const double cost = leftArea * blocks(sweep.count) + rightArea[k] * blocks(rightCount[k]);
            if (!(cost < leastCost)) continue;
            leastCost = cost;
            best = k;
            result = {begin + sweep.count, leftArea, rightArea[k]};
        }
        if (best > 0) {
            std::partition(m_references.begin() + begin, m_references.begin() + end,
                           [&](const Reference& p) { return binOf(p) < best; });
            return result;
        }
    }
    const Index middle = begin + (end - begin) / 2;
    std::nth_element(m_references.begin() + begin, m_references.begin() + middle, m_references.begin() + end,
                     [axis](const Reference& a, const Reference& b) {
                         const double ca = a.lower[axis] + a.upper[axis], cb = b.lower[axis] + b.upper[axis];
                         return ca < cb || (ca == cb && a.index < b.index);
                     });
    const double whole = area(x.lower, x.upper);
    return {middle, whole, whole};
}

Index Bvh::splitSerially(Index begin, Index end, unsigned depth)
{
    if (end - begin <= bvhWidth) return 0;
    const Cut c = cut(begin, end, depth);
    Split& s = m_splits[c.at];  // every position splits at most once
    s.leftArea = c.leftArea;
    s.rightArea = c.rightArea;
    s.left = {begin, c.at, splitSerially(begin, c.at, depth + 1)};
    s.right = {c.at, end, splitSerially(c.at, end, depth + 1)};
    return c.at;
}

void Bvh::splitAll()
{
    const auto n = static_cast<Index>(m_size);
    m_splits.resize(n);
    m_root = {0, n, 0};
    m_tasks.clear();
    m_subtrees.clear();
    if (n <= bvhWidth) return;
    // The root has no parent: its split is that of the range [0, n), or where the valid primitives end.
    constexpr Index none = InvalidIndex;
    const auto add = [&](Vector<Task>& larger, const Task& t) {
        if (t.range.size() > subtreeSize)
            larger.push_back(t);
        else if (t.range.size() > bvhWidth)
            m_subtrees.push_back(t);
    };
    if (m_validCount > 0 && m_validCount < n) {
        m_root.split = m_validCount;
        Split& s = m_splits[m_validCount];
        s = {{0, m_validCount, 0}, {m_validCount, n, 0}, Aabb::infinity, 0.};
        add(m_tasks, {s.left, 0, m_validCount, true});
        add(m_tasks, {s.right, 0, m_validCount, false});
    } else {
        add(m_tasks, {m_root, 0, none, true});
    }
    const auto setSplit = [&](const Task& t) {
        if (t.parent == none)
            m_root.split = t.range.split;
        else
            (t.isLeft ? m_splits[t.parent].left : m_splits[t.parent].right).split = t.range.split;
    };
    while (!m_tasks.empty()) {
        parallelFor(0, m_tasks.size(), 1, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                Range& r = m_tasks[i].range;
                const Cut c = cut(r.begin, r.end, m_tasks[i].depth);
                r.split = c.at;
                m_splits[c.at] = {{r.begin, c.at, 0}, {c.at, r.end, 0}, c.leftArea, c.rightArea};
            }
        });
        m_nextTasks.clear();
        for (const Task& t : m_tasks) {
            setSplit(t);
            const Split& s = m_splits[t.range.split];
            add(m_nextTasks, {s.left, t.depth + 1, t.range.split, true});
            add(m_nextTasks, {s.right, t.depth + 1, t.range.split, false});
        }
        m_tasks.swap(m_nextTasks);
    }
    parallelFor(0, m_subtrees.size(), 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            Range& r = m_subtrees[i].range;
            r.split = splitSerially(r.begin, r.end, m_subtrees[i].depth);
        }
    });
    for (const Task& t : m_subtrees) setSplit(t);
}

// --- Wide nodes -------------------------------------------------------------------------------------------------

std::size_t Bvh::gatherChildren(const Range& node, Range* children) const
{
    std::array<double, bvhWidth> areas{};
    std::size_t count = 0;
    const auto spread = [&](const Range& leaf) {
        for (Index i = leaf.begin; i < leaf.end; ++i) children[count++] = {i, i + 1, 0};
    };
    if (node.split == 0) {
        spread(node);
        return count;
    }
    const auto open = [&](std::size_t slot, const Range& r) {
        const Split& s = m_splits[r.split];
        children[slot] = s.left;
        areas[slot] = s.leftArea;
        children[count] = s.right;
        areas[count++] = s.rightArea;
    };
    count = 1;
    open(0, node);
    while (count < bvhWidth) {
        std::size_t largest = count;
        for (std::size_t k = 0; k < count; ++k)
            if (children[k].split != 0 && (largest == count || areas[k] > areas[largest])) largest = k;
        if (largest == count) break;
        open(largest, Range(children[largest]));
    }
    // Leaves that fit into the slots that are left need no nodes of their own.
    for (;;) {
        std::size_t smallest = count;
        for (std::size_t k = 0; k < count; ++k)
            if (children[k].split == 0 && children[k].size() > 1 && count - 1 + children[k].size() <= bvhWidth &&
                (smallest == count || children[k].size() < children[smallest].size()))
                smallest = k;
        if (smallest == count) return count;
        const Range leaf = children[smallest];
        children[smallest] = children[--count];
        spread(leaf);
    }
}

void Bvh::collapse()
{
    m_nodes.clear();
    m_levelStart.clear();
    m_level.clear();
    if (m_size > 0) {
        m_level.push_back(m_root);
        m_levelStart.push_back(0);
    }
    std::size_t nodeCount = m_level.size();
    while (!m_level.empty()) {
        const std::size_t start = m_levelStart.back();
        m_nodes.resize(nodeCount);
        m_levelStart.push_back(nodeCount);
        m_children.resize(m_level.size() * bvhWidth);
        parallelFor(0, m_level.size(), nodeGrain, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                m_nodes[start + i].count =
                    static_cast<std::uint32_t>(gatherChildren(m_level[i], &m_children[i * bvhWidth]));
        });
        m_nextLevel.clear();
        for (std::size_t i = 0; i < m_level.size(); ++i) {
            BvhNode& node = m_nodes[start + i];
            for (std::uint32_t k = 0; k < node.count; ++k) {
                const Range& r = m_children[i * bvhWidth + k];
                if (r.size() == 1) {
                    node.child[k] = m_references[r.begin].index | bvhPrimitive;
                } else {
                    node.child[k] = static_cast<std::uint32_t>(nodeCount++);
                    m_nextLevel.push_back(r);
                }
            }
        }
        m_level.swap(m_nextLevel);
    }
    m_nodeBounds.resize(m_nodes.size());
}

void Bvh::computeBounds(std::span<const Aabb> boxes)
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    struct Sizes  // of boxes: their number, and the sums of half perimeters x + y + z and half areas xy + yz + zx
    {
        double count = 0., perimeter = 0., area = 0.;

        void add(const Vec3& e)
        {
            const double a = e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
            if (!(a < farthest) || !(e[0] + e[1] + e[2] < farthest)) return;
            count += 1.;
            perimeter += e[0] + e[1] + e[2];
            area += a;
        }
        void add(const Sizes& o)
        {
            count += o.count;
            perimeter += o.perimeter;
            area += o.area;
        }
        /// Sum of the areas of boxes enlarged by `padding`.
        double padded(double padding) const { return area + 2. * padding * perimeter + 3. * padding * padding * count; }
    };
    struct Sums
    {
        Sizes nodes, primitives;
        std::size_t notNumbers = 0;

        void add(const Sums& o)
        {
            nodes.add(o.nodes);
            primitives.add(o.primitives);
            notNumbers += o.notNumbers;
        }
    };
    Sums total;
    for (std::size_t level = depth(); level-- > 0;) {
        const auto fit = [&](std::size_t first, std::size_t last) {
            Sums sums;
            for (std::size_t i = first; i < last; ++i) {
                BvhNode& node = m_nodes[i];
                Aabb whole;
                for (std::uint32_t slot = 0; slot < bvhWidth; ++slot) {
                    const bool used = slot < node.count;
                    const bool leaf = used && (node.child[slot] & bvhPrimitive) != 0;
                    const Aabb* b = !used  ? nullptr
                                    : leaf ? &boxes[node.child[slot] & ~bvhPrimitive]
                                           : &m_nodeBounds[node.child[slot]];
                    if (!b || !b->valid()) {
                        for (auto& bound : node.bounds) bound[slot] = nan;
                        if (leaf && b->isNaN()) ++sums.notNumbers;
                        continue;
                    }
                    for (std::size_t k = 0; k < 3; ++k) {
                        node.bounds[k][slot] = b->lower[k];
                        node.bounds[3 + k][slot] = b->upper[k];
                        whole.lower[k] = std::min(whole.lower[k], b->lower[k]);
                        whole.upper[k] = std::max(whole.upper[k], b->upper[k]);
                    }
                    (leaf ? sums.primitives : sums.nodes).add(b->upper - b->lower);
                }
                m_nodeBounds[i] = whole;
            }
            return sums;
        };
        total.add(parallelReduce(m_levelStart[level], m_levelStart[level + 1], nodeGrain, Sums{}, fit,
                                 [](Sums x, const Sums& y) {
                                     x.add(y);
                                     return x;
                                 }));
    }
    m_bounds = m_nodes.empty() ? Aabb{} : m_nodeBounds[0];
    const double padding =
        total.primitives.count > 0. ? total.primitives.perimeter / (3. * total.primitives.count) : 0.;
    const double primitives = total.primitives.padded(padding);
    m_cost = primitives > 0. ? 1. + total.nodes.padded(padding) / primitives : 0.;
    m_invalid.clear();
    if (total.notNumbers > 0)
        for (Index i = 0; i < boxes.size(); ++i)
            if (boxes[i].isNaN()) m_invalid.push_back(i);
}

// --- Queries ----------------------------------------------------------------------------------------------------

namespace {

/// Nodes and primitives still to be looked at, each with a number by which it was ordered. The depth of the binary tree
/// is at most medianDepth + 32, that of the wide one not larger, and each level leaves at most seven.
struct Stack
{
    struct Entry
    {
        double key;
        std::uint32_t child;
    };
    std::array<Entry, 7 * (medianDepth + 33) + 2> entries;
    std::size_t size = 0;

    void push(double key, std::uint32_t child) { entries[size++] = {key, child}; }
    Entry pop() { return entries[--size]; }
    /// Puts those pushed after `first` in the order in which they are to be taken: smallest key first, then first slot.
    void order(std::size_t first)
    {
        for (std::size_t i = first + 1; i < size; ++i)
            for (std::size_t k = i; k > first && entries[k - 1].key <= entries[k].key; --k)
                std::swap(entries[k - 1], entries[k]);
    }
};

std::array<double, 6> flat(const Aabb& b)
{
    return {b.lower[0], b.lower[1], b.lower[2], b.upper[0], b.upper[1], b.upper[2]};
}

}  // namespace

void Bvh::boxQuery(const Aabb& box, double distance, Vector<Index>& found) const
{
    found.clear();
    if (m_nodes.empty() || !box.valid()) return;
    const BvhKernels& kernels = bvhKernels();
    const auto query = flat(box);
    Stack stack;
    stack.push(0., 0);
    while (stack.size > 0) {
        const BvhNode& node = m_nodes[stack.pop().child];
        for (unsigned m = kernels.overlaps(node, query.data(), distance); m != 0; m &= m - 1) {
            const std::uint32_t child = node.child[__builtin_ctz(m)];
            if ((child & bvhPrimitive) != 0)
                found.push_back(child & ~bvhPrimitive);
            else
                stack.push(0., child);
        }
    }
    std::sort(found.begin(), found.end());
}

Bvh::Nearest Bvh::closest(const Vec3& p, double maxDistance, FunctionRef<double(Index)> distance2) const
{
    // A box is passed over only if it is farther by more than the rounding of two squared distances.
    constexpr double slack = 1. - 1e-14;
    Nearest best;
    best.distance2 = maxDistance * maxDistance;
    if (m_nodes.empty() || !isFinite(p) || !(maxDistance >= 0.)) return {};
    const BvhKernels& kernels = bvhKernels();
    Stack stack;
    stack.push(0., 0);
    while (stack.size > 0) {
        const auto [key, child] = stack.pop();
        if (key * slack > best.distance2) continue;
        if ((child & bvhPrimitive) != 0) {
            const Index i = child & ~bvhPrimitive;
            const double d = distance2(i);
            if (d < best.distance2 || (d == best.distance2 && i < best.primitive)) best = {i, d};
            continue;
        }
        const BvhNode& node = m_nodes[child];
        std::array<double, bvhWidth> distances;
        kernels.distances2(node, p.data(), distances.data());
        const std::size_t first = stack.size;
        for (std::uint32_t k = 0; k < node.count; ++k)
            if (distances[k] < Aabb::infinity && distances[k] * slack <= best.distance2)
                stack.push(distances[k], node.child[k]);
        stack.order(first);
    }
    return best.primitive == InvalidIndex ? Nearest{} : best;
}

void Bvh::rayQuery(const Vec3& origin, const Vec3& direction, double last,
                   FunctionRef<double(Index, double)> visit) const
{
    if (m_nodes.empty() || !isFinite(origin) || !isFinite(direction)) return;
    const BvhKernels& kernels = bvhKernels();
    Stack stack;
    stack.push(0., 0);
    while (stack.size > 0) {
        const auto [key, child] = stack.pop();
        if (key > last) continue;
        if ((child & bvhPrimitive) != 0) {
            last = visit(child & ~bvhPrimitive, last);
            if (!(last >= 0.)) return;
            continue;
        }
        const BvhNode& node = m_nodes[child];
        std::array<double, bvhWidth> entries;
        const std::size_t first = stack.size;
        for (unsigned m = kernels.rayEntries(node, origin.data(), direction.data(), last, entries.data()); m != 0;
             m &= m - 1) {
            const auto k = static_cast<std::size_t>(__builtin_ctz(m));
            stack.push(entries[k], node.child[k]);
        }
        stack.order(first);
    }
}

}  // namespace sofa::core::geometry
