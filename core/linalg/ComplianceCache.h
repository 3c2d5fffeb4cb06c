// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/math/Vector.h"

namespace sofa::core {

/// Sparse matrix of compressed rows with scalar columns, by reference: row i has the entries ptr[i] … ptr[i+1]−1.
/// Columns may come in any order and more than once (they add up).
struct SparseRows
{
    std::span<const int> ptr;
    std::span<const int> columns;
    std::span<const double> values;

    int size() const { return ptr.empty() ? 0 : static_cast<int>(ptr.size()) - 1; }
};

/// Compliance W = c H A⁻¹ Hᵀ of one body, kept from step to step while the matrix A and the factor c are the same,
/// however the rows of H change: rows that are bitwise those of the last step keep their compliance among each other,
/// and what a factorisation has solved for them.
///
///     cache.expect(version of A, c);           // forgets everything if one is another
///     if (!cache.begin(h)) {                   // otherwise values() hold as they are
///         for (int row : cache.fresh()) …      // entries with these rows are zero: compute them
///         cache.finish();
///     }
///
/// Rows are recognised by their bits (a hash, then all of them), wherever they stand. Kept rows stay in their order:
/// a product of two rows may round differently the other way round, so those that have changed places are computed
/// anew, and the values are bitwise what they would be without a cache. No call allocates once the largest number of
/// rows has been seen.
class ComplianceCache
{
public:
    /// What a factorisation keeps of the rows: for the one that gave the version only.
    struct Solutions
    {
        Vector<double> values;           ///< solutions of the slots, in its layout
        Vector<unsigned char> touched;   ///< which parts of them are not zero
        Vector<int> slot;                ///< of each row of the last step
        Vector<int> owner;               ///< row of each slot, −1: free
        Vector<int> nextSlot, rejected;  ///< work space
        bool hasKept = false;            ///< whether `slot` is that of the last rows
    };

    /// Forgets rows and values, not the memory.
    void clear();
    /// Clears unless both are those of the last call.
    void expect(std::uint64_t version, double factor);

    /// Takes the rows of this step. True if they are the last ones: values() hold, there is nothing to finish.
    /// Otherwise values() have the entries between kept rows (`partial`; without it no row is kept), zeros elsewhere.
    bool begin(const SparseRows& h, bool partial = true);
    /// Declares that no row is kept after all: all of values() is zero, all rows are fresh.
    void dropKept();
    /// Declares values() complete. A begin() without it (an exception on the way) is forgotten by the next.
    void finish();

    int size() const { return m_size; }
    /// W, row-major, size() squared.
    std::span<double> values() { return m_w; }
    std::span<const double> values() const { return m_w; }
    /// Index of each row among those of the step before; −1: it is fresh.
    std::span<const int> source() const { return m_source; }
    /// Rows that are to be computed, increasing.
    std::span<const int> fresh() const { return m_fresh; }
    bool isFresh(int row) const { return m_source[static_cast<std::size_t>(row)] < 0; }
    Solutions& solutions() { return m_solutions; }

    /// Rows of all steps so far, and those of them that were computed.
    std::uint64_t rowsSeen() const { return m_seen; }
    std::uint64_t rowsComputed() const { return m_computed; }
    /// Of the last step.
    int lastComputed() const { return m_lastComputed; }

private:
    struct Rows
    {
        Vector<int> ptr, columns;
        Vector<double> values;

        SparseRows view() const { return {ptr, columns, values}; }
    };
    using Keys = Vector<std::pair<std::uint64_t, int>>;  ///< hash of a row and its index, sorted

    void match();
    void keepOrder();
    void listFresh();

    std::uint64_t m_version = 0;
    double m_factor = 0.;
    int m_size = 0;
    bool m_complete = false;
    Rows m_rows, m_last;
    Vector<double> m_w, m_lastW;
    Vector<int> m_source, m_fresh;
    Keys m_keys, m_lastKeys;
    Vector<int> m_tails, m_before;  ///< of keepOrder
    Vector<char> m_used;
    Solutions m_solutions;
    std::uint64_t m_seen = 0, m_computed = 0;
    int m_lastComputed = 0;
};

}  // namespace sofa::core
