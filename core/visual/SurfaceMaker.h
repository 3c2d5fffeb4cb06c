// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// A component that makes the points and triangles of the visual model in its node, at each step others. The model then
/// takes none from meshes around it.
class SurfaceMaker
{
public:
    virtual ~SurfaceMaker() = default;
};

}  // namespace sofa::core
