// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <array>

#include "core/io/GmshFormat.h"
#include "core/io/MeshFormat.h"

namespace sofa::core::io {

void writeGmsh(const std::filesystem::path& path, const MeshData& mesh)
{
    std::string out = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    const auto num = [&](std::size_t v) { appendNumber(out, static_cast<std::uint64_t>(v)); };
    const auto named =
        std::count_if(mesh.groups.begin(), mesh.groups.end(), [](const CellGroup& g) { return !g.name.empty(); });
    if (named) {
        out += "$PhysicalNames\n" + std::to_string(named) + "\n";
        for (const auto& g : mesh.groups)
            if (!g.name.empty())
                out += std::to_string(g.dimension) + " " + std::to_string(g.tag) + " \"" + g.name + "\"\n";
        out += "$EndPhysicalNames\n";
    }
    out += "$Nodes\n";
    num(mesh.positions.size());
    out += '\n';
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        num(i + 1);
        for (const double c : mesh.positions[i]) {
            out += ' ';
            appendNumber(out, c);
        }
        out += '\n';
    }
    out += "$EndNodes\n$Elements\n";

    std::size_t lineEdges = 0;
    for (const auto& l : mesh.polylines) lineEdges += l.empty() ? 0 : l.size() - 1;
    num(mesh.points.size() + mesh.edges.size() + lineEdges + mesh.triangles.size() + mesh.quads.size() +
        mesh.tetrahedra.size() + mesh.hexahedra.size() + mesh.prisms.size() + mesh.pyramids.size());
    out += '\n';
    std::size_t number = 0;
    const auto element = [&](int type, int physical, const auto& nodes) {
        num(++number);
        out += ' ';
        out += std::to_string(type);
        out += " 2 ";
        out += std::to_string(physical);
        out += " 1";
        for (const Index i : nodes) {
            out += ' ';
            num(std::size_t{i} + 1);
        }
        out += '\n';
    };
    const auto elements = [&](CellKind kind, int type, const auto& cells) {
        Vector<int> physical(cells.size(), 0);
        for (auto g = mesh.groups.rbegin(); g != mesh.groups.rend(); ++g)
            for (const Index i : g->cells[static_cast<std::size_t>(kind)])
                if (i < physical.size()) physical[i] = g->tag;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if constexpr (std::is_same_v<std::decay_t<decltype(cells[i])>, Index>)
                element(type, physical[i], std::array<Index, 1>{cells[i]});
            else
                element(type, physical[i], cells[i]);
        }
    };
    elements(CellKind::Point, 15, mesh.points);
    elements(CellKind::Edge, 1, mesh.edges);
    for (const auto& l : mesh.polylines)
        for (std::size_t i = 1; i < l.size(); ++i) element(1, 0, Edge{l[i - 1], l[i]});
    elements(CellKind::Triangle, 2, mesh.triangles);
    elements(CellKind::Quad, 3, mesh.quads);
    elements(CellKind::Tetrahedron, 4, mesh.tetrahedra);
    elements(CellKind::Hexahedron, 5, mesh.hexahedra);
    elements(CellKind::Prism, 6, mesh.prisms);
    elements(CellKind::Pyramid, 7, mesh.pyramids);
    out += "$EndElements\n";
    saveText(path, out);
}

}  // namespace sofa::core::io
