// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// A list of values in which some points get another one. Indices behind its end make it longer.
class IndexValueMapper final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<double>> d_inputValues{this, input("inputValues", "Values that there are", "1")};
    Input<Vector<Index>> d_indices{this, input("indices", "Points that get `value`")};
    Input<double> d_value{this, input("value", "Their value", "1"), 0.};
    Input<double> d_defaultValue{this, input("defaultValue", "Value of new points between", "1"), 1.};
    Output<Vector<double>> d_outputValues{this, output("outputValues", "Value of each point", "1")};

protected:
    void doUpdate() override
    {
        Vector<double> values = d_inputValues.value();
        for (const Index i : d_indices.value()) {
            growTo(values, i, d_defaultValue.value());
            values[i] = d_value.value();
        }
        d_outputValues.setValue(std::move(values));
    }
};

const RegisterComponent registeredIndexValueMapper =
    RegisterComponent("IndexValueMapper", "Engine", "Sofa.Component.Engine.Transform")
        .help("Gives some points of a list of values another one")
        .example("component/engine/Labels.scn")
        .add<IndexValueMapper>();

}  // namespace

}  // namespace sofa::component
