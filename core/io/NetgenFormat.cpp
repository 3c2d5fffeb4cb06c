// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/NetgenFormat.h"

#include <limits>

#include "core/io/DataLines.h"
#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/io/VtkCells.h"

namespace sofa::core::io {

namespace {

/// Kinds of entries by their number of points, and the place in the file of each point of VTK's.
struct NetgenType
{
    std::size_t points;
    int vtk;
    std::array<std::uint8_t, 10> order;
};

constexpr NetgenType volumes[] = {
    {4, VtkTetra, {0, 1, 2, 3}},
    {5, VtkPyramid, {0, 1, 2, 3, 4}},
    {6, VtkWedge, {0, 1, 2, 3, 4, 5}},
    {8, VtkHexahedron, {0, 1, 2, 3, 4, 5, 6, 7}},
    {10, 24, {0, 1, 2, 3, 4, 7, 5, 6, 8, 9}},
};
constexpr NetgenType faces[] = {
    {3, VtkTriangle, {0, 1, 2}},
    {4, VtkQuad, {0, 1, 2, 3}},
    {6, 22, {0, 1, 2, 5, 3, 4}},
};

class NetgenParser
{
public:
    explicit NetgenParser(const SourceText& source) : m_in(source), m_cells(m_mesh, source.path) {}

    MeshData run()
    {
        m_in.skipSpace();
        const std::size_t n = count("the number of points", 6);
        m_mesh.positions.reserve(n);
        for (std::size_t i = 0; i < n; ++i) {
            m_in.skipSpace();
            m_in.stayOnLine(true);
            m_mesh.positions.push_back(m_in.point("a coordinate"));
            endLine();
        }
        readCells("the number of volumes", volumes, 3);
        m_in.skipSpace();
        if (!m_in.atEnd()) readCells("the number of faces", faces, 2);
        m_in.skipSpace();
        if (!m_in.atEnd()) {
            (void)m_in.token();
            m_in.fail("the end of the file after the faces", m_in.found());
        }
        m_cells.finish();
        return std::move(m_mesh);
    }

private:
    std::size_t count(const char* what, std::size_t bytes)
    {
        m_in.skipSpace();
        m_in.stayOnLine(true);
        const std::size_t n = m_in.count(what, bytes);
        endLine();
        return n;
    }
    void endLine()
    {
        if (!m_in.tokenOnLine().empty()) m_in.fail("the end of the line", m_in.found());
    }

    template <std::size_t N>
    void readCells(const char* what, const NetgenType (&types)[N], int dimension)
    {
        TaggedCells tags;
        const std::size_t n = count(what, 8);
        for (std::size_t i = 0; i < n; ++i) {
            m_in.skipSpace();
            const std::int64_t tag =
                m_in.integer(dimension == 3 ? "the number of a subdomain" : "the number of a boundary condition");
            if (tag < std::numeric_limits<int>::min() || tag > std::numeric_limits<int>::max())
                m_in.fail("a number of at most 31 bits", m_in.found());
            Index read[10], cell[10];
            std::size_t points = 0;
            while (!m_in.atLineEnd()) {
                const std::int64_t p = m_in.integer("the number of a point");
                if (p < 1 || static_cast<std::uint64_t>(p) > m_mesh.positions.size())
                    m_in.fail("the number of a point, from 1 to " + std::to_string(m_mesh.positions.size()),
                              m_in.found());
                if (points == 10) m_in.fail("at most 10 points", "more");
                read[points++] = static_cast<Index>(p - 1);
            }
            const NetgenType* type = nullptr;
            for (const NetgenType& t : types)
                if (t.points == points) type = &t;
            if (!type)
                m_in.fail(dimension == 3 ? "4, 5, 6, 8 or 10 points of a volume" : "3, 4 or 6 points of a face",
                          std::to_string(points));
            for (std::size_t k = 0; k < points; ++k) cell[k] = read[type->order[k]];
            m_cells.add(type->vtk, cell, points);
            const CellOrigin& o = m_mesh.cellOrigins.back();
            tags.add(o.kind, static_cast<int>(tag), o.first);
        }
        tags.makeGroups(m_mesh, dimension);
    }

    TextScanner m_in;
    MeshData m_mesh;
    VtkCells m_cells;
};

}  // namespace

MeshData parseNetgen(const SourceText& source) { return NetgenParser(source).run(); }

void writeNetgen(const std::filesystem::path& path, const MeshData& mesh)
{
    std::string out;
    const auto number = [&](std::size_t v) { appendNumber(out, static_cast<std::uint64_t>(v)); };
    number(mesh.positions.size());
    out += '\n';
    for (const Vec3& p : mesh.positions) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (k > 0) out += ' ';
            appendNumber(out, p[k]);
        }
        out += '\n';
    }
    const auto cells = [&](CellKind kind, const auto& list) {
        const auto k = static_cast<std::size_t>(kind);
        Vector<int> tags(list.size(), 0);
        for (auto g = mesh.groups.rbegin(); g != mesh.groups.rend(); ++g)
            for (const Index i : g->cells[k])
                if (i < tags.size()) tags[i] = g->tag;
        for (std::size_t i = 0; i < list.size(); ++i) {
            out += std::to_string(tags[i]);
            for (const Index v : list[i]) {
                if (v >= mesh.positions.size())
                    throw MeshError(path.string(), "not written: " + std::string(cellKindName(kind)) + " " +
                                                       std::to_string(i) + " refers to point " + std::to_string(v) +
                                                       " of " + std::to_string(mesh.positions.size()));
                out += ' ';
                number(std::size_t{v} + 1);
            }
            out += '\n';
        }
    };
    number(mesh.tetrahedra.size() + mesh.pyramids.size() + mesh.prisms.size() + mesh.hexahedra.size());
    out += '\n';
    cells(CellKind::Tetrahedron, mesh.tetrahedra);
    cells(CellKind::Pyramid, mesh.pyramids);
    cells(CellKind::Prism, mesh.prisms);
    cells(CellKind::Hexahedron, mesh.hexahedra);
    number(mesh.triangles.size() + mesh.quads.size());
    out += '\n';
    cells(CellKind::Triangle, mesh.triangles);
    cells(CellKind::Quad, mesh.quads);
    saveText(path, out);
}

static const RegisterMeshFormat registeredNetgenFormat(
    {.name = "Netgen",
     .extensions = {".mesh", ".netgen"},
     .read = [](const SourceText& source, const MeshReadOptions&) { return parseNetgen(source); },
     .write = [](const std::filesystem::path& path, const MeshData& mesh) { writeNetgen(path, mesh); }});

}  // namespace sofa::core::io
