// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/Factorization.h"

#include <stdexcept>

#include "core/linalg/DenseDirect.h"
#include "core/linalg/DenseSvd.h"
#include "core/linalg/EigenFactorization.h"
#include "core/linalg/SupernodalLdlt.h"

namespace sofa::core {

namespace {

constexpr std::string_view methodNames[] = {"SupernodalLDLT",     "EigenSimplicialLDLT",
                                            "EigenSimplicialLLT", "EigenSparseLU",
                                            "EigenSparseQR",      "DenseLU",
                                            "DenseCholesky",      "DenseSVD"};

}  // namespace

std::string_view name(FactorizationMethod method) { return methodNames[static_cast<int>(method)]; }

std::optional<FactorizationMethod> factorizationMethod(std::string_view name)
{
    for (int i = 0; i < static_cast<int>(std::size(methodNames)); ++i)
        if (methodNames[i] == name) return static_cast<FactorizationMethod>(i);
    return std::nullopt;
}

std::string FactorizationReport::describe() const
{
    std::string text;
    switch (status) {
        case FactorizationStatus::ok:
            return "ok";
        case FactorizationStatus::nearlySingular:
            text = "the matrix is nearly singular";
            break;
        case FactorizationStatus::singular:
            text = "the matrix is singular";
            break;
        case FactorizationStatus::notFinite:
            text = "the matrix or its factor has values that are not finite";
            break;
    }
    if (zeroPivots > 0) text += ": " + std::to_string(zeroPivots) + (zeroPivots == 1 ? " bad pivot" : " bad pivots");
    if (!zeroPivotRows.empty()) {
        text += zeroPivotRows.size() == 1 ? ", in row" : ", in rows";
        for (const int r : zeroPivotRows) text += ' ' + std::to_string(r);
        if (static_cast<std::size_t>(zeroPivots) > zeroPivotRows.size()) text += " …";
    }
    return text;
}

void Factorization::checkSolve(int rows, bool factorized, std::size_t b, std::size_t x, int nrhs)
{
    if (!factorized) throw std::runtime_error("solve: there is no factorisation");
    if (nrhs < 0) throw std::runtime_error("solve: negative number of right-hand sides");
    const std::size_t expected = static_cast<std::size_t>(rows) * static_cast<std::size_t>(nrhs);
    if (b != expected || x != expected)
        throw std::runtime_error("solve: vectors of sizes " + std::to_string(b) + " and " + std::to_string(x) +
                                 ", expected " + std::to_string(expected));
}

void Factorization::checkCompliance(int unknowns, bool factorized, const SparseRows& h, std::size_t w)
{
    if (!factorized) throw std::runtime_error("compliance: there is no factorisation");
    const auto m = static_cast<std::size_t>(h.size());
    if (w != m * m)
        throw std::runtime_error("compliance: " + std::to_string(w) + " values for a matrix of " + std::to_string(m) +
                                 " × " + std::to_string(m));
    for (std::size_t i = 0; i < m; ++i)
        for (int k = h.ptr[i]; k < h.ptr[i + 1]; ++k) {
            const int c = h.columns[static_cast<std::size_t>(k)];
            if (c < 0 || c >= unknowns)
                throw std::runtime_error("compliance: row " + std::to_string(i) + " has column " + std::to_string(c) +
                                         ", but the matrix has " + std::to_string(unknowns) + " unknowns");
        }
}

void Factorization::addCompliance(const SparseRows& h, std::span<double> w, double factor) const
{
    checkCompliance(unknowns(), factorized(), h, w.size());
    const auto n = static_cast<std::size_t>(unknowns()), m = static_cast<std::size_t>(h.size());
    Vector<double> x(n * m, 0.);
    const auto forEntries = [&](std::size_t i, auto&& f) {
        for (int k = h.ptr[i]; k < h.ptr[i + 1]; ++k)
            f(static_cast<std::size_t>(h.columns[static_cast<std::size_t>(k)]), h.values[static_cast<std::size_t>(k)]);
    };
    for (std::size_t i = 0; i < m; ++i) forEntries(i, [&](std::size_t c, double v) { x[i * n + c] += v; });
    solve(x, x, static_cast<int>(m));
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) {
            double sum = 0.;
            forEntries(i, [&](std::size_t c, double v) { sum += v * x[j * n + c]; });
            w[i * m + j] += factor * sum;
        }
}

void addComplianceBySolves(const SparseRows& h, int unknowns,
                           FunctionRef<void(std::span<const double> b, std::span<double> x)> solve, std::span<double> w,
                           double factor)
{
    Vector<double> b(static_cast<std::size_t>(unknowns), 0.), x(b.size());
    const auto rows = static_cast<std::size_t>(h.size());
    const auto forEntries = [&](std::size_t row, auto&& f) {
        for (auto e = static_cast<std::size_t>(h.ptr[row]); e < static_cast<std::size_t>(h.ptr[row + 1]); ++e)
            f(static_cast<std::size_t>(h.columns[e]), h.values[e]);
    };
    for (std::size_t r = 0; r < rows; ++r) {
        forEntries(r, [&](std::size_t c, double v) { b[c] += v; });
        solve(b, x);
        forEntries(r, [&](std::size_t c, double) { b[c] = 0.; });
        for (std::size_t i = 0; i < rows; ++i) {
            double sum = 0.;
            forEntries(i, [&](std::size_t c, double v) { sum += v * x[c]; });
            w[i * rows + r] += factor * sum;
        }
    }
}

void Factorization::updateCompliance(const SparseRows& h, double factor, ComplianceCache& cache) const
{
    if (cache.begin(h, false)) return;
    addCompliance(h, cache.values(), factor);
    cache.finish();
}

std::unique_ptr<Factorization> makeFactorization(FactorizationMethod method, OrderingMethod ordering)
{
    if (method == FactorizationMethod::supernodalLdlt) return std::make_unique<SupernodalLdlt>(ordering);
    if (method == FactorizationMethod::denseLu || method == FactorizationMethod::denseCholesky)
        return makeDenseFactorization(method);
    if (method == FactorizationMethod::denseSvd) return std::make_unique<DenseSvd>();
    return makeEigenFactorization(method, ordering);
}

}  // namespace sofa::core
