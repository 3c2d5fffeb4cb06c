// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/linalg/Ordering.h"

namespace sofa::core {

namespace supernodal {

/// A number of a row or column, which are ints in here, as an index.
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace supernodal

/// Structure of the factor L of a symmetric block matrix, cut into supernodes: sets of consecutive columns that share
/// one set of rows and are factorised as one dense front.
///
/// Indices of blocks in here count in elimination order; `order` leads back to the blocks of the matrix. Supernodes are
/// in postorder: a supernode comes after all its descendants, and a subtree is a contiguous range.
struct SupernodalStructure
{
    struct Supernode
    {
        int firstColumn = 0;      ///< first pivot block
        int columns = 0;          ///< number of pivot blocks, consecutive
        int rowBegin = 0;         ///< first of its update rows in `rows`
        int rowCount = 0;         ///< number of update rows: rows of L below the pivots
        int parent = -1;          ///< supernode whose pivots include the first update row, −1 for a root
        int firstDescendant = 0;  ///< the subtree is [firstDescendant, this one]
    };

    int blockSize = 1;
    Vector<int> order;
    Vector<Supernode> supernodes;
    Vector<int> rows;          ///< update rows of all supernodes, increasing within each
    std::size_t nonZeros = 0;  ///< scalars of L with its diagonal, explicit zeros of the supernodes included
    double operations = 0.;    ///< multiplications and additions of the factorisation

    /// Of a band, for each group of scalar rows the first scalar column that is not zero in L; else empty.
    Vector<int> envelope;
    bool isBand() const { return !envelope.empty(); }

    /// Operations of one front with these numbers of scalar pivots and update rows.
    static double frontOperations(double pivots, double rows);
};

/// Symbolic factorisation of `graph` eliminated in the given order: elimination tree (Liu, "The role of elimination
/// trees in sparse factorization", 1990), column counts by row subtrees, fundamental supernodes, amalgamation of
/// supernodes where the explicit zeros this costs are few (Ashcraft, Grimes 1989), postorder of least memory among the
/// children (Liu 1986). The order is replaced by an equivalent one.
SupernodalStructure analyzeSupernodes(const Graph& graph, std::span<const int> order, int blockSize);

/// The envelope of `graph` eliminated in the given order, as a band: supernodes of `columns` scalars, one after the
/// other, each with all rows up to the last one that it or an earlier one reaches. In the envelope a row of L has
/// entries from its first one in the matrix on (Jennings, "A compact storage scheme for the solution of symmetric
/// linear simultaneous equations", 1966); `operations` counts what lies in that of groups of `rowGroup` rows. `columns`
/// is a multiple of the block size and of the group.
SupernodalStructure analyzeBand(const Graph& graph, std::span<const int> order, int blockSize, int columns,
                                int rowGroup);

}  // namespace sofa::core
