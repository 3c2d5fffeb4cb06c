// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "core/geometry/PointGrid.h"

namespace sofa::component {

namespace {

/// Joins points that are nearer to each other than a distance. Points take their turns: as long as the nearest of the
/// others is near enough, it is joined to the one whose turn it is, which goes to the mean of all points that it now
/// stands for; then it is the turn of the next one that is left.
class JoinPoints final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_points{this, input("points", "Points", "m")};
    Input<double> d_distance{this, input("distance", "Points nearer than this are joined", "m", Range::nonNegative()),
                             0.};
    Output<Vector<Vec3>> d_mergedPoints{this, output("mergedPoints", "Points that are left, in their order", "m")};

protected:
    void doUpdate() override
    {
        Vector<Vec3> x = d_points.value();
        Vector<double> weight(x.size(), 1.);
        geometry::PointGrid grid(d_distance.value());
        for (std::size_t i = 0; i < x.size(); ++i) grid.insert(static_cast<Index>(i), x[i]);
        for (Index i = 0; i < x.size(); ++i) {
            if (weight[i] == 0.) continue;  // joined to another one
            for (auto near = grid.nearest(x[i], i); near.point != InvalidIndex; near = grid.nearest(x[i], i)) {
                const Index j = near.point;
                grid.remove(i, x[i]);
                grid.remove(j, x[j]);
                x[i] = (x[i] * weight[i] + x[j] * weight[j]) / (weight[i] + weight[j]);
                weight[i] += weight[j];
                weight[j] = 0.;
                grid.insert(i, x[i]);
            }
        }
        // Only now, for a point that had its turn may have been joined to a later one.
        Vector<Vec3> joined;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (weight[i] > 0.) joined.push_back(x[i]);
        d_mergedPoints.setValue(std::move(joined));
    }
};

const RegisterComponent registeredJoinPoints =
    RegisterComponent("JoinPoints", "Engine", "Sofa.Component.Engine.Generate")
        .help("Joins points that are nearer to each other than a distance")
        .example("component/engine/JoinPoints.scn")
        .add<JoinPoints>();

}  // namespace

}  // namespace sofa::component
