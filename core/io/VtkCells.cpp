// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VtkCells.h"

#include <algorithm>
#include <cctype>

#include "core/io/MeshError.h"

namespace sofa::core::io {

namespace {

struct TypeName
{
    std::string_view name;
    VtkType type;
};

constexpr TypeName typeNames[] = {
    {"bit", VtkType::Bit},
    {"char", VtkType::Int8},
    {"signed_char", VtkType::Int8},
    {"int8", VtkType::Int8},
    {"vtktypeint8", VtkType::Int8},
    {"unsigned_char", VtkType::UInt8},
    {"uint8", VtkType::UInt8},
    {"vtktypeuint8", VtkType::UInt8},
    {"short", VtkType::Int16},
    {"int16", VtkType::Int16},
    {"vtktypeint16", VtkType::Int16},
    {"unsigned_short", VtkType::UInt16},
    {"uint16", VtkType::UInt16},
    {"vtktypeuint16", VtkType::UInt16},
    {"int", VtkType::Int32},
    {"int32", VtkType::Int32},
    {"vtktypeint32", VtkType::Int32},
    {"vtkidtype", VtkType::Int32},  // legacy files hold ids as int
    {"unsigned_int", VtkType::UInt32},
    {"uint32", VtkType::UInt32},
    {"vtktypeuint32", VtkType::UInt32},
    {"long", VtkType::Int64},
    {"long_long", VtkType::Int64},
    {"int64", VtkType::Int64},
    {"vtktypeint64", VtkType::Int64},
    {"unsigned_long", VtkType::UInt64},
    {"unsigned_long_long", VtkType::UInt64},
    {"uint64", VtkType::UInt64},
    {"vtktypeuint64", VtkType::UInt64},
    {"float", VtkType::Float32},
    {"float32", VtkType::Float32},
    {"double", VtkType::Float64},
    {"float64", VtkType::Float64},
    {"string", VtkType::String},
};

/// High-order cell types: the first-order cell of their first nodes.
struct HighOrder
{
    int type, base;
    std::size_t minimum;
};
constexpr HighOrder highOrder[] = {
    {21, VtkLine, 3},        {22, VtkTriangle, 6}, {23, VtkQuad, 8},     {24, VtkTetra, 10},
    {25, VtkHexahedron, 20}, {26, VtkWedge, 15},   {27, VtkPyramid, 13}, {28, VtkQuad, 9},
    {29, VtkHexahedron, 27}, {30, VtkQuad, 6},     {31, VtkWedge, 12},   {32, VtkWedge, 18},
    {33, VtkHexahedron, 24}, {34, VtkTriangle, 7}, {35, VtkLine, 4},     {37, VtkPyramid, 19},
    {68, VtkLine, 2},        {69, VtkTriangle, 3}, {70, VtkQuad, 4},     {71, VtkTetra, 4},
    {72, VtkHexahedron, 8},  {73, VtkWedge, 6},    {74, VtkPyramid, 5},  {75, VtkLine, 2},
    {76, VtkTriangle, 3},    {77, VtkQuad, 4},     {78, VtkTetra, 4},    {79, VtkHexahedron, 8},
    {80, VtkWedge, 6},       {81, VtkPyramid, 5},
};

template <class S>
S load(const char* p, bool swap)
{
    char b[sizeof(S)];
    for (std::size_t i = 0; i < sizeof(S); ++i) b[i] = p[swap ? sizeof(S) - 1 - i : i];
    S v;
    std::memcpy(&v, b, sizeof(S));
    return v;
}

}  // namespace

std::optional<VtkType> vtkType(std::string_view name)
{
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const auto& t : typeNames)
        if (t.name == lower) return t.type;
    return std::nullopt;
}

std::size_t vtkTypeSize(VtkType type)
{
    switch (type) {
        case VtkType::Bit:
        case VtkType::String:
            return 0;
        case VtkType::Int8:
        case VtkType::UInt8:
            return 1;
        case VtkType::Int16:
        case VtkType::UInt16:
            return 2;
        case VtkType::Int32:
        case VtkType::UInt32:
        case VtkType::Float32:
            return 4;
        case VtkType::Int64:
        case VtkType::UInt64:
        case VtkType::Float64:
            return 8;
    }
    return 0;
}

template <class T>
T vtkValue(VtkType type, const char* p, bool swap)
{
    switch (type) {
        case VtkType::Int8:
            return static_cast<T>(load<std::int8_t>(p, swap));
        case VtkType::UInt8:
            return static_cast<T>(load<std::uint8_t>(p, swap));
        case VtkType::Int16:
            return static_cast<T>(load<std::int16_t>(p, swap));
        case VtkType::UInt16:
            return static_cast<T>(load<std::uint16_t>(p, swap));
        case VtkType::Int32:
            return static_cast<T>(load<std::int32_t>(p, swap));
        case VtkType::UInt32:
            return static_cast<T>(load<std::uint32_t>(p, swap));
        case VtkType::Int64:
            return static_cast<T>(load<std::int64_t>(p, swap));
        case VtkType::UInt64:
            return static_cast<T>(load<std::uint64_t>(p, swap));
        case VtkType::Float32:
            if constexpr (std::is_floating_point_v<T>) return static_cast<T>(load<float>(p, swap));
            break;
        case VtkType::Float64:
            if constexpr (std::is_floating_point_v<T>) return static_cast<T>(load<double>(p, swap));
            break;
        case VtkType::Bit:
        case VtkType::String:
            break;
    }
    return T();
}

std::size_t VtkCells::minimumPoints(int type)
{
    static constexpr std::size_t first[15] = {0, 1, 0, 2, 2, 3, 3, 3, 4, 4, 4, 8, 8, 6, 5};
    if (type >= 0 && type < 15) return first[type];
    for (const auto& h : highOrder)
        if (h.type == type) return h.minimum;
    return 0;
}

bool VtkCells::add(int type, const Index* c, std::size_t n)
{
    if (n < minimumPoints(type)) return false;
    int base = type;
    for (const auto& h : highOrder)
        if (h.type == type) base = h.base;

    CellOrigin o;
    const auto start = [&](CellKind kind) {
        o.kind = kind;
        o.first = static_cast<Index>(m_mesh.cellCount(kind));
    };
    switch (base) {
        case 0:
            break;
        case VtkVertex:
        case VtkPolyVertex:
            start(CellKind::Point);
            m_mesh.points.insert(m_mesh.points.end(), c, c + n);
            break;
        case VtkLine:
            start(CellKind::Edge);
            if (type == 21)
                m_edges.addEdgeElement(c[0], c[1], c[2]);
            else
                m_mesh.edges.push_back({c[0], c[1]});
            break;
        case VtkPolyLine:
            start(CellKind::Polyline);
            m_mesh.polylines.emplace_back(c, c + n);
            break;
        case VtkTriangle:
            start(CellKind::Triangle);
            m_mesh.triangles.push_back({c[0], c[1], c[2]});
            break;
        case VtkTriangleStrip:
            start(CellKind::Triangle);
            for (std::size_t j = 0; j + 2 < n; ++j) {
                if (j % 2 == 0)
                    m_mesh.triangles.push_back({c[j], c[j + 1], c[j + 2]});
                else
                    m_mesh.triangles.push_back({c[j + 1], c[j], c[j + 2]});
            }
            break;
        case VtkPolygon:
            start(CellKind::Triangle);
            addPolygon(m_mesh, c, n);
            break;
        case VtkPixel:
            start(CellKind::Quad);
            m_mesh.quads.push_back({c[0], c[1], c[3], c[2]});
            break;
        case VtkQuad:
            start(CellKind::Quad);
            m_mesh.quads.push_back({c[0], c[1], c[2], c[3]});
            break;
        case VtkTetra:
            start(CellKind::Tetrahedron);
            m_mesh.tetrahedra.push_back({c[0], c[1], c[2], c[3]});
            break;
        case VtkVoxel:
            start(CellKind::Hexahedron);
            m_mesh.hexahedra.push_back({c[0], c[1], c[3], c[2], c[4], c[5], c[7], c[6]});
            break;
        case VtkHexahedron:
            start(CellKind::Hexahedron);
            m_mesh.hexahedra.push_back({c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]});
            break;
        case VtkWedge:
            start(CellKind::Prism);
            m_mesh.prisms.push_back({c[0], c[1], c[2], c[3], c[4], c[5]});
            break;
        case VtkPyramid:
            start(CellKind::Pyramid);
            m_mesh.pyramids.push_back({c[0], c[1], c[2], c[3], c[4]});
            break;
        default:
            ++m_unknown[type];
            break;
    }
    if (base != 0 && !m_unknown.contains(type)) o.count = static_cast<Index>(m_mesh.cellCount(o.kind)) - o.first;
    m_mesh.cellOrigins.push_back(o);

    if (type == 22) {
        static constexpr int sides[3][2] = {{0, 1}, {1, 2}, {2, 0}};
        for (int j = 0; j < 3; ++j) m_edges.addSide(c[sides[j][0]], c[sides[j][1]], c[3 + j]);
    } else if (type == 24) {
        static constexpr int sides[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
        for (int j = 0; j < 6; ++j) m_edges.addSide(c[sides[j][0]], c[sides[j][1]], c[4 + j]);
    } else if (base != type && type != 21) {
        ++m_reduced[type];
    }
    return true;
}

void VtkCells::addGrid(std::size_t nx, std::size_t ny, std::size_t nz)
{
    const auto at = [&](std::size_t i, std::size_t j, std::size_t k) {
        return static_cast<Index>(i + nx * (j + ny * k));
    };
    // Steps of a cell along the axes: 1, or 0 where the grid has a single layer of points.
    const std::size_t dx = nx > 1, dy = ny > 1, dz = nz > 1;
    if (nx * ny * nz == 0) return;
    for (std::size_t k = 0; k + dz < nz; ++k)
        for (std::size_t j = 0; j + dy < ny; ++j)
            for (std::size_t i = 0; i + dx < nx; ++i) {
                Index ids[8];
                std::size_t n = 0;
                for (std::size_t c = 0; c <= dz; ++c)
                    for (std::size_t b = 0; b <= dy; ++b)
                        for (std::size_t a = 0; a <= dx; ++a) ids[n++] = at(i + a, j + b, k + c);
                add(n == 8 ? VtkVoxel : n == 4 ? VtkPixel : n == 2 ? VtkLine : VtkVertex, ids, n);
            }
}

namespace {

/// What the corners of a high-order cell form.
CellKind kindOf(int type)
{
    for (const auto& h : highOrder)
        if (h.type == type) switch (h.base) {
                case VtkLine:
                    return CellKind::Edge;
                case VtkTriangle:
                    return CellKind::Triangle;
                case VtkQuad:
                    return CellKind::Quad;
                case VtkTetra:
                    return CellKind::Tetrahedron;
                case VtkWedge:
                    return CellKind::Prism;
                case VtkPyramid:
                    return CellKind::Pyramid;
                default:
                    return CellKind::Hexahedron;
            }
    return CellKind::Point;
}

}  // namespace

void VtkCells::finish()
{
    for (const auto& [type, n] : m_reduced)
        m_mesh.notes.push_back(m_path + ": " + std::to_string(n) + " high-order cells of VTK type " +
                               std::to_string(type) + " (" + cellKindName(kindOf(type)) +
                               ") are reduced to their corners");
    for (const auto& [type, n] : m_unknown)
        m_mesh.notes.push_back(m_path + ": " + std::to_string(n) + " cells of VTK type " + std::to_string(type) +
                               " are not supported and left out");
}

VtkCellList::VtkCellList(const MeshData& mesh)
{
    const auto cell = [&](int type, const auto& vertices) {
        for (const Index v : vertices) connectivity.push_back(v);
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
        types.push_back(static_cast<std::uint8_t>(type));
    };
    const auto all = [&](int type, const auto& cells) {
        for (const auto& c : cells) cell(type, c);
    };
    const SecondOrderCells second(mesh);
    const auto either = [&](CellKind kind, int type, int secondOrder, const auto& cells) {
        for (const auto& c : cells) {
            const SecondOrderCells::Nodes nodes = second.nodes(kind, c.data());
            nodes.empty() ? cell(type, c) : cell(secondOrder, nodes);
        }
    };
    for (const Index p : mesh.points) cell(VtkVertex, std::array<Index, 1>{p});
    either(CellKind::Edge, VtkLine, 21, mesh.edges);
    all(VtkPolyLine, mesh.polylines);
    either(CellKind::Triangle, VtkTriangle, 22, mesh.triangles);
    all(VtkQuad, mesh.quads);
    either(CellKind::Tetrahedron, VtkTetra, 24, mesh.tetrahedra);
    all(VtkHexahedron, mesh.hexahedra);
    all(VtkWedge, mesh.prisms);
    all(VtkPyramid, mesh.pyramids);
}

Vector<double> VtkCellList::ordered(const MeshData& mesh, const DataArray& data, const std::string& path) const
{
    const std::size_t k = data.components;
    if (mesh.cellOrigins.empty() || mesh.cellOrigins.size() != data.tuples()) {
        if (data.tuples() != size() || data.values.size() != size() * k)
            throw MeshError(path, "cell data '" + data.name + "' has " + std::to_string(data.tuples()) +
                                      " tuples for " + std::to_string(size()) + " cells");
        return data.values;
    }
    // First place of each kind in this list.
    std::array<std::size_t, CellKindCount> start{};
    std::size_t n = 0;
    for (const CellKind kind : cellOrder) {
        start[static_cast<std::size_t>(kind)] = n;
        n += mesh.cellCount(kind);
    }
    Vector<double> out(size() * k, 0.);
    for (std::size_t c = 0; c < mesh.cellOrigins.size(); ++c) {
        const auto& o = mesh.cellOrigins[c];
        for (std::size_t i = 0; i < o.count; ++i) {
            const std::size_t to = start[static_cast<std::size_t>(o.kind)] + o.first + i;
            if (to < size())
                std::copy_n(data.values.begin() + static_cast<std::ptrdiff_t>(c * k), k,
                            out.begin() + static_cast<std::ptrdiff_t>(to * k));
        }
    }
    return out;
}

template double vtkValue<double>(VtkType, const char*, bool);
template std::int64_t vtkValue<std::int64_t>(VtkType, const char*, bool);

}  // namespace sofa::core::io
