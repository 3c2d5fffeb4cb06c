// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <set>

#include "core/geometry/ConvexContact.h"
#include "core/geometry/ConvexPatch.h"
#include "core/geometry/ConvexRay.h"
#include "core/math/Quat.h"
#include "tests/core/geometry/GeometryRandom.h"
#include "tests/core/geometry/HullDistance.h"

namespace convex_test {

using namespace sofa::core;
using namespace sofa::core::geometry;
using sofa::test::GeometryRandom;
using Kind = ConvexBody::Kind;

namespace {

ConvexBody randomBody(GeometryRandom& random, Kind kind, double room, double size)
{
    const Vec3 c = random.point(room);
    if (kind == Kind::Box) {
        Obb box;
        box.center = c;
        box.axes =
            random.below(3) == 0 ? Mat3::identity() : Quat::fromAxisAngle(random.direction(), 3. * random()).toMatrix();
        for (std::size_t k = 0; k < 3; ++k) box.halfExtents[k] = size * (0.1 + 0.5 * std::abs(random()));
        return ConvexBody::of(box);
    }
    if (kind == Kind::Cylinder) {
        const Vec3 half = random.direction() * (size * (0.1 + std::abs(random())));
        return ConvexBody::of(Cylinder{c - half, c + half, size * (0.1 + 0.5 * std::abs(random()))});
    }
    std::array<Vec3, 4> points;
    for (Vec3& p : points) p = c + random.point(size);
    return ConvexBody::of({points.data(), static_cast<std::size_t>(kind) + 1});
}

double distanceTo(const ConvexBody& body, const Vec3& p)
{
    return std::max(0., coreContact(ConvexBody::of({&p, 1}), body).distance);
}

/// What proves that the contact of two bodies that are apart is right: its points lie in the bodies, and the planes
/// across its normal through them have nothing of either body between them.
void checkApart(const ConvexBody& a, const ConvexBody& b, const Contact& c, double tolerance)
{
    CHECK(norm(c.normal) == Approx(1.).epsilon(1e-12));
    CHECK(norm(c.pointB - c.pointA - c.normal * c.distance) < tolerance);
    CHECK(distanceTo(a, c.pointA) < tolerance);
    CHECK(distanceTo(b, c.pointB) < tolerance);
    CHECK(dot(a.support(c.normal) - c.pointA, c.normal) < tolerance);
    CHECK(dot(b.support(-c.normal) - c.pointB, c.normal) > -tolerance);
}

/// How far B must move along n to leave A.
double overlapAlong(const ConvexBody& a, const ConvexBody& b, const Vec3& n)
{
    return dot(a.support(n) - b.support(-n), n);
}

constexpr Kind kinds[] = {Kind::Point, Kind::Segment, Kind::Triangle, Kind::Tetrahedron, Kind::Box, Kind::Cylinder};

}  // namespace

TEST_CASE("contacts of any two convex bodies that are apart are proved nearest by the planes between them")
{
    GeometryRandom random(11);
    for (const Kind a : kinds)
        for (const Kind b : kinds) {
            int apart = 0;
            for (int trial = 0; trial < 400; ++trial) {
                const double size = trial % 3 == 0 ? 0.1 : 1.;
                const ConvexBody x = randomBody(random, a, 1.5, size), y = randomBody(random, b, 1.5, size);
                const Contact c = coreContact(x, y);
                if (!(c.distance > 1e-9)) continue;
                ++apart;
                const bool round = a == Kind::Cylinder || b == Kind::Cylinder;
                checkApart(x, y, c, round ? 3e-8 : 1e-12);
                // The same seen from the other one.
                CHECK(coreContact(y, x).distance == Approx(c.distance).margin(round ? 1e-9 : 1e-13));
            }
            CHECK(apart > 50);
        }
}

TEST_CASE("distances of polyhedra are those of a comparison of all their faces in extended precision")
{
    GeometryRandom random(12);
    int apart = 0, overlapping = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const Kind a = kinds[random.below(4)], b = Kind::Tetrahedron;
        const ConvexBody x = randomBody(random, a, 0.7, 1.), y = randomBody(random, b, 0.7, 1.);
        const auto points = [](const ConvexBody& body) {
            return sofa::test::hull({body.points.begin(), body.points.begin() + static_cast<long>(body.count)});
        };
        const auto expected = static_cast<double>(sofa::test::hullDistance(points(x), points(y)));
        const Contact c = coreContact(x, y);
        if (expected > 1e-12) {
            ++apart;
            CHECK(c.distance == Approx(expected).epsilon(1e-12).margin(1e-14));
        }
        if (c.distance < -1e-12) {
            ++overlapping;
            CHECK(expected < 1e-12);
        }
    }
    CHECK(apart > 100);
    CHECK(overlapping > 100);
}

TEST_CASE("bodies that overlap leave each other along the normal by the depth, and along no direction sooner")
{
    GeometryRandom random(13);
    for (const Kind a : kinds)
        for (const Kind b : {Kind::Tetrahedron, Kind::Cylinder, Kind::Box}) {
            // Of flat bodies, Solids.h promises the least overlap of the axes that it names.
            if (b == Kind::Box && a != Kind::Tetrahedron && a != Kind::Cylinder && a != Kind::Box) continue;
            int overlapping = 0;
            for (int trial = 0; trial < (a == Kind::Point ? 3000 : 200); ++trial) {
                const ConvexBody x = randomBody(random, a, 0.15, 1.), y = randomBody(random, b, 0.15, 1.);
                const Contact c = coreContact(x, y);
                if (!(c.distance < -1e-6)) continue;
                ++overlapping;
                CHECK(norm(c.normal) == Approx(1.).epsilon(1e-12));
                const bool round = a == Kind::Cylinder || b == Kind::Cylinder;
                CHECK(overlapAlong(x, y, c.normal) == Approx(-c.distance).margin(round ? 1e-6 : 1e-11));
                for (int k = 0; k < 200; ++k)
                    CHECK(overlapAlong(x, y, random.direction()) > -c.distance - (round ? 1e-6 : 1e-11));
            }
            CHECK(overlapping > 20);
        }
}

TEST_CASE("bodies without extent are the points that they are")
{
    GeometryRandom random(14);
    const auto flat = [](Kind kind, const Vec3& p, const Vec3& d) {
        if (kind == Kind::Box) return ConvexBody::of(Obb{p, Mat3::identity(), {}});
        if (kind == Kind::Cylinder) return ConvexBody::of(Cylinder{p, p, 0.});
        std::array<Vec3, 4> x{p, p + d, p + d * 0.5, p};
        return ConvexBody::of({x.data(), static_cast<std::size_t>(kind) + 1});
    };
    for (const Kind a : kinds)
        for (const Kind b : kinds)
            for (int trial = 0; trial < 20; ++trial) {
                const Vec3 p = random.point(), q = random.point();
                const bool line = trial % 2 == 1;
                const Vec3 d = line ? random.point() : Vec3();
                const Contact c = coreContact(flat(a, p, d), flat(b, q, Vec3()));
                const bool stretched = line && a != Kind::Point && a != Kind::Box && a != Kind::Cylinder;
                const double expected = stretched ? pointSegment(q, p, p + d).distance() : norm(q - p);
                CHECK(c.distance == Approx(expected).epsilon(1e-12));
                // One on top of the other: finite, and with a direction.
                const Contact same = coreContact(flat(a, p, d), flat(b, p, d));
                CHECK(isFinite(same.pointA));
                CHECK(isFinite(same.pointB));
                CHECK(norm(same.normal) == Approx(1.));
                CHECK(std::abs(same.distance) < 1e-12);
            }
}

TEST_CASE("cylinders: what was wrong in comparison with the reference")
{
    // The centre of a ball on an axis that is no multiple of a unit vector leaves across it.
    const Vec3 a{-0.18951076335762124, 0.26926633520133081, 0.81554065040391643},
        b{-1.1114297538157465, -0.90235728543172133, -0.62065314032335372};
    const Contact middle = sphereCylinder({(a + b) * 0.5, 0.25}, {a, b, 0.65});
    CHECK(std::abs(dot(middle.normal, normalized(b - a))) < 1e-12);
    CHECK(middle.distance == Approx(-0.9));
    // The side of a cylinder along an edge of a box: thin simplices.
    const double c = std::sqrt(0.5);
    const Vec3 axis = normalized(Vec3{0.3, 1., 0.2}), out = normalized(cross(axis, {0., 0., 1.})),
               up = cross(out, axis);
    Obb box{{}, Mat3::identity(), {0.5, 1., 0.125}};
    for (std::size_t k = 0; k < 3; ++k) {
        box.axes(k, 0) = c * (out[k] + up[k]);
        box.axes(k, 1) = axis[k];
        box.axes(k, 2) = c * (out[k] - up[k]);
    }
    for (const double gap : {0.3, 0.027, 1e-3}) {
        // Over the edge that is farthest along `out`.
        const Vec3 from = box.toWorld({0.5, 0.3, 0.125}) + out * (0.7 + gap);
        const Contact side = coreContact(ConvexBody::of(box), ConvexBody::of(Cylinder{from, from + axis * 2., 0.7}));
        CHECK(side.distance == Approx(gap).epsilon(0.).margin(1e-10));
    }
    // One line in another: they leave each other across it.
    const std::array<Vec3, 2> line{{{1., -0.5, 1.}, {1., 2.5, 1.}}};
    const Contact same = coreContact(ConvexBody::of(line), ConvexBody::of(Cylinder{{1., 1., 1.}, {1., 2., 1.}, 0.}));
    CHECK(std::abs(same.distance) < 1e-12);
    CHECK(std::abs(same.normal[1]) < 1e-12);
}

TEST_CASE("the face of a body in a direction")
{
    const ConvexBody box = ConvexBody::of(Obb{{}, Mat3::identity(), {1., 2., 3.}});
    CHECK(faceAlong(box, {0., 1., 0.}, 0.1).count == 4);
    CHECK(faceAlong(box, {0.05, 1., 0.}, 0.1).count == 4);
    CHECK(faceAlong(box, {1., 1., 0.}, 0.1).count == 2);
    CHECK(faceAlong(box, {1., 1., 1.}, 0.1).count == 1);
    // In order around the face: sides are as long as those of the box.
    const ConvexFace top = faceAlong(box, {0., 1., 0.}, 0.1);
    for (std::size_t k = 0; k < 4; ++k) {
        const double side = norm(top.points[(k + 1) % 4] - top.points[k]);
        CHECK((side == Approx(2.) || side == Approx(6.)));
        CHECK(top.points[k][1] == 2.);
    }
    const ConvexBody cylinder = ConvexBody::of(Cylinder{{0., 0., 0.}, {0., 4., 0.}, 1.});
    CHECK(faceAlong(cylinder, {0., -1., 0.}, 0.1).count == 8);
    CHECK(faceAlong(cylinder, {1., 0., 0.}, 0.1).count == 2);
    CHECK(faceAlong(cylinder, {1., 1., 0.}, 0.1).count == 1);
    // The first point of an end is the lowest one.
    const ConvexFace end = faceAlong(cylinder, {0.05, -1., 0.02}, 0.1);
    REQUIRE(end.count == 8);
    CHECK(norm(end.points[0] - cylinder.support({0.05, -1., 0.02})) < 1e-12);
}

TEST_CASE("what lies flat on another body has a contact at each corner of their common part")
{
    const ConvexBody table = ConvexBody::of(Obb{{}, Mat3::identity(), {2., 1., 2.}});
    const auto on = [&](const ConvexBody& body) { return coreContacts(table, body, 0.2); };
    const auto check = [](const ConvexPatch& p, std::size_t count, double distance) {
        REQUIRE(p.count == count);
        std::set<unsigned> codes;
        for (std::size_t k = 0; k < count; ++k) {
            CHECK(p.contacts[k].distance == Approx(distance).margin(1e-12));
            CHECK(norm(p.contacts[k].normal - Vec3{0., 1., 0.}) < 1e-12);
            CHECK(norm(p.contacts[k].pointB - p.contacts[k].pointA - p.contacts[k].normal * distance) < 1e-12);
            codes.insert(p.codes[k]);
        }
        CHECK(codes.size() == count);
    };
    check(on(ConvexBody::of(Obb{{0., 1.6, 0.}, Mat3::identity(), {0.5, 0.5, 0.5}})), 4, 0.1);
    check(on(ConvexBody::of(Obb{{0., 1.4, 0.}, Mat3::identity(), {0.5, 0.5, 0.5}})), 4, -0.1);
    // Over the rim: two corners of it, two crossings.
    check(on(ConvexBody::of(Obb{{2., 1.6, 0.}, Mat3::identity(), {0.5, 0.5, 0.5}})), 4, 0.1);
    check(on(ConvexBody::of(Cylinder{{0., 1.1, 0.}, {0., 2., 0.}, 0.5})), 8, 0.1);
    check(on(ConvexBody::of(Cylinder{{-1., 1.6, 0.}, {1., 1.6, 0.}, 0.5})), 2, 0.1);
    const std::array<Vec3, 2> lying{{{-1., 1.1, 0.}, {1., 1.1, 0.}}}, beyond{{{-3., 1.1, 0.}, {1., 1.1, 0.}}};
    check(on(ConvexBody::of(lying)), 2, 0.1);
    check(on(ConvexBody::of(beyond)), 2, 0.1);
    // Parallel segments, and crossed ones.
    const std::array<Vec3, 2> other{{{0., 1.15, 0.}, {4., 1.15, 0.}}}, across{{{0., 1.15, -1.}, {0., 1.15, 1.}}};
    CHECK(coreContacts(ConvexBody::of(lying), ConvexBody::of(other), 0.2).count == 2);
    CHECK(coreContacts(ConvexBody::of(lying), ConvexBody::of(across), 0.2).count == 1);
    CHECK(coreContacts(ConvexBody::of(lying), ConvexBody::of(across), 0.01).count == 0);
}

TEST_CASE("boxes of bodies hold them and touch them")
{
    GeometryRandom random(15);
    for (const Kind kind : kinds)
        for (int trial = 0; trial < 50; ++trial) {
            ConvexBody b = randomBody(random, kind, 1., 1.);
            const Aabb box = b.bounds();
            for (std::size_t k = 0; k < 3; ++k) {
                CHECK(box.upper[k] == Approx(b.support(Vec3::unit(k))[k]).epsilon(1e-12).margin(1e-12));
                CHECK(box.lower[k] == Approx(b.support(-Vec3::unit(k))[k]).epsilon(1e-12).margin(1e-12));
            }
            b.radius = 0.5;
            CHECK(b.bounds().upper == box.upper + Vec3::filled(0.5));
        }
}

TEST_CASE("the part of a ray in a body begins and ends on its surface, and lies in it")
{
    GeometryRandom random(16);
    const auto distance = [](const ConvexBody& body, const Vec3& p) {
        return coreContact(ConvexBody::of({&p, 1}), body).distance - body.radius;
    };
    for (const Kind kind : {Kind::Point, Kind::Segment, Kind::Tetrahedron, Kind::Box, Kind::Cylinder}) {
        int hits = 0, misses = 0;
        for (int trial = 0; trial < 400; ++trial) {
            ConvexBody body = randomBody(random, kind, 0.5, 1.);
            if (kind == Kind::Point || kind == Kind::Segment) body.radius = 0.1 + 0.4 * std::abs(random());
            const Vec3 origin = random.point(3.), aim = random.point() - origin;
            const Vec3 direction = (trial % 2 == 0 ? aim / norm(aim) : random.direction()) * (0.5 + std::abs(random()));
            const auto span = rayConvex(origin, direction, body);
            if (!span) {
                ++misses;
                for (int k = 0; k <= 50; ++k) CHECK(distance(body, origin + direction * (0.2 * k)) > -1e-12);
                continue;
            }
            ++hits;
            CHECK(span->enter <= span->leave);
            if (span->enter > 0.)
                CHECK(std::abs(distance(body, origin + direction * span->enter)) < 1e-11);
            else
                CHECK(distance(body, origin) < 1e-12);
            CHECK(std::abs(distance(body, origin + direction * span->leave)) < 1e-11);
            CHECK(distance(body, origin + direction * (0.5 * (span->enter + span->leave))) < 1e-12);
        }
        CHECK(hits > 10);
        CHECK(misses > 100);
    }
    // Along and across the axis, from inside, and from behind.
    const ConvexBody cylinder = ConvexBody::of(Cylinder{{0., 0., 0.}, {0., 2., 0.}, 0.5});
    CHECK(rayConvex({0.4, -1., 0.}, {0., 1., 0.}, cylinder)->enter == Approx(1.));
    CHECK(!rayConvex({0.6, -1., 0.}, {0., 1., 0.}, cylinder));
    CHECK(rayConvex({0.2, 1., 0.}, {2., 0., 0.}, cylinder)->enter == 0.);
    CHECK(rayConvex({0.2, 1., 0.}, {2., 0., 0.}, cylinder)->leave == Approx(0.15));
    CHECK(!rayConvex({1., 1., 0.}, {1., 0., 0.}, cylinder));
}

namespace {

/// An ellipsoid with these half lengths along its axes.
class Ellipsoid final : public ConvexForm
{
public:
    explicit Ellipsoid(const Vec3& r) : m_r(r) {}
    Vec3 support(const Vec3& d) const override
    {
        const Vec3 s{m_r[0] * d[0], m_r[1] * d[1], m_r[2] * d[2]};
        return Vec3{m_r[0] * s[0], m_r[1] * s[1], m_r[2] * s[2]} / norm(s);
    }
    double reach() const override { return std::max({m_r[0], m_r[1], m_r[2]}); }

private:
    Vec3 m_r;
};

}  // namespace

TEST_CASE("Forms given by their farthest points: balls are balls, whatever they meet", "[geometry]")
{
    GeometryRandom random(71);
    const Ellipsoid unit({1., 1., 1.});
    for (int k = 0; k < 300; ++k) {
        const Kind kind = static_cast<Kind>(k % 6);
        const ConvexBody other = randomBody(random, kind, 3., 0.5);
        const Vec3 center{random() * 3., random() * 3., random() * 3.};
        const ConvexBody ball = ConvexBody::of(unit, center, Mat3::identity());
        const Contact exact = coreContact(ConvexBody::of({&center, 1}), other), c = coreContact(ball, other),
                      back = coreContact(other, ball);
        INFO(k);
        if (exact.distance > 1.) {
            CHECK(c.distance == Approx(exact.distance - 1.).margin(1e-6));
            CHECK(back.distance == Approx(exact.distance - 1.).margin(1e-6));
            CHECK(norm(back.normal + c.normal) < 1e-9);
        } else if (exact.distance > 0.) {
            CHECK(c.distance == Approx(exact.distance - 1.).margin(2e-3));
        }
    }
}

TEST_CASE("Forms given by their farthest points: the planes between two that are apart prove their distance",
          "[geometry]")
{
    GeometryRandom random(73);
    double worst = 0.;
    int apart = 0;
    for (int k = 0; k < 600; ++k) {
        const auto radius = [&random] { return 0.2 + std::abs(random()); };
        const Ellipsoid first({radius(), radius(), radius()}), second({radius(), radius(), radius()});
        const auto placed = [&random](const Ellipsoid& form) {
            return ConvexBody::of(form, {random() * 3., random() * 3., random() * 3.},
                                  Quat::fromAxisAngle(random.direction(), 3. * random()).toMatrix());
        };
        const ConvexBody a = placed(first);
        const ConvexBody b = k % 7 == 6 ? placed(second) : randomBody(random, static_cast<Kind>(k % 7), 3., 0.5);
        const Contact c = coreContact(a, b);
        if (!(c.distance > 0.)) continue;
        ++apart;
        // Points of both are no nearer than the bodies, planes no farther.
        const double below = -overlapAlong(a, b, c.normal);
        worst = std::max(worst, std::abs(norm(c.pointB - c.pointA) - below) / norm(b.center() - a.center()));
    }
    CHECK(apart > 300);
    CHECK(worst < 1e-7);
    CHECK(worst > 0.);
}

TEST_CASE("Forms given by their farthest points: boxes, rays and turned axes", "[geometry]")
{
    const Ellipsoid form({3., 2., 1.});
    Mat3 axes;  // x becomes y, y becomes −x
    axes[0][1] = -1.;
    axes[1][0] = axes[2][2] = 1.;
    const ConvexBody body = ConvexBody::of(form, {10., 0., 0.}, axes, 0.5);
    CHECK(norm(body.bounds().upper - Vec3{12.5, 3.5, 1.5}) < 1e-12);
    CHECK(norm(body.bounds().lower - Vec3{7.5, -3.5, -1.5}) < 1e-12);
    const auto along = rayConvex({0., 0., 0.}, {2., 0., 0.}, body);
    REQUIRE(along);
    CHECK(along->enter == Approx(3.75).epsilon(1e-9));
    CHECK(along->leave == Approx(6.25).epsilon(1e-9));
    CHECK_FALSE(rayConvex({0., 3.6, 0.}, {1., 0., 0.}, body));
    CHECK_FALSE(rayConvex({0., 0., 0.}, {-1., 0., 0.}, body));
    const auto inside = rayConvex({10., 0., 0.}, {0., 1., 0.}, body);
    REQUIRE(inside);
    CHECK(inside->enter == 0.);
    CHECK(inside->leave == Approx(3.5).epsilon(1e-9));
    // A skew ray through an ellipsoid without a radius, against the quadratic equation.
    const ConvexBody bare = ConvexBody::of(form, {}, Mat3::identity());
    const Vec3 o{-5., 0.4, 0.2}, d{1., 0.1, -0.05};
    double a = -1., b = 0., c = 0.;
    const Vec3 r{3., 2., 1.};
    for (std::size_t k = 0; k < 3; ++k) {
        a += o[k] * o[k] / (r[k] * r[k]);
        b += o[k] * d[k] / (r[k] * r[k]);
        c += d[k] * d[k] / (r[k] * r[k]);
    }
    const double root = std::sqrt(b * b - a * c);
    const auto skew = rayConvex(o, d, bare);
    REQUIRE(skew);
    CHECK(skew->enter == Approx((-b - root) / c).epsilon(1e-6));
    CHECK(skew->leave == Approx((-b + root) / c).epsilon(1e-6));
}

}  // namespace convex_test
