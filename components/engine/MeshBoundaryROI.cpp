// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <set>

#include "components/engine/ListTypes.h"
#include "components/engine/MeshInputs.h"
#include "core/mesh/SubElements.h"

namespace sofa::component {

namespace {

/// Points on the border of a surface, or of a part of it: ends of the edges that one of its triangles and quads has.
class MeshBoundaryROI final : public Engine
{
public:
    Input<Vector<Triangle>> d_triangles{
        this, input("triangles", "Triangles of the surface; default: those of the nearest topology")};
    Input<Vector<Quad>> d_quads{this, input("quads", "Quads of the surface; default: as for triangles")};
    Input<Vector<Index>> d_inputROI{
        this,
        input("inputROI", "Points of the part: elements with other points do not count; none: the whole surface")};
    Output<Vector<Index>> d_indices{this, output("indices", "Points on the border, ascending")};

protected:
    void findInputs() override
    {
        followByDefault(d_triangles, defaultElements(*node(), "triangles"));
        followByDefault(d_quads, defaultElements(*node(), "quads"));
    }
    void doUpdate() override
    {
        const std::set<Index> part(d_inputROI.value().begin(), d_inputROI.value().end());
        const auto kept = [&part](auto elements) {
            std::erase_if(elements, [&part](const auto& e) {
                return !part.empty() && std::any_of(e.begin(), e.end(), [&](Index i) { return part.count(i) == 0; });
            });
            return elements;
        };
        std::set<Index> border;
        for (const Edge& e : borderOf(kept(d_triangles.value()), kept(d_quads.value())))
            border.insert(e.begin(), e.end());
        d_indices.setValue({border.begin(), border.end()});
    }
};

const RegisterComponent registeredMeshBoundaryROI =
    RegisterComponent("MeshBoundaryROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Selects the points on the border of a surface")
        .example("component/engine/MeshBoundaryROI.scn")
        .add<MeshBoundaryROI>();

}  // namespace

}  // namespace sofa::component
