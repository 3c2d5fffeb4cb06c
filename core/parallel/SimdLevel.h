// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>

namespace sofa::core {

/// Instruction sets that kernels with run-time dispatch choose from, in increasing order.
enum class SimdLevel
{
    scalar,
    avx2,
    avx512
};

/// Best level that this machine supports. `avx2` includes FMA; `avx512` means the foundation subset F with DQ and VL.
SimdLevel bestSimdLevel();

/// Level in use: the best one unless lowered by setSimdLevel.
SimdLevel simdLevel();

/// Lowers the level, for tests and benchmarks; never raises it above the best one. Kernels give the same bits at every
/// level.
void setSimdLevel(SimdLevel level);

/// Of the forms of a kernel, functions or tables of them, the one for the level in use.
template <class Kernel>
Kernel ofSimdLevel(Kernel scalar, Kernel avx2, Kernel avx512)
{
    const SimdLevel level = simdLevel();
    return level == SimdLevel::avx512 ? avx512 : level == SimdLevel::avx2 ? avx2 : scalar;
}

/// The same where the program may be built for other processors, which have none but the first.
#if defined(__x86_64__)
#define SOFA_OF_SIMD_LEVEL(scalar, avx2, avx512) ::sofa::core::ofSimdLevel(scalar, avx2, avx512)
#else
#define SOFA_OF_SIMD_LEVEL(scalar, avx2, avx512) (scalar)
#endif

/// What is larger than this many bytes and read only much later is written by non-temporal stores: the caches would
/// read it from memory first and not keep it. (Measured where 32 MB are the last-level cache: 20 MB are better kept, 42
/// MB and more streamed.) Streamed stores are ordered by the locked instructions with which parallel loops end.
inline constexpr std::size_t streamedBytes = std::size_t{32} << 20;

}  // namespace sofa::core
