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

    /// Whether a rotation is free: one whose limits are equal is not.
    bool turns(std::size_t axis) const { return freeAxes[3 + axis] && limits[2 * axis] != limits[2 * axis + 1]; }

    friend bool operator==(const JointSpring&, const JointSpring&) = default;
};

bool readValue(core::TextCursor& c, JointSpring& s);
void writeValue(std::string& out, const JointSpring& s);

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

}  // namespace sofa::component

template <>
struct sofa::core::TypeName<sofa::component::JointSpring>
{
    static std::string get() { return "joint spring (BEGIN_SPRING m1 m2 ... END_SPRING)"; }
};
