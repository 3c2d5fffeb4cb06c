// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/DataTypes.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

using namespace sofa::core;

/// Removes elements whose centre (the mean of their points) has left a box, at the end of each step. Of a topology with
/// elements of several kinds those of the highest one are removed, with the sides that they leave.
class TopologyBoundingTrasher final : public Component
{
public:
    static std::string_view typeLabel() { return "topology utility"; }
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Data<Vector<Vec3>> d_position{
        this,
        {.name = "position", .help = "Positions of the points; default: those of the state of the node", .unit = "m"}};
    Data<Vec6> d_box{
        this,
        {.name = "box", .help = "Box that elements must not leave: least corner, greatest corner", .unit = "m"},
        Vec6{-1000., -1000., -1000., 1000., 1000., 1000.}};
    Data<bool> d_drawBox{this, {.name = "drawBox", .help = "Show the box", .group = "Visualization"}, false};
    TopologyView l_topology{this, {"topology", "Topology that loses elements; default: that of the node"}};

    TopologyBoundingTrasher() { d_listening.setDefault(true); }
    void init() override;
    void handleEvent(const Event& e) override;
    void draw(DrawTool& tool) override;

private:
    bool isOutside(const Vec3& x) const;
};

}  // namespace sofa::component
