// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/TopologyExporter.h"

#include <algorithm>

namespace sofa::component {

namespace {

DataInfo kind(std::string_view name, std::string_view help) { return {.name = name, .help = help}; }

}  // namespace

TopologyExporter::TopologyExporter(bool edges, bool others)
    : d_edges(this, kind("edges", "Write the edges"), edges),
      d_triangles(this, kind("triangles", "Write the triangles"), others),
      d_quads(this, kind("quads", "Write the quads"), others),
      d_tetras(this, kind("tetras", "Write the tetrahedra"), others),
      d_hexas(this, kind("hexas", "Write the hexahedra"), others)
{
}

void TopologyExporter::init()
{
    SimulationExporter::init();
    m_state = findState();
    m_topology = findTopology();
    if (!isValid()) return;
    if (!m_topology)
        return fail(
            "it needs a topology: put one (MeshTopology, TetrahedronSetTopologyContainer, ...) into its node "
            "or above");
    if (!d_position.isSet() && !m_state && !m_topology->hasPositions())
        fail("there are no points: give position=\"...\", or put a MechanicalObject into its node or above");
}

io::MeshData TopologyExporter::mesh() const
{
    if (!m_topology) throw std::runtime_error(pathName() + ": the topology that it wrote has left the scene");
    io::MeshData mesh;
    if (d_position.isSet()) {
        mesh.positions = d_position.value();
    } else if (m_state) {
        for (Index i = 0; i < m_state->size(); ++i) mesh.positions.push_back(m_state->pointPosition(i));
    } else {
        for (Index i = 0; i < m_topology->nbPoints(); ++i) mesh.positions.push_back(m_topology->pointPosition(i));
    }
    const auto take = [&](const Data<bool>& wanted, auto& to, const auto& elements) {
        for (std::size_t e = 0; e < elements.size(); ++e)
            if (const auto bad = std::ranges::find_if(elements[e], [&](Index v) { return v >= mesh.positions.size(); });
                bad != elements[e].end())
                throw std::runtime_error(pathName() + ": element " + std::to_string(e) + " of '" + wanted.name() +
                                         "' has point " + std::to_string(*bad) + ", and there are " +
                                         std::to_string(mesh.positions.size()) + " points");
        to = elements;
    };
    // Lists that are not wanted are not asked for: topologies may have to derive them.
    if (d_edges.value()) take(d_edges, mesh.edges, m_topology->edges());
    if (d_triangles.value()) take(d_triangles, mesh.triangles, m_topology->triangles());
    if (d_quads.value()) take(d_quads, mesh.quads, m_topology->quads());
    if (d_tetras.value()) take(d_tetras, mesh.tetrahedra, m_topology->tetrahedra());
    if (d_hexas.value()) take(d_hexas, mesh.hexahedra, m_topology->hexahedra());
    return mesh;
}

}  // namespace sofa::component
