// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_TRIANGLE_KERNELS triangleKernelsScalar
#include "core/fem/TriangleKernelText.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

#if defined(__x86_64__)
extern const TriangleKernels triangleKernelsAvx2, triangleKernelsAvx512;
#endif

const TriangleKernels& triangleKernels()
{
#if defined(__x86_64__)
    switch (simdLevel()) {
        case SimdLevel::avx512:
            return triangleKernelsAvx512;
        case SimdLevel::avx2:
            return triangleKernelsAvx2;
        case SimdLevel::scalar:
            break;
    }
#endif
    return triangleKernelsScalar;
}

}  // namespace sofa::core
