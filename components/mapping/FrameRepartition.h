// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Vector.h"

namespace sofa::component {

using namespace sofa::core;

/// Frames of consecutive points: one number n gives n points to each frame, several numbers give that many points to
/// the frames 0, 1, ... What is left follows frame 0.
inline Vector<Index> framesOfRepartition(const Vector<Index>& counts, std::size_t points)
{
    const bool single = counts.size() == 1;
    Vector<Index> frames(points, 0);
    if (single && counts[0] == 0) return frames;
    std::size_t i = 0;
    for (Index frame = 0; i < frames.size() && (single || frame < counts.size()); ++frame) {
        const Index count = counts[single ? 0 : frame];
        for (Index k = 0; k < count && i < frames.size(); ++k) frames[i++] = frame;
    }
    return frames;
}

}  // namespace sofa::component
