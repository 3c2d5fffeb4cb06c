// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MeshCreators.h"

#include <algorithm>
#include <unordered_set>

#include "components/io/LoaderUtilities.h"
#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

/// More points than this are taken for a slip of the pen.
constexpr std::size_t largestMesh = std::size_t{1} << 26;

/// Edges of faces, each once, with the direction in which it was met first.
class UniqueEdges
{
public:
    template <std::size_t N>
    void addSides(const std::array<Index, N>& face)
    {
        for (std::size_t k = 0; k < N; ++k) {
            const Edge e{face[k], face[(k + 1) % N]};
            if (m_known.insert(sortedVertices(e)).second) m_edges.push_back(e);
        }
    }
    Vector<Edge> takeSorted()
    {
        std::ranges::sort(m_edges);
        return std::move(m_edges);
    }

private:
    Vector<Edge> m_edges;
    std::unordered_set<Edge, ElementHash<2>> m_known;  // membership only: its order is never used
};

}  // namespace

io::MeshData StringMeshCreator::makeMesh(const io::MeshReadOptions&)
{
    const Index n = d_resolution.value();
    if (n > largestMesh)
        throw std::runtime_error("resolution: expected at most " + std::to_string(largestMesh) + " points, found " +
                                 std::to_string(n));
    io::MeshData mesh;
    for (Index i = 0; i < n; ++i) mesh.positions.push_back({i * 1. / (n - 1), 0., 0.});
    for (Index i = 1; i < n; ++i) mesh.edges.push_back({i - 1, i});
    return mesh;
}

io::MeshData GridMeshCreator::makeMesh(const io::MeshReadOptions& options)
{
    const Vec<2, int>& n = d_resolution.value();
    if (static_cast<double>(n[0]) * n[1] > static_cast<double>(largestMesh))
        throw std::runtime_error("resolution: expected at most " + std::to_string(largestMesh) +
                                 " points in all, found " + toText(n));
    const auto nx = static_cast<Index>(n[0]), ny = static_cast<Index>(n[1]);
    const int pattern = d_trianglePattern.value();

    io::MeshData mesh;
    for (Index y = 0; y < ny; ++y)
        for (Index x = 0; x < nx; ++x) mesh.positions.push_back({x * 1. / (nx - 1), y * 1. / (ny - 1), 0.});
    UniqueEdges edges;
    const auto triangle = [&](Index a, Index b, Index c) {
        mesh.triangles.push_back({a, b, c});
        edges.addSides(mesh.triangles.back());
    };
    for (Index y = 0; y + 1 < ny; ++y)
        for (Index x = 0; x + 1 < nx; ++x) {
            const Index a = x + y * nx, b = a + 1, c = b + nx, d = a + nx;
            if (pattern == 0) {
                mesh.quads.push_back({a, b, c, d});
                edges.addSides(mesh.quads.back());
            } else if (pattern == 2 || (pattern == 1 && (x + y) % 2 == 0)) {
                triangle(a, b, c);
                triangle(a, c, d);
            } else {
                triangle(a, b, d);
                triangle(b, c, d);
            }
        }
    mesh.edges = edges.takeSorted();
    return orient(std::move(mesh), options);
}

namespace {

constexpr const char* meshCreatorsModule = "Sofa.Component.IO.Mesh";

const RegisterComponent registeredStringMeshCreator =
    RegisterComponent("StringMeshCreator", "MeshLoader", meshCreatorsModule)
        .help("Makes points and edges on a line")
        .example("component/io/StringMeshCreator.scn")
        .add<StringMeshCreator>();
const RegisterComponent registeredGridMeshCreator =
    RegisterComponent("GridMeshCreator", "MeshLoader", meshCreatorsModule)
        .help("Makes a plane grid of triangles or quads")
        .example("component/io/GridMeshCreator.scn")
        .add<GridMeshCreator>();

}  // namespace

}  // namespace sofa::component
