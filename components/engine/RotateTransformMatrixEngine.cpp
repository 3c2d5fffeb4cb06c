// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/TransformMatrixEngine.h"

namespace sofa::component {

namespace {

/// outT = inT R: points are rotated about the origin first, then mapped by inT.
class RotateTransformMatrixEngine final : public TransformMatrixEngine
{
public:
    Input<Vec3> d_rotation{this, input("rotation", "Euler angles, in degrees: about x, then y, then z", "deg")};

protected:
    Mat4 compute(const Mat4& in) const override
    {
        return in * affine(Quat::fromEulerXYZ(d_rotation.value() * degree).toMatrix(), {});
    }
};

const RegisterComponent registeredRotateTransformMatrixEngine =
    RegisterComponent("RotateTransformMatrixEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("A rotation, then another affine map")
        .example("component/engine/Transforms.scn")
        .add<RotateTransformMatrixEngine>();

}  // namespace

}  // namespace sofa::component
