// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/TopologyContainers.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/mesh/Adjacency.h"
#include "core/mesh/SubElements.h"

namespace sofa::component {

Index PointSetTopologyContainer::countPoints() const
{
    if (!d_position.value().empty()) {
        const auto n = static_cast<Index>(d_position.value().size());
        // A container of points alone may have more of them than it has positions for.
        return topologyType() == ElementType::Points ? std::max(n, d_nbPoints.value()) : n;
    }
    return std::max(d_nbPoints.value(), vertexCountOfElements());
}

template <std::size_t N>
void PointSetTopologyContainer::checkElements(const char* kind, const Vector<std::array<Index, N>>& elements) const
{
    ElementFinder<N> finder(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto key = sortedVertices(elements[i]);
        if (std::adjacent_find(key.begin(), key.end()) != key.end())
            msgWarning() << kind << " " << i << " (" << toText(elements[i]) << ") repeats a point";
        const auto [index, isNew] = finder.insert(elements[i], static_cast<Index>(i));
        if (!isNew) msgWarning() << kind << " " << i << " has the same points as " << kind << " " << index;
    }
}

void PointSetTopologyContainer::init()
{
    StoredTopology::init();
    if (d_nbPoints.value() != nbPoints()) {
        const Index n = nbPoints();
        d_nbPoints.setValue(n);
        d_nbPoints.setIsSet(false);
    }
    if (!d_checkTopology.value()) return;
    checkElements("edge", edges());
    checkElements("triangle", triangles());
    checkElements("quad", quads());
    checkElements("tetrahedron", tetrahedra());
    checkElements("hexahedron", hexahedra());
}

EdgeSetTopologyContainer::EdgeSetTopologyContainer() { addList(d_edges); }

void EdgeSetTopologyContainer::init()
{
    PointSetTopologyContainer::init();
    if (!d_checkConnexity.value()) return;
    if (const Index parts = connectedParts(); parts > 1)
        msgWarning() << "the mesh falls into " << parts << " parts that no edge joins";
}

Index EdgeSetTopologyContainer::connectedParts() const
{
    Vector<bool> reached(nbPoints(), false);
    Vector<Index> front;
    Index parts = 0;
    for (Index start = 0; start < nbPoints(); ++start) {
        if (reached[start] || edgesAroundVertex(start).empty()) continue;
        ++parts;
        reached[start] = true;
        front.push_back(start);
        while (!front.empty()) {
            const Index v = front.back();
            front.pop_back();
            for (const Index w : verticesAroundVertex(v)) {
                if (reached[w]) continue;
                reached[w] = true;
                front.push_back(w);
            }
        }
    }
    return parts;
}

TriangleSetTopologyContainer::TriangleSetTopologyContainer()
{
    addList(d_triangles);
    derive<Edge>(d_edges, {&d_triangles}, [this] { return edgesOf(triangles(), Vector<Quad>()); });
}

QuadSetTopologyContainer::QuadSetTopologyContainer()
{
    addList(d_quads);
    derive<Edge>(d_edges, {&d_quads}, [this] { return edgesOf(Vector<Triangle>(), quads()); });
}

TetrahedronSetTopologyContainer::TetrahedronSetTopologyContainer()
{
    ignoreAttribute("createTriangleArray", "triangles are always there when they are used");
    addAlias(d_tetrahedra, "tetras");
    addList(d_tetrahedra);
    derive<Triangle>(d_triangles, {&d_tetrahedra}, [this] { return trianglesOf(tetrahedra()); });
    derive<Edge>(d_edges, {&d_tetrahedra}, [this] { return edgesOf(tetrahedra(), Vector<Hexahedron>()); });
}

HexahedronSetTopologyContainer::HexahedronSetTopologyContainer()
{
    ignoreAttribute("createQuadArray", "quads are always there when they are used");
    addAlias(d_hexahedra, "hexas");
    addList(d_hexahedra);
    derive<Quad>(d_quads, {&d_hexahedra}, [this] { return quadsOf(hexahedra()); });
    derive<Edge>(d_edges, {&d_hexahedra}, [this] { return edgesOf(Vector<Tetrahedron>(), hexahedra()); });
}

namespace {

constexpr const char* containerModule = "Sofa.Component.Topology.Container.Dynamic";

const RegisterComponent registeredPointSetTopologyContainer =
    RegisterComponent("PointSetTopologyContainer", "Topology", containerModule)
        .help("Topology of points")
        .example("component/topology/PointSetTopologyContainer.scn")
        .add<PointSetTopologyContainer>();
const RegisterComponent registeredEdgeSetTopologyContainer =
    RegisterComponent("EdgeSetTopologyContainer", "Topology", containerModule)
        .help("Topology of edges")
        .example("component/topology/EdgeSetTopologyContainer.scn")
        .add<EdgeSetTopologyContainer>();
const RegisterComponent registeredTriangleSetTopologyContainer =
    RegisterComponent("TriangleSetTopologyContainer", "Topology", containerModule)
        .help("Topology of triangles and their edges")
        .example("component/topology/TriangleSetTopologyContainer.scn")
        .add<TriangleSetTopologyContainer>();
const RegisterComponent registeredQuadSetTopologyContainer =
    RegisterComponent("QuadSetTopologyContainer", "Topology", containerModule)
        .help("Topology of quads and their edges")
        .example("component/topology/QuadSetTopologyContainer.scn")
        .add<QuadSetTopologyContainer>();
const RegisterComponent registeredTetrahedronSetTopologyContainer =
    RegisterComponent("TetrahedronSetTopologyContainer", "Topology", containerModule)
        .help("Topology of tetrahedra, their triangles and edges")
        .example("component/topology/TetrahedronSetTopologyContainer.scn")
        .add<TetrahedronSetTopologyContainer>();
const RegisterComponent registeredHexahedronSetTopologyContainer =
    RegisterComponent("HexahedronSetTopologyContainer", "Topology", containerModule)
        .help("Topology of hexahedra, their quads and edges")
        .example("component/topology/HexahedronSetTopologyContainer.scn")
        .add<HexahedronSetTopologyContainer>();

}  // namespace

}  // namespace sofa::component
