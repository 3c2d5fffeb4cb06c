// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/visual/DrawList.h"

namespace sofa::core {

/// How far a placed solid goes from its centre along each axis of the scene, at most [m].
inline Vec3f reachOf(const SolidInstance& s)
{
    Vec3f r;
    for (std::size_t i = 0; i < 9; ++i) r[i % 3] += s.axes[i] < 0.f ? -s.axes[i] : s.axes[i];
    return r;
}

}  // namespace sofa::core
