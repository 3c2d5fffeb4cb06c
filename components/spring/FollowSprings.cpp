// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/FollowSprings.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/mesh/Renumbering.h"

namespace sofa::component {

using core::Edge;
using core::Index;
using core::InvalidIndex;
using core::Vector;

namespace {

/// Ends of a spring, the lower one first, and which one it is.
using Joined = std::pair<Edge, Index>;

Edge endsOf(Index a, Index b) { return {std::min(a, b), std::max(a, b)}; }

/// Calls both(left, right), onlyLeft(left) and onlyRight(right) for what two sorted lists have between the same ends.
template <class Both, class Left, class Right>
void compare(const Vector<Joined>& left, const Vector<Joined>& right, Both&& both, Left&& onlyLeft, Right&& onlyRight)
{
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() || r != right.end()) {
        if (r == right.end() || (l != left.end() && l->first < r->first))
            onlyLeft((l++)->second);
        else if (l == left.end() || r->first < l->first)
            onlyRight((r++)->second);
        else
            both((l++)->second, (r++)->second);
    }
}

/// The springs that ended at these points before a change.
Vector<Index> springsAround(const core::LinearSprings& packed, const Vector<Index>& points,
                            const core::ElementSource& source)
{
    Vector<Index> around;
    const auto collect = [&](Index point) {
        if (point < packed.nbPoints()) packed.forEachAround(point, [&](Index i) { around.push_back(i); });
    };
    for (const Index p : points) collect(source.from(p));
    for (const Index p : source.gone) collect(p);
    core::sortUnique(around);
    return around;
}

}  // namespace

core::LinearSprings::Spring packedSpring(const LinearSpring& s, double least)
{
    double longer = s.elongationOnly ? std::max(least, s.initpos) : least;
    if (!s.enabled) longer = std::numeric_limits<double>::infinity();
    return {s.m1, s.m2, s.ks, s.kd, 0., s.initpos, longer};
}

Vector<core::LinearSprings::Spring> packedSprings(const Vector<LinearSpring>& springs, double least)
{
    Vector<core::LinearSprings::Spring> packed;
    packed.reserve(springs.size());
    for (const LinearSpring& s : springs) packed.push_back(packedSpring(s, least));
    return packed;
}

SpringChange followSprings(Vector<LinearSpring>& springs, const core::LinearSprings& packed,
                           const Vector<LinearSpring>& made, const Vector<Index>& points,
                           const core::ElementSource& source)
{
    SpringChange change;
    Vector<Index>& gone = change.source.gone;
    Vector<Joined> before, now;
    const core::NumbersNow numberNow(source);
    for (const Index i : springsAround(packed, points, source)) {
        const Index a = numberNow(springs[i].m1), b = numberNow(springs[i].m2);
        if (a == InvalidIndex || b == InvalidIndex)
            gone.push_back(i);
        else
            before.emplace_back(endsOf(a, b), i);
    }
    for (Index k = 0; k < made.size(); ++k) now.emplace_back(endsOf(made[k].m1, made[k].m2), k);
    std::ranges::sort(before);
    std::ranges::sort(now);
    Vector<Index> fresh;
    compare(
        before, now,
        [&](Index i, Index k) {
            if (springs[i] == made[k]) return;
            springs[i] = made[k];
            change.touched.push_back(i);
        },
        [&](Index i) { gone.push_back(i); }, [&](Index k) { fresh.push_back(k); });
    std::ranges::sort(gone);
    std::ranges::sort(fresh);  // in the order of the mesh

    auto end = static_cast<Index>(springs.size());
    change.source.before = end;
    auto& moved = change.source.moved;
    const auto put = [&](Index place, const LinearSpring& s, Index from) {
        if (place == springs.size())
            springs.push_back(s);
        else
            springs[place] = s;
        moved.push_back({place, from});
        change.touched.push_back(place);
    };
    std::size_t taken = 0;
    for (const Index k : fresh) put(taken < gone.size() ? gone[taken++] : end++, made[k], InvalidIndex);
    for (std::size_t last = gone.size(); taken < last; --end) {
        if (gone[last - 1] + 1 == end)
            --last;
        else
            put(gone[taken++], LinearSpring(springs[end - 1]), end - 1);
    }
    springs.resize(end);
    change.source.now = end;
    change.source.same = false;
    std::ranges::sort(moved, {}, &core::ElementSource::Moved::now);
    std::ranges::sort(change.touched);
    change.touched.erase(std::ranges::lower_bound(change.touched, end), change.touched.end());
    return change;
}

}  // namespace sofa::component
