// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <numbers>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Rolls a sheet up along the spiral of Archimedes r = a t, where a is the curvature factor: x becomes the length of
/// the curve from its centre, l(t) = a/2 (t √(1 + t²) + asinh t); negative x lies on the arm opposite to that. y is the
/// height above the curve along its normal and z stays. Near the centre the normal (n₁, n₂) is kept at n₂ ≤ 0.8, as in
/// SOFA, so that the two arms leave room for the thickness of the sheet.
class Spiral final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_restPosition{this, input("rest_position", "Points of the plane sheet", "m")};
    Output<Vector<Vec3>> d_position{this, output("position", "Points of the rolled sheet", "m")};
    Input<double> d_curvature{this, input("curvature", "Growth of the radius for each radian", "m", Range::positive()),
                              0.2};

protected:
    void doUpdate() override
    {
        Vector<Vec3> x = d_restPosition.value();
        const double a = d_curvature.value();
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!isFinite(x[i]))
                throw std::runtime_error("rest_position: point " + std::to_string(i) + " is not finite");
            const double t = angleAt(std::abs(x[i][0]));
            const double c = std::cos(t), s = std::sin(t), r = x[i][0] > 0. ? a * t : -a * t;
            Vec3 normal = normalized(Vec3{-s - t * c, c - t * s, 0.});
            if (t < std::numbers::pi / 2. && normal[1] > 0.8) normal = {-0.6, 0.8, 0.};
            x[i] = Vec3{r * c, r * s, x[i][2]} + normal * x[i][1];
        }
        d_position.setValue(std::move(x));
    }

private:
    /// The angle t with l(t) = length. l is convex and not below a t and a t² / 2, so Newton's method comes down from
    /// the lesser of their two solutions.
    double angleAt(double length) const
    {
        const double a = d_curvature.value();
        double t = std::min(length / a, std::sqrt(2. * length / a));
        for (int k = 0; k < 50 && t > 0.; ++k) {
            const double root = std::sqrt(1. + t * t);
            const double step = (0.5 * (t * root + std::asinh(t)) - length / a) / root;
            t -= step;
            if (std::abs(step) <= 1e-15 * t) break;
        }
        return t;
    }
};

const RegisterComponent registeredSpiral = RegisterComponent("Spiral", "Engine", "Sofa.Component.Engine.Generate")
                                               .help("Rolls a sheet up along a spiral")
                                               .example("component/engine/Spiral.scn")
                                               .add<Spiral>();

}  // namespace

}  // namespace sofa::component
