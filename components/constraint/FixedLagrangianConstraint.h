// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <deque>

#include "core/behavior/LagrangianConstraint.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Holds points (or frames) at their rest positions: δ = x − x₀, for frames with the rotation log(q q₀⁻¹). One group
/// for each point, two (translation, rotation) for each frame in space.
///
/// Without rest positions the positions at init are held.
template <class DataTypes>
class FixedLagrangianConstraint final : public core::LagrangianConstraint<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::LagrangianConstraint<DataTypes>;
    using typename Base::Deriv;
    using typename Base::VecCoord;

    core::Data<core::Vector<core::Index>> d_indices{this, {.name = "indices", .help = "Fixed points"}};
    core::Data<bool> d_fixAll{this, {.name = "fixAll", .help = "Fix every point, whatever the indices"}, false};

    void bwdInit() override;
    void reset() override;
    /// Without rest positions it does not follow.
    PointLists pointLists() override;
    void followTopology(const core::TopologyChange&) override { m_laws.clear(); }
    void archive(core::Archive& a) override;
    void buildRows(const core::ConstraintParams& p, core::ConstraintMatrix& h) override;
    void violation(const core::ConstraintParams& p, const core::MultiVecCoordId& x, std::span<double> d) override;
    void laws(const core::ConstraintParams& p, std::vector<core::ConstraintLaw*>& out) override;
    /// The points (flag BehaviorModels).
    void draw(core::DrawTool& tool) override;

private:
    static constexpr bool split = DataTypes::derivSize == 6 && DataTypes::isRigid;
    /// SOFA starts from the forces of the last step where groups have three rows.
    static constexpr bool keepsForces = DataTypes::derivSize == 3 || split;
    std::size_t count() const { return d_fixAll.value() ? this->state().size() : d_indices.value().size(); }
    core::Index point(std::size_t k) const
    {
        return d_fixAll.value() ? static_cast<core::Index>(k) : d_indices.value()[k];
    }
    void makeLaws(std::size_t n);

    std::deque<core::BilateralLaw> m_laws;
    VecCoord m_initial;  ///< positions at init, where there are no rest positions
};

}  // namespace sofa::component
