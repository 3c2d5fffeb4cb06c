// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/DenseKernels.h"

#include "core/parallel/SimdLevel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define SOFA_KERNEL_INLINE [[gnu::always_inline]] inline
#if defined(__clang__)
#define SOFA_UNROLL _Pragma("unroll")
#else
#define SOFA_UNROLL _Pragma("GCC unroll 24")
#endif

namespace sofa::core::dense {

// Every instruction set lives in an anonymous namespace inside its own, so that nothing is shared between them.

namespace scalar {
namespace {
using V = double;
constexpr int W = 1;
constexpr int tileColumns = 4;
SOFA_KERNEL_INLINE V load(const double* p) { return *p; }
SOFA_KERNEL_INLINE void store(double* p, V v) { *p = v; }
SOFA_KERNEL_INLINE V loadPart(const double* p, int) { return *p; }
SOFA_KERNEL_INLINE void storePart(double* p, V v, int) { *p = v; }
SOFA_KERNEL_INLINE V broadcast(double x) { return x; }
SOFA_KERNEL_INLINE V multiply(V a, V b) { return a * b; }
SOFA_KERNEL_INLINE V add(V a, V b) { return a + b; }
SOFA_KERNEL_INLINE V negativeMultiplyAdd(V a, V b, V c) { return __builtin_fma(-a, b, c); }
#include "core/linalg/DenseKernelsBody.h"
}  // namespace
}  // namespace scalar

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
namespace avx2 {
namespace {
using V = __m256d;
constexpr int W = 4;
constexpr int tileColumns = 12;
SOFA_KERNEL_INLINE V load(const double* p) { return _mm256_loadu_pd(p); }
SOFA_KERNEL_INLINE void store(double* p, V v) { _mm256_storeu_pd(p, v); }
SOFA_KERNEL_INLINE __m256i firstLanes(int n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_set_epi64x(3, 2, 1, 0));
}
SOFA_KERNEL_INLINE V loadPart(const double* p, int n) { return _mm256_maskload_pd(p, firstLanes(n)); }
SOFA_KERNEL_INLINE void storePart(double* p, V v, int n) { _mm256_maskstore_pd(p, firstLanes(n), v); }
SOFA_KERNEL_INLINE V broadcast(double x) { return _mm256_set1_pd(x); }
SOFA_KERNEL_INLINE V multiply(V a, V b) { return _mm256_mul_pd(a, b); }
SOFA_KERNEL_INLINE V add(V a, V b) { return _mm256_add_pd(a, b); }
SOFA_KERNEL_INLINE V negativeMultiplyAdd(V a, V b, V c) { return _mm256_fnmadd_pd(a, b, c); }
#include "core/linalg/DenseKernelsBody.h"
}  // namespace
}  // namespace avx2
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx2,fma")
#endif
namespace avx512 {
namespace {
using V = __m512d;
constexpr int W = 8;
constexpr int tileColumns = 24;
SOFA_KERNEL_INLINE V load(const double* p) { return _mm512_loadu_pd(p); }
SOFA_KERNEL_INLINE void store(double* p, V v) { _mm512_storeu_pd(p, v); }
SOFA_KERNEL_INLINE __mmask8 firstLanes(int n) { return static_cast<__mmask8>((1u << n) - 1u); }
SOFA_KERNEL_INLINE V loadPart(const double* p, int n) { return _mm512_maskz_loadu_pd(firstLanes(n), p); }
SOFA_KERNEL_INLINE void storePart(double* p, V v, int n) { _mm512_mask_storeu_pd(p, firstLanes(n), v); }
SOFA_KERNEL_INLINE V broadcast(double x) { return _mm512_set1_pd(x); }
SOFA_KERNEL_INLINE V multiply(V a, V b) { return _mm512_mul_pd(a, b); }
SOFA_KERNEL_INLINE V add(V a, V b) { return _mm512_add_pd(a, b); }
SOFA_KERNEL_INLINE V negativeMultiplyAdd(V a, V b, V c) { return _mm512_fnmadd_pd(a, b, c); }
#include "core/linalg/DenseKernelsBody.h"
}  // namespace
}  // namespace avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

const Kernels& kernels() { return *SOFA_OF_SIMD_LEVEL(&scalar::table, &avx2::table, &avx512::table); }

}  // namespace sofa::core::dense
