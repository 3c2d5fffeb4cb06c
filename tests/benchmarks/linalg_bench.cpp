// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Times of the linear algebra on elasticity matrices of tetrahedral boxes: assembly, matrix-vector product, direct
// factorisation and solution, this library against Eigen.
//
//     linalg_bench [largest number of points per edge = 17] [threads = 1]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/linalg/BlockAssembler.h"
#include "core/linalg/Factorization.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/linalg/ElasticMatrix.h"

using namespace sofa::core;

namespace {

/// Best of several runs, in seconds; at least 3 runs and 0.2 s.
template <class F>
double best(F&& f)
{
    double least = 1e300, total = 0.;
    for (int run = 0; run < 3 || (total < 0.2 && run < 1000); ++run) {
        const auto start = std::chrono::steady_clock::now();
        f();
        const double t = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        least = std::min(least, t);
        total += t;
    }
    return least;
}

void factorizations(const BlockCsrMatrix& a, FactorizationMethod method, OrderingMethod ordering)
{
    const auto f = makeFactorization(method, ordering);
    f->analyze(a);
    const auto n = static_cast<std::size_t>(a.rows());
    const double t = best([&] { f->factorize(a); });
    std::vector<double> b(n), x(n), r(n), b16(16 * n), x16(16 * n);
    for (std::size_t i = 0; i < n; ++i) b[i] = std::sin(static_cast<double>(i));
    for (std::size_t i = 0; i < 16 * n; ++i) b16[i] = std::cos(static_cast<double>(i));
    const double s1 = best([&] { f->solve(b, x); });
    const double s16 = best([&] { f->solve(b16, x16, 16); });
    a.multiply(x, r);
    double error = 0., scale = 0.;
    for (std::size_t i = 0; i < n; ++i) {
        error = std::max(error, std::abs(r[i] - b[i]));
        scale = std::max(scale, std::abs(b[i]));
    }
    const auto& report = f->report();
    std::printf(
        "  %-19s %-7s analyse %8.2f ms  factorise %9.3f ms (%5.1f Gflop/s)  nnz(L) %9zu  solve %8.3f ms  "
        "16 rhs %8.3f ms  residual %.1e\n",
        std::string(name(method)).c_str(), std::string(name(report.ordering)).c_str(), report.analyzeSeconds * 1e3,
        t * 1e3, report.operations / t * 1e-9, report.factorNonZeros, s1 * 1e3, s16 * 1e3, error / scale);
}

}  // namespace

int main(int argc, char** argv)
{
    const int largest = argc > 1 ? std::atoi(argv[1]) : 17;
    setThreadCount(argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1);
    const bool orderings = argc > 3;
    std::printf("%u thread(s), SIMD level %d\n", threadCount(), static_cast<int>(simdLevel()));
    for (const int n : {6, 8, 9, 12, 17, 26, 37}) {
        if (n > largest) break;
        BlockAssembler assembler;
        sofa::test::assembleElastic(assembler, n, n, n, 1., 100.);
        const BlockCsrMatrix& a = assembler.matrix();
        std::vector<double> x(static_cast<std::size_t>(a.rows()), 1.), y(x.size());
        const double product = best([&] { a.multiply(x, y); });
        const double block[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        // The cost of replay alone: the sequence of the pattern itself.
        BlockAssembler replay;
        const auto pass = [&] {
            replay.begin(a.rows(), a.cols(), 3);
            for (int i = 0; i < a.blockRows(); ++i)
                for (int k = a.rowPtr()[static_cast<std::size_t>(i)]; k < a.rowPtr()[static_cast<std::size_t>(i) + 1];
                     ++k)
                    replay.add(3 * i, 3 * a.colIdx()[static_cast<std::size_t>(k)], block, 3, 3, 3, 1.);
            replay.end();
        };
        pass();
        const double add = best(pass);
        const auto blocks = static_cast<double>(a.blockCount());
        std::printf("%d unknowns, %zu blocks: product %.1f us (%.2f ns/block, %.1f GB/s), replayed add %.2f ns/block\n",
                    a.rows(), a.blockCount(), product * 1e6, product * 1e9 / blocks, blocks * 76. / product * 1e-9,
                    add * 1e9 / blocks);
        factorizations(a, FactorizationMethod::supernodalLdlt, OrderingMethod::automatic);
        if (orderings) {
            factorizations(a, FactorizationMethod::supernodalLdlt, OrderingMethod::minimumDegree);
            factorizations(a, FactorizationMethod::supernodalLdlt, OrderingMethod::nestedDissection);
        }
        if (n <= 17) factorizations(a, FactorizationMethod::eigenLdlt, OrderingMethod::automatic);
    }
    return 0;
}
