// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Lists one after the other.
template <class T>
class MergeVectors final : public Engine
{
public:
    static std::string staticTemplateName() { return listTemplate<T>(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<T>(node, desc, "input1", why);
    }

    Input<Index> d_nbInputs{this, input("nbInputs", "Number of lists", {}, seriesLength), 2};
    Output<Vector<T>> d_output{this, output("output", "All of them, in their order", "1")};
    InputSeries<Vector<T>> d_inputs{this, d_nbInputs, input("input", "List of values", "1")};

protected:
    void doUpdate() override
    {
        Vector<T> all;
        for (std::size_t k = 0; k < d_inputs.size(); ++k)
            all.insert(all.end(), d_inputs[k].value().begin(), d_inputs[k].value().end());
        d_output.setValue(std::move(all));
    }
};

const RegisterComponent registeredMergeVectors =
    RegisterComponent("MergeVectors", "Engine", "Sofa.Component.Engine.Generate")
        .help("Lists one after the other")
        .example("component/engine/Lists.scn")
        .add<MergeVectors, double, int, Index, bool, Vec2, Vec3, Vec<4>, Vec6, RigidCoord2, RigidCoord3, Edge>();

}  // namespace

}  // namespace sofa::component
