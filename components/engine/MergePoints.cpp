// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Two lists of points as one: one after the other, or, with `mappingX2`, the first one in which point mappingX2_i is
/// replaced by point i of the second one.
template <class D>
class MergePoints final : public Engine
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<typename D::Coord>(node, desc, "position1", why);
    }

    Input<VecCoord> d_position1{this, input("position1", "Points of the first object", "m")};
    Input<VecCoord> d_position2{this, input("position2", "Points of the second object", "m")};
    Input<Vector<Index>> d_mapping{
        this,
        input("mappingX2", "Place of each point of the second object among those of the first; none: behind them")};
    Output<Vector<Index>> d_indices1{this, output("indices1", "Merged points that come from the first object")};
    Output<Vector<Index>> d_indices2{this, output("indices2", "Merged points that come from the second object")};
    Output<VecCoord> d_points{this, output("points", "The merged points", "m")};
    Input<bool> d_noUpdate{this, input("noUpdate", "Keep what was merged first, whatever becomes of the points"),
                           false};

    void undoInit() override
    {
        Engine::undoInit();
        m_merged = false;
    }

protected:
    void doUpdate() override
    {
        if (m_merged && d_noUpdate.value()) return;
        VecCoord points = d_position1.value();
        const VecCoord& second = d_position2.value();
        std::vector<bool> fromSecond(points.size(), false);
        if (d_mapping.value().empty()) {
            points.insert(points.end(), second.begin(), second.end());
            fromSecond.resize(points.size(), true);
        } else {
            requireIndices(d_mapping, points.size());
            requireSameSize(d_mapping, d_position2);
            for (std::size_t i = 0; i < second.size(); ++i) {
                points[d_mapping.value()[i]] = second[i];
                fromSecond[d_mapping.value()[i]] = true;
            }
        }
        Vector<Index> indices1, indices2;
        for (std::size_t i = 0; i < points.size(); ++i)
            (fromSecond[i] ? indices2 : indices1).push_back(static_cast<Index>(i));
        m_merged = true;
        d_points.setValue(std::move(points));
        d_indices1.setValue(std::move(indices1));
        d_indices2.setValue(std::move(indices2));
    }

private:
    bool m_merged = false;
};

const RegisterComponent registered = RegisterComponent("MergePoints", "Engine", "Sofa.Component.Engine.Generate")
                                         .help("Two lists of points as one")
                                         .example("component/engine/Merging.scn")
                                         .add<MergePoints, Vec3Types, Vec1Types, Vec2Types, Rigid2Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
