// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/parallel/SimdLevel.h"

#include <algorithm>
#include <atomic>

namespace sofa::core {

namespace {

std::atomic<SimdLevel>& currentLevel()
{
    static std::atomic<SimdLevel> level{bestSimdLevel()};
    return level;
}

}  // namespace

SimdLevel bestSimdLevel()
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return SimdLevel::scalar;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return SimdLevel::avx512;
    return SimdLevel::avx2;
#else
    return SimdLevel::scalar;
#endif
}

SimdLevel simdLevel() { return currentLevel().load(std::memory_order_relaxed); }

void setSimdLevel(SimdLevel level) { currentLevel() = std::min(level, bestSimdLevel()); }

}  // namespace sofa::core
