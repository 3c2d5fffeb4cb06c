// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Vec.h"
#include "core/math/Vector.h"

namespace sofa::core {

/// A mapping whose points follow frames, to which others can be added.
class SkinnedBody
{
public:
    virtual ~SkinnedBody() = default;
    /// Adds a frame where the skin is at a place [m], which moves there as the skin does: that place stays where it is.
    /// Points near it follow the new frame from now on. Between steps only. Returns its number. Throws
    /// std::runtime_error, having changed nothing, if the frames cannot change.
    virtual Index addFrame(const Vec3& place) = 0;
};

}  // namespace sofa::core
