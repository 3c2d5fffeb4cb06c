// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// One value for each point, by region: value_k for the points of region k. Where regions overlap the last one counts.
/// The list ends with the largest index of a region.
class ROIValueMapper final : public Engine
{
public:
    Input<Index> d_nbROIs{this, input("nbROIs", "Number of regions", {}, seriesLength), 0};
    InputSeries<Vector<Index>> d_indices{this, d_nbROIs, input("indices", "Points of a region")};
    InputSeries<double> d_values{this, d_nbROIs, input("value", "Value of its points", "1")};
    Input<double> d_defaultValue{this, input("defaultValue", "Value of the points between that no region has", "1"),
                                 0.};
    Output<Vector<double>> d_outputValues{this, output("outputValues", "Value of each point", "1")};

protected:
    void doUpdate() override
    {
        Vector<double> values;
        for (std::size_t k = 0; k < d_indices.size(); ++k)
            for (const Index i : d_indices[k].value()) {
                growTo(values, i, d_defaultValue.value());
                values[i] = d_values[k].value();
            }
        d_outputValues.setValue(std::move(values));
    }
};

const RegisterComponent registeredROIValueMapper =
    RegisterComponent("ROIValueMapper", "Engine", "Sofa.Component.Engine.Transform")
        .help("One value for each point, by the regions that have it")
        .example("component/engine/Labels.scn")
        .add<ROIValueMapper>();

}  // namespace

}  // namespace sofa::component
