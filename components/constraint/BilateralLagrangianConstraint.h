// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <deque>

#include "core/behavior/LagrangianConstraint.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// Holds pairs of points of two objects at their rest vectors: δ = x₂ − x₁ − r. Pair i joins point first_point(i) of
/// the first object with point second_point(i) of the second one.
///
/// Rigid frames are joined in position and orientation: δ = (c₂ − c₁, log(q₂ q₁⁻¹)) − r, in world axes, with the
/// Jacobian (−1, 1) as in SOFA; six rows in two groups of three. With `keepOrientationDifference` the frames keep the
/// offset (in world axes) and the relative orientation that they have at init.
template <class DataTypes>
class BilateralLagrangianConstraint final : public core::PairLagrangianConstraint<DataTypes>,
                                            public core::TopologyFollower
{
public:
    using Base = core::PairLagrangianConstraint<DataTypes>;
    using typename Base::Coord;
    using typename Base::Deriv;
    using typename Base::VecDeriv;

    core::Data<core::Vector<core::Index>> d_firstPoint{
        this, {.name = "first_point", .help = "Points of the first object (object1)"}};
    core::Data<core::Vector<core::Index>> d_secondPoint{
        this, {.name = "second_point", .help = "Points of the second object (object2)"}};
    core::Data<VecDeriv> d_restVector{this,
                                      {.name = "rest_vector",
                                       .help = "For each pair the vector from the first to the second point; default 0",
                                       .unit = "m"}};
    core::Data<bool> d_activate{this, {.name = "activate", .help = "False: the constraint has no effect"}, true};
    core::Data<bool> d_keepOrientDiff{
        this,
        {.name = "keepOrientationDifference", .help = "Rigid frames keep the offset and relative orientation of init"},
        false};
    core::Data<double> d_load{this,
                              {.name = "load",
                               .help = "Part of the correction that each update of a solver makes, for gradual loading",
                               .unit = "1",
                               .range = core::Range::closed(0., 1.)},
                              1.};
    core::TopologyView l_topology1{this, {"topology1", "Topology of the points of the first object"}};
    core::TopologyView l_topology2{this, {"topology2", "Topology of the points of the second object"}};

    BilateralLagrangianConstraint();
    void init() override;
    void bwdInit() override;
    void reinit() override;
    void reset() override;
    PointLists pointLists() override;
    /// Pairs go with their points.
    void followTopology(const core::TopologyChange& change) override;
    void archive(core::Archive& a) override;
    void buildRows(const core::ConstraintParams& p, core::ConstraintMatrix& h) override;
    void violation(const core::ConstraintParams& p, const core::MultiVecCoordId& x, std::span<double> d) override;
    void laws(const core::ConstraintParams& p, std::vector<core::ConstraintLaw*>& out) override;
    /// The points of each pair and lines between them (flag InteractionForceFields): magenta, green if it is not
    /// active.
    void draw(core::DrawTool& tool) override;

private:
    static constexpr int groups = DataTypes::isRigid ? 2 : 1;
    std::size_t pairs() const;

    std::deque<core::BilateralLaw> m_laws;
    core::Vector<Coord> m_initialDifference;  ///< of rigid frames
};

}  // namespace sofa::component
