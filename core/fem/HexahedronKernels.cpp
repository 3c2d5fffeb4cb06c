// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define SOFA_HEXAHEDRON_KERNELS hexahedronKernelsScalar
#include "core/fem/HexahedronKernelText.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

#if defined(__x86_64__)
extern const HexahedronKernels hexahedronKernelsAvx2, hexahedronKernelsAvx512;
#endif

const HexahedronKernels& hexahedronKernels()
{
#if defined(__x86_64__)
    switch (simdLevel()) {
        case SimdLevel::avx512:
            return hexahedronKernelsAvx512;
        case SimdLevel::avx2:
            return hexahedronKernelsAvx2;
        case SimdLevel::scalar:
            break;
    }
#endif
    return hexahedronKernelsScalar;
}

}  // namespace sofa::core
