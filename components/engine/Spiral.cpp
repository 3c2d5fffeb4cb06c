// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>
#include <numbers>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Rolls a body up along x, onto the spiral r = a t of Archimedes (a: the curvature) in the plane of x and y: a point
/// goes as far along the spiral as its x is, and its y along the normal there. Points with negative x are on the other
/// arm. Near the middle of the spiral, where its normal turns, the normal is held at (-0.6, 0.8), as in SOFA.
class Spiral final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_restPosition{this, input("rest_position", "Points of the flat body", "m")};
    Input<double> d_curvature{this, input("curvature", "Growth of the radius for each radian", "m", Range::positive()),
                              0.2};
    Output<Vector<Vec3>> d_position{this, output("position", "Points of the rolled body", "m")};

protected:
    void doUpdate() override
    {
        Vector<Vec3> out;
        for (const Vec3& x : d_restPosition.value()) out.push_back(rolled(x));
        d_position.setValue(std::move(out));
    }

private:
    Vec3 rolled(const Vec3& x) const
    {
        const double a = d_curvature.value(), side = x[0] > 0. ? 1. : -1., t = angleAt(std::abs(x[0]));
        const double c = std::cos(t), s = std::sin(t), r = side * a * t;
        Vec3 n = normalized(Vec3{-a * s - a * t * c, a * c - a * t * s, 0.});
        if (t < std::numbers::pi / 2. && n[1] > 0.8) n = {-0.6, 0.8, 0.};
        return Vec3{r * c, r * s, x[2]} + n * x[1];
    }
    /// The t with the length a/2 (t √(1 + t²) + asinh t), by Newton's method: the length is convex, so that it
    /// converges from any start above.
    double angleAt(double length) const
    {
        const double a = d_curvature.value();
        double t = std::sqrt(2. * length / a);
        for (int k = 0; k < 50; ++k) {
            const double root = std::sqrt(1. + t * t);
            const double step = (0.5 * a * (t * root + std::asinh(t)) - length) / (a * root);
            t -= step;
            if (std::abs(step) <= 1e-15 * t) break;
        }
        return t;
    }
};

const RegisterComponent registered = RegisterComponent("Spiral", "Engine", "Sofa.Component.Engine.Generate")
                                         .help("Rolls a body up onto a spiral")
                                         .example("component/engine/Spiral.scn")
                                         .add<Spiral>();

}  // namespace

}  // namespace sofa::component
