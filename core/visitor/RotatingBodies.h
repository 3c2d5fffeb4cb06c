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

/// Rigid bodies in space whose inertia turns with them, among the independent states of a scope. Their masses are those
/// of the frames, and those of mapped states that are fixed in the frames (BaseMapping::fixture), if these are
/// diagonal.
///
/// An integrator changes velocities by forces at an inertia that it holds fixed. What is left is the motion without
/// forces: bodies turn (turnFreely), and their velocities change so that no momentum is lost. This is the gyroscopic
/// torque −ω × I ω, and the centrifugal force where the centre of mass is not that of the frame, of every size without
/// loss of stability and without an unsymmetric matrix.
///
/// Projective constraints leave a body the rotations P ω. Where P is not the identity the body turns by its velocity
/// and momentum is kept in the range of P: what the constraint takes up is lost. A body whose frame cannot move as it
/// likes turns about the centre of its frame, otherwise about its centre of mass.
class RotatingBodies
{
public:
    explicit RotatingBodies(ExecutionPlan& plan);
    bool empty() const { return m_groups.empty(); }
    bool contains(const BaseState& s) const;

    /// Computes the motion without forces in the time h: from `from`, by the velocity u.
    void turn(const MechanicalParams& mp, const MultiVecCoordId& from, const MultiVecDerivId& u, double h);
    /// Sets orientations, and places that are more than those of the velocity, in x; makes the carried vectors
    /// ω' = I(x)⁻¹ I(from) ω, and those of the centre of the frame from them and that of the centre of mass. Momenta
    /// M v stay, but for the angular one, which is about the centre of the frame.
    void finish(const MultiVecCoordId& x, std::initializer_list<MultiVecDerivId> carried,
                std::initializer_list<MultiVecDerivId> momenta = {});
    /// f −= what the masses resist without accelerations, at mp.xMass, mp.v: ω × I ω, and ω × (ω × m c) for a centre of
    /// mass at c.
    void addGyroscopicTorque(const MechanicalParams& mp, const MultiVecDerivId& f) const;

private:
    /// A mass that is fixed in frames, and the mappings from its state up to the frames.
    struct Part
    {
        const BaseMass* mass = nullptr;
        std::size_t size = 0;
        std::vector<const BaseMapping*> mappings{};
    };
    struct Group
    {
        State<Rigid3Types>* state;
        std::vector<const BaseMass*> masses;
        std::vector<Part> parts;
    };
    /// Mass [kg], its moment m c [kg m], and inertia about the centre of the frame [kg m²], in the axes of the frame.
    struct Inertia
    {
        double mass = 0.;
        Vec3 moment{};
        Mat3 inertia{};
    };
    struct Body
    {
        State<Rigid3Types>* state;
        Index index;
        Mat3 inertia;  ///< about what it turns about, in the axes of the body
        Vec3 arm;      ///< from the centre of the frame to the centre of mass, if it turns about that
        Quat before, after{};
        Vec3 place{}, way{};              ///< of the centre of the frame at the end, and from its beginning
        Mat3 allowed = Mat3::identity();  ///< P
        bool isFree() const { return allowed == Mat3::identity(); }
    };
    /// The mass of all frames of a state.
    static std::vector<Inertia> inertias(const Group& g);
    /// Takes masses that are fixed in a frame, through mappings; false if they are not.
    bool findPart(const BaseMass& mass, const BaseState& state, Part& part, const BaseState*& frames) const;
    /// Lets constraints take from bodies what they hold; bodies whose place they hold turn about it.
    void constrain(const MechanicalParams& mp, const std::vector<Inertia>& about);

    ExecutionPlan& m_plan;
    std::vector<Group> m_groups;
    std::vector<Body> m_bodies;
};

}  // namespace sofa::core
