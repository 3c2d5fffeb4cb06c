// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"
#include "core/visual/Color.h"

namespace sofa::component {

/// Given forces on given points: f[indices[i]] += forces[i], with E = −Σ forces[i]·x[indices[i]].
///
/// One force acts on every listed point; else there must be as many forces as points. totalForce is shared equally by
/// the points. If both are given, forces count. No indices: all points. The force on a rigid body has six (in the plane
/// three) numbers, force then torque, in world axes; a torque has no potential.
template <class DataTypes>
class ConstantForceField : public core::ForceField<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    core::Data<core::Vector<core::Index>> d_indices{
        this, {.name = "indices", .help = "Points on which the forces act; all points when empty"}};
    core::Data<bool> d_indexFromEnd{
        this, {.name = "indexFromEnd", .help = "Count the indices from the last point backwards"}, false};
    core::Data<VecDeriv> d_forces{this,
                                  {.name = "forces",
                                   .help = "Force on each point of indices, or one force for all of them",
                                   .unit = "N",
                                   .group = "Force info"}};
    core::Data<Deriv> d_totalForce{
        this,
        {.name = "totalForce",
         .help = "Force shared equally by the points of indices; the sum when forces are given",
         .unit = "N",
         .group = "Force info"}};
    core::Data<double> d_showArrowSize{
        this,
        {.name = "showArrowSize",
         .help = "Length of the arrows shown per force; 0: none; negative: arrows that push",
         .unit = "m/N",
         .group = "Visualization"},
        0.};
    core::Data<core::Color> d_showColor{this,
                                        {.name = "showColor", .help = "Color of the arrows", .group = "Visualization"},
                                        core::Color(0.2F, 0.9F, 0.3F, 1.F)};
    core::TopologyView l_topology{
        this, {"topology", "Mesh whose changes the points follow; default: that of the node or above"}};

    ConstantForceField();

    /// Attributes left empty, as in SOFA's prefab BoxConstantForceField, count as not given.
    void parse(core::ComponentDescription& desc) override;
    void init() override;
    void bwdInit() override;
    void reinit() override;
    /// Indices that count from the end do not follow.
    PointLists pointLists() override;
    /// Forces go with their points. New points have none, unless one force or a total acts on all points.
    void followTopology(const core::TopologyChange& change) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams&, const core::MultiVecDerivId&) override {}
    void buildStiffness(const core::MechanicalParams&, core::BlockSink&) override {}
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// The forces as arrows (flag ForceFields and `showArrowSize`).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    /// True if forces is one force for all points: given as such, or repeated by distribute.
    bool isSingle() const;
    /// Whether the forces on all points follow from one.
    bool followsAll() const { return m_all && (m_fromTotal || isSingle()); }
    /// Brings forces and totalForce in agreement.
    void distribute();
    std::size_t pointOf(std::size_t i, std::size_t points) const
    {
        const std::size_t k = m_all ? i : d_indices.value()[i];
        return d_indexFromEnd.value() ? points - 1 - k : k;
    }
    /// Empty, or which index is wrong for a state of this size.
    std::string indexError(std::size_t points) const;

    bool m_fromTotal = false;
    bool m_single = false;  ///< forces repeats one force, m_force, for all points
    bool m_all = true;      ///< every point, also those that come later
    std::size_t m_points = 0;
    Deriv m_force;
    core::DataTracker m_tracker;
};

}  // namespace sofa::component
