// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_TRIANGLE_KERNELS triangleKernelsScalar
#include "core/fem/kernels/TriangleKernelSource.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

extern const TriangleKernels triangleKernelsAvx2, triangleKernelsAvx512;

const TriangleKernels& triangleKernels()
{
    return *SOFA_OF_SIMD_LEVEL(&triangleKernelsScalar, &triangleKernelsAvx2, &triangleKernelsAvx512);
}

}  // namespace sofa::core
