// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/math/PositionPart.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"
#include "core/visual/Color.h"

namespace sofa::component {

/// Springs that pull points to their rest positions, or to the positions of another state.
///
/// f = −k D (x − x₀), with D the diagonal 0/1 matrix of activeDirections; E = ½ k (x − x₀)ᵀ D (x − x₀), K = −k D.
/// For rigid frames k acts on the centre, and the torque is τ = −k_a D θ, where θ is the rotation vector from the
/// target to the frame. Its derivative is taken as −k_a D, as in SOFA, which is exact at θ = 0. With several springs,
/// stiffness and angularStiffness may have one value each or one for all; springs beyond the end of the list take its
/// first value.
template <class DataTypes>
class RestShapeSpringsForceField : public core::ForceField<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Position = core::PositionPart<DataTypes>;

    core::Data<core::Vector<core::Index>> d_points{
        this, {.name = "points", .help = "Points that are pulled; all points when empty"}};
    core::Data<core::Vector<double>> d_stiffness{
        this,
        {.name = "stiffness",
         .help = "Stiffness of the springs, one for all or one for each; 100 when empty",
         .unit = "N/m",
         .range = core::Range::nonNegative()}};
    core::Data<core::Vector<double>> d_angularStiffness{
        this,
        {.name = "angularStiffness",
         .help = "Stiffness against rotation of rigid frames, one for all or one for each; 100 when empty",
         .unit = "N m/rad",
         .range = core::Range::nonNegative()}};
    core::Data<core::Vector<core::Vec3>> d_pivotPoints{
        this, {.name = "pivot_points", .help = "Kept for old scenes: has no effect, as in SOFA", .unit = "m"}};
    core::Data<core::Vector<core::Index>> d_externalPoints{
        this, {.name = "external_points", .help = "Points of external_rest_shape that the points are pulled to"}};
    core::Data<bool> d_recomputeIndices{
        this,
        {.name = "recompute_indices", .help = "Follow changes of the number of points while the simulation runs"},
        true};
    core::Data<bool> d_drawSpring{
        this, {.name = "drawSpring", .help = "Show the springs", .group = "Visualization"}, false};
    core::Data<core::Color> d_springColor{
        this, {.name = "springColor", .help = "Color of the springs shown"}, core::Color(0.F, 1.F, 0.F, 1.F)};
    core::Data<std::array<bool, 7>> d_activeDirections{
        this,
        {.name = "activeDirections", .help = "Scalars of a point, in order, on which the springs act"},
        {true, true, true, true, true, true, true}};
    core::Link<core::State<DataTypes>> l_externalState{
        this, {"external_rest_shape", "State whose present positions take the place of the rest positions"}};
    core::TopologyView l_topology{
        this, {"topology", "Mesh whose changes the points follow; default: that of the node or above"}};

    RestShapeSpringsForceField();

    /// Old scenes wrote external_rest_shape without "@".
    void parse(core::ComponentDescription& desc) override;
    /// Finds points and targets, once all states have their size.
    void bwdInit() override;
    void reinit() override;
    /// Springs of all points with those of another state do not follow.
    PointLists pointLists() override;
    /// Springs go with their points and targets.
    void followTopology(const core::TopologyChange& change) override;
    /// Lines to the targets (flag ForceFields and `drawSpring`).
    void draw(core::DrawTool& tool) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    const VecCoord& targets() const;
    void findPoints();
    bool takesAll() const { return d_points.value().empty() && !m_emptied; }
    /// Diagonal of −K of one spring.
    Deriv diagonal(std::size_t spring) const;

    bool m_emptied = false;  ///< all points of the list are gone: the empty list does not mean all points
    core::Vector<core::Index> m_points, m_targets;
    core::Vector<Deriv> m_diagonals;  ///< of −K, for each spring
    std::size_t m_sizes[2] = {0, 0};  ///< of the state and of the targets when the points were found
    core::DataTracker m_tracker;
};

}  // namespace sofa::component
