// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/FrameJoints.h"

namespace sofa::component {

/// Joints between frames of one or two states, by springs along six axes (JointLaw, in JointSpring.h).
///
/// The forces follow from one energy, so that linear and angular momentum are kept, and the stiffness is its exact
/// second derivative. Dampers (KD) act on the velocity of the second frame relative to the point of the first one
/// there; their derivative by velocities is exact.
///
/// SOFA's forces have no lever arms and, for joints with one free rotation, vanish to second order in the tilt, while
/// its stiffness is that of the held axes; beyond limits the soft spring lets go; the damping is explicit. With REST_T
/// it takes the rest place from the state, whatever is given.
class JointSpringForceField final : public FrameJoints<JointSpring>
{
public:
    core::Data<double> d_showFactorSize{
        this,
        {.name = "showFactorSize", .help = "Length of the axes drawn", .unit = "m", .group = "Visualization"},
        1.};

    JointSpringForceField();

protected:
    double axisSize() const override { return d_showFactorSize.value(); }
};

/// Springs between points of frames of one or two states, of the same stiffness k_t along all axes, and k_r against
/// turns of the second frame from the first one.
///
/// With r from the point p₁ of the first frame to p₂ of the second one and the rotation vector θ of R₁ᵀ R₂,
///     E = ½ k_t |r|² + ½ k_r |θ|².
/// That is a joint (JointLaw) without free axes between these points: linear and angular momentum are kept, and the
/// stiffness is exact, as is damping. SOFA adds θ, in the axes of the first frame, to the torques in those of the
/// world, turns the damping of the second frame round, and its stiffness has no lever arms.
class FrameSpringForceField final : public FrameJoints<FrameSpring>
{
public:
    FrameSpringForceField();
};

}  // namespace sofa::component
