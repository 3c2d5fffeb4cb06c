// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/interaction/SwitchedTool.h"
#include "core/behavior/State.h"
#include "core/topology/MeshCut.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Cuts the tetrahedra or triangles of its node with a blade, at the end of each step in which it is active.
///
/// The blade is a polyline: the edges on the points of another object, or its points one after the other. What it
/// sweeps relative to the material is cut, to the accuracy of an element: elements are divided along the cut, and open
/// behind the blade (MeshCut). A cut goes on until the blade is switched off. The blade itself touches nothing; give it
/// a collision model if it should.
class CuttingManager final : public SwitchedTool, public TopologyFollower
{
public:
    Link<State<Vec3Types>> l_blade{
        this,
        {"blade",
         "Points of the blade; default: those with the tag CuttingTool. Lines are the edges of the topology "
         "in their node, or join the points in their order"}};
    Link<BaseMeshTopology> l_topology{this, {"topology", "Mesh that is cut; default: that of the node"}};
    Data<double> d_snap{this,
                        {.name = "snap",
                         .help = "Part of an edge from its ends within which the cut goes through the end instead; "
                                 "larger: rougher cuts, better elements",
                         .unit = "1",
                         .range = Range::halfOpen(0.001, 0.5)},
                        0.15};
    Data<unsigned> d_smallestPiece{
        this,
        {.name = "smallestPiece",
         .help = "Pieces of fewer elements that come free are removed: crumbs that steps of this length cannot follow"},
        0u};
    Data<unsigned> d_divided{
        this, {.name = "divided", .help = "Edges divided since the beginning", .readOnly = true, .saved = false}, 0u};
    Data<unsigned> d_opened{
        this,
        {.name = "opened", .help = "Points that became several since the beginning", .readOnly = true, .saved = false},
        0u};

    void init() override;
    void reset() override;
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;

    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange& change) override;

private:
    void cut();

    StoredTopology* m_mesh = nullptr;
    MeshCut m_cut;
};

}  // namespace sofa::component
