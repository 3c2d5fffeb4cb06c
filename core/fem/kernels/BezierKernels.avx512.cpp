// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_BEZIER_KERNELS bezierKernelsAvx512
#include "core/fem/kernels/BezierKernelSource.h"
