// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include "core/io/GmshFormat.h"
#include "core/io/MeshFormat.h"
#include "core/io/RawBytes.h"

namespace sofa::core::io {

namespace {

/// gmsh's type of edges, triangles or tetrahedra with a node on each edge.
int secondOrderType(CellKind kind) { return kind == CellKind::Edge ? 8 : kind == CellKind::Triangle ? 9 : 11; }

/// The nodes of such a cell in the order of gmsh; none for one of the first order.
SecondOrderCells::Nodes secondOrderNodes(const SecondOrderCells& cells, CellKind kind, const Index* vertices)
{
    SecondOrderCells::Nodes nodes = cells.nodes(kind, vertices);
    if (nodes.size() == 10) std::swap(nodes[8], nodes[9]);
    return nodes;
}

}  // namespace

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
    const SecondOrderCells second(mesh);
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
            else if (const auto nodes = secondOrderNodes(second, kind, cells[i].data()); !nodes.empty())
                element(secondOrderType(kind), physical[i], nodes);
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

namespace {

/// Elements of one kind in one group.
struct GmshEntity
{
    int dimension, tag, physical, type;
    std::vector<const Index*> elements;
    std::size_t nodes;
};

class Gmsh4Writer
{
public:
    explicit Gmsh4Writer(const MeshData& mesh) : m_mesh(mesh), m_second(mesh)
    {
        collect(CellKind::Point, 0, 15, mesh.points);
        for (const auto& l : mesh.polylines)
            for (std::size_t i = 1; i < l.size(); ++i) m_lines.push_back({l[i - 1], l[i]});
        collect(CellKind::Polyline, 1, 1, m_lines);
        collect(CellKind::Edge, 1, 1, mesh.edges);
        collect(CellKind::Triangle, 2, 2, mesh.triangles);
        collect(CellKind::Quad, 2, 3, mesh.quads);
        collect(CellKind::Tetrahedron, 3, 4, mesh.tetrahedra);
        collect(CellKind::Hexahedron, 3, 5, mesh.hexahedra);
        collect(CellKind::Prism, 3, 6, mesh.prisms);
        collect(CellKind::Pyramid, 3, 7, mesh.pyramids);
    }

    std::string run()
    {
        m_out = "$MeshFormat\n4.1 1 8\n";
        appendRaw(m_out, 1);
        m_out += "\n$EndMeshFormat\n";
        writeNames();
        writeEntities();
        writeNodes();
        writeElements();
        return std::move(m_out);
    }

private:
    template <class Cells>
    void collect(CellKind kind, int dimension, int type, const Cells& cells)
    {
        Vector<int> physical(cells.size(), 0);
        for (auto g = m_mesh.groups.rbegin(); g != m_mesh.groups.rend(); ++g)
            for (const Index i : g->cells[static_cast<std::size_t>(kind)])
                if (i < physical.size()) physical[i] = g->tag;
        std::map<std::pair<int, int>, std::size_t> entityOf;  // by physical group and type
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Index* nodes;
            std::size_t count = 1;
            int typeOfCell = type;
            if constexpr (std::is_same_v<std::decay_t<decltype(cells[i])>, Index>) {
                nodes = &cells[i];
            } else {
                nodes = cells[i].data();
                count = cells[i].size();
                if (auto all = secondOrderNodes(m_second, kind, nodes); !all.empty()) {
                    typeOfCell = secondOrderType(kind);
                    nodes = m_secondNodes.emplace_back(std::move(all)).data();
                    count = m_secondNodes.back().size();
                }
            }
            const auto [it, isNew] = entityOf.try_emplace({physical[i], typeOfCell}, m_entities.size());
            if (isNew) {
                const int tag = ++m_tags[static_cast<std::size_t>(dimension)];
                m_entities.push_back({dimension, tag, physical[i], typeOfCell, {}, count});
            }
            m_entities[it->second].elements.push_back(nodes);
        }
    }

    void size(std::size_t v) { appendRaw(m_out, static_cast<std::uint64_t>(v)); }

    void writeNames()
    {
        const auto named = std::ranges::count_if(m_mesh.groups, [](const CellGroup& g) { return !g.name.empty(); });
        if (named == 0) return;
        m_out += "$PhysicalNames\n" + std::to_string(named) + '\n';
        for (const CellGroup& g : m_mesh.groups)
            if (!g.name.empty())
                m_out += std::to_string(g.dimension) + ' ' + std::to_string(g.tag) + " \"" + g.name + "\"\n";
        m_out += "$EndPhysicalNames\n";
    }

    void writeEntities()
    {
        m_out += "$Entities\n";
        for (int d = 0; d < 4; ++d) size(static_cast<std::size_t>(m_tags[static_cast<std::size_t>(d)]));
        for (int d = 0; d < 4; ++d)
            for (const GmshEntity& e : m_entities) {
                if (e.dimension != d) continue;
                appendRaw(m_out, e.tag);
                // A point where it is, others with the corners of a box around them.
                Vec3 low = m_mesh.positions[*e.elements[0]], high = low;
                for (const Index* element : e.elements)
                    for (std::size_t k = 0; k < e.nodes; ++k)
                        for (std::size_t c = 0; c < 3; ++c) {
                            low[c] = std::min(low[c], m_mesh.positions[element[k]][c]);
                            high[c] = std::max(high[c], m_mesh.positions[element[k]][c]);
                        }
                for (const double c : low) appendRaw(m_out, c);
                if (d > 0)
                    for (const double c : high) appendRaw(m_out, c);
                size(e.physical != 0);
                if (e.physical != 0) appendRaw(m_out, e.physical);
                if (d > 0) size(0);  // entities that bound it
            }
        m_out += "\n$EndEntities\n";
    }

    void writeNodes()
    {
        const std::size_t n = m_mesh.positions.size();
        m_out += "$Nodes\n";
        size(n > 0);
        size(n);
        size(1);
        size(n);
        if (n > 0) {
            const int dimension = m_entities.empty() ? 0 : m_entities.back().dimension;
            for (const int v : {dimension, 1, 0}) appendRaw(m_out, v);
            size(n);
            for (std::size_t i = 1; i <= n; ++i) size(i);
            for (const Vec3& p : m_mesh.positions)
                for (const double c : p) appendRaw(m_out, c);
        }
        m_out += "\n$EndNodes\n";
    }

    void writeElements()
    {
        std::size_t count = 0, number = 0;
        for (const GmshEntity& e : m_entities) count += e.elements.size();
        m_out += "$Elements\n";
        size(m_entities.size());
        size(count);
        size(1);
        size(count);
        for (const GmshEntity& e : m_entities) {
            for (const int v : {e.dimension, e.tag, e.type}) appendRaw(m_out, v);
            size(e.elements.size());
            for (const Index* element : e.elements) {
                size(++number);
                for (std::size_t k = 0; k < e.nodes; ++k) size(std::size_t{element[k]} + 1);
            }
        }
        m_out += "\n$EndElements\n";
    }

    const MeshData& m_mesh;
    SecondOrderCells m_second;
    std::deque<SecondOrderCells::Nodes> m_secondNodes;
    Vector<Edge> m_lines;  ///< of the polylines
    std::vector<GmshEntity> m_entities;
    std::array<int, 4> m_tags{};  ///< of the last entity of each dimension
    std::string m_out;
};

}  // namespace

void writeGmsh4(const std::filesystem::path& path, const MeshData& mesh) { saveText(path, Gmsh4Writer(mesh).run()); }

static const RegisterMeshFormat registeredGmshWriter({.name = "gmsh 4",
                                                      .extensions = {".msh4"},
                                                      .read = [](const SourceText& source,
                                                                 const MeshReadOptions&) { return parseGmsh(source); },
                                                      .write = writeGmsh4});

}  // namespace sofa::core::io
