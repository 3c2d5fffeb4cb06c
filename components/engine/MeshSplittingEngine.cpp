// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Splits the points of a mesh by regions: position1 has the points of the first one, position2 those of the second one
/// that are not in the first, ..., and the last output has all others. A region is what its points and the points of
/// its elements are. `indexPairs` joins the parts again (SubsetMultiMapping).
class MeshSplittingEngine final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_position{this, input("position", "Points of the mesh", "m")};
    Input<Vector<Edge>> d_edges{this, input("edges", "Its edges")};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Its triangles")};
    Input<Vector<Quad>> d_quads{this, input("quads", "Its quads")};
    Input<Vector<Tetrahedron>> d_tetrahedra{this, input("tetrahedra", "Its tetrahedra")};
    Input<Vector<Hexahedron>> d_hexahedra{this, input("hexahedra", "Its hexahedra")};
    Input<Index> d_nbInputs{this, input("nbInputs", "Number of regions", {}, seriesLength), 0};
    InputSeries<Vector<Index>> d_indices{this, d_nbInputs, input("indices", "Points of a region")};
    InputSeries<Vector<Index>> d_edgeIndices{this, d_nbInputs, input("edgeIndices", "Edges of a region")};
    InputSeries<Vector<Index>> d_triangleIndices{this, d_nbInputs, input("triangleIndices", "Triangles of a region")};
    InputSeries<Vector<Index>> d_quadIndices{this, d_nbInputs, input("quadIndices", "Quads of a region")};
    InputSeries<Vector<Index>> d_tetrahedronIndices{this, d_nbInputs,
                                                    input("tetrahedronIndices", "Tetrahedra of a region")};
    InputSeries<Vector<Index>> d_hexahedronIndices{this, d_nbInputs,
                                                   input("hexahedronIndices", "Hexahedra of a region")};
    Output<Vector<Index>> d_indexPairs{
        this, output("indexPairs", "For each point of the mesh: its part, counted from 0, and its place there")};
    OutputSeries<Vector<Vec3>> d_parts{this, d_nbInputs, output("position", "Points of a part", "m"), 1};

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_position.value();
        const std::size_t regions = d_indices.size();
        std::vector<std::size_t> part(x.size(), regions);
        for (std::size_t k = regions; k-- > 0;) {  // the first region comes last, and wins
            requireIndices(d_indices[k], x.size());
            for (const Index i : d_indices[k].value()) part[i] = k;
            assign(d_edges, d_edgeIndices[k], k, part);
            assign(d_triangles, d_triangleIndices[k], k, part);
            assign(d_quads, d_quadIndices[k], k, part);
            assign(d_tetrahedra, d_tetrahedronIndices[k], k, part);
            assign(d_hexahedra, d_hexahedronIndices[k], k, part);
        }
        std::vector<Vector<Vec3>> points(regions + 1);
        Vector<Index> pairs;
        for (std::size_t i = 0; i < x.size(); ++i) {
            pairs.push_back(static_cast<Index>(part[i]));
            pairs.push_back(static_cast<Index>(points[part[i]].size()));
            points[part[i]].push_back(x[i]);
        }
        d_indexPairs.setValue(std::move(pairs));
        for (std::size_t k = 0; k <= regions; ++k) d_parts[k].setValue(std::move(points[k]));
    }

private:
    template <class List>
    static void assign(const Data<List>& elements, const Data<Vector<Index>>& chosen, std::size_t region,
                       std::vector<std::size_t>& part)
    {
        requireVertices(elements, part.size());
        requireIndices(chosen, elements.value().size(), "elements");
        for (const Index e : chosen.value())
            for (const Index i : elements.value()[e]) part[i] = region;
    }
};

const RegisterComponent registeredMeshSplittingEngine =
    RegisterComponent("MeshSplittingEngine", "Engine", "Sofa.Component.Engine.Select")
        .help("Splits the points of a mesh by regions")
        .example("component/engine/MeshSplittingEngine.scn")
        .add<MeshSplittingEngine>();

}  // namespace

}  // namespace sofa::component
