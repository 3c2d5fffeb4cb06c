// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>

#include "core/linalg/BlockCsrMatrix.h"
#include "core/parallel/Parallel.h"
#include "tests/benchmarks/Report.h"

#ifdef SOFA_HAS_AMGCL
#include <amgcl/adapter/crs_tuple.hpp>
#include <amgcl/amg.hpp>
#include <amgcl/backend/builtin_hybrid.hpp>
#include <amgcl/coarsening/smoothed_aggregation.hpp>
#include <amgcl/make_solver.hpp>
#include <amgcl/relaxation/spai0.hpp>
#include <amgcl/solver/cg.hpp>
#include <amgcl/value_type/static_matrix.hpp>
#include <memory>
#include <tuple>
#include <vector>
#ifdef _OPENMP
#include <omp.h>
#endif
#endif

namespace sofa::benchmark {

/// A x = load to |r| ≤ tolerance · |load|; modes are the near null vectors, six numbers for each scalar.
struct PeerProblem
{
    const core::BlockCsrMatrix& matrix;
    const core::Vector<double>& modes;
    const core::Vector<double>& load;
    double tolerance;
};

struct PeerResult
{
    int iterations = 0;
    double setUp = 0., solve = 0.;
};

#ifdef SOFA_HAS_AMGCL

inline constexpr bool hasMultigridPeer = true;

/// Conjugate gradients with AMGCL (D. Demidov, "AMGCL: an efficient, flexible, and extensible algebraic multigrid
/// implementation", Lobachevskii Journal of Mathematics 40, 2019), as its documentation recommends for elasticity:
/// smoothed aggregation of points with near null vectors, sparse approximate inverses as smoothers, blocks of 3 × 3,
/// the hierarchy in single precision.
inline PeerResult solveByPeer(const PeerProblem& p)
{
    using Solver =
        amgcl::make_solver<amgcl::amg<amgcl::backend::builtin_hybrid<amgcl::static_matrix<float, 3, 3>>,
                                      amgcl::coarsening::smoothed_aggregation, amgcl::relaxation::spai0>,
                           amgcl::solver::cg<amgcl::backend::builtin_hybrid<amgcl::static_matrix<double, 3, 3>>>>;
#ifdef _OPENMP
    omp_set_num_threads(static_cast<int>(core::threadCount()));
#endif
    const auto n = static_cast<std::size_t>(p.matrix.rows());
    std::vector<std::ptrdiff_t> start{0}, columns;
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = i / 3, r = i % 3;
        for (auto k = static_cast<std::size_t>(p.matrix.rowPtr()[row]);
             k < static_cast<std::size_t>(p.matrix.rowPtr()[row + 1]); ++k)
            for (std::size_t c = 0; c < 3; ++c) {
                columns.push_back(3 * p.matrix.colIdx()[k] + static_cast<std::ptrdiff_t>(c));
                values.push_back(p.matrix.block(k)[3 * r + c]);
            }
        start.push_back(static_cast<std::ptrdiff_t>(columns.size()));
    }
    typename Solver::params parameters;
    parameters.solver.tol = p.tolerance;
    parameters.solver.maxiter = 1000;
    auto& coarsening = parameters.precond.coarsening;
    coarsening.aggr.eps_strong = 0.f;
    coarsening.aggr.block_size = 3;
    coarsening.estimate_spectral_radius = true;
    coarsening.nullspace.cols = 6;
    coarsening.nullspace.B.assign(p.modes.begin(), p.modes.end());
    std::unique_ptr<Solver> solver;
    PeerResult result;
    const auto matrix = std::tie(n, start, columns, values);
    result.setUp = best([&] { solver = std::make_unique<Solver>(matrix, parameters); }, 0.);
    const std::vector<double> load(p.load.begin(), p.load.end());
    std::vector<double> x(n);
    result.solve = best(
        [&] {
            std::fill(x.begin(), x.end(), 0.);
            result.iterations = static_cast<int>(std::get<0>((*solver)(load, x)));
        },
        0.);
    return result;
}

#else

inline constexpr bool hasMultigridPeer = false;
inline PeerResult solveByPeer(const PeerProblem&) { return {}; }

#endif

}  // namespace sofa::benchmark
