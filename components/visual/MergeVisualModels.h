// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "components/visual/OglModel.h"

namespace sofa::component {

/// One surface made of several: points, drawn vertices, texture coordinates, lines and faces of its inputs (input1,
/// input2, ...), one after the other, with one material and one texture, its own. They are as the inputs are when the
/// scene starts, and follow them: positions where an input moves, all lists where one of them changes. (SOFA copies
/// them once.) A mapping onto it may move it as well, as long as no input changes.
///
/// Inputs are drawn too, unless they say enable="0". Where some inputs have several vertices for a point, and others
/// do not, the latter get one for each; where some have texture coordinates, those of the others are 0. Normals are
/// computed of the whole: points of different inputs share none.
class MergeVisualModels final : public OglModel
{
public:
    Data<Index> d_nb{
        this, {.name = "nb", .help = "Number of visual models that are merged", .range = Range::closed(0., 1000.)}, 1};

    MergeVisualModels();
    void parse(ComponentDescription& desc) override;
    void init() override;
    /// Merges, after the inputs are there.
    void bwdInit() override;
    void reset() override;
    void handleEvent(const Event& e) override;
    void updateVisual() override;
    /// As the inputs follow, which it does at the next updateVisual().
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange&) override {}

protected:
    void dataChanged(const BaseData& d) override;

private:
    using Input = Link<VisualModelImpl>;
    /// What an input was when it was merged last.
    struct Seen
    {
        std::uint64_t serial = 0, lists = 0, positions = 0;
    };
    /// Whether lists, or positions, are others than at the last look.
    struct Change
    {
        bool lists = false, positions = false;
    };
    Change look();

    void makeInputs(Index n);
    /// Brings it up to date with its inputs; those that are merged themselves first.
    void follow();
    VisualModelImpl* inputAt(std::size_t i) const { return m_inputs[i]->get(); }
    bool isItsOwnInput() const;
    void mergePositions();
    void mergeLists();
    void mergeVertices();

    std::deque<std::string> m_names;  ///< of the links, which keep no text of their own
    std::vector<std::unique_ptr<Input>> m_inputs;
    std::vector<Seen> m_seen;
    bool m_follows = true;
};

}  // namespace sofa::component
