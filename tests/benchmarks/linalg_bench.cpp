// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Times of the linear algebra on elasticity matrices of tetrahedral boxes: products of the block sparse matrix with a
// vector, and direct factorisation and solution, this library against Eigen.
//
//     linalg_bench [largest number of points per edge = 26] [threads = 1] [--no-products] [--no-factorizations]
//                  [--orderings] [--json]
//
// Products are measured on boxes of about 10k, 100k and 1M tetrahedra, whatever the largest number of points of the
// factorisations, with the whole matrix and with half of it (core/linalg/SymmetricProduct.h); --orderings compares the
// orderings too.
#include <cmath>
#include <string>
#include <vector>

#include "core/linalg/BlockAssembler.h"
#include "core/linalg/Factorization.h"
#include "core/linalg/SymmetricProduct.h"
#include "core/parallel/Parallel.h"
#include "tests/benchmarks/Report.h"
#include "tests/core/linalg/ElasticMatrix.h"

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

void products(Report& report)
{
    for (const int n : {13, 27, 57}) {
        BlockAssembler assembler;
        sofa::test::assembleElastic(assembler, n, n, n, 1., 100.);
        const BlockCsrMatrix& a = assembler.matrix();
        Vector<double> x(static_cast<std::size_t>(a.rows()), 1.), y(x.size());
        const double seconds = usual([&] { a.multiply(x, y); }, 0.5);
        // As conjugate gradients do: with the upper triangle of the matrix, on vectors that stay padded.
        BlockCsrMatrix upper = a.upperPattern();
        for (int i = 0; i < a.blockRows(); ++i)
            std::copy(a.block(static_cast<std::size_t>(a.diagonal(i))),
                      a.block(static_cast<std::size_t>(a.rowPtr()[static_cast<std::size_t>(i) + 1])),
                      upper.block(static_cast<std::size_t>(upper.diagonal(i))));
        SymmetricProduct half;
        half.prepare(upper, assembler.patternVersion(), SymmetricProduct::Stored::Upper);
        Vector<double> padded, result(half.paddedSize());
        half.pad(x.data(), padded);
        const double halfSeconds = usual([&] { (void)half.multiplyPadded(upper, padded, result); }, 0.5);
        // Read: blocks and their columns, the vector and the starts of rows once; written: the result.
        const auto blocks = static_cast<double>(a.blockCount()), rows = static_cast<double>(a.blockRows());
        const double bytes = blocks * (72. + 4.) + rows * (4. + 24. + 24.);
        report.row({{"kind", "product"},
                    {"threads", threadCount()},
                    {"tetrahedra", 6. * std::pow(n - 1, 3)},
                    {"unknowns", a.rows()},
                    {"blocks", blocks},
                    {"product [us]", seconds * 1e6},
                    {"per block [ns]", seconds * 1e9 / blocks},
                    {"by half [us]", halfSeconds * 1e6},
                    {"bandwidth [B/s]", bytes / seconds},
                    {"rate [flop/s]", 18. * blocks / seconds}});
    }
}

void factorization(Report& report, const BlockCsrMatrix& a, FactorizationMethod method, OrderingMethod ordering)
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
    const auto& result = f->report();
    report.row({{"kind", "factorisation"},
                {"threads", threadCount()},
                {"unknowns", n},
                {"method", std::string(sofa::core::name(method))},
                {"ordering", std::string(sofa::core::name(result.ordering))},
                {"analyse [ms]", result.analyzeSeconds * 1e3},
                {"factorise [ms]", t * 1e3},
                {"rate [flop/s]", result.operations / t},
                {"non-zeros of L", result.factorNonZeros},
                {"solve [ms]", s1 * 1e3},
                {"16 solves [ms]", s16 * 1e3},
                {"residual", error / scale}});
}

void factorizations(Report& report, int largest, bool orderings)
{
    for (const int n : {6, 8, 9, 12, 17, 26, 37}) {
        if (n > largest) break;
        BlockAssembler assembler;
        sofa::test::assembleElastic(assembler, n, n, n, 1., 100.);
        const BlockCsrMatrix& a = assembler.matrix();
        factorization(report, a, FactorizationMethod::supernodalLdlt, OrderingMethod::automatic);
        if (orderings) {
            factorization(report, a, FactorizationMethod::supernodalLdlt, OrderingMethod::minimumDegree);
            factorization(report, a, FactorizationMethod::supernodalLdlt, OrderingMethod::nestedDissection);
        }
        if (n <= 17 && threadCount() == 1)
            factorization(report, a, FactorizationMethod::eigenLdlt, OrderingMethod::automatic);
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    setThreadCount(static_cast<unsigned>(arguments.number(1, 1)));
    Report report(arguments);
    if (!arguments.has("--no-products")) products(report);
    if (!arguments.has("--no-factorizations"))
        factorizations(report, static_cast<int>(arguments.number(0, 26)), arguments.has("--orderings"));
    return 0;
}
