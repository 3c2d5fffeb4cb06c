// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/DenseFactorization.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace sofa::core {

namespace {

std::size_t checkedSize(int n, std::span<const double> a)
{
    if (n < 0 || a.size() != static_cast<std::size_t>(n) * static_cast<std::size_t>(n))
        throw std::runtime_error("dense factorisation: " + std::to_string(a.size()) + " values for a matrix of " +
                                 std::to_string(n) + " × " + std::to_string(n));
    return static_cast<std::size_t>(n);
}

std::size_t checkedSolve(int n, bool ok, std::size_t b, std::size_t x)
{
    if (!ok) throw std::runtime_error("dense solve: there is no factorisation");
    const auto size = static_cast<std::size_t>(n);
    if (b != size || x != size)
        throw std::runtime_error("dense solve: vectors of sizes " + std::to_string(b) + " and " + std::to_string(x) +
                                 ", expected " + std::to_string(n));
    return size;
}

}  // namespace

bool DenseCholesky::factorize(int size, std::span<const double> a)
{
    const std::size_t n = checkedSize(size, a);
    m_size = size;
    m_ok = false;
    m_failed = -1;
    m_l.assign(n * n, 0.);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = a[i * n + j];
            for (std::size_t k = 0; k < j; ++k) sum -= m_l[i * n + k] * m_l[j * n + k];
            if (i == j) {
                if (!(sum > 0.) || !std::isfinite(sum)) {
                    m_failed = static_cast<int>(i);
                    return false;
                }
                m_l[i * n + i] = std::sqrt(sum);
            } else
                m_l[i * n + j] = sum / m_l[j * n + j];
        }
    return m_ok = true;
}

void DenseCholesky::solve(std::span<const double> b, std::span<double> x) const
{
    const std::size_t n = checkedSolve(m_size, m_ok, b.size(), x.size());
    for (std::size_t i = 0; i < n; ++i) {
        double sum = b[i];
        for (std::size_t k = 0; k < i; ++k) sum -= m_l[i * n + k] * x[k];
        x[i] = sum / m_l[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        double sum = x[i];
        for (std::size_t k = i + 1; k < n; ++k) sum -= m_l[k * n + i] * x[k];
        x[i] = sum / m_l[i * n + i];
    }
}

bool DenseLdlt::factorize(int size, std::span<const double> a)
{
    const std::size_t n = checkedSize(size, a);
    m_size = size;
    m_ok = false;
    m_l.assign(n * n, 0.);
    m_d.assign(n, 0.);
    for (std::size_t j = 0; j < n; ++j) {
        double pivot = a[j * n + j];
        for (std::size_t k = 0; k < j; ++k) pivot -= m_l[j * n + k] * (m_l[j * n + k] * m_d[k]);
        m_d[j] = pivot;
        m_l[j * n + j] = 1.;
        if (pivot == 0. || !std::isfinite(pivot)) return false;
        for (std::size_t i = j + 1; i < n; ++i) {
            double sum = a[i * n + j];
            for (std::size_t k = 0; k < j; ++k) sum -= m_l[i * n + k] * (m_l[j * n + k] * m_d[k]);
            m_l[i * n + j] = sum / pivot;
        }
    }
    return m_ok = true;
}

void DenseLdlt::solve(std::span<const double> b, std::span<double> x) const
{
    const std::size_t n = checkedSolve(m_size, m_ok, b.size(), x.size());
    for (std::size_t i = 0; i < n; ++i) {
        double sum = b[i];
        for (std::size_t k = 0; k < i; ++k) sum -= m_l[i * n + k] * x[k];
        x[i] = sum;
    }
    for (std::size_t i = n; i-- > 0;) {
        double sum = x[i] / m_d[i];
        for (std::size_t k = i + 1; k < n; ++k) sum -= m_l[k * n + i] * x[k];
        x[i] = sum;
    }
}

int DenseLdlt::negativePivots() const
{
    return static_cast<int>(std::count_if(m_d.begin(), m_d.end(), [](double d) { return d < 0.; }));
}

bool DenseLu::factorize(int size, std::span<const double> a)
{
    const std::size_t n = checkedSize(size, a);
    m_size = size;
    m_ok = false;
    m_failed = -1;
    m_oddPermutation = false;
    m_lu.assign(a.begin(), a.end());
    m_order.resize(n);
    m_x.resize(n);
    std::iota(m_order.begin(), m_order.end(), 0);
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t p = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(m_lu[i * n + k]) > std::abs(m_lu[p * n + k])) p = i;
        if (p != k) {
            for (std::size_t j = 0; j < n; ++j) std::swap(m_lu[p * n + j], m_lu[k * n + j]);
            std::swap(m_order[p], m_order[k]);
            m_oddPermutation = !m_oddPermutation;
        }
        const double pivot = m_lu[k * n + k];
        if (pivot == 0. || !std::isfinite(pivot)) {
            m_failed = static_cast<int>(k);
            return false;
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            const double l = m_lu[i * n + k] /= pivot;
            for (std::size_t j = k + 1; j < n; ++j) m_lu[i * n + j] -= l * m_lu[k * n + j];
        }
    }
    // A value that is not finite need not have met a pivot.
    return m_ok = std::all_of(m_lu.begin(), m_lu.end(), [](double v) { return std::isfinite(v); });
}

void DenseLu::solve(std::span<const double> b, std::span<double> x) const
{
    const std::size_t n = checkedSolve(m_size, m_ok, b.size(), x.size());
    for (std::size_t i = 0; i < n; ++i) {
        double sum = b[static_cast<std::size_t>(m_order[i])];
        for (std::size_t k = 0; k < i; ++k) sum -= m_lu[i * n + k] * m_x[k];
        m_x[i] = sum;
    }
    for (std::size_t i = n; i-- > 0;) {
        double sum = m_x[i];
        for (std::size_t k = i + 1; k < n; ++k) sum -= m_lu[i * n + k] * m_x[k];
        m_x[i] = sum / m_lu[i * n + i];
    }
    std::copy(m_x.begin(), m_x.end(), x.begin());
}

double DenseLu::determinant() const
{
    if (!m_ok) return 0.;
    double d = m_oddPermutation ? -1. : 1.;
    const auto n = static_cast<std::size_t>(m_size);
    for (std::size_t i = 0; i < n; ++i) d *= m_lu[i * n + i];
    return d;
}

}  // namespace sofa::core
