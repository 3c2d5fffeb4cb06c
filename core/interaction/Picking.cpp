// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/interaction/Picking.h"

#include <algorithm>
#include <cmath>

#include "core/behavior/BaseMapping.h"
#include "core/geometry/ConvexRay.h"
#include "core/geometry/Proximity.h"
#include "core/visitor/ExecutionPlan.h"

namespace sofa::core {

namespace {

/// Distance along the ray (direction of unit length) of its point nearest to p, if that is within `reach` of p.
std::optional<double> nearPoint(const Vec3& origin, const Vec3& direction, const Vec3& p, double reach)
{
    const double t = dot(p - origin, direction);
    if (!(t >= 0.) || !(norm2(p - (origin + direction * t)) <= reach * reach)) return {};
    return t;
}

/// The same for the segment p–q. The nearest points of a line and a segment: those inside, or those at an end.
std::optional<double> nearSegment(const Vec3& origin, const Vec3& direction, const Vec3& p, const Vec3& q, double reach)
{
    const Vec3 e = q - p, w = p - origin;
    const double ee = dot(e, e), de = dot(direction, e), det = ee - de * de;
    double s = 0.5;
    if (det > 1e-14 * ee) s = (de * dot(direction, w) - dot(e, w)) / det;
    return nearPoint(origin, direction, p + e * std::min(1., std::max(0., s)), reach);
}

/// Primitives that are more than their vertices.
bool isSolid(CollisionShape s) { return s == CollisionShape::Tetrahedron || s.info().solid; }

/// Where a ray meets a primitive, as a distance [m].
std::optional<double> meets(const CollisionModel& m, Index i, bool solid, const Vec3& origin, const Vec3& direction,
                            double tolerance)
{
    if (solid) {
        const auto span = geometry::rayConvex(origin, direction, m.body(i));
        return span ? std::optional(span->enter) : std::nullopt;
    }
    const auto v = m.vertices(i);
    const double radius = m.radius(i);
    if (v.size() == 3) {
        const auto hit = geometry::rayTriangle(origin, direction, m.point(v[0]), m.point(v[1]), m.point(v[2]));
        return hit ? std::optional(hit->t) : std::nullopt;
    }
    if (v.size() == 2) return nearSegment(origin, direction, m.point(v[0]), m.point(v[1]), std::max(radius, tolerance));
    if (v.size() != 1) return {};
    if (radius > 0.) {
        const auto span = geometry::raySphere(origin, direction, m.point(v[0]), radius);
        return span ? std::optional(span->enter) : std::nullopt;
    }
    return nearPoint(origin, direction, m.point(v[0]), tolerance);
}

/// The state of the simulation that moves another one through mappings: the nearest one above that solvers know.
BaseState* movedBy(Node& scene, BaseState& shown)
{
    BaseState* state = &shown;
    const std::vector<Node*> nodes = scene.descendants();
    // A chain of mappings is no longer than there are nodes.
    for (std::size_t k = 0; k < nodes.size() && !state->isMechanical(); ++k) {
        BaseState* above = nullptr;
        for (Node* n : nodes)
            for (const auto* m : n->getAll<BaseMapping>())
                if (std::ranges::count(m->outputs(), state) > 0 && !m->inputs().empty()) above = m->inputs().front();
        if (!above) return nullptr;
        state = above;
    }
    return state->isMechanical() ? state : nullptr;
}

/// The nearest triangle of a surface that the ray meets before `last`.
std::optional<Picked> pick(const PickableSurface& surface, const Vec3& origin, const Vec3& direction, double last)
{
    Vector<Vec3> x;
    Vector<Triangle> triangles;
    surface.surface(x, triangles);
    std::optional<Picked> best;
    for (Index i = 0; i < triangles.size(); ++i) {
        const Triangle& t = triangles[i];
        if (t[0] >= x.size() || t[1] >= x.size() || t[2] >= x.size()) continue;
        const auto hit = geometry::rayTriangle(origin, direction, x[t[0]], x[t[1]], x[t[2]]);
        if (!hit || !(hit->t < last)) continue;
        last = hit->t;
        best = Picked{.point = origin + direction * hit->t,
                      .distance = hit->t,
                      .direction = direction,
                      .triangle = t,
                      .triangleIndex = i};
    }
    return best;
}

std::optional<Picked> pickSurface(Node& scene, const Vec3& origin, const Vec3& direction)
{
    std::optional<Picked> best;
    double last = std::numeric_limits<double>::infinity();
    for (Node* n : scene.descendants())
        for (auto* s : n->getAll<PickableSurface>()) {
            const auto hit = pick(*s, origin, direction, last);
            auto* component = dynamic_cast<Component*>(s);
            if (!hit || !component || !component->isValid()) continue;
            best = hit;
            last = hit->distance;
            best->surface = component;
        }
    if (!best) return best;
    // Whoever works on it works on the nearest point of the state that moves it.
    if (auto* shown = dynamic_cast<const BaseState*>(best->surface.get()))
        best->state = movedBy(scene, const_cast<BaseState&>(*shown));
    double nearest = std::numeric_limits<double>::infinity();
    for (Index i = 0; best->state && i < best->state->size(); ++i) {
        const double d = norm2(best->state->pointPosition(i) - best->point);
        if (d < nearest) nearest = d, best->index = i;
    }
    return best;
}

}  // namespace

std::optional<Picked> pick(CollisionModel& model, const PickRay& ray, double tolerance)
{
    const Vec3 direction = ray.direction / norm(ray.direction);
    const bool solid = isSolid(model.shape());
    Vector<geometry::Aabb> boxes(model.currentSize());
    for (Index i = 0; i < boxes.size(); ++i) {
        if (solid) {
            boxes[i] = model.body(i).bounds();
            continue;
        }
        for (const Index v : model.vertices(i)) boxes[i].include(model.point(v));
        boxes[i] = boxes[i].inflated(std::max(model.radius(i), model.vertices(i).size() < 3 ? tolerance : 0.));
    }
    geometry::Bvh tree;
    tree.build(boxes);
    std::optional<Picked> best;
    tree.rayQuery(ray.origin, direction, std::numeric_limits<double>::infinity(), [&](Index i, double last) {
        const auto t = meets(model, i, solid, ray.origin, direction, tolerance);
        if (!t || (best && (*t > best->distance || (*t == best->distance && i > best->index)))) return last;
        best = Picked{.model = &model,
                      .state = &model.state(),
                      .index = i,
                      .point = ray.origin + direction * *t,
                      .distance = *t,
                      .direction = direction};
        return *t;
    });
    return best;
}

std::optional<Picked> pickColliding(Node& scene, const PickRay& ray, double tolerance)
{
    if (!(norm(ray.direction) > 0.)) return {};
    std::optional<Picked> best;
    for (Node* n : scene.descendants())
        for (auto* m : n->getAll<CollisionModel>()) {
            if (!m->isValid() || !m->d_active.value()) continue;
            // Boxes around other models, and rays, are nothing to take hold of.
            if (!m->shape().info().surface) continue;
            const auto hit = pick(*m, ray, tolerance);
            if (hit && (!best || hit->distance < best->distance)) best = hit;
        }
    return best;
}

std::optional<Picked> pick(Node& scene, const PickRay& ray, double tolerance)
{
    if (!(norm(ray.direction) > 0.)) return {};
    std::optional<Picked> best = pickColliding(scene, ray, tolerance);
    if (best) return best;
    const Vec3 direction = ray.direction / norm(ray.direction);
    const auto surface = pickSurface(scene, ray.origin, direction);
    if (surface && surface->state) return surface;
    for (BaseState* s : ExecutionPlan::of(scene).independentStates())
        for (Index i = 0; i < s->size(); ++i) {
            const auto t = nearPoint(ray.origin, direction, s->pointPosition(i), tolerance);
            if (t && (!best || *t < best->distance))
                best = Picked{
                    .state = s, .index = i, .point = s->pointPosition(i), .distance = *t, .direction = direction};
        }
    return best ? best : surface;
}

}  // namespace sofa::core
