// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string_view>

#include "core/math/Mat.h"
#include "core/math/Vector.h"

namespace sofa::core {

/// A component that knows how far the material around each point of its state has turned from the rest shape. Used by
/// warped preconditioners (Saupin, Duriez, Cotin and Grisoni, "Efficient contact modeling using compliance warping",
/// 2008).
class RotationFinder
{
public:
    static std::string_view typeLabel() { return "rotation finder"; }
    virtual ~RotationFinder() = default;

    /// Rotation from the rest shape to the shape of the last force evaluation, one for each point of the state.
    virtual void nodeRotations(Vector<Mat3>& rotations) const = 0;
};

}  // namespace sofa::core
