// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_SPRING_KERNELS springKernelsScalar
#include "core/fem/SpringKernelText.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

#if defined(__x86_64__)
extern const SpringKernels springKernelsAvx2, springKernelsAvx512;
#endif

const SpringKernels& springKernels()
{
#if defined(__x86_64__)
    switch (simdLevel()) {
        case SimdLevel::avx512:
            return springKernelsAvx512;
        case SimdLevel::avx2:
            return springKernelsAvx2;
        case SimdLevel::scalar:
            break;
    }
#endif
    return springKernelsScalar;
}

}  // namespace sofa::core
