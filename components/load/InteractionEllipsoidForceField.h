// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/EllipsoidPenalty.h"
#include "core/behavior/BaseForceField.h"
#include "core/behavior/State.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/Color.h"

namespace sofa::component {

/// A body of ellipsoids that moves with a frame of a second state and pushes points of a first one out, or pulls them
/// in.
///
/// Each point feels the ellipsoid in which it is deepest, by the law of EllipsoidPenalty in the axes of the frame (c,
/// R): u = Rᵀ (x − c), or u = c + R x with object2_invert. With object2_forces the frame feels the opposite force and
/// its torque about the frame's centre, so that momentum and angular momentum are kept. Damping acts on the velocity of
/// points, as if the frame did not move. The tangent is exact, in points and frame.
///
/// SOFA's frames feel no torque, inverted ones the force in wrong axes; with `compatibility="sofa"` the tangent is
/// SOFA's: its blocks, those of the frame for its centre only, and none of damping.
class InteractionEllipsoidForceField final : public core::BaseForceField, public core::TopologyFollower
{
public:
    using Points = core::Vec3Types;
    using Frames = core::Rigid3Types;
    using Penalty = EllipsoidPenalty<3>;

    core::Link<core::State<Points>> l_state1{this, {"object1", "State with the points; default: that of the node"}};
    core::Link<core::State<Frames>> l_state2{this, {"object2", "State with the frame of the ellipsoids"}};
    core::Data<core::Vector<core::Vec3>> d_center{
        this,
        {.name = "center",
         .help = "Centres of the ellipsoids in the frame; where there are fewer than radii, the last one counts on",
         .unit = "m"}};
    core::Data<core::Vector<core::Vec3>> d_radii{
        this,
        {.name = "vradius",
         .help = "Radii of the ellipsoids along the axes of the frame; where there are fewer than centres, the last "
                 "ones count on, and 1 where there are none",
         .unit = "m",
         .range = core::Range::positive()}};
    core::Data<double> d_stiffness{this, ellipsoidStiffness(), 500.};
    core::Data<double> d_damping{this, ellipsoidDamping(), 5.};
    core::Data<core::Color> d_color{
        this, {.name = "color", .help = "Color of the ellipsoids shown"}, core::Color(0.F, 0.5F, 1.F, 1.F)};
    core::Data<bool> d_draw{this, {.name = "draw", .help = "Show the ellipsoids", .group = "Visualization"}, true};
    core::Data<core::Index> d_frame{
        this, {.name = "object2_dof_index", .help = "Frame of object2 with which the ellipsoids move"}, 0};
    core::Data<bool> d_forces{this, {.name = "object2_forces", .help = "The frame feels the opposite forces"}, true};
    core::Data<bool> d_invert{
        this, {.name = "object2_invert", .help = "The ellipsoids move with the inverse of the frame"}, false};

    InteractionEllipsoidForceField();

    static std::string_view staticTemplateName() { return "Vec3,Rigid3"; }
    void init() override;
    void bwdInit() override;
    std::vector<core::BaseState*> states() const override { return {l_state1.get(), l_state2.get()}; }
    /// A frame that goes takes the force with it.
    PointLists pointLists() override;
    void followTopology(const core::TopologyChange& change) override;

    void addForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& f) override;
    void buildStiffness(const core::MechanicalParams& mp, core::MatrixAccumulator& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::MatrixAccumulator& b) override;
    bool hasDamping() const override { return d_damping.value() > 0. && !likeSofa(); }
    double potentialEnergy(const core::MechanicalParams& mp) const override;
    /// The ellipsoids (flag InteractionForceFields and `draw`).
    void draw(core::DrawTool& tool) override;

private:
    bool likeSofa() const { return compatibility() == core::Compatibility::Sofa; }
    std::size_t ellipsoids() const { return std::max(d_center.value().size(), d_radii.value().size()); }
    Penalty ellipsoid(std::size_t i) const;
    /// From the ellipsoids' axes to the world.
    core::RigidCoord3 placement(const core::RigidCoord3& frame) const;
    /// The ellipsoid in which a point of their axes is deepest.
    Penalty deepest(const core::Vec3& u) const;

    struct Contact
    {
        core::Index point;
        core::Vec3 force;  ///< on the point, without damping [N]
        core::Vec3 arm;    ///< from the frame's centre: x − c, or R x where it is inverted [m]
        core::Mat3 dfdx;   ///< in the axes of the world, or those of the ellipsoids where it is inverted [N/m]
        double depth;
    };
    core::Vector<Contact> m_contacts;  ///< of the last addForce
    core::Mat3 m_turn;                 ///< R of the frame then
    bool m_gone = false;               ///< the frame was removed
};

}  // namespace sofa::component
