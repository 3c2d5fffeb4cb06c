// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_BEZIER_KERNELS bezierKernelsAvx2
#include "core/fem/kernels/BezierKernelSource.h"
