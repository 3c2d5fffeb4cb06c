// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <memory>

#include "core/behavior/ForceField.h"
#include "core/collision/CollisionModel.h"
#include "core/collision/SurfaceAdjacency.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Collision model of what a mesh has, with the state of points of its node.
class ModelOnMesh : public CollisionModel
{
public:
    Link<BaseMeshTopology> l_topology{this, {"topology", "Mesh; default: that of the node"}};

    static std::string_view staticTemplateName() { return Vec3Types::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<Vec3Types>(node, desc, "mstate", why);
    }
    BaseState& state() const override { return *m_state; }
    const BaseMeshTopology* topology() const override { return l_topology.get(); }
    PointLists pointLists() override { return noLists(); }

protected:
    /// Finds the state and the mesh, and makes the primitives. The arguments are words of the messages: the template of
    /// the state and what the mesh is to be; it may be without a mesh where it is not `needed`.
    void initOn(std::string_view stateTemplate, std::string_view mesh, bool needed = true);

    State<Vec3Types>* m_state = nullptr;
};

/// Collision model of the points, edges or triangles of a mesh.
class MeshCollisionModel : public ModelOnMesh
{
public:
    Data<bool> d_bothSide{
        this,
        {.name = "bothSide",
         .help = "Whether contacts on the back are contacts too, for intersection methods that look at sides: "
                 "LocalMinDistance; the others take both"},
        false};

    void init() override { initOn("Vec3d", "topology", needsTopology()); }
    bool bothSide() const override { return d_bothSide.value(); }
    const State<Vec3Types>& vecState() const { return *m_state; }

protected:
    virtual bool needsTopology() const { return true; }
    /// Throws std::runtime_error if a primitive has a vertex that the state does not have.
    template <class Element>
    void checkVertices(const Vector<Element>& elements, std::string_view what) const;

    /// Whether two primitives of the mesh, points and points, edges or a triangle, or two edges, may collide: not if
    /// they have a common vertex, nor if one or two edges join them and they are within `distance` [m] at rest.
    bool areApart(std::span<const Index> a, std::span<const Index> b, double distance) const;
};

/// Every point of the state.
class PointCollisionModel final : public MeshCollisionModel
{
public:
    Data<bool> d_displayFreePosition{
        this, {.name = "displayFreePosition", .help = "Show the positions of the free motion"}, false};

    PointCollisionModel() { ignoreAttribute("computeNormals", "no intersection method uses normals of points"); }
    CollisionShape shape() const override { return CollisionShape::Point; }
    std::span<const Index> vertices(Index i) const override { return {&m_points[i], 1}; }
    Arrays arrays() const override { return {m_points.data(), 1, m_state->positions().data()}; }
    bool canCollide(Index i, const CollisionModel& other, Index j, double distance) const override;

protected:
    void drawPrimitives(DrawTool& tool) override;
    bool needsTopology() const override { return false; }
    void updatePrimitives() override;
    Index primitiveCount() const override { return static_cast<Index>(m_points.size()); }

private:
    Vector<Index> m_points;
};

/// The edges of the mesh.
class LineCollisionModel final : public MeshCollisionModel
{
public:
    Data<bool> d_displayFreePosition{
        this, {.name = "displayFreePosition", .help = "Show the positions of the free motion"}, false};

    CollisionShape shape() const override { return CollisionShape::Line; }
    std::span<const Index> vertices(Index i) const override { return l_topology->edges()[i]; }
    Arrays arrays() const override { return {l_topology->edges().data()->data(), 2, m_state->positions().data()}; }
    bool canCollide(Index i, const CollisionModel& other, Index j, double distance) const override;

protected:
    void drawPrimitives(DrawTool& tool) override;
    void updatePrimitives() override { checkVertices(l_topology->edges(), "edge"); }
    Index primitiveCount() const override { return static_cast<Index>(l_topology->edges().size()); }
};

/// The triangles of the mesh, and its quads as two triangles each: (1, 2, 0) and (3, 0, 2).
class TriangleCollisionModel : public MeshCollisionModel
{
public:
    Data<bool> d_computeNormals{
        this, {.name = "computeNormals", .help = "Compute the normals of the triangles at each step"}, true};
    TriangleCollisionModel()
    {
        ignoreAttribute("useCurvature", "every pair of primitives whose boxes are near is tested");
    }
    CollisionShape shape() const override { return CollisionShape::Triangle; }
    std::span<const Index> vertices(Index i) const override { return m_triangles[i]; }
    Arrays arrays() const override { return {m_triangles.data()->data(), 3, m_state->positions().data()}; }
    Vec3 normal(Index i) const override { return d_computeNormals.value() ? presentNormal(i) : m_normals[i]; }
    /// Built when it is first asked for after a change of the triangles.
    const SurfaceAdjacency* surface() const override;
    /// Found when they are first asked for after a change of the mesh that an update saw.
    const std::uint8_t* ownedParts() const override;
    bool dividesQuad(Index i, std::size_t side) const override { return i >= m_fromTriangles.size() && side == 1; }
    bool canCollide(Index i, const CollisionModel& other, Index j, double distance) const override;

protected:
    void updatePrimitives() override;
    Index primitiveCount() const override { return static_cast<Index>(m_triangles.size()); }

private:
    Vector<Triangle> m_triangles;
    Vec3 presentNormal(Index i) const;

    Vector<Vec3> m_normals;  ///< when the triangles were last made, where they are kept
    mutable std::unique_ptr<SurfaceAdjacency> m_surface;
    Vector<Triangle> m_fromTriangles;
    Vector<Quad> m_fromQuads;
    mutable Vector<std::uint8_t> m_parts;
    std::size_t m_meshRevision = 0;
};

/// The same triangles, under the name that scenes with RayTraceNarrowPhase give. SOFA keeps an octree for its rays;
/// here they go through the hierarchy of boxes that every model has, with the same hits.
class TriangleOctreeCollisionModel final : public TriangleCollisionModel
{
public:
    Data<bool> d_drawOctree{this,
                            {.name = "drawOctree",
                             .help = "Show the boxes of the hierarchy, through which rays go, with the triangles",
                             .group = "Visualization"},
                            false};

protected:
    bool showsHierarchy(const DrawTool& tool) const override;
};

}  // namespace sofa::component
