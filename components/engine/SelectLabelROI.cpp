// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <set>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Points or cells that have one of some labels.
template <class T>
class SelectLabelROI final : public Engine
{
public:
    Input<Vector<Vector<T>>> d_labels{this, input("labels", "Labels of each point or cell: [1 2] [] [3]")};
    Input<Vector<T>> d_selectLabels{this, input("selectLabels", "Labels that select")};
    Output<Vector<Index>> d_indices{this, output("indices", "Points or cells that have at least one of them")};

protected:
    void doUpdate() override
    {
        const std::set<T> wanted(d_selectLabels.value().begin(), d_selectLabels.value().end());
        Vector<Index> selected;
        for (std::size_t i = 0; i < d_labels.value().size(); ++i)
            for (const T& label : d_labels.value()[i])
                if (wanted.count(label) > 0) {
                    selected.push_back(static_cast<Index>(i));
                    break;
                }
        d_indices.setValue(std::move(selected));
    }
};

const RegisterComponent registeredSelectLabelROI =
    RegisterComponent("SelectLabelROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Points or cells that have one of some labels")
        .example("component/engine/Labels.scn")
        .add<SelectLabelROI<Index>>({"unsigned", "unsignedchar", "unsignedshort"})
        .add<SelectLabelROI<int>>({"int"});

}  // namespace

}  // namespace sofa::component
