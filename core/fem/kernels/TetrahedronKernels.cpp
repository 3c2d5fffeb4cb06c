// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_TETRAHEDRON_KERNELS tetrahedronKernelsScalar
#include "core/fem/kernels/TetrahedronKernelSource.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

extern const TetrahedronKernels tetrahedronKernelsAvx2, tetrahedronKernelsAvx512;

const TetrahedronKernels& tetrahedronKernels()
{
    return *SOFA_OF_SIMD_LEVEL(&tetrahedronKernelsScalar, &tetrahedronKernelsAvx2, &tetrahedronKernelsAvx512);
}

}  // namespace sofa::core
