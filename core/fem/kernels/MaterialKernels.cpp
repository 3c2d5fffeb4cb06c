// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_MATERIAL_KERNELS materialKernelsScalar
#include "core/fem/kernels/MaterialKernelSource.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

extern const MaterialKernels materialKernelsAvx2, materialKernelsAvx512;

const MaterialKernels& materialKernels()
{
    return *SOFA_OF_SIMD_LEVEL(&materialKernelsScalar, &materialKernelsAvx2, &materialKernelsAvx512);
}

}  // namespace sofa::core
