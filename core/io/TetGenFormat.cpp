// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/TetGenFormat.h"

#include <cmath>
#include <limits>
#include <system_error>

#include "core/io/DataLines.h"
#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"

namespace sofa::core::io {

namespace {

/// A file of a header line and numbered lines.
class NumberedLines
{
public:
    NumberedLines(const SourceText& source, const char* what) : m_lines(source), m_what(what)
    {
        if (!m_lines.next(m_line)) m_line.fail("the number of " + m_what, "the end of the file");
    }

    LineValues header() const { return LineValues(m_line); }

    /// Calls f(values, line) for each of n lines, its number being read.
    template <class F>
    void forEach(std::int64_t n, F f)
    {
        for (std::int64_t i = 0; i < n; ++i) {
            if (!m_lines.next(m_line))
                m_line.fail("line " + std::to_string(i + 1) + " of " + std::to_string(n) + " " + m_what,
                            "the end of the file");
            LineValues v(m_line);
            const std::int64_t number = v.integer("a number in the list");
            if (i == 0 && number == 0) base = 0;
            if (number != i + base) v.fail(i == 0 ? "number 0 or 1" : "number " + std::to_string(i + base));
            f(v);
        }
        if (m_lines.next(m_line))
            m_line.fail("the end of the file after " + std::to_string(n) + " " + m_what,
                        TextScanner::quoted(m_line.text));
    }
    std::int64_t base = 1;

private:
    DataLines m_lines;
    DataLine m_line;
    std::string m_what;
};

std::int64_t parseNodes(const SourceText& source, MeshData& mesh)
{
    NumberedLines lines(source, "points");
    LineValues header = lines.header();
    const std::int64_t n = header.integerWithin("the number of points", 0, InvalidIndex - 1);
    std::int64_t attributes = 0, markers = 0;
    if (!header.atEnd()) header.integerWithin("the dimension of space", 3, 3);
    if (!header.atEnd()) attributes = header.integerWithin("the number of attributes", 0, 1000);
    if (!header.atEnd()) markers = header.integerWithin("the number of boundary markers", 0, 1);
    DataArray values{"attributes", static_cast<std::size_t>(attributes), {}}, marks{"marker", 1, {}};
    lines.forEach(n, [&](LineValues& v) {
        const double x = v.finite("a coordinate"), y = v.finite("a coordinate"), z = v.finite("a coordinate");
        mesh.positions.push_back({x, y, z});
        for (std::int64_t k = 0; k < attributes; ++k) values.values.push_back(v.finite("an attribute"));
        if (markers) marks.values.push_back(static_cast<double>(v.integer("a boundary marker")));
    });
    if (attributes) mesh.pointData.push_back(std::move(values));
    if (markers) mesh.pointData.push_back(std::move(marks));
    return lines.base;
}

void parseElements(const SourceText& source, std::int64_t base, MeshData& mesh)
{
    NumberedLines lines(source, "tetrahedra");
    LineValues header = lines.header();
    const std::int64_t n = header.integerWithin("the number of tetrahedra", 0, InvalidIndex - 1);
    std::int64_t nodes = 4, attributes = 0;
    if (!header.atEnd()) nodes = header.integer("the number of points of a tetrahedron");
    if (nodes != 4 && nodes != 10) header.fail("4 or 10 points for each tetrahedron");
    if (!header.atEnd()) attributes = header.integerWithin("the number of attributes", 0, 1000);
    if (nodes == 10) mesh.notes.push_back(source.path + ": second-order tetrahedra are reduced to their corners");

    const std::int64_t last = static_cast<std::int64_t>(mesh.positions.size()) - 1 + base;
    TaggedCells regions;
    lines.forEach(n, [&](LineValues& v) {
        Tetrahedron e{};
        for (std::int64_t k = 0; k < nodes; ++k) {
            const std::int64_t p = v.integerWithin("a point of a tetrahedron", base, last);
            if (k < 4) e[static_cast<std::size_t>(k)] = static_cast<Index>(p - base);
        }
        if (attributes) {
            const double a = v.finite("an attribute");
            if (a == std::floor(a) && std::abs(a) <= std::numeric_limits<int>::max())
                regions.add(CellKind::Tetrahedron, static_cast<int>(a), static_cast<Index>(mesh.tetrahedra.size()));
        }
        mesh.tetrahedra.push_back(e);
    });
    regions.makeGroups(mesh, 3);
}

}  // namespace

MeshData parseTetGenNodes(const SourceText& nodes)
{
    MeshData mesh;
    parseNodes(nodes, mesh);
    return mesh;
}

MeshData parseTetGen(const SourceText& nodes, const SourceText& elements)
{
    MeshData mesh;
    const std::int64_t base = parseNodes(nodes, mesh);
    parseElements(elements, base, mesh);
    return mesh;
}

namespace {

/// One of the two files, with the other one beside it.
MeshData withPartner(const SourceText& source)
{
    const std::filesystem::path path = source.path;
    std::filesystem::path node = path, ele = path;
    node.replace_extension(".node");
    ele.replace_extension(".ele");
    if (equalsIgnoringCase(path.extension().string(), ".ele")) return parseTetGen(loadSource(node), source);
    if (!equalsIgnoringCase(path.extension().string(), ".node"))
        throw MeshError(path.string(), "expected a name that ends with .node or .ele: TetGen's meshes are two files");
    std::error_code ec;
    return std::filesystem::exists(ele, ec) ? parseTetGen(source, loadSource(ele)) : parseTetGenNodes(source);
}

}  // namespace

MeshData readTetGen(const std::filesystem::path& path) { return withPartner(loadSource(path)); }

void writeTetGen(const std::filesystem::path& path, const MeshData& mesh)
{
    std::filesystem::path node = path, ele = path;
    node.replace_extension(".node");
    ele.replace_extension(".ele");
    const auto number = [](std::string& out, std::size_t v) { appendNumber(out, static_cast<std::uint64_t>(v)); };
    std::string points;
    number(points, mesh.positions.size());
    points += " 3 0 0\n";
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        number(points, i + 1);
        for (const double c : mesh.positions[i]) {
            points += ' ';
            appendNumber(points, c);
        }
        points += '\n';
    }
    Vector<int> tags(mesh.tetrahedra.size(), 0);
    for (auto g = mesh.groups.rbegin(); g != mesh.groups.rend(); ++g)
        for (const Index i : g->cells[static_cast<std::size_t>(CellKind::Tetrahedron)])
            if (i < tags.size()) tags[i] = g->tag;
    std::string cells;
    number(cells, mesh.tetrahedra.size());
    cells += " 4 1\n";
    for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
        number(cells, i + 1);
        for (const Index v : mesh.tetrahedra[i]) {
            if (v >= mesh.positions.size())
                throw MeshError(ele.string(), "not written: tetrahedron " + std::to_string(i) + " refers to point " +
                                                  std::to_string(v) + " of " + std::to_string(mesh.positions.size()));
            cells += ' ';
            number(cells, std::size_t{v} + 1);
        }
        cells += ' ' + std::to_string(tags[i]) + '\n';
    }
    saveText(node, points);
    saveText(ele, cells);
}

static const RegisterMeshFormat registeredTetGenFormat(
    {.name = "TetGen",
     .extensions = {".node", ".ele"},
     .read = [](const SourceText& source, const MeshReadOptions&) { return withPartner(source); },
     .write = [](const std::filesystem::path& path, const MeshData& mesh) { writeTetGen(path, mesh); }});

}  // namespace sofa::core::io
