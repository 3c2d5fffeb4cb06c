// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "components/engine/Transforms.h"

namespace sofa::component {

namespace {

/// Projects points onto the image plane of a camera: y = P (x, 1), output f y / y_z.
class ProjectiveTransformEngine final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_inputPosition{this, input("input_position", "Points in space", "m")};
    Input<Mat<3, 4>> d_matrix{this, input("proj_mat", "P: 3 × 4 matrix of the camera, by rows", "1")};
    Input<double> d_focalDistance{this, input("focal_distance", "f: distance of the image plane", "m"), 1.};
    Output<Vector<Vec3>> d_outputPosition{this, output("output_position", "Points in the image plane", "m")};

protected:
    void doUpdate() override
    {
        constexpr double least = 1e-10;  // depth of points in the plane of the camera itself
        Vector<Vec3> out;
        for (const Vec3& x : d_inputPosition.value()) {
            const Vec3 y = d_matrix.value() * Vec<4>{x[0], x[1], x[2], 1.};
            const double depth = std::abs(y[2]) < least ? std::copysign(least, y[2]) : y[2];
            out.push_back(y * (d_focalDistance.value() / depth));
        }
        d_outputPosition.setValue(std::move(out));
    }
};

const RegisterComponent registeredProjectiveTransformEngine =
    RegisterComponent("ProjectiveTransformEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("Projects points onto the image plane of a camera")
        .example("component/engine/Transforms.scn")
        .add<ProjectiveTransformEngine>();

}  // namespace

}  // namespace sofa::component
