// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Meshes one after the other as one mesh: the vertices of each are numbered on from those before it. Otherwise than in
/// SOFA, polygons are merged too.
template <class D>
class MergeMeshes final : public Engine
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<typename D::Coord>(node, desc, "position1", why);
    }

    Input<Index> d_nbMeshes{this, input("nbMeshes", "Number of meshes", {}, seriesLength), 2};
    Output<Index> d_npoints{this, output("npoints", "Number of all vertices"), 0};
    Output<VecCoord> d_position{this, output("position", "All vertices", "m")};
    Output<Vector<Edge>> d_edges{this, output("edges", "All edges")};
    Output<Vector<Triangle>> d_triangles{this, output("triangles", "All triangles")};
    Output<Vector<Quad>> d_quads{this, output("quads", "All quads")};
    Output<Vector<Vector<Index>>> d_polygons{this, output("polygons", "All polygons")};
    Output<Vector<Tetrahedron>> d_tetrahedra{this, output("tetrahedra", "All tetrahedra")};
    Output<Vector<Hexahedron>> d_hexahedra{this, output("hexahedra", "All hexahedra")};
    InputSeries<VecCoord> d_positions{this, d_nbMeshes, input("position", "Vertices of a mesh", "m")};
    InputSeries<Vector<Edge>> d_meshEdges{this, d_nbMeshes, input("edges", "Edges of a mesh")};
    InputSeries<Vector<Triangle>> d_meshTriangles{this, d_nbMeshes, input("triangles", "Triangles of a mesh")};
    InputSeries<Vector<Quad>> d_meshQuads{this, d_nbMeshes, input("quads", "Quads of a mesh")};
    InputSeries<Vector<Vector<Index>>> d_meshPolygons{this, d_nbMeshes, input("polygons", "Polygons of a mesh")};
    InputSeries<Vector<Tetrahedron>> d_meshTetrahedra{this, d_nbMeshes, input("tetrahedra", "Tetrahedra of a mesh")};
    InputSeries<Vector<Hexahedron>> d_meshHexahedra{this, d_nbMeshes, input("hexahedra", "Hexahedra of a mesh")};

protected:
    void doUpdate() override
    {
        VecCoord x;
        for (std::size_t m = 0; m < d_positions.size(); ++m)
            x.insert(x.end(), d_positions[m].value().begin(), d_positions[m].value().end());
        merge(d_edges, d_meshEdges);
        merge(d_triangles, d_meshTriangles);
        merge(d_quads, d_meshQuads);
        merge(d_polygons, d_meshPolygons);
        merge(d_tetrahedra, d_meshTetrahedra);
        merge(d_hexahedra, d_meshHexahedra);
        d_npoints.setValue(static_cast<Index>(x.size()));
        d_position.setValue(std::move(x));
    }

private:
    template <class List>
    void merge(Output<List>& out, const InputSeries<List>& lists) const
    {
        List all;
        Index first = 0;
        for (std::size_t m = 0; m < lists.size(); ++m) {
            const Index points = static_cast<Index>(d_positions[m].value().size());
            for (std::size_t e = 0; e < lists[m].value().size(); ++e)
                for (Index& i : all.emplace_back(lists[m].value()[e])) {
                    if (i >= points)
                        throw std::runtime_error(lists[m].name() + ": element " + std::to_string(e) +
                                                 " has the point " + std::to_string(i) + "; there are " +
                                                 std::to_string(points));
                    i += first;
                }
            first += points;
        }
        out.setValue(std::move(all));
    }
};

const RegisterComponent registeredMergeMeshes =
    RegisterComponent("MergeMeshes", "Engine", "Sofa.Component.Engine.Generate")
        .help("Meshes one after the other as one mesh")
        .example("component/engine/MergeMeshes.scn")
        .add<MergeMeshes, Vec3Types, Vec1Types, Vec2Types, Rigid2Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
