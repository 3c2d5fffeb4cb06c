// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/ComplianceMatrix.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/linalg/VectorKernels.h"

namespace sofa::core {

namespace {

constexpr int gap = 16;          // zeros that are cheaper to multiply than to step over
constexpr int smallMatrix = 64;  // rows below which it is dense

double rowProduct(const double* a, const double* b, std::size_t n)
{
    if (n >= 48) return vector::dot({a, n}, {b, n});
    double s = 0.;
    for (std::size_t i = 0; i < n; ++i) s += a[i] * b[i];
    return s;
}

}  // namespace

void ComplianceMatrix::begin(std::span<const int> starts)
{
    m_starts.assign(starts.begin(), starts.end());
    m_groupOf.assign(static_cast<std::size_t>(rows()), 0);
    for (std::size_t g = 0; g + 1 < m_starts.size(); ++g)
        std::fill(m_groupOf.begin() + m_starts[g], m_groupOf.begin() + m_starts[g + 1], static_cast<int>(g));
    m_members.clear();
    m_cliques.clear();
}

void ComplianceMatrix::couple(std::span<const int> rows)
{
    const std::size_t begin = m_members.size();
    for (const int row : rows)
        if (const auto g = static_cast<int>(groupOf(row)); m_members.size() == begin || m_members.back() != g)
            m_members.push_back(g);
    if (m_members.size() <= begin + 1)
        m_members.resize(begin);
    else
        m_cliques.push_back(m_members.size());
}

void ComplianceMatrix::findPattern(std::size_t group, Vector<int>& scratch)
{
    const auto cliquesOf = [&](std::size_t g) {
        const std::size_t begin = g == 0 ? 0 : m_ownerEnd[g - 1];
        return std::span(m_owners.data() + begin, m_ownerEnd[g] - begin);
    };
    const auto mine = cliquesOf(group);
    if (group > 0 && !mine.empty() && std::ranges::equal(mine, cliquesOf(group - 1))) {
        m_patternOf.push_back(m_patternOf.back());
        return;
    }
    scratch.assign(1, static_cast<int>(group));
    m_seen[group] = static_cast<int>(group);
    for (const int clique : mine) {
        const auto c = static_cast<std::size_t>(clique);
        for (std::size_t k = c == 0 ? 0 : m_cliques[c - 1]; k < m_cliques[c]; ++k) {
            int& seen = m_seen[static_cast<std::size_t>(m_members[k])];
            if (seen == static_cast<int>(group)) continue;
            seen = static_cast<int>(group);
            scratch.push_back(m_members[k]);
        }
    }
    std::ranges::sort(scratch);
    Pattern pattern{m_runs.size(), 0, 0};
    for (const int g : scratch) {
        const int first = m_starts[static_cast<std::size_t>(g)], last = m_starts[static_cast<std::size_t>(g) + 1];
        if (m_runs.size() > pattern.begin && first - m_runs.back().last < gap)
            m_runs.back().last = last;
        else
            m_runs.push_back({first, last});
    }
    pattern.end = m_runs.size();
    for (std::size_t k = pattern.begin; k < pattern.end; ++k)
        pattern.width += static_cast<std::size_t>(m_runs[k].last - m_runs[k].first);
    m_patternOf.push_back(m_patterns.size());
    m_patterns.push_back(pattern);
}

void ComplianceMatrix::finish()
{
    const std::size_t groups = m_starts.empty() ? 0 : m_starts.size() - 1;
    const auto n = static_cast<std::size_t>(rows());
    const auto rowsOf = [&](std::size_t g) { return static_cast<std::size_t>(m_starts[g + 1] - m_starts[g]); };
    m_runs.clear();
    m_patterns.clear();
    m_patternOf.clear();
    bool isDense = rows() < smallMatrix && !m_cliques.empty();
    if (!isDense) {
        m_ownerEnd.assign(groups, 0);
        for (const int g : m_members) ++m_ownerEnd[static_cast<std::size_t>(g)];
        for (std::size_t g = 1; g < groups; ++g) m_ownerEnd[g] += m_ownerEnd[g - 1];
        m_owners.resize(m_members.size());
        for (std::size_t c = m_cliques.size(); c-- > 0;)
            for (std::size_t k = m_cliques[c]; k-- > (c == 0 ? 0 : m_cliques[c - 1]);)
                m_owners[--m_ownerEnd[static_cast<std::size_t>(m_members[k])]] = static_cast<int>(c);
        m_ownerEnd.erase(m_ownerEnd.begin(), m_ownerEnd.begin() + (groups > 0 ? 1 : 0));
        m_ownerEnd.push_back(m_owners.size());
        m_seen.assign(groups, -1);
        Vector<int> scratch;
        std::size_t entries = 0;
        for (std::size_t g = 0; g < groups; ++g) {
            findPattern(g, scratch);
            entries += rowsOf(g) * stride(g);
        }
        isDense = 2 * entries > n * n && !m_cliques.empty();
    }
    if (isDense) coupleAll();
    allocate();
}

void ComplianceMatrix::coupleAll()
{
    m_runs.assign(1, {0, rows()});
    m_patterns.assign(1, {0, 1, static_cast<std::size_t>(rows())});
    m_patternOf.assign(m_starts.size() - 1, 0);
}

void ComplianceMatrix::allocate()
{
    m_at.clear();
    m_diagonal.clear();
    std::size_t at = 0;
    for (std::size_t g = 0; g + 1 < m_starts.size(); ++g) {
        m_at.push_back(at);
        at += static_cast<std::size_t>(m_starts[g + 1] - m_starts[g]) * stride(g);
    }
    m_values.assign(at, 0.);
    for (std::size_t g = 0; g + 1 < m_starts.size(); ++g) m_diagonal.push_back(place(m_starts[g], m_starts[g]));
}

void ComplianceMatrix::assignDense(std::span<const double> values)
{
    m_members.resize(m_starts.size() - 1);
    std::iota(m_members.begin(), m_members.end(), 0);
    m_cliques.assign(1, m_members.size());
    coupleAll();
    allocate();
    std::ranges::copy(values, m_values.begin());
}

Vector<int> ComplianceMatrix::islands() const
{
    DisjointSets sets(m_starts.empty() ? 0 : m_starts.size() - 1);
    std::size_t k = 0;
    for (const std::size_t end : m_cliques)
        for (const int first = m_members[k]; k < end; ++k) sets.join(first, m_members[k]);
    return sets.number();
}

std::vector<ComplianceMatrix> ComplianceMatrix::split(std::span<const int> islandOf) const
{
    const int count = islandOf.empty() ? 0 : *std::ranges::max_element(islandOf) + 1;
    std::vector<Vector<int>> starts(static_cast<std::size_t>(count), Vector<int>(1, 0)), groups(starts.size());
    Vector<int> firstThere;  // first row of each group in its island
    for (std::size_t g = 0; g < islandOf.size(); ++g) {
        const auto island = static_cast<std::size_t>(islandOf[g]);
        firstThere.push_back(starts[island].back());
        starts[island].push_back(starts[island].back() + m_starts[g + 1] - m_starts[g]);
        groups[island].push_back(static_cast<int>(g));
    }
    std::vector<ComplianceMatrix> parts(starts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k].begin(starts[k]);
    Vector<int> rows;
    std::size_t k = 0;
    for (const std::size_t end : m_cliques) {
        rows.clear();
        const auto island = static_cast<std::size_t>(islandOf[static_cast<std::size_t>(m_members[k])]);
        for (; k < end; ++k) rows.push_back(firstThere[static_cast<std::size_t>(m_members[k])]);
        parts[island].couple(rows);
    }
    for (std::size_t island = 0; island < parts.size(); ++island) {
        ComplianceMatrix& part = parts[island];
        part.finish();
        for (std::size_t own = 0; own < groups[island].size(); ++own) {
            const auto g = static_cast<std::size_t>(groups[island][own]);
            for (int r = 0; r < m_starts[g + 1] - m_starts[g]; ++r) {
                const int row = part.m_starts[own] + r;
                forRow(m_starts[g] + r, [&](int c, double value) {
                    const std::size_t other = groupOf(c);
                    if (value == 0. || islandOf[other] != static_cast<int>(island)) return;
                    part.add(row, firstThere[other] + c - m_starts[other], value);
                });
            }
        }
    }
    return parts;
}

DisjointSets::DisjointSets(std::size_t members) : m_parent(members) { std::iota(m_parent.begin(), m_parent.end(), 0); }

int DisjointSets::find(int a)
{
    auto at = static_cast<std::size_t>(a);
    while (m_parent[at] != static_cast<int>(at)) {
        m_parent[at] = m_parent[static_cast<std::size_t>(m_parent[at])];
        at = static_cast<std::size_t>(m_parent[at]);
    }
    return static_cast<int>(at);
}

void DisjointSets::join(int a, int b)
{
    a = find(a);
    b = find(b);
    m_parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
}

Vector<int> DisjointSets::number()
{
    Vector<int> numbers(m_parent.size());
    int count = 0;
    for (std::size_t k = 0; k < m_parent.size(); ++k) {
        const int first = find(static_cast<int>(k));  // the smallest member
        numbers[k] = first == static_cast<int>(k) ? count++ : numbers[static_cast<std::size_t>(first)];
    }
    return numbers;
}

std::size_t ComplianceMatrix::place(int i, int j) const
{
    const std::size_t g = groupOf(i);
    auto at = static_cast<std::size_t>(values(g, i) - m_values.data());
    for (const Run& r : runs(g)) {
        if (j < r.last && j >= r.first) return at + static_cast<std::size_t>(j - r.first);
        at += static_cast<std::size_t>(r.last - r.first);
    }
    throw std::logic_error("compliance: rows " + std::to_string(i) + " and " + std::to_string(j) + " are not coupled");
}

double ComplianceMatrix::operator()(int i, int j) const
{
    const auto mine = runs(groupOf(i));
    const bool stored = std::ranges::any_of(mine, [&](const Run& r) { return j >= r.first && j < r.last; });
    return stored ? m_values[place(i, j)] : 0.;
}

void ComplianceMatrix::add(std::span<const int> rows, std::span<const double> block)
{
    const std::size_t n = rows.size();
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t g = groupOf(rows[i]);
        auto at = static_cast<std::size_t>(values(g, rows[i]) - m_values.data());
        const Run* run = runs(g).data();
        for (std::size_t j = 0; j < n; ++j) {
            for (; rows[j] >= run->last; ++run) at += static_cast<std::size_t>(run->last - run->first);
            m_values[at + static_cast<std::size_t>(rows[j] - run->first)] += block[i * n + j];
        }
    }
}

void ComplianceMatrix::addProduct(std::size_t group, const double* x, double* y) const
{
    const auto mine = runs(group);
    const double* a = m_values.data() + m_at[group];
    for (int r = m_starts[group]; r < m_starts[group + 1]; ++r, ++y)
        for (const Run& run : mine) {
            const auto n = static_cast<std::size_t>(run.last - run.first);
            *y += rowProduct(a, x + run.first, n);
            a += n;
        }
}

Vector<double> ComplianceMatrix::dense() const
{
    const auto n = static_cast<std::size_t>(rows());
    Vector<double> w(n * n, 0.);
    for (int r = 0; r < rows(); ++r)
        forRow(r,
               [&](int c, double value) { w[static_cast<std::size_t>(r) * n + static_cast<std::size_t>(c)] = value; });
    return w;
}

}  // namespace sofa::core
