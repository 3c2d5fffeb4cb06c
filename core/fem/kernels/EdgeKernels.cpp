// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_EDGE_KERNELS edgeKernelsScalar
#include "core/fem/kernels/EdgeKernelSource.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

extern const EdgeKernels edgeKernelsAvx2, edgeKernelsAvx512;

const EdgeKernels& edgeKernels()
{
    return *SOFA_OF_SIMD_LEVEL(&edgeKernelsScalar, &edgeKernelsAvx2, &edgeKernelsAvx512);
}

}  // namespace sofa::core
