// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/collision/MeshCollisionModels.h"
#include "core/behavior/ForceField.h"
#include "core/collision/SurfaceAdjacency.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

using namespace sofa::core;

/// The tetrahedra of a mesh: what enters one of them leaves through a face of the mesh's boundary.
class TetrahedronCollisionModel final : public ModelOnMesh
{
public:
    void init() override { initOn("Vec3", "topology with tetrahedra"); }
    CollisionShape shape() const override { return CollisionShape::Tetrahedron; }
    std::span<const Index> vertices(Index i) const override { return m_tetrahedra[i]; }
    /// Tetrahedra do not collide with what has one of their vertices.
    bool canCollide(Index i, const CollisionModel& other, Index j, double distance) const override;

    /// Triangles of the boundary of the mesh, seen counter-clockwise from outside where the tetrahedra are positive.
    const Vector<Triangle>& boundary() const { return m_boundary; }
    /// Those of a tetrahedron.
    std::span<const Index> boundaryFaces(Index tetrahedron) const
    {
        return {m_faces.data() + m_faceStart[tetrahedron], m_faces.data() + m_faceStart[tetrahedron + 1]};
    }
    /// The tetrahedron that a triangle of the boundary belongs to.
    Index owner(Index boundaryFace) const { return m_owner[boundaryFace]; }
    /// Triangles of the boundary that have a corner of a tetrahedron, in increasing order.
    std::span<const Index> nearbyFaces(Index tetrahedron) const
    {
        return {m_nearby.data() + m_nearbyStart[tetrahedron], m_nearby.data() + m_nearbyStart[tetrahedron + 1]};
    }
    /// Triangles of the boundary around a point, in increasing order.
    std::span<const Index> facesAround(Index point) const
    {
        return {m_around.data() + m_aroundStart[point], m_around.data() + m_aroundStart[point + 1]};
    }
    bool onBoundary(Index point) const { return m_aroundStart[point] != m_aroundStart[point + 1]; }
    /// Neighbours in the boundary, whose triangles are those of boundary().
    const SurfaceAdjacency* surface() const override { return &m_surface; }

protected:
    void updatePrimitives() override;
    Index primitiveCount() const override { return static_cast<Index>(m_tetrahedra.size()); }

private:
    void findBoundary();

    Vector<Tetrahedron> m_tetrahedra;
    Index m_pointCount = InvalidIndex;
    Vector<Triangle> m_boundary;
    Vector<Index> m_faceStart, m_faces, m_owner, m_nearbyStart, m_nearby, m_aroundStart, m_around;
    SurfaceAdjacency m_surface;
};

}  // namespace sofa::component
