// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/ComplianceCache.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sofa::core {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

template <class T, class U>
bool sameBits(std::span<const T> a, const U& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

std::pair<std::size_t, std::size_t> entries(const SparseRows& h, int row)
{
    return {index(h.ptr[index(row)]), index(h.ptr[index(row) + 1])};
}

/// Multiplication by the golden ratio of 2⁶⁴, the high bits folded down (Knuth, The Art of Computer Programming 3,
/// section 6.4). Equal hashes prove nothing; the rows are compared afterwards.
std::uint64_t hash(const SparseRows& h, int row)
{
    std::uint64_t state = 0;
    const auto add = [&](std::uint64_t x) {
        state = (state ^ x) * 0x9E3779B97F4A7C15u;
        state ^= state >> 29;
    };
    const auto [begin, end] = entries(h, row);
    for (std::size_t e = begin; e < end; ++e) {
        add(static_cast<std::uint64_t>(h.columns[e]));
        add(std::bit_cast<std::uint64_t>(h.values[e]));
    }
    return state;
}

bool sameRow(const SparseRows& a, int i, const SparseRows& b, int j)
{
    const auto [beginA, endA] = entries(a, i);
    const auto [beginB, endB] = entries(b, j);
    return endA - beginA == endB - beginB &&
           sameBits(a.columns.subspan(beginA, endA - beginA), b.columns.subspan(beginB, endB - beginB)) &&
           sameBits(a.values.subspan(beginA, endA - beginA), b.values.subspan(beginB, endB - beginB));
}

}  // namespace

void ComplianceCache::clear()
{
    m_complete = false;
    m_solutions.hasKept = false;
}

void ComplianceCache::expect(std::uint64_t version, double factor)
{
    if (version != m_version || std::bit_cast<std::uint64_t>(factor) != std::bit_cast<std::uint64_t>(m_factor)) clear();
    m_version = version;
    m_factor = factor;
}

bool ComplianceCache::begin(const SparseRows& h, bool partial)
{
    const int size = h.size();
    m_seen += index(size);
    m_lastComputed = 0;
    if (m_complete && sameBits(h.ptr, m_rows.ptr) && sameBits(h.columns, m_rows.columns) &&
        sameBits(h.values, m_rows.values)) {
        m_fresh.clear();
        return true;
    }
    std::swap(m_rows, m_last);
    m_w.swap(m_lastW);
    m_rows.ptr.assign(h.ptr.begin(), h.ptr.end());
    m_rows.columns.assign(h.columns.begin(), h.columns.end());
    m_rows.values.assign(h.values.begin(), h.values.end());
    const int lastSize = std::exchange(m_size, size);
    m_source.assign(index(size), -1);
    if (m_complete && partial)
        match();
    else
        m_solutions.hasKept = false;
    m_complete = false;
    listFresh();
    m_w.assign(index(size) * index(size), 0.);
    if (4 * (m_source.size() - m_fresh.size()) < m_source.size()) {
        m_source.assign(index(size), -1);
        m_solutions.hasKept = false;
        listFresh();
        return false;
    }
    for (int i = 0; i < size; ++i) {
        if (isFresh(i)) continue;
        double* row = m_w.data() + index(i) * index(size);
        const double* last = m_lastW.data() + index(m_source[index(i)]) * index(lastSize);
        for (int j = 0; j < size; ++j)
            if (!isFresh(j)) row[j] = last[m_source[index(j)]];
    }
    return false;
}

void ComplianceCache::match()
{
    const SparseRows now = m_rows.view(), last = m_last.view();
    const auto sorted = [](Keys& keys, const SparseRows& h) {
        keys.clear();
        for (int i = 0; i < h.size(); ++i) keys.emplace_back(hash(h, i), i);
        std::sort(keys.begin(), keys.end());
    };
    sorted(m_keys, now);
    sorted(m_lastKeys, last);
    m_used.assign(m_lastKeys.size(), 0);
    // Both lists together, hash by hash; of equal rows the first goes with the first.
    std::size_t first = 0;
    for (std::size_t k = 0; k < m_keys.size(); ++k) {
        const auto [key, row] = m_keys[k];
        while (first < m_lastKeys.size() && (m_lastKeys[first].first < key || m_used[first])) ++first;
        for (std::size_t c = first; c < m_lastKeys.size() && m_lastKeys[c].first == key; ++c) {
            if (m_used[c] || !sameRow(now, row, last, m_lastKeys[c].second)) continue;
            m_used[c] = 1;
            m_source[index(row)] = m_lastKeys[c].second;
            break;
        }
    }
    keepOrder();
}

/// Longest increasing subsequence of the sources (Fredman, "On computing the length of longest increasing
/// subsequences", 1975); rows outside it become fresh.
void ComplianceCache::keepOrder()
{
    m_tails.clear();  // rows at which the best subsequences of each length end
    m_before.assign(index(m_size), -1);
    for (int i = 0; i < m_size; ++i) {
        const int s = m_source[index(i)];
        if (s < 0) continue;
        const auto place = std::lower_bound(m_tails.begin(), m_tails.end(), s,
                                            [&](int row, int value) { return m_source[index(row)] < value; });
        if (place != m_tails.begin()) m_before[index(i)] = *(place - 1);
        if (place == m_tails.end())
            m_tails.push_back(i);
        else
            *place = i;
    }
    int next = m_tails.empty() ? -1 : m_tails.back();
    for (int i = m_size; i-- > 0;) {
        if (i == next)
            next = m_before[index(i)];
        else
            m_source[index(i)] = -1;
    }
}

void ComplianceCache::listFresh()
{
    m_fresh.clear();
    for (int i = 0; i < m_size; ++i)
        if (isFresh(i)) m_fresh.push_back(i);
}

void ComplianceCache::dropKept()
{
    m_source.assign(index(m_size), -1);
    m_solutions.hasKept = false;
    listFresh();
    std::fill(m_w.begin(), m_w.end(), 0.);
}

void ComplianceCache::finish()
{
    m_complete = true;
    m_lastComputed = static_cast<int>(m_fresh.size());
    m_computed += m_fresh.size();
}

}  // namespace sofa::core
