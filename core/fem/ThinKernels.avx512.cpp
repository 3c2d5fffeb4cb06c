// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_THIN_KERNELS thinKernelsAvx512
#include "core/fem/ThinKernelText.h"
