// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/PenaltyData.h"
#include "components/load/PlanePenalty.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// A box that turns and keeps points inside: six planes with the law of PlanePenalty.h, with their normals inwards.
///
/// For the angle θ turned since the beginning, the side with the normal ±eₐ of the box at rest is the plane
///     n = R(−θ) (±eₐ),   d = ±centerₐ − sizeₐ/2,
/// where R(θ) is the rotation by θ about `axis` through the origin, not through the center: that is SOFA's box, and a
/// positive `speed` turns it clockwise as seen from the tip of the axis. θ grows by `speed` at the beginning of each
/// step, as with one evaluation of forces in a step, and starts again from 0 with a reset.
///
/// Differences from SOFA v17.12, its last version with this class: there the box turns at each evaluation of forces,
/// however many a step has; it is not reset; and normals that are neither parallel nor perpendicular to the axis
/// approach the plane perpendicular to it, so that the box becomes flat. Here it is rigid.
class WashingMachineForceField : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<core::Vec3Types>;

    core::Data<core::Vec3> d_center{
        this,
        {.name = "center", .help = "Center of the box before it turns about an axis through the origin", .unit = "m"}};
    core::Data<core::Vec3> d_size{this,
                                  {.name = "size",
                                   .help = "Lengths of the sides of the box along x, y and z before it turns",
                                   .unit = "m",
                                   .range = core::Range::positive()},
                                  core::Vec3(1., 1., 1.)};
    core::Data<double> d_speed{
        this,
        {.name = "speed", .help = "Angle by which the box turns in each step, clockwise about the axis", .unit = "rad"},
        0.001};
    core::Data<core::Vec3> d_axis{
        this,
        {.name = "axis", .help = "Direction of the axis through the origin; its length does not matter", .unit = "1"},
        core::Vec3(1., 0., 0.)};
    core::Data<double> d_stiffness{this, penaltyStiffness(), 500.};
    core::Data<double> d_damping{this, penaltyDamping(), 5.};

    WashingMachineForceField();

    PointLists pointLists() override { return noLists(); }
    void followTopology(const core::TopologyChange&) override { m_contacts = {}; }
    void init() override;
    /// The box is as before the first step.
    void reset() override;
    /// Turns the box at the beginning of each step.
    void handleEvent(const core::Event& e) override;
    void archive(core::Archive& a) override { a(m_turn); }

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// The sides in SOFA's colours, half transparent, and lines to them from the points outside (flag ForceFields).
    void draw(core::DrawTool& tool) override;
    /// Of the box as it is turned.
    core::BoundingBox boundingBox() const override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    using Penalty = PlanePenalty<core::Vec3Types>;
    static constexpr std::size_t s_sides = 6;

    /// Sides 2a and 2a + 1 are the lower and the upper one of the axis a.
    std::array<Penalty, s_sides> sides() const;
    /// Corners of the turned box; bit a of the number of a corner tells the lower from the upper side of the axis a.
    std::array<core::Vec3, 8> corners() const;

    core::Quat m_turn;  ///< from the box at rest to the present one
    /// Points on which each side acts, as of the last addForce.
    std::array<core::Vector<core::Index>, s_sides> m_contacts;
};

}  // namespace sofa::component
