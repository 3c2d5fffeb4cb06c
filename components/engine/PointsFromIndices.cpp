// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <set>

#include "components/engine/ListTypes.h"
#include "core/behavior/State.h"

namespace sofa::component {

namespace {

/// Positions of points that are chosen by index. Points at the same place are given once, as in SOFA.
class PointsFromIndices final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_position{
        this, input("position", "Positions; default: those of the nearest state above or in this node", "m")};
    Input<Vector<Index>> d_indices{this, input("indices", "Indices of the points")};
    Output<Vector<Vec3>> d_indicesPosition{this, output("indices_position", "Their positions", "m")};

protected:
    void findInputs() override
    {
        if (auto* s = node()->get<State<Vec3Types>>(Search::Up)) followByDefault(d_position, s->findData("position"));
    }
    void doUpdate() override
    {
        requireIndices(d_indices, d_position.value().size());
        std::set<std::array<double, 3>> seen;
        Vector<Vec3> out;
        for (const Index i : d_indices.value()) {
            const Vec3& x = d_position.value()[i];
            if (seen.insert({x[0], x[1], x[2]}).second) out.push_back(x);
        }
        d_indicesPosition.setValue(std::move(out));
    }
};

const RegisterComponent registeredPointsFromIndices =
    RegisterComponent("PointsFromIndices", "Engine", "Sofa.Component.Engine.Select")
        .help("Positions of points that are chosen by index")
        .example("component/engine/Indices.scn")
        .add<PointsFromIndices>();

}  // namespace

}  // namespace sofa::component
