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

/// What is larger than this many bytes and read only much later is written past the caches: they would read it from
/// memory first and not keep it. (Measured where 32 MB are the last-level cache: 20 MB are better kept, 42 MB and more
/// streamed.) Streamed stores are ordered by the
/// locked instructions with which parallel loops end.
inline constexpr std::size_t streamedBytes = std::size_t{32} << 20;

}  // namespace sofa::core
