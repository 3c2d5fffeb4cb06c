// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <iterator>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Union, intersection or difference of two sets of numbers, in ascending order.
template <class T>
class MergeSets final : public Engine
{
public:
    static std::string staticTemplateName() { return listTemplate<T>(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<T>(node, desc, "in1", why);
    }

    Input<Vector<T>> d_in1{this, input("in1", "First set")};
    Input<Vector<T>> d_in2{this, input("in2", "Second set")};
    Input<std::string> d_op{
        this, input("op", "union, intersection, difference (in1 without in2) or symmetric_difference"), "union"};
    Output<Vector<T>> d_out{this, output("out", "The merged set")};

protected:
    void doUpdate() override
    {
        const auto sorted = [](Vector<T> list) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
            return list;
        };
        const Vector<T> a = sorted(d_in1.value()), b = sorted(d_in2.value());
        Vector<T> out;
        const auto apply = [&](auto merge) { merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out)); };
        // The first letter says it, as in SOFA.
        switch (d_op.value().empty() ? 'u' : d_op.value()[0] | 0x20) {
            case 'u':
                apply([](auto... x) { std::set_union(x...); });
                break;
            case 'i':
                apply([](auto... x) { std::set_intersection(x...); });
                break;
            case 'd':
                apply([](auto... x) { std::set_difference(x...); });
                break;
            case 's':
                apply([](auto... x) { std::set_symmetric_difference(x...); });
                break;
            default:
                throw std::runtime_error("op: '" + d_op.value() +
                                         "' is none of union, intersection, difference, symmetric_difference");
        }
        d_out.setValue(std::move(out));
    }
};

const RegisterComponent registeredMergeSets = RegisterComponent("MergeSets", "Engine", "Sofa.Component.Engine.Generate")
                                                  .help("Union, intersection or difference of two sets of numbers")
                                                  .example("component/engine/Indices.scn")
                                                  .add<MergeSets, int, Index>();

}  // namespace

}  // namespace sofa::component
