// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/MeshData.h"

namespace sofa::core::io {

const char* cellKindName(CellKind kind)
{
    static constexpr const char* names[CellKindCount] = {"point",      "edge",  "triangle", "quad",    "tetrahedron",
                                                         "hexahedron", "prism", "pyramid",  "polyline"};
    return names[static_cast<std::size_t>(kind)];
}

int cellDimension(CellKind kind)
{
    switch (kind) {
        case CellKind::Point:
            return 0;
        case CellKind::Edge:
        case CellKind::Polyline:
            return 1;
        case CellKind::Triangle:
        case CellKind::Quad:
            return 2;
        default:
            return 3;
    }
}

std::size_t MeshData::cellCount(CellKind kind) const
{
    switch (kind) {
        case CellKind::Point:
            return points.size();
        case CellKind::Edge:
            return edges.size();
        case CellKind::Triangle:
            return triangles.size();
        case CellKind::Quad:
            return quads.size();
        case CellKind::Tetrahedron:
            return tetrahedra.size();
        case CellKind::Hexahedron:
            return hexahedra.size();
        case CellKind::Prism:
            return prisms.size();
        case CellKind::Pyramid:
            return pyramids.size();
        case CellKind::Polyline:
            return polylines.size();
    }
    return 0;
}

void addPolygon(MeshData& mesh, const Index* corners, std::size_t n)
{
    for (std::size_t j = 2; j < n; ++j) mesh.triangles.push_back({corners[0], corners[j - 1], corners[j]});
    if (n > 4) mesh.polygons.emplace_back(corners, corners + n);
}

void extendRanges(std::vector<CellRange>& ranges, Index cell, std::string_view group, std::string_view material,
                  int materialId)
{
    if (!ranges.empty()) {
        CellRange& last = ranges.back();
        if (last.first + last.count == cell && last.group == group && last.material == material &&
            last.materialId == materialId) {
            ++last.count;
            return;
        }
    }
    ranges.push_back({cell, 1, materialId, std::string(material), std::string(group)});
}

void TaggedCells::makeGroups(MeshData& mesh, int dimension)
{
    for (auto& [tag, cells] : m_cells) {
        CellGroup& g = mesh.groups.emplace_back();
        g.dimension = dimension;
        g.tag = tag;
        g.cells = std::move(cells);
    }
    m_cells.clear();
}

void HighOrderEdges::addEdgeElement(Index a, Index b, Index node)
{
    m_mesh.edges.push_back({a, b});
    addSide(a, b, node);
}

void HighOrderEdges::addSide(Index a, Index b, Index node)
{
    const Edge ends = sortedVertices(Edge{a, b});
    if (m_known.insert(ends).second) m_mesh.midsideNodes.push_back({ends, node});
}

SecondOrderCells::SecondOrderCells(const MeshData& mesh)
{
    m_nodes.reserve(mesh.midsideNodes.size());
    for (const MidsideNode& m : mesh.midsideNodes) m_nodes.try_emplace(sortedVertices(m.ends), m.node);
}

SecondOrderCells::Nodes SecondOrderCells::nodes(CellKind kind, const Index* vertices) const
{
    static constexpr std::size_t edges[][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    const bool isEdge = kind == CellKind::Edge, isTriangle = kind == CellKind::Triangle;
    if (m_nodes.empty() || (!isEdge && !isTriangle && kind != CellKind::Tetrahedron)) return {};
    Nodes all(vertices, vertices + (isEdge ? 2 : isTriangle ? 3 : 4));
    for (std::size_t k = 0; k < (isEdge ? 1u : isTriangle ? 3u : 6u); ++k) {
        const auto found = m_nodes.find(sortedVertices(Edge{vertices[edges[k][0]], vertices[edges[k][1]]}));
        if (found == m_nodes.end()) return {};
        all.push_back(found->second);
    }
    return all;
}

}  // namespace sofa::core::io
