// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/behavior/LagrangianConstraint.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Keeps a point P of the first object on the segment AB of the second one: two bilateral rows across the segment,
///
///     n₁·(P − Q) = 0,  n₂·(P − Q) = 0,   Q = (1 − β) A + β B, the point of the segment next to P,
///
/// and two unilateral rows along it, t·(P − A) ≥ 0 and −t·(P − B) ≥ 0, t from A to B. The directions and β are those of
/// the free positions. Where A and B coincide, P is held at A by three bilateral rows.
template <class DataTypes>
class SlidingLagrangianConstraint final : public core::PairLagrangianConstraint<DataTypes>,
                                          public core::TopologyFollower
{
public:
    using Base = core::PairLagrangianConstraint<DataTypes>;
    using typename Base::Deriv;

    core::Data<core::Index> d_slidingPoint{
        this, {.name = "sliding_point", .help = "Point of the first object (object1) that slides"}, 0};
    core::Data<core::Index> d_axis1{
        this, {.name = "axis_1", .help = "First end of the segment: a point of the second object (object2)"}, 0};
    core::Data<core::Index> d_axis2{
        this, {.name = "axis_2", .help = "Other end of the segment: a point of the second object (object2)"}, 0};
    core::Data<Deriv> d_force{this,
                              {.name = "force",
                               .help = "Force on the sliding point in the last step",
                               .unit = "N s",
                               .readOnly = true,
                               .saved = false}};

    void bwdInit() override;
    PointLists pointLists() override;
    void followTopology(const core::TopologyChange& change) override;
    void buildRows(const core::ConstraintParams& p, core::ConstraintMatrix& h) override;
    void violation(const core::ConstraintParams& p, const core::MultiVecCoordId& x, std::span<double> d) override;
    void laws(const core::ConstraintParams& p, std::vector<core::ConstraintLaw*>& out) override;
    /// The point that slides and the segment (flag InteractionForceFields).
    void draw(core::DrawTool& tool) override;
    void storeForces(const core::ConstraintParams& p, std::span<const double> lambda) override;

private:
    std::array<Deriv, 4> m_directions;
    bool m_held = false;  ///< A and B coincide
    double m_beta = 0.;
    std::array<core::BilateralLaw, 3> m_bilateral;
    std::array<core::UnilateralLaw, 2> m_unilateral;
};

}  // namespace sofa::component
