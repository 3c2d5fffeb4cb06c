// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Text of the kernels of bounding-volume hierarchies, compiled once for each instruction set. The macro
// SOFA_BVH_KERNELS is the name of the table that it defines. Everything else has internal linkage.
#pragma once

#include "core/geometry/BvhKernels.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core::geometry {

namespace {

/// lower − q.upper ≤ d and q.lower − upper ≤ d along every axis: Aabb::overlaps.
[[gnu::always_inline]] inline unsigned overlapMask(const BvhNode& n, const double* q, double d)
{
#if defined(__AVX512F__)
    const __m512d limit = _mm512_set1_pd(d);
    __mmask8 m = 0xff;
    for (int k = 0; k < 3; ++k) {
        const __m512d below = _mm512_sub_pd(_mm512_load_pd(n.bounds[k]), _mm512_set1_pd(q[3 + k]));
        const __m512d above = _mm512_sub_pd(_mm512_set1_pd(q[k]), _mm512_load_pd(n.bounds[3 + k]));
        m = _mm512_mask_cmp_pd_mask(m, below, limit, _CMP_LE_OQ);
        m = _mm512_mask_cmp_pd_mask(m, above, limit, _CMP_LE_OQ);
    }
    return m;
#elif defined(__AVX__)
    const __m256d limit = _mm256_set1_pd(d);
    unsigned result = 0;
    for (int half = 0; half < 2; ++half) {
        __m256d m = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
        for (int k = 0; k < 3; ++k) {
            const __m256d below = _mm256_sub_pd(_mm256_load_pd(n.bounds[k] + 4 * half), _mm256_set1_pd(q[3 + k]));
            const __m256d above = _mm256_sub_pd(_mm256_set1_pd(q[k]), _mm256_load_pd(n.bounds[3 + k] + 4 * half));
            m = _mm256_and_pd(
                m, _mm256_and_pd(_mm256_cmp_pd(below, limit, _CMP_LE_OQ), _mm256_cmp_pd(above, limit, _CMP_LE_OQ)));
        }
        result |= static_cast<unsigned>(_mm256_movemask_pd(m)) << (4 * half);
    }
    return result;
#elif defined(__SSE2__)
    const __m128d limit = _mm_set1_pd(d);
    unsigned result = 0;
    for (int part = 0; part < 4; ++part) {
        __m128d m = _mm_castsi128_pd(_mm_set1_epi64x(-1));
        for (int k = 0; k < 3; ++k) {
            const __m128d below = _mm_sub_pd(_mm_load_pd(n.bounds[k] + 2 * part), _mm_set1_pd(q[3 + k]));
            const __m128d above = _mm_sub_pd(_mm_set1_pd(q[k]), _mm_load_pd(n.bounds[3 + k] + 2 * part));
            m = _mm_and_pd(m, _mm_and_pd(_mm_cmple_pd(below, limit), _mm_cmple_pd(above, limit)));
        }
        result |= static_cast<unsigned>(_mm_movemask_pd(m)) << (2 * part);
    }
    return result;
#else
    unsigned result = 0;
    for (unsigned l = 0; l < bvhWidth; ++l) {
        bool all = true;
        for (int k = 0; k < 3; ++k) all &= n.bounds[k][l] - q[3 + k] <= d && q[k] - n.bounds[3 + k][l] <= d;
        result |= static_cast<unsigned>(all) << l;
    }
    return result;
#endif
}

unsigned overlaps(const BvhNode& n, const double* q, double d) { return overlapMask(n, q, d); }

void distances2(const BvhNode& n, const double* p, double* result)
{
    double sum[bvhWidth] = {};
    for (int k = 0; k < 3; ++k)
        for (unsigned l = 0; l < bvhWidth; ++l) {
            const double below = n.bounds[k][l] - p[k], above = p[k] - n.bounds[3 + k][l];
            const double gap = below > above ? below : above;
            sum[l] += gap > 0. ? gap * gap : 0.;
        }
    for (unsigned l = 0; l < bvhWidth; ++l) result[l] = n.bounds[0][l] <= n.bounds[3][l] ? sum[l] : __builtin_inf();
}

unsigned rayEntries(const BvhNode& n, const double* origin, const double* direction, double last, double* result)
{
    // The difference, the quotient and the product are each right to half a unit of the last place.
    constexpr double slack = 1. + 1e-15;
    double enter[bvhWidth], leave[bvhWidth];
    for (unsigned l = 0; l < bvhWidth; ++l) {
        enter[l] = 0.;
        leave[l] = n.bounds[0][l] <= n.bounds[3][l] ? last : -1.;
    }
    for (int k = 0; k < 3; ++k) {
        const double o = origin[k];
        if (direction[k] == 0.) {
            for (unsigned l = 0; l < bvhWidth; ++l)
                leave[l] = n.bounds[k][l] <= o && o <= n.bounds[3 + k][l] ? leave[l] : -1.;
            continue;
        }
        const double* near = n.bounds[direction[k] > 0. ? k : 3 + k];
        const double* far = n.bounds[direction[k] > 0. ? 3 + k : k];
        for (unsigned l = 0; l < bvhWidth; ++l) {
            const double t0 = (near[l] - o) / direction[k], t1 = (far[l] - o) / direction[k] * slack;
            enter[l] = t0 > enter[l] ? t0 : enter[l];
            leave[l] = t1 < leave[l] ? t1 : leave[l];
        }
    }
    unsigned mask = 0;
    for (unsigned l = 0; l < bvhWidth; ++l) {
        result[l] = enter[l];
        mask |= static_cast<unsigned>(enter[l] <= leave[l]) << l;
    }
    return mask;
}

struct PairSearch
{
    const BvhNode *a, *b;
    double distance;
    BvhPairSink* found;
    BvhPairSink* deferred;
    bool self;
};

constexpr std::uint64_t pack(std::uint32_t i, std::uint32_t j) { return std::uint64_t{i} << 32 | j; }

[[gnu::always_inline]] inline void makeRoom(BvhPairSink& sink, std::size_t n)
{
    if (sink.size + n > sink.capacity) sink.grow(sink, sink.size + n);
}

/// Room for it has been made.
[[gnu::always_inline]] inline void emit(const PairSearch& s, std::uint32_t i, std::uint32_t j)
{
    i &= ~bvhPrimitive;
    j &= ~bvhPrimitive;
    s.found->data[s.found->size++] = s.self && j < i ? pack(j, i) : pack(i, j);
}

[[gnu::always_inline]] inline void slotBox(const BvhNode& n, unsigned slot, double* box)
{
    for (int k = 0; k < 6; ++k) box[k] = n.bounds[k][slot];
}

/// Primitives below `node` that meet the box of one primitive. `first`: the one primitive is of the first tree.
void primitiveAgainstNode(const PairSearch& s, const double* box, std::uint32_t primitive, const BvhNode* nodes,
                          std::uint32_t node, bool first)
{
    const BvhNode& n = nodes[node];
    for (unsigned m = overlapMask(n, box, s.distance); m != 0; m &= m - 1) {
        const std::uint32_t child = n.child[__builtin_ctz(m)];
        if ((child & bvhPrimitive) == 0)
            primitiveAgainstNode(s, box, primitive, nodes, child, first);
        else if (makeRoom(*s.found, 1); first)
            emit(s, primitive, child);
        else
            emit(s, child, primitive);
    }
}

void nodeAgainstNode(const PairSearch& s, std::uint32_t i, std::uint32_t j);

/// A pair of children whose boxes meet.
[[gnu::always_inline]] inline void childAgainstChild(const PairSearch& s, const BvhNode& a, unsigned slotA,
                                                     const double* boxA, const BvhNode& b, unsigned slotB)
{
    const std::uint32_t i = a.child[slotA], j = b.child[slotB];
    const bool leafA = (i & bvhPrimitive) != 0, leafB = (j & bvhPrimitive) != 0;
    if (leafA && leafB) {
        makeRoom(*s.found, 1);
        emit(s, i, j);
    } else if (leafA) {
        primitiveAgainstNode(s, boxA, i, s.b, j, true);
    } else if (leafB) {
        double boxB[6];
        slotBox(b, slotB, boxB);
        primitiveAgainstNode(s, boxB, j, s.a, i, false);
    } else if (s.deferred) {
        makeRoom(*s.deferred, 1);
        s.deferred->data[s.deferred->size++] = pack(i, j);
    } else {
        nodeAgainstNode(s, i, j);
    }
}

void nodeAgainstNode(const PairSearch& s, std::uint32_t i, std::uint32_t j)
{
    const BvhNode &a = s.a[i], &b = s.b[j];
    double box[6];
    for (unsigned slot = 0; slot < a.count; ++slot) {
        slotBox(a, slot, box);
        for (unsigned m = overlapMask(b, box, s.distance); m != 0; m &= m - 1)
            childAgainstChild(s, a, slot, box, b, static_cast<unsigned>(__builtin_ctz(m)));
    }
}

void nodeAgainstItself(const PairSearch& s, std::uint32_t i)
{
    const BvhNode& a = s.a[i];
    double box[6];
    for (unsigned slot = 0; slot < a.count; ++slot) {
        slotBox(a, slot, box);
        for (unsigned m = overlapMask(a, box, s.distance) & (~1u << slot); m != 0; m &= m - 1)
            childAgainstChild(s, a, slot, box, a, static_cast<unsigned>(__builtin_ctz(m)));
        const std::uint32_t child = a.child[slot];
        if ((child & bvhPrimitive) != 0) continue;
        if (s.deferred) {
            makeRoom(*s.deferred, 1);
            s.deferred->data[s.deferred->size++] = pack(child, child);
        } else {
            nodeAgainstItself(s, child);
        }
    }
}

void pairs(const BvhNode* a, const BvhNode* b, std::uint64_t item, double distance, BvhPairSink& found,
           BvhPairSink* deferred)
{
    const PairSearch s{a, b, distance, &found, deferred, false};
    nodeAgainstNode(s, static_cast<std::uint32_t>(item >> 32), static_cast<std::uint32_t>(item));
}

void selfPairs(const BvhNode* a, std::uint64_t item, double distance, BvhPairSink& found, BvhPairSink* deferred)
{
    const PairSearch s{a, a, distance, &found, deferred, true};
    const auto i = static_cast<std::uint32_t>(item >> 32), j = static_cast<std::uint32_t>(item);
    if (i == j)
        nodeAgainstItself(s, i);
    else
        nodeAgainstNode(s, i, j);
}

}  // namespace

extern const BvhKernels SOFA_BVH_KERNELS;
const BvhKernels SOFA_BVH_KERNELS = {overlaps, distances2, rayEntries, pairs, selfPairs};

}  // namespace sofa::core::geometry
// NOLINTEND(misc-definitions-in-headers)
