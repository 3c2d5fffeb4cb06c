// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>
#include <vector>

#include "core/math/Vector.h"

namespace sofa::core {

/// Compliance W of the rows of constraints, symmetric and sparse: two groups of rows are coupled where one body answers
/// to both. Memory and products take time in proportion to the couplings.
///
///     w.begin(starts);                  // the groups
///     w.couple(rows);                   // once for each body
///     w.finish();
///     w.add(rows, block);               // what the body answers
///
/// The rows of a group have the same pattern: runs of columns, those of the group itself among them. Runs with few
/// zeros between them are one; a small matrix, and one that is mostly coupled, is stored as a dense one.
class ComplianceMatrix
{
public:
    /// Columns first … last − 1.
    struct Run
    {
        int first, last;
    };

    /// Begins the pattern; `starts`: the first row of each group, increasing from 0, and the number of rows.
    void begin(std::span<const int> starts);
    /// Couples the groups of these rows with one another; increasing.
    void couple(std::span<const int> rows);
    /// Ends the pattern; all entries are zero.
    void finish();
    /// Instead of the last three: couples all rows, with these entries; row-major, rows() squared.
    void assignDense(std::span<const double> values);

    /// Numbers the islands, by their first groups: the groups of two islands are not coupled, directly or through
    /// others. The island of each group.
    Vector<int> islands() const;
    /// The matrix of each island, with the groups of the island in their order; `islandOf`: islands().
    std::vector<ComplianceMatrix> split(std::span<const int> islandOf) const;

    std::span<const int> starts() const { return m_starts; }
    int rows() const { return m_starts.empty() ? 0 : m_starts.back(); }
    /// Number of stored entries.
    std::size_t entries() const { return m_values.size(); }
    /// Entry i, j; zero where it is not stored.
    double operator()(int i, int j) const;
    /// Adds to an entry that is coupled.
    void add(int i, int j, double value) { m_values[place(i, j)] += value; }
    /// Adds a block between rows that are coupled, increasing; row-major, rows.size() squared.
    void add(std::span<const int> rows, std::span<const double> block);

    /// The diagonal block of a group, row-major with `stride` numbers between its rows.
    const double* diagonal(std::size_t group) const { return m_values.data() + m_diagonal[group]; }
    double* diagonal(std::size_t group) { return m_values.data() + m_diagonal[group]; }
    std::size_t stride(std::size_t group) const { return m_patterns[m_patternOf[group]].width; }

    /// y += W x for the rows of a group; x is of all rows.
    void addProduct(std::size_t group, const double* x, double* y) const;
    /// Calls f(column, value) for the stored entries of a row, in the order of columns.
    template <class F>
    void forRow(int row, F f) const
    {
        const std::size_t g = groupOf(row);
        const double* v = values(g, row);
        for (const Run& r : runs(g))
            for (int c = r.first; c < r.last; ++c) f(c, *v++);
    }
    /// Row-major, rows() squared.
    Vector<double> dense() const;

private:
    struct Pattern
    {
        std::size_t begin, end;  ///< runs
        std::size_t width;       ///< columns of all runs
    };
    std::size_t groupOf(int row) const { return static_cast<std::size_t>(m_groupOf[static_cast<std::size_t>(row)]); }
    std::span<const Run> runs(std::size_t group) const
    {
        const Pattern& p = m_patterns[m_patternOf[group]];
        return {m_runs.data() + p.begin, p.end - p.begin};
    }
    const double* values(std::size_t group, int row) const
    {
        return m_values.data() + m_at[group] + static_cast<std::size_t>(row - m_starts[group]) * stride(group);
    }
    /// Index in m_values; throws std::logic_error where the rows are not coupled.
    std::size_t place(int i, int j) const;
    void findPattern(std::size_t group, Vector<int>& scratch);
    void coupleAll();
    void allocate();

    Vector<int> m_starts, m_groupOf;
    Vector<int> m_members;           ///< groups of the cliques, one clique after the other
    Vector<std::size_t> m_cliques;   ///< ends of the cliques in m_members
    Vector<int> m_owners;            ///< cliques of the groups, one group after the other
    Vector<std::size_t> m_ownerEnd;  ///< of each group in m_owners
    Vector<int> m_seen;
    Vector<Run> m_runs;
    Vector<Pattern> m_patterns;
    Vector<std::size_t> m_patternOf, m_at, m_diagonal;
    Vector<double> m_values;
};

/// Numbers sets that share members: sets are joined by pairs of their members.
class DisjointSets
{
public:
    explicit DisjointSets(std::size_t members);
    void join(int a, int b);
    /// The set of each member; sets are numbered by their first members.
    Vector<int> number();

private:
    int find(int a);
    Vector<int> m_parent;
};

}  // namespace sofa::core
