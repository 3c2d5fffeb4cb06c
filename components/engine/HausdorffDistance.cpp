// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <limits>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Hausdorff distance of two sets of points: the largest of the distances of a point of one set from the nearest point
/// of the other, d12 = max over a of min over b |a − b|, and the same the other way. Of frames the centres count. It
/// follows the points whenever it is read; `update` is accepted, as SOFA needs it for that.
template <class D>
class HausdorffDistance final : public Engine
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<typename D::Coord>(node, desc, "points1", why);
    }

    Input<VecCoord> d_points1{this, input("points1", "First set", "m")};
    Input<VecCoord> d_points2{this, input("points2", "Second set", "m")};
    Input<bool> d_update{this, input("update", "Has no effect: the distances follow the points when they are read"),
                         false};
    Output<double> d_d12{this, output("d12", "Largest distance of a point of the first set from the second", "m")};
    Output<double> d_d21{this, output("d21", "Largest distance of a point of the second set from the first", "m")};
    Output<double> d_max{this, output("max", "The larger of both", "m")};

protected:
    void doUpdate() override
    {
        for (const auto* set : {&d_points1, &d_points2})
            if (set->value().empty()) throw std::runtime_error(set->name() + ": there are no points");
        const double d12 = oneWay(d_points1.value(), d_points2.value());
        const double d21 = oneWay(d_points2.value(), d_points1.value());
        d_d12.setValue(d12);
        d_d21.setValue(d21);
        d_max.setValue(std::max(d12, d21));
    }

private:
    static double oneWay(const VecCoord& from, const VecCoord& to)
    {
        double largest = 0.;
        for (const auto& a : from) {
            double least = std::numeric_limits<double>::infinity();
            for (const auto& b : to) {
                least = std::min(least, norm2(D::position(a) - D::position(b)));
                if (least <= largest) break;  // it cannot be the largest any more
            }
            largest = std::max(largest, least);
        }
        return std::sqrt(largest);
    }
};

const RegisterComponent registered =
    RegisterComponent("HausdorffDistance", "Engine", "Sofa.Component.Engine.Analyze")
        .help("Hausdorff distance of two sets of points")
        .example("component/engine/HausdorffDistance.scn")
        .add<HausdorffDistance, Vec3Types, Vec1Types, Vec2Types, Rigid2Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
