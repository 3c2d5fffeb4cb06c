// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Joins points that are near to each other: the first point takes the nearest one at less than `distance`, the first
/// of equally near ones, goes to the mean of all that it has taken, and looks again; then the next one does the same.
/// What stays keeps its order.
class JoinPoints final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_points{this, input("points", "Points", "m")};
    Input<double> d_distance{
        this, input("distance", "Distance below which points are joined", "m", Range::nonNegative()), 0.};
    Output<Vector<Vec3>> d_mergedPoints{this, output("mergedPoints", "What stays", "m")};

protected:
    void doUpdate() override
    {
        struct Point
        {
            Vec3 x;
            double weight = 1.;
        };
        std::vector<Point> points;
        for (const Vec3& x : d_points.value()) points.push_back({x});
        for (std::size_t i = 0; i < points.size(); ++i)
            for (;;) {
                double least = d_distance.value() * d_distance.value();
                std::size_t nearest = i;
                for (std::size_t j = 0; j < points.size(); ++j)
                    if (const double d = norm2(points[j].x - points[i].x); j != i && d < least) {
                        least = d;
                        nearest = j;
                    }
                if (nearest == i) break;
                Point &a = points[i], &b = points[nearest];
                a.x = (a.x * a.weight + b.x * b.weight) / (a.weight + b.weight);
                a.weight += b.weight;
                points.erase(points.begin() + static_cast<std::ptrdiff_t>(nearest));
                if (nearest < i) --i;
            }
        Vector<Vec3> merged;
        for (const Point& p : points) merged.push_back(p.x);
        d_mergedPoints.setValue(std::move(merged));
    }
};

const RegisterComponent registered = RegisterComponent("JoinPoints", "Engine", "Sofa.Component.Engine.Generate")
                                         .help("Joins points that are near to each other")
                                         .example("component/engine/Merging.scn")
                                         .add<JoinPoints>();

}  // namespace

}  // namespace sofa::component
