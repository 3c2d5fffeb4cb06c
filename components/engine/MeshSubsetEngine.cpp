// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Part of a mesh: some of its points, in the order in which they are chosen, and the elements that have only such
/// points, in the new numbering. A point that is chosen twice is there twice; elements have the last one.
class MeshSubsetEngine final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_inputPosition{this, input("inputPosition", "Points of the mesh", "m")};
    Input<Vector<Edge>> d_inputEdges{this, input("inputEdges", "Its edges")};
    Input<Vector<Triangle>> d_inputTriangles{this, input("inputTriangles", "Its triangles")};
    Input<Vector<Quad>> d_inputQuads{this, input("inputQuads", "Its quads")};
    Input<Vector<Tetrahedron>> d_inputTetrahedra{this, input("inputTetrahedra", "Its tetrahedra")};
    Input<Vector<Hexahedron>> d_inputHexahedra{this, input("inputHexahedra", "Its hexahedra")};
    Input<Vector<Index>> d_indices{this, input("indices", "Points that are chosen")};
    Output<Vector<Vec3>> d_position{this, output("position", "Points of the part", "m")};
    Output<Vector<Edge>> d_edges{this, output("edges", "Edges of the part")};
    Output<Vector<Triangle>> d_triangles{this, output("triangles", "Triangles of the part")};
    Output<Vector<Quad>> d_quads{this, output("quads", "Quads of the part")};
    Output<Vector<Tetrahedron>> d_tetrahedra{this, output("tetrahedra", "Tetrahedra of the part")};
    Output<Vector<Hexahedron>> d_hexahedra{this, output("hexahedra", "Hexahedra of the part")};

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_inputPosition.value();
        requireIndices(d_indices, x.size());
        Vector<Index> renumbered(x.size(), InvalidIndex);
        Vector<Vec3> points;
        for (const Index i : d_indices.value()) {
            renumbered[i] = static_cast<Index>(points.size());
            points.push_back(x[i]);
        }
        d_position.setValue(std::move(points));
        select(d_inputEdges, renumbered, d_edges);
        select(d_inputTriangles, renumbered, d_triangles);
        select(d_inputQuads, renumbered, d_quads);
        select(d_inputTetrahedra, renumbered, d_tetrahedra);
        select(d_inputHexahedra, renumbered, d_hexahedra);
    }

private:
    template <class List>
    static void select(const Data<List>& all, const Vector<Index>& renumbered, Data<List>& part)
    {
        requireVertices(all, renumbered.size());
        List list;
        for (auto element : all.value()) {
            for (Index& i : element) i = renumbered[i];
            if (std::find(element.begin(), element.end(), InvalidIndex) == element.end()) list.push_back(element);
        }
        part.setValue(std::move(list));
    }
};

const RegisterComponent registeredMeshSubsetEngine =
    RegisterComponent("MeshSubsetEngine", "Engine", "Sofa.Component.Engine.Select")
        .help("Part of a mesh: some of its points and the elements between them")
        .example("component/engine/MeshSubsetEngine.scn")
        .add<MeshSubsetEngine>();

}  // namespace

}  // namespace sofa::component
