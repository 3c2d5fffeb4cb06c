// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MeshTrianLoader.h"

#include <algorithm>
#include <utility>

#include "components/io/LoaderUtilities.h"
#include "core/factory/Registry.h"

namespace sofa::component {

io::MeshData MeshTrianLoader::readFile(const std::string& path, const io::MeshReadOptions& options)
{
    m_neighbours.clear();
    const io::SourceText source = io::loadSource(path);
    requireFormat(source, {"triangulation"});
    io::TrianMesh read = io::parseTrian(source, d_trian2.value() ? io::TrianKind::Second : io::TrianKind::First);
    m_neighbours = std::move(read.neighbours);
    return orient(std::move(read.mesh), options);
}

void MeshTrianLoader::publish(const io::MeshData& mesh)
{
    Vector<std::array<int, 3>> neighbours = std::exchange(m_neighbours, {});
    // Where something failed after the file was read, there is no mesh.
    if (mesh.triangles.empty()) neighbours.clear();
    Vector<Vector<Index>> edges;
    Vector<Index> triangles;
    for (std::size_t t = 0; t < neighbours.size(); ++t) {
        if (d_flipNormals.value()) std::ranges::reverse(neighbours[t]);  // as the corners are
        const Triangle& corners = mesh.triangles[t];
        const std::size_t before = edges.size();
        for (std::size_t k = 0; k < 3; ++k)
            if (neighbours[t][k] == -1) edges.push_back({corners[(k + 1) % 3], corners[(k + 2) % 3]});
        if (edges.size() > before) triangles.push_back(static_cast<Index>(t));
    }
    d_neighborTable.setValue(std::move(neighbours));
    d_edgesOnBorder.setValue(std::move(edges));
    d_trianglesOnBorderList.setValue(std::move(triangles));
}

namespace {

const RegisterComponent registeredMeshTrianLoader =
    RegisterComponent("MeshTrianLoader", "MeshLoader", "Sofa.Component.IO.Mesh")
        .help("Reads triangles and their neighbours from a triangulation file (.trian)")
        .example("component/io/MeshTrianLoader.scn")
        .add<MeshTrianLoader>();

}  // namespace

}  // namespace sofa::component
