// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/PointMappings.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/mesh/SubElements.h"

namespace sofa::component {

// --- PointTopologicalMapping ----------------------------------------------------------------------------------------

auto PointTopologicalMapping::Origin::ofElement(ElementType type, Index element, Index slot) -> Origin
{
    Origin o{type, none, slot};
    o.numbers[0] = element;
    return o;
}

auto PointTopologicalMapping::Origin::ofPoints(std::span<const Index> points) -> Origin
{
    Origin o;
    o.numbers = none;
    std::ranges::copy(points, o.numbers.begin());
    std::ranges::sort(o.numbers);
    return o;
}

std::size_t PointTopologicalMapping::Origin::count() const
{
    return static_cast<std::size_t>(std::ranges::find(numbers, InvalidIndex) - numbers.begin());
}

void PointTopologicalMapping::undoInit()
{
    TopologicalMapping::undoInit();
    m_points.clear();
    m_numbers.clear();
    m_made = false;
}

void PointTopologicalMapping::addPoint(const Origin& origin, MappedPoint p)
{
    if (m_numbers.try_emplace(origin, static_cast<Index>(m_points.size())).second) m_points.push_back(std::move(p));
}

Index PointTopologicalMapping::pointOf(const Origin& origin) const
{
    const auto it = m_numbers.find(origin);
    return it == m_numbers.end() ? InvalidIndex : it->second;
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
        m_numbers.clear();
        makePoints(input);
        m_made = true;
        if (m_points.empty())
            msgWarning() << "no point is made: '" << input.pathName() << "' has nothing to make one of";
        Vector<Vec3> x;
        if (knowsPositions(input))
            for (const MappedPoint& p : m_points) x.push_back(positionOf(input, p));
        output.d_position.unlink();
        output.d_position.setValue(std::move(x));
    }
    return static_cast<Index>(m_points.size());
}

StoredTopology::List::Undo PointTopologicalMapping::remake()
{
    auto before = std::make_shared<std::pair<std::vector<MappedPoint>, Numbers>>();
    before->first.swap(m_points);
    before->second.swap(m_numbers);
    const auto undo = [this, before] {
        m_points.swap(before->first);
        m_numbers.swap(before->second);
    };
    try {
        makePoints(*input());
    } catch (...) {
        undo();
        throw;
    }
    return undo;
}

StoredTopology::List::Undo PointTopologicalMapping::remakeInput(bool)
{
    return m_made ? remake() : StoredTopology::List::Undo([] {});
}

/// Points of the output from before that a new one is made of: those in the same place of the elements that its element
/// is made of, or those at the points of the input that its own are made of.
Ancestors PointTopologicalMapping::ancestorsOf(const Origin& origin, const Numbers& before, const ElementSource& source)
{
    Ancestors all;
    const std::size_t n = origin.count();
    for (std::size_t k = 0; k < n; ++k) {
        const Index number = origin.numbers[k], was = source.from(number);
        const Ancestors itself{{was, 1.}};
        const Ancestors& from = was == InvalidIndex ? source.ancestorsOf(number) : itself;
        if (from.empty()) return {};
        for (const Ancestor& a : from) {
            const auto it = before.find(Origin::ofElement(origin.type, a.index, origin.slot));
            if (it == before.end()) return {};
            all.push_back({it->second, a.weight / static_cast<double>(n)});
        }
    }
    return all;
}

TopologicalMapping::MadePoints PointTopologicalMapping::followInput(const TopologyChange& change)
{
    std::map<ElementType, std::pair<ElementSource, Vector<Index>>> sources;  // and their inverse
    const auto sourceOf = [&](ElementType type) -> const auto&
    {
        const auto [it, isNew] = sources.try_emplace(type);
        if (isNew) {
            it->second.first = change.source(*input(), type);
            it->second.second = it->second.first.inverse();
        }
        return it->second;
    };
    const Numbers before = m_numbers;
    Numbers kept;  // by their origin as it counts now
    for (const auto& [origin, number] : before) {
        const Vector<Index>& now = sourceOf(origin.type).second;
        Origin o = origin;
        bool isThere = true;
        for (std::size_t k = 0; k < origin.count(); ++k) {
            o.numbers[k] = o.numbers[k] < now.size() ? now[o.numbers[k]] : InvalidIndex;
            isThere = isThere && o.numbers[k] != InvalidIndex;
        }
        if (!isThere) continue;
        sortNumbers(o);
        kept.emplace(o, number);
    }
    MadePoints made;
    made.undo = remake();
    made.before.assign(m_points.size(), InvalidIndex);
    for (const auto& [origin, number] : m_numbers) {
        if (const auto it = kept.find(origin); it != kept.end())
            made.before[number] = it->second;
        else
            made.from[number] = ancestorsOf(origin, before, sourceOf(origin.type).first);
    }
    return made;
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
        if (makesPointsOf(t)) return t;
    return ElementType::Points;
}

bool Mesh2PointTopologicalMapping::makesPointsOf(ElementType type) const
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
    const auto makeOf = [&](ElementType type, Index i, auto locate) {
        for (Index k = 0; const Vec3& c : coordinatesOf(type).value())
            addPoint(Origin::ofElement(type, i, k++), locate(c));
    };
    for (Index i = 0; i < input.nbPoints(); ++i)
        makeOf(ElementType::Points, i, [i](const Vec3& offset) { return MappedPoint{{{i, 1.}}, offset}; });
    const auto make = [&](ElementType type, const auto& elements, auto locate) {
        if (coordinatesOf(type).value().empty()) return;
        for (Index i = 0; i < elements.size(); ++i)
            makeOf(type, i, [&](const Vec3& c) { return MappedPoint{locate(elements[i], c), {}}; });
    };
    make(ElementType::Edges, input.edges(), [](const Edge& e, const Vec3& c) { return at(e, c); });
    make(ElementType::Triangles, input.triangles(), [](const Triangle& e, const Vec3& c) { return at(e, c); });
    make(ElementType::Quads, input.quads(), inQuad);
    make(ElementType::Tetrahedra, input.tetrahedra(), inTetrahedron);
    make(ElementType::Hexahedra, input.hexahedra(), [](const Hexahedron& e, const Vec3& c) { return at(e, c); });
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
    const auto& hexahedra = input.hexahedra();
    for (Index i = 0; i < hexahedra.size(); ++i)
        addPoint(Origin::ofElement(ElementType::Hexahedra, i), {at(hexahedra[i], {0.5, 0.5, 0.5}), {}});
}

void CenterPointTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology&)
{
    for (Index i = 0; i < input.hexahedra().size(); ++i) addElement(i);
}

// --- Finer meshes ---------------------------------------------------------------------------------------------------

void TesselatedTopologicalMapping::addInputPoints(const BaseMeshTopology& input)
{
    for (Index i = 0; i < input.nbPoints(); ++i) addPoint(Origin::ofPoints({&i, 1}), {{{i, 1.}}, {}});
}

void TesselatedTopologicalMapping::addMiddle(std::span<const Index> points)
{
    const Origin origin = Origin::ofPoints(points);
    Ancestors from;
    for (std::size_t k = 0; k < points.size(); ++k)
        from.push_back({origin.numbers[k], 1. / static_cast<double>(points.size())});
    addPoint(origin, {std::move(from), {}});
}

void SimpleTesselatedTetraTopologicalMapping::makePoints(const BaseMeshTopology& input)
{
    addInputPoints(input);
    for (const Edge& e : input.edges()) addMiddle(e);
    // A list of edges that a scene gives may lack some.
    for (const Edge& e : edgesOf(input.tetrahedra(), Vector<Hexahedron>())) addMiddle(e);
}

void SimpleTesselatedTetraTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    Vector<Tetrahedron> tetrahedra;
    Vector<std::array<Index, 8>> children;
    Vector<Index> source, ofPoints, ofEdges;
    for (Index i = 0; i < input.tetrahedra().size(); ++i) {
        const Tetrahedron& t = input.tetrahedra()[i];
        const auto m = [&](std::size_t a, std::size_t b) { return middleOf(Edge{t[a], t[b]}); };
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
        ofEdges.push_back(middleOf(e));
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
        addMiddle(h);
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

constexpr const char* pointMappingsModule = "Sofa.Component.Mapping.Linear";

const RegisterComponent registeredMesh2PointTopologicalMapping =
    RegisterComponent("Mesh2PointTopologicalMapping", "TopologicalMapping", pointMappingsModule)
        .help("Points for the points and elements of a mesh")
        .example("component/topology/Mesh2PointTopologicalMapping.scn")
        .add<Mesh2PointTopologicalMapping>();
const RegisterComponent registeredCenterPointTopologicalMapping =
    RegisterComponent("CenterPointTopologicalMapping", "TopologicalMapping", "Sofa.Component.Topology.Mapping")
        .help("A point in the centre of each hexahedron of a mesh")
        .example("component/topology/CenterPointTopologicalMapping.scn")
        .add<CenterPointTopologicalMapping>();
const RegisterComponent registeredSimpleTesselatedTetraTopologicalMapping =
    RegisterComponent("SimpleTesselatedTetraTopologicalMapping", "TopologicalMapping", pointMappingsModule)
        .help("Divides tetrahedra into eight each")
        .example("component/topology/SimpleTesselatedTetraTopologicalMapping.scn")
        .add<SimpleTesselatedTetraTopologicalMapping>();
const RegisterComponent registeredSimpleTesselatedHexaTopologicalMapping =
    RegisterComponent("SimpleTesselatedHexaTopologicalMapping", "TopologicalMapping", pointMappingsModule)
        .help("Divides hexahedra into eight each")
        .example("component/topology/SimpleTesselatedHexaTopologicalMapping.scn")
        .add<SimpleTesselatedHexaTopologicalMapping>();

}  // namespace

}  // namespace sofa::component
