// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_PAIR_KERNELS pairKernelsScalar
#include "core/fem/PairKernelText.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

#if defined(__x86_64__)
extern const PairKernels pairKernelsAvx2, pairKernelsAvx512;
#endif

const PairKernels& pairKernels()
{
#if defined(__x86_64__)
    switch (simdLevel()) {
        case SimdLevel::avx512:
            return pairKernelsAvx512;
        case SimdLevel::avx2:
            return pairKernelsAvx2;
        case SimdLevel::scalar:
            break;
    }
#endif
    return pairKernelsScalar;
}

}  // namespace sofa::core
