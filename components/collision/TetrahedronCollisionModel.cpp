// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/TetrahedronCollisionModel.h"

#include <algorithm>

#include "core/factory/Registry.h"

namespace sofa::component {

void TetrahedronCollisionModel::updatePrimitives()
{
    const auto& tetrahedra = l_topology->tetrahedra();
    const Index n = m_state->size();
    if (m_pointCount == n && m_tetrahedra == tetrahedra) return;
    for (std::size_t t = 0; t < tetrahedra.size(); ++t)
        for (const Index v : tetrahedra[t])
            if (v >= n)
                throw std::runtime_error("tetrahedron " + std::to_string(t) + " of '" + l_topology->pathName() +
                                         "' has the vertex " + std::to_string(v) + ", but the state has " +
                                         std::to_string(n) + " points");
    m_tetrahedra = tetrahedra;
    m_pointCount = n;
    findBoundary();
}

void TetrahedronCollisionModel::findBoundary()
{
    // A face that no second tetrahedron has is of the boundary.
    struct Face
    {
        std::array<Index, 3> sorted;
        Index tetrahedron;
        std::size_t k;
        bool operator<(const Face& o) const
        {
            return std::tie(sorted, tetrahedron, k) < std::tie(o.sorted, o.tetrahedron, o.k);
        }
    };
    constexpr std::array<std::array<std::size_t, 3>, 4> corners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
    const auto face = [&](Index t, std::size_t k) {
        const Tetrahedron& v = m_tetrahedra[t];
        return Triangle{v[corners[k][0]], v[corners[k][1]], v[corners[k][2]]};
    };
    Vector<Face> faces;
    faces.reserve(4 * m_tetrahedra.size());
    for (std::size_t t = 0; t < m_tetrahedra.size(); ++t)
        for (std::size_t k = 0; k < 4; ++k) {
            Face f{face(static_cast<Index>(t), k), static_cast<Index>(t), k};
            std::sort(f.sorted.begin(), f.sorted.end());
            faces.push_back(f);
        }
    std::sort(faces.begin(), faces.end());
    Vector<char> single(faces.size(), 0);
    for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
        end = begin + 1;
        while (end < faces.size() && faces[end].sorted == faces[begin].sorted) ++end;
        if (end - begin == 1) single[4 * faces[begin].tetrahedron + faces[begin].k] = 1;
    }
    m_boundary.clear();
    m_faces.clear();
    m_owner.clear();
    m_faceStart.assign(1, 0);
    for (std::size_t t = 0; t < m_tetrahedra.size(); ++t) {
        for (std::size_t k = 0; k < 4; ++k) {
            if (!single[4 * t + k]) continue;
            m_faces.push_back(static_cast<Index>(m_boundary.size()));
            m_boundary.push_back(face(static_cast<Index>(t), k));
            m_owner.push_back(static_cast<Index>(t));
        }
        m_faceStart.push_back(static_cast<Index>(m_faces.size()));
    }
    m_aroundStart.assign(m_pointCount + 1, 0);
    for (const Triangle& f : m_boundary)
        for (const Index v : f) ++m_aroundStart[v + 1];
    for (std::size_t v = 0; v < m_pointCount; ++v) m_aroundStart[v + 1] += m_aroundStart[v];
    m_around.resize(m_aroundStart[m_pointCount]);
    Vector<Index> next(m_aroundStart.begin(), m_aroundStart.end() - 1);
    for (std::size_t f = 0; f < m_boundary.size(); ++f)
        for (const Index v : m_boundary[f]) m_around[next[v]++] = static_cast<Index>(f);
    m_nearby.clear();
    m_nearbyStart.assign(1, 0);
    for (const Tetrahedron& t : m_tetrahedra) {
        const auto first = static_cast<std::ptrdiff_t>(m_nearby.size());
        for (const Index v : t) m_nearby.insert(m_nearby.end(), facesAround(v).begin(), facesAround(v).end());
        std::sort(m_nearby.begin() + first, m_nearby.end());
        m_nearby.erase(std::unique(m_nearby.begin() + first, m_nearby.end()), m_nearby.end());
        m_nearbyStart.push_back(static_cast<Index>(m_nearby.size()));
    }
    m_surface = SurfaceAdjacency(m_boundary, m_pointCount);
}

bool TetrahedronCollisionModel::canCollide(Index i, const CollisionModel& other, Index j, double) const
{
    if (&other == this && i <= j) return false;
    return !sharesVertex(i, other, j);
}

static const RegisterComponent registeredTetrahedronCollisionModel =
    RegisterComponent("TetrahedronCollisionModel", "CollisionModel", "Sofa.Component.Collision.Geometry")
        .help("The tetrahedra of a mesh, for collision detection")
        .example("component/collision/Tetrahedra.scn")
        .add<TetrahedronCollisionModel>();

}  // namespace sofa::component
