// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/TopologyModifiers.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

BaseMeshTopology* PointSetTopologyModifier::topology() const
{
    return node() ? node()->get<BaseMeshTopology>(Search::Local) : nullptr;
}

void PointSetTopologyModifier::init()
{
    if (!topology()) msgWarning() << "there is no topology in this node to modify";
}

StoredTopology& PointSetTopologyModifier::changeable() const
{
    auto* stored = dynamic_cast<StoredTopology*>(topology());
    if (!stored) throw std::runtime_error(pathName() + ": there is no topology in this node that can change");
    return *stored;
}

std::string TriangleSetTopologyModifier::refusal(const TopologyStep& step) const
{
    if (step.kind != TopologyStep::Kind::Remove || step.topology != topology() || step.type != ElementType::Triangles)
        return {};
    for (const Index t : d_listOut.value())
        if (std::ranges::binary_search(step.elements, t))
            return "triangle " + std::to_string(t) + " is in list_Out: it must not be removed";
    return {};
}

namespace {

constexpr const char* topologyModifiersModule = "Sofa.Component.Topology.Container.Dynamic";

template <class T>
RegisterComponent modifier(const std::string& kind, const std::string& elements)
{
    const std::string name = kind + "SetTopologyModifier";
    return RegisterComponent(name, "TopologyModifier", topologyModifiersModule)
        .help("Entrance for changes of a topology of " + elements + " at run time")
        .example("component/topology/" + kind + "SetTopologyContainer.scn")
        .add<T>();
}

const RegisterComponent registeredPoint = modifier<PointSetTopologyModifier>("Point", "points");
const RegisterComponent registeredEdge = modifier<EdgeSetTopologyModifier>("Edge", "edges");
const RegisterComponent registeredTriangle = modifier<TriangleSetTopologyModifier>("Triangle", "triangles");
const RegisterComponent registeredQuad = modifier<QuadSetTopologyModifier>("Quad", "quads");
const RegisterComponent registeredTetrahedron = modifier<TetrahedronSetTopologyModifier>("Tetrahedron", "tetrahedra");
const RegisterComponent registeredHexahedron = modifier<HexahedronSetTopologyModifier>("Hexahedron", "hexahedra");

}  // namespace

}  // namespace sofa::component
