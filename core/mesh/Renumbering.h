// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/math/Vector.h"

/// Lists in which entries come and go as elements and points do.
namespace sofa::core {

/// Removes entries in this order, the last one taking the place of each, and returns them.
template <class T>
Vector<T> removeEntries(Vector<T>& v, const Vector<Index>& inOrder)
{
    Vector<T> removed;
    removed.reserve(inOrder.size());
    for (const Index i : inOrder) {
        removed.push_back(v[i]);
        v[i] = v.back();
        v.pop_back();
    }
    return removed;
}

/// Takes that back.
template <class T>
void insertEntries(Vector<T>& v, const Vector<Index>& inOrder, const Vector<T>& removed)
{
    for (std::size_t k = inOrder.size(); k-- > 0;) {
        const Index i = inOrder[k];
        v.push_back(i < v.size() ? v[i] : removed[k]);
        v[i] = removed[k];
    }
}

/// Entries get other places, all at once: that at each `first` goes to the `second`.
template <class T>
void renumberEntries(Vector<T>& v, const std::vector<std::pair<Index, Index>>& places)
{
    Vector<T> moved;
    moved.reserve(places.size());
    for (const auto& [from, to] : places) moved.push_back(v[from]);
    for (std::size_t k = 0; k < places.size(); ++k) v[places[k].second] = std::move(moved[k]);
}

/// Puts numbers in increasing order, each once.
inline void sortUnique(Vector<Index>& v)
{
    std::ranges::sort(v);
    v.erase(std::unique(v.begin(), v.end()), v.end());
}

/// 0 1 2 ... n−1
inline Vector<Index> identity(std::size_t n)
{
    Vector<Index> all(n);
    std::iota(all.begin(), all.end(), Index{0});
    return all;
}

/// The numbers then of those that are there now, both given by their numbers at the beginning; InvalidIndex for those
/// that were not there, then or at the beginning.
inline Vector<Index> numbersSince(const Vector<Index>& then, const Vector<Index>& now)
{
    Vector<Index> place, out;
    out.reserve(now.size());
    for (Index i = 0; i < then.size(); ++i) {
        if (then[i] == InvalidIndex) continue;
        if (then[i] >= place.size()) place.resize(then[i] + 1, InvalidIndex);
        place[then[i]] = i;
    }
    for (const Index initial : now) out.push_back(initial < place.size() ? place[initial] : InvalidIndex);
    return out;
}

}  // namespace sofa::core
