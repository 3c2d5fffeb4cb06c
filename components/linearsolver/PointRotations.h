// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/behavior/RotationFinder.h"
#include "core/objectmodel/Archive.h"
#include "core/objectmodel/Node.h"
#include "core/visitor/SystemLayout.h"

namespace sofa::component {

/// How the material around the points of a system has turned since a moment: R(t) R(t₀)ᵀ for each point, with the
/// rotations from the rest shape that a component knows. A matrix of that moment becomes R A Rᵀ (Saupin, Duriez, Cotin
/// and Grisoni, Efficient contact modeling using compliance warping, 2008). Unknowns of other states do not turn.
class PointRotations
{
public:
    /// The first component of a node, or else below it, that knows rotations; nullptr if there is none.
    static core::RotationFinder* find(const core::Node& node);
    /// Forgets all.
    void clear();
    /// The moment is now. Throws if the points of the finder are not unknowns.
    void begin(const core::RotationFinder& finder, const core::SystemLayout& layout);
    /// The rotations are those of now, since the moment.
    void update(const core::RotationFinder& finder, const core::SystemLayout& layout);
    /// out = R in, or Rᵀ in, for flat vectors.
    void turn(std::span<const double> in, std::span<double> out) const { product(in, out, false); }
    void turnBack(std::span<const double> in, std::span<double> out) const { product(in, out, true); }
    void archive(core::Archive& a);

private:
    void product(std::span<const double> in, std::span<double> out, bool transposed) const;

    std::size_t m_offset = 0;  ///< of the state of the finder
    core::Vector<core::Mat3> m_atBegin, m_rotation;
};

}  // namespace sofa::component
