// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/ConvexRay.h"

#include <algorithm>

#include "core/geometry/ConvexContact.h"

namespace sofa::core::geometry {

using BodyKind = ConvexBody::Kind;

namespace {

/// The part of a ray where h + t s ≤ 0 for all that were given.
struct Clipped
{
    double enter = 0., leave = std::numeric_limits<double>::infinity();

    void add(double h, double s)
    {
        if (s == 0.) {
            if (h > 0.) leave = -1.;
        } else if (s < 0.) {
            enter = std::max(enter, -h / s);
        } else {
            leave = std::min(leave, -h / s);
        }
    }
    std::optional<RaySpan> span() const { return enter <= leave ? std::optional(RaySpan{enter, leave}) : std::nullopt; }
};

/// Between the planes of its ends, and within the radius of its axis: the middle of the chord of the line with the
/// round side from the distance of the line, as in raySphere.
std::optional<RaySpan> rayCylinder(const Vec3& origin, const Vec3& direction, const Cylinder& c)
{
    const Vec3 axis = normalized(c.b - c.a, Vec3::unit(1)), o = origin - c.a,
               across = direction - axis * dot(direction, axis), off = o - axis * dot(o, axis);
    Clipped part;
    part.add(-dot(o, axis), -dot(direction, axis));
    part.add(dot(origin - c.b, axis), dot(direction, axis));
    const double aa = norm2(across), radius2 = c.radius * c.radius;
    if (!(aa > 1e-30 * norm2(direction))) return norm2(off) <= radius2 ? part.span() : std::nullopt;
    const double middle = -dot(off, across) / aa, rest = radius2 - norm2(off + across * middle);
    if (rest < 0.) return {};
    const double half = std::sqrt(rest / aa);
    part.enter = std::max(part.enter, middle - half);
    part.leave = std::min(part.leave, middle + half);
    return part.span();
}

/// From one side, then from the other one: the body lies behind the plane across the normal of its nearest point, so
/// that the ray can go as far as that plane (conservative advancement).
std::optional<RaySpan> rayForm(const Vec3& origin, const Vec3& direction, const ConvexBody& body)
{
    const double reach = body.cylinderRadius + body.radius;
    const auto ball = raySphere(origin, direction, body.box.center, reach);
    if (!ball) return {};
    const auto advance = [&](double from, double sign) -> std::optional<double> {
        double t = from;
        for (int step = 0; step < 200; ++step) {
            const Vec3 p = origin + direction * t;
            const Contact c = coreContact(ConvexBody::of({&p, 1}), body);
            const double gap = c.distance - body.radius, approach = sign * dot(direction, c.normal);
            if (!(gap > 1e-10 * reach)) return t;
            if (!(approach > 0.)) return {};
            t += sign * gap / approach;
            if (!(sign * (t - from) <= ball->leave - ball->enter)) return {};
        }
        return t;
    };
    const auto enter = advance(ball->enter, 1.);
    if (!enter) return {};
    const auto leave = advance(ball->leave, -1.);
    return leave && *enter <= *leave ? std::optional(RaySpan{*enter, *leave}) : std::nullopt;
}

}  // namespace

std::optional<RaySpan> rayConvex(const Vec3& origin, const Vec3& direction, const ConvexBody& body)
{
    const auto& x = body.points;
    switch (body.kind) {
        case BodyKind::Point:
            return body.radius > 0. ? raySphere(origin, direction, x[0], body.radius) : std::nullopt;
        case BodyKind::Segment: {
            if (!(body.radius > 0.)) return {};
            // The round side, and both balls: together one interval.
            std::optional<RaySpan> all;
            const auto take = [&](const std::optional<RaySpan>& s) {
                if (!s) return;
                all = all ? RaySpan{std::min(all->enter, s->enter), std::max(all->leave, s->leave)} : *s;
            };
            take(raySphere(origin, direction, x[0], body.radius));
            take(raySphere(origin, direction, x[1], body.radius));
            if (norm2(x[1] - x[0]) > 0.) take(rayCylinder(origin, direction, {x[0], x[1], body.radius}));
            return all;
        }
        case BodyKind::Triangle: {
            const auto hit = rayTriangle(origin, direction, x[0], x[1], x[2]);
            return hit ? std::optional(RaySpan{hit->t, hit->t}) : std::nullopt;
        }
        case BodyKind::Tetrahedron: {
            Clipped part;
            for (std::size_t k = 0; k < 4; ++k) {
                const Vec3 &p = x[(k + 1) % 4], &q = x[(k + 2) % 4], &r = x[(k + 3) % 4];
                Vec3 n = cross(q - p, r - p);
                if (dot(n, x[k] - p) > 0.) n = -n;
                part.add(dot(n, origin - p), dot(n, direction));
            }
            return part.span();
        }
        case BodyKind::Box:
            return rayObb(origin, direction, body.box);
        case BodyKind::Cylinder:
            return rayCylinder(origin, direction, {x[0], x[1], body.cylinderRadius});
        case BodyKind::Form:
            return rayForm(origin, direction, body);
    }
    return {};
}

}  // namespace sofa::core::geometry
