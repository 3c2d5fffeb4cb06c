// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricStores.h"

#include <algorithm>
#include <cstdint>

#include "core/parallel/SimdLevel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sofa::core {

namespace {

#if defined(__x86_64__)

/// Whole lines of the cache by non-temporal stores, whose old values need not be read. Nothing waits for these stores
/// here (see streamedBytes): a fence after each few rows would cost as much as the stores.
void streamScaled(double* to, const double* from, double factor, std::size_t count)
{
    constexpr std::size_t line = 8;
    const std::size_t shift = reinterpret_cast<std::uintptr_t>(to) / sizeof(double) % line;
    const std::size_t head = std::min(count, (line - shift) % line), whole = head + (count - head) / line * line;
    setScaled(to, from, factor, head);
    const __m128d f = _mm_set1_pd(factor), zero = _mm_setzero_pd();
    for (std::size_t k = head; k < whole; k += 2)
        _mm_stream_pd(to + k, _mm_add_pd(zero, _mm_mul_pd(f, _mm_loadu_pd(from + k))));
    setScaled(to + whole, from + whole, factor, count - whole);
}

#endif

}  // namespace

void addScaled(double* to, const double* from, double factor, std::size_t count)
{
    for (std::size_t k = 0; k < count; ++k) to[k] += factor * from[k];
}

void setScaled(double* to, const double* from, double factor, std::size_t count)
{
    for (std::size_t k = 0; k < count; ++k) to[k] = 0. + factor * from[k];
}

StoreFunction ofStores([[maybe_unused]] std::size_t bytes)
{
#if defined(__x86_64__)
    if (bytes > streamedBytes) return streamScaled;
#endif
    return setScaled;
}

}  // namespace sofa::core
