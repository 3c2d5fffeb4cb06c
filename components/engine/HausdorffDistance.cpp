// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <cmath>

#include "components/engine/KeptResult.h"
#include "components/engine/ListTypes.h"
#include "core/geometry/Bvh.h"

namespace sofa::component {

namespace {

/// Hausdorff distance of two clouds of points: d12 is the largest distance from a point of the first to the nearest one
/// of the second, d21 the same the other way round, and max the larger of the two. Of frames the centres count; SOFA
/// mixes the components of quaternions into their distance.
template <class D>
class HausdorffDistance final : public KeptResult
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<typename D::Coord>(node, desc, "points1", why);
    }

    Input<VecCoord> d_points1{this, input("points1", "First cloud", "m")};
    Input<VecCoord> d_points2{this, input("points2", "Second cloud", "m")};
    Output<double> d_d12{this, output("d12", "Distance of the first cloud from the second", "m"), 0.};
    Output<double> d_d21{this, output("d21", "Distance of the second cloud from the first", "m"), 0.};
    Output<double> d_max{this, output("max", "The larger of the two", "m"), 0.};
    Input<bool> d_update{this, input("update", "Follow the points; otherwise: the distance at the start"), false};

protected:
    bool keepsResult() const override { return !d_update.value(); }
    void compute() override
    {
        const double to = distance(d_points1, d_points2), back = distance(d_points2, d_points1);
        d_d12.setValue(to);
        d_d21.setValue(back);
        d_max.setValue(std::max(to, back));
    }

private:
    static double distance(const Data<VecCoord>& from, const Data<VecCoord>& to)
    {
        if (from.value().empty()) return 0.;
        if (to.value().empty()) throw std::runtime_error(to.name() + ": there are none");
        Vector<geometry::Aabb> boxes;
        for (const auto& c : to.value()) boxes.push_back(geometry::Aabb::of(D::position(c)));
        geometry::Bvh bvh;
        bvh.build({boxes.data(), boxes.size()});
        double largest = 0.;
        for (std::size_t i = 0; i < from.value().size(); ++i) {
            const Vec3 p = D::position(from.value()[i]);
            const auto nearest =
                bvh.closest(p, geometry::Aabb::infinity, [&](Index k) { return boxes[k].distance2(p); });
            if (nearest.primitive == InvalidIndex || !isFinite(p))
                throw std::runtime_error(from.name() + ": point " + std::to_string(i) + " has no distance");
            largest = std::max(largest, nearest.distance2);
        }
        return std::sqrt(largest);
    }
};

const RegisterComponent registeredHausdorffDistance =
    RegisterComponent("HausdorffDistance", "Engine", "Sofa.Component.Engine.Analyze")
        .help("Hausdorff distance of two clouds of points")
        .example("component/engine/HausdorffDistance.scn")
        .add<HausdorffDistance, Vec3Types, Vec1Types, Vec2Types, Rigid2Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
