// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/PlyFormat.h"

#include <bit>
#include <cmath>

#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/io/MeshOperations.h"
#include "core/io/RawBytes.h"
#include "core/io/VtkCells.h"

namespace sofa::core::io {

namespace {

struct Property
{
    std::string name;
    VtkType type = VtkType::Float32, countType = VtkType::UInt8;
    bool list = false;
};

struct Element
{
    std::string name;
    std::size_t count = 0;
    std::vector<Property> properties;

    /// Index of the property of that name; npos if there is none.
    std::size_t find(std::string_view n) const
    {
        for (std::size_t i = 0; i < properties.size(); ++i)
            if (properties[i].name == n) return i;
        return static_cast<std::size_t>(-1);
    }
};

constexpr auto npos = static_cast<std::size_t>(-1);

class PlyParser
{
public:
    explicit PlyParser(const SourceText& source) : m_in(source) {}
    MeshData run();

private:
    TextScanner m_in;
    MeshData m_mesh;
    bool m_binary = false;
    std::vector<Element> m_elements;
    Vector<double> m_scalars;             // of one record, one per property
    std::vector<Vector<double>> m_lists;  // of one record, one per property

    void header();
    VtkType type();
    double value(VtkType type, const char* what);
    void record(const Element& e);
    void vertices(const Element& e);
    void faces(const Element& e);
    void edges(const Element& e);
    Index index(double v, std::size_t at) const;
};

VtkType PlyParser::type()
{
    auto name = std::string(m_in.token());
    if (name == "uchar") name = "unsigned_char";
    if (name == "ushort") name = "unsigned_short";
    if (name == "uint") name = "unsigned_int";
    const auto t = vtkType(name);
    if (!t || vtkTypeSize(*t) == 0) m_in.fail("a property type such as float or uchar", m_in.found());
    return *t;
}

void PlyParser::header()
{
    m_in.stayOnLine(true);
    if (m_in.token() != "ply") m_in.fail("'ply'", m_in.found());
    m_in.skipLine();
    bool format = false;
    while (true) {
        if (m_in.atEnd()) m_in.failAt(m_in.offset(), "'end_header'", "the end of the file");
        const auto key = m_in.token();
        if (key == "end_header") break;
        if (key == "format") {
            const auto f = m_in.token();
            if (f == "binary_little_endian" || f == "binary_big_endian") {
                m_binary = true;
                m_in.setByteSwap((f == "binary_big_endian") == (std::endian::native == std::endian::little));
            } else if (f != "ascii") {
                m_in.fail("'ascii', 'binary_little_endian' or 'binary_big_endian'", m_in.found());
            }
            format = true;
        } else if (key == "element") {
            Element e;
            e.name = m_in.token();
            const std::int64_t n = m_in.integer("the number of records");
            if (n < 0) m_in.fail("the number of records (not negative)", m_in.found());
            e.count = static_cast<std::size_t>(n);
            m_elements.push_back(std::move(e));
        } else if (key == "property") {
            if (m_elements.empty()) m_in.fail("'element' before 'property'", m_in.found());
            Property p;
            if (m_in.peek() == "list") {
                (void)m_in.token();
                p.list = true;
                p.countType = type();
            }
            p.type = type();
            p.name = m_in.token();
            m_elements.back().properties.push_back(std::move(p));
        } else if (!key.empty() && key != "comment" && key != "obj_info") {
            m_in.fail("a statement of a PLY header", m_in.found());
        }
        m_in.skipLine();
    }
    if (!format) m_in.fail("'format' in the header", m_in.found());
    m_in.skipLine();
    m_in.stayOnLine(false);
}

double PlyParser::value(VtkType type, const char* what)
{
    if (!m_binary) return m_in.real(what);
    return vtkValue<double>(type, m_in.bytes(vtkTypeSize(type), what), m_in.byteSwap());
}

void PlyParser::record(const Element& e)
{
    for (std::size_t i = 0; i < e.properties.size(); ++i) {
        const auto& p = e.properties[i];
        if (!p.list) {
            m_scalars[i] = value(p.type, "the value of a property");
            continue;
        }
        const std::size_t at = m_in.offset();
        const double n = value(p.countType, "the length of a list");
        const double fit = static_cast<double>(m_in.remaining()) / (m_binary ? vtkTypeSize(p.type) : 1);
        if (!(n >= 0. && n <= fit + 1. && n == std::floor(n))) {
            if (m_binary) m_in.failBinary(at, "the length of a list that the file can hold", std::to_string(n));
            m_in.fail("the length of a list that the file can hold", m_in.found());
        }
        m_lists[i].clear();
        for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k)
            m_lists[i].push_back(value(p.type, "an entry of a list"));
    }
}

void PlyParser::vertices(const Element& e)
{
    const std::size_t x[3] = {e.find("x"), e.find("y"), e.find("z")};
    const std::size_t n[3] = {e.find("nx"), e.find("ny"), e.find("nz")};
    std::size_t t[2] = {e.find("u"), e.find("v")};
    if (t[0] == npos || t[1] == npos) {
        t[0] = e.find("s");
        t[1] = e.find("t");
    }
    for (const auto i : x)
        if (i == npos || e.properties[i].list)
            m_in.fail("properties x, y and z of the vertices", "none of at least one of these names");
    const auto usable = [&](std::size_t i) { return i != npos && !e.properties[i].list; };
    const bool hasN = usable(n[0]) && usable(n[1]) && usable(n[2]), hasT = usable(t[0]) && usable(t[1]);
    std::vector<std::pair<std::size_t, std::size_t>> extra;  // property, array
    for (std::size_t i = 0; i < e.properties.size(); ++i) {
        const bool known = i == x[0] || i == x[1] || i == x[2] || (hasN && (i == n[0] || i == n[1] || i == n[2])) ||
                           (hasT && (i == t[0] || i == t[1]));
        if (known || e.properties[i].list) continue;
        extra.emplace_back(i, m_mesh.pointData.size());
        m_mesh.pointData.push_back({e.properties[i].name, 1, {}});
    }
    for (std::size_t r = 0; r < e.count; ++r) {
        const std::size_t at = m_in.offset();
        record(e);
        const Vec3 p(m_scalars[x[0]], m_scalars[x[1]], m_scalars[x[2]]);
        if (!isFinite(p)) {
            if (m_binary) m_in.failBinary(at, "finite coordinates of a vertex", "infinity or NaN");
            m_in.fail("finite coordinates of a vertex", "infinity or NaN");
        }
        m_mesh.positions.push_back(p);
        if (hasN) m_mesh.normals.push_back(normalized(Vec3(m_scalars[n[0]], m_scalars[n[1]], m_scalars[n[2]])));
        if (hasT) m_mesh.texCoords.push_back({m_scalars[t[0]], m_scalars[t[1]]});
        for (const auto& [property, array] : extra) m_mesh.pointData[array].values.push_back(m_scalars[property]);
    }
}

Index PlyParser::index(double v, std::size_t at) const
{
    if (!(v >= 0. && v < static_cast<double>(m_mesh.positions.size()) && v == std::floor(v))) {
        const std::string expected =
            "the index of one of the " + std::to_string(m_mesh.positions.size()) + " vertices, from 0";
        std::string found;
        appendNumber(found, v);
        if (m_binary) m_in.failBinary(at, expected, found);
        m_in.fail(expected, found);
    }
    return static_cast<Index>(v);
}

void PlyParser::faces(const Element& e)
{
    std::size_t list = e.find("vertex_indices");
    if (list == npos) list = e.find("vertex_index");
    if (e.count > 0 && (list == npos || !e.properties[list].list))
        m_in.fail("a list property vertex_indices of the faces", "none");
    Vector<Index> ids;
    for (std::size_t r = 0; r < e.count; ++r) {
        const std::size_t at = m_in.offset();
        record(e);
        ids.clear();
        for (const double v : m_lists[list]) ids.push_back(index(v, at));
        if (ids.size() == 2)
            m_mesh.edges.push_back({ids[0], ids[1]});
        else if (ids.size() == 4)
            m_mesh.quads.push_back({ids[0], ids[1], ids[2], ids[3]});
        else if (ids.size() > 2)
            addPolygon(m_mesh, ids.data(), ids.size());
    }
}

void PlyParser::edges(const Element& e)
{
    const std::size_t a = e.find("vertex1"), b = e.find("vertex2");
    const bool usable = a != npos && b != npos && !e.properties[a].list && !e.properties[b].list;
    for (std::size_t r = 0; r < e.count; ++r) {
        const std::size_t at = m_in.offset();
        record(e);
        if (usable) m_mesh.edges.push_back({index(m_scalars[a], at), index(m_scalars[b], at)});
    }
}

MeshData PlyParser::run()
{
    header();
    bool any = false;
    for (const auto& e : m_elements) {
        m_scalars.assign(e.properties.size(), 0.);
        m_lists.assign(e.properties.size(), {});
        // A record takes at least one byte of the file, unless it has no properties at all.
        if (e.properties.empty()) continue;
        if (e.count > m_in.remaining() + 1)
            m_in.failAt(m_in.offset(), std::to_string(e.count) + " records of '" + e.name + "'",
                        "the end of the file after " + std::to_string(m_in.remaining()) + " bytes");
        if (e.name == "vertex") {
            vertices(e);
            any = true;
        } else if (e.name == "face") {
            faces(e);
        } else if (e.name == "edge") {
            edges(e);
        } else {
            for (std::size_t r = 0; r < e.count; ++r) record(e);
        }
    }
    if (!any) m_in.fail("an element 'vertex'", "none");
    return std::move(m_mesh);
}

}  // namespace

MeshData parsePly(const SourceText& source) { return PlyParser(source).run(); }

MeshData readPly(const std::filesystem::path& path) { return parsePly(loadSource(path)); }

void writePly(const std::filesystem::path& path, const MeshData& given)
{
    const MeshData mesh = withBorder(given);
    const std::size_t n = mesh.positions.size();
    const bool hasNormals = n > 0 && mesh.normals.size() == n, hasTexCoords = n > 0 && mesh.texCoords.size() == n;
    std::vector<const DataArray*> scalars;
    for (const DataArray& d : mesh.pointData)
        if (d.components == 1 && d.values.size() == n && d.name.find_first_of(" \t\r\n") == std::string::npos)
            scalars.push_back(&d);
    std::string out = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(n) + '\n';
    const auto properties = [&](std::initializer_list<const char*> names) {
        for (const char* name : names) out += std::string("property double ") + name + '\n';
    };
    properties({"x", "y", "z"});
    if (hasNormals) properties({"nx", "ny", "nz"});
    if (hasTexCoords) properties({"s", "t"});
    for (const DataArray* d : scalars) properties({d->name.c_str()});
    out += "element face " + std::to_string(mesh.triangles.size() + mesh.quads.size()) +
           "\nproperty list uchar uint vertex_indices\n";
    if (!mesh.edges.empty())
        out += "element edge " + std::to_string(mesh.edges.size()) + "\nproperty uint vertex1\nproperty uint vertex2\n";
    out += "end_header\n";
    const auto put = [&](const auto& vector) {
        for (const double c : vector) appendRaw(out, c);
    };
    for (std::size_t i = 0; i < n; ++i) {
        put(mesh.positions[i]);
        if (hasNormals) put(mesh.normals[i]);
        if (hasTexCoords) put(mesh.texCoords[i]);
        for (const DataArray* d : scalars) appendRaw(out, d->values[i]);
    }
    const auto vertices = [&](const auto& element) {
        for (const Index v : element) appendRaw(out, static_cast<std::uint32_t>(v));
    };
    const auto faces = [&](const auto& list) {
        for (const auto& face : list) {
            appendRaw(out, static_cast<std::uint8_t>(face.size()));
            vertices(face);
        }
    };
    faces(mesh.triangles);
    faces(mesh.quads);
    for (const Edge& e : mesh.edges) vertices(e);
    saveText(path, out);
}

static const RegisterMeshFormat registeredPlyFormat(
    {.name = "PLY",
     .extensions = {".ply"},
     .recognise =
         [](std::string_view content) {
             return content.starts_with("ply\n") || content.starts_with("ply\r") ? Recognition::Likely
                                                                                 : Recognition::No;
         },
     .read = [](const SourceText& source, const MeshReadOptions&) { return parsePly(source); },
     .write = writePly});

}  // namespace sofa::core::io
