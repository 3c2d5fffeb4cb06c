// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/DenseDirect.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "core/linalg/DenseFactorization.h"
#include "core/linalg/Stopwatch.h"

namespace sofa::core {

namespace {

/// By DenseLu or DenseCholesky.
template <class Method>
class DenseDirect final : public Factorization
{
public:
    void analyze(const BlockCsrMatrix& a) override
    {
        const Stopwatch watch;
        if (a.rows() != a.cols())
            throw std::runtime_error("a matrix of " + std::to_string(a.rows()) + " × " + std::to_string(a.cols()) +
                                     " cannot be factorised: it is not square");
        m_rows = a.rows();
        const auto n = static_cast<std::size_t>(m_rows);
        m_largest.resize(n);
        m_factorized = false;
        m_report = {};
        m_report.factorNonZeros = n * n;
        m_report.operations =
            (isLu ? 2. / 3. : 1. / 3.) * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
        m_report.zeroPivotRows.reserve(1);
        m_report.analyzeSeconds = watch.seconds();
        m_analyzed = true;
    }

    FactorizationStatus factorize(const BlockCsrMatrix& a) override
    {
        if (!m_analyzed || a.rows() != m_rows || a.cols() != m_rows) analyze(a);
        const Stopwatch watch;
        const auto n = static_cast<std::size_t>(m_rows);
        denseEntries(a, m_values);
        for (std::size_t j = 0; j < n; ++j) {
            m_largest[j] = isLu ? 0. : m_values[j * n + j];
            for (std::size_t i = 0; isLu && i < n; ++i)
                m_largest[j] = std::max(m_largest[j], std::abs(m_values[i * n + j]));
        }
        m_report.zeroPivotRows.clear();
        m_report.zeroPivots = 0;
        m_factorized = true;
        m_report.status = a.isFinite() ? FactorizationStatus::ok : FactorizationStatus::notFinite;
        if (m_report.status == FactorizationStatus::ok) inspect(m_method.factorize(m_rows, m_values));
        m_report.factorizeSeconds = watch.seconds();
        return m_report.status;
    }

    void solve(std::span<const double> b, std::span<double> x, int nrhs) const override
    {
        checkSolve(m_rows, m_factorized, b.size(), x.size(), nrhs);
        if (m_report.status == FactorizationStatus::singular || m_report.status == FactorizationStatus::notFinite) {
            std::fill(x.begin(), x.end(), 0.);
            return;
        }
        const auto n = static_cast<std::size_t>(m_rows);
        for (std::size_t c = 0; c < static_cast<std::size_t>(nrhs); ++c)
            m_method.solve(b.subspan(c * n, n), x.subspan(c * n, n));
    }

protected:
    int unknowns() const override { return m_rows; }
    bool factorized() const override { return m_factorized; }

private:
    static constexpr bool isLu = std::is_same_v<Method, DenseLu>;

    /// Rows may be exchanged, columns are not: pivot k belongs to the unknown k.
    void inspect(bool regular)
    {
        const auto report = [&](int k, FactorizationStatus status) {
            ++m_report.zeroPivots;
            if (m_report.zeroPivotRows.size() < 16) m_report.zeroPivotRows.push_back(k);
            m_report.status = status;
        };
        const int failed = m_method.failedColumn();
        if (regular) {
            for (int k = 0; k < m_rows; ++k)
                if (!(std::abs(m_method.pivot(k)) > 1e-11 * m_largest[static_cast<std::size_t>(k)]))
                    report(k, FactorizationStatus::nearlySingular);
        } else if (failed >= 0) {
            report(failed, FactorizationStatus::singular);
        } else {
            m_report.status = FactorizationStatus::notFinite;
        }
    }

    Method m_method;
    int m_rows = 0;
    bool m_analyzed = false, m_factorized = false;
    Vector<double> m_values, m_largest;
};

}  // namespace

std::unique_ptr<Factorization> makeDenseFactorization(FactorizationMethod method)
{
    if (method == FactorizationMethod::denseCholesky) return std::make_unique<DenseDirect<DenseCholesky>>();
    return std::make_unique<DenseDirect<DenseLu>>();
}

void denseEntries(const BlockCsrMatrix& a, Vector<double>& entries)
{
    const auto rows = static_cast<std::size_t>(a.rows()), columns = static_cast<std::size_t>(a.cols());
    const auto b = static_cast<std::size_t>(a.blockSize());
    entries.assign(rows * columns, 0.);
    for (std::size_t i = 0; i < rows / b; ++i)
        for (auto k = static_cast<std::size_t>(a.rowPtr()[i]); k < static_cast<std::size_t>(a.rowPtr()[i + 1]); ++k)
            for (std::size_t r = 0; r < b; ++r)
                for (std::size_t c = 0; c < b; ++c)
                    entries[(i * b + r) * columns + static_cast<std::size_t>(a.colIdx()[k]) * b + c] +=
                        a.values()[(k * b + r) * b + c];
}

}  // namespace sofa::core
