// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/Interpenetration.h"

#include <algorithm>

#include "core/geometry/BvhPairs.h"
#include "core/geometry/Proximity.h"

namespace sofa::component {

namespace {

using Overlap = bool (*)(const CollisionModel& a, Index i, const CollisionModel& b, Index j);

bool spheres(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
{
    const double radii = a.radius(i) + b.radius(j);
    return norm2(b.vertex(j, 0) - a.vertex(i, 0)) < radii * radii;
}

bool sphereAndTriangle(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
{
    const auto nearest = geometry::pointTriangle(a.vertex(i, 0), b.vertex(j, 0), b.vertex(j, 1), b.vertex(j, 2));
    return nearest.distance2 < a.radius(i) * a.radius(i);
}

bool lineAndTriangle(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
{
    return geometry::segmentCrossesTriangle(a.vertex(i, 0), a.vertex(i, 1), b.vertex(j, 0), b.vertex(j, 1),
                                            b.vertex(j, 2))
        .has_value();
}

bool triangles(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
{
    const auto sideThrough = [](const CollisionModel& m, Index t, const CollisionModel& n, Index u) {
        for (std::size_t k = 0; k < 3; ++k)
            if (geometry::segmentCrossesTriangle(m.vertex(t, k), m.vertex(t, (k + 1) % 3), n.vertex(u, 0),
                                                 n.vertex(u, 1), n.vertex(u, 2)))
                return true;
        return false;
    };
    return sideThrough(a, i, b, j) || sideThrough(b, j, a, i);
}

/// The test for two models, which may be exchanged for it; nullptr if there is none.
Overlap testOf(const CollisionModel*& a, const CollisionModel*& b)
{
    using enum CollisionShape;
    if (a->shape() == Triangle && b->shape() != Triangle) std::swap(a, b);
    if (a->shape() == Triangle && b->shape() == Triangle) return triangles;
    if (b->shape() == Triangle && a->shape() == Line) {
        const auto beside = a->node()->getAll<CollisionModel>(Search::Local);
        const bool hasTriangles = std::ranges::any_of(beside, [](const auto* m) { return m->shape() == Triangle; });
        return hasTriangles ? nullptr : lineAndTriangle;
    }
    if (a->shape() != Sphere) return nullptr;
    return b->shape() == Sphere ? spheres : b->shape() == Triangle ? sphereAndTriangle : nullptr;
}

std::string singular(CollisionShape s)
{
    std::string name(nameOf(s));
    name.pop_back();
    return name;
}

}  // namespace

std::vector<std::string> describeInterpenetrations(const std::vector<CollisionModel*>& models)
{
    std::vector<std::string> texts;
    geometry::BvhPairs search;
    for (std::size_t k = 0; k < models.size(); ++k)
        for (std::size_t l = 0; l < k; ++l) {
            const CollisionModel *a = models[l], *b = models[k];
            if (a->node() == b->node() || !a->canCollideWith(*b)) continue;
            if (!a->d_simulated.value() && !b->d_simulated.value()) continue;
            if (!a->box().valid() || !b->box().valid() || !a->box().overlaps(b->box())) continue;
            const Overlap overlap = testOf(a, b);
            if (!overlap) continue;
            std::size_t count = 0;
            geometry::IndexPair first;
            for (const geometry::IndexPair& pair : search.between(a->tree(), b->tree()))
                if (overlap(*a, pair.first, *b, pair.second) && count++ == 0) first = pair;
            if (count == 0) continue;
            texts.push_back(
                "'" + a->pathName() + "' and '" + b->pathName() +
                "' pass through each other at the start: " + singular(a->shape()) + " " + std::to_string(first.first) +
                " of the first and " + singular(b->shape()) + " " + std::to_string(first.second) + " of the second" +
                (count > 1 ? ", " + std::to_string(count) + " pairs in all" : "") + "; contacts may throw them apart");
        }
    return texts;
}

}  // namespace sofa::component
