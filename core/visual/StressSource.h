// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <span>

#include "core/behavior/BaseState.h"
#include "core/topology/TopologyChange.h"

namespace sofa::core {

/// A force field that knows the stress in its elements, for viewers that colour bodies by it. Nothing is computed until
/// one asks.
class StressSource
{
public:
    virtual ~StressSource() = default;
    /// The state whose points the elements have, and the elements. Without a state or a topology, it knows of none.
    virtual const BaseState* stressedState() const = 0;
    virtual ElementNumbering stressedElements() const = 0;
    /// Sets the von Mises stress [Pa] of each element, in the order of `elements` (which are those of
    /// stressedElements()), from the points at rest and now [m]; NaN where it is not known.
    virtual void vonMisesStresses(const ElementNumbering& elements, std::span<const Vec3> rest,
                                  std::span<const Vec3> now, Vector<double>& out) const = 0;

    /// How the scene asks for stresses to be shown at this force field: not, smooth, or one for each element.
    enum class Shown
    {
        No,
        Smooth,
        Elements
    };
    virtual Shown showsStress() const { return Shown::No; }
};

}  // namespace sofa::core
