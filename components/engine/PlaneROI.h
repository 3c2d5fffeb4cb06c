// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/engine/BaseROI.h"
#include "components/engine/OrientedBox.h"

namespace sofa::component {

/// Selects the points and elements near parallelograms in space: in the boxes of OrientedBox. Where there are several,
/// a point belongs to the selection if it is in one of them.
///
/// With the depth 0 the whole plane through the three points is meant, as in SOFA: what lies exactly in it.
template <class DataTypes>
class PlaneROI final : public BaseROI<DataTypes>
{
public:
    Input<Vector<Vec<10>>> d_plane{
        this,
        {.name = "plane",
         .help = "Parallelograms, each by three of its corners in a row, and the depth across it; with "
                 "depth 0 all of the plane",
         .unit = "m",
         .group = "Inputs"}};

    PlaneROI();
    void init() override;
    BoundingBox boundingBox() const override;

protected:
    bool contains(const Vec3& p) const override;
    bool prepareRegion() override;
    std::string describeRegion() const override { return "the boxes (plane=\"" + d_plane.text() + "\")"; }
    void drawRegion(DrawTool& tool) const override;

private:
    std::vector<OrientedBox> m_boxes;
};

}  // namespace sofa::component
