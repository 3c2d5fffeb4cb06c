// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <map>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Replaces numbers by others: a label of `indices` by the entry of `values` at the same place, such as the materials
/// of an image by their stiffness. Where a label stands twice the first one counts.
class Indices2ValuesMapper final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<double>> d_inputValues{this, input("inputValues", "Labels", "1")};
    Input<Vector<double>> d_indices{this, input("indices", "Labels that have a value", "1")};
    Input<Vector<double>> d_values{this, input("values", "Their values", "1")};
    Input<double> d_defaultValue{this, input("defaultValue", "Value of all other labels", "1"), 1.};
    Output<Vector<double>> d_outputValues{this, output("outputValues", "Value of each label", "1")};

protected:
    void doUpdate() override
    {
        requireSameSize(d_indices, d_values);
        std::map<double, double> valueOf;
        for (std::size_t k = 0; k < d_indices.value().size(); ++k)
            valueOf.emplace(d_indices.value()[k], d_values.value()[k]);
        Vector<double> out;
        for (const double label : d_inputValues.value()) {
            const auto at = valueOf.find(label);
            out.push_back(at == valueOf.end() ? d_defaultValue.value() : at->second);
        }
        d_outputValues.setValue(std::move(out));
    }
};

const RegisterComponent registeredIndices2ValuesMapper =
    RegisterComponent("Indices2ValuesMapper", "Engine", "Sofa.Component.Engine.Transform")
        .help("Replaces labels by values")
        .example("component/engine/Labels.scn")
        .add<Indices2ValuesMapper>();

}  // namespace

}  // namespace sofa::component
