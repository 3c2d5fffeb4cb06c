// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/objectmodel/Engine.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Mean of the coordinates of a state: Σ x_i / n over all points, or over `indices`.
///
/// The mean orientation of rigid frames in space is that of the normalised sum of their quaternions, each with the sign
/// that is nearer to the sum before it; SOFA multiplies the orientations. Angles in the plane are averaged as numbers.
template <class DataTypes>
class AverageCoord final : public Engine, public TopologyFollower
{
public:
    using Coord = typename DataTypes::Coord;

    Link<State<DataTypes>> l_state{this, {"mstate", "State whose coordinates are averaged; default: that of the node"}};
    Input<Vector<Index>> d_indices{
        this, {.name = "indices", .help = "Points to average; empty: all of them", .group = "Inputs"}};
    Input<Index> d_vecId{
        this,
        {.name = "vecId",
         .help = "Vector that is averaged: 1 position, 2 rest position, 3 free position, 4 position for reset",
         .range = Range::closed(1., 4.),
         .group = "Inputs"},
        vec_id::position.index};
    Output<Coord> d_average{this,
                            {.name = "average",
                             .help = "Mean of the coordinates: metres, and radians or a quaternion for frames",
                             .unit = "m",
                             .group = "Outputs"}};

    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<DataTypes>(node, desc, "mstate", why);
    }
    void init() override;
    PointLists pointLists() override
    {
        if (!l_state) return noLists();
        return {{{pointsOf(*l_state), {{&d_indices, ElementData::Kind::Numbers}}}}};
    }
    /// Points of which the mean is taken cannot all go: none would mean all of them.
    void followTopology(const TopologyChange& change) override;

protected:
    void doUpdate() override;

private:
    bool m_some = false;  ///< whether `indices` chose points
};

}  // namespace sofa::component
