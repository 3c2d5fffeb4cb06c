// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/DataTypes.h"
#include "core/math/Mat.h"
#include "core/objectmodel/DataText.h"
#include "core/objectmodel/TypeName.h"

namespace sofa::component {

/// A joint between two frames, by six springs: stiff along axes that are held, soft along axes that are free.
/// Text: "BEGIN_SPRING m1 m2 keywords END_SPRING", with the keywords FREE_AXIS (six flags: translations, rotations),
/// KS_T and KS_R (soft and hard stiffness), KS_B (stiffness beyond limits), KD (damping), R_LIM_X, R_LIM_Y, R_LIM_Z
/// (angles), REST_T (vector) and REST_R (quaternion), each with its values.
struct JointSpring
{
    core::Index m1 = 0;  ///< frame of the first state
    core::Index m2 = 0;  ///< frame of the second state
    std::array<bool, 6> freeAxes{false, false, false, true, true, true};
    double softTranslation = 0., hardTranslation = 10000.;          ///< [N/m]
    double softRotation = 0., hardRotation = 10000.;                ///< [N m/rad]
    double blockRotation = 0.;                                      ///< beyond limits [N m/rad]; 0: hardRotation / 100
    double damping = 0.;                                            ///< [N s/m] and [N m s/rad]
    std::array<double, 6> limits{-1e5, 1e5, -1e5, 1e5, -1e5, 1e5};  ///< of the rotations [rad]
    core::Vec3 restTranslation;                                     ///< in the first frame [m]
    core::Quat restRotation;                                        ///< of the second frame in the first
    core::Vec3 anchor1, anchor2;  ///< points of the frames, in their axes, that take the places of the centres [m]

    /// Whether a rotation is free: one whose limits are equal is not.
    bool turns(std::size_t axis) const { return freeAxes[3 + axis] && limits[2 * axis] != limits[2 * axis + 1]; }

    const JointSpring& joint() const { return *this; }

    friend bool operator==(const JointSpring&, const JointSpring&) = default;
};

bool readValue(core::TextCursor& c, JointSpring& s);
void writeValue(std::string& out, const JointSpring& s);

/// A joint between points of two frames without free axes, and of the same stiffness along all.
/// Text: "BEGIN_SPRING m1 m2 keywords END_SPRING", with the keywords KS_T and KS_R (stiffness), KD (damping), VEC1 and
/// VEC2 (the points in their frames).
struct FrameSpring
{
    core::Index m1 = 0;                      ///< frame of the first state
    core::Index m2 = 0;                      ///< frame of the second state
    double translation = 0., rotation = 0.;  ///< stiffness [N/m], [N m/rad]
    double damping = 0.;                     ///< [N s/m] and [N m s/rad]
    core::Vec3 point1, point2;               ///< [m]

    JointSpring joint() const;

    friend bool operator==(const FrameSpring&, const FrameSpring&) = default;
};

bool readValue(core::TextCursor& c, FrameSpring& s);
void writeValue(std::string& out, const FrameSpring& s);

/// The law of a joint; all in the axes of the first frame.
///
/// With r = x₂ − x₁ and u = R₁ᵀ r − t₀, the deviation of the second frame from its rest place, and its turn
/// D = R₁ᵀ R₂ Q₀ᵀ,
///     E = ½ Σ k_i u_i² + E_r(D).
/// Without free rotations E_r = ½ k |θ|², θ the rotation vector of D. With one free axis a, E_r = ½ k β² + φ(ψ): β is
/// the angle from a to D a, ψ the twist of D about a. Otherwise E_r = Σ φ_i(θ_i), φ_i = ½ k θ_i² of held axes. φ(ψ) = ½
/// k_s ψ² within the limits, and goes on beyond them, at l, with the stiffness k_b: ½ k_s l² + k_s l (ψ − l) + ½ k_b (ψ
/// − l)².
struct JointLaw
{
    core::Vec3 force;      ///< −∂E/∂r [N], on the second frame
    core::Vec3 torque;     ///< −∂E/∂D [N m], on the second frame
    core::Mat3 stiffness;  ///< of u [N/m]
    core::Mat3 turning;    ///< derivative of −torque by small turns of D from the left [N m/rad]
    double energy = 0.;    ///< [J]

    JointLaw(const JointSpring& s, const core::RigidCoord3& x1, const core::RigidCoord3& x2);
};

/// The twist ψ of the turn D of a joint about one of its axes, from −π to π, and its derivatives by small turns of D
/// from the left, one after the other; in the axes of the first frame.
struct JointTwist
{
    double angle = 0.;  ///< ψ [rad]
    core::Vec3 gradient;
    core::Mat3 second;

    JointTwist(const core::RigidCoord3& x1, const core::RigidCoord3& x2, std::size_t axis);
};

/// What a joint does to its frames, in the axes of the world, with dampers on the velocity of the second frame relative
/// to the point of the first one there. Forces follow from the energy, so that linear and angular momentum are kept.
class JointForces
{
public:
    using Deriv = core::Rigid3Types::Deriv;
    /// Derivatives of the forces on both frames by both: (1, 1), (1, 2), (2, 1), (2, 2).
    using Blocks = std::array<core::Mat<6>, 4>;

    JointForces(const JointSpring& s, const core::RigidCoord3& x1, const core::RigidCoord3& x2);

    double energy() const { return m_law.energy; }
    /// Adds the torque −slope ∂ψ/∂D on the second frame, and the opposite one on the first: of an energy with this
    /// slope dE/dψ, whose second derivative is not among the stiffness.
    void addTwist(const JointTwist& twist, double slope);
    /// Adds the forces on both frames, which move with velocities v1, v2.
    void add(Deriv& f1, Deriv& f2, const Deriv& v1, const Deriv& v2) const;
    /// Exact at rest.
    Blocks stiffness() const;
    Blocks damping() const;

private:
    /// To the centres from the anchors.
    void toCenters(Blocks& blocks) const;

    const JointSpring& m_spring;
    core::Mat3 m_turn;             ///< of the first frame
    core::Vec3 m_arm1, m_arm2;     ///< from the centres to the anchors
    core::RigidCoord3 m_x1, m_x2;  ///< at the anchors
    JointLaw m_law;
};

}  // namespace sofa::component

template <>
struct sofa::core::TypeName<sofa::component::JointSpring>
{
    static std::string get() { return "joint spring (BEGIN_SPRING m1 m2 ... END_SPRING)"; }
};

template <>
struct sofa::core::TypeName<sofa::component::FrameSpring>
{
    static std::string get() { return "frame spring (BEGIN_SPRING m1 m2 ... END_SPRING)"; }
};
