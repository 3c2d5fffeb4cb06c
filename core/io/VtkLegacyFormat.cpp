// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VtkLegacyFormat.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>

#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/io/VtkCells.h"

namespace sofa::core::io {

namespace {

std::string upper(std::string_view s)
{
    std::string r(s);
    std::transform(r.begin(), r.end(), r.begin(), [](unsigned char c) { return std::toupper(c); });
    return r;
}

/// Names are written with blanks and other special characters as %XX.
std::string decodedName(std::string_view s)
{
    const auto hex = [](char c) { return c >= '0' && c <= '9' ? c - '0' : (std::tolower(c) - 'a') + 10; };
    std::string r;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s[i] == '%' && i + 2 < s.size() && std::isxdigit(static_cast<unsigned char>(s[i + 1])) &&
            std::isxdigit(static_cast<unsigned char>(s[i + 2]))) {
            r += static_cast<char>(16 * hex(s[i + 1]) + hex(s[i + 2]));
            i += 2;
        } else {
            r += s[i];
        }
    }
    return r;
}

/// Cells as lists of points: `offsets` has one entry more than there are cells.
struct CellArray
{
    Vector<std::int64_t> offsets{0}, ids;
    std::size_t at = 0;  // in the file, for messages
    std::size_t size() const { return offsets.size() - 1; }
};

class LegacyParser
{
public:
    LegacyParser(const SourceText& source, const MeshReadOptions& options, bool littleEndian)
        : m_in(source), m_options(options), m_cells(m_mesh, source.path)
    {
        m_in.setByteSwap(littleEndian == (std::endian::native == std::endian::big));
    }
    MeshData run();
    bool binary() const { return m_binary; }

private:
    TextScanner m_in;
    const MeshReadOptions& m_options;
    MeshData m_mesh;
    VtkCells m_cells;
    bool m_binary = false;
    std::string m_dataset;
    bool m_havePoints = false;
    CellArray m_vertices, m_lines, m_polygons, m_strips, m_unstructured;
    Vector<std::int64_t> m_types;
    std::size_t m_typesAt = 0;
    bool m_haveTypes = false;
    std::array<std::size_t, 3> m_dimensions{1, 1, 1};
    bool m_haveDimensions = false;
    Vec3 m_origin, m_spacing{1., 1., 1.};
    std::array<Vector<double>, 3> m_axes;
    bool m_finished = false;

    void header();
    VtkType type(const char* what);
    std::string name(const char* what);
    Vector<double> reals(VtkType type, std::size_t n, const char* what, bool finite = false);
    Vector<std::int64_t> integers(VtkType type, std::size_t n, const char* what);
    std::size_t product(std::size_t tuples, std::size_t components, const char* what) const;
    void beginData()
    {
        if (m_binary) m_in.skipLine();
    }
    void skipStrings(std::size_t n);
    void points();
    CellArray cells(const char* what);
    void dimensions();
    void geometry();
    void addCells(const CellArray& cells, const char* what, int (*typeOf)(std::size_t));
    void attributes(bool ofPoints);
    void field(std::vector<DataArray>* out, std::size_t tuples);
    void metadata();
    /// A keyword that starts a section of the geometry, or an attribute without its POINT_DATA: false if unknown.
    bool section(const std::string& key);
};

void LegacyParser::header()
{
    const auto first = m_in.restOfLine();
    static constexpr std::string_view magic = "# vtk DataFile Version";
    if (first.substr(0, magic.size()) != magic)
        m_in.failAt(0, "'# vtk DataFile Version x.y'", TextScanner::quoted(first));
    m_in.skipLine();  // title
    const auto format = upper(m_in.token());
    if (format == "BINARY")
        m_binary = true;
    else if (format != "ASCII")
        m_in.fail("'ASCII' or 'BINARY'", m_in.found());
    if (upper(m_in.token()) != "DATASET") m_in.fail("'DATASET'", m_in.found());
    m_dataset = upper(m_in.token());
    for (const char* known :
         {"POLYDATA", "UNSTRUCTURED_GRID", "STRUCTURED_GRID", "RECTILINEAR_GRID", "STRUCTURED_POINTS"})
        if (m_dataset == known) return;
    m_in.fail("a dataset POLYDATA, UNSTRUCTURED_GRID, STRUCTURED_GRID, RECTILINEAR_GRID or STRUCTURED_POINTS",
              m_in.found());
}

VtkType LegacyParser::type(const char* what)
{
    const auto t = vtkType(m_in.tokenOnLine());
    if (!t) m_in.fail(std::string("the type of ") + what + " (such as float, double or int)", m_in.found());
    return *t;
}

std::string LegacyParser::name(const char* what)
{
    const auto t = m_in.tokenOnLine();
    if (t.empty()) m_in.fail(std::string("the name of ") + what, m_in.found());
    return decodedName(t);
}

std::size_t LegacyParser::product(std::size_t tuples, std::size_t components, const char* what) const
{
    if (components != 0 && tuples > (m_in.remaining() + 1) * 8 / components)
        m_in.fail(std::string(what) + " that fit into the remaining " + std::to_string(m_in.remaining()) +
                      " bytes of the file",
                  std::to_string(tuples) + " times " + std::to_string(components) + " values");
    return tuples * components;
}

Vector<double> LegacyParser::reals(VtkType type, std::size_t n, const char* what, bool finite)
{
    Vector<double> v;
    if (!m_binary) {
        v.reserve(std::min(n, m_in.remaining()));
        const bool single = type == VtkType::Float32;
        for (std::size_t i = 0; i < n; ++i) {
            const double x = finite ? m_in.finite(what) : m_in.real(what);
            v.push_back(single ? static_cast<double>(static_cast<float>(x)) : x);
        }
        return v;
    }
    if (type == VtkType::Bit) {
        const char* p = m_in.bytes((n + 7) / 8, what);
        for (std::size_t i = 0; i < n; ++i) v.push_back((static_cast<unsigned char>(p[i / 8]) >> (7 - i % 8)) & 1);
        return v;
    }
    const std::size_t size = vtkTypeSize(type), at = m_in.offset();
    if (size == 0) m_in.fail(std::string(what) + " of a type of numbers", m_in.found());
    if (n > m_in.remaining() / size) (void)m_in.bytes(m_in.remaining() + 1, what);
    const char* p = m_in.bytes(n * size, what);
    v.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        v[i] = vtkValue<double>(type, p + i * size, m_in.byteSwap());
        if (finite && !std::isfinite(v[i]))
            m_in.failBinary(at + i * size, std::string(what) + " (a finite number)", "infinity or NaN");
    }
    return v;
}

Vector<std::int64_t> LegacyParser::integers(VtkType type, std::size_t n, const char* what)
{
    Vector<std::int64_t> v;
    if (!m_binary) {
        v.reserve(std::min(n, m_in.remaining()));
        for (std::size_t i = 0; i < n; ++i) v.push_back(m_in.integer(what));
        return v;
    }
    const std::size_t size = vtkTypeSize(type);
    if (size == 0 || type == VtkType::Float32 || type == VtkType::Float64)
        m_in.fail(std::string(what) + " of an integer type", m_in.found());
    if (n > m_in.remaining() / size) (void)m_in.bytes(m_in.remaining() + 1, what);
    const char* p = m_in.bytes(n * size, what);
    v.resize(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = vtkValue<std::int64_t>(type, p + i * size, m_in.byteSwap());
    return v;
}

void LegacyParser::points()
{
    if (m_havePoints) m_in.fail("one section of points only", m_in.found());
    m_havePoints = true;
    const std::size_t n = product(m_in.count("the number of points", 1), 3, "a number of points");
    const VtkType t = type("the points");
    beginData();
    const auto v = reals(t, n, "a point coordinate", true);
    m_mesh.positions.resize(n / 3);
    for (std::size_t i = 0; i < n; ++i) m_mesh.positions[i / 3][i % 3] = v[i];
}

CellArray LegacyParser::cells(const char* what)
{
    CellArray a;
    const std::size_t n = m_in.count("the number of cells", 1);
    const std::size_t size = m_in.count("the size of the list of cells", 1);
    a.at = m_in.tokenOffset();
    m_in.skipLine();
    const bool split = m_in.text().substr(m_in.offset(), 7) == "OFFSETS";
    if (split) {
        m_in.expect("OFFSETS");
        const VtkType t = type("the offsets");
        beginData();
        a.offsets = integers(t, n, "the offset of a cell");
        if (upper(m_in.token()) != "CONNECTIVITY") m_in.fail("'CONNECTIVITY'", m_in.found());
        const VtkType u = type("the connectivity");
        beginData();
        a.ids = integers(u, size, "the point of a cell");
        if (a.offsets.empty()) a.offsets.push_back(0);
        if (a.offsets[0] != 0 || a.offsets.back() != static_cast<std::int64_t>(a.ids.size()) ||
            !std::is_sorted(a.offsets.begin(), a.offsets.end()))
            m_in.failAt(a.at, "offsets of " + std::string(what) + " that rise from 0 to " + std::to_string(size),
                        "offsets that do not");
        return a;
    }
    const auto v = integers(VtkType::Int32, size, "an entry of the list of cells");
    std::size_t i = 0;
    for (std::size_t c = 0; c < n; ++c) {
        if (i >= v.size() || v[i] < 0 || static_cast<std::uint64_t>(v[i]) > v.size() - i - 1)
            m_in.failAt(a.at, "a list of " + std::to_string(size) + " entries for " + std::to_string(n) + " " + what,
                        "cell " + std::to_string(c) + " reaching beyond it");
        const auto k = static_cast<std::size_t>(v[i]);
        a.ids.insert(a.ids.end(), v.begin() + static_cast<std::ptrdiff_t>(i + 1),
                     v.begin() + static_cast<std::ptrdiff_t>(i + 1 + k));
        a.offsets.push_back(static_cast<std::int64_t>(a.ids.size()));
        i += 1 + k;
    }
    if (i != v.size())
        m_in.failAt(a.at, "a list of " + std::to_string(i) + " entries for " + std::to_string(n) + " " + what,
                    std::to_string(size));
    return a;
}

void LegacyParser::dimensions()
{
    std::size_t n = 1;
    for (auto& d : m_dimensions) {
        const std::int64_t v = m_in.integer("a dimension of the grid");
        if (v < 0) m_in.fail("a dimension of the grid (not negative)", m_in.found());
        d = static_cast<std::size_t>(v);
        if (d > m_options.maxImplicitPoints || n * d > m_options.maxImplicitPoints)
            m_in.fail("a grid of at most " + std::to_string(m_options.maxImplicitPoints) + " points", m_in.found());
        n *= d;
    }
    m_haveDimensions = true;
}

bool LegacyParser::section(const std::string& key)
{
    if (key == "POINTS") {
        points();
    } else if (key == "VERTICES") {
        m_vertices = cells("vertices");
    } else if (key == "LINES") {
        m_lines = cells("lines");
    } else if (key == "POLYGONS") {
        m_polygons = cells("polygons");
    } else if (key == "TRIANGLE_STRIPS") {
        m_strips = cells("triangle strips");
    } else if (key == "CELLS") {
        m_unstructured = cells("cells");
    } else if (key == "CELL_TYPES") {
        const std::size_t n = m_in.count("the number of cell types", 1);
        m_typesAt = m_in.tokenOffset();
        m_haveTypes = true;
        beginData();
        m_types = integers(VtkType::Int32, n, "a cell type");
    } else if (key == "DIMENSIONS") {
        dimensions();
    } else if (key == "ORIGIN") {
        m_origin = m_in.point("the origin of the grid");
    } else if (key == "SPACING" || key == "ASPECT_RATIO") {
        m_spacing = m_in.point("the spacing of the grid");
    } else if (key == "X_COORDINATES" || key == "Y_COORDINATES" || key == "Z_COORDINATES") {
        const std::size_t n = m_in.count("the number of coordinates", 1);
        const VtkType t = type("the coordinates");
        beginData();
        m_axes[static_cast<std::size_t>(key[0] - 'X')] = reals(t, n, "a coordinate", true);
    } else if (key == "FIELD") {
        field(nullptr, 0);
    } else if (key == "METADATA") {
        metadata();
    } else {
        return false;
    }
    return true;
}

MeshData LegacyParser::run()
{
    header();
    while (true) {
        const auto t = m_in.token();
        if (t.empty()) break;
        const std::string key = upper(t);
        if (key == "POINT_DATA" || key == "CELL_DATA")
            attributes(key == "POINT_DATA");
        else if (!section(key))
            m_in.fail("a keyword of the VTK format (such as POINTS, CELLS or POINT_DATA)", m_in.found());
    }
    geometry();
    m_cells.finish();
    return std::move(m_mesh);
}

void LegacyParser::addCells(const CellArray& cells, const char* what, int (*typeOf)(std::size_t))
{
    Vector<Index> ids;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        ids.clear();
        for (auto i = cells.offsets[c]; i < cells.offsets[c + 1]; ++i) {
            const std::int64_t id = cells.ids[static_cast<std::size_t>(i)];
            if (id < 0 || id >= static_cast<std::int64_t>(m_mesh.positions.size()))
                m_in.failAt(cells.at,
                            std::string(what) + " of the " + std::to_string(m_mesh.positions.size()) + " points",
                            "point " + std::to_string(id) + " in number " + std::to_string(c));
            ids.push_back(static_cast<Index>(id));
        }
        const int type = typeOf ? typeOf(ids.size()) : static_cast<int>(m_types[c]);
        if (!m_cells.add(type, ids.data(), ids.size()))
            m_in.failAt(cells.at,
                        "at least " + std::to_string(VtkCells::minimumPoints(type)) +
                            " points for a cell of VTK type " + std::to_string(type),
                        std::to_string(ids.size()) + " in number " + std::to_string(c));
    }
}

/// Called once the geometry is complete: before the first attributes, or at the end of the file.
void LegacyParser::geometry()
{
    if (m_finished) return;
    m_finished = true;
    const auto [nx, ny, nz] = m_dimensions;
    const std::size_t n = nx * ny * nz;
    if (m_dataset == "STRUCTURED_POINTS" || m_dataset == "RECTILINEAR_GRID" || m_dataset == "STRUCTURED_GRID") {
        if (!m_haveDimensions) m_in.fail("the DIMENSIONS of the grid", m_in.found());
        if (m_dataset == "STRUCTURED_GRID") {
            if (m_mesh.positions.size() != n)
                m_in.fail(std::to_string(n) + " points for the DIMENSIONS of the grid",
                          std::to_string(m_mesh.positions.size()));
        } else {
            if (m_dataset == "RECTILINEAR_GRID")
                for (std::size_t a = 0; a < 3; ++a)
                    if (m_axes[a].size() != m_dimensions[a])
                        m_in.fail(std::to_string(m_dimensions[a]) + " coordinates along axis " + std::to_string(a),
                                  std::to_string(m_axes[a].size()));
            m_mesh.positions.reserve(n);
            const auto at = [&](std::size_t axis, std::size_t i) {
                return m_axes[axis].empty() ? m_origin[axis] + m_spacing[axis] * static_cast<double>(i)
                                            : m_axes[axis][i];
            };
            for (std::size_t k = 0; k < nz; ++k)
                for (std::size_t j = 0; j < ny; ++j)
                    for (std::size_t i = 0; i < nx; ++i) m_mesh.positions.push_back({at(0, i), at(1, j), at(2, k)});
        }
        m_cells.addGrid(nx, ny, nz);
        return;
    }
    if (!m_havePoints) m_in.fail("the POINTS of the dataset", m_in.found());
    if (m_dataset == "POLYDATA") {
        addCells(m_vertices, "vertices", [](std::size_t k) -> int { return k == 1 ? VtkVertex : VtkPolyVertex; });
        addCells(m_lines, "lines", [](std::size_t k) -> int { return k == 2 ? VtkLine : VtkPolyLine; });
        addCells(m_polygons, "polygons", [](std::size_t k) -> int { return k == 4 ? VtkQuad : VtkPolygon; });
        addCells(m_strips, "triangle strips", [](std::size_t) -> int { return VtkTriangleStrip; });
    } else {
        if (m_types.size() != m_unstructured.size()) {
            if (!m_haveTypes) m_in.fail("the CELL_TYPES of the dataset", m_in.found());
            m_in.failAt(m_typesAt, std::to_string(m_unstructured.size()) + " cell types",
                        std::to_string(m_types.size()));
        }
        for (const auto t : m_types)
            if (t < 0 || t > 255) m_in.failAt(m_typesAt, "cell types from 0 to 255", std::to_string(t));
        addCells(m_unstructured, "cells", nullptr);
    }
}

void LegacyParser::skipStrings(std::size_t n)
{
    if (!m_binary) {
        m_in.skipLine();
        for (std::size_t i = 0; i < n && !m_in.atEnd(); ++i) m_in.skipLine();
        return;
    }
    beginData();
    for (std::size_t i = 0; i < n; ++i) {
        // The two high bits of the first byte tell how many bytes the length takes.
        const auto first = static_cast<unsigned char>(*m_in.bytes(1, "the length of a text value"));
        const int more[4] = {7, 3, 1, 0};
        std::uint64_t length = first & 0x3F;
        for (int k = 0; k < more[first >> 6]; ++k)
            length = length << 8 | static_cast<unsigned char>(*m_in.bytes(1, "the length of a text value"));
        (void)m_in.bytes(m_in.checkCount(length, 1, "a text value"), "a text value");
    }
}

void LegacyParser::field(std::vector<DataArray>* out, std::size_t tuples)
{
    (void)name("the field");
    const std::size_t arrays = m_in.count("the number of arrays of the field", 4);
    for (std::size_t a = 0; a < arrays; ++a) {
        if (upper(m_in.token()) == "METADATA") {
            metadata();
            (void)m_in.token();
        }
        const std::string label =
            decodedName(m_in.text().substr(m_in.tokenOffset(), m_in.offset() - m_in.tokenOffset()));
        if (label.empty()) m_in.fail("the name of an array", m_in.found());
        DataArray d{label, m_in.count("the number of components", 0), {}};
        const std::int64_t count = m_in.integer("the number of tuples");
        if (count < 0) m_in.fail("the number of tuples (not negative)", m_in.found());
        const auto n = static_cast<std::size_t>(count);
        const std::size_t at = m_in.tokenOffset();
        const std::size_t values = product(n, d.components, "a number of values");
        const VtkType t = type("the array");
        if (t == VtkType::String) {
            skipStrings(values);
            continue;
        }
        beginData();
        d.values = reals(t, values, "a value of a field");
        if (!out) continue;
        if (n != tuples)
            m_in.failAt(at, std::to_string(tuples) + " tuples", std::to_string(n) + " in array '" + d.name + "'");
        out->push_back(std::move(d));
    }
}

void LegacyParser::metadata()
{
    m_in.skipLine();
    while (!m_in.atEnd() && !m_in.restOfLine().empty()) {
    }
}

void LegacyParser::attributes(bool ofPoints)
{
    const auto n = static_cast<std::size_t>(m_in.integer("the number of tuples"));  // compared below
    const std::size_t countAt = m_in.tokenOffset();
    const std::string countText = m_in.found();
    geometry();
    const std::size_t expected = ofPoints ? m_mesh.positions.size() : m_mesh.cellOrigins.size();
    if (n != expected)
        m_in.failAt(countAt,
                    std::string(ofPoints ? "POINT_DATA" : "CELL_DATA") + " for the " + std::to_string(expected) +
                        (ofPoints ? " points" : " cells"),
                    countText);
    auto& arrays = ofPoints ? m_mesh.pointData : m_mesh.cellData;
    const auto array = [&](std::string label, VtkType t, std::size_t components) {
        if (t == VtkType::String) return skipStrings(n * components);
        const std::size_t values = product(n, components, "a number of values");
        beginData();
        arrays.push_back({std::move(label), components, reals(t, values, "a value of the point or cell data")});
    };
    while (true) {
        const std::size_t before = m_in.offset();
        const std::string key = upper(m_in.token());
        if (key == "SCALARS") {
            auto label = name("the scalars");
            const VtkType t = type("the scalars");
            std::size_t components = 1;
            if (!m_in.atLineEnd()) components = m_in.count("the number of components", 0);
            if (components < 1 || components > 64) m_in.fail("1 to 64 components", m_in.found());
            // The lookup table's line may be absent; binary values then follow this line.
            const std::size_t end = m_in.offset();
            m_in.skipLine();
            const std::size_t next = m_in.offset();
            if (m_in.text().substr(next, 12) == "LOOKUP_TABLE" ||
                (!m_binary && upper(m_in.token()) == "LOOKUP_TABLE")) {
                m_in.seek(next);
                (void)m_in.token();
                (void)m_in.tokenOnLine();
            } else {
                m_in.seek(end);
            }
            array(std::move(label), t, components);
        } else if (key == "COLOR_SCALARS") {
            auto label = name("the colours");
            const std::size_t components = m_in.count("the number of components", 0);
            array(std::move(label), m_binary ? VtkType::UInt8 : VtkType::Float32, components);
        } else if (key == "LOOKUP_TABLE") {
            (void)name("the lookup table");
            const std::size_t values = product(m_in.count("the size of the lookup table", 0), 4, "a size");
            beginData();
            (void)reals(VtkType::UInt8, values, "a value of the lookup table");
        } else if (key == "VECTORS" || key == "NORMALS" || key == "TENSORS" || key == "TENSORS6" ||
                   key == "GLOBAL_IDS" || key == "PEDIGREE_IDS" || key == "EDGE_FLAGS") {
            auto label = name("the array");
            const VtkType t = type("the array");
            std::size_t k = 1;
            if (key == "VECTORS" || key == "NORMALS") k = 3;
            if (key == "TENSORS") k = 9;
            if (key == "TENSORS6") k = 6;
            array(std::move(label), t, k);
            if (key == "NORMALS" && ofPoints && t != VtkType::String) {
                const auto v = std::move(arrays.back().values);
                arrays.pop_back();
                m_mesh.normals.resize(n);
                for (std::size_t i = 0; i < 3 * n; ++i) m_mesh.normals[i / 3][i % 3] = v[i];
            }
        } else if (key == "TEXTURE_COORDINATES") {
            auto label = name("the texture coordinates");
            const std::size_t k = m_in.count("the number of components", 0);
            if (k < 1 || k > 3) m_in.fail("1 to 3 components", m_in.found());
            const VtkType t = type("the texture coordinates");
            array(std::move(label), t, k);
            if (ofPoints && t != VtkType::String) {
                const auto v = std::move(arrays.back().values);
                arrays.pop_back();
                m_mesh.texCoords.resize(n);
                for (std::size_t i = 0; i < n; ++i) m_mesh.texCoords[i] = {v[i * k], k > 1 ? v[i * k + 1] : 0.};
            }
        } else if (key == "FIELD") {
            field(&arrays, n);
        } else if (key == "METADATA") {
            metadata();
        } else {
            m_in.seek(before);
            return;
        }
    }
}

}  // namespace

MeshData parseVtkLegacy(const SourceText& source, const MeshReadOptions& options)
{
    LegacyParser parser(source, options, false);
    try {
        return parser.run();
    } catch (const MeshError& bigEndianError) {
        if (!parser.binary()) throw;
        MeshData mesh;
        try {
            mesh = LegacyParser(source, options, true).run();
        } catch (const MeshError&) {
            throw bigEndianError;
        }
        mesh.notes.push_back(source.path + ": the binary data is little-endian, which the format does not allow");
        return mesh;
    }
}

MeshData readVtkLegacy(const std::filesystem::path& path, const MeshReadOptions& options)
{
    return parseVtkLegacy(loadSource(path), options);
}

static const RegisterMeshFormat registeredVtkLegacyFormat(
    {.name = "VTK",
     .extensions = {".vtk"},
     .recognise =
         [](std::string_view content) {
             return content.starts_with("# vtk DataFile") ? Recognition::Sure : Recognition::No;
         },
     .read = [](const SourceText& source, const MeshReadOptions& options) { return parseVtkLegacy(source, options); },
     .write = [](const std::filesystem::path& path, const MeshData& mesh) { writeVtkLegacy(path, mesh); }});

}  // namespace sofa::core::io
