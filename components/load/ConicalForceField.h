// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/Color.h"

namespace sofa::component {

/// A cone that holds points inside: a penalty with stiffness k and damping c on the distance from the cone.
///
/// The cone has its tip at `coneCenter`, the axis a along `coneHeight`, the half opening angle α, and ends with the
/// sphere of radius h = |coneHeight| about the tip: a spherical sector, which is convex. A point outside, whose nearest
/// point of it is p, with the distance δ and the unit vector n = (p − x)/δ, gets
///
///     f = k δ n − c (n·v) n,   E = ½ k δ²,   ∂f/∂x = −k (I − ∂p/∂x),   ∂f/∂v = −c n nᵀ
///
/// With the radius r and the angle θ from the axis of u = x − coneCenter, the direction ê of the cone's side towards x,
/// the unit vector t around the axis, and the distance ρ from it:
///
///     θ <= α, r > h                    the sphere  p = h u/r,      ∂p/∂x = h/r (I − u uᵀ/r²)
///     α < θ < α + 90°, s = u·ê <= h    the side    p = s ê,        ∂p/∂x = ê êᵀ + (s sin α/ρ) t tᵀ
///     the same, s > h                  the rim     p = h ê,        ∂p/∂x = (h sin α/ρ) t tᵀ
///     θ >= α + 90°                     the tip     p = 0,          ∂p/∂x = 0
///
/// As in SOFA damping is left out of ∂f/∂x. SOFA's forces point elsewhere, with jumps at the borders of these regions:
/// beyond h to the tip, whatever the angle, with a negative damping; behind the tip to the tip, whatever the opening.
/// Its stiffness is −k n nᵀ alone.
class ConicalForceField final : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    core::Data<core::Vec3> d_coneCenter{this, {.name = "coneCenter", .help = "Tip of the cone", .unit = "m"}};
    core::Data<core::Vec3> d_coneHeight{
        this, {.name = "coneHeight", .help = "From the tip to the end of the cone along its axis", .unit = "m"}};
    core::Data<double> d_coneAngle{this,
                                   {.name = "coneAngle",
                                    .help = "Angle in degrees between the axis and the side",
                                    .unit = "deg",
                                    .range = core::Range::closed(0., 90.)},
                                   10.};
    core::Data<double> d_stiffness{
        this,
        {.name = "stiffness", .help = "Force per distance", .unit = "N/m", .range = core::Range::nonNegative()},
        500.};
    core::Data<double> d_damping{this,
                                 {.name = "damping",
                                  .help = "Force per velocity along the force",
                                  .unit = "N s/m",
                                  .range = core::Range::nonNegative()},
                                 5.};
    core::Data<core::Color> d_color{
        this, {.name = "color", .help = "Color of the cone shown"}, core::Color(0.F, 0.F, 1.F, 1.F)};

    ConicalForceField();

    void init() override;
    PointLists pointLists() override { return noLists(); }
    void followTopology(const core::TopologyChange&) override { m_contacts.clear(); }
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    bool hasDamping() const override { return d_damping.value() > 0.; }
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// The cone, half transparent (flag ForceFields).
    void draw(core::DrawTool& tool) override;

    using ForceField::addForce;
    using ForceField::buildDamping;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;

private:
    struct Cone
    {
        core::Vec3 tip, axis;
        double height, sine, cosine;
    };
    struct Nearest
    {
        core::Vec3 way;      ///< from the point to the cone, p − x [m]
        core::Mat3 dpdx;     ///< of the nearest point
        bool inside = true;  ///< then the rest is not set
    };
    Cone cone() const;
    static Nearest nearest(const Cone& cone, const core::Vec3& x);

    struct Contact
    {
        core::Index point;
        core::Vec3 direction;  ///< n
        core::Mat3 dfdx;       ///< ∂f/∂x over k
    };
    core::Vector<Contact> m_contacts;  ///< of the last addForce
};

}  // namespace sofa::component
