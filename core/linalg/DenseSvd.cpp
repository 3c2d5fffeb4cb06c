// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/DenseSvd.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "core/linalg/DenseDirect.h"
#include "core/linalg/Stopwatch.h"

namespace sofa::core {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

/// The singular vectors in columns, by decreasing singular values.
struct DenseSvd::Vectors
{
    Eigen::MatrixXd left, right;
    Eigen::VectorXd coefficients;
};

DenseSvd::DenseSvd() : m_vectors(std::make_unique<Vectors>()) {}
DenseSvd::~DenseSvd() = default;

void DenseSvd::setSmallest(double bound, bool absolute)
{
    m_bound = bound;
    m_absolute = absolute;
}

void DenseSvd::analyze(const BlockCsrMatrix& a)
{
    if (a.rows() != a.cols())
        throw std::runtime_error("a matrix of " + std::to_string(a.rows()) + " × " + std::to_string(a.cols()) +
                                 " cannot be factorised: it is not square");
    m_rows = a.rows();
    m_factorized = false;
    m_report = {};
    m_report.factorNonZeros = 2 * static_cast<std::size_t>(m_rows) * static_cast<std::size_t>(m_rows);
}

FactorizationStatus DenseSvd::factorize(const BlockCsrMatrix& a)
{
    if (a.rows() != m_rows || a.cols() != m_rows) analyze(a);
    const Stopwatch watch;
    m_factorized = true;
    m_rank = 0;
    m_values.assign(static_cast<std::size_t>(m_rows), 0.);
    m_report.zeroPivots = 0;
    m_report.zeroPivotRows.clear();
    m_report.status = a.isFinite() ? FactorizationStatus::ok : FactorizationStatus::notFinite;
    if (m_report.status == FactorizationStatus::ok && m_rows > 0) {
        denseEntries(a, m_entries);
        decompose(a.isSymmetric(1e-14));
        const double bound = m_absolute ? m_bound : m_bound * m_values.front();
        m_rank = static_cast<int>(std::ranges::count_if(m_values, [bound](double s) { return s > bound; }));
        m_report.zeroPivots = m_rows - m_rank;
        for (int k = m_rank; k < std::min(m_rows, m_rank + 16); ++k) {
            Eigen::Index row = 0;
            m_vectors->right.col(k).cwiseAbs().maxCoeff(&row);
            m_report.zeroPivotRows.push_back(static_cast<int>(row));
        }
        std::ranges::sort(m_report.zeroPivotRows);
    }
    m_report.factorizeSeconds = watch.seconds();
    return m_report.status;
}

void DenseSvd::decompose(bool symmetric)
{
    const Eigen::Map<const RowMajor> a(m_entries.data(), m_rows, m_rows);
    Vectors& v = *m_vectors;
    if (!symmetric) {
        const Eigen::BDCSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
        v.left = svd.matrixU();
        v.right = svd.matrixV();
        std::copy_n(svd.singularValues().data(), m_rows, m_values.begin());
        return;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(a);
    const auto& lambda = eigen.eigenvalues();
    Vector<int> order(m_values.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](int i, int j) { return std::abs(lambda[i]) > std::abs(lambda[j]); });
    v.left.resize(m_rows, m_rows);
    v.right.resize(m_rows, m_rows);
    for (int k = 0; k < m_rows; ++k) {
        const int from = order[static_cast<std::size_t>(k)];
        m_values[static_cast<std::size_t>(k)] = std::abs(lambda[from]);
        v.right.col(k) = eigen.eigenvectors().col(from);
        v.left.col(k) = v.right.col(k) * (lambda[from] < 0. ? -1. : 1.);
    }
}

void DenseSvd::solve(std::span<const double> b, std::span<double> x, int nrhs) const
{
    checkSolve(m_rows, m_factorized, b.size(), x.size(), nrhs);
    if (m_report.status != FactorizationStatus::ok || m_rank == 0) {
        std::ranges::fill(x, 0.);
        return;
    }
    Vectors& v = *m_vectors;
    for (Eigen::Index c = 0; c < nrhs; ++c) {
        const Eigen::Map<const Eigen::VectorXd> rhs(b.data() + c * m_rows, m_rows);
        Eigen::Map<Eigen::VectorXd> solution(x.data() + c * m_rows, m_rows);
        v.coefficients.noalias() = v.left.leftCols(m_rank).transpose() * rhs;
        for (Eigen::Index k = 0; k < m_rank; ++k) v.coefficients[k] /= m_values[static_cast<std::size_t>(k)];
        solution.noalias() = v.right.leftCols(m_rank) * v.coefficients;
    }
}

double DenseSvd::conditionNumber() const
{
    if (m_values.empty()) return 1.;
    return m_values.back() > 0. ? m_values.front() / m_values.back() : std::numeric_limits<double>::infinity();
}

}  // namespace sofa::core
