// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// A force on given points that is linear in time between keys: with keys (tₖ, Fₖ) and tₖ ≤ t < tₖ₊₁,
///     f = force · ( Fₖ + (Fₖ₊₁ − Fₖ)(t − tₖ)/(tₖ₊₁ − tₖ) );
/// nothing before the first key, and from the last key on its force, which as in SOFA is not scaled by "force".
template <class DataTypes>
class LinearForceField : public core::ForceField<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    core::Data<core::Vector<core::Index>> d_points{this, {.name = "points", .help = "Points on which the force acts"}};
    core::Data<double> d_force{
        this, {.name = "force", .help = "Factor of the forces between the keys", .unit = "1"}, 1.};
    core::Data<core::Vector<double>> d_times{this,
                                             {.name = "times", .help = "Times of the keys, increasing", .unit = "s"}};
    core::Data<VecDeriv> d_forces{this, {.name = "forces", .help = "Force at each key", .unit = "N"}};
    core::Data<double> d_arrowSizeCoef{
        this, {.name = "arrowSizeCoef", .help = "Length of the arrows shown per force; 0: none", .unit = "m/N"}, 0.};
    core::TopologyView l_topology{
        this, {"topology", "Mesh whose changes the points follow; default: that of the node or above"}};

    void init() override;
    void bwdInit() override;
    PointLists pointLists() override
    {
        return {{{pointsOf(this->state()), {{&d_points, core::ElementData::Kind::Numbers}}}}};
    }

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams&, const core::MultiVecDerivId&) override {}
    void buildStiffness(const core::MechanicalParams&, core::BlockSink&) override {}
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// The present forces as arrows (flag ForceFields).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    /// Force on each point at the time of the node.
    Deriv currentForce() const;
};

}  // namespace sofa::component
