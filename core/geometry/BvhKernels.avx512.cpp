// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_BVH_KERNELS bvhKernelsAvx512
#include "core/geometry/BvhKernelSource.h"
