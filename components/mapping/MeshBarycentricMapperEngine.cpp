// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BarycentricWeights.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Engine.h"
#include "core/objectmodel/Node.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

namespace {

/// Places of points in the elements of a mesh: in its volumes, else in its faces, else in its edges. The element is the
/// one that holds the point, else the one whose centre is nearest, where coordinates lie outside its bounds
/// (BarycentricWeights.h).
///
/// A point is Σ wₖ Xₖ with the weights of `linearInterpolationValues`, which sum to 1, and the vertices of
/// `linearInterpolationIndices`: on surfaces its projection, and in hexahedra and quads this holds where they are
/// parallelepipeds and parallelograms. SOFA has the first weight wrong, and knows tetrahedra and triangles alone.
///
/// Where elements and points of the mesh come and go, the places are found anew. The last element cannot go.
class MeshBarycentricMapperEngine final : public Engine, public TopologyFollower
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology of the mesh; default: the nearest one"}};
    Input<Vector<Vec3>> d_inputPositions{this, input("inputPositions", "Vertices of the mesh", "m")};
    Input<Vector<Vec3>> d_mappedPointPositions{this, input("mappedPointPositions", "Points", "m")};
    Output<Vector<Vec3>> d_barycentricPositions{
        this, output("barycentricPositions", "Coordinates of each point in its element, from the first vertex", "1")};
    Output<Vector<Index>> d_tableElements{
        this,
        output("tableElements", "Element of each point; hexahedra count on after tetrahedra, quads after triangles")};
    Input<bool> d_computeLinearInterpolation{this, input("computeLinearInterpolation", "Compute the weights too"),
                                             false};
    Output<Vector<Vector<Index>>> d_linearInterpolationIndices{
        this, output("linearInterpolationIndices", "Vertices of the element of each point")};
    Output<Vector<Vector<double>>> d_linearInterpolationValues{
        this, output("linearInterpolationValues", "Weights of these vertices", "1")};

    PointLists pointLists() override
    {
        if (!l_topology) return noLists();
        std::vector<ElementData> lists;
        if (!d_inputPositions.parent()) lists.emplace_back(&d_inputPositions);
        return {{{{l_topology.get(), {ElementType::Points}}, std::move(lists)}}};
    }
    void followTopology(const TopologyChange& change) override
    {
        if (!change.restores() && l_topology &&
            std::ranges::all_of(carrierKinds, [&](ElementType k) { return elementCount(*l_topology, k) == 0; }))
            throw std::runtime_error("'" + pathName() + "' (MeshBarycentricMapperEngine): the last element of '" +
                                     l_topology->pathName() + "' would go");
        setDirty();
    }

protected:
    void findInputs() override
    {
        if (!l_topology) l_topology.set(node()->get<BaseMeshTopology>(Search::Up));
        if (!l_topology) throw std::runtime_error("there is no topology; give the attribute 'topology'");
        for (BaseData* d : core::elementLists(*l_topology)) addInput(*d);
    }
    void doUpdate() override
    {
        if (!l_topology) throw std::runtime_error("there is no topology; give the attribute 'topology'");
        Vector<PlaceInElement> places;
        const BarycentricWeights w =
            computeMeshWeights(*l_topology, d_inputPositions.value(), d_mappedPointPositions.value(), places);
        Vector<Vec3> local;
        Vector<Index> elements;
        for (const PlaceInElement& p : places) {
            local.push_back(p.local);
            elements.push_back(p.element);
        }
        Vector<Vector<Index>> indices;
        Vector<Vector<double>> values;
        for (Index i = 0; i < w.rows() && d_computeLinearInterpolation.value(); ++i) {
            const Index begin = w.rowStart[i], end = w.rowStart[i + 1];
            indices.emplace_back(w.columns.begin() + begin, w.columns.begin() + end);
            values.emplace_back(w.weights.begin() + begin, w.weights.begin() + end);
        }
        d_barycentricPositions.setValue(std::move(local));
        d_tableElements.setValue(std::move(elements));
        d_linearInterpolationIndices.setValue(std::move(indices));
        d_linearInterpolationValues.setValue(std::move(values));
    }
};

const RegisterComponent registeredMeshBarycentricMapperEngine =
    RegisterComponent("MeshBarycentricMapperEngine", "Engine", "Sofa.Component.Engine.Generate")
        .help("Places of points in the elements of a mesh")
        .example("component/engine/MeshBarycentricMapperEngine.scn")
        .add<MeshBarycentricMapperEngine>();

}  // namespace

}  // namespace sofa::component
