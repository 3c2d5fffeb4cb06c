// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/TransformMatrixEngine.h"

namespace sofa::component {

namespace {

/// outT = inT T: points are moved first, then mapped by inT.
class TranslateTransformMatrixEngine final : public TransformMatrixEngine
{
public:
    Input<Vec3> d_translation{this, input("translation", "How far points are moved", "m")};

protected:
    Mat4 compute(const Mat4& in) const override { return in * affine(Mat3::identity(), d_translation.value()); }
};

const RegisterComponent registeredTranslateTransformMatrixEngine =
    RegisterComponent("TranslateTransformMatrixEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("A translation, then another affine map")
        .example("component/engine/Transforms.scn")
        .add<TranslateTransformMatrixEngine>();

}  // namespace

}  // namespace sofa::component
