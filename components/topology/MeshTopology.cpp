// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/MeshTopology.h"
#include "core/log/Reason.h"

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/MeshReader.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

MeshTopology::MeshTopology()
{
    addAlias(d_edges, "lines");
    addAlias(d_tetrahedra, "tetras");
    addAlias(d_hexahedra, "hexas");
    addAlias(d_uv, "texcoords");
    addList(d_edges);
    addList(d_triangles);
    addList(d_quads);
    addList(d_tetrahedra);
    addList(d_hexahedra);
    addList(d_prisms);
    addList(d_pyramids);
    derive<Triangle>(d_triangles, {&d_tetrahedra}, [this] { return computeTriangles(); });
    derive<Quad>(d_quads, {&d_hexahedra}, [this] { return computeQuads(); });
    derive<Edge>(d_edges, {&d_tetrahedra, &d_hexahedra, &d_triangles, &d_quads}, [this] { return computeEdges(); });
}

Vector<Edge> MeshTopology::computeEdges() const
{
    if (!tetrahedra().empty() || !hexahedra().empty()) return edgesOf(tetrahedra(), hexahedra());
    return edgesOf(triangles(), quads());
}
Vector<Triangle> MeshTopology::computeTriangles() const { return trianglesOf(tetrahedra()); }
Vector<Quad> MeshTopology::computeQuads() const { return quadsOf(hexahedra()); }

void MeshTopology::prepare()
{
    if (!d_filename.value().text.empty()) readMeshFile();
}

void MeshTopology::readMeshFile()
{
    try {
        io::MeshData mesh = io::readMesh(requireFile(d_filename));
        for (const std::string& note : mesh.notes) message(Severity::Warning, note);
        d_position.setValue(std::move(mesh.positions));
        d_edges.setValue(std::move(mesh.edges));
        d_triangles.setValue(std::move(mesh.triangles));
        d_quads.setValue(std::move(mesh.quads));
        d_tetrahedra.setValue(std::move(mesh.tetrahedra));
        d_hexahedra.setValue(std::move(mesh.hexahedra));
        d_prisms.setValue(std::move(mesh.prisms));
        d_pyramids.setValue(std::move(mesh.pyramids));
    } catch (const std::exception& e) {
        fail(core::reasonOf(e));
    }
}

void MeshTopology::init()
{
    StoredTopology::init();
    if (!d_computeAllBuffers.value()) return;
    edgesAroundVertex(0);
    trianglesAroundVertex(0);
    quadsAroundVertex(0);
    tetrahedraAroundVertex(0);
    hexahedraAroundVertex(0);
    trianglesAroundEdge(0);
    quadsAroundEdge(0);
    tetrahedraAroundEdge(0);
    hexahedraAroundEdge(0);
    tetrahedraAroundTriangle(0);
    hexahedraAroundQuad(0);
}

void MeshTopology::draw(DrawTool& tool)
{
    if (!d_drawEdges.value() && !d_drawTriangles.value() && !d_drawQuads.value() && !d_drawTetrahedra.value() &&
        !d_drawHexahedra.value())
        return;
    const auto* state = hasPositions() || !node() ? nullptr : node()->get<BaseState>();
    auto x = state ? drawnPoints(tool, *state) : tool.scratch<Vec3>();
    for (Index i = 0; hasPositions() && i < nbPoints(); ++i) x.push_back(pointPosition(i));
    const Color green(0.4f, 1.f, 0.3f), red(1.f, 0.f, 0.f);
    ElementDrawing faces;
    faces.gap = 0.;
    faces.faceColors = {&green, 1};
    if (d_drawEdges.value()) drawEdges(tool, edges(), x, green);
    if (d_drawTriangles.value()) drawElements(tool, ElementType::Triangles, triangles(), x, faces);
    if (d_drawQuads.value()) drawElements(tool, ElementType::Quads, quads(), x, faces);
    if (d_drawHexahedra.value()) {
        drawElements(tool, ElementType::Hexahedra, hexahedra(), x, faces);
        drawElementEdges(tool, ElementType::Hexahedra, hexahedra(), x, plainStyle(green));
    }
    if (d_drawTetrahedra.value()) drawElementEdges(tool, ElementType::Tetrahedra, tetrahedra(), x, plainStyle(red));
}

namespace {

const RegisterComponent registeredMeshTopology =
    RegisterComponent("MeshTopology", "Topology", "Sofa.Component.Topology.Container.Constant")
        .help(
            "Topology of constant lists of points, edges, triangles, quads, tetrahedra, hexahedra, prisms and pyramids")
        .example("component/topology/MeshTopology.scn")
        .add<MeshTopology>();

}  // namespace

}  // namespace sofa::component
