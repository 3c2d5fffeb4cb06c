// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/MeshCollisionModels.h"

#include <algorithm>
#include <numeric>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/geometry/Proximity.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void ModelOnMesh::initOn(std::string_view stateTemplate, std::string_view mesh, bool needed)
{
    m_state = findMechanicalState<State<Vec3Types>>(*node(), Search::Up);
    if (!m_state)
        return fail("needs a state of points (MechanicalObject template=\"" + std::string(stateTemplate) +
                    "\") in its node");
    if (!l_topology) l_topology.set(node()->get<BaseMeshTopology>());
    if (needed && !l_topology)
        return fail("needs a " + std::string(mesh) +
                    ": give the link 'topology', or a topology component in this node");
    try {
        updatePrimitives();
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

template <class Element>
void MeshCollisionModel::checkVertices(const Vector<Element>& elements, std::string_view what) const
{
    const Index n = m_state->size();
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (const Index v : elements[e])
            if (v >= n)
                throw std::runtime_error(std::string(what) + " " + std::to_string(e) + " of '" +
                                         l_topology->pathName() + "' has the vertex " + std::to_string(v) +
                                         ", but the state has " + std::to_string(n) + " points");
}

bool MeshCollisionModel::areApart(std::span<const Index> a, std::span<const Index> b, double distance) const
{
    const auto has = [](std::span<const Index> vertices, Index v) {
        return std::find(vertices.begin(), vertices.end(), v) != vertices.end();
    };
    if (std::ranges::any_of(a, [&](Index v) { return has(b, v); })) return false;
    if (a.size() < b.size()) std::swap(a, b);
    const Vector<Vec3>& x = m_state->read(vec_id::restPosition);
    double rest2 = 0.;
    if (a.size() == 1)
        rest2 = geometry::pointPoint(x[b[0]], x[a[0]]).distance2;
    else if (a.size() == 2 && b.size() == 1)
        rest2 = geometry::pointSegment(x[b[0]], x[a[0]], x[a[1]]).distance2;
    else if (a.size() == 2)
        rest2 = geometry::segmentSegment(x[b[0]], x[b[1]], x[a[0]], x[a[1]]).distance2;
    else
        rest2 = geometry::pointTriangle(x[b[0]], x[a[0]], x[a[1]], x[a[2]]).distance2;
    if (rest2 > distance * distance) return true;
    // Layers that lie on each other at rest collide, neighbours do not.
    for (const Index v : a)
        for (const Index w : l_topology->verticesAroundVertex(v)) {
            if (has(b, w)) return false;
            for (const Index u : l_topology->verticesAroundVertex(w))
                if (has(b, u)) return false;
        }
    return true;
}

void PointCollisionModel::updatePrimitives()
{
    const std::size_t n = m_state->size();
    if (m_points.size() == n) return;
    m_points.resize(n);
    std::iota(m_points.begin(), m_points.end(), Index(0));
}

namespace {

const Color freeMotion(0.f, 1.f, 0.2f);

}  // namespace

void PointCollisionModel::drawPrimitives(DrawTool& tool)
{
    MeshCollisionModel::drawPrimitives(tool);
    if (d_displayFreePosition.value())
        drawPoints(tool, drawnPoints(tool, *m_state, vec_id::freePosition), freeMotion, 3.f);
}

void LineCollisionModel::drawPrimitives(DrawTool& tool)
{
    MeshCollisionModel::drawPrimitives(tool);
    if (d_displayFreePosition.value())
        drawEdges(tool, l_topology->edges(), drawnPoints(tool, *m_state, vec_id::freePosition), freeMotion);
}

bool PointCollisionModel::canCollide(Index i, const CollisionModel& other, Index j, double distance) const
{
    if (!d_selfCollision.value() || node() != other.node()) return true;
    if (&other != this) return other.canCollide(j, *this, i, distance);
    // Each pair once.
    if (i <= j) return false;
    if (!l_topology) return true;
    if (compatibility() == Compatibility::Exact) return areApart(vertices(i), vertices(j), distance);
    // SOFA: no points with a common neighbour.
    const Vector<Index> a = l_topology->verticesAroundVertex(i), b = l_topology->verticesAroundVertex(j);
    for (const Index v : a) {
        if (v == j) return false;
        if (std::find(b.begin(), b.end(), v) != b.end()) return false;
    }
    return true;
}

bool LineCollisionModel::canCollide(Index i, const CollisionModel& other, Index j, double distance) const
{
    if (!d_selfCollision.value() || node() != other.node()) return true;
    const auto& edges = l_topology->edges();
    const auto touches = [&](const Edge& e, Index v) { return e[0] == v || e[1] == v; };
    if (&other == this && i <= j) return false;  // each pair once
    const bool own = &other == this || other.shape() == CollisionShape::Point;
    if (own && compatibility() == Compatibility::Exact) return areApart(edges[i], other.vertices(j), distance);
    // SOFA: no edges, or edges and points, that an edge joins.
    if (&other == this) {
        for (const Index v : edges[i])
            for (const Index w : edges[j]) {
                if (v == w) return false;
                for (const Index e : l_topology->edgesAroundVertex(v))
                    if (touches(edges[e], w)) return false;
            }
        return true;
    }
    if (other.shape() == CollisionShape::Point) {
        for (const Index v : edges[i])
            for (const Index e : l_topology->edgesAroundVertex(v))
                if (touches(edges[e], j)) return false;
        return true;
    }
    return other.canCollide(j, *this, i, distance);
}

void TriangleCollisionModel::updatePrimitives()
{
    const auto& triangles = l_topology->triangles();
    const auto& quads = l_topology->quads();
    if (const std::size_t revision = l_topology->revision(); revision != m_meshRevision) {
        m_parts.clear();
        m_meshRevision = revision;
    }
    if (m_triangles.empty() || m_fromTriangles != triangles || m_fromQuads != quads) {
        checkVertices(triangles, "triangle");
        checkVertices(quads, "quad");
        m_fromTriangles = triangles;
        m_fromQuads = quads;
        m_triangles = triangles;
        for (const Quad& q : quads) {  // divided from corner 0 to corner 2: see dividesQuad
            m_triangles.push_back({q[1], q[2], q[0]});
            m_triangles.push_back({q[3], q[0], q[2]});
        }
        m_normals.clear();
        m_surface.reset();
        m_parts.clear();
    }
    if (!d_computeNormals.value() && m_normals.empty())
        for (Index i = 0; i < m_triangles.size(); ++i) m_normals.push_back(presentNormal(i));
}

Vec3 TriangleCollisionModel::presentNormal(Index i) const
{
    const auto& x = m_state->positions();
    const Triangle& t = m_triangles[i];
    const Vec3 n = cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
    const double length = norm(n);
    return length > 0. ? n / length : Vec3();
}

const SurfaceAdjacency* TriangleCollisionModel::surface() const
{
    if (!m_surface) m_surface = std::make_unique<SurfaceAdjacency>(m_triangles, m_state->size());
    return m_surface.get();
}

const std::uint8_t* TriangleCollisionModel::ownedParts() const
{
    if (!m_parts.empty() || m_triangles.empty()) return m_parts.data();
    const BaseMeshTopology& mesh = *l_topology;
    m_parts.assign(m_triangles.size(), 0);  // halves of quads stay 0
    for (std::size_t t = 0; t < m_fromTriangles.size(); ++t) {
        const auto triangle = static_cast<Index>(t);
        const auto isFirst = [triangle](std::span<const Index> around) {
            return !around.empty() && around.front() == triangle;
        };
        const auto edges = mesh.edgesInTriangle(triangle);
        for (std::size_t k = 0; k < 3; ++k) {
            const bool corner = isFirst(mesh.trianglesAroundVertex(m_triangles[t][k]));
            const bool side = edges[k] == InvalidIndex || isFirst(mesh.trianglesAroundEdge(edges[k]));
            m_parts[t] = static_cast<std::uint8_t>(m_parts[t] | unsigned{corner} << k | unsigned{side} << (3 + k));
        }
    }
    return m_parts.data();
}

bool TriangleCollisionModel::canCollide(Index i, const CollisionModel& other, Index j, double distance) const
{
    if (!d_selfCollision.value() || node() != other.node()) return true;
    if (other.shape() != CollisionShape::Point) return true;
    if (compatibility() == Compatibility::Exact) return areApart(m_triangles[i], other.vertices(j), distance);
    return std::ranges::find(m_triangles[i], j) == m_triangles[i].end();
}

bool TriangleOctreeCollisionModel::showsHierarchy(const DrawTool& tool) const
{
    return TriangleCollisionModel::showsHierarchy(tool) ||
           (d_drawOctree.value() && tool.shows(DisplayFlags::CollisionModels));
}

namespace {

const RegisterComponent registeredPointCollisionModel =
    RegisterComponent("PointCollisionModel", "CollisionModel", "Sofa.Component.Collision.Geometry")
        .help("The points of a state, for collision detection")
        .example("component/collision/MeshContacts.scn")
        .add<PointCollisionModel>();
const RegisterComponent registeredLineCollisionModel =
    RegisterComponent("LineCollisionModel", "CollisionModel", "Sofa.Component.Collision.Geometry")
        .help("The edges of a mesh, for collision detection")
        .example("component/collision/MeshContacts.scn")
        .add<LineCollisionModel>();
const RegisterComponent registeredTriangleCollisionModel =
    RegisterComponent("TriangleCollisionModel", "CollisionModel", "Sofa.Component.Collision.Geometry")
        .help("The triangles and quads of a mesh, for collision detection")
        .alias("TriangleModelInRegularGrid")  // one box around the grid that carries the mesh; the same contacts
        .example("component/collision/MeshContacts.scn")
        .add<TriangleCollisionModel>();
const RegisterComponent registeredTriangleOctreeCollisionModel =
    RegisterComponent("TriangleOctreeCollisionModel", "CollisionModel", "Sofa.Component.Collision.Geometry")
        .help("The triangles and quads of a mesh, for collision detection by rays (RayTraceNarrowPhase) or otherwise")
        .example("component/collision/RayTraceNarrowPhase.scn")
        .add<TriangleOctreeCollisionModel>();

}  // namespace

}  // namespace sofa::component
