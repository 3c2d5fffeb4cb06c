// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::test {

/// Gives back all threads and the best instruction set at the end of a test that changes them.
struct ParallelGuard
{
    ~ParallelGuard()
    {
        core::setThreadCount(0);
        core::setSimdLevel(core::bestSimdLevel());
    }
};

}  // namespace sofa::test
