// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Sum of the entries of a list, in their order.
template <class D>
class SumEngine final : public Engine
{
public:
    using Coord = typename D::Coord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<Coord>(node, desc, "input", why);
    }

    Input<Vector<Coord>> d_input{this, input("input", "Values that are added", "1")};
    Output<Coord> d_output{this, output("output", "Their sum", "1")};

protected:
    void doUpdate() override
    {
        Coord sum;
        for (const Coord& x : d_input.value()) sum += x;
        d_output.setValue(sum);
    }
};

const RegisterComponent registeredSumEngine = RegisterComponent("SumEngine", "Engine", "Sofa.Component.Engine.Analyze")
                                                  .help("Sum of the entries of a list")
                                                  .example("component/engine/Lists.scn")
                                                  .add<SumEngine, Vec3Types, Vec1Types>();

}  // namespace

}  // namespace sofa::component
