// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/TransformMatrixEngine.h"

namespace sofa::component {

namespace {

/// outT = inT S: points are scaled from the origin first, then mapped by inT. SOFA's default is kept, though it maps
/// all points to one.
class ScaleTransformMatrixEngine final : public TransformMatrixEngine
{
public:
    Input<Vec3> d_scale{this, input("scale", "Factors along x, y and z", "1")};

protected:
    Mat4 compute(const Mat4& in) const override { return in * affine(diagonal(d_scale.value()), {}); }
};

const RegisterComponent registeredScaleTransformMatrixEngine =
    RegisterComponent("ScaleTransformMatrixEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("A scaling, then another affine map")
        .example("component/engine/Transforms.scn")
        .add<ScaleTransformMatrixEngine>();

}  // namespace

}  // namespace sofa::component
