// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/AggregationMultigrid.h"

#include <cmath>
#include <stdexcept>

#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

double largest(std::span<const double> v)
{
    return parallelReduce(
        0, v.size(), 65536, 0.,
        [&](std::size_t begin, std::size_t end) {
            double m = 0.;
            for (std::size_t i = begin; i < end; ++i) m = std::max(m, std::abs(v[i]));
            return m;
        },
        [](double a, double b) { return std::max(a, b); });
}

/// The power of two next to v, 1 for zero and for what is not finite.
double powerOfTwo(double v) { return v > 0. && std::isfinite(v) ? std::ldexp(1., std::ilogb(v)) : 1.; }

}  // namespace

void AggregationMultigrid::analyze(const BlockCsrMatrix& a, std::span<const int> fixed, int modes)
{
    if (a.rows() != a.cols()) throw std::runtime_error("multigrid needs a square matrix");
    m_levels.clear();
    m_modes = modes;
    m_unknowns = a.rows();
    m_fixed.assign(fixed.begin(), fixed.end());
    // A node is fixed when all its scalars are.
    const int block = a.blockSize();
    Vector<std::uint8_t> count(static_cast<std::size_t>(a.blockRows()), 0);
    for (const int s : m_fixed) ++count[static_cast<std::size_t>(s / block)];
    for (auto& c : count) c = c == block ? 1 : 0;
    const BlockCsrMatrix* last = &a;
    // Where there are many levels, a larger one is factorised, at the same share of the whole cost: fewer levels make
    // fewer iterations.
    const int small = std::max(coarsest, m_unknowns / 500);
    while (last->rows() > small) {
        auto next = makeMultigridLevel(*last, count, modes);
        const int rows = next->coarse().rows();
        // What hardly gets smaller is coupled so little that its factor is cheap.
        if (rows == 0 || 4. * rows > 3. * last->rows()) break;
        m_levels.push_back(std::move(next));
        last = &m_levels.back()->coarse();
        count.assign(static_cast<std::size_t>(last->blockRows()), 0);
    }
    m_factor = makeFactorization();
    m_factor->analyze(*last);
    m_last.resize(static_cast<std::size_t>(last->rows()));
    m_coarse.assign(m_last.size() + MultigridLevel::padding, 0.f);
}

void AggregationMultigrid::refresh(const BlockCsrMatrix& a, Vector<double> modes)
{
    if (a.rows() != m_unknowns || modes.size() != static_cast<std::size_t>(a.rows() * m_modes))
        throw std::runtime_error("multigrid: the matrix or the modes are not of the size that was analysed");
    for (const int s : m_fixed)
        std::fill_n(&modes[static_cast<std::size_t>(s) * static_cast<std::size_t>(m_modes)], m_modes, 0.);
    m_scale = 1. / powerOfTwo(largest(a.values()));
    const BlockCsrMatrix* last = &a;
    for (auto& level : m_levels) {
        level->refresh(*last, m_scale, modes);
        last = &level->coarse();
    }
    const FactorizationStatus status = m_factor->factorize(*last);
    if (status == FactorizationStatus::singular || status == FactorizationStatus::notFinite ||
        m_factor->report().negativePivots > 0)
        throw std::runtime_error("the matrix is not positive definite: " + m_factor->report().describe());
}

void AggregationMultigrid::cycle(std::size_t k)
{
    MultigridLevel& level = *m_levels[k];
    level.smoothDown(degree);
    if (k + 1 < m_levels.size()) {
        level.restrictTo(m_levels[k + 1]->residual);
        cycle(k + 1);
        level.smoothUp(m_levels[k + 1]->solution, degree);
        return;
    }
    level.restrictTo(m_coarse);
    for (std::size_t i = 0; i < m_last.size(); ++i) m_last[i] = static_cast<double>(m_coarse[i]);
    m_factor->solve(m_last, m_last);
    for (std::size_t i = 0; i < m_last.size(); ++i) m_coarse[i] = static_cast<float>(m_last[i] / m_scale);
    level.smoothUp(m_coarse, degree);
}

void AggregationMultigrid::apply(std::span<const double> r, std::span<double> z)
{
    if (m_levels.empty()) return m_factor->solve(r, z);
    const double size = powerOfTwo(largest(r));
    MultigridLevel& finest = *m_levels.front();
    parallelFor(0, r.size(), 16384, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) finest.residual[i] = static_cast<float>(r[i] / size);
    });
    cycle(0);
    parallelFor(0, r.size(), 16384, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) z[i] = static_cast<double>(finest.solution[i]) * (m_scale * size);
    });
}

Vector<unsigned> AggregationMultigrid::unknowns() const
{
    Vector<unsigned> all{static_cast<unsigned>(m_unknowns)};
    for (const auto& level : m_levels) all.push_back(static_cast<unsigned>(level->coarse().rows()));
    return all;
}

std::size_t AggregationMultigrid::bytes() const
{
    std::size_t sum = 0;
    for (const auto& level : m_levels) sum += level->bytes();
    return sum;
}

void addRigidModes(Vector<double>& rows, const Vec3& x, std::size_t translations, bool rotations, int modes)
{
    const double space[6][6] = {{1., 0., 0., 0., x[2], -x[1]}, {0., 1., 0., -x[2], 0., x[0]},
                                {0., 0., 1., x[1], -x[0], 0.}, {0., 0., 0., 1., 0., 0.},
                                {0., 0., 0., 0., 1., 0.},      {0., 0., 0., 0., 0., 1.}};
    const double plane[3][3] = {{1., 0., -x[1]}, {0., 1., x[0]}, {0., 0., 1.}};
    const auto append = [&](const double* row) { rows.insert(rows.end(), row, row + modes); };
    const auto row = [&](std::size_t k) { return modes == 6 ? space[k] : plane[k]; };
    for (std::size_t k = 0; k < translations; ++k) append(row(k));
    if (!rotations) return;
    // A body in the plane turns about the third axis.
    if (translations == 2)
        append(row(modes == 6 ? 5 : 2));
    else
        for (std::size_t k = 3; k < 6; ++k) append(row(k));
}

}  // namespace sofa::core
