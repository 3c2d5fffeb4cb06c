// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/KeptResult.h"
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// The points of two objects in one list: those of the second after those of the first; or, with `mappingX2`, in the
/// places of points of the first. The numbers of both objects ascend.
template <class D>
class MergePoints final : public KeptResult
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
    Input<Vector<Index>> d_mappingX2{
        this, input("mappingX2", "Point of the first object that each of the second takes the place of")};
    Output<Vector<Index>> d_indices1{this, output("indices1", "Which points are of the first object")};
    Output<Vector<Index>> d_indices2{this, output("indices2", "Which points are of the second object")};
    Output<VecCoord> d_points{this, output("points", "All points", "m")};
    Input<bool> d_noUpdate{this, input("noUpdate", "Keep what is computed at the start"), false};

protected:
    bool keepsResult() const override { return d_noUpdate.value(); }
    void compute() override
    {
        VecCoord x = d_position1.value();
        const VecCoord& second = d_position2.value();
        const Vector<Index>& places = d_mappingX2.value();
        Vector<bool> isSecond(x.size(), false);
        if (places.empty()) {
            x.insert(x.end(), second.begin(), second.end());
            isSecond.resize(x.size(), true);
        } else {
            requireIndices(d_mappingX2, x.size(), "points in position1");
            requireSameSize(d_mappingX2, d_position2);
            for (std::size_t k = 0; k < places.size(); ++k) {
                x[places[k]] = second[k];
                isSecond[places[k]] = true;
            }
        }
        Vector<Index> ofFirst, ofSecond;
        for (std::size_t i = 0; i < x.size(); ++i) (isSecond[i] ? ofSecond : ofFirst).push_back(static_cast<Index>(i));
        d_indices1.setValue(std::move(ofFirst));
        d_indices2.setValue(std::move(ofSecond));
        d_points.setValue(std::move(x));
    }
};

const RegisterComponent registeredMergePoints =
    RegisterComponent("MergePoints", "Engine", "Sofa.Component.Engine.Generate")
        .help("The points of two objects in one list")
        .example("component/engine/MergePoints.scn")
        .add<MergePoints, Vec3Types, Vec1Types, Vec2Types, Rigid2Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
