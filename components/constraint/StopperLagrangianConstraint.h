// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/LagrangianConstraint.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Keeps one coordinate of a one-dimensional state between two bounds, min ≤ x ≤ max, by a force that acts at the
/// bounds only: a mechanical stop of a joint.
template <class DataTypes>
class StopperLagrangianConstraint final : public core::LagrangianConstraint<DataTypes>, public core::TopologyFollower
{
public:
    using typename core::LagrangianConstraint<DataTypes>::Deriv;

    core::Data<core::Index> d_index{this, {.name = "index", .help = "Coordinate that is bounded"}, 0};
    core::Data<double> d_min{this, {.name = "min", .help = "Smallest value", .unit = "m"}, -100.};
    core::Data<double> d_max{this, {.name = "max", .help = "Largest value", .unit = "m"}, 100.};

    PointLists pointLists() override
    {
        return {{{pointsOf(this->state()), {{&d_index, core::ElementData::Kind::Kept}}}}};
    }
    /// Follows its point, which cannot go.
    void followTopology(const core::TopologyChange& change) override;
    void bwdInit() override;
    void buildRows(const core::ConstraintParams& p, core::ConstraintMatrix& h) override;
    void violation(const core::ConstraintParams& p, const core::MultiVecCoordId& x, std::span<double> d) override;
    void laws(const core::ConstraintParams& p, std::vector<core::ConstraintLaw*>& out) override;

private:
    core::IntervalLaw m_law;
};

/// Holds every coordinate of a state at zero, or at its rest position: one bilateral row for each scalar, or, without
/// `iterative`, all of them in one group.
template <class DataTypes>
class UniformLagrangianConstraint final : public core::LagrangianConstraint<DataTypes>, public core::TopologyFollower
{
public:
    using typename core::LagrangianConstraint<DataTypes>::Deriv;

    core::Data<bool> d_iterative{
        this, {.name = "iterative", .help = "Update row by row; otherwise all rows at once, exactly"}, true};
    core::Data<bool> d_constrainToRestPos{
        this, {.name = "constrainToRestPos", .help = "Hold the rest positions instead of zero"}, false};

    PointLists pointLists() override { return noLists(); }
    void bwdInit() override;
    void buildRows(const core::ConstraintParams& p, core::ConstraintMatrix& h) override;
    void violation(const core::ConstraintParams& p, const core::MultiVecCoordId& x, std::span<double> d) override;
    void laws(const core::ConstraintParams& p, std::vector<core::ConstraintLaw*>& out) override;

private:
    std::vector<core::BilateralLaw> m_rows;
    core::BilateralLaw m_all;
};

}  // namespace sofa::component
