// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Several numbers at once, for the texts of the element kernels: as many as the registers of the instruction set hold
// (`packLanes`), so that the eight lanes of the data are done in one, two or four goes. Everything has internal linkage
// and is inlined: the files of the instruction sets must not share any of it. Results are the same for all of them: no
// multiplication is fused with an addition.
#pragma once

// NOLINTBEGIN(misc-definitions-in-headers)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here crosses the boundary of a file
#endif
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace sofa::core {

namespace {

#define SOFA_PACK static inline __attribute__((always_inline))

// What each addition, multiplication, division and square root of a pack does besides: tests/benchmarks/operations.cpp
// counts them, and so gives the floating point operations of an element.
#if !defined(SOFA_PACK_OPERATION)
#define SOFA_PACK_OPERATION ((void)0)
#endif

#if defined(__AVX512F__)
constexpr int packLanes = 8;
#elif defined(__AVX__)
constexpr int packLanes = 4;
#else
constexpr int packLanes = 2;
#endif

typedef double PackValues __attribute__((vector_size(8 * packLanes)));
typedef long long PackMask __attribute__((vector_size(8 * packLanes)));

/// Several numbers. Comparisons give masks; `select` chooses by them.
struct Real
{
    PackValues v;
    Real() = default;
    __attribute__((always_inline)) Real(PackValues x) : v(x) {}
    __attribute__((always_inline)) Real(double x) : v(PackValues{} + x) {}
};

SOFA_PACK Real operator+(const Real& a, const Real& b)
{
    SOFA_PACK_OPERATION;
    return a.v + b.v;
}
SOFA_PACK Real operator-(const Real& a, const Real& b)
{
    SOFA_PACK_OPERATION;
    return a.v - b.v;
}
SOFA_PACK Real operator*(const Real& a, const Real& b)
{
    SOFA_PACK_OPERATION;
    return a.v * b.v;
}
SOFA_PACK Real operator/(const Real& a, const Real& b)
{
    SOFA_PACK_OPERATION;
    return a.v / b.v;
}
SOFA_PACK Real operator-(const Real& a) { return -a.v; }
SOFA_PACK PackMask operator<(const Real& a, const Real& b) { return a.v < b.v; }
SOFA_PACK PackMask operator<=(const Real& a, const Real& b) { return a.v <= b.v; }

SOFA_PACK Real select(PackMask m, const Real& a, const Real& b) { return m ? a.v : b.v; }
SOFA_PACK Real abs(const Real& a)
{
    const PackMask m = (PackMask)a.v & 0x7fffffffffffffffLL;
    return (PackValues)m;
}
/// |a| with the sign of b.
SOFA_PACK Real withSign(const Real& a, const Real& b)
{
    const PackMask m = ((PackMask)a.v & 0x7fffffffffffffffLL) | ((PackMask)b.v & ~0x7fffffffffffffffLL);
    return (PackValues)m;
}
SOFA_PACK Real max(const Real& a, const Real& b) { return select(a < b, b, a); }

SOFA_PACK Real sqrt(const Real& a)
{
    SOFA_PACK_OPERATION;
#if defined(__AVX512F__)
    return (PackValues)_mm512_maskz_sqrt_pd(0xff, (__m512d)a.v);
#elif defined(__AVX__)
    return (PackValues)_mm256_sqrt_pd((__m256d)a.v);
#else
    PackValues r;
    for (int l = 0; l < packLanes; ++l) r[l] = __builtin_sqrt(a.v[l]);
    return r;
#endif
}
SOFA_PACK bool any(PackMask m)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#else
    long long r = 0;
    for (int l = 0; l < packLanes; ++l) r |= m[l];
    return r != 0;
#endif
}
SOFA_PACK Real load(const double* p) { return *reinterpret_cast<const PackValues*>(p); }
SOFA_PACK void store(double* p, const Real& a) { *reinterpret_cast<PackValues*>(p) = a.v; }

/// Packs at any address.
typedef double LoosePack __attribute__((vector_size(8 * packLanes), aligned(8), may_alias));

SOFA_PACK Real loadLoose(const double* p) { return (PackValues) * reinterpret_cast<const LoosePack*>(p); }
SOFA_PACK void storeLoose(double* p, const Real& a) { *reinterpret_cast<LoosePack*>(p) = a.v; }

#if defined(__AVX512F__)
/// Four rows of eight lanes become four numbers for each lane: c[k] those of lane k, then those of lane k + 4.
SOFA_PACK void transposeFour(const PackValues* a, PackValues* c)
{
    PackValues b[4];
    for (int k = 0; k < 4; k += 2) {
        b[k] = __builtin_shufflevector(a[k], a[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        b[k + 1] = __builtin_shufflevector(a[k], a[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int odd = 0; odd < 2; ++odd) {
        c[odd] = __builtin_shufflevector(b[odd], b[2 + odd], 0, 1, 8, 9, 4, 5, 12, 13);
        c[2 + odd] = __builtin_shufflevector(b[odd], b[2 + odd], 2, 3, 10, 11, 6, 7, 14, 15);
    }
}
#endif

/// columns[l] has lane l of the rows a.
SOFA_PACK void transposeSquare(const PackValues* a, PackValues (&columns)[packLanes])
{
#if defined(__AVX512F__)
    PackValues c[8];
    transposeFour(a, c);
    transposeFour(a + 4, c + 4);
    for (int k = 0; k < 4; ++k) {
        columns[k] = __builtin_shufflevector(c[k], c[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        columns[k + 4] = __builtin_shufflevector(c[k], c[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
#elif defined(__AVX__)
    PackValues b[4];
    for (int k = 0; k < 4; k += 2) {
        b[k] = __builtin_shufflevector(a[k], a[k + 1], 0, 4, 2, 6);
        b[k + 1] = __builtin_shufflevector(a[k], a[k + 1], 1, 5, 3, 7);
    }
    for (int k = 0; k < 2; ++k) {
        columns[k] = __builtin_shufflevector(b[k], b[k + 2], 0, 1, 4, 5);
        columns[k + 2] = __builtin_shufflevector(b[k], b[k + 2], 2, 3, 6, 7);
    }
#else
    columns[0] = __builtin_shufflevector(a[0], a[1], 0, 2);
    columns[1] = __builtin_shufflevector(a[0], a[1], 1, 3);
#endif
}

/// The square of the rows [row, row + packLanes) and the lanes [group, group + packLanes) of `values`, which has Lanes
/// lanes in a row: columns[l] has the rows of lane group + l.
template <int Lanes = 8>
SOFA_PACK void transposeSquare(const double* values, int row, int group, PackValues (&columns)[packLanes])
{
    PackValues a[packLanes];
    for (int k = 0; k < packLanes; ++k) a[k] = load(values + Lanes * (row + k) + group).v;
    transposeSquare(a, columns);
}

/// Writes Rows rows of eight lanes, which begin at a multiple of eight rows, lane by lane: out[lane · Rows + row].
template <int Rows>
SOFA_PACK void scatterRows(double (&rows)[(Rows + 7) / 8 * 8][8], double* out)
{
    constexpr int groups = (Rows + packLanes - 1) / packLanes, last = Rows - packLanes * (groups - 1);
    constexpr bool single = last == 1 && groups > 1;  // one row is moved number by number
#if defined(__AVX512F__)
    constexpr bool half = last == 4;  // a square of eight would be half empty
#else
    constexpr bool half = false;
#endif
    if constexpr (!half && !single)
        for (int k = Rows; k < groups * packLanes; ++k) __builtin_memset(rows[k], 0, 64);
    if constexpr (single)
        for (int l = 0; l < 8; ++l) out[Rows * l + Rows - 1] = rows[Rows - 1][l];
    for (int lane = 0; lane < 8; lane += packLanes)
        for (int g = 0; g + (half || single) < groups; ++g) {
            PackValues columns[packLanes];
            transposeSquare(rows[0], packLanes * g, lane, columns);
            for (int l = 0; l < packLanes; ++l)
                __builtin_memcpy(out + Rows * (lane + l) + packLanes * g, &columns[l],
                                 8 * (g + 1 < groups ? packLanes : last));
        }
#if defined(__AVX512F__)
    if constexpr (half) {
        PackValues a[4], c[4];
        for (int k = 0; k < 4; ++k) a[k] = load(rows[Rows - 4 + k]).v;
        transposeFour(a, c);
        for (int l = 0; l < 4; ++l) {
            double* to = out + Rows * l + Rows - 4;
            _mm256_storeu_pd(to, __builtin_shufflevector(c[l], c[l], 0, 1, 2, 3));
            _mm256_storeu_pd(to + 4 * Rows, __builtin_shufflevector(c[l], c[l], 4, 5, 6, 7));
        }
    }
#endif
}

/// Coordinates of the points vertices[Stride · lane] for `packLanes` lanes, which stand in x as three numbers each.
template <int Stride = 1>
SOFA_PACK void gatherPoints(const double* x, const unsigned* vertices, Real (&to)[3])
{
#if defined(__AVX512F__)
    PackValues p[4];
    for (int l = 0; l < 4; ++l)
        p[l] = __builtin_shufflevector(_mm256_maskz_loadu_pd(7, x + 3 * (unsigned long)vertices[Stride * l]),
                                       _mm256_maskz_loadu_pd(7, x + 3 * (unsigned long)vertices[Stride * (l + 4)]), 0,
                                       1, 2, 3, 4, 5, 6, 7);
    const PackValues xz01 = __builtin_shufflevector(p[0], p[1], 0, 8, 2, 10, 4, 12, 6, 14),
                     y01 = __builtin_shufflevector(p[0], p[1], 1, 9, 3, 11, 5, 13, 7, 15),
                     xz23 = __builtin_shufflevector(p[2], p[3], 0, 8, 2, 10, 4, 12, 6, 14),
                     y23 = __builtin_shufflevector(p[2], p[3], 1, 9, 3, 11, 5, 13, 7, 15);
    to[0] = __builtin_shufflevector(xz01, xz23, 0, 1, 8, 9, 4, 5, 12, 13);
    to[1] = __builtin_shufflevector(y01, y23, 0, 1, 8, 9, 4, 5, 12, 13);
    to[2] = __builtin_shufflevector(xz01, xz23, 2, 3, 10, 11, 6, 7, 14, 15);
#elif defined(__AVX__)
    const double* p[4];
    for (int l = 0; l < 4; ++l) p[l] = x + 3 * (unsigned long)vertices[Stride * l];
    const __m256d even = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p[0])), _mm_loadu_pd(p[2]), 1),
                  odd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p[1])), _mm_loadu_pd(p[3]), 1);
    to[0] = (PackValues)_mm256_unpacklo_pd(even, odd);
    to[1] = (PackValues)_mm256_unpackhi_pd(even, odd);
    to[2] = PackValues{p[0][2], p[1][2], p[2][2], p[3][2]};
#else
    const double *a = x + 3 * (unsigned long)vertices[0], *b = x + 3 * (unsigned long)vertices[Stride];
    for (int c = 0; c < 3; ++c) to[c] = PackValues{a[c], b[c]};
#endif
}

/// Non-temporal store to an aligned address.
SOFA_PACK void stream(double* p, const Real& a)
{
#if defined(__AVX512F__)
    _mm512_stream_pd(p, (__m512d)a.v);
#elif defined(__AVX__)
    _mm256_stream_pd(p, (__m256d)a.v);
#else
    store(p, a);
#endif
}

/// ln x to 1 unit in the last place for normal positive x; NaN for negative x and NaN, −∞ for 0 and subnormal numbers.
/// x = 2^k m with m in [√½, √2), ln m = 2 artanh((m − 1)/(m + 1)) by its series.
SOFA_PACK Real log(const Real& x)
{
    PackMask bits = (PackMask)x.v;
    const PackMask shifted = bits - 0x3fe6a09e667f3bcdLL;  // √½
    const PackMask k = shifted >> 52;
    bits -= k << 52;
    const Real m = (PackValues)bits;
    PackValues exponent;
    for (int l = 0; l < packLanes; ++l) exponent[l] = (double)k[l];
    const Real f = m - 1., s = f / (m + 1.), z = s * s;
    Real t = 1. / 23.;
    t = t * z + 1. / 21.;
    t = t * z + 1. / 19.;
    t = t * z + 1. / 17.;
    t = t * z + 1. / 15.;
    t = t * z + 1. / 13.;
    t = t * z + 1. / 11.;
    t = t * z + 1. / 9.;
    t = t * z + 1. / 7.;
    t = t * z + 1. / 5.;
    t = t * z + 1. / 3.;
    // ln m = 2 s + 2 s z t = f − (f²/2 − s (f²/2 + 2 z t)): exact to the last place also near m = 1.
    const Real half = f * f * 0.5;
    const Real low = half - s * (half + z * t * 2.);
    const Real e = exponent;
    const Real result = e * 0x1.62e42feep-1 - ((low - e * 1.90821492927058770002e-10) - f);
    const Real zero = 0.;
    const Real special = select(x < zero, (PackValues)(PackMask{} + 0x7ff8000000000000LL), Real(-__builtin_inf()));
    const Real regular = select(x <= Real(2.2250738585072014e-308), special, result);
    const Real notANumber = x + x;
    // NaN and +∞ pass through.
    return select(x <= Real(1.7976931348623157e308), regular, notANumber);
}

/// eˣ to 1 unit in the last place; 0 below −708, ∞ above 709.
SOFA_PACK Real exp(const Real& x)
{
    const Real limited = select(x < Real(-708.), Real(-708.), select(Real(709.) < x, Real(709.), x));
    const Real shifter = 6755399441055744.;  // 1.5 · 2⁵²: adding it rounds to an integer
    const Real t = limited * 1.4426950408889634 + shifter;
    const Real k = t - shifter;
    const Real r = (limited - k * 0x1.62e42feep-1) - k * 1.90821492927058770002e-10;
    Real p = 1. / 87178291200.;
    p = p * r + 1. / 6227020800.;
    p = p * r + 1. / 479001600.;
    p = p * r + 1. / 39916800.;
    p = p * r + 1. / 3628800.;
    p = p * r + 1. / 362880.;
    p = p * r + 1. / 40320.;
    p = p * r + 1. / 5040.;
    p = p * r + 1. / 720.;
    p = p * r + 1. / 120.;
    p = p * r + 1. / 24.;
    p = p * r + 1. / 6.;
    p = p * r + 0.5;
    const Real y = (p * r * r + r) + 1.;
    const PackMask bits = (PackMask)y.v + ((PackMask)t.v << 52);
    const Real result = (PackValues)bits;
    const Real bounded = select(x < Real(-708.), Real(0.), select(Real(709.) < x, Real(__builtin_inf()), result));
    return select(x <= Real(1.7976931348623157e308), bounded, x);
}

}  // namespace

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
