// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_TRIANGLE_KERNELS triangleKernelsAvx512
#include "core/fem/kernels/TriangleKernelSource.h"
