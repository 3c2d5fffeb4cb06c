// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_THIN_KERNELS thinKernelsScalar
#include "core/fem/ThinKernelText.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

#if defined(__x86_64__)
extern const ThinKernels thinKernelsAvx2, thinKernelsAvx512;
#endif

const ThinKernels& thinKernels()
{
#if defined(__x86_64__)
    switch (simdLevel()) {
        case SimdLevel::avx512:
            return thinKernelsAvx512;
        case SimdLevel::avx2:
            return thinKernelsAvx2;
        case SimdLevel::scalar:
            break;
    }
#endif
    return thinKernelsScalar;
}

}  // namespace sofa::core
