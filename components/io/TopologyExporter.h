// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseState.h"
#include "core/io/MeshData.h"
#include "core/objectmodel/Node.h"
#include "core/simulation/SimulationExporter.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of the exporters that write the elements of a topology on points.
class TopologyExporter : public SimulationExporter
{
public:
    Data<Vector<Vec3>> d_position{
        this, {.name = "position", .help = "Points; default: those of the state, or of the topology", .unit = "m"}};
    Data<bool> d_edges, d_triangles, d_quads, d_tetras, d_hexas;

    void init() override;

protected:
    /// Whether kinds of elements are written, unless the scene says otherwise.
    TopologyExporter(bool edges, bool others);
    virtual BaseState* findState() { return node()->get<BaseState>(Search::Up); }
    virtual BaseMeshTopology* findTopology() { return node()->get<BaseMeshTopology>(Search::Up); }
    /// The points as they are now, and the elements that are written. \throws std::runtime_error if the topology has
    /// left the scene, or an element has a point that is not there
    io::MeshData mesh() const;

private:
    Tracked<BaseState> m_state;
    Tracked<BaseMeshTopology> m_topology;
};

}  // namespace sofa::component
