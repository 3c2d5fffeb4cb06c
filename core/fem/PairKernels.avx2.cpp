// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_PAIR_KERNELS pairKernelsAvx2
#include "core/fem/PairKernelText.h"
