// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/scene/VegaSimulatedModel.h"

#include "core/io/MeshReader.h"
#include "core/io/VegaMatrixFile.h"
#include "core/io/VertexListFile.h"

namespace sofa::component::vega {

namespace fs = std::filesystem;

using io::VegaModel;

void SimulatedModel::fail(std::string_view key, const std::string& text) const
{
    throw SceneError(location(m_config, key), text);
}

Vector<Vec3> SimulatedModel::readState(std::string_view key, const std::string& name) const
{
    const io::VegaMatrix m = io::readVegaMatrix(require(m_config, key, name));
    if (m.columns != 1 || static_cast<std::size_t>(m.rows) != 3 * points)
        fail(key, "*" + std::string(key) + ": the matrix has " + std::to_string(m.rows) + " rows and " +
                      std::to_string(m.columns) + " columns; " + std::to_string(points) + " points need " +
                      std::to_string(3 * points) + " rows and 1 column");
    Vector<Vec3> values(points);
    for (std::size_t i = 0; i < points; ++i)
        for (std::size_t c = 0; c < 3; ++c) values[i][c] = m(static_cast<int>(3 * i + c), 0);
    // Vega's integrators set both to zero at fixed vertices.
    for (const Index i : fixed) values[i] = {};
    return values;
}

SimulatedModel::SimulatedModel(const io::VegaConfig& config) : m_config(config)
{
    readModel();
    readFixedVertices();
}

void SimulatedModel::readModel()
{
    switch (m_config.model) {
        case VegaModel::None:
            fail({},
                 "the configuration says nothing to simulate: it needs *volumetricMeshFilename, one of the three "
                 "*massSpringSystem... files, or *customMassSpringSystem");
        case VegaModel::MassSpringQuads:
            modelKey = "massSpringSystemObjConfigFilename";
            return readSprings();
        case VegaModel::MassSpringTetrahedra:
            modelKey = "massSpringSystemTetMeshConfigFilename";
            return readSprings();
        case VegaModel::MassSpringCubes:
            modelKey = "massSpringSystemCubicMeshConfigFilename";
            return readSprings();
        case VegaModel::MassSpringChain:
            modelKey = "customMassSpringSystem";
            points = static_cast<std::size_t>(m_config.chainParticles);
            for (std::size_t i = 0; i < points; ++i)
                rest.push_back({0., static_cast<double>(i) / static_cast<double>(points - 1), 0.});
            return;
        default:
            break;
    }
    modelKey = m_config.find("deformableObjectMethod") ? "deformableObjectMethod" : "volumetricMeshFilename";
    meshKey = "volumetricMeshFilename";
    readMesh(require(m_config, meshKey, m_config.volumetricMeshFilename));
}

void SimulatedModel::readMesh(const fs::path& path)
{
    meshPath = path;
    mesh = io::readVeg(path);  // its notes are repeated by the loader of the scene
    points = mesh.positions.size();
    rest = mesh.positions;
}

void SimulatedModel::readSprings()
{
    springs = io::readVegaMassSpring(require(m_config, modelKey, m_config.massSpringFile));
    const io::VegaMassSpring& s = *springs;
    for (const std::string& note : s.notes) MessageLog::emit(Severity::Warning, note);
    constexpr std::pair<VegaModel, const char*> kinds[] = {{VegaModel::MassSpringTetrahedra, "tetMeshFilename"},
                                                           {VegaModel::MassSpringCubes, "cubicMeshFilename"},
                                                           {VegaModel::MassSpringQuads, "massSpringMeshFilename"}};
    const auto& [model, key] = kinds[static_cast<std::size_t>(s.kind)];
    if (model != m_config.model)
        fail(modelKey,
             "*" + modelKey + ": '" + m_config.massSpringFile + "' is for another kind of mesh, it has *" + key);
    meshKey = key;
    const fs::path path = require(s, meshKey, s.meshFilename);
    if (model == VegaModel::MassSpringQuads) {
        meshPath = path;
        const io::MeshData surface = io::readMesh(path);
        if (surface.quads.empty()) throw SceneError(location(s, meshKey), "'" + path.string() + "' has no quads");
        points = surface.positions.size();
        rest = surface.positions;
        return;
    }
    readMesh(path);
    if (mesh.hexahedra.empty() == (model == VegaModel::MassSpringCubes))
        throw SceneError(location(s, meshKey), "'" + path.string() + "' has " +
                                                   (mesh.hexahedra.empty() ? "tetrahedra, not cubes: *tet"
                                                                           : "cubes, not tetrahedra: *cubic") +
                                                   "MeshFilename is the key for it");
}

void SimulatedModel::readFixedVertices()
{
    const char* key = "fixedVerticesFilename";
    if (m_config.model == VegaModel::MassSpringChain) {
        fixed = {static_cast<Index>(points - 1)};
        if (!m_config.fixedVerticesFilename.empty())
            MessageLog::emit(Severity::Warning,
                             "a chain is fixed at its last particle; *fixedVerticesFilename has no effect",
                             location(m_config, key));
    } else if (!m_config.fixedVerticesFilename.empty()) {
        fixed = io::readVertexList(require(m_config, key, m_config.fixedVerticesFilename), points);
    }
}

}  // namespace sofa::component::vega
