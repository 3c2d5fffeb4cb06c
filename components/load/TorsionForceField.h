// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/math/PositionPart.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// Forces around a fixed axis through `origin` along the unit vector u, on given points at x:
///
///     f = τ u × (x − origin),        for frames also the torque τ u
///
/// They grow with the distance from the axis, as SOFA's do: the moment of all points about the axis is τ Σ r², with
/// their distances r [m], and `torque` that of a point 1 m away. The field has a curl: there is no potential, and
/// points that go round gain energy. ∂f/∂x = τ [u ×] is antisymmetric, and conjugate gradients go wrong with it; it is
/// stated with `tangent` only. Without, integrators take the force explicitly. SOFA has τ (I − u uᵀ) instead, which is
/// no derivative of this force.
template <class DataTypes>
class TorsionForceField final : public core::ForceField<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Position = core::PositionPart<DataTypes>;

    core::Data<core::Vector<core::Index>> d_indices{this,
                                                    {.name = "indices", .help = "Points on which the forces act"}};
    core::Data<double> d_torque{
        this,
        {.name = "torque",
         .help = "Moment about the axis of a point at a distance of 1 m; frames have it as a torque too",
         .unit = "N m"},
        0.};
    core::Data<core::Vec3> d_axis{
        this, {.name = "axis", .help = "Direction of the axis; its length does not matter", .unit = "1"}};
    core::Data<core::Vec3> d_origin{this, {.name = "origin", .help = "A point of the axis", .unit = "m"}};
    core::Data<bool> d_tangent{
        this,
        {.name = "tangent",
         .help = "State the derivative of the force, which is not symmetric; integrators take the force explicitly "
                 "otherwise"},
        false};
    core::TopologyView l_topology{
        this, {"topology", "Mesh whose changes the points follow; default: that of the node or above"}};

    void init() override;
    void bwdInit() override;
    PointLists pointLists() override
    {
        return {{{pointsOf(this->state()), {{&d_indices, core::ElementData::Kind::Numbers}}}}};
    }

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override
    {
        if (d_tangent.value()) Base::addDForce(mp, df);
    }
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams&, const VecCoord&) const override { return std::nan(""); }
    /// The axis, and the forces as arrows of the length of their distance from it (flag ForceFields).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    core::Vec3 axis() const { return normalized(d_axis.value()); }
};

}  // namespace sofa::component
