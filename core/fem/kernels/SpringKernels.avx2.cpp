// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_SPRING_KERNELS springKernelsAvx2
#include "core/fem/kernels/SpringKernelSource.h"
