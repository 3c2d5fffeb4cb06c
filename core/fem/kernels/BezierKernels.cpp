// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_BEZIER_KERNELS bezierKernelsScalar
#include "core/fem/kernels/BezierKernelSource.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

extern const BezierKernels bezierKernelsAvx2, bezierKernelsAvx512;

const BezierKernels& bezierKernels()
{
    return *SOFA_OF_SIMD_LEVEL(&bezierKernelsScalar, &bezierKernelsAvx2, &bezierKernelsAvx512);
}

}  // namespace sofa::core
