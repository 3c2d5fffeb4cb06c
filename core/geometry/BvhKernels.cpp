// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_BVH_KERNELS bvhKernelsScalar
#include "core/geometry/BvhKernelText.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core::geometry {

#if defined(__x86_64__)
extern const BvhKernels bvhKernelsAvx2, bvhKernelsAvx512;
#endif

const BvhKernels& bvhKernels()
{
#if defined(__x86_64__)
    switch (simdLevel()) {
        case SimdLevel::avx512:
            return bvhKernelsAvx512;
        case SimdLevel::avx2:
            return bvhKernelsAvx2;
        case SimdLevel::scalar:
            break;
    }
#endif
    return bvhKernelsScalar;
}

}  // namespace sofa::core::geometry
