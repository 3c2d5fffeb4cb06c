// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/CollisionModel.h"

#include <algorithm>
#include <atomic>

#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

std::string_view nameOf(CollisionShape s)
{
    constexpr std::string_view names[collisionShapeCount] = {"spheres",        "points", "lines",    "triangles",
                                                             "tetrahedra",     "rays",   "capsules", "cylinders",
                                                             "oriented boxes", "boxes"};
    return names[static_cast<std::size_t>(s)];
}

std::uint64_t CollisionModel::nextSerial()
{
    static std::atomic<std::uint64_t> next{0};
    return next++;
}

bool CollisionModel::canCollideWith(const CollisionModel& other) const
{
    if (node() == other.node()) return d_selfCollision.value();
    const Vector<int>& others = other.d_group.value();
    return std::ranges::none_of(d_group.value(),
                                [&](int g) { return std::find(others.begin(), others.end(), g) != others.end(); });
}

Vec3 CollisionModel::endPoint(Index k) const
{
    if (m_wanted.motion == CollisionMotion::FreeMotion && state().isAllocated(vec_id::freePosition))
        return state().pointPosition(k, vec_id::freePosition);
    if (m_wanted.motion != CollisionMotion::Inertia) return point(k);
    const double* v = state().scalars(vec_id::velocity) + state().derivSize() * k;
    return point(k) + Vec3{v[0], v[1], v[2]} * m_wanted.dt;
}

void CollisionModel::update(const CollisionUpdate& wanted)
{
    m_wanted = wanted;
    try {
        updatePrimitives();
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(pathName() + " (" + className() + "): " + e.what());
    }
    const Index n = primitiveCount();
    if (m_updated && !d_moving.value() && n == size()) return;
    m_updated = true;
    m_treeReady = false;
    m_boxes.resize(n);
    if (n == 0 || wanted.motion != CollisionMotion::None || !boxesOf(arrays())) boxesOfPoints();
    // An order that a checkpoint brought stays.
    const std::size_t revision = topology() ? topology()->revision() : 0;
    if (m_order.size() != n || (m_orderRevision && *m_orderRevision != revision))
        m_order.build(m_boxes, wanted.orderDepth);
    m_orderRevision = revision;
}

void CollisionModel::boxesOfPoints()
{
    m_box = {};
    const double skin = d_contactDistance.value();
    for (Index i = 0; i < size(); ++i) {
        const auto v = vertices(i);
        const auto check = [&](Index k, const Vec3& p) {
            if (!isFinite(p))
                throw std::runtime_error(pathName() + " (" + className() + "): the position of point " +
                                         std::to_string(k) + " is not finite: " + toText(p));
        };
        for (const Index k : v) check(k, point(k));
        geometry::Aabb b = bounds(i);
        if (m_wanted.motion != CollisionMotion::None) {
            // What one point carries goes with it.
            const geometry::Aabb start = b;
            for (const Index k : v) {
                const Vec3 end = endPoint(k);
                check(k, end);
                b.include(end);
                const Vec3 way = end - point(k);
                if (v.size() == 1) b.include(geometry::Aabb(start.lower + way, start.upper + way));
            }
        }
        m_boxes[i] = b.inflated(skin + radius(i));
        m_box.include(m_boxes[i]);
    }
}

bool CollisionModel::boxesOf(const Arrays& arrays)
{
    if (!arrays.vertices) return false;
    m_box = {};
    const double skin = d_contactDistance.value();
    const Index* v = arrays.vertices;
    double notFinite = 0.;  // stays zero while all numbers are finite
    const auto include = [](geometry::Aabb& box, const Vec3& lower, const Vec3& upper) {
        for (std::size_t k = 0; k < 3; ++k) {
            box.lower[k] = std::min(box.lower[k], lower[k]);
            box.upper[k] = std::max(box.upper[k], upper[k]);
        }
    };
    for (geometry::Aabb& box : m_boxes) {
        geometry::Aabb b;
        for (std::size_t k = 0; k < arrays.perPrimitive; ++k, ++v) {
            const Vec3& p = arrays.points[*v];
            notFinite += (p[0] + p[1] + p[2]) * 0.;
            include(b, p, p);
        }
        box = b.inflated(skin);
        include(m_box, box.lower, box.upper);
    }
    return notFinite == 0.;
}

bool CollisionModel::sharesVertex(Index i, const CollisionModel& other, Index j) const
{
    if (&state() != &other.state()) return false;
    const auto others = other.vertices(j);
    return std::ranges::any_of(vertices(i),
                               [&](Index v) { return std::find(others.begin(), others.end(), v) != others.end(); });
}

geometry::ConvexBody CollisionModel::body(Index primitive) const
{
    std::array<Vec3, 4> points;
    const auto v = vertices(primitive);
    for (std::size_t k = 0; k < v.size(); ++k) points[k] = point(v[k]);
    return geometry::ConvexBody::of({points.data(), v.size()}, radius(primitive));
}

geometry::Aabb CollisionModel::bounds(Index primitive) const
{
    geometry::Aabb b;
    for (const Index v : vertices(primitive)) b.include(point(v));
    return b;
}

const geometry::Bvh& CollisionModel::tree() const
{
    if (!m_treeReady) m_tree.update(m_boxes);
    m_treeReady = true;
    return m_tree;
}

}  // namespace sofa::core
