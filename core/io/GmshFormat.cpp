// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/GmshFormat.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/io/FileNumbers.h"
#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"

namespace sofa::core::io {

namespace {

constexpr std::size_t MaxNodes = 125;

/// An element type of gmsh: its number of nodes, and the first-order cell that its first nodes form.
struct ElementType
{
    int id;
    std::size_t nodes;
    CellKind kind;
    std::size_t corners;
};

constexpr ElementType elementTypes[] = {
    {1, 2, CellKind::Edge, 2},          {2, 3, CellKind::Triangle, 3},      {3, 4, CellKind::Quad, 4},
    {4, 4, CellKind::Tetrahedron, 4},   {5, 8, CellKind::Hexahedron, 8},    {6, 6, CellKind::Prism, 6},
    {7, 5, CellKind::Pyramid, 5},       {8, 3, CellKind::Edge, 2},          {9, 6, CellKind::Triangle, 3},
    {10, 9, CellKind::Quad, 4},         {11, 10, CellKind::Tetrahedron, 4}, {12, 27, CellKind::Hexahedron, 8},
    {13, 18, CellKind::Prism, 6},       {14, 14, CellKind::Pyramid, 5},     {15, 1, CellKind::Point, 1},
    {16, 8, CellKind::Quad, 4},         {17, 20, CellKind::Hexahedron, 8},  {18, 15, CellKind::Prism, 6},
    {19, 13, CellKind::Pyramid, 5},     {20, 9, CellKind::Triangle, 3},     {21, 10, CellKind::Triangle, 3},
    {22, 12, CellKind::Triangle, 3},    {23, 15, CellKind::Triangle, 3},    {24, 15, CellKind::Triangle, 3},
    {25, 21, CellKind::Triangle, 3},    {26, 4, CellKind::Edge, 2},         {27, 5, CellKind::Edge, 2},
    {28, 6, CellKind::Edge, 2},         {29, 20, CellKind::Tetrahedron, 4}, {30, 35, CellKind::Tetrahedron, 4},
    {31, 56, CellKind::Tetrahedron, 4}, {36, 16, CellKind::Quad, 4},        {37, 25, CellKind::Quad, 4},
    {92, 64, CellKind::Hexahedron, 8},  {93, 125, CellKind::Hexahedron, 8},
};

const ElementType* findType(std::int64_t id)
{
    for (const auto& t : elementTypes)
        if (t.id == id) return &t;
    return nullptr;
}

class GmshParser
{
public:
    explicit GmshParser(const SourceText& source) : m_in(source), m_edges(m_mesh) {}
    MeshData run();

private:
    TextScanner m_in;
    MeshData m_mesh;
    HighOrderEdges m_edges;
    int m_version = 1;  // 1, 2, 40 or 41
    bool m_binary = false;
    std::size_t m_sizeBytes = 8;  // of a size_t in binary 4.1 files
    bool m_haveNodes = false;

    FileNumbers m_nodes;

    std::map<std::pair<int, int>, std::size_t> m_groupOf;           // (dimension, tag) → index in groups
    std::map<std::pair<int, int>, std::vector<int>> m_physicalsOf;  // entity (dimension, tag) → physical tags
    std::map<int, std::size_t> m_reducedTypes;                      // high-order type → number of elements
    std::map<std::int64_t, std::size_t> m_unknownTypes;
    std::size_t m_duplicates = 0;

    // --- values in the file's encoding ---
    std::int64_t intValue(const char* what) { return m_binary ? m_in.binary<std::int32_t>(what) : m_in.integer(what); }
    std::int64_t sizeValue(const char* what)
    {
        if (!m_binary) return m_in.integer(what);
        if (m_sizeBytes == 4) return m_in.binary<std::uint32_t>(what);
        return static_cast<std::int64_t>(m_in.binary<std::uint64_t>(what));
    }
    Vec3 point() { return m_binary ? m_in.binaryPoint("a node coordinate") : m_in.point("a node coordinate"); }
    std::size_t countValue(const char* what, std::size_t textBytes, std::size_t binaryBytes)
    {
        if (!m_binary) return m_in.count(what, textBytes);
        return m_in.checkCount(static_cast<std::uint64_t>(sizeValue(what)), binaryBytes, what);
    }
    [[noreturn]] void failValue(std::size_t at, const std::string& expected, const std::string& found) const
    {
        if (m_binary) m_in.failBinary(at, expected, found);
        m_in.failAt(at, expected, found);
    }
    std::size_t here() const { return m_binary ? m_in.offset() : m_in.tokenOffset(); }

    void format();
    void physicalNames();
    void entities();
    void nodes12(bool parametric);
    void nodes4();
    void elements1();
    void elements2Text();
    void elements2Binary();
    void elements4();
    void skipSection(const std::string& name);
    void endSection(std::string_view a, std::string_view b = {});

    void setNode(std::int64_t tag, Index index, std::size_t at);
    Index node(std::int64_t tag, std::size_t at) const;
    void readNodes(std::size_t n, Index* out, const char* what)
    {
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t at = m_in.offset();
            const std::int64_t tag = m_version == 41 ? sizeValue(what) : intValue(what);
            out[i] = node(tag, m_binary ? at : m_in.tokenOffset());
        }
    }
    std::size_t groupIndex(int dimension, int tag);
    void add(const ElementType& type, const Index* n, int entity, const std::vector<int>& physicals);
    void addNotes();
};

MeshData GmshParser::run()
{
    const auto first = m_in.peek();
    if (first.empty() || first[0] != '$') m_in.fail("a gmsh mesh starting with '$MeshFormat' or '$NOD'", m_in.found());
    while (true) {
        const auto t = m_in.token();
        if (t.empty()) break;
        if (t[0] != '$') m_in.fail("the start of a section ('$...')", m_in.found());
        const std::string name(t);
        if (name == "$MeshFormat") {
            format();
        } else if (name == "$PhysicalNames") {
            physicalNames();
        } else if (name == "$Entities" && m_version >= 40) {
            entities();
        } else if (name == "$NOD" || name == "$Nodes" || name == "$ParametricNodes") {
            if (m_haveNodes) m_in.fail("one section of nodes only", m_in.found());
            m_haveNodes = true;
            m_version >= 40 ? nodes4() : nodes12(name == "$ParametricNodes");
        } else if (name == "$ELM" || name == "$Elements") {
            if (!m_haveNodes) m_in.fail("a section of nodes before the elements", m_in.found());
            if (m_version >= 40)
                elements4();
            else if (name == "$ELM" || m_version == 1)
                elements1();
            else
                m_binary ? elements2Binary() : elements2Text();
        } else {
            skipSection(name);
        }
    }
    if (!m_haveNodes) m_in.fail("a section of nodes ('$Nodes' or '$NOD')", m_in.found());
    addNotes();
    return std::move(m_mesh);
}

void GmshParser::format()
{
    const double version = m_in.real("the version of the gmsh format");
    const std::size_t at = m_in.tokenOffset();
    const std::string versionText = m_in.found();
    if (version >= 2. && version < 3.)
        m_version = 2;
    else if (version >= 4. && version < 4.05)
        m_version = 40;
    else if (version >= 4.05 && version < 4.15)
        m_version = 41;
    else
        m_in.failAt(at, "gmsh format version 2.0 to 2.2, 4.0 or 4.1", versionText);
    const std::int64_t type = m_in.integer("the file type, 0 (ASCII) or 1 (binary)");
    if (type != 0 && type != 1) m_in.fail("the file type, 0 (ASCII) or 1 (binary)", m_in.found());
    m_binary = type == 1;
    const std::int64_t size = m_in.integer("the data size");
    if (m_binary && size != 8 && !(m_version == 41 && size == 4)) m_in.fail("the data size 8", m_in.found());
    m_sizeBytes = m_version == 41 && size == 4 ? 4 : 8;
    if (m_binary) {
        m_in.skipLine();
        const std::size_t oneAt = m_in.offset();
        const auto one = m_in.binary<std::uint32_t>("the byte order marker");
        if (one == 0x01000000u)
            m_in.setByteSwap(true);
        else if (one != 1u)
            m_in.failBinary(oneAt, "the byte order marker 1", std::to_string(one));
    }
    endSection("$EndMeshFormat");
}

void GmshParser::endSection(std::string_view a, std::string_view b)
{
    const auto t = m_in.token();
    if (t == a || (!b.empty() && t == b)) return;
    m_in.fail("'" + std::string(a) + "'" + (b.empty() ? "" : " or '" + std::string(b) + "'"), m_in.found());
}

void GmshParser::skipSection(const std::string& name)
{
    const std::size_t at = m_in.tokenOffset();
    const std::string end = "$End" + name.substr(1);
    const auto pos = m_in.text().find(end, m_in.offset());
    if (pos == std::string_view::npos) m_in.failAt(at, "'" + end + "' to close the section", "the end of the file");
    m_in.seek(pos + end.size());
    if (name != "$Comments")
        m_mesh.notes.push_back(m_in.path() + ":" + std::to_string(m_in.lineAt(at)) + ": section " + name +
                               " is not read");
}

void GmshParser::physicalNames()
{
    const std::size_t n = m_in.count("the number of physical names", 6);
    for (std::size_t i = 0; i < n; ++i) {
        const int dim = static_cast<int>(m_in.integer("the dimension of a physical name"));
        const int tag = static_cast<int>(m_in.integer("the tag of a physical name"));
        std::string_view name = m_in.restOfLine();
        while (!name.empty() && TextScanner::isBlank(name.front())) name.remove_prefix(1);
        if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
        m_mesh.groups[groupIndex(dim, tag)].name = std::string(name);
    }
    endSection("$EndPhysicalNames");
}

std::size_t GmshParser::groupIndex(int dimension, int tag)
{
    const auto [it, isNew] = m_groupOf.try_emplace({dimension, tag}, m_mesh.groups.size());
    if (isNew) {
        CellGroup g;
        g.dimension = dimension;
        g.tag = tag;
        m_mesh.groups.push_back(std::move(g));
    }
    return it->second;
}

void GmshParser::entities()
{
    if (m_binary) m_in.skipLine();
    std::size_t n[4];
    for (auto& c : n) c = countValue("the number of entities", 8, 8);
    const auto real = [&] {
        if (m_binary)
            (void)m_in.binary<double>("a bound of an entity");
        else
            (void)m_in.real("a bound of an entity");
    };
    for (int dim = 0; dim < 4; ++dim)
        for (std::size_t i = 0; i < n[dim]; ++i) {
            const int tag = static_cast<int>(intValue("the tag of an entity"));
            const int reals = dim == 0 && m_version == 41 ? 3 : 6;
            for (int k = 0; k < reals; ++k) real();
            auto& physicals = m_physicalsOf[{dim, tag}];
            const std::size_t np = countValue("the number of physical tags of an entity", 2, 4);
            for (std::size_t k = 0; k < np; ++k)
                physicals.push_back(static_cast<int>(intValue("the physical tag of an entity")));
            if (dim == 0) continue;
            const std::size_t nb = countValue("the number of boundary entities", 2, 4);
            for (std::size_t k = 0; k < nb; ++k) (void)intValue("the tag of a boundary entity");
        }
    endSection("$EndEntities");
}

void GmshParser::setNode(std::int64_t tag, Index index, std::size_t at)
{
    if (tag < 0) failValue(at, "a node number (not negative)", std::to_string(tag));
    if (!m_nodes.set(tag, index)) ++m_duplicates;
}

Index GmshParser::node(std::int64_t tag, std::size_t at) const
{
    if (const Index i = m_nodes.find(tag); i != InvalidIndex) return i;
    failValue(at, "the number of a node of the file (" + std::to_string(m_mesh.positions.size()) + " nodes)",
              std::to_string(tag));
}

void GmshParser::nodes12(bool parametric)
{
    const std::size_t n = m_in.count("the number of nodes", m_binary ? 28 : 8);
    m_mesh.positions.reserve(n);
    if (m_binary) {
        if (parametric) m_in.fail("nodes without parametric coordinates in a binary file", "'$ParametricNodes'");
        m_in.skipLine();
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = m_in.offset();
        const std::int64_t tag = intValue("a node number");
        const std::size_t tagAt = m_binary ? at : m_in.tokenOffset();
        m_mesh.positions.push_back(point());
        setNode(tag, static_cast<Index>(i), tagAt);
        if (parametric) m_in.skipLine();
    }
    if (parametric)
        endSection("$EndParametricNodes");
    else
        endSection("$EndNodes", "$ENDNOD");
}

void GmshParser::nodes4()
{
    if (m_binary) m_in.skipLine();
    const std::size_t blocks = countValue("the number of entity blocks", 6, 12);
    const std::size_t n = countValue("the number of nodes", 6, 24);
    if (m_version == 41) {
        (void)sizeValue("the smallest node number");
        (void)sizeValue("the largest node number");
    }
    m_mesh.positions.reserve(n);
    Vector<std::int64_t> tags;
    for (std::size_t b = 0; b < blocks; ++b) {
        const std::int64_t first = intValue("the entity of a node block");
        const std::int64_t second = intValue("the entity of a node block");
        const std::int64_t dim = m_version == 40 ? second : first;
        const bool parametric = intValue("the parametric flag, 0 or 1") != 0;
        const std::size_t count = countValue("the number of nodes in a block", 6, 24);
        const int extra = parametric ? static_cast<int>(std::clamp<std::int64_t>(dim, 0, 3)) : 0;
        const auto coordinates = [&] {
            m_mesh.positions.push_back(point());
            if (!m_binary && parametric) m_in.skipLine();
            if (m_binary)
                for (int k = 0; k < extra; ++k) (void)m_in.binary<double>("a parametric coordinate");
        };
        if (m_version == 40) {
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t at = m_in.offset();
                const std::int64_t tag = intValue("a node number");
                const std::size_t tagAt = m_binary ? at : m_in.tokenOffset();
                coordinates();
                setNode(tag, static_cast<Index>(m_mesh.positions.size() - 1), tagAt);
            }
        } else {
            tags.clear();
            const std::size_t at = m_in.offset();
            for (std::size_t i = 0; i < count; ++i) tags.push_back(sizeValue("a node number"));
            for (std::size_t i = 0; i < count; ++i) {
                coordinates();
                setNode(tags[i], static_cast<Index>(m_mesh.positions.size() - 1), at);
            }
        }
    }
    if (m_mesh.positions.size() != n)
        failValue(here(), std::to_string(n) + " nodes in the blocks together", std::to_string(m_mesh.positions.size()));
    endSection("$EndNodes");
}

void GmshParser::elements1()
{
    const std::size_t n = m_in.count("the number of elements", 10);
    Index ids[MaxNodes];
    std::vector<int> physicals;
    for (std::size_t i = 0; i < n; ++i) {
        (void)m_in.integer("an element number");
        const std::int64_t typeId = m_in.integer("an element type");
        const int physical = static_cast<int>(m_in.integer("the physical region of an element"));
        const int entity = static_cast<int>(m_in.integer("the elementary region of an element"));
        const std::size_t nodes = m_in.count("the number of nodes of an element", 2);
        const auto* type = findType(typeId);
        if (!type) {
            m_in.skipLine();
            ++m_unknownTypes[typeId];
            continue;
        }
        if (nodes != type->nodes)
            m_in.fail(std::to_string(type->nodes) + " nodes for an element of type " + std::to_string(typeId),
                      m_in.found());
        readNodes(nodes, ids, "the node number of an element");
        physicals.clear();
        if (physical > 0) physicals.push_back(physical);
        add(*type, ids, entity, physicals);
    }
    endSection("$ENDELM", "$EndElements");
}

void GmshParser::elements2Text()
{
    const std::size_t n = m_in.count("the number of elements", 6);
    Index ids[MaxNodes];
    std::vector<int> physicals;
    for (std::size_t i = 0; i < n; ++i) {
        (void)m_in.integer("an element number");
        const std::int64_t typeId = m_in.integer("an element type");
        const std::size_t tags = m_in.count("the number of tags of an element", 2);
        int entity = 0;
        physicals.clear();
        for (std::size_t k = 0; k < tags; ++k) {
            const int tag = static_cast<int>(m_in.integer("a tag of an element"));
            if (k == 0 && tag > 0) physicals.push_back(tag);
            if (k < 2) entity = tag;
        }
        const auto* type = findType(typeId);
        if (!type) {
            m_in.skipLine();
            ++m_unknownTypes[typeId];
            continue;
        }
        readNodes(type->nodes, ids, "the node number of an element");
        add(*type, ids, entity, physicals);
    }
    endSection("$EndElements", "$ENDELM");
}

void GmshParser::elements2Binary()
{
    const std::size_t n = m_in.count("the number of elements", 8);
    m_in.skipLine();
    Index ids[MaxNodes];
    std::vector<int> physicals;
    for (std::size_t done = 0; done < n;) {
        const std::size_t at = m_in.offset();
        const std::int64_t typeId = intValue("an element type");
        const std::int64_t follow = intValue("the number of elements in a block");
        const std::int64_t tags = intValue("the number of tags in a block");
        const auto* type = findType(typeId);
        if (!type) m_in.failBinary(at, "a known element type", std::to_string(typeId));
        if (follow <= 0 || static_cast<std::uint64_t>(follow) > n - done)
            m_in.failBinary(at + 4, "a block of 1 to " + std::to_string(n - done) + " elements",
                            std::to_string(follow));
        if (tags < 0 || tags > 1000) m_in.failBinary(at + 8, "the number of tags in a block", std::to_string(tags));
        for (std::int64_t e = 0; e < follow; ++e) {
            (void)intValue("an element number");
            int entity = 0;
            physicals.clear();
            for (std::int64_t k = 0; k < tags; ++k) {
                const int tag = static_cast<int>(intValue("a tag of an element"));
                if (k == 0 && tag > 0) physicals.push_back(tag);
                if (k < 2) entity = tag;
            }
            readNodes(type->nodes, ids, "the node number of an element");
            add(*type, ids, entity, physicals);
        }
        done += static_cast<std::size_t>(follow);
    }
    endSection("$EndElements");
}

void GmshParser::elements4()
{
    if (m_binary) m_in.skipLine();
    const std::size_t blocks = countValue("the number of entity blocks", 6, 12);
    const std::size_t n = countValue("the number of elements", 3, 8);
    if (m_version == 41) {
        (void)sizeValue("the smallest element number");
        (void)sizeValue("the largest element number");
    }
    Index ids[MaxNodes];
    std::size_t done = 0;
    static const std::vector<int> none;
    for (std::size_t b = 0; b < blocks; ++b) {
        const int first = static_cast<int>(intValue("the entity of an element block"));
        const int second = static_cast<int>(intValue("the entity of an element block"));
        const int dim = m_version == 40 ? second : first, entity = m_version == 40 ? first : second;
        const std::size_t at = m_in.offset();
        const std::int64_t typeId = intValue("an element type");
        const std::size_t count = countValue("the number of elements in a block", 3, 8);
        const auto* type = findType(typeId);
        if (!type) {
            if (m_binary) m_in.failBinary(at, "a known element type", std::to_string(typeId));
            m_in.skipLine();
            for (std::size_t i = 0; i < count; ++i) m_in.skipLine();
            m_unknownTypes[typeId] += count;
            done += count;
            continue;
        }
        const auto it = m_physicalsOf.find({dim, entity});
        for (std::size_t i = 0; i < count; ++i) {
            if (m_version == 41)
                (void)sizeValue("an element number");
            else
                (void)intValue("an element number");
            readNodes(type->nodes, ids, "the node number of an element");
            add(*type, ids, entity, it == m_physicalsOf.end() ? none : it->second);
        }
        done += count;
    }
    if (done != n) failValue(here(), std::to_string(n) + " elements in the blocks together", std::to_string(done));
    endSection("$EndElements");
}

void GmshParser::add(const ElementType& type, const Index* n, int entity, const std::vector<int>& physicals)
{
    if (type.id == 8) {
        m_edges.addEdgeElement(n[0], n[1], n[2]);
    } else {
        switch (type.kind) {
            case CellKind::Point:
                m_mesh.points.push_back(n[0]);
                break;
            case CellKind::Edge:
                m_mesh.edges.push_back({n[0], n[1]});
                break;
            case CellKind::Triangle:
                m_mesh.triangles.push_back({n[0], n[1], n[2]});
                break;
            case CellKind::Quad:
                m_mesh.quads.push_back({n[0], n[1], n[2], n[3]});
                break;
            case CellKind::Tetrahedron:
                m_mesh.tetrahedra.push_back({n[0], n[1], n[2], n[3]});
                break;
            case CellKind::Hexahedron:
                m_mesh.hexahedra.push_back({n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]});
                break;
            case CellKind::Prism:
                m_mesh.prisms.push_back({n[0], n[1], n[2], n[3], n[4], n[5]});
                break;
            case CellKind::Pyramid:
                m_mesh.pyramids.push_back({n[0], n[1], n[2], n[3], n[4]});
                break;
            case CellKind::Polyline:
                break;
        }
    }
    // Before the sides of second-order faces are appended, so that the element itself is the last one.
    const auto index = static_cast<Index>(m_mesh.cellCount(type.kind) - 1);
    const auto k = static_cast<std::size_t>(type.kind);
    for (const int p : physicals) m_mesh.groups[groupIndex(cellDimension(type.kind), p)].cells[k].push_back(index);
    const std::string tag = std::to_string(entity);
    extendRanges(m_mesh.ranges[k], index, tag, tag);

    if (type.id == 9) {
        static constexpr int sides[3][2] = {{0, 1}, {1, 2}, {2, 0}};
        for (int j = 0; j < 3; ++j) m_edges.addSide(n[sides[j][0]], n[sides[j][1]], n[3 + j]);
    } else if (type.id == 11) {
        static constexpr int sides[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}};
        for (int j = 0; j < 6; ++j) m_edges.addSide(n[sides[j][0]], n[sides[j][1]], n[4 + j]);
    } else if (type.nodes != type.corners && type.id != 8) {
        ++m_reducedTypes[type.id];
    }
}

void GmshParser::addNotes()
{
    for (const auto& [type, n] : m_reducedTypes)
        m_mesh.notes.push_back(m_in.path() + ": " + std::to_string(n) + " high-order elements of gmsh type " +
                               std::to_string(type) + " are reduced to their corners");
    for (const auto& [type, n] : m_unknownTypes)
        m_mesh.notes.push_back(m_in.path() + ": " + std::to_string(n) + " elements of unknown gmsh type " +
                               std::to_string(type) + " are left out");
    if (m_duplicates)
        m_mesh.notes.push_back(m_in.path() + ": " + std::to_string(m_duplicates) +
                               " node numbers occur more than once; elements refer to the last");
}

}  // namespace

MeshData parseGmsh(const SourceText& source) { return GmshParser(source).run(); }

MeshData readGmsh(const std::filesystem::path& path) { return parseGmsh(loadSource(path)); }

static const RegisterMeshFormat registeredGmshFormat(
    {.name = "gmsh",
     .extensions = {".msh", ".gmsh"},
     .recognise =
         [](std::string_view content) {
             return content.starts_with("$MeshFormat") || content.starts_with("$NOD") ? Recognition::Sure
                                                                                      : Recognition::No;
         },
     .read = [](const SourceText& source, const MeshReadOptions&) { return parseGmsh(source); },
     .write = [](const std::filesystem::path& path, const MeshData& mesh) { writeGmsh(path, mesh); }});

}  // namespace sofa::core::io
