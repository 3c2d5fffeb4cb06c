// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "core/math/Vector.h"

namespace sofa::core::io {

/// Numbers that a file gives its nodes or elements, in any order and with gaps, and the index of each: a table where
/// they are dense, else a hash map. The memory is bounded by the number of entries.
class FileNumbers
{
public:
    /// Enters an index from 0, or replaces the one that is there; returns false then. `number` is not negative.
    bool set(std::int64_t number, Index index)
    {
        const auto n = static_cast<std::uint64_t>(number);
        m_largest = std::max(m_largest, number);
        if (n < std::max<std::uint64_t>(4 * m_count + 1024, m_dense.size())) {
            if (n >= m_dense.size()) m_dense.resize(static_cast<std::size_t>(n + n / 2 + 16), InvalidIndex);
            Index& entry = m_dense[static_cast<std::size_t>(n)];
            const bool isNew = entry == InvalidIndex && m_sparse.erase(number) == 0;
            entry = index;
            m_count += isNew;
            return isNew;
        }
        const bool isNew = find(number) == InvalidIndex;
        m_sparse.insert_or_assign(number, index);
        m_count += isNew;
        return isNew;
    }
    /// The index; InvalidIndex if there is no such number.
    Index find(std::int64_t number) const
    {
        if (number >= 0 && static_cast<std::uint64_t>(number) < m_dense.size()) {
            const Index i = m_dense[static_cast<std::size_t>(number)];
            if (i != InvalidIndex) return i;
        }
        const auto it = m_sparse.find(number);
        return it == m_sparse.end() ? InvalidIndex : it->second;
    }
    /// Calls f(index) for each number of first, first + step, ..., at most last, that there is; in any order. `first`
    /// and `step` are not negative.
    template <class F>
    void forEach(std::int64_t first, std::int64_t last, std::int64_t step, F f) const
    {
        const auto end = std::min(last, static_cast<std::int64_t>(m_dense.size()) - 1);
        for (std::int64_t n = first; n <= end; n += step)
            if (const Index i = m_dense[static_cast<std::size_t>(n)]; i != InvalidIndex) f(i);
        for (const auto& [n, i] : m_sparse)
            if (n >= first && n <= last && (n - first) % step == 0) f(i);
    }
    std::size_t size() const { return m_count; }
    /// −1 if there is none.
    std::int64_t largest() const { return m_largest; }

private:
    Vector<Index> m_dense;
    std::unordered_map<std::int64_t, Index> m_sparse;
    std::size_t m_count = 0;
    std::int64_t m_largest = -1;
};

}  // namespace sofa::core::io
