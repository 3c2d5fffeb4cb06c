// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Difference of two lists of the same length, entry by entry.
template <class D>
class DifferenceEngine final : public Engine
{
public:
    using Coord = typename D::Coord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<Coord>(node, desc, "input", why);
    }

    Input<Vector<Coord>> d_input{this, input("input", "Values", "1")};
    Input<Vector<Coord>> d_substractor{this, input("substractor", "Values that are subtracted from them", "1")};
    Output<Vector<Coord>> d_output{this, output("output", "input - substractor", "1")};

protected:
    void doUpdate() override
    {
        const Vector<Coord>&in = d_input.value(), &subtracted = d_substractor.value();
        requireSameSize(d_input, d_substractor);
        Vector<Coord> out(in.size());
        for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] - subtracted[i];
        d_output.setValue(std::move(out));
    }
};

const RegisterComponent registeredDifferenceEngine =
    RegisterComponent("DifferenceEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("Difference of two lists, entry by entry")
        .example("component/engine/Lists.scn")
        .add<DifferenceEngine, Vec3Types, Vec1Types>();

}  // namespace

}  // namespace sofa::component
