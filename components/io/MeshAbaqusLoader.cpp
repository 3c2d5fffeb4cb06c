// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MeshAbaqusLoader.h"

#include <algorithm>
#include <utility>

#include "components/io/LoaderUtilities.h"
#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

using io::CellKind;

struct NamedKind
{
    CellKind kind;
    const char* name;
};

/// In the order in which a mesh is taken to be one of them.
constexpr NamedKind kinds[] = {{CellKind::Tetrahedron, "tetrahedra"},
                               {CellKind::Hexahedron, "hexahedra"},
                               {CellKind::Prism, "prisms"},
                               {CellKind::Pyramid, "pyramids"},
                               {CellKind::Triangle, "triangles"},
                               {CellKind::Quad, "quads"},
                               {CellKind::Edge, "edges"}};

std::string dataName(const std::string& before, const std::string& name)
{
    std::string out = before + name;
    std::ranges::replace_if(
        out, [](char c) { return c == '.' || c == ' ' || c == '/' || c == '@'; }, '_');
    return out;
}

}  // namespace

io::MeshData MeshAbaqusLoader::readFile(const std::string& path, const io::MeshReadOptions& options)
{
    m_materials.clear();
    const io::SourceText source = io::loadSource(path);
    requireFormat(source, {"Abaqus"});
    io::AbaqusModel model = io::parseAbaqus(source);
    m_materials = std::move(model.materials);
    return orient(std::move(model.mesh), options);
}

void MeshAbaqusLoader::publish(const io::MeshData& mesh)
{
    // Where something failed after the file was read, there is no mesh, and no materials belong to it.
    if (mesh.positions.empty()) m_materials.clear();
    CellKind kind = CellKind::Tetrahedron;
    for (const NamedKind& k : kinds)
        if (mesh.cellCount(k.kind) > 0) {
            kind = k.kind;
            break;
        }
    publishMaterialsOf(mesh, kind);
    publishSets(mesh, kind);
    m_materials.clear();
}

void MeshAbaqusLoader::publishMaterialsOf(const io::MeshData& mesh, CellKind kind)
{
    Vector<Index> indices;
    std::size_t without = mesh.cellCount(kind);
    for (const io::CellRange& r : mesh.ranges[static_cast<std::size_t>(kind)]) {
        if (r.materialId < 0) continue;
        indices.insert(indices.end(), r.count, static_cast<Index>(r.materialId));
        without -= r.count;
    }
    if (!indices.empty() && without > 0) {
        msgWarning() << without << " of " << mesh.cellCount(kind) << " elements (" << io::cellKindName(kind)
                     << ") are in no section with a material: no material lists are given";
        indices.clear();
    }
    for (std::size_t m = 0; m < m_materials.size(); ++m) {
        const io::VegMaterial& material = m_materials[m];
        const bool lacks = material.kind == io::VegMaterial::Kind::Isotropic && !(material.youngModulus > 0.);
        if (lacks && std::ranges::find(indices, static_cast<Index>(m)) != indices.end())
            msgWarning() << "the material '" << material.name
                         << "' has no law of elasticity that is known here: youngModulus and the lists of other laws "
                            "are empty";
    }
    for (const NamedKind& k : kinds)
        if (k.kind != kind && !mesh.ranges[static_cast<std::size_t>(k.kind)].empty() && !indices.empty() &&
            std::ranges::any_of(mesh.ranges[static_cast<std::size_t>(k.kind)],
                                [](const io::CellRange& r) { return r.materialId >= 0; }))
            msgWarning() << "material lists are given for elements of one kind (" << io::cellKindName(kind)
                         << "): those of the " << k.name << " are left out";
    publishMaterials(m_materials, std::move(indices));
}

void MeshAbaqusLoader::publishSets(const io::MeshData& mesh, CellKind kind)
{
    clearSets();
    Vector<std::string> names, nodeNames;
    Vector<Vector<Index>> sets, nodeSets;
    for (const io::CellGroup& g : mesh.groups) {
        const Vector<Index>& members = g.cells[static_cast<std::size_t>(kind)];
        names.push_back(g.name);
        sets.push_back(members);
        const std::string data = dataName("set_", g.name);
        publishSet(data, "Elements of the set of this name in the file", members);
        for (const NamedKind& k : kinds)
            if (const auto& others = g.cells[static_cast<std::size_t>(k.kind)]; k.kind != kind && !others.empty())
                publishSet(data + '_' + k.name, "Elements of this kind of the set of this name in the file", others);
    }
    for (const io::PointSet& s : mesh.pointSets) {
        nodeNames.push_back(s.name);
        nodeSets.push_back(s.points);
        publishSet(dataName("nodes_", s.name), "Points of the node set of this name in the file", s.points);
    }
    d_setNames.setValue(std::move(names));
    d_sets.setValue(std::move(sets));
    d_nodeSetNames.setValue(std::move(nodeNames));
    d_nodeSets.setValue(std::move(nodeSets));
}

namespace {

const RegisterComponent registeredMeshAbaqusLoader =
    RegisterComponent("MeshAbaqusLoader", "MeshLoader", "Sofa.Component.IO.Mesh")
        .help("Reads a mesh with its sets and materials from an input file of Abaqus or CalculiX (.inp)")
        .example("component/io/MeshAbaqusLoader.scn")
        .add<MeshAbaqusLoader>();

}  // namespace

}  // namespace sofa::component
