// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MeshOBJLoader.h"

#include "components/io/LoaderUtilities.h"
#include "core/factory/Registry.h"
#include "core/io/MeshOperations.h"
#include "core/io/ObjFormat.h"

namespace sofa::component {

MeshOBJLoader::MeshOBJLoader() { addAlias(d_defaultMaterial, "material"); }

void MeshOBJLoader::parse(ComponentDescription& desc)
{
    MeshLoader::parse(desc);
    // Read now, so that links find the Data of the materials.
    if (d_computeMaterialFaces.value() && d_filename.isSet() && d_filename.linkPath().empty()) run();
}

void MeshOBJLoader::setOptions(io::MeshReadOptions& options) const
{
    options.handleSeams = d_handleSeams.value();
    options.loadMaterials = d_loadMaterial.value();
}

io::MeshData MeshOBJLoader::readFile(const std::string& path, const io::MeshReadOptions& options)
{
    const io::SourceText source = io::loadSource(path);
    requireFormat(source, {"Wavefront"});
    return orient(io::parseObj(source, options), options);
}

void MeshOBJLoader::publishFaces(const io::MeshData& mesh)
{
    const std::size_t n = mesh.faceStart.empty() ? 0 : mesh.faceStart.size() - 1;
    Vector<Vector<int>> positions(n), texCoords(n), normals(n);
    for (std::size_t f = 0; f < n; ++f) {
        for (Index i = mesh.faceStart[f]; i < mesh.faceStart[f + 1]; ++i) {
            // InvalidIndex becomes −1.
            positions[f].push_back(static_cast<int>(mesh.faceCorners[i].position));
            texCoords[f].push_back(static_cast<int>(mesh.faceCorners[i].texCoord));
            normals[f].push_back(static_cast<int>(mesh.faceCorners[i].normal));
        }
    }
    d_faceList.setValue(std::move(positions));
    d_texcoordsIndex.setValue(std::move(texCoords));
    d_normalsIndex.setValue(std::move(normals));
}

void MeshOBJLoader::publishMaterialFaces(const io::MeshData& mesh)
{
    std::map<std::string, Vector<Index>> faces;
    constexpr std::pair<io::CellKind, const char*> kinds[] = {
        {io::CellKind::Edge, "edge"}, {io::CellKind::Triangle, "triangle"}, {io::CellKind::Quad, "quad"}};
    if (d_computeMaterialFaces.value())
        for (const auto& [kind, kindName] : kinds)
            for (const io::CellRange& r : mesh.ranges[static_cast<std::size_t>(kind)])
                for (Index i = 0; i < r.count; ++i)
                    faces["material_" + r.material + '_' + kindName + "Indices"].push_back(r.first + i);
    for (auto& [name, d] : m_materialFaces) d->setValue({});
    for (auto& [name, list] : faces) {
        const auto it = m_materialFaces.try_emplace(name).first;
        if (!it->second)
            it->second = std::make_unique<Data<Vector<Index>>>(this, DataInfo{.name = it->first,
                                                                              .help = "Faces of one material",
                                                                              .group = "Materials",
                                                                              .readOnly = true,
                                                                              .saved = false});
        it->second->setValue(std::move(list));
    }
}

void MeshOBJLoader::publish(const io::MeshData& mesh)
{
    const bool hasDefault = mesh.defaultMaterial >= 0;
    d_defaultMaterial.setValue(hasDefault ? mesh.materials[static_cast<std::size_t>(mesh.defaultMaterial)]
                                          : Material());
    d_materials.setValue(Vector<Material>(mesh.materials.begin(), mesh.materials.end()));
    publishFaces(mesh);
    d_texcoordsDefinition.setValue(mesh.texCoordDefinitions);
    d_normalsDefinition.setValue(mesh.normalDefinitions);
    d_texcoords.setValue(mesh.texCoords);
    d_vertPosIdx.setValue(Vector<int>(mesh.vertexPositionIndex.begin(), mesh.vertexPositionIndex.end()));
    d_vertNormIdx.setValue(Vector<int>(mesh.vertexNormalIndex.begin(), mesh.vertexNormalIndex.end()));
    if (d_handleSeams.value() && !mesh.vertexPositionIndex.empty()) {
        Vector<Vec3> original;
        for (std::size_t i = 0; i < mesh.positions.size() && i < mesh.vertexPositionIndex.size(); ++i) {
            const Index p = mesh.vertexPositionIndex[i];
            if (p >= original.size()) original.resize(p + 1);
            original[p] = mesh.positions[i];
        }
        d_positionsDefinition.setValue(std::move(original));
    } else {
        d_positionsDefinition.setValue(mesh.positions);
    }
    publishMaterialFaces(mesh);
}

namespace {

const RegisterComponent registeredMeshOBJLoader =
    RegisterComponent("MeshOBJLoader", "MeshLoader", "Sofa.Component.IO.Mesh")
        .help("Reads a surface mesh with materials and texture coordinates from a Wavefront file (.obj)")
        .example("component/io/MeshOBJLoader.scn")
        .add<MeshOBJLoader>();

}  // namespace

}  // namespace sofa::component
