// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_TETRAHEDRON_KERNELS tetrahedronKernelsScalar
#include "core/fem/TetrahedronKernelText.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

#if defined(__x86_64__)
extern const TetrahedronKernels tetrahedronKernelsAvx2, tetrahedronKernelsAvx512;
#endif

const TetrahedronKernels& tetrahedronKernels()
{
#if defined(__x86_64__)
    switch (simdLevel()) {
        case SimdLevel::avx512:
            return tetrahedronKernelsAvx512;
        case SimdLevel::avx2:
            return tetrahedronKernelsAvx2;
        case SimdLevel::scalar:
            break;
    }
#endif
    return tetrahedronKernelsScalar;
}

}  // namespace sofa::core
