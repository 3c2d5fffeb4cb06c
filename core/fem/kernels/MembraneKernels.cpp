// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_MEMBRANE_KERNELS membraneKernelsScalar
#include "core/fem/kernels/MembraneKernelSource.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

extern const MembraneKernels membraneKernelsAvx2, membraneKernelsAvx512;

const MembraneKernels& membraneKernels()
{
    return *SOFA_OF_SIMD_LEVEL(&membraneKernelsScalar, &membraneKernelsAvx2, &membraneKernelsAvx512);
}

}  // namespace sofa::core
