// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/FollowedPlace.h"

#include <algorithm>
#include <cmath>

#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"

namespace sofa::qt {

namespace {

/// What is kept in the thread of the window must not refer to the object in its thread (Tracked does).
std::weak_ptr<const Component> handleOf(const Component& component)
{
    if (component.node())
        for (const auto& c : component.node()->components())
            if (c.get() == &component) return c;
    return {};
}

/// Parts of the points that have the point of their plane, or line, below `x` as their mean.
std::vector<double> partsOf(const std::vector<Vec3>& p, const Vec3& x)
{
    std::vector<double> parts(p.size(), 0.);
    if (p.size() == 2) {
        const Vec3 a = p[1] - p[0];
        const double t = norm2(a) > 0. ? std::clamp(dot(x - p[0], a) / norm2(a), 0., 1.) : 0.;
        return {1. - t, t};
    }
    if (p.size() >= 3) {
        // Of a quad, the triangle in which the point is.
        for (std::size_t k = 1; k + 1 < p.size(); ++k) {
            const Vec3 a = p[k] - p[0], b = p[k + 1] - p[0], n = cross(a, b);
            if (!(norm2(n) > 0.)) continue;
            const double u = dot(cross(x - p[0], b), n) / norm2(n), v = dot(cross(a, x - p[0]), n) / norm2(n);
            const bool inside = u > -1e-9 && v > -1e-9 && u + v < 1. + 1e-9;
            if (!inside && k + 2 < p.size()) continue;
            std::ranges::fill(parts, 0.);
            parts[0] = 1. - u - v;
            parts[k] = u;
            parts[k + 1] = v;
            return parts;
        }
    }
    std::ranges::fill(parts, 1. / static_cast<double>(p.size()));
    return parts;
}

}  // namespace

std::function<std::optional<Vec3>()> placeOn(const Picked& picked)
{
    const Vec3 point = picked.point;
    if (!picked.model && picked.surface) {
        const auto* surface = dynamic_cast<const PickableSurface*>(picked.surface.get());
        if (!surface) return [point] { return std::optional(point); };
        Vector<Vec3> vertices;
        Vector<Triangle> triangles;
        surface->surface(vertices, triangles);
        std::vector<Vec3> corners;
        for (const Index i : picked.triangle) corners.push_back(vertices[i]);
        return [handle = handleOf(*picked.surface), triangle = picked.triangle,
                parts = partsOf(corners, point)]() -> std::optional<Vec3> {
            const auto alive = handle.lock();
            const auto* shown = dynamic_cast<const PickableSurface*>(alive.get());
            if (!shown) return {};
            Vector<Vec3> now;
            Vector<Triangle> faces;
            shown->surface(now, faces);
            Vec3 sum;
            for (std::size_t k = 0; k < 3; ++k) {
                if (triangle[k] >= now.size()) return {};
                sum += now[triangle[k]] * parts[k];
            }
            return sum;
        };
    }
    if (!picked.state) return [point] { return std::optional(point); };
    if (const auto* rigid = dynamic_cast<const State<Rigid3Types>*>(picked.state.get())) {
        const auto& x = rigid->positions()[picked.index];
        const Vec3 local = x.orientation.inverseRotate(point - x.center);
        return [handle = handleOf(*picked.state), index = picked.index, local]() -> std::optional<Vec3> {
            const auto alive = handle.lock();
            const auto* frames = dynamic_cast<const State<Rigid3Types>*>(alive.get());
            if (!frames || index >= frames->size()) return {};
            const auto& now = frames->positions()[index];
            return now.center + now.orientation.rotate(local);
        };
    }
    std::vector<Index> indices{picked.index};
    if (picked.model) {
        const auto v = picked.model->vertices(picked.index);
        indices.assign(v.begin(), v.end());
    }
    std::vector<Vec3> corners;
    for (const Index i : indices) {
        if (i >= picked.state->size()) return [point] { return std::optional(point); };
        corners.push_back(picked.state->pointPosition(i));
    }
    const std::vector<double> parts = partsOf(corners, point);
    Vec3 beside = point;  // a ball is picked at its surface
    for (std::size_t k = 0; k < corners.size(); ++k) beside -= corners[k] * parts[k];
    return [handle = handleOf(*picked.state), indices, parts, beside]() -> std::optional<Vec3> {
        const auto alive = handle.lock();
        const auto* state = dynamic_cast<const BaseState*>(alive.get());
        if (!state) return {};
        Vec3 sum = beside;
        for (std::size_t k = 0; k < indices.size(); ++k) {
            if (indices[k] >= state->size()) return {};
            sum += state->pointPosition(indices[k]) * parts[k];
        }
        return sum;
    };
}

}  // namespace sofa::qt
