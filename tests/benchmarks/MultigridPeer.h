// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/BlockCsrMatrix.h"

namespace sofa::benchmark {
struct PeerProblem
{
    const core::BlockCsrMatrix& matrix;
    const core::Vector<double>& modes;
    const core::Vector<double>& load;
    double tolerance;
};
struct PeerResult
{
    int iterations = 0;
    double setUp = 0., solve = 0.;
};
#ifdef SOFA_HAS_AMGCL
inline constexpr bool hasMultigridPeer = true;
#else
inline constexpr bool hasMultigridPeer = false;
#endif
inline PeerResult solveByPeer(const PeerProblem&) { return {}; }
}  // namespace sofa::benchmark
