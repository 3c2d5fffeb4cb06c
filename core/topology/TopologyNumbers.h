// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/mesh/Renumbering.h"
#include "core/topology/TopologyTransaction.h"

/// Numbers that elements and points had before, for the implementation of TopologyTransaction.
namespace sofa::core {

inline ElementSource sourceOf(Index before, Vector<Index> numbers)
{
    ElementSource s{before, std::move(numbers), true, {}};
    s.same = s.numbers == identity(before);
    return s;
}

/// The numbers of one list while elements come and go.
struct TopologyTransaction::Numbers
{
    explicit Numbers(std::size_t n) : before(static_cast<Index>(n)), numbers(identity(n)) {}

    void remove(const Vector<Index>& inOrder) { removeEntries(numbers, inOrder); }
    void renumber(const Vector<Index>& now) { renumberEntries(numbers, now); }
    /// Ancestors that are new themselves are replaced by theirs.
    void add(const Ancestors& from)
    {
        std::map<Index, double> all;
        for (const Ancestor& a : from) {
            const Index n = numbers.at(a.index);
            if (n < before)
                all[n] += a.weight;
            else
                for (const Ancestor& b : created[n - before]) all[b.index] += a.weight * b.weight;
        }
        numbers.push_back(before + static_cast<Index>(created.size()));
        created.emplace_back();
        for (const auto& [index, weight] : all) created.back().push_back({index, weight});
    }
    ElementSource source() const
    {
        Vector<Index> out(numbers);
        ElementSource s;
        for (Index i = 0; i < out.size(); ++i) {
            if (out[i] < before) continue;
            if (const Ancestors& from = created[out[i] - before]; !from.empty()) s.ancestors[i] = from;
            out[i] = InvalidIndex;
        }
        s.same = !moved && out == identity(before);
        s.before = before;
        s.numbers = std::move(out);
        return s;
    }

    Index before;
    Vector<Index> numbers;  ///< those beyond `before` are those of `created`
    std::vector<Ancestors> created;
    bool moved = false;
};

}  // namespace sofa::core
