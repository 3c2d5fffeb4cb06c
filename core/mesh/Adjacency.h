// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "core/mesh/Elements.h"

namespace sofa::core {

/// For every key 0 .. n−1 the items that refer to it, in increasing order, in two flat arrays (compressed rows). Built
/// by counting sort in O(keys + references).
class Adjacency
{
public:
    Adjacency() = default;
    /// `keysOf(i)` returns the keys that item i refers to, as a range of Index. Keys of `keyCount` or more
    /// (InvalidIndex among them) are left out, and an item that names a key twice is listed once.
    template <class KeysOf>
    Adjacency(std::size_t keyCount, std::size_t itemCount, KeysOf keysOf) : m_start(keyCount + 1, 0)
    {
        forEachReference(keyCount, itemCount, keysOf, [&](Index key, Index) { ++m_start[key + 1]; });
        for (std::size_t k = 0; k < keyCount; ++k) m_start[k + 1] += m_start[k];
        m_items.resize(m_start.back());
        Vector<Index> next(m_start.begin(), m_start.end() - 1);
        forEachReference(keyCount, itemCount, keysOf, [&](Index key, Index item) { m_items[next[key]++] = item; });
    }

    /// Number of keys.
    std::size_t size() const { return m_start.empty() ? 0 : m_start.size() - 1; }
    /// Items of a key; empty for a key outside the table.
    std::span<const Index> operator[](std::size_t key) const
    {
        if (key >= size()) return {};
        return {m_items.data() + m_start[key], m_start[key + 1] - m_start[key]};
    }

private:
    template <class KeysOf, class F>
    static void forEachReference(std::size_t keyCount, std::size_t itemCount, KeysOf& keysOf, F f)
    {
        for (std::size_t i = 0; i < itemCount; ++i) {
            const auto& keys = keysOf(i);
            for (auto k = keys.begin(); k != keys.end(); ++k) {
                bool repeated = false;
                for (auto earlier = keys.begin(); earlier != k; ++earlier) repeated = repeated || *earlier == *k;
                if (*k < keyCount && !repeated) f(*k, static_cast<Index>(i));
            }
        }
    }

    Vector<Index> m_start;  ///< items of key k: m_items[m_start[k]] .. m_items[m_start[k + 1]]
    Vector<Index> m_items;
};

/// Finds elements by their vertices, in any order: chained buckets, expected O(1) per look-up. It is never iterated, so
/// results do not depend on the placement of the buckets.
template <std::size_t N>
class ElementFinder
{
public:
    /// `expected` is the number of elements to come; more are possible.
    explicit ElementFinder(std::size_t expected = 0)
    {
        std::size_t n = 16;
        while (n < expected) n *= 2;
        m_first.assign(n, InvalidIndex);
        m_entries.reserve(expected);
    }
    explicit ElementFinder(const Vector<std::array<Index, N>>& elements) : ElementFinder(elements.size())
    {
        for (std::size_t i = 0; i < elements.size(); ++i) insert(elements[i], static_cast<Index>(i));
    }

    /// Index under which an element with these vertices was inserted first; InvalidIndex if there is none.
    Index find(const std::array<Index, N>& element) const
    {
        const auto key = sortedVertices(element);
        for (Index i = m_first[bucket(key)]; i != InvalidIndex; i = m_entries[i].next)
            if (m_entries[i].key == key) return m_entries[i].index;
        return InvalidIndex;
    }
    /// Inserts an element unless one with the same vertices is there. Returns the index of the one that is now there,
    /// and whether it was inserted.
    std::pair<Index, bool> insert(const std::array<Index, N>& element, Index index)
    {
        if (const Index known = find(element); known != InvalidIndex) return {known, false};
        const auto key = sortedVertices(element);
        Index& first = m_first[bucket(key)];
        m_entries.push_back({key, index, first});
        first = static_cast<Index>(m_entries.size() - 1);
        return {index, true};
    }
    std::size_t size() const { return m_entries.size(); }

private:
    struct Entry
    {
        std::array<Index, N> key;  ///< sorted vertices
        Index index;
        Index next;  ///< next entry of the same bucket
    };
    std::size_t bucket(const std::array<Index, N>& key) const { return ElementHash<N>()(key) & (m_first.size() - 1); }

    Vector<Index> m_first;
    Vector<Entry> m_entries;
};

}  // namespace sofa::core
