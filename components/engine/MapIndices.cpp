// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <map>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Renumbers indices, or the vertices of elements: an old index i becomes the place k with indices[k] = i, such as that
/// of a point in a subset; with `transpose` it becomes indices[i]. Indices without a new one stay, as in SOFA.
template <class T>
class MapIndices final : public Engine
{
public:
    static std::string staticTemplateName() { return listTemplate<T>(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<T>(node, desc, "in", why);
    }

    Input<Vector<T>> d_in{this, input("in", "Indices or elements in the old numbering")};
    Input<Vector<Index>> d_indices{
        this,
        input("indices", "Entry k is the old index that becomes k; with transpose, the new one of the old index k")};
    Input<bool> d_transpose{this, input("transpose", "Which of the two `indices` means"), false};
    Output<Vector<T>> d_out{this, output("out", "The same in the new numbering")};
    Output<std::string> d_outStr{this, output("outStr", "The same as text")};

protected:
    void doUpdate() override
    {
        std::map<Index, Index> renumbered;
        for (std::size_t k = 0; k < d_indices.value().size(); ++k) {
            const auto place = static_cast<Index>(k);
            const Index i = d_indices.value()[k];
            if (d_transpose.value())
                renumbered[place] = i;
            else
                renumbered[i] = place;
        }
        Vector<T> out = d_in.value();
        const auto renumber = [&](auto& i) {
            const auto at = renumbered.find(static_cast<Index>(i));
            if (at != renumbered.end()) i = static_cast<std::decay_t<decltype(i)>>(at->second);
        };
        for (T& entry : out) {
            if constexpr (std::is_integral_v<T>)
                renumber(entry);
            else
                for (Index& i : entry) renumber(i);
        }
        d_out.setValue(std::move(out));
        d_outStr.setValue(d_out.text());
    }
};

const RegisterComponent registeredMapIndices =
    RegisterComponent("MapIndices", "Engine", "Sofa.Component.Engine.Transform")
        .help("Renumbers indices, or the vertices of elements")
        .example("component/engine/Indices.scn")
        .add<MapIndices, Index, int, Edge, Triangle, Tetrahedron, Hexahedron>();

}  // namespace

}  // namespace sofa::component
