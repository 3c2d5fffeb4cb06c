// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/BaseState.h"
#include "core/factory/Registry.h"
#include "core/io/MeshOperations.h"
#include "core/io/SurfaceFormats.h"
#include "core/objectmodel/Node.h"
#include "core/simulation/SimulationExporter.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

using namespace sofa::core;

namespace {

/// Writes a surface as stereolithography. In SOFA binaryformat="1" writes text, and "0" binary files; here it means
/// what it says, facets have normals, and of volumes the border is written, without the faces inside.
class STLExporter final : public SimulationExporter
{
public:
    Data<bool> d_binaryFormat{
        this, {.name = "binaryformat", .help = "Binary (single precision) instead of text"}, true};
    Data<Vector<Vec3>> d_position{
        this,
        {.name = "position",
         .help = "Points; default, with triangle and quad: those of the visual model of the node, else of its topology",
         .unit = "m"}};
    Data<Vector<Triangle>> d_triangle{this, {.name = "triangle", .help = "Triangles"}};
    Data<Vector<Quad>> d_quad{
        this, {.name = "quad", .help = "Quads, which become two triangles each; used where there are no triangles"}};

    STLExporter()
    {
        addAlias(d_triangle, "triangles");
        addAlias(d_quad, "quads");
    }

    void init() override
    {
        SimulationExporter::init();
        if (d_position.isSet()) return;
        m_state = nullptr;
        m_topology = node()->get<BaseMeshTopology>(Search::Local);
        for (const auto& c : node()->components())
            if (auto* s = dynamic_cast<BaseState*>(c.get()); s && !m_state) m_state = s;
        for (const auto& c : node()->components())
            if (auto* s = dynamic_cast<BaseState*>(c.get()); s && !s->isMechanical() && s->findData("triangles")) {
                m_state = s;
                follow(*s);
                return;
            }
        if (!m_topology) fail("it needs a visual model or a topology in its node, or position and triangle");
    }

private:
    /// Links the Data that the scene does not give to those of a visual model.
    void follow(Base& model)
    {
        const auto link = [&](BaseData& to, std::string_view name) {
            if (BaseData* from = model.findData(name); from && !to.isSet() && !to.parent()) to.linkTo(*from);
        };
        link(d_position, "position");
        link(d_triangle, "triangles");
        link(d_quad, "quads");
    }

    void write() override
    {
        io::MeshData m;
        if (d_position.isSet() || d_position.parent()) {
            m.positions = d_position.value();
            m.triangles = d_triangle.value();
            m.quads = d_quad.value();
        } else if (m_topology) {
            const Index n = m_state ? m_state->size() : m_topology->nbPoints();
            for (Index i = 0; i < n; ++i)
                m.positions.push_back(m_state ? m_state->pointPosition(i) : m_topology->pointPosition(i));
            // Of volumes the border, which their lists of faces are not.
            m.tetrahedra = m_topology->tetrahedra();
            m.hexahedra = m_topology->hexahedra();
            m.prisms = m_topology->prisms();
            m.pyramids = m_topology->pyramids();
            if (m.tetrahedra.empty() && m.hexahedra.empty() && m.prisms.empty() && m.pyramids.empty()) {
                m.triangles = m_topology->triangles();
                m.quads = m_topology->quads();
            }
            m = io::withBorder(m);
        }
        if (!m.triangles.empty()) m.quads.clear();
        if (m.triangles.empty() && m.quads.empty()) throw std::runtime_error(pathName() + ": there are no faces");
        const std::filesystem::path file = target(baseName(), ".stl");
        io::writeStl(file, m, d_binaryFormat.value());
        msgInfo() << "wrote " << file.string();
    }

    Tracked<BaseState> m_state;
    Tracked<BaseMeshTopology> m_topology;
};

const RegisterComponent registeredSTLExporter =
    RegisterComponent("STLExporter", "Exporter", "Sofa.Component.IO.Mesh")
        .help("Writes a surface as stereolithography (.stl), binary or text")
        .example("component/io/STLExporter.scn")
        .add<STLExporter>();

}  // namespace

}  // namespace sofa::component
