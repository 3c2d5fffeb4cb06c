// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_BVH_KERNELS bvhKernelsScalar
#include "core/geometry/BvhKernelSource.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core::geometry {

extern const BvhKernels bvhKernelsAvx2, bvhKernelsAvx512;

const BvhKernels& bvhKernels() { return *SOFA_OF_SIMD_LEVEL(&bvhKernelsScalar, &bvhKernelsAvx2, &bvhKernelsAvx512); }

}  // namespace sofa::core::geometry
