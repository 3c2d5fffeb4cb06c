// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <map>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Order of values: of their numbers, the first difference decides.
struct Before
{
    template <class T>
    bool operator()(const T& a, const T& b) const
    {
        if constexpr (requires { a < b; })
            return a < b;
        else
            return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    }
};

/// Indices of values in a list. Values are the same if all their numbers are.
///
/// Without `recursiveSearch`: for each of the values, in their order, the first place where it stands; a value that
/// stands nowhere is an error. With it: for each of the values all places where it stands. The other indices are those
/// that are not among the ones found, ascending (SOFA gives them with `recursiveSearch` only, and once for each value
/// that differs).
template <class T>
class IndicesFromValues final : public Engine
{
public:
    static std::string staticTemplateName() { return listTemplate<T>(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<T>(node, desc, "global", why);
    }

    Input<Vector<T>> d_values{this, input("values", "Values that are searched", "1")};
    Input<Vector<T>> d_global{this, input("global", "List in which they are searched", "1")};
    Input<bool> d_recursiveSearch{this, input("recursiveSearch", "Find all places of a value, not the first one"),
                                  false};
    Output<Vector<Index>> d_indices{this, output("indices", "Indices of the values in `global`")};
    Output<Vector<Index>> d_otherIndices{this, output("otherIndices", "Indices of all other entries of `global`")};

protected:
    void doUpdate() override
    {
        const Vector<T>& global = d_global.value();
        std::map<T, Vector<Index>, Before> places;
        for (std::size_t i = 0; i < global.size(); ++i) places[global[i]].push_back(static_cast<Index>(i));
        Vector<Index> found;
        std::vector<bool> isFound(global.size(), false);
        for (std::size_t k = 0; k < d_values.value().size(); ++k) {
            const auto at = places.find(d_values.value()[k]);
            const bool all = d_recursiveSearch.value();
            if (at == places.end()) {
                if (all) continue;
                throw std::runtime_error("values: entry " + std::to_string(k) + " (" + toText(d_values.value()[k]) +
                                         ") is not in `global`");
            }
            const auto end = all ? at->second.end() : at->second.begin() + 1;
            found.insert(found.end(), at->second.begin(), end);
            std::for_each(at->second.begin(), end, [&](Index i) { isFound[i] = true; });
        }
        Vector<Index> others;
        for (std::size_t i = 0; i < global.size(); ++i)
            if (!isFound[i]) others.push_back(static_cast<Index>(i));
        d_indices.setValue(std::move(found));
        d_otherIndices.setValue(std::move(others));
    }
};

const RegisterComponent registeredIndicesFromValues =
    RegisterComponent("IndicesFromValues", "Engine", "Sofa.Component.Engine.Select")
        .help("Indices of values in a list")
        .example("component/engine/Indices.scn")
        .add<IndicesFromValues, double, Index, int, std::string, Vec2, Vec3, Edge, Triangle, Tetrahedron, Hexahedron>();

}  // namespace

}  // namespace sofa::component
