// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_HEXAHEDRON_KERNELS hexahedronKernelsScalar
#include "core/fem/kernels/HexahedronKernelSource.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

extern const HexahedronKernels hexahedronKernelsAvx2, hexahedronKernelsAvx512;

const HexahedronKernels& hexahedronKernels()
{
    return *SOFA_OF_SIMD_LEVEL(&hexahedronKernelsScalar, &hexahedronKernelsAvx2, &hexahedronKernelsAvx512);
}

}  // namespace sofa::core
