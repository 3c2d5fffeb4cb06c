// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cholmod.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "components/linearsolver/DirectSolver.h"
#include "components/linearsolver/MatrixTemplates.h"
#include "core/factory/Registry.h"
#include "core/linalg/Stopwatch.h"

namespace cholmod {

using namespace sofa::core;

namespace {

/// Which of CHOLMOD's two codes factorises.
enum class Code
{
    Automatic,   ///< supernodal where it has enough operations for each number
    Simplicial,  ///< L D Lᵀ, row by row
    Supernodal   ///< L Lᵀ in dense blocks by BLAS
};

/// CHOLMOD (Chen, Davis, Hager, Rajamanickam, "Algorithm 887: CHOLMOD, supernodal sparse Cholesky factorization and
/// update/downdate", 2008) behind the interface of the framework, for symmetric positive definite matrices; the
/// simplicial code also takes indefinite ones whose pivots do not vanish. `automatic` ordering: AMD, and METIS where
/// AMD's factor is large. Results depend on the BLAS that CHOLMOD uses.
class CholmodFactorization final : public Factorization
{
public:
    CholmodFactorization(Code code, OrderingMethod ordering) : m_ordering(ordering)
    {
        cholmod_start(&m_common);
        m_common.print = 0;  // errors are reported here
        m_common.supernodal = code == Code::Automatic    ? CHOLMOD_AUTO
                              : code == Code::Supernodal ? CHOLMOD_SUPERNODAL
                                                         : CHOLMOD_SIMPLICIAL;
        if (ordering == OrderingMethod::automatic) return;  // CHOLMOD's strategy
        m_common.nmethods = 1;
        m_common.method[0].ordering = ordering == OrderingMethod::nestedDissection ? CHOLMOD_METIS
                                      : ordering == OrderingMethod::minimumDegree  ? CHOLMOD_AMD
                                      : ordering == OrderingMethod::natural        ? CHOLMOD_NATURAL
                                                                                   : CHOLMOD_GIVEN;
        m_common.postorder = ordering == OrderingMethod::natural ? 0 : 1;
    }
    ~CholmodFactorization() override
    {
        clear();
        cholmod_finish(&m_common);
    }

    void analyze(const BlockCsrMatrix& a) override
    {
        const Stopwatch watch;
        if (a.rows() != a.cols())
            throw std::runtime_error("a matrix of " + std::to_string(a.rows()) + " × " + std::to_string(a.cols()) +
                                     " cannot be factorised: it is not square");
        clear();
        m_pattern = a;
        m_report = {};
        copyPattern(a);
        if (a.rows() > 0) {
            cholmod_sparse matrix = view();
            if (m_common.nmethods == 1 && m_common.method[0].ordering == CHOLMOD_GIVEN) {
                // CHOLMOD does not have it: the order of the framework, block by block.
                Vector<int> order;
                for (const int block : computeOrdering(adjacencyGraph(a), m_ordering))
                    for (int k = 0; k < a.blockSize(); ++k) order.push_back(block * a.blockSize() + k);
                m_factor = cholmod_analyze_p(&matrix, order.data(), nullptr, 0, &m_common);
            } else {
                m_factor = cholmod_analyze(&matrix, &m_common);
            }
            if (!m_factor) throw std::runtime_error("CHOLMOD cannot analyse the matrix" + reason());
        }
        m_report.ordering = usedOrdering();
        m_report.factorNonZeros = m_factor ? static_cast<std::size_t>(m_common.lnz) : 0;
        m_report.operations = m_factor ? m_common.fl : 0.;
        m_report.analyzeSeconds = watch.seconds();
        m_analyzed = true;
    }

    FactorizationStatus factorize(const BlockCsrMatrix& a) override
    {
        if (!m_analyzed || !a.samePattern(m_pattern)) analyze(a);
        const Stopwatch watch;
        m_report.zeroPivotRows.clear();
        m_report.zeroPivots = m_report.negativePivots = 0;
        m_report.status = a.isFinite() ? FactorizationStatus::ok : FactorizationStatus::notFinite;
        m_factorized = true;
        if (m_factor && m_report.status == FactorizationStatus::ok) {
            for (std::size_t k = 0; k < m_source.size(); ++k) m_values[k] = a.values()[m_source[k]];
            cholmod_sparse matrix = view();
            const bool done = cholmod_factorize(&matrix, m_factor, &m_common);
            if (!done && m_common.status != CHOLMOD_NOT_POSDEF)
                throw std::runtime_error("CHOLMOD cannot factorise the matrix" + reason());
            if (m_factor->minor < m_factor->n) {
                m_report.status = FactorizationStatus::singular;
                m_report.zeroPivots = 1;
                m_report.zeroPivotRows.push_back(static_cast<int*>(m_factor->Perm)[m_factor->minor]);
            }
        }
        m_report.factorizeSeconds = watch.seconds();
        return m_report.status;
    }

    void solve(std::span<const double> b, std::span<double> x, int nrhs) const override
    {
        checkSolve(m_pattern.rows(), m_factorized, b.size(), x.size(), nrhs);
        if (m_report.status != FactorizationStatus::ok) {
            std::fill(x.begin(), x.end(), 0.);
            return;
        }
        if (!m_factor || nrhs == 0) return;
        cholmod_dense rhs{};
        rhs.nrow = m_factor->n;
        rhs.ncol = static_cast<std::size_t>(nrhs);
        rhs.d = rhs.nrow;
        rhs.nzmax = rhs.nrow * rhs.ncol;
        rhs.x = const_cast<double*>(b.data());  // which CHOLMOD only reads
        rhs.xtype = CHOLMOD_REAL;
        rhs.dtype = CHOLMOD_DOUBLE;
        if (!cholmod_solve2(CHOLMOD_A, m_factor, &rhs, nullptr, &m_solution, nullptr, &m_work, &m_work2, &m_common))
            throw std::runtime_error("CHOLMOD cannot solve the system" + reason());
        std::copy_n(static_cast<const double*>(m_solution->x), x.size(), x.begin());
    }

protected:
    int unknowns() const override { return m_pattern.rows(); }
    bool factorized() const override { return m_factorized; }

private:
    void clear()
    {
        cholmod_free_factor(&m_factor, &m_common);
        cholmod_free_dense(&m_solution, &m_common);
        cholmod_free_dense(&m_work, &m_common);
        cholmod_free_dense(&m_work2, &m_common);
        m_analyzed = m_factorized = false;
    }
    std::string reason() const
    {
        return m_common.status == CHOLMOD_OUT_OF_MEMORY ? ": there is not enough memory"
               : m_common.status == CHOLMOD_TOO_LARGE   ? ": it is too large for integers of 32 bits"
                                                        : " (status " + std::to_string(m_common.status) + ")";
    }
    /// The lower triangle row by row, which is the upper one column by column.
    void copyPattern(const BlockCsrMatrix& a)
    {
        m_columns.assign(1, 0);
        m_rows.clear();
        m_source.clear();
        const int b = a.blockSize();
        for (int i = 0; i < a.rows(); ++i) {
            const int block = i / b, r = i % b;
            for (int k = a.rowPtr()[static_cast<std::size_t>(block)];
                 k < a.rowPtr()[static_cast<std::size_t>(block) + 1]; ++k)
                for (int c = 0; c < b; ++c) {
                    const int j = a.colIdx()[static_cast<std::size_t>(k)] * b + c;
                    if (j > i) continue;
                    m_rows.push_back(j);
                    m_source.push_back(static_cast<std::size_t>((k * b + r) * b + c));
                }
            m_columns.push_back(static_cast<int>(m_rows.size()));
        }
        m_values.assign(m_rows.size(), 0.);
    }
    /// The copy as CHOLMOD's matrix.
    cholmod_sparse view()
    {
        cholmod_sparse m{};
        m.nrow = m.ncol = m_columns.size() - 1;
        m.nzmax = m_rows.size();
        m.p = m_columns.data();
        m.i = m_rows.data();
        m.x = m_values.data();
        m.stype = 1;
        m.itype = CHOLMOD_INT;
        m.xtype = CHOLMOD_REAL;
        m.dtype = CHOLMOD_DOUBLE;
        m.sorted = m.packed = 1;
        return m;
    }
    OrderingMethod usedOrdering() const
    {
        if (m_ordering != OrderingMethod::automatic || !m_factor) return m_ordering;
        return m_factor->ordering == CHOLMOD_METIS     ? OrderingMethod::nestedDissection
               : m_factor->ordering == CHOLMOD_NATURAL ? OrderingMethod::natural
                                                       : OrderingMethod::minimumDegree;
    }

    OrderingMethod m_ordering;
    mutable cholmod_common m_common{};
    cholmod_factor* m_factor = nullptr;
    mutable cholmod_dense *m_solution = nullptr, *m_work = nullptr, *m_work2 = nullptr;
    BlockCsrMatrix m_pattern;
    Vector<int> m_columns, m_rows;
    Vector<std::size_t> m_source;
    Vector<double> m_values;
    bool m_analyzed = false, m_factorized = false;
};

}  // namespace

/// Direct solver for symmetric positive definite matrices by CHOLMOD.
class CholmodSolver final : public sofa::component::DirectSolver
{
public:
    Data<Options> d_code{
        this,
        {.name = "code",
         .help =
             "automatic (by the operations for each number of the factor), simplicial (L D L') or supernodal (L L')"},
        Options({"automatic", "simplicial", "supernodal"})};

    CholmodSolver() : DirectSolver(FactorizationMethod::supernodalLdlt) {}

protected:
    std::unique_ptr<Factorization> newFactorization(OrderingMethod ordering) const override
    {
        return std::make_unique<CholmodFactorization>(static_cast<Code>(d_code.value().index()), ordering);
    }
};

const RegisterComponent registered =
    RegisterComponent("CholmodSolver", "LinearSolver", "Cholmod")
        .help("Direct solver: Cholesky factorisation of the assembled positive definite matrix by CHOLMOD")
        .example("CholmodSolver.scn")
        .add<CholmodSolver>(sofa::component::matrixTemplates(false));

}  // namespace cholmod
