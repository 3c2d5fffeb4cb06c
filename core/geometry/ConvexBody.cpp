// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/ConvexBody.h"

#include <algorithm>

#include "core/math/Decompositions.h"

namespace sofa::core::geometry {

namespace {

using BodyKind = ConvexBody::Kind;

Vec3 cylinderAxis(const ConvexBody& b) { return normalized(b.points[1] - b.points[0], Vec3::unit(1)); }

}  // namespace

ConvexBody ConvexBody::of(std::span<const Vec3> points, double radius)
{
    ConvexBody b;
    constexpr std::array<BodyKind, 4> kinds{BodyKind::Point, BodyKind::Segment, BodyKind::Triangle,
                                            BodyKind::Tetrahedron};
    b.count = std::min<std::size_t>(points.size(), 4);
    b.kind = kinds[b.count > 0 ? b.count - 1 : 0];
    for (std::size_t k = 0; k < b.count; ++k) b.points[k] = points[k];
    b.radius = radius;
    return b;
}

ConvexBody ConvexBody::of(const Obb& box)
{
    ConvexBody b;
    b.kind = BodyKind::Box;
    b.box = box;
    b.count = 8;
    const Vec3& h = box.halfExtents;
    for (std::size_t i = 0; i < 8; ++i)
        b.points[i] =
            box.toWorld({(i & 1) != 0 ? h[0] : -h[0], (i & 2) != 0 ? h[1] : -h[1], (i & 4) != 0 ? h[2] : -h[2]});
    return b;
}

ConvexBody ConvexBody::of(const Cylinder& cylinder)
{
    ConvexBody b;
    b.kind = BodyKind::Cylinder;
    b.count = 2;
    b.points[0] = cylinder.a;
    b.points[1] = cylinder.b;
    b.cylinderRadius = cylinder.radius;
    return b;
}

ConvexBody ConvexBody::of(const ConvexForm& form, const Vec3& center, const Mat3& axes, double radius)
{
    ConvexBody b;
    b.kind = BodyKind::Form;
    b.count = 1;
    b.points[0] = b.box.center = center;
    b.box.axes = axes;
    b.cylinderRadius = form.reach();
    b.radius = radius;
    b.form = &form;
    return b;
}

ConvexFace ConvexForm::faceAlong(const Vec3& n, double) const
{
    ConvexFace f;
    f.points[0] = support(n);
    f.count = 1;
    return f;
}

Vec3 ConvexBody::center() const
{
    Vec3 c;
    for (std::size_t k = 0; k < count; ++k) c += points[k];
    return c * (1. / static_cast<double>(count));
}

Vec3 ConvexBody::support(const Vec3& d) const
{
    if (kind == BodyKind::Form) {
        const Vec3 local = transposeTimes(box.axes, d);
        return box.center + box.axes * form->support(norm2(local) > 0. ? local : Vec3::unit(0));
    }
    std::size_t best = 0;
    double most = dot(points[0] - points[0], d);
    for (std::size_t k = 1; k < count; ++k) {
        const double h = dot(points[k] - points[0], d);
        if (h > most) {
            most = h;
            best = k;
        }
    }
    if (kind != BodyKind::Cylinder) return points[best];
    // Twice, for what is left of a direction along the axis is not perpendicular to it.
    const Vec3 axis = cylinderAxis(*this), across = d - axis * dot(d, axis),
               u = normalized(across, Vec3(), 1e-15 * norm(d)), out = u - axis * dot(u, axis);
    return points[best] + normalized(out, Vec3(), 0.5) * cylinderRadius;
}

Aabb ConvexBody::bounds() const
{
    Aabb b;
    if (kind == BodyKind::Cylinder) {
        const Vec3 axis = cylinderAxis(*this);
        Vec3 r;
        for (std::size_t k = 0; k < 3; ++k) r[k] = cylinderRadius * std::sqrt(std::max(0., 1. - axis[k] * axis[k]));
        for (std::size_t k = 0; k < 2; ++k) b.include(Aabb(points[k] - r, points[k] + r));
    } else if (kind == BodyKind::Form) {
        for (std::size_t k = 0; k < 3; ++k) {
            b.lower[k] = support(-Vec3::unit(k))[k];
            b.upper[k] = support(Vec3::unit(k))[k];
        }
    } else {
        for (std::size_t k = 0; k < count; ++k) b.include(points[k]);
    }
    return radius > 0. ? b.inflated(radius) : b;
}

ConvexFace cornersTowards(const ConvexBody& body, const Vec3& d, double sine)
{
    if (body.kind == BodyKind::Cylinder || body.kind == BodyKind::Form) return faceAlong(body, d, sine);
    ConvexFace f;
    for (std::size_t k = 0; k < body.count; ++k) {
        f.points[k] = body.points[k];
        f.corners[k] = static_cast<unsigned>(k);
    }
    f.count = body.count;
    return f;
}

ConvexFace faceAlong(const ConvexBody& body, const Vec3& d, double sine)
{
    ConvexFace f;
    const Vec3 n = normalized(d, Vec3::unit(0));
    if (body.kind == BodyKind::Form) {
        f = body.form->faceAlong(transposeTimes(body.box.axes, n), sine);
        for (std::size_t k = 0; k < f.count; ++k) f.points[k] = body.box.center + body.box.axes * f.points[k];
        return f;
    }
    if (body.kind == BodyKind::Cylinder) {
        const Vec3 axis = cylinderAxis(body), across = n - axis * dot(n, axis);
        const double along = dot(n, axis), off = norm(across);
        const unsigned end = along >= 0. ? 1 : 0;
        // The side: a line. An end: eight points of its rim. Else one point of the rim.
        if (std::abs(along) <= sine) {
            const Vec3 out = across / off * body.cylinderRadius;
            f.count = 2;
            for (unsigned k = 0; k < 2; ++k) {
                f.points[k] = body.points[k] + out;
                f.corners[k] = 8 * k;
            }
            return f;
        }
        const Vec3 first = off > 1e-12 ? across / off : perpendicular(axis), second = cross(axis, first);
        constexpr double h = 0.70710678118654752440;
        constexpr std::array<std::array<double, 2>, 8> circle{
            {{1., 0.}, {h, h}, {0., 1.}, {-h, h}, {-1., 0.}, {-h, -h}, {0., -1.}, {h, -h}}};
        f.count = off <= sine ? 8 : 1;
        for (unsigned k = 0; k < f.count; ++k) {
            f.points[k] = body.points[end] + (first * circle[k][0] + second * circle[k][1]) * body.cylinderRadius;
            f.corners[k] = 8 * end + k;
        }
        return f;
    }
    if (body.kind == BodyKind::Box) {
        // The corners that differ from the farthest one along those sides that are nearly across n.
        const Vec3 local = transposeTimes(body.box.axes, n);
        for (unsigned k = 0; k < 8; ++k) {
            bool in = true;
            for (unsigned axis = 0; axis < 3; ++axis)
                in = in && (std::abs(local[axis]) <= sine || ((k >> axis & 1) != 0) == (local[axis] > 0.));
            if (!in) continue;
            f.points[f.count] = body.points[k];
            f.corners[f.count++] = k;
        }
        if (f.count == 4) {  // they came row by row
            std::swap(f.points[2], f.points[3]);
            std::swap(f.corners[2], f.corners[3]);
            return f;
        }
    } else {
        // All corners are joined to the farthest one.
        const Vec3 top = body.support(n);
        for (unsigned k = 0; k < body.count; ++k) {
            const Vec3 down = top - body.points[k];
            if (!(dot(down, n) <= sine * norm(down))) continue;
            f.points[f.count] = body.points[k];
            f.corners[f.count++] = k;
        }
    }
    if (f.count <= 3) return f;
    // In order around their middle.
    Vec3 middle;
    for (std::size_t k = 0; k < f.count; ++k) middle += f.points[k] * (1. / static_cast<double>(f.count));
    const Vec3 u = perpendicular(n), v = cross(n, u);
    std::array<std::pair<double, std::size_t>, ConvexFace::maxCount> order;
    for (std::size_t k = 0; k < f.count; ++k) {
        const Vec3 r = f.points[k] - middle;
        order[k] = {std::atan2(dot(r, v), dot(r, u)), k};
    }
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(f.count));
    const ConvexFace given = f;
    for (std::size_t k = 0; k < f.count; ++k) {
        f.points[k] = given.points[order[k].second];
        f.corners[k] = given.corners[order[k].second];
    }
    return f;
}

}  // namespace sofa::core::geometry
