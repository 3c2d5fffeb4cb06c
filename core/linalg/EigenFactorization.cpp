// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/EigenFactorization.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "core/linalg/Stopwatch.h"

namespace sofa::core {

namespace {

using Matrix = Eigen::SparseMatrix<double>;

/// Copy of a block matrix in Eigen's compressed columns, with the position of every value in the block matrix, so that
/// new values are copied without searching. Rows and columns may be permuted, and the upper triangle left out.
class ScalarCopy
{
public:
    /// `place[i]` is the new index of block i; empty: not permuted.
    void build(const BlockCsrMatrix& a, std::span<const int> place, bool lowerOnly)
    {
        struct Triplet
        {
            int row, col;
            std::size_t source;
        };
        m_pattern = a;
        const int b = a.blockSize();
        Vector<Triplet> triplets;
        triplets.reserve(a.nonZeros());
        const auto moved = [&](int i) { return place.empty() ? i : place[static_cast<std::size_t>(i)]; };
        for (int i = 0; i < a.blockRows(); ++i)
            for (int k = a.rowPtr()[static_cast<std::size_t>(i)]; k < a.rowPtr()[static_cast<std::size_t>(i) + 1]; ++k)
                for (int r = 0; r < b; ++r)
                    for (int c = 0; c < b; ++c) {
                        const int row = moved(i) * b + r;
                        const int col = moved(a.colIdx()[static_cast<std::size_t>(k)]) * b + c;
                        if (lowerOnly && row < col) continue;
                        triplets.push_back({row, col, static_cast<std::size_t>((k * b + r) * b + c)});
                    }
        std::sort(triplets.begin(), triplets.end(),
                  [](const Triplet& p, const Triplet& q) { return p.col != q.col ? p.col < q.col : p.row < q.row; });
        matrix.resize(a.rows(), a.cols());
        matrix.resizeNonZeros(static_cast<Eigen::Index>(triplets.size()));
        m_source.clear();
        std::fill_n(matrix.outerIndexPtr(), a.cols() + 1, 0);
        for (std::size_t k = 0; k < triplets.size(); ++k) {
            ++matrix.outerIndexPtr()[triplets[k].col + 1];
            matrix.innerIndexPtr()[k] = triplets[k].row;
            m_source.push_back(triplets[k].source);
        }
        for (int j = 0; j < a.cols(); ++j) matrix.outerIndexPtr()[j + 1] += matrix.outerIndexPtr()[j];
        std::fill_n(matrix.valuePtr(), triplets.size(), 0.);
    }
    bool matches(const BlockCsrMatrix& a) const { return a.samePattern(m_pattern); }
    void copyValues(const BlockCsrMatrix& a)
    {
        for (std::size_t k = 0; k < m_source.size(); ++k) matrix.valuePtr()[k] = a.values()[m_source[k]];
    }

    Matrix matrix;

private:
    BlockCsrMatrix m_pattern;
    Vector<std::size_t> m_source;
};

void requireSquare(const BlockCsrMatrix& a)
{
    if (a.rows() != a.cols())
        throw std::runtime_error("a matrix of " + std::to_string(a.rows()) + " × " + std::to_string(a.cols()) +
                                 " cannot be factorised: it is not square");
}

/// L D Lᵀ and L Lᵀ. The order is computed here, on blocks, so Eigen gets the permuted matrix and keeps its order.
template <class Solver>
class EigenCholesky final : public Factorization
{
public:
    explicit EigenCholesky(OrderingMethod ordering) : m_ordering(ordering) {}

    void analyze(const BlockCsrMatrix& a) override
    {
        const Stopwatch watch;
        requireSquare(a);
        m_report = {};
        m_report.ordering = m_ordering == OrderingMethod::automatic ? OrderingMethod::minimumDegree : m_ordering;
        m_order = computeOrdering(adjacencyGraph(a), m_report.ordering);
        m_copy.build(a, inversePermutation(m_order), true);
        m_blockSize = a.blockSize();
        m_solver.analyzePattern(m_copy.matrix);
        m_analyzed = true;
        m_factorized = false;
        m_report.analyzeSeconds = watch.seconds();
    }

    FactorizationStatus factorize(const BlockCsrMatrix& a) override
    {
        if (!m_analyzed || !m_copy.matches(a)) analyze(a);
        const Stopwatch watch;
        m_copy.copyValues(a);
        m_report.zeroPivotRows.clear();
        m_report.zeroPivots = m_report.negativePivots = 0;
        m_report.status = FactorizationStatus::ok;
        m_factorized = true;
        if (!a.isFinite())
            m_report.status = FactorizationStatus::notFinite;
        else {
            m_solver.factorize(m_copy.matrix);
            inspectPivots();
        }
        m_report.factorizeSeconds = watch.seconds();
        return m_report.status;
    }

    void solve(std::span<const double> b, std::span<double> x, int nrhs) const override
    {
        const auto n = static_cast<Eigen::Index>(m_copy.matrix.rows());
        checkSolve(static_cast<int>(n), m_factorized, b.size(), x.size(), nrhs);
        if (m_report.status == FactorizationStatus::singular || m_report.status == FactorizationStatus::notFinite) {
            std::fill(x.begin(), x.end(), 0.);
            return;
        }
        if (n == 0 || nrhs == 0) return;
        m_rhs.resize(n, nrhs);
        for (int c = 0; c < nrhs; ++c)
            for (Eigen::Index i = 0; i < n; ++i) m_rhs(i, c) = b[static_cast<std::size_t>(c * n + original(i))];
        m_solution = m_solver.solve(m_rhs);
        for (int c = 0; c < nrhs; ++c)
            for (Eigen::Index i = 0; i < n; ++i) x[static_cast<std::size_t>(c * n + original(i))] = m_solution(i, c);
    }

protected:
    int unknowns() const override { return static_cast<int>(m_copy.matrix.rows()); }
    bool factorized() const override { return m_factorized; }

private:
    static constexpr bool isLdlt = requires(const Solver& s) { s.vectorD(); };

    /// Scalar row of A that became row i of the permuted matrix.
    Eigen::Index original(Eigen::Index i) const
    {
        return m_order[static_cast<std::size_t>(i / m_blockSize)] * m_blockSize + i % m_blockSize;
    }

    void inspectPivots()
    {
        if constexpr (isLdlt) {
            m_report.factorNonZeros = static_cast<std::size_t>(m_solver.matrixL().nestedExpression().nonZeros()) +
                                      static_cast<std::size_t>(m_copy.matrix.rows());
            const auto& d = m_solver.vectorD();
            const bool failed = m_solver.info() != Eigen::Success;
            for (Eigen::Index i = 0; i < d.size(); ++i) {
                if (d[i] < 0.) ++m_report.negativePivots;
                const double scale = std::abs(m_copy.matrix.coeff(i, i));
                if (std::abs(d[i]) > 1e-11 * scale && std::isfinite(d[i])) continue;
                m_report.status =
                    d[i] == 0. || failed ? FactorizationStatus::singular : FactorizationStatus::nearlySingular;
                addZeroPivot(i);
                if (failed) break;  // Eigen stops at the first zero pivot
            }
        } else {
            m_report.factorNonZeros = static_cast<std::size_t>(m_solver.matrixL().nestedExpression().nonZeros());
            if (m_solver.info() != Eigen::Success) m_report.status = FactorizationStatus::singular;
        }
        std::sort(m_report.zeroPivotRows.begin(), m_report.zeroPivotRows.end());
    }

    void addZeroPivot(Eigen::Index i)
    {
        ++m_report.zeroPivots;
        if (m_report.zeroPivotRows.size() < 16) m_report.zeroPivotRows.push_back(static_cast<int>(original(i)));
    }

    OrderingMethod m_ordering;
    Vector<int> m_order;
    ScalarCopy m_copy;
    Solver m_solver;
    int m_blockSize = 1;
    bool m_analyzed = false;
    bool m_factorized = false;
    mutable Eigen::MatrixXd m_rhs, m_solution;
};

/// LU and QR, with Eigen's column ordering.
template <class Solver>
class EigenGeneral final : public Factorization
{
public:
    void analyze(const BlockCsrMatrix& a) override
    {
        const Stopwatch watch;
        requireSquare(a);
        m_report = {};
        m_report.ordering = OrderingMethod::minimumDegree;
        m_copy.build(a, {}, false);
        m_solver.analyzePattern(m_copy.matrix);
        m_analyzed = true;
        m_factorized = false;
        m_report.analyzeSeconds = watch.seconds();
    }

    FactorizationStatus factorize(const BlockCsrMatrix& a) override
    {
        if (!m_analyzed || !m_copy.matches(a)) analyze(a);
        const Stopwatch watch;
        m_copy.copyValues(a);
        m_factorized = true;
        m_report.status = FactorizationStatus::ok;
        m_report.zeroPivots = 0;
        if (!a.isFinite())
            m_report.status = FactorizationStatus::notFinite;
        else if (a.rows() > 0) {
            m_solver.factorize(m_copy.matrix);
            if constexpr (isQr) {
                m_report.factorNonZeros = static_cast<std::size_t>(m_solver.matrixR().nonZeros());
                m_report.zeroPivots = static_cast<int>(m_solver.rows() - m_solver.rank());
                if (m_report.zeroPivots > 0) m_report.status = FactorizationStatus::singular;
            } else if (m_solver.info() != Eigen::Success) {
                m_report.status = FactorizationStatus::singular;
            } else {
                m_report.factorNonZeros =
                    static_cast<std::size_t>(m_solver.nnzL()) + static_cast<std::size_t>(m_solver.nnzU());
                if (!(growth() < 1e11)) m_report.status = FactorizationStatus::nearlySingular;
            }
        }
        m_report.factorizeSeconds = watch.seconds();
        return m_report.status;
    }

    void solve(std::span<const double> b, std::span<double> x, int nrhs) const override
    {
        const auto n = static_cast<Eigen::Index>(m_copy.matrix.rows());
        checkSolve(static_cast<int>(n), m_factorized, b.size(), x.size(), nrhs);
        if (m_report.status == FactorizationStatus::notFinite ||
            (!isQr && m_report.status == FactorizationStatus::singular)) {
            std::fill(x.begin(), x.end(), 0.);
            return;
        }
        if (n == 0 || nrhs == 0) return;
        m_rhs = Eigen::Map<const Eigen::MatrixXd>(b.data(), n, nrhs);
        m_solution = m_solver.solve(m_rhs);
        Eigen::Map<Eigen::MatrixXd>(x.data(), n, nrhs) = m_solution;
    }

protected:
    int unknowns() const override { return static_cast<int>(m_copy.matrix.rows()); }
    bool factorized() const override { return m_factorized; }

private:
    static constexpr bool isQr = requires(const Solver& s) { s.rank(); };

    /// How much a vector of ±1 grows when it is divided by the matrix with rows and columns scaled by their largest
    /// entry: one step of inverse iteration, which a direction without resistance makes huge.
    double growth() const requires(!isQr)
    {
        const Matrix& a = m_copy.matrix;
        Eigen::VectorXd scale = Eigen::VectorXd::Zero(a.rows());
        for (Eigen::Index c = 0; c < a.outerSize(); ++c)
            for (typename Matrix::InnerIterator it(a, c); it; ++it)
                scale[it.row()] = std::max(scale[it.row()], std::abs(it.value()));
        scale = scale.cwiseSqrt();
        Eigen::VectorXd signs(a.rows());
        std::uint32_t random = 1;
        for (double& sign : signs) {
            random = random * 1664525u + 1013904223u;
            sign = random >> 31 ? 1. : -1.;
        }
        const Eigen::VectorXd x = m_solver.solve(scale.cwiseProduct(signs));
        return scale.cwiseProduct(x).cwiseAbs().maxCoeff();
    }

    ScalarCopy m_copy;
    Solver m_solver;
    bool m_analyzed = false;
    bool m_factorized = false;
    mutable Eigen::MatrixXd m_rhs, m_solution;
};

}  // namespace

std::unique_ptr<Factorization> makeEigenFactorization(FactorizationMethod method, OrderingMethod ordering)
{
    using Natural = Eigen::NaturalOrdering<int>;
    using Colamd = Eigen::COLAMDOrdering<int>;
    switch (method) {
        case FactorizationMethod::eigenLdlt:
            return std::make_unique<EigenCholesky<Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Natural>>>(ordering);
        case FactorizationMethod::eigenLlt:
            return std::make_unique<EigenCholesky<Eigen::SimplicialLLT<Matrix, Eigen::Lower, Natural>>>(ordering);
        case FactorizationMethod::eigenLu:
            return std::make_unique<EigenGeneral<Eigen::SparseLU<Matrix, Colamd>>>();
        case FactorizationMethod::eigenQr:
            return std::make_unique<EigenGeneral<Eigen::SparseQR<Matrix, Colamd>>>();
        case FactorizationMethod::supernodalLdlt:
        case FactorizationMethod::denseLu:
        case FactorizationMethod::denseCholesky:
        case FactorizationMethod::denseSvd:
            break;
    }
    throw std::runtime_error("makeEigenFactorization: " + std::string(name(method)) + " is not a method of Eigen");
}

}  // namespace sofa::core
