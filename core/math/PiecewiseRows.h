// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/math/Vector.h"

namespace sofa::core {

/// Rows of values in one array, which can be replaced one by one: a row that has become longer than its place moves
/// behind all others. Rows that are added in order follow each other without gaps. When half of the array is gaps, the
/// rows are put in order again, so that a replacement costs as much as the row, on average.
///
/// `T` is copied like memory. There are `tail` readable values behind the last one.
template <class T, std::size_t tail = 0>
class PiecewiseRows
{
public:
    void clear()
    {
        m_rows.clear();
        m_end = m_count = 0;
    }
    /// Makes room for rows with so many values.
    void reserve(std::size_t rows, std::size_t values)
    {
        m_rows.reserve(rows);
        m_values.reserve(values + tail);
    }
    std::size_t size() const { return m_rows.size(); }
    bool empty() const { return m_rows.empty(); }
    /// Number of values of all rows.
    std::size_t count() const { return m_count; }

    std::span<const T> operator[](std::size_t row) const
    {
        const Row& r = m_rows[row];
        return {m_values.data() + r.first, r.count};
    }
    /// To change values of a row.
    std::span<T> row(std::size_t row)
    {
        const Row& r = m_rows[row];
        return {m_values.data() + r.first, r.count};
    }
    /// Where a row begins in an array with room for extent() values.
    std::size_t first(std::size_t row) const { return m_rows[row].first; }
    std::size_t extent() const { return m_end; }

    /// Adds a row.
    void push_back(std::span<const T> values)
    {
        m_rows.push_back({m_end, static_cast<std::uint32_t>(values.size()), static_cast<std::uint32_t>(values.size())});
        append(values, values.size());
        m_count += values.size();
    }
    /// Drops the last rows, or adds empty ones.
    void resize(std::size_t rows)
    {
        for (std::size_t r = rows; r < m_rows.size(); ++r) m_count -= m_rows[r].count;
        m_rows.resize(rows, {m_end, 0, 0});
    }
    /// Replaces a row. `values` are none of this array.
    void set(std::size_t row, std::span<const T> values)
    {
        Row& r = m_rows[row];
        m_count += values.size() - r.count;
        r.count = static_cast<std::uint32_t>(values.size());
        if (values.size() <= r.capacity) {
            std::ranges::copy(values, m_values.begin() + static_cast<std::ptrdiff_t>(r.first));
            return;
        }
        r.first = m_end;
        r.capacity = r.count + r.count / 4 + 1;
        append(values, r.capacity);
        if (m_end > 2 * m_count + 1024) pack();
    }

    std::size_t bytes() const { return bytesOf(m_values) + bytesOf(m_rows); }

private:
    struct Row
    {
        std::size_t first;
        std::uint32_t count, capacity;
    };
    void append(std::span<const T> values, std::size_t capacity)
    {
        if (m_values.size() < m_end + capacity + tail) m_values.resize(m_end + capacity + tail);
        std::ranges::copy(values, m_values.begin() + static_cast<std::ptrdiff_t>(m_end));
        m_end += capacity;
    }
    void pack()
    {
        Vector<T> packed(m_count + tail);
        std::size_t end = 0;
        for (Row& r : m_rows) {
            std::copy_n(m_values.begin() + static_cast<std::ptrdiff_t>(r.first), r.count,
                        packed.begin() + static_cast<std::ptrdiff_t>(end));
            r.first = end;
            r.capacity = r.count;
            end += r.count;
        }
        m_values.swap(packed);
        m_end = end;
    }

    Vector<T> m_values;
    Vector<Row> m_rows;
    std::size_t m_end = 0, m_count = 0;
};

}  // namespace sofa::core
