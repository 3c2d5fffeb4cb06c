// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/CollisionModel.h"

#include <algorithm>

namespace sofa::core {

std::string_view nameOf(CollisionShape s)
{
    constexpr std::string_view names[collisionShapeCount] = {"spheres", "points", "lines", "triangles"};
    return names[static_cast<std::size_t>(s)];
}

bool CollisionModel::canCollideWith(const CollisionModel& other) const
{
    if (node() == other.node()) return d_selfCollision.value();
    const Vector<int>& others = other.d_group.value();
    return std::ranges::none_of(d_group.value(),
                                [&](int g) { return std::find(others.begin(), others.end(), g) != others.end(); });
}

void CollisionModel::update()
{
    const auto place = [this] { return pathName() + " (" + className() + "): "; };
    try {
        updatePrimitives();
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(place() + e.what());
    }
    const Index n = primitiveCount();
    if (m_updated && !d_moving.value() && n == size()) return;
    m_updated = true;
    m_treeReady = false;
    m_boxes.resize(n);
    m_box = {};
    const double skin = d_contactDistance.value();
    for (Index i = 0; i < n; ++i) {
        geometry::Aabb b;
        for (const Index v : vertices(i)) {
            const Vec3 p = point(v);
            if (!isFinite(p))
                throw std::runtime_error(place() + "the position of point " + std::to_string(v) +
                                         " is not finite: " + toText(p));
            b.include(p);
        }
        m_boxes[i] = b.inflated(skin + radius(i));
        m_box.include(m_boxes[i]);
    }
}

const geometry::Bvh& CollisionModel::tree() const
{
    if (!m_treeReady) m_tree.update(m_boxes);
    m_treeReady = true;
    return m_tree;
}

}  // namespace sofa::core
