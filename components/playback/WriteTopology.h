// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/playback/FrameWriter.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// Writes the elements of a topology at the beginning of steps, in SOFA's format:
///
///     T= 0.5
///       Edges= 2
///     0 1 1 2
///       Triangles= 0
///
/// and so on for quads, tetrahedra and hexahedra: the number of elements, and a line with their vertices.
class WriteTopology final : public FrameWriter
{
public:
    TopologyView l_topology{this, {"topology", "Topology that is written; default: that of the node or above"}};
    Data<bool> d_writeContainers{this, {.name = "writeContainers", .help = "Write the elements"}, true};
    Data<bool> d_writeShellContainers{
        this,
        {.name = "writeShellContainers", .help = "Accepted from scenes: no topology has shells of its own"},
        false};
    Data<double> d_interval{
        this,
        {.name = "interval", .help = "The period, where that is not given", .unit = "s", .range = Range::nonNegative()},
        0.};

    void init() override;

protected:
    double period() const override { return d_period.value() > 0. ? d_period.value() : d_interval.value(); }
    void appendFrame(std::string& text, double time) override;
};

}  // namespace sofa::component
