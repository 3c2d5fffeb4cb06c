// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/objectmodel/Component.h"

namespace sofa::component {

/// How large constraints draw the points that they act on.
class DrawSize : public core::Data<double>
{
public:
    explicit DrawSize(core::Base* owner)
        : Data(owner,
               {.name = "drawSize",
                .help = "Radius of the spheres drawn; 0: points of constant size",
                .unit = "m",
                .range = core::Range::nonNegative(),
                .group = "Visualization"},
               0.)
    {
    }
};

/// Points that are held: in light red, of 10 pixels or as spheres of a radius [m].
void drawConstrainedPoints(core::DrawTool& tool, std::span<const core::Vec3> points, double radius);

}  // namespace sofa::component
