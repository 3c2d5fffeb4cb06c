// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/kernels/EdgeKernels.h: included once by the file of each instruction set, which
// names the table that it defines in SOFA_EDGE_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/kernels/EdgeKernels.h"
#include "core/fem/kernels/PackSource.h"
#include "core/fem/kernels/QuadraticProducts.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

/// Lane by lane, so that the sums are in the order of the elements also where two elements of a pack meet. Pair by pair
/// would save the way of the rows through memory, but neighbours have the same sums there, and each addition would wait
/// for the one before.
template <int MostPairs>
SOFA_PACK void addBlocksOf(const double* values, int pairs, const std::uint32_t* targets, int count,
                           const EdgeSums& sums)
{
    // Sums of the next pack are on their way while this one is added.
    for (int k = 8 * pairs; k < 16 * pairs; ++k)
        __builtin_prefetch(sums.most + (targets[k] & pairIndex) * std::size_t{8}, 1);
    alignas(64) double rows[8 * MostPairs * 8];  // [lane][pair][first eight values]
    for (int k = 0; k < pairs; ++k)
        for (int group = 0; group < 8; group += packLanes)
            for (int row = 0; row < 8; row += packLanes) {
                PackValues columns[packLanes];
                transposeSquare(values + 72 * k, row, group, columns);
                for (int l = 0; l < packLanes; ++l) store(rows + 8 * ((group + l) * MostPairs + k) + row, columns[l]);
            }
    for (int l = 0; l < count; ++l, targets += pairs)
        for (int k = 0; k < pairs; ++k) {
            const std::uint32_t pair = targets[k] & pairIndex;
            if (pair == pairNowhere) continue;
            double *to = sums.most + pair * std::size_t{8}, *last = sums.others + pair;
            const double* from = rows + 8 * (l * MostPairs + k);
            // 0 for the first one, which is set, else all bits.
            const long long keep = ~(long long)((int)targets[k] >> 31);
            const PackMask kept = PackMask{} + keep;
            for (int i = 0; i < 8; i += packLanes)
                store(to + i, Real((PackValues)((PackMask)load(to + i).v & kept)) + load(from + i));
            // Not a branch: nothing tells it in advance.
            *last = __builtin_bit_cast(double, __builtin_bit_cast(long long, *last) & keep) + values[72 * k + 64 + l];
        }
}

void addBlocks(const double* values, std::size_t pairs, const std::uint32_t* targets, std::size_t count,
               const EdgeSums& sums)
{
    if (pairs == 6)
        addBlocksOf<6>(values, 6, targets, (int)count, sums);
    else if (pairs <= 28)
        addBlocksOf<28>(values, (int)pairs, targets, (int)count, sums);
    else
        addBlocksOf<45>(values, (int)pairs, targets, (int)count, sums);
}

#if defined(__AVX__)
/// Four numbers.
typedef double Four __attribute__((vector_size(32), may_alias));
typedef double LooseFour __attribute__((vector_size(32), aligned(8), may_alias));
typedef double LooseTwo __attribute__((vector_size(16), aligned(8), may_alias));

SOFA_PACK Four loadFour(const double* p) { return *(const Four*)p; }

/// The block −(G(λ) + G(μ)ᵀ + tr G(μ) I) from the rows of G(λ) and G(μ), whose fourth numbers mean nothing.
SOFA_PACK void putBlock(const Four (&l)[3], const Four (&m)[3], double* out)
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    const Four even = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6),
               odd = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
    const Four row0 = l[0] + __builtin_shufflevector(even, m[2], 0, 1, 4, 4) + Four{trace, 0., 0., 0.},
               row1 = l[1] + __builtin_shufflevector(odd, m[2], 0, 1, 5, 5) + Four{0., trace, 0., 0.},
               row2 = l[2] + __builtin_shufflevector(even, m[2], 2, 3, 6, 6) + Four{0., 0., trace, 0.};
    *(LooseFour*)out = -row0;
    *(LooseFour*)(out + 3) = -row1;
    *(LooseTwo*)(out + 6) = -__builtin_shufflevector(row2, row2, 0, 1);
    out[8] = -row2[2];
}
#else
/// Four numbers in two registers.
struct Four
{
    PackValues low, high;
};

SOFA_PACK Four loadFour(const double* p) { return {load(p).v, load(p + 2).v}; }
SOFA_PACK Four operator*(const Four& a, double b) { return {a.low * b, a.high * b}; }
SOFA_PACK Four operator+(const Four& a, const Four& b) { return {a.low + b.low, a.high + b.high}; }
SOFA_PACK Four& operator+=(Four& a, const Four& b)
{
    a.low += b.low;
    a.high += b.high;
    return a;
}

SOFA_PACK void putBlock(const Four (&l)[3], const Four (&m)[3], double* out)
{
    const double trace = m[0].low[0] + m[1].low[1] + m[2].high[0];
    out[0] = -(l[0].low[0] + m[0].low[0] + trace);
    out[1] = -(l[0].low[1] + m[1].low[0] + 0.);
    out[2] = -(l[0].high[0] + m[2].low[0] + 0.);
    out[3] = -(l[1].low[0] + m[0].low[1] + 0.);
    out[4] = -(l[1].low[1] + m[1].low[1] + trace);
    out[5] = -(l[1].high[0] + m[2].low[1] + 0.);
    out[6] = -(l[2].low[0] + m[0].high[0] + 0.);
    out[7] = -(l[2].low[1] + m[1].high[0] + 0.);
    out[8] = -(l[2].high[0] + m[2].high[0] + trace);
}
#endif

void sumLinear(const IsotropicTangent* tangents, const std::uint32_t* terms, std::size_t count, double* out)
{
    const double* const vectors = tangents->rows[0];
    for (std::size_t p = 0; p < count; ++p, out += 9) {
        Four l[3] = {}, m[3] = {};
        std::uint32_t term;
        do {
            const double* const later = vectors + 16 * (std::size_t)(terms[isotropicTermsAhead] >> linearTermBits);
            __builtin_prefetch(later);
            __builtin_prefetch(later + 8);
            term = *terms++;
            const double* const element = vectors + 16 * (std::size_t)(term >> linearTermBits);
            const double* const a = element + (term >> 1 & 12);
            const Four b = loadFour(element + 2 * (term & 6)), mb = b * element[3], lb = b * element[7];
            for (int r = 0; r < 3; ++r) {
                m[r] += mb * a[r];
                l[r] += lb * a[r];
            }
        } while (!(term & lastIsotropicTerm));
        putBlock(l, m, out);
    }
}

SOFA_PACK void addProduct(const double* a, const Four& b, const double* element, Four (&l)[3], Four (&m)[3])
{
    const Four mb = b * element[3], lb = b * element[7];
    for (int r = 0; r < 3; ++r) {
        m[r] += mb * a[r];
        l[r] += lb * a[r];
    }
}

void sumQuadratic(const IsotropicTangent* tangents, const std::uint8_t* middles, const std::uint32_t* terms,
                  std::size_t count, double* out)
{
    constexpr const QuadraticProducts& products = quadraticProducts;
    const double* const vectors = tangents->rows[0];
    for (std::size_t p = 0; p < count; ++p, out += 9) {
        Four l[3] = {}, m[3] = {};
        std::uint32_t term;
        do {
            const double* const later = vectors + 16 * (std::size_t)(terms[isotropicTermsAhead] >> quadraticTermBits);
            __builtin_prefetch(later);
            __builtin_prefetch(later + 8);
            term = *terms++;
            const std::uint32_t place = term >> quadraticTermBits;
            const double* const element = vectors + 16 * (std::size_t)place;
            const unsigned char* const shapes = products.shapeOf[middles[place]];
            const unsigned char i = shapes[term >> 5 & 15], j = shapes[term >> 1 & 15];
            const double* const w = products.weights[i][j];
            const Four a = loadFour(element + products.a[j]), b = loadFour(element + products.b[j]);
            addProduct(element + products.a[i], a * w[0] + b * w[1], element, l, m);
            if (products.hasTwo(i)) addProduct(element + products.b[i], a * w[2] + b * w[3], element, l, m);
        } while (!(term & lastIsotropicTerm));
        for (int r = 0; r < 3; ++r) {
            l[r] = l[r] * 0.05;
            m[r] = m[r] * 0.05;
        }
        putBlock(l, m, out);
    }
}

}  // namespace

extern const EdgeKernels SOFA_EDGE_KERNELS;
const EdgeKernels SOFA_EDGE_KERNELS{addBlocks, sumLinear, sumQuadratic};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
