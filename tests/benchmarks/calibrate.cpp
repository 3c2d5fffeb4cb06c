// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// What this machine can do, as the yardstick of the other benchmarks: a latency-bound chain of dependent fused
// multiply-adds (the plain speed of one thread), the bandwidth of a triad a = b + s c over arrays that no cache holds
// (bytes read and written, without those that a write allocates) by number of threads, and the peak of independent
// additions and multiplications of double precision numbers by instruction set, fused and not: our element kernels do
// not fuse, so that all instruction sets give the same bits. Usage: calibrate [--json]
#include "core/parallel/Parallel.h"
#include "tests/benchmarks/Report.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

volatile double sink;

#if defined(__x86_64__)
__attribute__((target("fma"))) double chain(double x)
{
    __m128d v = _mm_set_sd(x);
    const __m128d a = _mm_set_sd(0.99999999), b = _mm_set_sd(1e-8);
    for (int k = 0; k < 100'000'000; ++k) v = _mm_fmadd_sd(v, a, b);
    return _mm_cvtsd_f64(v);
}

// Twelve independent chains fill the pipelines of two units with a latency of four to six cycles.
constexpr int chains = 12, rounds = 4'000'000;
#define SOFA_PEAK(NAME, TARGET, TYPE, SET, UPDATE, FIRST)           \
    __attribute__((target(TARGET))) double NAME()                   \
    {                                                               \
        TYPE x[chains];                                             \
        for (int i = 0; i < chains; ++i) x[i] = SET(1. + 1e-9 * i); \
        const TYPE a = SET(0.9999999), b = SET(1e-7);               \
        for (int k = 0; k < rounds; ++k)                            \
            for (int i = 0; i < chains; ++i) x[i] = UPDATE;         \
        TYPE sum = x[0];                                            \
        for (int i = 1; i < chains; ++i) sum += x[i];               \
        return FIRST(sum);                                          \
    }
SOFA_PEAK(peakSse2, "sse2", __m128d, _mm_set1_pd, _mm_add_pd(_mm_mul_pd(x[i], a), b), _mm_cvtsd_f64)
SOFA_PEAK(peakAvx2, "avx2", __m256d, _mm256_set1_pd, _mm256_add_pd(_mm256_mul_pd(x[i], a), b), _mm256_cvtsd_f64)
SOFA_PEAK(peakAvx512, "avx512f", __m512d, _mm512_set1_pd, _mm512_add_pd(_mm512_mul_pd(x[i], a), b), _mm512_cvtsd_f64)
SOFA_PEAK(fusedAvx2, "avx2,fma", __m256d, _mm256_set1_pd, _mm256_fmadd_pd(x[i], a, b), _mm256_cvtsd_f64)
SOFA_PEAK(fusedAvx512, "avx512f", __m512d, _mm512_set1_pd, _mm512_fmadd_pd(x[i], a, b), _mm512_cvtsd_f64)
#undef SOFA_PEAK

void peaks(Report& report)
{
    struct Peak
    {
        SimdLevel level;
        int lanes;
        double (*separate)();
        double (*fused)();
    };
    for (const Peak& p : {Peak{SimdLevel::scalar, 2, peakSse2, nullptr}, Peak{SimdLevel::avx2, 4, peakAvx2, fusedAvx2},
                          Peak{SimdLevel::avx512, 8, peakAvx512, fusedAvx512}}) {
        if (p.level > bestSimdLevel()) break;
        const auto rate = [&](double (*f)()) {
            return f ? 2. * chains * rounds * p.lanes / best([&] { sink = f(); }) : 0.;
        };
        report.row({{"kind", "peak"},
                    {"set", name(p.level)},
                    {"separate [flop/s]", rate(p.separate)},
                    {"fused [flop/s]", rate(p.fused)}});
    }
}
#else
double chain(double x)
{
    for (int k = 0; k < 100'000'000; ++k) x = __builtin_fma(x, 0.99999999, 1e-8);
    return x;
}
void peaks(Report&) {}
#endif

double triad()
{
    static constexpr std::size_t n = 10'000'000;
    std::vector<double> a(n, 0.), b(n, 1.), c(n, 2.);
    const double t = best(
        [&] {
            parallelFor(0, n, 65536, [&](std::size_t first, std::size_t last) {
                for (std::size_t i = first; i < last; ++i) a[i] = b[i] + 3. * c[i];
            });
            b[n / 2] = a[n - 1];
        },
        1.);
    return 24. * n / t;
}

}  // namespace

int main(int argc, char** argv)
{
    Report report{Arguments(argc, argv)};
    report.row({{"kind", "chain"}, {"scalar chain [s]", best([] { sink = chain(1.); }, 0.5)}});
    setThreadCount(0);
    const unsigned cores = threadCount();
    for (unsigned threads = 1; threads <= cores; threads *= 2) {
        setThreadCount(threads);
        report.row({{"kind", "triad"}, {"threads", threads}, {"triad [B/s]", triad()}});
    }
    peaks(report);
    return 0;
}
