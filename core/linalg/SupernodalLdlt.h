// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/DenseKernels.h"
#include "core/linalg/Factorization.h"
#include "core/linalg/SupernodalStructure.h"

namespace sofa::core {

/// Multifrontal factorisation P A Pᵀ = L D Lᵀ of a sparse symmetric block matrix, without pivoting (Duff, Reid, "The
/// multifrontal solution of indefinite sparse symmetric linear equations", 1983; Liu, "The multifrontal method for
/// sparse matrix solution", 1992).
///
/// Matrices with a full envelope, as of long bodies, are factorised as a band instead (SupernodalBand.cpp).
///
/// Otherwise each supernode gathers its matrix entries and the update matrices of its children into a dense front,
/// eliminates its pivots and hands the Schur complement of the rest to its parent. All places are computed by
/// `analyze`, so `factorize` neither searches nor allocates. Independent subtrees and the large fronts run in parallel;
/// children are added in a fixed order, and the dense kernels have one fixed order of operations (DenseKernels.h), so
/// the factor is bitwise the same for any number of threads and any instruction set.
///
/// Without pivoting the method is backward stable for definite matrices (D > 0 or D < 0) and usually fine for mildly
/// indefinite ones; a pivot that is exactly zero is replaced by "no equation": its unknown becomes zero, and the report
/// says so.
class SupernodalLdlt final : public Factorization
{
public:
    explicit SupernodalLdlt(OrderingMethod ordering = OrderingMethod::automatic) : m_ordering(ordering) {}

    void analyze(const BlockCsrMatrix& a) override;
    FactorizationStatus factorize(const BlockCsrMatrix& a) override;
    bool readsUpperTriangle() const override { return true; }
    void solve(std::span<const double> b, std::span<double> x, int nrhs = 1) const override;
    /// Y = L⁻¹ P Hᵀ on the touched part of the tree, then Yᵀ D⁻¹ Y. Runs in parallel over the rows of H; the bits do
    /// not depend on the number of threads. Work space is kept, so a repeated call of the same size does not allocate.
    void addCompliance(const SparseRows& h, std::span<double> w, double factor = 1.) const override;
    /// Keeps L⁻¹ P Hᵀ in the cache: only the columns of fresh rows are solved for, and only their products computed.
    void updateCompliance(const SparseRows& h, double factor, ComplianceCache& cache) const override;

    const SupernodalStructure& structure() const { return m_structure; }

    /// Diagonal D in elimination order; scalar k belongs to row originalRow(k) of the matrix.
    std::span<const double> pivots() const { return m_d; }
    int originalRow(int k) const
    {
        return m_structure.order[static_cast<std::size_t>(k / m_blockSize)] * m_blockSize + k % m_blockSize;
    }

    /// Entry (i, j), i > j, of L in elimination order, zero where nothing is stored. For tests; not fast.
    double factorEntry(int i, int j) const;

protected:
    int unknowns() const override { return m_rows; }
    bool factorized() const override { return m_factorized; }

private:
    static constexpr std::size_t reportedRows = 16;  ///< of bad pivots, in the report
    /// Leading dimension for n rows: whole cache lines, and not a multiple of the page size, which would put the rows
    /// of all columns into the same cache sets.
    static std::ptrdiff_t paddedRows(int n);

    /// Numeric side of a supernode. Positions count scalars.
    struct Front
    {
        std::size_t panel = 0;             ///< first scalar of its columns of L in m_factor
        std::ptrdiff_t ld = 0;             ///< leading dimension of the panel
        int pivots = 0;                    ///< scalar columns
        int size = 0;                      ///< scalar rows, pivots included
        std::size_t update = 0;            ///< update matrix in m_updates
        int entryBegin = 0, entryEnd = 0;  ///< blocks of the matrix that it gathers, in m_entries
        int runBegin = 0, runEnd = 0;      ///< where its own update rows go in its parent's front, in m_runs
        int childBegin = 0, childEnd = 0;  ///< in m_children

        /// Leading dimension of the update matrix.
        std::ptrdiff_t updateLd() const { return paddedRows(size - pivots); }
    };
    /// A block of the matrix and its place in the panel.
    struct Entry
    {
        int block;        ///< stored block k, or ~k for its transpose
        int row, column;  ///< scalar place in the panel
    };
    /// Subtrees that are factorised one after the other, with work space of their own.
    struct Task
    {
        int begin = 0, end = 0;  ///< supernodes
        std::size_t pack = 0;    ///< packing buffer in m_pack
    };

    void plan(const BlockCsrMatrix& a);
    void planStructure(const Graph& graph);
    void planFronts(const BlockCsrMatrix& a, const Graph& graph);
    void planEntries(std::size_t s, const BlockCsrMatrix& a, const Graph& graph, const Vector<int>& local);
    void planBand();
    void planTasks();
    void planUpdates();
    template <int B>
    void gatherBlocks(const Front& front, const BlockCsrMatrix& a, double* panel) const;
    void gather(std::size_t s, const BlockCsrMatrix& a);
    void factorizeValues(const BlockCsrMatrix& a);
    void factorizeBand(const BlockCsrMatrix& a);
    void factorizeFront(int s, const BlockCsrMatrix& a, double* pack);
    void factorizePanel(const Front& front, double* panel, int firstScalar, int begin, int end, double* pack);
    void updateLower(const Front& front, const double* panel, int firstScalar, int k0, int k1, int j0, int j1,
                     double* target, std::ptrdiff_t ld, double* pack);
    void inspectPivots();
    void solveOne(const double* b, double* x) const;
    void solveMany(const double* b, double* x, int count) const;
    void forwardFront(std::size_t s, double* z, double* y) const;

    /// Columns of L⁻¹ P Hᵀ: chunks of rhsWidth interleaved ones. `touched` has a byte for each chunk and supernode; its
    /// bits are the columns that are not zero there. Where no bit is set the values are undefined.
    struct Columns
    {
        double* values;
        unsigned char* touched;
    };
    /// Solves for `count` rows of H, rows[0], … (nullptr: 0, 1, …).
    void solveRows(const SparseRows& h, const int* rows, std::size_t count, Columns y) const;
    /// w += factor Yᵀ D⁻¹ Y for these rows; w is row-major with `size` columns.
    void addProducts(const int* rows, std::size_t count, Columns y, double* w, std::size_t size, double factor) const;
    /// The same between fresh rows and those of the slots; of two rows the later one is the left factor.
    void addProducts(std::span<const int> rows, Columns y, std::span<const int> owner, Columns slots, double* w,
                     std::size_t size, double factor) const;
    /// sum −= Y_aᵀ D⁻¹ Y_b for two chunks; false if no part of the unknowns is touched by both.
    bool subtractProducts(Columns a, Columns b, double* sum) const;
    Columns chunk(Columns all, std::size_t c) const;
    void eraseColumn(Columns to, std::size_t lane) const;
    void copyColumn(Columns from, std::size_t fromLane, Columns to, std::size_t lane) const;

    OrderingMethod m_ordering;
    Vector<int> m_rowPtr, m_colIdx;  ///< the pattern analysed
    int m_blockSize = 1;
    int m_rows = 0;
    bool m_analyzed = false;
    bool m_factorized = false;
    bool m_mayBeBand = true;  ///< false where the order of a band gave bad pivots
    const dense::Kernels* m_kernels = nullptr;

    SupernodalStructure m_structure;
    std::vector<Front> m_fronts;
    Vector<Entry> m_entries;
    Vector<dense::Run> m_runs;
    Vector<int> m_children;
    std::vector<Task> m_tasks;  ///< independent of one another
    Vector<int> m_top;          ///< supernodes above the tasks, in postorder
    std::size_t m_topPack = 0;
    int m_largestFront = 0;

    Vector<double> m_factor;
    Vector<double> m_updates;
    Vector<double> m_pack;
    Vector<double> m_d, m_inverse, m_scale;
    Vector<std::size_t> m_supernodeOf;  ///< of each pivot block, in elimination order
    Vector<int> m_place;                ///< block of the matrix → position in elimination order
    mutable Vector<double> m_x, m_y;
    mutable Vector<double> m_chunks, m_chunkFronts;  ///< of addCompliance
    mutable Vector<unsigned char> m_touched;
};

}  // namespace sofa::core
