// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/engine/BaseROI.h"

namespace sofa::component {

/// Selects the points and elements between two boxes along the axes: in the one, its border included, and not in the
/// other, with its border. An outer box around a mesh and an inner one select its rim.
template <class DataTypes>
class PairBoxROI final : public BaseROI<DataTypes>
{
public:
    Input<Vec6> d_inclusiveBox{this,
                               {.name = "inclusiveBox",
                                .help = "Box around the selection, by two opposite corners: x1 y1 z1 x2 y2 z2",
                                .unit = "m",
                                .group = "Inputs"}};
    Input<Vec6> d_includedBox{
        this, {.name = "includedBox", .help = "Box that is left out, in the same way", .unit = "m", .group = "Inputs"}};
    Data<bool> d_drawInclusiveBox{
        this, {.name = "drawInclusiveBox", .help = "Show the outer box", .group = "Visualization"}, false};
    Data<bool> d_drawIncludedBox{
        this, {.name = "drawIncludedBox", .help = "Show the box that is left out", .group = "Visualization"}, false};

    PairBoxROI();
    void init() override;
    /// Besides what other regions show: the boxes that are asked for (flag BehaviorModels).
    void draw(DrawTool& tool) override;

protected:
    bool contains(const Vec3& p) const override;
    bool prepareRegion() override;
    std::string describeRegion() const override;
    void drawRegion(DrawTool& tool) const override { drawBoxes(tool, true, true); }

private:
    void drawBoxes(DrawTool& tool, bool outer, bool inner) const;

    BoundingBox m_outer, m_inner;
};

}  // namespace sofa::component
