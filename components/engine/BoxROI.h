// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/engine/BaseROI.h"
#include "components/engine/OrientedBox.h"

namespace sofa::component {

/// Selects the points and elements in boxes: along the axes, or oriented.
///
/// An oriented box is given by three points p0, p1, p2 and a depth h. Its base is the parallelogram p0, p1, p2,
/// p3 = p0 + (p2 − p1), and it extends by h/2 to either side of it. Without any box, the unit cube is taken.
template <class DataTypes>
class BoxROI : public BaseROI<DataTypes>
{
public:
    Input<Vector<Vec6>> d_box{this,
                              {.name = "box",
                               .help = "Boxes along the axes, two opposite corners each: x1 y1 z1 x2 y2 z2",
                               .unit = "m",
                               .group = "Inputs"}};
    Input<Vector<Vec<10>>> d_orientedBox{
        this,
        {.name = "orientedBox",
         .help = "Oriented boxes, each three corners of a parallelogram and the depth across it (3D only)",
         .unit = "m",
         .group = "Inputs"}};

    BoxROI();
    void init() override;
    BoundingBox boundingBox() const override;

protected:
    bool contains(const Vec3& p) const override;
    bool prepareRegion() override;
    std::string describeRegion() const override;
    void drawRegion(DrawTool& tool) const override;

private:
    bool usesOriented() const { return DataTypes::spatialDimensions == 3; }
    std::vector<BoundingBox> m_boxes;
    std::vector<OrientedBox> m_oriented;
};

}  // namespace sofa::component
