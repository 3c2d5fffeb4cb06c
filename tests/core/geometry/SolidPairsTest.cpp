// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cstdio>

#include "core/geometry/ConvexContact.h"
#include "core/math/Quat.h"
#include "tests/core/geometry/GeometryRandom.h"
#include "tests/core/geometry/SolidReference.h"

namespace solid_pairs_test {

/// Pairs of solids, random and degenerate, against the comparison of all features in extended precision
/// (SolidReference.h).

using namespace sofa::core;
using namespace sofa::core::geometry;
using sofa::test::GeometryRandom;
namespace reference = sofa::test::reference;
using Kind = ConvexBody::Kind;
using reference::Real;

namespace {

constexpr unsigned variants = 12;
const char* const variantNames[variants] = {"random",
                                            "overlapping",
                                            "parallel",
                                            "parallel and touching",
                                            "nearly parallel",
                                            "without extent",
                                            "one centre",
                                            "nested",
                                            "of very different size",
                                            "huge or tiny",
                                            "far from the origin",
                                            "on a lattice"};
const char* const kindNames[] = {"sphere", "capsule", "triangle", "tetrahedron", "box", "cylinder"};

/// What a body is made of, so that a second one can share part of it.
struct Recipe
{
    Vec3 center;
    Mat3 axes = Mat3::identity();
    double size = 1.;
};

double lattice(GeometryRandom& random, unsigned n) { return 0.5 * static_cast<double>(random.below(n)); }

ConvexBody make(GeometryRandom& random, Kind kind, const Recipe& r, unsigned variant)
{
    const bool grid = variant == 11, thin = variant == 5;
    const auto extent = [&] {
        if (thin && random.below(2) == 0) return 0.;
        return r.size * (grid ? lattice(random, 4) : 0.05 + std::abs(random()));
    };
    const auto local = [&]() -> Vec3 {
        if (grid) return {lattice(random, 4), lattice(random, 4), lattice(random, 4)};
        if (thin && random.below(3) == 0) return {};
        return random.point(r.size);
    };
    const Vec3 y = r.axes.column(1);
    switch (kind) {
        case Kind::Point:
            return ConvexBody::of({&r.center, 1}, extent());
        case Kind::Segment: {
            const Vec3 half = y * extent();
            const std::array<Vec3, 2> x{r.center - half, r.center + half};
            return ConvexBody::of(x, extent());
        }
        case Kind::Triangle:
        case Kind::Tetrahedron: {
            std::array<Vec3, 4> x;
            for (Vec3& p : x) p = local();
            // Of parallel ones, a face in the plane of two axes, a side along one.
            if (variant >= 2 && variant <= 4) {
                x[0] = {-x[0][0], 0., 0.};
                x[1] = {x[1][0], 0., 0.};
                x[2][2] = 0.;
            }
            for (Vec3& p : x) p = r.center + r.axes * p;
            return ConvexBody::of({x.data(), kind == Kind::Triangle ? 3u : 4u});
        }
        case Kind::Box: {
            Vec3 h;
            for (std::size_t k = 0; k < 3; ++k) h[k] = extent();
            return ConvexBody::of(Obb{r.center, r.axes, h});
        }
        case Kind::Cylinder: {
            const Vec3 half = y * (thin ? r.size * 0.5 : std::max(extent(), 0.25 * r.size));
            return ConvexBody::of(Cylinder{r.center - half, r.center + half, extent()});
        }
        case Kind::Form:
            break;  // no closed form: ConvexTest.cpp
    }
    return {};
}

Mat3 randomAxes(GeometryRandom& random) { return Quat::fromAxisAngle(random.direction(), 3. * random()).toMatrix(); }

std::array<ConvexBody, 2> makePair(GeometryRandom& random, Kind a, Kind b, unsigned variant)
{
    Recipe first{random.point(), randomAxes(random), 1.};
    Recipe second{random.point(2.), randomAxes(random), 1.};
    switch (variant) {
        case 1:
            second.center = first.center + random.point(0.3);
            break;
        case 2:
        case 3:
            if (random.below(2) == 0) first.axes = Mat3::identity();
            second.axes = first.axes;
            if (random.below(2) == 0)  // a quarter or half of a quarter about one axis
                second.axes = first.axes * Quat::fromAxisAngle(Vec3::unit(random.below(3)),
                                                               0.78539816339744830962 * (1 + random.below(2)))
                                               .toMatrix();
            if (random.below(3) == 0)  // on one line
                second.center = first.center + first.axes.column(random.below(3)) * (2. * random());
            break;
        case 4:
            second.axes =
                first.axes *
                Quat::fromAxisAngle(random.direction(), std::pow(10., -6. - 6. * std::abs(random()))).toMatrix();
            break;
        case 6:
            second.center = first.center;
            break;
        case 7:
            second.size = 0.02;
            second.center = first.center + random.point(0.05);
            break;
        case 8:
            second.size = std::pow(10., -6. * std::abs(random()));
            second.center = first.center + random.point(0.7);
            break;
        case 9: {
            const double scale = std::pow(10., 6. * random());
            first.size = second.size = scale;
            first.center *= scale;
            second.center *= scale;
            break;
        }
        case 10:
            first.center += Vec3{1e4, -3e4, 2e4};
            second.center += Vec3{1e4, -3e4, 2e4};
            break;
        case 11: {
            const auto turned = [&] {
                return random.below(2) == 0
                           ? Mat3::identity()
                           : Quat::fromAxisAngle(Vec3::unit(random.below(3)), 1.57079632679489661923).toMatrix();
            };
            first.axes = turned();
            second.axes = turned();
            first.center = {lattice(random, 5), lattice(random, 5), lattice(random, 5)};
            second.center = {lattice(random, 5), lattice(random, 5), lattice(random, 5)};
            break;
        }
        default:
            break;
    }
    std::array<ConvexBody, 2> pair{make(random, a, first, variant), make(random, b, second, variant)};
    if (variant == 3) {
        // Moved along an axis until they touch, or nearly.
        const Vec3 n = first.axes.column(random.below(3));
        const double gap = dot(pair[1].support(-n) - pair[0].support(n), n) - pair[0].radius - pair[1].radius;
        const double left = random.below(2) == 0 ? 0. : random() * std::pow(10., -16. * std::abs(random()));
        const Vec3 way = n * (left - gap);
        for (std::size_t k = 0; k < pair[1].count; ++k) pair[1].points[k] += way;
        pair[1].box.center += way;
    }
    return pair;
}

std::string text(const ConvexBody& b)
{
    std::string r = kindNames[static_cast<std::size_t>(b.kind)];
    char buffer[400];
    const auto put = [&](const Vec3& p) {
        std::snprintf(buffer, sizeof buffer, " (%.17g, %.17g, %.17g)", p[0], p[1], p[2]);
        r += buffer;
    };
    if (b.kind == Kind::Box) {
        put(b.box.center);
        for (std::size_t k = 0; k < 3; ++k) put(b.box.axes.column(k));
        put(b.box.halfExtents);
    } else {
        for (std::size_t k = 0; k < b.count; ++k) put(b.points[k]);
    }
    std::snprintf(buffer, sizeof buffer, " radius %.17g", b.radius + b.cylinderRadius);
    return r + buffer;
}

/// The function of Solids.h for two bodies with their radii, where there is one; else that of their cores.
Contact contactOf(const ConvexBody& a, const ConvexBody& b)
{
    const auto& p = a.points;
    const auto& q = b.points;
    const Sphere ball{p[0], a.radius};
    const Capsule capsule{p[0], p[1], a.radius};
    if (a.kind == Kind::Point) {
        if (b.kind == Kind::Point) return sphereSphere(ball, {q[0], b.radius});
        if (b.kind == Kind::Segment) return sphereCapsule(ball, {q[0], q[1], b.radius});
        if (b.kind == Kind::Triangle) return sphereTriangle(ball, q[0], q[1], q[2]);
        if (b.kind == Kind::Cylinder) return sphereCylinder(ball, {q[0], q[1], b.cylinderRadius});
    }
    if (a.kind == Kind::Segment) {
        if (b.kind == Kind::Segment) return capsuleCapsule(capsule, {q[0], q[1], b.radius});
        if (b.kind == Kind::Triangle) return capsuleTriangle(capsule, q[0], q[1], q[2]);
    }
    if (a.kind == Kind::Box) {
        if (b.kind == Kind::Point) return obbSphere(a.box, {q[0], b.radius});
        if (b.kind == Kind::Segment) return obbCapsule(a.box, {q[0], q[1], b.radius});
        if (b.kind == Kind::Triangle) return obbTriangle(a.box, q[0], q[1], q[2]);
    }
    Contact c = coreContact(a, b);
    c.distance -= a.radius + b.radius;
    c.pointA += c.normal * a.radius;
    c.pointB -= c.normal * b.radius;
    return c;
}

bool pierces(const ConvexBody& a, const ConvexBody& b) { return a.kind == Kind::Segment && b.kind == Kind::Triangle; }

/// What is wrong with the contact of a pair; empty if nothing is.
std::string fault(const ConvexBody& a, const ConvexBody& b, const Contact& c)
{
    const reference::Shape x = reference::shapeOf(a), y = reference::shapeOf(b);
    const bool exact = !x.isCylinder && !y.isCylinder;
    // Pairs without a closed form: triangles with each other, tetrahedra.
    const bool closed = a.kind != Kind::Tetrahedron && b.kind != Kind::Tetrahedron &&
                        (a.kind != Kind::Triangle || b.kind != Kind::Triangle);
    Real extent = 0, far = 0;
    const auto include = [&](const ConvexBody& body) {
        for (std::size_t k = 0; k < body.count; ++k) {
            extent = std::max(extent, Real(norm(body.points[k] - a.points[0])) + body.cylinderRadius + body.radius);
            far = std::max(far, Real(norm(body.points[k])));
        }
    };
    include(a);
    include(b);
    // Corners of boxes, and points of contacts, are rounded where they stand.
    const Real tolerance = (exact ? closed ? 1e-14L : 2e-12L : 5e-9L) * extent + 1e-15L * far;
    const Real radii = Real(a.radius) + b.radius;
    char buffer[200];
    const auto wrong = [&](const char* what, Real have, Real expected) -> std::string {
        std::snprintf(buffer, sizeof buffer, "%s: %.17Lg, expected %.17Lg, difference %.3Lg of the extent", what, have,
                      expected, (have - expected) / extent);
        return buffer;
    };
    if (!isFinite(c.pointA) || !isFinite(c.pointB) || !std::isfinite(c.distance)) return "not finite";
    if (!(std::abs(norm(c.normal) - 1.) < 1e-12)) return wrong("length of the normal", norm(c.normal), 1);
    const Real mismatch = norm(c.pointB - c.pointA - c.normal * c.distance);
    if (!(mismatch <= 10 * tolerance)) return wrong("points and distance disagree", mismatch, 0);

    const Real have = c.distance + radii;
    const reference::V n = reference::unit(reference::of(c.normal));
    const auto along = [&](const reference::V& m) { return x.height(m) + y.height(m * -1); };
    if (exact) {
        const Real overlap = reference::leastOverlap(x, y);
        if (overlap < -tolerance) {
            const Real expected = reference::featureDistance(x, y);
            if (!(std::abs(have - expected) <= tolerance)) return wrong("distance", have, expected);
        } else if (overlap > tolerance) {
            // The axis of a capsule leaves a triangle along the normal of the triangle. Directions of two edges count
            // only if they need less by a millionth.
            Real expected = overlap;
            if (pierces(a, b)) expected = reference::overlapAlong(x, y, y.normals[0]);
            if (pierces(b, a)) expected = reference::overlapAlong(x, y, x.normals[0]);
            const bool boxed = a.kind == Kind::Box || b.kind == Kind::Box;
            if (!(-have >= expected - tolerance && -have <= expected * (boxed ? 1 + 1.1e-6L : 1) + tolerance))
                return wrong("depth", have, -expected);
            if (!(std::abs(along(n) + have) <= 4 * tolerance)) return wrong("depth along the normal", along(n), -have);
        } else if (!(std::abs(have) <= 2 * tolerance) &&
                   // So does an axis that ends at a triangle, or meets its border.
                   !((pierces(a, b) || pierces(b, a)) && std::abs(along(n) + have) <= 4 * tolerance)) {
            return wrong("distance where they touch", have, 0);
        }
    } else if (along(n) < -tolerance) {
        // A plane across the normal separates them: they are apart.
        const Real expected = x.isCylinder
                                  ? (y.isCylinder ? reference::cylinderCylinder(x, y) : reference::hullCylinder(y, x))
                                  : reference::hullCylinder(x, y);
        if (!(std::abs(have - expected) <= tolerance)) return wrong("distance", have, expected);
    } else {
        // They overlap or touch; no direction of many separates them, or needs less than the normal.
        // Where they just touch, the nearest points are too near to tell the normal better.
        const Real sharp = std::abs(have) > 1e-9L * extent ? 1e-4L : 2e-3L;
        if (!(std::abs(along(n) + have) <= sharp * extent)) return wrong("depth along the normal", along(n), -have);
        GeometryRandom random(static_cast<unsigned>(std::abs(c.distance) * 1e9));
        Real least = reference::infinity;
        for (const reference::V& axis : {x.axis, y.axis})
            for (const Real s : {Real(1), Real(-1)})
                if (reference::length(axis) > 0) least = std::min(least, along(axis * s));
        for (const reference::Shape* s : {&x, &y})
            for (const reference::V& m : s->normals)
                if (reference::length(m) > 0) least = std::min({least, along(m), along(m * -1)});
        for (int k = 0; k < 60; ++k) {
            const double size = std::pow(10., -k / 10.);
            least = std::min(least, along(reference::unit(n + reference::of(random.point(size)))));
            least = std::min(least, along(reference::of(random.direction())));
        }
        if (!(have >= -least - 1e-4L * extent)) return wrong("depth", have, -least);
    }
    return {};
}

/// `rounds` pairs of each variant for two kinds.
void againstReference(unsigned seed, Kind a, Kind b, int rounds)
{
    GeometryRandom random(seed * 64 + static_cast<unsigned>(a) * 8 + static_cast<unsigned>(b));
    int failures = 0;
    for (unsigned variant = 0; variant < variants; ++variant)
        for (int round = 0; round < rounds; ++round) {
            const auto [x, y] = makePair(random, a, b, variant);
            const bool boxFirst = y.kind == Kind::Box && x.kind != Kind::Tetrahedron;
            const ConvexBody &first = boxFirst ? y : x, &second = boxFirst ? x : y;
            for (const auto& [p, q] : {std::pair{&first, &second}, {&second, &first}}) {
                const std::string what = fault(*p, *q, contactOf(*p, *q));
                if (what.empty()) continue;
                if (++failures <= 3)
                    UNSCOPED_INFO(variantNames[variant] << ": " << what << "\n  " << text(*p) << "\n  " << text(*q));
            }
        }
    CHECK(failures == 0);
}

void allPairs(unsigned seed, int rounds, int roundsOfCylinders)
{
    for (unsigned a = 0; a < 6; ++a)
        for (unsigned b = a; b < 6; ++b) {
            INFO(kindNames[a] << " and " << kindNames[b]);
            const bool cylinders = a == 5 && b == 5;
            againstReference(seed, static_cast<Kind>(a), static_cast<Kind>(b),
                             cylinders ? roundsOfCylinders / 8
                             : b == 5  ? roundsOfCylinders
                                       : rounds);
        }
}

}  // namespace

TEST_CASE("contacts of solids agree with the reference, random and degenerate", "[geometry]") { allPairs(1, 40, 16); }

TEST_CASE("contacts of solids agree with the reference, millions", "[geometry][nightly]")
{
    for (unsigned seed = 2; seed < 12; ++seed) allPairs(seed, 2000, 400);
}

}  // namespace solid_pairs_test
