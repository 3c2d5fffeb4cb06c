// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Entries of a list, chosen by index: out_k = in[indices_k].
template <class T>
class ValuesFromIndices final : public Engine
{
public:
    static std::string staticTemplateName() { return listTemplate<T>(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<T>(node, desc, desc.find("input") ? "input" : "in", why);
    }

    Input<Vector<T>> d_in{this, input("in", "List from which values are chosen", "1")};
    Input<Vector<Index>> d_indices{this, input("indices", "Their indices, in any order")};
    Output<Vector<T>> d_out{this, output("out", "The values at these indices", "1")};
    Output<std::string> d_outStr{this, output("outStr", "The same as text")};

    ValuesFromIndices()
    {
        addAlias(d_in, "input");
        addAlias(d_out, "output");
    }

protected:
    void doUpdate() override
    {
        const Vector<T>& in = d_in.value();
        requireIndices(d_indices, in.size(), "values");
        Vector<T> out;
        out.reserve(d_indices.value().size());
        for (const Index i : d_indices.value()) out.push_back(in[i]);
        d_out.setValue(std::move(out));
        d_outStr.setValue(d_out.text());
    }
};

const RegisterComponent registeredValuesFromIndices =
    RegisterComponent("ValuesFromIndices", "Engine", "Sofa.Component.Engine.Select")
        .help("Entries of a list, chosen by index")
        .example("component/engine/Lists.scn")
        .add<ValuesFromIndices, double, Index, int, std::string, Vec2, Vec3, Vec<4>, Vec6, RigidCoord2, RigidCoord3,
             Edge, Triangle, Tetrahedron, Hexahedron>();

}  // namespace

}  // namespace sofa::component
