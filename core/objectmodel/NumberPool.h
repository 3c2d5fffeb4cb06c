// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sofa::core {

/// Numbers that are in use, from a first one on. What is taken for a while gets the smallest free one, so that the same
/// order of taking gives the same numbers; what is kept under a name has its number until it is forgotten.
class NumberPool
{
public:
    /// The number of an object, and a word.
    using Key = std::pair<std::uint64_t, std::string>;

    explicit NumberPool(unsigned first) : m_first(first) {}

    /// Also counts: `generation` is that of no other taking, and not zero.
    unsigned take(std::uint32_t* generation = nullptr)
    {
        if (generation) *generation = ++m_generation == 0 ? ++m_generation : m_generation;
        const auto place = static_cast<std::size_t>(std::ranges::find(m_used, 0) - m_used.begin());
        if (place == m_used.size()) m_used.push_back(0);
        m_used[place] = 1;
        return m_first + static_cast<unsigned>(place);
    }
    void give(unsigned number) { m_used[number - m_first] = 0; }
    unsigned keep(const Key& key)
    {
        const auto [it, isNew] = m_kept.try_emplace(key, 0);
        if (isNew) it->second = take();
        return it->second;
    }
    void forget(const Key& key)
    {
        const auto it = m_kept.find(key);
        if (it == m_kept.end()) return;
        give(it->second);
        m_kept.erase(it);
    }
    const std::map<Key, unsigned>& kept() const { return m_kept; }
    std::size_t inUse() const { return static_cast<std::size_t>(std::ranges::count(m_used, 1)); }

private:
    unsigned m_first;
    std::uint32_t m_generation = 0;
    std::vector<char> m_used;
    std::map<Key, unsigned> m_kept;
};

/// Identifiers of the state vectors of a scene beyond the named ones (core/behavior/VecId.h).
struct VectorNumbers
{
    static constexpr unsigned firstCoord = 5, firstDeriv = 9;
    NumberPool coord{firstCoord}, deriv{firstDeriv};
    /// For tests: vectors that are taken for a while hold no number at first, so that what relies on their content
    /// shows.
    bool poison = false;
};

}  // namespace sofa::core
