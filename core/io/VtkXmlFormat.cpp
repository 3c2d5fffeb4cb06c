// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VtkXmlFormat.h"

#include <tinyxml2.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/io/Base64.h"
#include "core/io/InputLimit.h"
#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/io/MeshOperations.h"
#include "core/io/VtkCells.h"

namespace sofa::core::io {

namespace {

using tinyxml2::XMLElement;

class XmlParser
{
public:
    explicit XmlParser(const SourceText& source) : m_source(source), m_cells(m_mesh, source.path) {}
    MeshData run();

private:
    const SourceText& m_source;
    tinyxml2::XMLDocument m_doc;
    MeshData m_mesh;
    VtkCells m_cells;
    bool m_swap = false, m_header64 = false, m_compressed = false;
    mutable std::uint64_t m_inflated = 0;  ///< bytes that all arrays gave so far
    std::string_view m_appended;           // after the '_'
    std::size_t m_appendedOffset = 0;      // of m_appended in the source
    bool m_appendedRaw = false;
    std::size_t m_piecePoints = 0, m_firstPoint = 0;

    [[noreturn]] void fail(const XMLElement* e, const std::string& expected, const std::string& found) const
    {
        throw MeshError(m_source.path, e ? static_cast<std::size_t>(std::max(1, e->GetLineNum())) : 1, MeshError::None,
                        expected, found);
    }
    static std::string attribute(const XMLElement* e, const char* name)
    {
        const char* v = e->Attribute(name);
        return v ? v : "";
    }
    const XMLElement* child(const XMLElement* e, const char* name) const
    {
        const auto* c = e->FirstChildElement(name);
        if (!c) fail(e, std::string("an element <") + name + ">", "none");
        return c;
    }
    std::size_t count(const XMLElement* e, const char* name, bool required = true) const;
    void splitAppended(std::string& xml);

    struct Array
    {
        std::string name;
        std::size_t components = 1;
        VtkType type = VtkType::Float64;
        bool text = false;
        std::string_view ascii;  // where `text`
        std::string bytes;       // otherwise
    };
    /// Finds and decodes the bytes of an array; text stays text.
    Array open(const XMLElement* e) const;
    std::string decode(const XMLElement* e, std::string_view data, bool raw, std::size_t dataOffset) const;
    std::string inflate(const XMLElement* e, std::string_view block, std::uint64_t size) const;
    template <class T>
    Vector<T> values(const XMLElement* e, const Array& a, const char* what, bool finite = false) const;

    void piece(const XMLElement* e, bool polyData);
    void cells(const XMLElement* e, const char* what, std::size_t n, int (*typeOf)(std::size_t), bool haveTypes);
    void attributes(const XMLElement* e, bool ofPoints, std::size_t tuples, std::size_t before);
};

std::size_t XmlParser::count(const XMLElement* e, const char* name, bool required) const
{
    const std::string v = attribute(e, name);
    if (v.empty() && !required) return 0;
    std::int64_t n = 0;
    if (!parseInteger(v, n) || n < 0)
        fail(e, std::string("an attribute ") + name + " (an integer, not negative)", TextScanner::quoted(v));
    return static_cast<std::size_t>(n);
}

/// Cuts the appended data, which may be binary, out of the XML.
void XmlParser::splitAppended(std::string& xml)
{
    const auto start = xml.find("<AppendedData");
    if (start == std::string::npos) return;
    const auto close = xml.find('>', start);
    const auto mark = close == std::string::npos ? close : xml.find('_', close);
    if (mark == std::string::npos)
        throw MeshError(m_source.path, MeshError::None, start, "'_' at the start of the appended data", "none");
    const std::string tag = xml.substr(start, close - start);
    m_appendedRaw = tag.find("\"raw\"") != std::string::npos || tag.find("'raw'") != std::string::npos;
    std::string_view data = std::string_view(m_source.text).substr(mark + 1);
    if (!m_appendedRaw) data = data.substr(0, data.find('<'));
    m_appended = data;
    m_appendedOffset = mark + 1;
    xml.resize(start);
    xml += "</VTKFile>";
}

MeshData XmlParser::run()
{
    std::string xml = m_source.text;
    splitAppended(xml);
    if (m_doc.Parse(xml.data(), xml.size()) != tinyxml2::XML_SUCCESS)
        throw MeshError(m_source.path, static_cast<std::size_t>(std::max(1, m_doc.ErrorLineNum())), MeshError::None,
                        "well-formed XML", tinyxml2::XMLDocument::ErrorIDToName(m_doc.ErrorID()));
    const auto* root = m_doc.RootElement();
    if (!root || std::string_view(root->Name()) != "VTKFile")
        fail(root, "the root element <VTKFile>", root ? "<" + std::string(root->Name()) + ">" : "none");
    const std::string type = attribute(root, "type");
    if (type != "UnstructuredGrid" && type != "PolyData")
        fail(root, "a file of type UnstructuredGrid or PolyData", TextScanner::quoted(type));
    const std::string order = attribute(root, "byte_order");
    if (!order.empty() && order != "LittleEndian" && order != "BigEndian")
        fail(root, "the byte_order LittleEndian or BigEndian", TextScanner::quoted(order));
    m_swap = (order == "BigEndian") == (std::endian::native == std::endian::little);
    const std::string header = attribute(root, "header_type");
    if (!header.empty() && header != "UInt32" && header != "UInt64")
        fail(root, "the header_type UInt32 or UInt64", TextScanner::quoted(header));
    m_header64 = header == "UInt64";
    // The compressor matters only where there is encoded data: checked there.
    m_compressed = root->Attribute("compressor") && *root->Attribute("compressor");

    const auto* grid = child(root, type.c_str());
    const auto* p = child(grid, "Piece");
    for (; p; p = p->NextSiblingElement("Piece")) piece(p, type == "PolyData");
    // Pieces need not have the same arrays: those that are not complete go.
    if (m_mesh.normals.size() != m_mesh.positions.size()) m_mesh.normals.clear();
    if (m_mesh.texCoords.size() != m_mesh.positions.size()) m_mesh.texCoords.clear();
    const auto incomplete = [](std::size_t n) { return [n](const DataArray& d) { return d.tuples() != n; }; };
    std::erase_if(m_mesh.pointData, incomplete(m_mesh.positions.size()));
    std::erase_if(m_mesh.cellData, incomplete(m_mesh.cellOrigins.size()));
    m_cells.finish();
    return std::move(m_mesh);
}

std::string XmlParser::inflate(const XMLElement* e, std::string_view block, std::uint64_t size) const
{
    // Deflate expands by at most about 1032: a larger claim is a corrupt header.
    if (size > 1100 * static_cast<std::uint64_t>(block.size()) + 64)
        fail(e, "a compressed block that can hold " + std::to_string(size) + " bytes",
             std::to_string(block.size()) + " bytes");
    // Of all arrays: many of them may have the same data.
    m_inflated += size;
    requireInflatedSize(m_source.path, m_inflated, m_source.text.size());
    std::string out(static_cast<std::size_t>(size), '\0');
    uLongf n = static_cast<uLongf>(size);
    const int rc = uncompress(reinterpret_cast<Bytef*>(out.data()), &n, reinterpret_cast<const Bytef*>(block.data()),
                              static_cast<uLong>(block.size()));
    if (rc != Z_OK || n != size) fail(e, "a valid block of zlib data", "a corrupt one");
    return out;
}

std::string XmlParser::decode(const XMLElement* e, std::string_view data, bool raw, std::size_t dataOffset) const
{
    const std::size_t word = m_header64 ? 8 : 4;
    Base64Reader base64(data);
    std::size_t at = 0;
    const auto take = [&](std::uint64_t n, const char* what) {
        std::string s;
        if (raw) {
            if (n > data.size() - at)
                throw MeshError(m_source.path, MeshError::None, dataOffset + at,
                                std::string(what) + " (" + std::to_string(n) + " bytes) of the array at line " +
                                    std::to_string(e->GetLineNum()),
                                std::to_string(data.size() - at) + " bytes");
            s = data.substr(at, static_cast<std::size_t>(n));
            at += static_cast<std::size_t>(n);
            return s;
        }
        if (n > data.size()) fail(e, std::string(what) + " (" + std::to_string(n) + " bytes)", "fewer characters");
        s = base64.read(static_cast<std::size_t>(n));
        if (s.size() != n)
            fail(e, std::string(what) + " (" + std::to_string(n) + " bytes in base64)",
                 base64.bad() ? "a character that is not base64" : std::to_string(s.size()) + " bytes");
        return s;
    };
    const auto number = [&](const std::string& s, std::size_t i) {
        return static_cast<std::uint64_t>(
            vtkValue<std::int64_t>(m_header64 ? VtkType::UInt64 : VtkType::UInt32, s.data() + i * word, m_swap));
    };
    if (!m_compressed) return take(number(take(word, "the length of the data"), 0), "the data");

    const std::string compressor = attribute(m_doc.RootElement(), "compressor");
    if (compressor != "vtkZLibDataCompressor")
        fail(e, "data compressed by vtkZLibDataCompressor", TextScanner::quoted(compressor));
    const std::string head = take(3 * word, "the header of the compressed data");
    const std::uint64_t blocks = number(head, 0), blockSize = number(head, 1), lastSize = number(head, 2);
    if (blocks == 0) return {};
    if (blocks > data.size() / word)
        fail(e, "a number of compressed blocks that the data can hold", std::to_string(blocks));
    const std::string sizes = take(blocks * word, "the sizes of the compressed blocks");
    std::string out;
    for (std::uint64_t b = 0; b < blocks; ++b) {
        const std::string block = take(number(sizes, static_cast<std::size_t>(b)), "a compressed block");
        out += inflate(e, block, b + 1 == blocks && lastSize != 0 ? lastSize : blockSize);
    }
    return out;
}

XmlParser::Array XmlParser::open(const XMLElement* e) const
{
    Array a;
    a.name = attribute(e, "Name");
    a.components = std::max<std::size_t>(1, count(e, "NumberOfComponents", false));
    const auto t = vtkType(attribute(e, "type"));
    if (!t || *t == VtkType::Bit)
        fail(e, "an array type such as Float64 or Int32", TextScanner::quoted(attribute(e, "type")));
    a.type = *t;
    std::string format = attribute(e, "format");
    if (format.empty()) format = attribute(e, "Format");
    const char* content = e->GetText();
    if (format == "ascii") {
        a.text = true;
        a.ascii = content ? content : "";
    } else if (format == "binary") {
        std::string_view data = content ? content : "";
        while (!data.empty() && (TextScanner::isBlank(data.front()) || data.front() == '\n')) data.remove_prefix(1);
        if (!data.empty()) a.bytes = decode(e, data, false, 0);
    } else if (format == "appended") {
        const std::size_t offset = count(e, "offset");
        if (offset > m_appended.size())
            fail(e, "an offset into the " + std::to_string(m_appended.size()) + " bytes of appended data",
                 std::to_string(offset));
        a.bytes = decode(e, m_appended.substr(offset), m_appendedRaw, m_appendedOffset + offset);
    } else {
        fail(e, "the array format ascii, binary or appended", TextScanner::quoted(format));
    }
    return a;
}

template <class T>
Vector<T> XmlParser::values(const XMLElement* e, const Array& a, const char* what, bool finite) const
{
    Vector<T> v;
    const auto check = [&](T x, std::size_t i, std::size_t line) {
        if constexpr (std::is_floating_point_v<T>)
            if (finite && !std::isfinite(x))
                throw MeshError(m_source.path, line, MeshError::None, std::string(what) + " (a finite number)",
                                "infinity or NaN as value " + std::to_string(i) + " of the array");
    };
    const auto line = static_cast<std::size_t>(std::max(1, e->GetLineNum()));
    if (!a.text) {
        const std::size_t size = vtkTypeSize(a.type);
        const bool real = a.type == VtkType::Float32 || a.type == VtkType::Float64;
        if (size == 0 || a.bytes.size() % size != 0 || (std::is_integral_v<T> && real))
            fail(e,
                 std::string(what) + " as whole values of " + (std::is_integral_v<T> ? "an integer" : "a number") +
                     " type",
                 std::to_string(a.bytes.size()) + " bytes of type " + attribute(e, "type"));
        v.resize(a.bytes.size() / size);
        for (std::size_t i = 0; i < v.size(); ++i) {
            v[i] = vtkValue<T>(a.type, a.bytes.data() + i * size, m_swap);
            check(v[i], i, line);
        }
        return v;
    }
    const char *p = a.ascii.data(), *end = p + a.ascii.size();
    while (true) {
        while (p != end && (TextScanner::isBlank(*p) || *p == '\n')) ++p;
        if (p == end) break;
        const char* start = p;
        while (p != end && !TextScanner::isBlank(*p) && *p != '\n') ++p;
        const std::string_view token(start, static_cast<std::size_t>(p - start));
        T x{};
        bool good = false;
        if constexpr (std::is_integral_v<T>)
            good = parseInteger(token, x);
        else
            good = parseReal(token, x);
        const auto here = [&] {
            // The line of the tag's start, plus those of the text before; exact where the tag is on one line.
            return line + static_cast<std::size_t>(std::count(a.ascii.data(), start, '\n'));
        };
        if (!good)
            throw MeshError(m_source.path, here(), MeshError::None,
                            std::string(what) + (std::is_integral_v<T> ? " (an integer)" : " (a number)"),
                            TextScanner::quoted(token));
        if constexpr (std::is_floating_point_v<T>)
            if (finite && !std::isfinite(x)) check(x, v.size(), here());
        v.push_back(x);
    }
    return v;
}

void XmlParser::piece(const XMLElement* e, bool polyData)
{
    const std::size_t n = count(e, "NumberOfPoints");
    m_firstPoint = m_mesh.positions.size();
    const std::size_t cellsBefore = m_mesh.cellOrigins.size();
    if (n > 0) {
        const auto* array = child(child(e, "Points"), "DataArray");
        const auto a = open(array);
        const auto x = values<double>(array, a, "a point coordinate", true);
        if (a.components != 3 || x.size() % 3 != 0 || x.size() / 3 != n)
            fail(array, "3 coordinates for each of " + std::to_string(n) + " points",
                 std::to_string(x.size()) + " values of " + std::to_string(a.components) + " components");
        for (std::size_t i = 0; i < n; ++i) m_mesh.positions.push_back({x[3 * i], x[3 * i + 1], x[3 * i + 2]});
    }
    m_piecePoints = n;
    if (polyData) {
        const auto list = [&](const char* name, const char* number, int (*typeOf)(std::size_t)) {
            const std::size_t k = count(e, number, false);
            if (k > 0) cells(child(e, name), name, k, typeOf, false);
        };
        list("Verts", "NumberOfVerts", [](std::size_t k) -> int { return k == 1 ? VtkVertex : VtkPolyVertex; });
        list("Lines", "NumberOfLines", [](std::size_t k) -> int { return k == 2 ? VtkLine : VtkPolyLine; });
        list("Polys", "NumberOfPolys", [](std::size_t k) -> int { return k == 4 ? VtkQuad : VtkPolygon; });
        list("Strips", "NumberOfStrips", [](std::size_t) -> int { return VtkTriangleStrip; });
    } else if (const std::size_t k = count(e, "NumberOfCells"); k > 0) {
        cells(child(e, "Cells"), "Cells", k, nullptr, true);
    }
    if (const auto* d = e->FirstChildElement("PointData")) attributes(d, true, n, m_firstPoint);
    if (const auto* d = e->FirstChildElement("CellData"))
        attributes(d, false, m_mesh.cellOrigins.size() - cellsBefore, cellsBefore);
}

void XmlParser::cells(const XMLElement* e, const char* what, std::size_t n, int (*typeOf)(std::size_t), bool haveTypes)
{
    Vector<std::int64_t> connectivity, offsets, types;
    bool seen[3] = {};
    for (const auto* d = e->FirstChildElement("DataArray"); d; d = d->NextSiblingElement("DataArray")) {
        const std::string name = attribute(d, "Name");
        if (name == "connectivity") {
            connectivity = values<std::int64_t>(d, open(d), "the point of a cell");
            seen[0] = true;
        } else if (name == "offsets") {
            offsets = values<std::int64_t>(d, open(d), "the offset of a cell");
            seen[1] = true;
        } else if (name == "types" && haveTypes) {
            types = values<std::int64_t>(d, open(d), "the type of a cell");
            seen[2] = true;
        }
    }
    if (!seen[0]) fail(e, "an array named connectivity", "none");
    if (!seen[1]) fail(e, "an array named offsets", "none");
    if (haveTypes && !seen[2]) fail(e, "an array named types", "none");
    if (offsets.size() != n) fail(e, std::to_string(n) + " offsets", std::to_string(offsets.size()));
    if (haveTypes && types.size() != n) fail(e, std::to_string(n) + " cell types", std::to_string(types.size()));
    Vector<Index> ids;
    std::int64_t start = 0;
    for (std::size_t c = 0; c < n; ++c) {
        const std::int64_t end = offsets[c];
        if (end < start || static_cast<std::uint64_t>(end) > connectivity.size())
            fail(e, std::string(what) + " whose offsets rise up to " + std::to_string(connectivity.size()),
                 "offset " + std::to_string(end) + " of cell " + std::to_string(c));
        ids.clear();
        for (; start < end; ++start) {
            const std::int64_t id = connectivity[static_cast<std::size_t>(start)];
            if (id < 0 || id >= static_cast<std::int64_t>(m_piecePoints))
                fail(e, std::string(what) + " of the " + std::to_string(m_piecePoints) + " points",
                     "point " + std::to_string(id) + " in cell " + std::to_string(c));
            ids.push_back(static_cast<Index>(m_firstPoint + static_cast<std::size_t>(id)));
        }
        const std::int64_t type = typeOf ? typeOf(ids.size()) : types[c];
        if (type < 0 || type > 255) fail(e, "cell types from 0 to 255", std::to_string(type));
        if (!m_cells.add(static_cast<int>(type), ids.data(), ids.size()))
            fail(e,
                 "at least " + std::to_string(VtkCells::minimumPoints(static_cast<int>(type))) +
                     " points for a cell of VTK type " + std::to_string(type),
                 std::to_string(ids.size()) + " in cell " + std::to_string(c));
    }
}

void XmlParser::attributes(const XMLElement* e, bool ofPoints, std::size_t tuples, std::size_t before)
{
    const std::string normals = attribute(e, "Normals"), texCoords = attribute(e, "TCoords");
    auto& arrays = ofPoints ? m_mesh.pointData : m_mesh.cellData;
    for (const auto* d = e->FirstChildElement("DataArray"); d; d = d->NextSiblingElement("DataArray")) {
        if (vtkType(attribute(d, "type")) == VtkType::String) continue;
        const auto a = open(d);
        auto v = values<double>(d, a, "a value of an array");
        if (v.size() % a.components != 0 || v.size() / a.components != tuples)
            fail(d, std::to_string(tuples) + " tuples of " + std::to_string(a.components) + " values",
                 std::to_string(v.size()) + " values in array '" + a.name + "'");
        if (ofPoints && a.components == 3 && (a.name == normals || (normals.empty() && a.name == "Normals"))) {
            if (m_mesh.normals.size() == before)
                for (std::size_t i = 0; i < tuples; ++i)
                    m_mesh.normals.push_back({v[3 * i], v[3 * i + 1], v[3 * i + 2]});
            continue;
        }
        if (ofPoints && a.components >= 2 && !texCoords.empty() && a.name == texCoords) {
            if (m_mesh.texCoords.size() == before)
                for (std::size_t i = 0; i < tuples; ++i)
                    m_mesh.texCoords.push_back({v[i * a.components], v[i * a.components + 1]});
            continue;
        }
        // An array continues the one of the same name of the pieces before.
        const auto same = std::find_if(arrays.begin(), arrays.end(), [&](const DataArray& x) {
            return x.name == a.name && x.components == a.components && x.tuples() == before;
        });
        if (same != arrays.end() && before > 0)
            same->values.insert(same->values.end(), v.begin(), v.end());
        else
            arrays.push_back({a.name, a.components, std::move(v)});
    }
}

}  // namespace

MeshData parseVtkXml(const SourceText& source) { return XmlParser(source).run(); }

MeshData readVtkXml(const std::filesystem::path& path) { return parseVtkXml(loadSource(path)); }

namespace {

void append(std::string& out, std::uint64_t number)
{
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Bytes as VTK has them behind "AppendedData": their number and they, or blocks compressed each by itself, with a
/// table of their sizes in front.
void appendBlock(std::string& out, std::string_view bytes, bool compress)
{
    if (!compress) {
        append(out, bytes.size());
        out += bytes;
        return;
    }
    constexpr std::size_t blockSize = 1 << 20;
    std::string blocks, sizes;
    std::size_t count = 0;
    for (std::size_t at = 0; at < bytes.size(); at += blockSize, ++count) {
        const std::string_view block = bytes.substr(at, blockSize);
        uLongf n = compressBound(static_cast<uLong>(block.size()));
        const std::size_t before = blocks.size();
        blocks.resize(before + n);
        if (compress2(reinterpret_cast<Bytef*>(blocks.data() + before), &n,
                      reinterpret_cast<const Bytef*>(block.data()), static_cast<uLong>(block.size()),
                      Z_BEST_SPEED) != Z_OK)
            throw std::bad_alloc();
        blocks.resize(before + n);
        append(sizes, n);
    }
    append(out, count);
    append(out, blockSize);
    append(out, bytes.size() % blockSize);
    out += sizes;
    out += blocks;
}

}  // namespace

void writeVtu(const std::filesystem::path& path, const MeshData& mesh, VtkEncoding encoding)
{
    requirePoints(path, mesh);
    const VtkCellList cells(mesh);
    const bool ascii = encoding == VtkEncoding::Ascii;
    std::string out = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"";
    out += std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
    out += "\" header_type=\"UInt64\"";
    if (encoding == VtkEncoding::Compressed) out += " compressor=\"vtkZLibDataCompressor\"";
    out += ">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"";
    out += std::to_string(mesh.positions.size()) + "\" NumberOfCells=\"" + std::to_string(cells.size()) + "\">\n";
    std::string appended;
    const auto escaped = [](const std::string& s) {
        std::string r;
        for (const char c : s) r += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
        return r;
    };
    // `data`: contiguous numbers.
    const auto array = [&](const std::string& name, const char* type, std::size_t components, const auto* data,
                           std::size_t n) {
        out += "<DataArray type=\"" + std::string(type) + "\" Name=\"" + escaped(name) + "\" NumberOfComponents=\"" +
               std::to_string(components) + "\" format=\"";
        if (!ascii) {
            out += "appended\" offset=\"" + std::to_string(appended.size()) + "\"/>\n";
            const std::string_view bytes(n ? reinterpret_cast<const char*>(data) : "", n * sizeof(*data));
            appendBlock(appended, bytes, encoding == VtkEncoding::Compressed);
            return;
        }
        out += "ascii\">\n";
        for (std::size_t i = 0; i < n; ++i) {
            if constexpr (std::is_same_v<std::decay_t<decltype(*data)>, double>)
                appendNumber(out, data[i]);
            else
                appendNumber(out, static_cast<std::uint64_t>(data[i]));
            out += (i + 1) % components == 0 && (components > 1 || (i + 1) % 16 == 0 || i + 1 == n) ? '\n' : ' ';
        }
        out += "</DataArray>\n";
    };
    const auto checked = [&](const DataArray& d) {
        if (d.values.size() != mesh.positions.size() * d.components)
            throw MeshError(path.string(), "point data '" + d.name + "' has " + std::to_string(d.tuples()) +
                                               " tuples for " + std::to_string(mesh.positions.size()) + " points");
    };

    const std::size_t n = mesh.positions.size();
    const bool hasN = n && mesh.normals.size() == n, hasT = n && mesh.texCoords.size() == n;
    out += "<PointData";
    if (hasN) out += " Normals=\"Normals\"";
    if (hasT) out += " TCoords=\"TextureCoordinates\"";
    out += ">\n";
    if (hasN) array("Normals", "Float64", 3, mesh.normals[0].data(), 3 * n);
    if (hasT) array("TextureCoordinates", "Float64", 2, mesh.texCoords[0].data(), 2 * n);
    for (const auto& d : mesh.pointData) {
        checked(d);
        array(d.name, "Float64", std::max<std::size_t>(1, d.components), d.values.data(), d.values.size());
    }
    out += "</PointData>\n<CellData>\n";
    for (const auto& d : mesh.cellData) {
        const auto v = cells.ordered(mesh, d, path.string());
        array(d.name, "Float64", std::max<std::size_t>(1, d.components), v.data(), v.size());
    }
    out += "</CellData>\n<Points>\n";
    array("Points", "Float64", 3, n ? mesh.positions[0].data() : static_cast<const double*>(nullptr), 3 * n);
    out += "</Points>\n<Cells>\n";
    array("connectivity", "Int64", 1, cells.connectivity.data(), cells.connectivity.size());
    array("offsets", "Int64", 1, cells.offsets.data(), cells.offsets.size());
    array("types", "UInt8", 1, cells.types.data(), cells.types.size());
    out += "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
    if (!ascii) {
        out += "<AppendedData encoding=\"raw\">\n_";
        out += appended;
        out += "\n</AppendedData>\n";
    }
    out += "</VTKFile>\n";
    saveText(path, out);
}

// Such a file goes by the name .vtk too in practice.
static const RegisterMeshFormat registeredVtkXmlFormat(
    {.name = "XML of VTK",
     .extensions = {".vtu", ".vtp"},
     .recognise =
         [](std::string_view content) {
             return content.substr(0, 1000).find("<VTKFile") != std::string_view::npos ? Recognition::Sure
                                                                                       : Recognition::No;
         },
     .read = [](const SourceText& source, const MeshReadOptions&) { return parseVtkXml(source); },
     .write =
         [](const std::filesystem::path& path, const MeshData& mesh) {
             if (path.extension() == ".vtp")
                 throw MeshError(path.string(), "not written: what is written is an unstructured grid, a .vtu file");
             writeVtu(path, mesh);
         }});

}  // namespace sofa::core::io
