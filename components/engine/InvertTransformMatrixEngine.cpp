// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/TransformMatrixEngine.h"

namespace sofa::component {

namespace {

/// outT = inT⁻¹. A map without an inverse is an error.
class InvertTransformMatrixEngine final : public TransformMatrixEngine
{
public:
protected:
    Mat4 compute(const Mat4& in) const override
    {
        const Mat3 a = linearPart(in);
        if (!(std::abs(determinant(a)) > 0.)) throw std::runtime_error("inT: the matrix has no inverse");
        const Mat3 inverted = core::inverse(a);
        return affine(inverted, inverted * translationPart(in) * -1.);
    }
};

const RegisterComponent registeredInvertTransformMatrixEngine =
    RegisterComponent("InvertTransformMatrixEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("The inverse of an affine map")
        .example("component/engine/Transforms.scn")
        .add<InvertTransformMatrixEngine>();

}  // namespace

}  // namespace sofa::component
