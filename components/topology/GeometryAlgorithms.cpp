// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/GeometryAlgorithms.h"

#include <algorithm>
#include <numbers>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/topology/StoredTopology.h"

namespace sofa::component {

namespace {

/// Sum of f(i) over all elements of a list.
template <class List, class F>
double sumOver(const List& list, F f)
{
    double sum = 0.;
    for (Index i = 0; i < list.size(); ++i) sum += f(i);
    return sum;
}

}  // namespace

// --- Points -------------------------------------------------------------------------------------------------------

template <class D>
bool PointSetGeometryAlgorithms<D>::canCreate(const Node* node, const ComponentDescription&, std::string& why)
{
    const BaseState* s = node ? node->get<BaseState>(Search::Up) : nullptr;
    if (!s || dynamic_cast<const State<D>*>(s)) return true;
    why = "the state '" + s->pathName() + "' is of type " + s->templateName() + ", not " + std::string(D::name());
    return false;
}

template <class D>
void PointSetGeometryAlgorithms<D>::init()
{
    const std::string& tag = d_tagMechanics.value();
    if (node())
        for (State<D>* s : node()->template getAll<State<D>>(Search::Up))
            if (!m_state && (tag.empty() || s->hasTag(tag))) m_state = s;
    if (!l_topology && !l_topology.isSet() && node()) l_topology.set(node()->template get<BaseMeshTopology>());
    // Nothing needs the measures to simulate, so what is missing here is no error until somebody asks for them.
    if (!l_topology)
        msgWarning() << "there is no topology to measure";
    else if (!m_state && !topology().hasPositions())
        msgWarning() << "there is no state of type " << D::name() << (tag.empty() ? "" : " with the tag '" + tag + "'")
                     << ", and the topology has no positions";
}

template <class D>
const BaseMeshTopology& PointSetGeometryAlgorithms<D>::topology() const
{
    if (!l_topology) throw std::logic_error(pathName() + ": there is no topology to measure");
    return *l_topology;
}

template <class D>
Vec3 PointSetGeometryAlgorithms<D>::point(Index i, At at) const
{
    if (!m_state) return topology().pointPosition(i);
    const VecCoordId id = at == At::Rest ? vec_id::restPosition : vec_id::position;
    if (i >= m_state->size() || !m_state->isAllocated(id))
        throw std::out_of_range(pathName() + ": the state '" + m_state->pathName() + "' has no point " +
                                std::to_string(i));
    return m_state->pointPosition(i, id);
}

template <class D>
Vec3 PointSetGeometryAlgorithms<D>::centre(At at) const
{
    Vec3 sum;
    const Index n = topology().nbPoints();
    for (Index i = 0; i < n; ++i) sum += point(i, at);
    return n ? sum / static_cast<double>(n) : sum;
}

template <class D>
BoundingBox PointSetGeometryAlgorithms<D>::pointBox(At at) const
{
    BoundingBox b;
    for (Index i = 0; i < topology().nbPoints(); ++i) b.include(point(i, at));
    return b;
}

template <class D>
double PointSetGeometryAlgorithms<D>::enclosingRadius(At at) const
{
    const Vec3 c = centre(at);
    double radius = 0.;
    for (Index i = 0; i < topology().nbPoints(); ++i) radius = std::max(radius, norm(point(i, at) - c));
    return radius;
}

// --- Edges --------------------------------------------------------------------------------------------------------

template <class D>
Vec3 EdgeSetGeometryAlgorithms<D>::edgeDirection(Index e, At at) const
{
    const auto x = this->corners(this->topology().edges().at(e), at);
    return x[1] - x[0];
}
template <class D>
double EdgeSetGeometryAlgorithms<D>::edgeLength(Index e, At at) const
{
    return norm(edgeDirection(e, at));
}
template <class D>
Vec3 EdgeSetGeometryAlgorithms<D>::edgeCentre(Index e, At at) const
{
    return geometry::centroid(this->corners(this->topology().edges().at(e), at));
}
template <class D>
double EdgeSetGeometryAlgorithms<D>::totalLength(At at) const
{
    return sumOver(this->topology().edges(), [&](Index e) { return edgeLength(e, at); });
}

// --- Triangles ----------------------------------------------------------------------------------------------------

template <class D>
void TriangleSetGeometryAlgorithms<D>::init()
{
    EdgeSetGeometryAlgorithms<D>::init();
    if (this->l_topology && d_recomputeTrianglesOrientation.value()) orientTriangles();
}

template <class D>
void TriangleSetGeometryAlgorithms<D>::orientTriangles()
{
    const BaseMeshTopology& t = this->topology();
    auto* stored = dynamic_cast<StoredTopology*>(this->l_topology.get());
    if (!stored) return this->fail("recomputeTrianglesOrientation: the triangles of this topology cannot be changed");
    Vector<Triangle> triangles = t.triangles();
    Vector<bool> done(triangles.size(), false);
    Vector<Index> front;
    // Two triangles agree if they run through their common edge in opposite directions.
    const auto runs = [&](Index triangle, Index a, Index b) {
        const Triangle& v = triangles[triangle];
        return (v[0] == a && v[1] == b) || (v[1] == a && v[2] == b) || (v[2] == a && v[0] == b);
    };
    for (Index start = 0; start < triangles.size(); ++start) {
        if (done[start]) continue;
        done[start] = true;
        front.push_back(start);
        while (!front.empty()) {
            const Index from = front.back();
            front.pop_back();
            for (const Index e : t.edgesInTriangle(from)) {
                if (e == InvalidIndex) continue;
                const Edge& edge = t.edges()[e];
                for (const Index to : t.trianglesAroundEdge(e)) {
                    if (done[to]) continue;
                    done[to] = true;
                    front.push_back(to);
                    if (runs(to, edge[0], edge[1]) == runs(from, edge[0], edge[1]))
                        std::swap(triangles[to][1], triangles[to][2]);
                }
            }
        }
    }
    if (d_flipNormals.value())
        for (Triangle& v : triangles) std::swap(v[1], v[2]);
    stored->setElements("triangles", std::move(triangles));
}

template <class D>
double TriangleSetGeometryAlgorithms<D>::triangleArea(Index t, At at) const
{
    const auto x = this->corners(this->topology().triangles().at(t), at);
    return geometry::triangleArea(x[0], x[1], x[2]);
}
template <class D>
Vec3 TriangleSetGeometryAlgorithms<D>::triangleNormal(Index t, At at) const
{
    const auto x = this->corners(this->topology().triangles().at(t), at);
    return geometry::triangleNormal(x[0], x[1], x[2]);
}
template <class D>
Vec3 TriangleSetGeometryAlgorithms<D>::triangleCentre(Index t, At at) const
{
    return geometry::centroid(this->corners(this->topology().triangles().at(t), at));
}
template <class D>
Vec3 TriangleSetGeometryAlgorithms<D>::triangleCircumcentre(Index t, At at) const
{
    const auto x = this->corners(this->topology().triangles().at(t), at);
    return geometry::circumcentre(x[0], x[1], x[2]);
}
template <class D>
double TriangleSetGeometryAlgorithms<D>::angleAcrossEdge(Index e, At at) const
{
    const BaseMeshTopology& t = this->topology();
    const auto around = t.trianglesAroundEdge(e);
    if (around.size() != 2) return 0.;
    const Edge& edge = t.edges().at(e);
    std::array<Vec3, 2> opposite;
    for (std::size_t k = 0; k < 2; ++k)
        for (const Index v : t.triangles()[around[k]])
            if (v != edge[0] && v != edge[1]) opposite[k] = this->point(v, at);
    const auto x = this->corners(edge, at);
    return std::numbers::pi - geometry::dihedralAngle(x[0], x[1], opposite[0], opposite[1]);
}
template <class D>
double TriangleSetGeometryAlgorithms<D>::totalArea(At at) const
{
    return sumOver(this->topology().triangles(), [&](Index t) { return triangleArea(t, at); });
}

// --- Quads --------------------------------------------------------------------------------------------------------

template <class D>
double QuadSetGeometryAlgorithms<D>::quadArea(Index q, At at) const
{
    const auto x = this->corners(this->topology().quads().at(q), at);
    return geometry::quadArea(x[0], x[1], x[2], x[3]);
}
template <class D>
Vec3 QuadSetGeometryAlgorithms<D>::quadNormal(Index q, At at) const
{
    const auto x = this->corners(this->topology().quads().at(q), at);
    return geometry::quadNormal(x[0], x[1], x[2], x[3]);
}
template <class D>
Vec3 QuadSetGeometryAlgorithms<D>::quadCentre(Index q, At at) const
{
    return geometry::centroid(this->corners(this->topology().quads().at(q), at));
}
template <class D>
double QuadSetGeometryAlgorithms<D>::totalArea(At at) const
{
    return sumOver(this->topology().quads(), [&](Index q) { return quadArea(q, at); });
}

// --- Tetrahedra ---------------------------------------------------------------------------------------------------

template <class D>
double TetrahedronSetGeometryAlgorithms<D>::tetrahedronVolume(Index t, At at) const
{
    const auto x = this->corners(this->topology().tetrahedra().at(t), at);
    return geometry::tetrahedronVolume(x[0], x[1], x[2], x[3]);
}
template <class D>
Vec3 TetrahedronSetGeometryAlgorithms<D>::tetrahedronCentre(Index t, At at) const
{
    return geometry::centroid(this->corners(this->topology().tetrahedra().at(t), at));
}
template <class D>
Vec3 TetrahedronSetGeometryAlgorithms<D>::tetrahedronCircumcentre(Index t, At at) const
{
    const auto x = this->corners(this->topology().tetrahedra().at(t), at);
    return geometry::circumcentre(x[0], x[1], x[2], x[3]);
}
template <class D>
Vec4 TetrahedronSetGeometryAlgorithms<D>::barycentric(const Vec3& p, Index t, At at) const
{
    const auto x = this->corners(this->topology().tetrahedra().at(t), at);
    return geometry::barycentric(p, x[0], x[1], x[2], x[3]);
}
template <class D>
double TetrahedronSetGeometryAlgorithms<D>::totalVolume(At at) const
{
    return sumOver(this->topology().tetrahedra(), [&](Index t) { return tetrahedronVolume(t, at); });
}

// --- Hexahedra ----------------------------------------------------------------------------------------------------

template <class D>
double HexahedronSetGeometryAlgorithms<D>::hexahedronVolume(Index h, At at) const
{
    return geometry::hexahedronVolume(this->corners(this->topology().hexahedra().at(h), at));
}
template <class D>
Vec3 HexahedronSetGeometryAlgorithms<D>::hexahedronCentre(Index h, At at) const
{
    return geometry::centroid(this->corners(this->topology().hexahedra().at(h), at));
}
template <class D>
double HexahedronSetGeometryAlgorithms<D>::totalVolume(At at) const
{
    return sumOver(this->topology().hexahedra(), [&](Index h) { return hexahedronVolume(h, at); });
}

template class PointSetGeometryAlgorithms<Vec1Types>;
template class PointSetGeometryAlgorithms<Vec2Types>;
template class PointSetGeometryAlgorithms<Vec3Types>;
template class PointSetGeometryAlgorithms<Rigid2Types>;
template class PointSetGeometryAlgorithms<Rigid3Types>;
template class EdgeSetGeometryAlgorithms<Vec1Types>;
template class EdgeSetGeometryAlgorithms<Vec2Types>;
template class EdgeSetGeometryAlgorithms<Vec3Types>;
template class EdgeSetGeometryAlgorithms<Rigid2Types>;
template class EdgeSetGeometryAlgorithms<Rigid3Types>;
template class TriangleSetGeometryAlgorithms<Vec2Types>;
template class TriangleSetGeometryAlgorithms<Vec3Types>;
template class QuadSetGeometryAlgorithms<Vec2Types>;
template class QuadSetGeometryAlgorithms<Vec3Types>;
template class TetrahedronSetGeometryAlgorithms<Vec2Types>;
template class TetrahedronSetGeometryAlgorithms<Vec3Types>;
template class HexahedronSetGeometryAlgorithms<Vec2Types>;
template class HexahedronSetGeometryAlgorithms<Vec3Types>;

namespace {

RegisterComponent algorithms(const std::string& kind, const std::string& elements)
{
    const std::string name = kind + "SetGeometryAlgorithms";
    return RegisterComponent(name, "GeometryAlgorithms", "Sofa.Component.Topology.Container.Dynamic")
        .help("Measures of a topology of " + elements)
        .example("component/topology/" + kind + "SetTopologyContainer.scn");
}

const RegisterComponent points = algorithms("Point", "points")
                                     .add<PointSetGeometryAlgorithms<Vec3Types>>()
                                     .add<PointSetGeometryAlgorithms<Vec2Types>>()
                                     .add<PointSetGeometryAlgorithms<Vec1Types>>();
const RegisterComponent edges = algorithms("Edge", "edges")
                                    .add<EdgeSetGeometryAlgorithms<Vec3Types>>()
                                    .add<EdgeSetGeometryAlgorithms<Vec2Types>>()
                                    .add<EdgeSetGeometryAlgorithms<Vec1Types>>()
                                    .add<EdgeSetGeometryAlgorithms<Rigid3Types>>()
                                    .add<EdgeSetGeometryAlgorithms<Rigid2Types>>();
const RegisterComponent triangles = algorithms("Triangle", "triangles")
                                        .add<TriangleSetGeometryAlgorithms<Vec3Types>>()
                                        .add<TriangleSetGeometryAlgorithms<Vec2Types>>();
const RegisterComponent quads =
    algorithms("Quad", "quads").add<QuadSetGeometryAlgorithms<Vec3Types>>().add<QuadSetGeometryAlgorithms<Vec2Types>>();
const RegisterComponent tetrahedra = algorithms("Tetrahedron", "tetrahedra")
                                         .add<TetrahedronSetGeometryAlgorithms<Vec3Types>>()
                                         .add<TetrahedronSetGeometryAlgorithms<Vec2Types>>();
const RegisterComponent hexahedra = algorithms("Hexahedron", "hexahedra")
                                        .add<HexahedronSetGeometryAlgorithms<Vec3Types>>()
                                        .add<HexahedronSetGeometryAlgorithms<Vec2Types>>();

}  // namespace

}  // namespace sofa::component
