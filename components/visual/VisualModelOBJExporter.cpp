// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <set>

#include "components/visual/VisualModelImpl.h"
#include "core/factory/Registry.h"
#include "core/io/GltfFormat.h"
#include "core/io/ObjFormat.h"
#include "core/objectmodel/Node.h"
#include "core/simulation/SimulationExporter.h"

namespace sofa::component {

namespace {

/// The visual models of a part of a scene as one mesh: a group for each model and each group of its faces, with the
/// materials, whose names are unique.
class VisualMesh
{
public:
    void add(VisualModelImpl& model)
    {
        model.updateVisual();
        const Vector<Vec3>& vertices = model.drawnVertices();
        const auto offset = static_cast<Index>(mesh.positions.size());
        mesh.positions.insert(mesh.positions.end(), vertices.begin(), vertices.end());
        append(mesh.normals, m_hasNormals, model.d_normal.value(), offset, vertices.size());
        Vector<Vec2> texCoords;
        for (const auto& t : model.d_texcoords.value()) texCoords.push_back({t[0], t[1]});
        append(mesh.texCoords, m_hasTexCoords, texCoords, offset, vertices.size());

        const Vector<FaceGroup>& groups = model.d_groups.value();
        const Vector<Material>& materials = model.d_materials.value();
        const auto first = mesh.materials.size();
        for (const Material& m : materials) addMaterial(m, model);
        const auto own = static_cast<int>(mesh.materials.size());
        addMaterial(model.d_material.value(), model);
        const auto cells = [&](io::CellKind kind, auto& to, const auto& from, int FaceGroup::*start,
                               int FaceGroup::*count) {
            auto& ranges = mesh.ranges[static_cast<std::size_t>(kind)];
            const auto firstCell = static_cast<Index>(to.size());
            for (auto cell : from) {
                for (Index& v : cell) v += offset;
                to.push_back(cell);
            }
            const auto range = [&](std::size_t begin, std::size_t end, const std::string& group, int material) {
                if (begin < end)
                    ranges.push_back({firstCell + static_cast<Index>(begin), static_cast<Index>(end - begin), material,
                                      mesh.materials[static_cast<std::size_t>(material)].name, group});
            };
            // Faces between the groups have the material of the model.
            std::size_t next = 0;
            for (const FaceGroup& g : groups) {
                const auto begin = std::min(static_cast<std::size_t>(g.*start), from.size());
                const auto end = std::min(begin + static_cast<std::size_t>(g.*count), from.size());
                if (begin < next || begin == end) continue;
                range(next, begin, model.name(), own);
                const bool known = g.materialId >= 0 && static_cast<std::size_t>(g.materialId) < materials.size();
                range(begin, end, g.groupName.empty() ? model.name() : model.name() + '_' + g.groupName,
                      known ? static_cast<int>(first) + g.materialId : own);
                next = end;
            }
            range(next, from.size(), model.name(), own);
        };
        cells(io::CellKind::Edge, mesh.edges, model.d_edges.value(), &FaceGroup::firstEdge, &FaceGroup::edgeCount);
        cells(io::CellKind::Triangle, mesh.triangles, model.d_triangles.value(), &FaceGroup::firstTriangle,
              &FaceGroup::triangleCount);
        cells(io::CellKind::Quad, mesh.quads, model.d_quads.value(), &FaceGroup::firstQuad, &FaceGroup::quadCount);
    }

    io::MeshData mesh;

private:
    /// Values of the vertices of one model; others without any get zeros.
    template <class T>
    static void append(Vector<T>& to, bool& has, const Vector<T>& values, Index offset, std::size_t count)
    {
        has = has || values.size() == count;
        if (!has) return;
        to.resize(offset, T());
        if (values.size() == count) to.insert(to.end(), values.begin(), values.end());
        to.resize(offset + count, T());
    }

    void addMaterial(Material m, const Base& model)
    {
        const std::string given = m.name;
        if (!m_names.insert(m.name).second) m.name = model.name() + '_' + given;
        for (int k = 2; !m_names.insert(m.name).second && m.name != given; ++k)
            m.name = model.name() + '_' + given + '_' + std::to_string(k);
        mesh.materials.push_back(std::move(m));
    }

    bool m_hasNormals = false, m_hasTexCoords = false;
    std::set<std::string> m_names;
};

/// Writes the visual models of its node and below as a Wavefront .obj file with a material library, or, where the name
/// ends in .glb, as glTF.
class VisualModelOBJExporter final : public SimulationExporter
{
public:
    void init() override
    {
        SimulationExporter::init();
        if (models().empty()) msgWarning() << "there is no visual model in its node or below yet";
    }

private:
    std::vector<VisualModelImpl*> models() const { return node()->getAll<VisualModelImpl>(Search::Down); }

    void write() override
    {
        VisualMesh all;
        for (VisualModelImpl* m : models()) all.add(*m);
        if (std::filesystem::path(baseName()).extension() == ".glb") {
            const std::filesystem::path file = target(baseName(), ".glb");
            io::writeGlb(file, all.mesh);
            msgInfo() << "wrote " << file.string();
            return;
        }
        const std::filesystem::path file = target(baseName(), ".obj");
        std::filesystem::path library = file;
        library.replace_extension(".mtl");
        io::writeMtl(library, all.mesh.materials);
        io::writeObj(file, all.mesh, library.filename().string());
        msgInfo() << "wrote " << file.string() << " and " << library.string();
    }
};

const RegisterComponent registeredVisualModelOBJExporter =
    RegisterComponent("VisualModelOBJExporter", "Exporter", "Sofa.Component.IO.Mesh")
        .help("Writes the visual models of its node and below as Wavefront .obj and .mtl files, or as glTF (.glb)")
        .example("component/io/VisualModelOBJExporter.scn")
        .add<VisualModelOBJExporter>();

}  // namespace

}  // namespace sofa::component
