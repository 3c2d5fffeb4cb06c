// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "components/engine/Transforms.h"

namespace sofa::component {

namespace {

/// Scales points from the origin, rotates them about it and moves them, in this order; or the inverse of that. Frames
/// turn with the rotation. In the plane, points rotate in space and lose the coordinates that they lack.
template <class D>
class TransformEngine final : public Engine
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<typename D::Coord>(node, desc, "input_position", why);
    }

    Input<VecCoord> d_inputPosition{this, input("input_position", "Points or frames", "m")};
    Input<Vec3> d_translation{this, input("translation", "How far they are moved", "m")};
    Input<Vec3> d_rotation{this, input("rotation", "Euler angles, in degrees: about x, then y, then z", "deg")};
    Input<Quat> d_quaternion{this, input("quaternion", "Rotation after that: qx qy qz qw", "1")};
    Input<Vec3> d_scale{this, input("scale", "Factors along x, y and z", "1"), Vec3{1., 1., 1.}};
    Input<bool> d_inverse{this, input("inverse", "Apply the inverse"), false};
    Output<VecCoord> d_outputPosition{this, output("output_position", "Transformed points or frames", "m")};

protected:
    void doUpdate() override
    {
        const Vec3 &s = d_scale.value(), &t = d_translation.value();
        Quat q = d_quaternion.value() * Quat::fromEulerXYZ(d_rotation.value() * degree);
        const bool inverse = d_inverse.value();
        if (inverse && s[0] * s[1] * s[2] == 0.) throw std::runtime_error("scale: with a factor 0 there is no inverse");
        if (inverse) q = q.inverse();
        VecCoord out = d_inputPosition.value();
        for (auto& c : out) {
            const Vec3 x = D::position(c);
            if (inverse) {
                const Vec3 y = q.rotate(x - t);
                D::setPosition(c, {y[0] / s[0], y[1] / s[1], y[2] / s[2]});
            } else {
                D::setPosition(c, q.rotate({s[0] * x[0], s[1] * x[1], s[2] * x[2]}) + t);
            }
            if constexpr (std::is_same_v<D, Rigid3Types>) c.orientation = q * c.orientation;
            if constexpr (std::is_same_v<D, Rigid2Types>) c.angle += q.normalized().toRotationVector()[2];
        }
        d_outputPosition.setValue(std::move(out));
    }
};

const RegisterComponent registeredTransformEngine =
    RegisterComponent("TransformEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("Scales, rotates and moves points or frames")
        .example("component/engine/Transforms.scn")
        .add<TransformEngine, Vec3Types, Vec1Types, Vec2Types, Rigid2Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
