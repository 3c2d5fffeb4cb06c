// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_MATERIAL_KERNELS materialKernelsScalar
#include "core/fem/MaterialKernelText.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

#if defined(__x86_64__)
extern const MaterialKernels materialKernelsAvx2, materialKernelsAvx512;
#endif

const MaterialKernels& materialKernels()
{
#if defined(__x86_64__)
    switch (simdLevel()) {
        case SimdLevel::avx512:
            return materialKernelsAvx512;
        case SimdLevel::avx2:
            return materialKernelsAvx2;
        case SimdLevel::scalar:
            break;
    }
#endif
    return materialKernelsScalar;
}

}  // namespace sofa::core
