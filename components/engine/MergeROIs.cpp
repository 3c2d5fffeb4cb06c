// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Regions of interest as one list of lists.
class MergeROIs final : public Engine
{
public:
    Input<Index> d_nbROIs{this, input("nbROIs", "Number of regions", {}, seriesLength), 0};
    InputSeries<Vector<Index>> d_indices{this, d_nbROIs, input("indices", "Indices of a region")};
    Output<Vector<Vector<Index>>> d_roiIndices{this, output("roiIndices", "The indices of each region")};

protected:
    void doUpdate() override
    {
        Vector<Vector<Index>> all;
        for (std::size_t k = 0; k < d_indices.size(); ++k) all.push_back(d_indices[k].value());
        d_roiIndices.setValue(std::move(all));
    }
};

const RegisterComponent registeredMergeROIs = RegisterComponent("MergeROIs", "Engine", "Sofa.Component.Engine.Select")
                                                  .help("Regions of interest as one list of lists")
                                                  .example("component/engine/Labels.scn")
                                                  .add<MergeROIs>();

}  // namespace

}  // namespace sofa::component
