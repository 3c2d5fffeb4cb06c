// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/GeometryAlgorithms.h"

#include <algorithm>
#include <numbers>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/topology/CellCoordinates.h"
#include "core/topology/StoredTopology.h"
#include "core/visual/DrawElements.h"

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

template <class D>
Vec2 EdgeSetGeometryAlgorithms<D>::edgeBarycentric(const Vec3& p, Index e, At at) const
{
    const auto x = this->corners(this->topology().edges().at(e), at);
    return geometry::nearestOnSegment(p, x[0], x[1]).weights;
}
template <class D>
geometry::ClosestElement EdgeSetGeometryAlgorithms<D>::closestEdge(const Vec3& p, At at) const
{
    return geometry::closestElement(p, this->topology().edges(), this->positionsAt(at));
}
template <class D>
std::optional<Vec3> EdgeSetGeometryAlgorithms<D>::edgePlaneIntersection(Index e, const Vec3& origin, const Vec3& n,
                                                                        At at) const
{
    const auto x = this->corners(this->topology().edges().at(e), at);
    const double a = dot(n, x[0] - origin), b = dot(n, x[1] - origin);
    if (a == b || (a > 0.) == (b > 0.)) {
        if (a == 0. && b != 0.) return x[0];
        if (b == 0. && a != 0.) return x[1];
        return std::nullopt;
    }
    return x[0] + (x[1] - x[0]) * (a / (a - b));
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
Vec3 TriangleSetGeometryAlgorithms<D>::triangleBarycentric(const Vec3& p, Index t, At at) const
{
    const auto x = this->corners(this->topology().triangles().at(t), at);
    return geometry::barycentric(p, x[0], x[1], x[2]);
}
template <class D>
bool TriangleSetGeometryAlgorithms<D>::isInTriangle(const Vec3& p, Index t, double distance, At at) const
{
    const auto x = this->corners(this->topology().triangles().at(t), at);
    return geometry::nearestOnTriangle(p, x[0], x[1], x[2]).distance <= distance;
}
template <class D>
geometry::ClosestElement TriangleSetGeometryAlgorithms<D>::closestTriangle(const Vec3& p, At at) const
{
    return geometry::closestElement(p, this->topology().triangles(), this->positionsAt(at));
}
template <class D>
Vector<geometry::SegmentCrossing> TriangleSetGeometryAlgorithms<D>::crossings(const Vec3& p, const Vec3& q, At at) const
{
    return geometry::crossings(p, q, this->topology().triangles(), this->positionsAt(at));
}
template <class D>
Vector<geometry::PlaneSection> TriangleSetGeometryAlgorithms<D>::planeSections(const Vec3& origin, const Vec3& n,
                                                                               At at) const
{
    return geometry::planeSections(origin, n, this->topology().triangles(), this->positionsAt(at));
}
template <class D>
geometry::Curvature TriangleSetGeometryAlgorithms<D>::curvature(Index point, At at) const
{
    return geometry::curvatureAt(this->topology(), point, this->positionsAt(at));
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
Vec2 QuadSetGeometryAlgorithms<D>::quadCoordinates(const Vec3& p, Index q, At at) const
{
    return geometry::quadCoordinates(p, this->corners(this->topology().quads().at(q), at));
}
template <class D>
bool QuadSetGeometryAlgorithms<D>::isInQuad(const Vec3& p, Index q, double distance, At at) const
{
    return geometry::nearestOnQuad(p, this->corners(this->topology().quads().at(q), at)).distance <= distance;
}
template <class D>
geometry::ClosestElement QuadSetGeometryAlgorithms<D>::closestQuad(const Vec3& p, At at) const
{
    return geometry::closestQuad(p, this->topology().quads(), this->positionsAt(at));
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
bool TetrahedronSetGeometryAlgorithms<D>::isInTetrahedron(const Vec3& p, Index t, double margin, At at) const
{
    const Vec4 w = barycentric(p, t, at);
    return std::ranges::all_of(w, [margin](double c) { return c >= -margin; });
}
template <class D>
geometry::ClosestElement TetrahedronSetGeometryAlgorithms<D>::closestTetrahedron(const Vec3& p, At at) const
{
    return geometry::closestElement(p, this->topology().tetrahedra(), this->positionsAt(at));
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
std::optional<Vec3> HexahedronSetGeometryAlgorithms<D>::hexahedronCoordinates(const Vec3& p, Index h, At at) const
{
    return geometry::hexahedronCoordinates(p, this->corners(this->topology().hexahedra().at(h), at));
}
template <class D>
bool HexahedronSetGeometryAlgorithms<D>::isInHexahedron(const Vec3& p, Index h, double margin, At at) const
{
    const auto v = hexahedronCoordinates(p, h, at);
    return v && geometry::areInside(*v, margin);
}
template <class D>
geometry::ClosestElement HexahedronSetGeometryAlgorithms<D>::closestHexahedron(const Vec3& p, At at) const
{
    return geometry::closestElement(p, this->topology().hexahedra(), this->positionsAt(at));
}
template <class D>
double HexahedronSetGeometryAlgorithms<D>::totalVolume(At at) const
{
    return sumOver(this->topology().hexahedra(), [&](Index h) { return hexahedronVolume(h, at); });
}

// --- Drawing ------------------------------------------------------------------------------------------------------

template <class D>
Scratch<Vec3> PointSetGeometryAlgorithms<D>::points(DrawTool& tool) const
{
    if (m_state) return drawnPoints(tool, *m_state);
    auto x = tool.scratch<Vec3>();
    for (Index i = 0; l_topology && topology().hasPositions() && i < topology().nbPoints(); ++i)
        x.push_back(topology().pointPosition(i));
    return x;
}

template <class D>
void PointSetGeometryAlgorithms<D>::draw(DrawTool& tool)
{
    if (d_showPointIndices.value()) tool.indices(points(tool), indicesSize(), Color());
}

namespace {

/// A darker colour, for sides and numbers.
Color darker(const Color& c, float by = 0.2f)
{
    return {std::max(c[0] - by, 0.f), std::max(c[1] - by, 0.f), std::max(c[2] - by, 0.f), c[3]};
}

/// Elements in one colour, a little smaller, with their sides.
template <std::size_t N>
void drawWithEdges(DrawTool& tool, ElementType type, const Vector<std::array<Index, N>>& elements,
                   const Vector<Edge>& edges, const Vector<Vec3>& x, double gap, const Color& color)
{
    ElementDrawing how;
    how.gap = gap;
    how.faceColors = {&color, 1};
    how.lit = false;
    drawElements(tool, type, elements, x, how);
    if (!tool.wireframe()) drawEdges(tool, edges, x, darker(color));
}

/// Part by which elements shrink for one of SOFA's scales: those that make no sense count as 1.
double gapOf(float scale) { return scale < 1.f && scale >= 0.001f ? 1. - static_cast<double>(scale) : 0.; }

}  // namespace

template <class D>
void EdgeSetGeometryAlgorithms<D>::draw(DrawTool& tool)
{
    PointSetGeometryAlgorithms<D>::draw(tool);
    if (!this->l_topology || (!d_showEdgeIndices.value() && !d_drawEdges.value())) return;
    const auto x = this->points(tool);
    const Vector<Edge>& edges = this->topology().edges();
    const Color& color = d_drawColorEdges.value();
    if (d_showEdgeIndices.value()) drawElementIndices(tool, edges, x, 0.75 * this->indicesSize(), color);
    if (!d_drawEdges.value()) return;
    drawEdges(tool, edges, x, color);
    auto ends = tool.scratch<Vec3>();
    for (std::size_t v = 0; v < x.size(); ++v)
        if (!this->topology().edgesAroundVertex(static_cast<Index>(v)).empty()) ends.push_back(x[v]);
    tool.points(ends, plainStyle(color, 4.f));
}

template <class D>
void TriangleSetGeometryAlgorithms<D>::draw(DrawTool& tool)
{
    EdgeSetGeometryAlgorithms<D>::draw(tool);
    if (!this->l_topology || (!d_showTriangleIndices.value() && !d_drawTriangles.value() && !d_drawNormals.value()))
        return;
    const auto x = this->points(tool);
    const Vector<Triangle>& triangles = this->topology().triangles();
    const Color& color = d_drawColorTriangles.value();
    if (d_showTriangleIndices.value()) drawElementIndices(tool, triangles, x, 0.75 * this->indicesSize(), color);
    if (d_drawTriangles.value())
        drawWithEdges(tool, ElementType::Triangles, triangles, this->topology().edges(), x, 0.1, color);
    if (!d_drawNormals.value()) return;
    auto ends = tool.scratch<Vec3>();
    for (const Triangle& t : triangles) {
        if (std::max({t[0], t[1], t[2]}) >= x.size()) continue;
        const Vec3 &a = x[t[0]], &b = x[t[1]], &c = x[t[2]], middle = (a + b + c) / 3.;
        const double side = (norm(b - a) + norm(c - b) + norm(a - c)) / 3.;
        ends.push_back(middle);
        ends.push_back(middle + geometry::triangleNormal(a, b, c) * (side * d_drawNormalLength.value() / 100.));
    }
    tool.lines(ends, plainStyle(darker(color)));
}

template <class D>
void QuadSetGeometryAlgorithms<D>::draw(DrawTool& tool)
{
    EdgeSetGeometryAlgorithms<D>::draw(tool);
    if (!this->l_topology || (!d_showQuadIndices.value() && !d_drawQuads.value())) return;
    const auto x = this->points(tool);
    const Vector<Quad>& quads = this->topology().quads();
    const Color& color = d_drawColorQuads.value();
    if (d_showQuadIndices.value()) drawElementIndices(tool, quads, x, 0.75 * this->indicesSize(), darker(color));
    if (d_drawQuads.value()) drawWithEdges(tool, ElementType::Quads, quads, this->topology().edges(), x, 0.1, color);
}

template <class D>
void TetrahedronSetGeometryAlgorithms<D>::draw(DrawTool& tool)
{
    TriangleSetGeometryAlgorithms<D>::draw(tool);
    if (!this->l_topology || (!d_showTetrahedraIndices.value() && !d_drawTetrahedra.value())) return;
    const auto x = this->points(tool);
    const Vector<Tetrahedron>& tetrahedra = this->topology().tetrahedra();
    const Color color = darker(d_drawColorTetrahedra.value());
    if (d_showTetrahedraIndices.value()) drawElementIndices(tool, tetrahedra, x, 0.75 * this->indicesSize(), color);
    if (d_drawTetrahedra.value())
        drawWithEdges(tool, ElementType::Tetrahedra, tetrahedra, this->topology().edges(), x,
                      gapOf(d_drawScaleTetrahedra.value()), color);
}

template <class D>
void HexahedronSetGeometryAlgorithms<D>::draw(DrawTool& tool)
{
    QuadSetGeometryAlgorithms<D>::draw(tool);
    if (!this->l_topology || (!d_showHexaIndices.value() && !d_drawHexahedra.value())) return;
    const auto x = this->points(tool);
    const Vector<Hexahedron>& hexahedra = this->topology().hexahedra();
    const Color& color = d_drawColorHexahedra.value();
    if (d_showHexaIndices.value()) drawElementIndices(tool, hexahedra, x, 0.75 * this->indicesSize(), color);
    if (d_drawHexahedra.value())
        drawWithEdges(tool, ElementType::Hexahedra, hexahedra, this->topology().edges(), x,
                      gapOf(d_drawScaleHexahedra.value()), color);
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

const RegisterComponent registeredPoint =
    algorithms("Point", "points").add<PointSetGeometryAlgorithms, Vec3Types, Vec2Types, Vec1Types>();
const RegisterComponent registeredEdge =
    algorithms("Edge", "edges")
        .add<EdgeSetGeometryAlgorithms, Vec3Types, Vec2Types, Vec1Types, Rigid3Types, Rigid2Types>();
const RegisterComponent registeredTriangle =
    algorithms("Triangle", "triangles").add<TriangleSetGeometryAlgorithms, Vec3Types, Vec2Types>();
const RegisterComponent registeredQuad =
    algorithms("Quad", "quads").add<QuadSetGeometryAlgorithms, Vec3Types, Vec2Types>();
const RegisterComponent registeredTetrahedron =
    algorithms("Tetrahedron", "tetrahedra").add<TetrahedronSetGeometryAlgorithms, Vec3Types, Vec2Types>();
const RegisterComponent registeredHexahedron =
    algorithms("Hexahedron", "hexahedra").add<HexahedronSetGeometryAlgorithms, Vec3Types, Vec2Types>();

}  // namespace

}  // namespace sofa::component
