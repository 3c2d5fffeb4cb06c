// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/PointMappings.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/mesh/SubElements.h"

namespace sofa::component {

// --- PointTopologicalMapping ----------------------------------------------------------------------------------------

void PointTopologicalMapping::undoInit()
{
    TopologicalMapping::undoInit();
    m_points.clear();
    m_made = false;
}

Index PointTopologicalMapping::addPoint(MappedPoint p)
{
    m_points.push_back(std::move(p));
    return static_cast<Index>(m_points.size() - 1);
}

Vec3 PointTopologicalMapping::positionOf(const BaseMeshTopology& input, const MappedPoint& p) const
{
    Vec3 x = p.offset;
    for (const Ancestor& a : p.from) x += input.pointPosition(a.index) * a.weight;
    return x;
}

Index PointTopologicalMapping::preparePoints(const BaseMeshTopology& input, StoredTopology& output)
{
    if (!m_made) {
        m_points.clear();
        makePoints(input);
        m_made = true;
        Vector<Vec3> x;
        if (knowsPositions(input))
            for (const MappedPoint& p : m_points) x.push_back(positionOf(input, p));
        output.d_position.unlink();
        output.d_position.setValue(std::move(x));
    }
    return static_cast<Index>(m_points.size());
}

std::string PointTopologicalMapping::refusal(const TopologyStep& step) const
{
    const BaseMeshTopology* from = input();
    if (step.kind == TopologyStep::Kind::Move || std::ranges::find(step.topologies, from) == step.topologies.end())
        return {};
    if (step.type == ElementType::Points)
        return "the points that it makes cannot follow those of '" + from->pathName() + "'";
    if (from == step.topology && hasPointsOf(step.type))
        return "the points that it makes cannot follow elements of type " + std::string(elementTypeName(step.type));
    return {};
}

// --- Mesh2PointTopologicalMapping -----------------------------------------------------------------------------------

namespace {

/// The corners of an element by the coordinates of a point in it, with their weights.
template <std::size_t N>
Ancestors weighted(const std::array<Index, N>& element, const std::array<double, N>& weights)
{
    Ancestors a;
    for (std::size_t i = 0; i < N; ++i)
        if (weights[i] != 0.) a.push_back({element[i], weights[i]});
    return a;
}

Ancestors at(const Edge& e, const Vec3& c) { return weighted(e, {1. - c[0], c[0]}); }
Ancestors at(const Triangle& t, const Vec3& c) { return weighted(t, {1. - c[0] - c[1], c[0], c[1]}); }
Ancestors inQuad(const Quad& q, const Vec3& c)
{
    return weighted(q, {(1. - c[0]) * (1. - c[1]), c[0] * (1. - c[1]), c[0] * c[1], (1. - c[0]) * c[1]});
}
Ancestors inTetrahedron(const Tetrahedron& t, const Vec3& c)
{
    return weighted(t, {1. - c[0] - c[1] - c[2], c[0], c[1], c[2]});
}
Ancestors at(const Hexahedron& h, const Vec3& c)
{
    std::array<double, 8> w{};
    constexpr std::array<std::array<int, 2>, 4> corners{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    for (std::size_t i = 0; i < 8; ++i) {
        const auto [x, y] = corners[i % 4];
        w[i] = (x ? c[0] : 1. - c[0]) * (y ? c[1] : 1. - c[1]) * (i < 4 ? 1. - c[2] : c[2]);
    }
    return weighted(h, w);
}

}  // namespace

const Data<Vector<Vec3>>& Mesh2PointTopologicalMapping::coordinatesOf(ElementType type) const
{
    switch (type) {
        case ElementType::Edges:
            return d_edgeBaryCoords;
        case ElementType::Triangles:
            return d_triangleBaryCoords;
        case ElementType::Quads:
            return d_quadBaryCoords;
        case ElementType::Tetrahedra:
            return d_tetraBaryCoords;
        case ElementType::Hexahedra:
            return d_hexaBaryCoords;
        default:
            return d_pointBaryCoords;
    }
}

ElementType Mesh2PointTopologicalMapping::inputType() const
{
    for (const ElementType t : {ElementType::Hexahedra, ElementType::Tetrahedra, ElementType::Quads,
                                ElementType::Triangles, ElementType::Edges})
        if (hasPointsOf(t)) return t;
    return ElementType::Points;
}

bool Mesh2PointTopologicalMapping::hasPointsOf(ElementType type) const
{
    if (type == ElementType::Points || type == ElementType::Prisms || type == ElementType::Pyramids) return false;
    return !coordinatesOf(type).value().empty();
}

void Mesh2PointTopologicalMapping::makePoints(const BaseMeshTopology& input)
{
    for (const auto* copy : {&d_copyEdges, &d_copyTriangles, &d_copyTetrahedra})
        if (copy->value() && d_pointBaryCoords.value().empty())
            throw std::runtime_error(std::string(copy->name()) +
                                     " needs pointBaryCoords: it joins points made of points");
    for (Index i = 0; i < input.nbPoints(); ++i)
        for (const Vec3& offset : d_pointBaryCoords.value()) addPoint({{{i, 1.}}, offset});
    const auto make = [&](const auto& elements, const Data<Vector<Vec3>>& coordinates, auto locate) {
        if (coordinates.value().empty()) return;
        for (const auto& e : elements)
            for (const Vec3& c : coordinates.value()) addPoint({locate(e, c), {}});
    };
    make(input.edges(), d_edgeBaryCoords, [](const Edge& e, const Vec3& c) { return at(e, c); });
    make(input.triangles(), d_triangleBaryCoords, [](const Triangle& e, const Vec3& c) { return at(e, c); });
    make(input.quads(), d_quadBaryCoords, inQuad);
    make(input.tetrahedra(), d_tetraBaryCoords, inTetrahedron);
    make(input.hexahedra(), d_hexaBaryCoords, [](const Hexahedron& e, const Vec3& c) { return at(e, c); });
    if (mappedPoints().empty())
        msgWarning()
            << "no point is made: none of pointBaryCoords, edgeBaryCoords, ... has a coordinate for an element "
            << "that '" << input.pathName() << "' has";
}

void Mesh2PointTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const auto each = static_cast<Index>(d_pointBaryCoords.value().size());
    const auto copy = [&](const char* name, auto elements) {
        for (auto& e : elements)
            for (Index& v : e) v *= each;
        output.setElements(name, std::move(elements));
    };
    if (d_copyEdges.value()) copy("edges", input.edges());
    if (d_copyTriangles.value()) copy("triangles", input.triangles());
    if (d_copyTetrahedra.value()) copy("tetrahedra", input.tetrahedra());
    Index count = d_copyEdges.value() ? static_cast<Index>(input.edges().size()) : 0;
    if (d_copyTriangles.value()) count = static_cast<Index>(input.triangles().size());
    if (d_copyTetrahedra.value()) count = static_cast<Index>(input.tetrahedra().size());
    for (Index i = 0; i < count; ++i) addElement(i);
}

// --- CenterPointTopologicalMapping ----------------------------------------------------------------------------------

void CenterPointTopologicalMapping::makePoints(const BaseMeshTopology& input)
{
    for (const Hexahedron& h : input.hexahedra()) addPoint({at(h, {0.5, 0.5, 0.5}), {}});
    if (input.hexahedra().empty()) msgWarning() << "no point is made: '" << input.pathName() << "' has no hexahedra";
}

void CenterPointTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology&)
{
    for (Index i = 0; i < input.hexahedra().size(); ++i) addElement(i);
}

// --- Finer meshes ---------------------------------------------------------------------------------------------------

void TesselatedTopologicalMapping::undoInit()
{
    PointTopologicalMapping::undoInit();
    m_middles.clear();
}

void TesselatedTopologicalMapping::addInputPoints(const BaseMeshTopology& input)
{
    m_middles.clear();
    for (Index i = 0; i < input.nbPoints(); ++i) m_middles[{i}] = addPoint({{{i, 1.}}, {}});
}

void TesselatedTopologicalMapping::addMiddle(Vector<Index> points)
{
    std::ranges::sort(points);
    const auto [it, isNew] = m_middles.try_emplace(points, 0);
    if (!isNew) return;
    Ancestors from;
    for (const Index i : points) from.push_back({i, 1. / static_cast<double>(points.size())});
    it->second = addPoint({std::move(from), {}});
}

Index TesselatedTopologicalMapping::middleOf(Vector<Index> points) const
{
    std::ranges::sort(points);
    const auto it = m_middles.find(points);
    if (it == m_middles.end())
        throw std::runtime_error("new elements need new points, which it cannot make while the simulation runs");
    return it->second;
}

void SimpleTesselatedTetraTopologicalMapping::makePoints(const BaseMeshTopology& input)
{
    addInputPoints(input);
    for (const Edge& e : input.edges()) addMiddle({e[0], e[1]});
    // A list of edges that a scene gives may lack some.
    for (const Edge& e : edgesOf(input.tetrahedra(), Vector<Hexahedron>())) addMiddle({e[0], e[1]});
}

void SimpleTesselatedTetraTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    Vector<Tetrahedron> tetrahedra;
    Vector<std::array<Index, 8>> children;
    Vector<Index> source, ofPoints, ofEdges;
    for (Index i = 0; i < input.tetrahedra().size(); ++i) {
        const Tetrahedron& t = input.tetrahedra()[i];
        const auto m = [&](std::size_t a, std::size_t b) { return middleOf({t[a], t[b]}); };
        const Index m01 = m(0, 1), m02 = m(0, 2), m03 = m(0, 3), m12 = m(1, 2), m13 = m(1, 3), m23 = m(2, 3);
        std::array<Index, 8> numbers{};
        for (const Tetrahedron& child :
             {Tetrahedron{t[0], m01, m02, m03}, Tetrahedron{t[1], m01, m13, m12}, Tetrahedron{t[2], m02, m12, m23},
              Tetrahedron{t[3], m03, m23, m13}, Tetrahedron{m02, m01, m12, m23}, Tetrahedron{m02, m01, m23, m03},
              Tetrahedron{m13, m01, m23, m12}, Tetrahedron{m13, m01, m03, m23}}) {
            numbers[tetrahedra.size() % 8] = static_cast<Index>(tetrahedra.size());
            tetrahedra.push_back(child);
            source.push_back(i);
            addElement(i);
        }
        children.push_back(numbers);
    }
    output.setElements("tetrahedra", std::move(tetrahedra));
    Vector<int> sources(mappedPoints().size(), 0);
    for (Index i = 0; i < input.nbPoints(); ++i) {
        ofPoints.push_back(i);
        sources[i] = static_cast<int>(i) + 1;
    }
    for (const Edge& e : input.edges()) {
        ofEdges.push_back(middleOf({e[0], e[1]}));
        sources[ofEdges.back()] = -static_cast<int>(ofEdges.size());
    }
    d_tetrahedraMappedFromTetra.setValue(std::move(children));
    d_tetraSource.setValue(std::move(source));
    d_pointMappedFromPoint.setValue(std::move(ofPoints));
    d_pointMappedFromEdge.setValue(std::move(ofEdges));
    d_pointSource.setValue(std::move(sources));
}

namespace {

/// In SOFA's order.
constexpr std::array<Edge, 12> divided{
    {{0, 1}, {1, 2}, {3, 2}, {0, 3}, {0, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 5}, {5, 6}, {7, 6}, {4, 7}}};
constexpr std::array<Quad, 6> dividedFaces{
    {{0, 1, 2, 3}, {0, 1, 5, 4}, {1, 2, 6, 5}, {3, 2, 6, 7}, {0, 3, 7, 4}, {4, 5, 6, 7}}};
constexpr std::array<std::array<int, 3>, 8> cornersOfCube{
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};

/// The corners of the edge, face or cell that two corners span.
Vector<Index> spanned(const Hexahedron& h, std::size_t a, std::size_t b)
{
    Vector<Index> all;
    for (std::size_t i = 0; i < 8; ++i) {
        bool within = true;
        for (std::size_t k = 0; k < 3; ++k)
            within =
                within && (cornersOfCube[a][k] != cornersOfCube[b][k] || cornersOfCube[i][k] == cornersOfCube[a][k]);
        if (within) all.push_back(h[i]);
    }
    return all;
}

template <std::size_t N>
Vector<Index> cornersOf(const Hexahedron& h, const std::array<Index, N>& local)
{
    const auto e = subElement(h, local);
    return {e.begin(), e.end()};
}

}  // namespace

void SimpleTesselatedHexaTopologicalMapping::makePoints(const BaseMeshTopology& input)
{
    addInputPoints(input);
    for (const Hexahedron& h : input.hexahedra()) {
        for (const Edge& e : divided) addMiddle(cornersOf(h, e));
        for (const Quad& q : dividedFaces) addMiddle(cornersOf(h, q));
        addMiddle({h.begin(), h.end()});
    }
}

void SimpleTesselatedHexaTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    Vector<Hexahedron> hexahedra;
    for (Index i = 0; i < input.hexahedra().size(); ++i)
        for (std::size_t corner = 0; corner < 8; ++corner) {
            Hexahedron child;
            for (std::size_t k = 0; k < 8; ++k) child[k] = middleOf(spanned(input.hexahedra()[i], corner, k));
            hexahedra.push_back(child);
            addElement(i);
        }
    output.setElements("hexahedra", std::move(hexahedra));
}

namespace {

constexpr const char* module = "Sofa.Component.Mapping.Linear";

const RegisterComponent mesh2Point = RegisterComponent("Mesh2PointTopologicalMapping", "TopologicalMapping", module)
                                         .help("Points for the points and elements of a mesh")
                                         .example("component/topology/Mesh2PointTopologicalMapping.scn")
                                         .add<Mesh2PointTopologicalMapping>();
const RegisterComponent centerPoint =
    RegisterComponent("CenterPointTopologicalMapping", "TopologicalMapping", "Sofa.Component.Topology.Mapping")
        .help("A point in the centre of each hexahedron of a mesh")
        .example("component/topology/CenterPointTopologicalMapping.scn")
        .add<CenterPointTopologicalMapping>();
const RegisterComponent finerTetrahedra =
    RegisterComponent("SimpleTesselatedTetraTopologicalMapping", "TopologicalMapping", module)
        .help("Divides tetrahedra into eight each")
        .example("component/topology/SimpleTesselatedTetraTopologicalMapping.scn")
        .add<SimpleTesselatedTetraTopologicalMapping>();
const RegisterComponent finerHexahedra =
    RegisterComponent("SimpleTesselatedHexaTopologicalMapping", "TopologicalMapping", module)
        .help("Divides hexahedra into eight each")
        .example("component/topology/SimpleTesselatedHexaTopologicalMapping.scn")
        .add<SimpleTesselatedHexaTopologicalMapping>();

}  // namespace

}  // namespace sofa::component
