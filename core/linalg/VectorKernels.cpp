// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/VectorKernels.h"

#include <cstddef>

#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define SOFA_KERNEL_INLINE [[gnu::always_inline]] inline
#if defined(__clang__)
#define SOFA_UNROLL _Pragma("unroll")
#else
#define SOFA_UNROLL _Pragma("GCC unroll 32")
#endif

namespace sofa::core::vector {

namespace {

constexpr std::size_t grain = 16384;
constexpr int partialSums = 64;

struct Kernels
{
    double (*dot)(const double* a, const double* b, std::size_t n);
    void (*addScaled)(double* y, const double* x, double f, std::size_t n);
    void (*scaleAndAdd)(double* y, double f, const double* x, std::size_t n);
    double (*updateResidual)(double* r, const double* q, double alpha, std::size_t n);
    void (*updateDirection)(double* x, double* p, const double* r, double alpha, double beta, std::size_t n);
};

double join(double* sums)
{
    for (int half = partialSums / 2; half > 0; half /= 2)
        for (int k = 0; k < half; ++k) sums[k] += sums[k + half];
    return sums[0];
}

}  // namespace

namespace scalar {
namespace {
using V = double;
constexpr int W = 1;
SOFA_KERNEL_INLINE V load(const double* p) { return *p; }
SOFA_KERNEL_INLINE void store(double* p, V v) { *p = v; }
SOFA_KERNEL_INLINE V broadcast(double x) { return x; }
SOFA_KERNEL_INLINE V multiply(V a, V b) { return a * b; }
SOFA_KERNEL_INLINE V add(V a, V b) { return a + b; }
SOFA_KERNEL_INLINE V subtract(V a, V b) { return a - b; }
#include "core/linalg/VectorKernelsBody.h"
}  // namespace
}  // namespace scalar

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace avx2 {
namespace {
using V = __m256d;
constexpr int W = 4;
SOFA_KERNEL_INLINE V load(const double* p) { return _mm256_loadu_pd(p); }
SOFA_KERNEL_INLINE void store(double* p, V v) { _mm256_storeu_pd(p, v); }
SOFA_KERNEL_INLINE V broadcast(double x) { return _mm256_set1_pd(x); }
SOFA_KERNEL_INLINE V multiply(V a, V b) { return _mm256_mul_pd(a, b); }
SOFA_KERNEL_INLINE V add(V a, V b) { return _mm256_add_pd(a, b); }
SOFA_KERNEL_INLINE V subtract(V a, V b) { return _mm256_sub_pd(a, b); }
#include "core/linalg/VectorKernelsBody.h"
}  // namespace
}  // namespace avx2
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx2"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx2")
#endif
namespace avx512 {
namespace {
using V = __m512d;
constexpr int W = 8;
SOFA_KERNEL_INLINE V load(const double* p) { return _mm512_loadu_pd(p); }
SOFA_KERNEL_INLINE void store(double* p, V v) { _mm512_storeu_pd(p, v); }
SOFA_KERNEL_INLINE V broadcast(double x) { return _mm512_set1_pd(x); }
SOFA_KERNEL_INLINE V multiply(V a, V b) { return _mm512_mul_pd(a, b); }
SOFA_KERNEL_INLINE V add(V a, V b) { return _mm512_add_pd(a, b); }
SOFA_KERNEL_INLINE V subtract(V a, V b) { return _mm512_sub_pd(a, b); }
#include "core/linalg/VectorKernelsBody.h"
}  // namespace
}  // namespace avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

namespace {

const Kernels& kernels() { return *SOFA_OF_SIMD_LEVEL(&scalar::table, &avx2::table, &avx512::table); }

}  // namespace

double dot(std::span<const double> a, std::span<const double> b)
{
    const Kernels& k = kernels();
    return parallelSum(0, a.size(), grain, 0., [&](std::size_t first, std::size_t last) {
        return k.dot(a.data() + first, b.data() + first, last - first);
    });
}

void addScaled(std::span<double> y, std::span<const double> x, double f)
{
    const Kernels& k = kernels();
    parallelFor(0, y.size(), grain, [&](std::size_t first, std::size_t last) {
        k.addScaled(y.data() + first, x.data() + first, f, last - first);
    });
}

void scaleAndAdd(std::span<double> y, double f, std::span<const double> x)
{
    const Kernels& k = kernels();
    parallelFor(0, y.size(), grain, [&](std::size_t first, std::size_t last) {
        k.scaleAndAdd(y.data() + first, f, x.data() + first, last - first);
    });
}

double updateResidual(std::span<double> r, std::span<const double> q, double alpha)
{
    const Kernels& k = kernels();
    return parallelSum(0, r.size(), grain, 0., [&](std::size_t first, std::size_t last) {
        return k.updateResidual(r.data() + first, q.data() + first, alpha, last - first);
    });
}

void updateDirection(std::span<double> x, std::span<double> p, std::span<const double> r, double alpha, double beta)
{
    const Kernels& k = kernels();
    parallelFor(0, x.size(), grain, [&](std::size_t first, std::size_t last) {
        k.updateDirection(x.data() + first, p.data() + first, r.data() + first, alpha, beta, last - first);
    });
}

}  // namespace sofa::core::vector
