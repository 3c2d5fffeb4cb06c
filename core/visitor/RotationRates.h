// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <vector>

#include "core/visitor/ExecutionPlan.h"

namespace sofa::core {

/// The rate of a rotation vector φ whose rotation exp(φ) turns with the angular velocity ω, in the axes before it: the
/// inverse of the left Jacobian of SO(3) (Barfoot, State Estimation for Robotics, 2017, section 7.1.3),
///
///     φ' = ω − φ × ω/2 + b φ × (φ × ω),   b = (1 − θ/2 cot(θ/2))/θ²,   θ = |φ| < 2π.
Vec3 rotationVectorRate(const Vec3& vector, const Vec3& angularVelocity);

/// The frames in space among the independent states of a scope, whose rotations do not commute. A method that adds up
/// rates of several stages adds those of rotation vectors from the beginning of the step (H. Munthe-Kaas,
/// Runge-Kutta methods on Lie groups, BIT 38, 1998), and keeps its order with these.
class RotationRates
{
public:
    explicit RotationRates(const ExecutionPlan& plan);
    bool empty() const { return m_states.empty(); }
    /// From the velocities v of frames at the displacements h u: rates of these displacements.
    void fromVelocities(const MultiVecDerivId& v, const MultiVecDerivId& u, double h) const;

private:
    std::vector<State<Rigid3Types>*> m_states;
};

}  // namespace sofa::core
