// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "components/engine/Transforms.h"

namespace sofa::component {

namespace {

/// Motion of frames as matrices, x S x0⁻¹: what a frame carries is scaled along the axes of the frame at rest, and
/// moved with it.
class DisplacementMatrixEngine final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Rigid3Types::name(); }

    Input<Vector<RigidCoord3>> d_x0{this, input("x0", "Frames at rest", "m")};
    Input<Vector<RigidCoord3>> d_x{this, input("x", "Present frames", "m")};
    Input<Vector<Vec3>> d_scales{this, input("scales", "Factors along the axes of each frame; none: 1 1 1", "1")};
    Output<Vector<Mat4>> d_displaceMats{this, output("displaceMats", "Motion of each frame, 4 × 4 by rows", "1")};

protected:
    void doUpdate() override
    {
        requireSameSize(d_x, d_x0);
        const Vector<Vec3>& scales = d_scales.value();
        if (!scales.empty()) requireSameSize(d_scales, d_x);
        Vector<Mat4> out;
        for (std::size_t i = 0; i < d_x.value().size(); ++i) {
            const Mat3 s = scales.empty() ? Mat3::identity() : diagonal(scales[i]);
            out.push_back(affine(d_x.value()[i]) * affine(s, {}) * affine(inverse(d_x0.value()[i])));
        }
        d_displaceMats.setValue(std::move(out));
    }
};

const RegisterComponent registeredDisplacementMatrixEngine =
    RegisterComponent("DisplacementMatrixEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("Motion of frames from their place at rest, as matrices")
        .example("component/engine/Frames.scn")
        .add<DisplacementMatrixEngine>();

}  // namespace

}  // namespace sofa::component
