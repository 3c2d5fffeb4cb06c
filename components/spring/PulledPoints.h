// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"
#include "core/visual/Color.h"

namespace sofa::component {

/// What springs have in common that pull points to their rest positions, or to the positions of another state: the
/// pairs of points and targets.
template <class DataTypes>
class PulledPoints : public core::ForceField<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using VecCoord = typename DataTypes::VecCoord;

    core::Data<core::Vector<core::Index>> d_points{
        this, {.name = "points", .help = "Points that are pulled; all points when empty"}};
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
    core::Link<core::State<DataTypes>> l_externalState{
        this, {"external_rest_shape", "State whose present positions take the place of the rest positions"}};
    core::TopologyView l_topology{
        this, {"topology", "Mesh whose changes the points follow; default: that of the node or above"}};

    PulledPoints();

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

protected:
    /// Lists with a value for each spring, or for all.
    using Values = std::vector<core::Data<core::Vector<double>>*>;
    virtual Values values() = 0;
    /// Lists that say more of the springs; where there are any, springs of all points do not follow.
    virtual std::vector<core::BaseData*> furtherLists() { return {}; }
    /// Computes what belongs to each spring, when springs or what is tracked have changed.
    virtual void springsFound() = 0;
    /// To be called at the beginning of addForce.
    void updateSprings();
    /// Brings lists up to date that say more of the springs; `left` has the numbers before of those that are left.
    virtual void keepSprings(const core::Vector<core::Index>&) {}

    static double valueOf(const core::Vector<double>& list, std::size_t spring);
    const VecCoord& targets() const;

    core::Vector<core::Index> m_points, m_targets;  ///< of each spring
    core::DataTracker m_tracker;                    ///< of the lists, and what else springs are made of

private:
    void findPoints();
    bool takesAll() const { return d_points.value().empty() && !m_emptied; }

    bool m_emptied = false;           ///< all points of the list are gone: the empty list does not mean all points
    std::size_t m_sizes[2] = {0, 0};  ///< of the state and of the targets when the points were found
};

}  // namespace sofa::component
