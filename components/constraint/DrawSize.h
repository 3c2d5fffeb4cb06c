// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Data.h"

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

}  // namespace sofa::component
