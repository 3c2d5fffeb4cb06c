// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "components/engine/Transforms.h"

namespace sofa::component {

namespace {

/// Motion of frames, x x0⁻¹: the map that takes what a frame carries from its place at rest to its present one.
template <class T>
class DisplacementTransformEngine final : public Engine
{
public:
    static std::string staticTemplateName()
    {
        return std::string(Rigid3Types::name()) + (std::is_same_v<T, Mat4> ? ",Mat4x4" : ",RigidCoord3");
    }

    Input<Vector<RigidCoord3>> d_x0{this, input("x0", "Frames at rest", "m")};
    Input<Vector<RigidCoord3>> d_x{this, input("x", "Present frames", "m")};
    Output<Vector<T>> d_displacements{this, output("displacements", "Motion of each frame", "m")};

protected:
    void doUpdate() override
    {
        requireSameSize(d_x, d_x0);
        Vector<T> out;
        for (std::size_t i = 0; i < d_x.value().size(); ++i) {
            const RigidCoord3 motion = d_x.value()[i].compose(inverse(d_x0.value()[i]));
            if constexpr (std::is_same_v<T, Mat4>)
                out.push_back(affine(motion));
            else
                out.push_back(motion);
        }
        d_displacements.setValue(std::move(out));
    }
};

const RegisterComponent registeredDisplacementTransformEngine =
    RegisterComponent("DisplacementTransformEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("Motion of frames from their place at rest")
        .example("component/engine/Frames.scn")
        .add<DisplacementTransformEngine, RigidCoord3, Mat4>();

}  // namespace

}  // namespace sofa::component
