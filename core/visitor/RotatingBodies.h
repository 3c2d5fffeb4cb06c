// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <initializer_list>
#include <vector>

#include "core/behavior/Mass.h"
#include "core/visitor/ExecutionPlan.h"

namespace sofa::core {

/// Orientation of a body without torque after the time h, from the orientation q, the inertia in its axes and its
/// angular momentum (world axes), which stays what it is.
///
/// With I₁ ≥ I₂ ≥ I₃ the energy is L²/(2 I₂) + m₁² (1/I₁ − 1/I₂)/2 + m₃² (1/I₃ − 1/I₂)/2. The first term turns the body
/// about L and commutes with the others, which turn it about its axes 1 and 3: half, whole, half (F. Fassò, Comparison
/// of splitting algorithms for the rigid body, J. Comput. Phys. 189, 2003). Of second order, symplectic, reversible;
/// exact for symmetric tops. `inertia` must be positive definite.
Quat turnFreely(const Quat& q, const Mat3& inertia, const Vec3& angularMomentum, double h);

/// Rigid bodies in space whose inertia turns with them, among the independent states of a scope.
///
/// An integrator changes velocities by forces at an inertia that it holds fixed. What is left is the motion without
/// forces: bodies turn (turnFreely), and their velocities change so that no angular momentum is lost. This is the
/// gyroscopic torque −ω × I ω, of every size without loss of stability and without an unsymmetric matrix.
///
/// Projective constraints leave a body the rotations P ω. Where P is not the identity the body turns by its velocity
/// and momentum is kept in the range of P: what the constraint takes up is lost.
class RotatingBodies
{
public:
    explicit RotatingBodies(ExecutionPlan& plan);
    bool empty() const { return m_groups.empty(); }
    bool contains(const BaseState& s) const;

    /// Computes orientations after the time h: from `from`, by the angular velocity u.
    void turn(const MechanicalParams& mp, const MultiVecCoordId& from, const MultiVecDerivId& u, double h);
    /// Sets these orientations in x, and makes the carried vectors (angular velocities) ω' = I(x)⁻¹ I(from) ω.
    void finish(const MultiVecCoordId& x, std::initializer_list<MultiVecDerivId> carried);
    /// f −= ω × I ω at mp.xMass, mp.v.
    void addGyroscopicTorque(const MechanicalParams& mp, const MultiVecDerivId& f) const;

private:
    struct Group
    {
        State<Rigid3Types>* state;
        std::vector<const BaseMass*> masses;
    };
    struct Body
    {
        State<Rigid3Types>* state;
        Index index;
        Mat3 inertia;  ///< in the axes of the body
        Mat3 allowed;  ///< P
        Quat before, after;
    };
    static Mat3 inertia(const Group& g, Index i);

    ExecutionPlan& m_plan;
    std::vector<Group> m_groups;
    std::vector<Body> m_bodies;
};

}  // namespace sofa::core
