// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/Interpenetration.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/geometry/BvhPairs.h"
#include "core/geometry/ConvexContact.h"
#include "core/geometry/Proximity.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

bool standsForTriangles(const CollisionModel& m)
{
    if (m.shape() != CollisionShape::Line && m.shape() != CollisionShape::Point) return false;
    const auto beside = m.node()->getAll<CollisionModel>(Search::Local);
    return std::ranges::any_of(beside, [](const auto* o) { return o->shape() == CollisionShape::Triangle; });
}

namespace {

using Overlap = bool (*)(const CollisionModel& a, Index i, const CollisionModel& b, Index j);

bool isSolid(CollisionShape s)
{
    return s == CollisionShape::Sphere || s == CollisionShape::Tetrahedron || s.info().solid;
}

/// One of the two is a solid.
bool overlappingSolids(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
{
    const geometry::ConvexBody x = a.bodyAt(i, 0.), y = b.bodyAt(j, 0.);
    const geometry::Aabb p = x.bounds(), q = y.bounds();
    const double size = norm(p.upper - p.lower) + norm(q.upper - q.lower);
    return geometry::coreContact(x, y).distance - x.radius - y.radius < -1e-9 * size;
}

bool lineAndTriangle(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
{
    return geometry::segmentCrossesTriangle(a.vertex(i, 0), a.vertex(i, 1), b.vertex(j, 0), b.vertex(j, 1),
                                            b.vertex(j, 2))
        .has_value();
}

bool overlappingTriangles(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
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
    if (standsForTriangles(*a) || standsForTriangles(*b)) return nullptr;
    if (a->shape() == CollisionShape::Triangle && b->shape() != CollisionShape::Triangle) std::swap(a, b);
    const auto isMesh = [](CollisionShape s) {
        return s == CollisionShape::Triangle || s == CollisionShape::Line || s == CollisionShape::Point;
    };
    if (isSolid(a->shape())) return isSolid(b->shape()) || isMesh(b->shape()) ? overlappingSolids : nullptr;
    if (isSolid(b->shape())) return isMesh(a->shape()) ? overlappingSolids : nullptr;
    if (b->shape() != CollisionShape::Triangle) return nullptr;
    return a->shape() == CollisionShape::Triangle ? overlappingTriangles
           : a->shape() == CollisionShape::Line   ? lineAndTriangle
                                                  : nullptr;
}

/// Whether a model is a closed surface, and a point is on the inner side of it: its triangles are seen from there, from
/// behind, under more than half of the full solid angle. (Van Oosterom and Strackee, IEEE Trans. Biomed. Eng. 30(2),
/// 1983, for that of one triangle.) A room, whose triangles face inwards, surrounds nothing.
bool surrounds(const CollisionModel& m, const Vec3& p)
{
    if (m.shape() != CollisionShape::Triangle || !m.topology()->isClosedSurface()) return false;
    double angle = 0.;
    for (Index i = 0; i < m.size(); ++i) {
        const Vec3 a = m.vertex(i, 0) - p, b = m.vertex(i, 1) - p, c = m.vertex(i, 2) - p;
        const double la = norm(a), lb = norm(b), lc = norm(c);
        angle += 2. * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return angle > 2. * std::numbers::pi;
}

/// Pairs (k, l) of models whose boxes overlap, l < k, in increasing order: by a sweep along x.
std::vector<std::pair<std::size_t, std::size_t>> overlappingBoxes(const std::vector<CollisionModel*>& models)
{
    std::vector<std::size_t> order, open;
    for (std::size_t k = 0; k < models.size(); ++k)
        if (models[k]->box().valid()) order.push_back(k);
    std::ranges::sort(order, {}, [&](std::size_t k) { return models[k]->box().lower[0]; });
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const std::size_t k : order) {
        const geometry::Aabb& box = models[k]->box();
        std::erase_if(open, [&](std::size_t o) { return models[o]->box().upper[0] < box.lower[0]; });
        for (const std::size_t o : open)
            if (models[o]->box().overlaps(box)) pairs.emplace_back(std::max(k, o), std::min(k, o));
        open.push_back(k);
    }
    std::ranges::sort(pairs);
    return pairs;
}

}  // namespace

std::vector<std::string> describeInterpenetrations(const std::vector<CollisionModel*>& models)
{
    std::vector<std::string> texts;
    geometry::BvhPairs search;
    for (const auto& [k, l] : overlappingBoxes(models)) {
        const CollisionModel *a = models[l], *b = models[k];
        if (a->node() == b->node() || !a->canCollideWith(*b)) continue;
        if (!a->d_simulated.value() && !b->d_simulated.value()) continue;
        const Overlap overlap = testOf(a, b);
        if (!overlap) continue;
        std::size_t count = 0;
        geometry::IndexPair first;
        for (const geometry::IndexPair& pair : search.between(a->tree(), b->tree()))
            if (overlap(*a, pair.first, *b, pair.second) && count++ == 0) first = pair;
        const std::string names = "'" + a->pathName() + "' and '" + b->pathName() + "'";
        if (count == 0) {
            if (a->size() == 0 || b->size() == 0) continue;
            if (surrounds(*a, b->bodyAt(0, 0.).center()) || surrounds(*b, a->bodyAt(0, 0.).center()))
                texts.push_back(names + " lie within each other at the start; contacts may not part them");
            continue;
        }
        texts.push_back(names + " pass through each other at the start: " + a->shape().info().name + " " +
                        std::to_string(first.first) + " of the first and " + b->shape().info().name + " " +
                        std::to_string(first.second) + " of the second" +
                        (count > 1 ? ", " + std::to_string(count) + " pairs in all" : "") +
                        "; contacts may throw them apart");
    }
    return texts;
}

}  // namespace sofa::component
