// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <set>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Points or cells at which labels of different lists meet: one of a pair of `connectLabels` in one list and the other
/// in another list, such as the voxels where two organs of two images touch.
template <class T>
class SelectConnectedLabelsROI final : public Engine
{
public:
    Input<Index> d_nbLabels{this, input("nbLabels", "Number of lists", {}, seriesLength), 0};
    InputSeries<Vector<Vector<T>>> d_labels{this, d_nbLabels, input("labels", "Labels of each point or cell")};
    Input<Vector<T>> d_connectLabels{this, input("connectLabels", "Pairs of labels: a1 b1 a2 b2 ...")};
    Output<Vector<Index>> d_indices{this, output("indices", "Points or cells at which the labels of a pair meet")};

protected:
    void doUpdate() override
    {
        const Vector<T>& pairs = d_connectLabels.value();
        if (pairs.size() % 2 != 0) throw std::runtime_error("connectLabels: the last label has no partner");
        std::set<std::pair<T, T>> meeting;
        for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) {
            meeting.emplace(pairs[k], pairs[k + 1]);
            meeting.emplace(pairs[k + 1], pairs[k]);
        }
        for (std::size_t l = 1; l < d_labels.size(); ++l) requireSameSize(d_labels[0], d_labels[l]);
        Vector<Index> selected;
        for (std::size_t i = 0; d_labels.size() > 1 && i < d_labels[0].value().size(); ++i)
            if (meets(i, meeting)) selected.push_back(static_cast<Index>(i));
        d_indices.setValue(std::move(selected));
    }

private:
    bool meets(std::size_t i, const std::set<std::pair<T, T>>& meeting) const
    {
        for (std::size_t k = 0; k < d_labels.size(); ++k)
            for (std::size_t l = 0; l < k; ++l)
                for (const T& a : d_labels[k].value()[i])
                    for (const T& b : d_labels[l].value()[i])
                        if (meeting.count({a, b}) > 0) return true;
        return false;
    }
};

const RegisterComponent registeredSelectConnectedLabelsROI =
    RegisterComponent("SelectConnectedLabelsROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Points or cells at which labels of different lists meet")
        .example("component/engine/Labels.scn")
        .add<SelectConnectedLabelsROI<Index>>({"unsigned", "unsignedchar", "unsignedshort"})
        .add<SelectConnectedLabelsROI<int>>({"int"});

}  // namespace

}  // namespace sofa::component
