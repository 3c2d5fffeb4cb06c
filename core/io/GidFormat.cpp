// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/GidFormat.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include "core/io/DataLines.h"
#include "core/io/FileNumbers.h"
#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/io/VtkCells.h"

namespace sofa::core::io {

namespace {

/// An element type by its name and number of nodes.
struct GidType
{
    std::string_view name;
    std::size_t nodes;
    int vtk;
    int dimension;
};

constexpr GidType gidTypes[] = {
    {"Point", 1, VtkVertex, 0},
    {"Linear", 2, VtkLine, 1},
    {"Linear", 3, 21, 1},
    {"Line", 2, VtkLine, 1},
    {"Line", 3, 21, 1},
    {"Triangle", 3, VtkTriangle, 2},
    {"Triangle", 6, 22, 2},
    {"Quadrilateral", 4, VtkQuad, 2},
    {"Quadrilateral", 8, 23, 2},
    {"Quadrilateral", 9, 28, 2},
    {"Tetrahedra", 4, VtkTetra, 3},
    {"Tetrahedra", 10, 24, 3},
    {"Hexahedra", 8, VtkHexahedron, 3},
    {"Hexahedra", 20, 25, 3},
    {"Hexahedra", 27, 29, 3},
    {"Prism", 6, VtkWedge, 3},
    {"Prism", 15, 26, 3},
    {"Prism", 18, 32, 3},
    {"Pyramid", 5, VtkPyramid, 3},
    {"Pyramid", 13, 27, 3},
};

class GidParser
{
public:
    explicit GidParser(const SourceText& source) : m_lines(source), m_cells(m_mesh, source.path) {}

    MeshData run()
    {
        while (m_lines.next(m_line)) {
            LineValues v(m_line);
            const std::string_view word = v.next();
            if (equalsIgnoringCase(word, "MESH"))
                readHeader();
            else if (!m_type && !equalsIgnoringCase(word, "Group"))
                v.fail("'MESH'");
            else if (equalsIgnoringCase(word, "Coordinates"))
                readCoordinates();
            else if (equalsIgnoringCase(word, "Elements"))
                readElements();
            else if (!equalsIgnoringCase(word, "Unit") && !equalsIgnoringCase(word, "Group") && !isEnd("Group"))
                v.fail("'MESH', 'Coordinates' or 'Elements'");
        }
        if (!m_type) m_line.fail("'MESH'", "the end of the file");
        if (m_mesh.positions.empty()) m_line.fail("'Coordinates' with the nodes", "the end of the file");
        m_cells.finish();
        for (int d = 3; d >= 0; --d) m_materials[static_cast<std::size_t>(d)].makeGroups(m_mesh, d);
        return std::move(m_mesh);
    }

private:
    /// Whether this line says "End what".
    bool isEnd(std::string_view what) const
    {
        LineValues v(m_line);
        return equalsIgnoringCase(v.next(), "End") && equalsIgnoringCase(v.next(), what) && v.atEnd();
    }
    /// The next line, unless it ends the list.
    bool nextOf(const char* what)
    {
        if (!m_lines.next(m_line)) m_line.fail("'End " + std::string(what) + "'", "the end of the file");
        return !isEnd(what);
    }

    void readHeader()
    {
        m_name.clear();
        DataLine rest = m_line;
        const std::size_t quote = rest.text.find('"');
        if (quote != std::string_view::npos) {
            const std::size_t end = rest.text.find('"', quote + 1);
            if (end == std::string_view::npos) m_line.fail("a name in quotes", "one quote only");
            m_name = rest.text.substr(quote + 1, end - quote - 1);
            rest.text = rest.text.substr(end + 1);
        } else {
            rest.text = rest.text.substr(4);
        }
        LineValues v(rest);
        std::int64_t nodes = -1;
        std::string_view element;
        while (!v.atEnd()) {
            const std::string_view key = v.next();
            if (equalsIgnoringCase(key, "dimension")) {
                m_coordinates = v.integerWithin("the dimension", 2, 3);
            } else if (equalsIgnoringCase(key, "ElemType")) {
                element = v.next();
                if (element.empty()) v.fail("an element type");
            } else if (equalsIgnoringCase(key, "Nnode")) {
                nodes = v.integerWithin("the number of nodes of an element", 1, 27);
            } else if (m_name.empty() && element.empty() && nodes < 0) {
                m_name = key;  // a name without quotes
            } else {
                v.fail("'dimension', 'ElemType' or 'Nnode'");
            }
        }
        if (element.empty() || nodes < 0) m_line.fail("'ElemType' and 'Nnode'", "the end of the line");
        m_type = nullptr;
        bool known = false;
        for (const GidType& t : gidTypes) {
            if (!equalsIgnoringCase(t.name, element)) continue;
            known = true;
            if (t.nodes == static_cast<std::size_t>(nodes)) m_type = &t;
        }
        if (!known)
            m_line.fail(
                "an element type that can be read (Point, Linear, Triangle, Quadrilateral, Tetrahedra, Hexahedra, "
                "Prism, Pyramid)",
                TextScanner::quoted(element));
        if (!m_type) m_line.fail("a number of nodes that " + std::string(element) + " has", std::to_string(nodes));
    }

    void readCoordinates()
    {
        while (nextOf("Coordinates")) {
            LineValues v(m_line);
            const std::int64_t number =
                v.integerWithin("the number of a node", 0, std::numeric_limits<std::int64_t>::max());
            Vec3 x;
            for (std::int64_t k = 0; k < m_coordinates; ++k) x[static_cast<std::size_t>(k)] = v.finite("a coordinate");
            if (!m_nodes.set(number, static_cast<Index>(m_mesh.positions.size())))
                m_line.fail("each node once", "node " + std::to_string(number) + " again");
            m_mesh.positions.push_back(x);
        }
    }

    void readElements()
    {
        Index c[27];
        while (nextOf("Elements")) {
            LineValues v(m_line);
            (void)v.integer("the number of an element");
            for (std::size_t k = 0; k < m_type->nodes; ++k) {
                c[k] = m_nodes.find(v.integer("the number of a node"));
                if (c[k] == InvalidIndex)
                    v.fail("the number of one of the " + std::to_string(m_mesh.positions.size()) + " nodes");
            }
            m_cells.add(m_type->vtk, c, m_type->nodes);
            const CellOrigin& cell = m_mesh.cellOrigins.back();
            const std::size_t kind = static_cast<std::size_t>(cell.kind);
            std::string material;
            if (!v.atEnd()) {
                const auto tag = static_cast<int>(v.integerWithin(
                    "the number of a material", std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
                m_materials[static_cast<std::size_t>(m_type->dimension)].add(cell.kind, tag, cell.first);
                material = std::to_string(tag);
            }
            extendRanges(m_mesh.ranges[kind], cell.first, m_name, material);
        }
    }

    DataLines m_lines;
    DataLine m_line;
    MeshData m_mesh;
    VtkCells m_cells;
    FileNumbers m_nodes;
    std::array<TaggedCells, 4> m_materials;  ///< by dimension
    std::string m_name;
    std::int64_t m_coordinates = 3;  ///< numbers of a node
    const GidType* m_type = nullptr;
};

}  // namespace

MeshData parseGid(const SourceText& source) { return GidParser(source).run(); }

static const RegisterMeshFormat registeredGidFormat(
    {.name = "GiD",
     .extensions = {".gidmsh", ".gid"},
     .recognise =
         [](std::string_view content) {
             std::string line(content.substr(0, std::min<std::size_t>(content.find('\n'), 1000)));
             std::ranges::transform(line, line.begin(), [](unsigned char c) { return std::tolower(c); });
             const bool isHeader = line.starts_with("mesh") && line.find("elemtype") != std::string::npos;
             return isHeader ? Recognition::Sure : Recognition::No;
         },
     .read = [](const SourceText& source, const MeshReadOptions&) { return parseGid(source); }});

}  // namespace sofa::core::io
