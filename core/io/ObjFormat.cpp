// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/ObjFormat.h"

#include <algorithm>
#include <limits>

#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/io/MeshOperations.h"

namespace sofa::core::io {

namespace {

constexpr auto EdgeRange = static_cast<std::size_t>(CellKind::Edge);
constexpr auto TriangleRange = static_cast<std::size_t>(CellKind::Triangle);
constexpr auto QuadRange = static_cast<std::size_t>(CellKind::Quad);

/// Joins lines that end in a backslash, if there are any; keeps the number of lines, so that messages stay right.
SourceText joinContinuedLines(const SourceText& s)
{
    SourceText out{s.path, s.text};
    std::size_t owed = 0;  // line ends to add after the joined line
    std::string& t = out.text;
    std::size_t w = 0;
    for (std::size_t r = 0; r < s.text.size(); ++r) {
        const char c = s.text[r];
        if (c == '\\') {
            std::size_t q = r + 1;
            if (q < s.text.size() && s.text[q] == '\r') ++q;
            if (q < s.text.size() && s.text[q] == '\n') {
                t[w++] = ' ';
                ++owed;
                r = q;
                continue;
            }
        }
        t[w++] = c;
        if (c == '\n')
            for (; owed; --owed) t[w++] = '\n';
    }
    t.resize(w);
    return out;
}

enum class FaceType : unsigned char
{
    Face,
    Line
};

class ObjParser
{
public:
    ObjParser(const SourceText& source, const MeshReadOptions& options) : m_in(source), m_options(options) {}
    MeshData run();

private:
    /// An index into a list that was not that long yet when it was read: to be checked at the end.
    struct Pending
    {
        std::size_t offset;
        Index index;
    };

    TextScanner m_in;
    const MeshReadOptions& m_options;
    MeshData m_mesh;
    Vector<FaceType> m_faceTypes;
    std::vector<Pending> m_pending;
    std::string m_group = "Default_Group", m_material;
    int m_materialId = -1;
    std::array<Index, CellKindCount> m_rangeStart{}, m_rangeEnd{};
    std::size_t m_lostTexCoords = 0, m_lostNormals = 0, m_shortVertices = 0;

    void vertex();
    void face(FaceType type);
    void pointsLine();
    Index index(std::string_view text, std::size_t offset, std::size_t size, const char* what, bool isPosition);
    FaceCorner corner(std::string_view text, std::size_t offset);
    void closeRanges();
    void useMaterial(std::string_view name);
    void materialLibraries(std::string_view names);
    void countCells(std::size_t corners, FaceType type);
    void checkIndices();
    void mergeAttributes();
    void splitSeams();
    void addFaces(const Vector<Index>& vertexOfCorner);
};

MeshData ObjParser::run()
{
    m_mesh.faceStart.push_back(0);
    m_in.stayOnLine(true);
    bool any = false;
    while (!m_in.atEnd()) {
        const auto key = m_in.tokenOnLine();
        if (key.empty() || key[0] == '#') {
            m_in.skipLine();
            continue;
        }
        if (key == "v") {
            vertex();
        } else if (key == "vn") {
            const double x = m_in.real("a normal's component"), y = m_in.real("a normal's component"),
                         z = m_in.real("a normal's component");
            m_mesh.normalDefinitions.push_back({x, y, z});
        } else if (key == "vt") {
            const double u = m_in.real("a texture coordinate");
            const double v = m_in.atLineEnd() ? 0. : m_in.real("a texture coordinate");
            m_mesh.texCoordDefinitions.push_back({u, v});
        } else if (key == "f" || key == "fo") {
            face(FaceType::Face);
        } else if (key == "l") {
            face(FaceType::Line);
        } else if (key == "p") {
            pointsLine();
        } else if (key == "g") {
            closeRanges();
            m_group.clear();
            for (auto t = m_in.tokenOnLine(); !t.empty(); t = m_in.tokenOnLine()) {
                if (!m_group.empty()) m_group += ' ';
                m_group += t;
            }
        } else if (key == "usemtl") {
            closeRanges();
            useMaterial(m_in.tokenOnLine());
        } else if (key == "mtllib") {
            m_in.skipBlanks();
            const auto names = m_in.restOfLine();
            if (m_options.loadMaterials) materialLibraries(names);
            any = true;
            continue;  // the line is consumed
        } else {
            static constexpr std::string_view known[] = {
                "o",        "s",        "mg",     "vp",     "cstype",     "deg",       "bmat",  "step",
                "curv",     "curv2",    "surf",   "parm",   "trim",       "hole",      "scrv",  "sp",
                "end",      "con",      "lod",    "bevel",  "shadow_obj", "trace_obj", "ctech", "stech",
                "c_interp", "d_interp", "maplib", "usemap", "call",       "csh",       "g",     "vc"};
            if (std::find(std::begin(known), std::end(known), key) == std::end(known)) {
                if (!any)
                    m_in.fail("a statement of the OBJ format (such as 'v', 'f', 'g' or a comment '#')", m_in.found());
                if (m_mesh.notes.size() < 20)
                    m_mesh.notes.push_back(m_in.path() + ":" + std::to_string(m_in.line()) + ": statement " +
                                           m_in.found() + " is not known and passed over");
            }
        }
        any = true;
        m_in.skipLine();
    }
    closeRanges();
    checkIndices();
    m_options.handleSeams ? splitSeams() : mergeAttributes();
    if (m_shortVertices)
        m_mesh.notes.push_back(m_in.path() + ": " + std::to_string(m_shortVertices) +
                               " vertices have fewer than three coordinates; the others are 0");
    if (m_lostTexCoords)
        m_mesh.notes.push_back(m_in.path() + ": " + std::to_string(m_lostTexCoords) +
                               " texture coordinate indices are out of range and ignored");
    if (m_lostNormals)
        m_mesh.notes.push_back(m_in.path() + ": " + std::to_string(m_lostNormals) +
                               " normal indices are out of range and ignored");
    return std::move(m_mesh);
}

void ObjParser::vertex()
{
    Vec3 p;
    p[0] = m_in.finite("a vertex coordinate");
    for (std::size_t k = 1; k < 3; ++k) {
        if (m_in.atLineEnd()) {
            ++m_shortVertices;
            break;
        }
        p[k] = m_in.finite("a vertex coordinate");
    }
    m_mesh.positions.push_back(p);
}

Index ObjParser::index(std::string_view text, std::size_t offset, std::size_t size, const char* what, bool isPosition)
{
    std::int64_t v = 0;
    if (!parseInteger(text, v) || v == 0)
        m_in.failAt(offset, std::string("the index of ") + what + " (an integer other than 0)",
                    TextScanner::quoted(text));
    if (v < 0) v += static_cast<std::int64_t>(size) + 1;
    if (v <= 0 || v >= static_cast<std::int64_t>(InvalidIndex)) {
        if (isPosition)
            m_in.failAt(offset, std::string("the index of one of the ") + std::to_string(size) + " vertices so far",
                        TextScanner::quoted(text));
        return InvalidIndex - 1;  // out of any list: dropped at the end
    }
    const auto i = static_cast<Index>(v - 1);
    if (isPosition && i >= size) m_pending.push_back({offset, i});
    return i;
}

FaceCorner ObjParser::corner(std::string_view text, std::size_t offset)
{
    FaceCorner c;
    const auto slash = text.find('/');
    c.position = index(text.substr(0, slash), offset, m_mesh.positions.size(), "a vertex", true);
    if (slash == std::string_view::npos) return c;
    auto rest = text.substr(slash + 1);
    const auto second = rest.find('/');
    if (const auto t = rest.substr(0, second); !t.empty())
        c.texCoord = index(t, offset, m_mesh.texCoordDefinitions.size(), "a texture coordinate", false);
    if (second == std::string_view::npos) return c;
    rest.remove_prefix(second + 1);
    if (!rest.empty()) c.normal = index(rest, offset, m_mesh.normalDefinitions.size(), "a normal", false);
    return c;
}

void ObjParser::face(FaceType type)
{
    const std::size_t at = m_in.tokenOffset();
    const std::size_t before = m_mesh.faceCorners.size();
    for (auto t = m_in.tokenOnLine(); !t.empty() && t[0] != '#'; t = m_in.tokenOnLine())
        m_mesh.faceCorners.push_back(corner(t, m_in.tokenOffset()));
    const std::size_t n = m_mesh.faceCorners.size() - before;
    if (n < 2) {
        m_mesh.faceCorners.resize(before);
        m_mesh.notes.push_back(m_in.path() + ":" + std::to_string(m_in.lineAt(at)) + ": a face or line of " +
                               std::to_string(n) + " vertices is left out");
        return;
    }
    m_mesh.faceStart.push_back(static_cast<Index>(m_mesh.faceCorners.size()));
    m_faceTypes.push_back(type);
    countCells(n, type);
}

void ObjParser::pointsLine()
{
    for (auto t = m_in.tokenOnLine(); !t.empty() && t[0] != '#'; t = m_in.tokenOnLine())
        m_mesh.points.push_back(corner(t, m_in.tokenOffset()).position);
}

void ObjParser::countCells(std::size_t corners, FaceType type)
{
    if (type == FaceType::Line || corners == 2)
        m_rangeEnd[EdgeRange] += static_cast<Index>(corners - 1);
    else if (corners == 4 && !m_options.triangulate)
        m_rangeEnd[QuadRange] += 1;
    else
        m_rangeEnd[TriangleRange] += static_cast<Index>(corners - 2);
}

void ObjParser::closeRanges()
{
    for (std::size_t k = 0; k < CellKindCount; ++k) {
        if (m_rangeEnd[k] == m_rangeStart[k]) continue;
        m_mesh.ranges[k].push_back(
            {m_rangeStart[k], m_rangeEnd[k] - m_rangeStart[k], m_materialId, m_material, m_group});
        m_rangeStart[k] = m_rangeEnd[k];
    }
}

void ObjParser::useMaterial(std::string_view name)
{
    m_material = name;
    m_materialId = -1;
    for (std::size_t i = 0; i < m_mesh.materials.size(); ++i)
        if (m_mesh.materials[i].name == name) {
            m_materialId = static_cast<int>(i);
            m_mesh.materials[i].activated = true;
            if (m_mesh.defaultMaterial < 0) m_mesh.defaultMaterial = m_materialId;
            return;
        }
}

void ObjParser::materialLibraries(std::string_view names)
{
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(m_in.path()).parent_path();
    const std::size_t line = m_in.lineAt(m_in.tokenOffset());
    const auto load = [&](std::string_view name) {
        try {
            readMtl(folder / fs::path(name), m_mesh.materials, m_mesh.notes);
        } catch (const MeshError& e) {
            m_mesh.notes.push_back(m_in.path() + ":" + std::to_string(line) +
                                   ": material library not read: " + e.what());
        }
    };
    std::error_code ec;
    const bool printable = names.find('\0') == std::string_view::npos;
    if (printable && fs::is_regular_file(folder / fs::path(names), ec)) return load(names);
    while (printable && !names.empty()) {
        const auto end = names.find_first_of(" \t");
        if (end != 0) load(names.substr(0, end));
        if (end == std::string_view::npos) break;
        names.remove_prefix(end + 1);
    }
}

void ObjParser::checkIndices()
{
    for (const auto& p : m_pending)
        if (p.index >= m_mesh.positions.size())
            m_in.failAt(p.offset, "the index of one of the " + std::to_string(m_mesh.positions.size()) + " vertices",
                        std::to_string(std::size_t{p.index} + 1));
    for (auto& c : m_mesh.faceCorners) {
        if (c.texCoord != InvalidIndex && c.texCoord >= m_mesh.texCoordDefinitions.size()) {
            c.texCoord = InvalidIndex;
            ++m_lostTexCoords;
        }
        if (c.normal != InvalidIndex && c.normal >= m_mesh.normalDefinitions.size()) {
            c.normal = InvalidIndex;
            ++m_lostNormals;
        }
    }
}

void ObjParser::mergeAttributes()
{
    const auto& corners = m_mesh.faceCorners;
    if (!m_mesh.texCoordDefinitions.empty()) {
        m_mesh.texCoords.resize(m_mesh.positions.size());
        for (const auto& c : corners) {
            if (c.texCoord == InvalidIndex) continue;
            const Vec2& candidate = m_mesh.texCoordDefinitions[c.texCoord];
            Vec2& t = m_mesh.texCoords[c.position];
            if (t == Vec2() || dot(candidate - t, Vec2(-1., 1.)) > 0.) t = candidate;
        }
    }
    if (!m_mesh.normalDefinitions.empty()) {
        m_mesh.normals.resize(m_mesh.positions.size());
        for (const auto& c : corners)
            if (c.normal != InvalidIndex) m_mesh.normals[c.position] += m_mesh.normalDefinitions[c.normal];
        for (auto& n : m_mesh.normals) n = normalized(n);
    }
    Vector<Index> vertices(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) vertices[i] = corners[i].position;
    addFaces(vertices);
}

void ObjParser::splitSeams()
{
    const auto& corners = m_mesh.faceCorners;
    // Corners sorted by (position, texture coordinate, normal), absent ones first: InvalidIndex + 1 wraps to 0.
    const auto less = [&](Index a, Index b) {
        const auto &x = corners[a], &y = corners[b];
        return std::array<Index, 3>{x.position, x.texCoord + 1, x.normal + 1} <
               std::array<Index, 3>{y.position, y.texCoord + 1, y.normal + 1};
    };
    Vector<Index> order(corners.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
    std::sort(order.begin(), order.end(), less);

    Vector<Index> vertexOfCorner(corners.size());
    Vector<Vec3> positions, normals;
    Vector<Vec2> texCoords;
    Vector<Index> pointVertex(m_mesh.positions.size(), InvalidIndex);
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto& c = corners[order[k]];
        if (k == 0 || !(c == corners[order[k - 1]])) {
            if (pointVertex[c.position] == InvalidIndex) pointVertex[c.position] = static_cast<Index>(positions.size());
            positions.push_back(m_mesh.positions[c.position]);
            texCoords.push_back(c.texCoord == InvalidIndex ? Vec2() : m_mesh.texCoordDefinitions[c.texCoord]);
            normals.push_back(c.normal == InvalidIndex ? Vec3() : normalized(m_mesh.normalDefinitions[c.normal]));
            m_mesh.vertexPositionIndex.push_back(c.position);
            m_mesh.vertexNormalIndex.push_back(c.normal + 1);
        }
        vertexOfCorner[order[k]] = static_cast<Index>(positions.size() - 1);
    }
    if (positions.size() == m_mesh.positions.size()) {
        m_mesh.vertexPositionIndex.clear();
        m_mesh.vertexNormalIndex.clear();
    } else {
        // Number the distinct (position, normal) pairs in order of first appearance.
        auto& id = m_mesh.vertexNormalIndex;
        const Vector<Index> normalOf = id;
        Index next = 0;
        for (std::size_t v = 0, first = 0; v < id.size(); ++v) {
            if (m_mesh.vertexPositionIndex[v] != m_mesh.vertexPositionIndex[first]) first = v;
            std::size_t u = first;
            while (u < v && normalOf[u] != normalOf[v]) ++u;
            id[v] = u < v ? id[u] : next++;
        }
        if (next == id.size()) id.clear();  // all distinct: the vertex index itself serves
    }
    for (auto& p : m_mesh.points) {
        if (pointVertex[p] == InvalidIndex) {  // a point that no face uses becomes a vertex of its own, at the end
            pointVertex[p] = static_cast<Index>(positions.size());
            positions.push_back(m_mesh.positions[p]);
            texCoords.push_back({});
            normals.push_back({});
            if (!m_mesh.vertexPositionIndex.empty()) m_mesh.vertexPositionIndex.push_back(p);
            if (!m_mesh.vertexNormalIndex.empty())
                m_mesh.vertexNormalIndex.push_back(static_cast<Index>(positions.size() - 1));
        }
        p = pointVertex[p];
    }
    m_mesh.positions = std::move(positions);
    m_mesh.normals = std::move(normals);
    m_mesh.texCoords = std::move(texCoords);
    addFaces(vertexOfCorner);
}

void ObjParser::addFaces(const Vector<Index>& vertexOfCorner)
{
    for (std::size_t f = 0; f + 1 < m_mesh.faceStart.size(); ++f) {
        const Index* c = vertexOfCorner.data() + m_mesh.faceStart[f];
        const std::size_t n = m_mesh.faceStart[f + 1] - m_mesh.faceStart[f];
        if (m_faceTypes[f] == FaceType::Line || n == 2) {
            for (std::size_t j = 1; j < n; ++j)
                m_mesh.edges.push_back(c[j - 1] < c[j] ? Edge{c[j - 1], c[j]} : Edge{c[j], c[j - 1]});
            if (n > 2) m_mesh.polylines.emplace_back(c, c + n);
        } else if (n == 4 && !m_options.triangulate) {
            m_mesh.quads.push_back({c[0], c[1], c[2], c[3]});
        } else {
            addPolygon(m_mesh, c, n);
        }
    }
}

}  // namespace

MeshData parseObj(const SourceText& source, const MeshReadOptions& options)
{
    if (source.text.find("\\\n") == std::string::npos && source.text.find("\\\r\n") == std::string::npos)
        return ObjParser(source, options).run();
    const SourceText joined = joinContinuedLines(source);
    return ObjParser(joined, options).run();
}

MeshData readObj(const std::filesystem::path& path, const MeshReadOptions& options)
{
    return parseObj(loadSource(path), options);
}

namespace {

template <class V>
void appendVectors(std::string& out, const char* key, const Vector<V>& values)
{
    for (const auto& v : values) {
        out += key;
        for (const double c : v) {
            out += ' ';
            appendNumber(out, c);
        }
        out += '\n';
    }
}

}  // namespace

void writeObjFaces(const std::filesystem::path& path, const MeshData& mesh)
{
    std::string out;
    appendVectors(out, "v", mesh.positions);
    appendVectors(out, "vt", mesh.texCoordDefinitions);
    appendVectors(out, "vn", mesh.normalDefinitions);
    const auto index = [&](Index i) { appendNumber(out, std::uint64_t{i} + 1); };
    for (std::size_t f = 0; f + 1 < mesh.faceStart.size(); ++f) {
        out += mesh.faceStart[f + 1] - mesh.faceStart[f] == 2 ? 'l' : 'f';
        for (Index c = mesh.faceStart[f]; c < mesh.faceStart[f + 1]; ++c) {
            const auto& corner = mesh.faceCorners[c];
            out += ' ';
            index(corner.position);
            if (corner.texCoord == InvalidIndex && corner.normal == InvalidIndex) continue;
            out += '/';
            if (corner.texCoord != InvalidIndex) index(corner.texCoord);
            if (corner.normal == InvalidIndex) continue;
            out += '/';
            index(corner.normal);
        }
        out += '\n';
    }
    saveText(path, out);
}

void writeObj(const std::filesystem::path& path, const MeshData& mesh, const std::string& materialLibrary)
{
    requirePoints(path, mesh);
    std::string out;
    if (!materialLibrary.empty()) out += "mtllib " + materialLibrary + "\n";
    const bool hasT = mesh.texCoords.size() == mesh.positions.size() && !mesh.texCoords.empty();
    const bool hasN = mesh.normals.size() == mesh.positions.size() && !mesh.normals.empty();
    appendVectors(out, "v", mesh.positions);
    if (hasT) appendVectors(out, "vt", mesh.texCoords);
    if (hasN) appendVectors(out, "vn", mesh.normals);

    const auto cell = [&](char key, const auto& vertices) {
        out += key;
        for (const Index v : vertices) {
            const std::uint64_t i = std::uint64_t{v} + 1;
            out += ' ';
            appendNumber(out, i);
            if (key != 'f' || (!hasT && !hasN)) continue;
            out += '/';
            if (hasT) appendNumber(out, i);
            if (hasN) {
                out += '/';
                appendNumber(out, i);
            }
        }
        out += '\n';
    };
    std::string group = "Default_Group", material;
    const auto cells = [&](CellKind kind, char key, const auto& list) {
        const auto& ranges = mesh.ranges[static_cast<std::size_t>(kind)];
        std::size_t r = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            while (r < ranges.size() && ranges[r].first + ranges[r].count <= i) ++r;
            if (r < ranges.size() && ranges[r].first <= i) {
                if (ranges[r].group != group) out += "g " + (group = ranges[r].group) + "\n";
                if (ranges[r].material != material) out += "usemtl " + (material = ranges[r].material) + "\n";
            }
            cell(key, list[i]);
        }
    };
    for (const Index p : mesh.points) cell('p', std::array<Index, 1>{p});
    // An edge that is part of a polyline is written with it.
    std::vector<Edge> inLines;
    for (const auto& l : mesh.polylines) {
        cell('l', l);
        for (std::size_t j = 1; j < l.size(); ++j) inLines.push_back(sortedVertices(Edge{l[j - 1], l[j]}));
    }
    std::sort(inLines.begin(), inLines.end());
    if (inLines.empty()) {
        cells(CellKind::Edge, 'l', mesh.edges);
    } else {
        for (const auto& e : mesh.edges)
            if (!std::binary_search(inLines.begin(), inLines.end(), sortedVertices(e))) cell('l', e);
    }
    cells(CellKind::Triangle, 'f', mesh.triangles);
    cells(CellKind::Quad, 'f', mesh.quads);
    saveText(path, out);
}

static const RegisterMeshFormat registeredObjFormat(
    {.name = "Wavefront",
     .extensions = {".obj"},
     .read = [](const SourceText& source, const MeshReadOptions& options) { return parseObj(source, options); },
     .write = [](const std::filesystem::path& path, const MeshData& mesh) { writeObj(path, withBorder(mesh)); }});

}  // namespace sofa::core::io
