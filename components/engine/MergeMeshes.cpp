// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Meshes as one, one after the other. Points at the same place stay apart.
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
    Output<Index> d_npoints{this, output("npoints", "Number of points"), 0};
    Output<VecCoord> d_position{this, output("position", "All points", "m")};
    Output<Vector<Edge>> d_edges{this, output("edges", "All edges")};
    Output<Vector<Triangle>> d_triangles{this, output("triangles", "All triangles")};
    Output<Vector<Quad>> d_quads{this, output("quads", "All quads")};
    Output<Vector<Tetrahedron>> d_tetrahedra{this, output("tetrahedra", "All tetrahedra")};
    Output<Vector<Hexahedron>> d_hexahedra{this, output("hexahedra", "All hexahedra")};
    InputSeries<VecCoord> d_positions{this, d_nbMeshes, input("position", "Points of a mesh", "m")};
    InputSeries<Vector<Edge>> d_edgesOf{this, d_nbMeshes, input("edges", "Edges of a mesh")};
    InputSeries<Vector<Triangle>> d_trianglesOf{this, d_nbMeshes, input("triangles", "Triangles of a mesh")};
    InputSeries<Vector<Quad>> d_quadsOf{this, d_nbMeshes, input("quads", "Quads of a mesh")};
    InputSeries<Vector<Tetrahedron>> d_tetrahedraOf{this, d_nbMeshes, input("tetrahedra", "Tetrahedra of a mesh")};
    InputSeries<Vector<Hexahedron>> d_hexahedraOf{this, d_nbMeshes, input("hexahedra", "Hexahedra of a mesh")};

protected:
    void doUpdate() override
    {
        VecCoord all;
        for (std::size_t k = 0; k < d_positions.size(); ++k)
            all.insert(all.end(), d_positions[k].value().begin(), d_positions[k].value().end());
        d_npoints.setValue(static_cast<Index>(all.size()));
        d_position.setValue(std::move(all));
        merge(d_edgesOf, d_edges);
        merge(d_trianglesOf, d_triangles);
        merge(d_quadsOf, d_quads);
        merge(d_tetrahedraOf, d_tetrahedra);
        merge(d_hexahedraOf, d_hexahedra);
    }

private:
    template <class List>
    void merge(const InputSeries<List>& meshes, Data<List>& merged) const
    {
        List all;
        Index before = 0;
        for (std::size_t k = 0; k < meshes.size(); ++k) {
            requireVertices(meshes[k], d_positions[k].value().size());
            for (auto element : meshes[k].value()) {
                for (Index& i : element) i += before;
                all.push_back(element);
            }
            before += static_cast<Index>(d_positions[k].value().size());
        }
        merged.setValue(std::move(all));
    }
};

const RegisterComponent registered = RegisterComponent("MergeMeshes", "Engine", "Sofa.Component.Engine.Generate")
                                         .help("Meshes as one, one after the other")
                                         .example("component/engine/Merging.scn")
                                         .add<MergeMeshes, Vec3Types, Vec1Types, Vec2Types, Rigid2Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
