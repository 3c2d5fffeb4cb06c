// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// The points that are in none of some regions, in ascending order.
class ComplementaryROI final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_position{this, input("position", "Positions of all points", "m")};
    Input<Index> d_nbSet{this, input("nbSet", "Number of regions", {}, seriesLength), 0};
    InputSeries<Vector<Index>> d_setIndices{this, d_nbSet, input("setIndices", "Points of a region")};
    Output<Vector<Index>> d_indices{this, output("indices", "Points in none of the regions")};
    Output<Vector<Vec3>> d_pointsInROI{this, output("pointsInROI", "Their positions", "m")};

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_position.value();
        std::vector<bool> outside(x.size(), true);
        for (std::size_t k = 0; k < d_setIndices.size(); ++k) {
            requireIndices(d_setIndices[k], x.size());
            for (const Index i : d_setIndices[k].value()) outside[i] = false;
        }
        Vector<Index> indices;
        Vector<Vec3> points;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (outside[i]) {
                indices.push_back(static_cast<Index>(i));
                points.push_back(x[i]);
            }
        d_indices.setValue(std::move(indices));
        d_pointsInROI.setValue(std::move(points));
    }
};

const RegisterComponent registeredComplementaryROI =
    RegisterComponent("ComplementaryROI", "Engine", "Sofa.Component.Engine.Select")
        .help("The points that are in none of some regions")
        .example("component/engine/Indices.scn")
        .add<ComplementaryROI>();

}  // namespace

}  // namespace sofa::component
