// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/mesh/Renumbering.h"
#include "core/topology/ElementData.h"

/// Numbers that elements and points had before, for the implementation of TopologyTransaction.
namespace sofa::core {

/// Of elements whose numbers before are these; InvalidIndex for new ones.
inline ElementSource sourceOf(Index before, const Vector<Index>& numbers)
{
    ElementSource s{before, static_cast<Index>(numbers.size()), {}, {}, true, {}};
    Vector<char> there(before, false);
    for (Index i = 0; i < numbers.size(); ++i) {
        if (numbers[i] < before) there[numbers[i]] = true;
        if (numbers[i] != i || i >= before) s.moved.push_back({i, numbers[i]});
    }
    for (Index e = 0; e < before; ++e)
        if (!there[e]) s.gone.push_back(e);
    s.same = s.moved.empty() && s.gone.empty();
    return s;
}

/// The numbers of one list while elements come and go. Takes memory as its changes do.
struct TopologyNumbers
{
    explicit TopologyNumbers(std::size_t n) : before(static_cast<Index>(n)), size(static_cast<Index>(n)) {}

    void remove(const Vector<Index>& inOrder)
    {
        for (const Index i : inOrder) {
            if (const Index e = at(i); e < before) gone.push_back(e);
            const Index last = at(--size);
            others.erase(size);
            if (i != size) set(i, last);
        }
    }
    void renumber(const Vector<Index>& now)
    {
        std::unordered_map<Index, Index> was;
        std::swap(was, others);
        for (Index i = 0; i < now.size(); ++i) {
            const auto it = was.find(i);
            set(now[i], it == was.end() ? i : it->second);
        }
    }
    /// Ancestors that are new themselves are replaced by theirs.
    void add(const Ancestors& from)
    {
        std::map<Index, double> all;
        for (const Ancestor& a : from) {
            const Index n = at(a.index);
            if (n < before)
                all[n] += a.weight;
            else
                for (const Ancestor& b : created[n - before]) all[b.index] += a.weight * b.weight;
        }
        set(size++, before + static_cast<Index>(created.size()));
        created.emplace_back();
        for (const auto& [index, weight] : all) created.back().push_back({index, weight});
    }
    ElementSource source() const
    {
        ElementSource s{before, size, {}, gone, !moved, {}};
        for (const auto& [i, n] : others) {
            s.moved.push_back({i, n < before ? n : InvalidIndex});
            if (n >= before && !created[n - before].empty()) s.ancestors[i] = created[n - before];
        }
        std::ranges::sort(s.moved, {}, &ElementSource::Moved::now);
        std::ranges::sort(s.gone);
        s.same = s.same && s.moved.empty() && s.gone.empty();
        return s;
    }

    /// What stands for an element from the beginning to the end: its number before, or one beyond for a new one.
    Index at(Index i) const
    {
        const auto it = others.find(i);
        return it == others.end() ? i : it->second;
    }
    /// The numbers now of those that are still there, and of all that have another number, in increasing order.
    Vector<Index> placesOf(const std::unordered_set<Index>& all) const
    {
        Vector<Index> places;
        for (const auto& [i, n] : others) places.push_back(i);
        for (const Index n : all)
            if (n < size && !others.contains(n)) places.push_back(n);
        std::ranges::sort(places);
        return places;
    }

    Index before, size;
    /// By number now: those that are not what had it before; beyond `before`: created.
    std::unordered_map<Index, Index> others;
    Vector<Index> gone;
    std::vector<Ancestors> created;
    bool moved = false;

private:
    void set(Index i, Index n)
    {
        // A new element is named also where its number is that of the list before.
        if (n == i && n < before)
            others.erase(i);
        else
            others[i] = n;
    }
};

}  // namespace sofa::core
