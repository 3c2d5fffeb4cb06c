// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_SPRING_KERNELS springKernelsScalar
#include "core/fem/kernels/SpringKernelSource.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

extern const SpringKernels springKernelsAvx2, springKernelsAvx512;

const SpringKernels& springKernels()
{
    return *SOFA_OF_SIMD_LEVEL(&springKernelsScalar, &springKernelsAvx2, &springKernelsAvx512);
}

}  // namespace sofa::core
