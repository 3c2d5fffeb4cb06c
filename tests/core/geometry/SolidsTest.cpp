// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Solids.h"

#include <catch2/catch.hpp>

#include "core/math/Quat.h"
#include "tests/core/geometry/GeometryRandom.h"
#include "tests/core/geometry/HullDistance.h"

namespace solids_test {

using namespace sofa::core;
using namespace sofa::core::geometry;
using sofa::test::GeometryRandom;
using sofa::test::hull;
using sofa::test::hullDistance;

namespace {

Obb randomBox(GeometryRandom& random, double room)
{
    Obb b;
    b.center = random.point(room);
    b.axes = Quat::fromAxisAngle(random.direction(), 3. * random()).toMatrix();
    if (random.below(4) == 0) b.axes = Mat3::identity();
    b.halfExtents = {0.05 + std::abs(random()), 0.05 + std::abs(random()), 0.05 + std::abs(random())};
    return b;
}

std::vector<Vec3> corners(const Obb& b)
{
    std::vector<Vec3> x;
    for (const double i : {-1., 1.})
        for (const double j : {-1., 1.})
            for (const double k : {-1., 1.})
                x.push_back(b.toWorld({i * b.halfExtents[0], j * b.halfExtents[1], k * b.halfExtents[2]}));
    return x;
}

/// Length by which hulls overlap along n: how far B must move along n to leave A.
double overlapAlong(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const Vec3& n)
{
    double high = -1e300, low = 1e300;
    for (const Vec3& p : a) high = std::max(high, dot(p, n));
    for (const Vec3& p : b) low = std::min(low, dot(p, n));
    return high - low;
}

/// Points and normal agree with each other.
void checkContact(const Contact& c)
{
    CHECK(norm(c.normal) == Approx(1.));
    CHECK(norm(c.pointB - c.pointA - c.normal * c.distance) < 1e-12);
}

/// Distance of two boxes by their faces: every one is two triangles.
double boxDistance(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    static constexpr int faces[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                         {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
    double best = 1e300;
    for (const auto& f : faces)
        for (const auto& g : faces)
            best =
                std::min(best, triangleTriangle({a[static_cast<std::size_t>(f[0])], a[static_cast<std::size_t>(f[1])],
                                                 a[static_cast<std::size_t>(f[2])]},
                                                {b[static_cast<std::size_t>(g[0])], b[static_cast<std::size_t>(g[1])],
                                                 b[static_cast<std::size_t>(g[2])]})
                                   .distance());
    return best;
}

/// An overlap: moving B along the normal by the depth separates, and no direction of many needs less.
void checkOverlap(GeometryRandom& random, const Contact& c, const std::vector<Vec3>& a, const std::vector<Vec3>& b,
                  double radius)
{
    CHECK(overlapAlong(a, b, c.normal) + radius == Approx(-c.distance).margin(1e-9));
    for (int i = 0; i < 40; ++i) CHECK(overlapAlong(a, b, random.direction()) + radius >= -c.distance - 1e-9);
}

}  // namespace

TEST_CASE("spheres, capsules and cylinders: distances against the reference", "[geometry]")
{
    GeometryRandom random(1);
    for (int round = 0; round < 3000; ++round) {
        const Sphere s{random.point(2.), 0.3 * std::abs(random())}, s2{random.point(), 0.2};
        const Capsule c{random.point(), random.point(), 0.3 * std::abs(random())};
        const Capsule d{random.point(2.), random.point(2.), 0.1};
        const Vec3 t0 = random.point(), t1 = random.point(), t2 = random.point();
        const auto check = [](const Contact& contact, long double reference, double radii) {
            checkContact(contact);
            CHECK(contact.distance == Approx(static_cast<double>(reference) - radii).margin(1e-12));
        };
        check(sphereSphere(s, s2), hullDistance(hull({s.center}), hull({s2.center})), s.radius + s2.radius);
        check(sphereCapsule(s, c), hullDistance(hull({s.center}), hull({c.a, c.b})), s.radius + c.radius);
        check(capsuleCapsule(c, d), hullDistance(hull({c.a, c.b}), hull({d.a, d.b})), c.radius + d.radius);
        check(sphereTriangle(s, t0, t1, t2), hullDistance(hull({s.center}), hull({t0, t1, t2})), s.radius);
        const Contact deep = capsuleTriangle(c, t0, t1, t2);
        checkContact(deep);
        const long double reference = hullDistance(hull({c.a, c.b}), hull({t0, t1, t2}));
        if (reference > 1e-9L)
            CHECK(deep.distance == Approx(static_cast<double>(reference) - c.radius).margin(1e-12));
        else
            CHECK(overlapAlong({c.a, c.b}, {t0, t1, t2}, deep.normal) + c.radius ==
                  Approx(-deep.distance).margin(1e-9));
    }
    // Where the normal is not determined.
    for (const Contact& c :
         {sphereSphere({{1, 2, 3}, 1.}, {{1, 2, 3}, 2.}), sphereCapsule({{0, 0, 0}, 1.}, {{-1, 0, 0}, {1, 0, 0}, 1.}),
          capsuleCapsule({{-1, 0, 0}, {1, 0, 0}, 1.}, {{0, -1, 0}, {0, 1, 0}, 1.}),
          capsuleCapsule({{0, 0, 0}, {0, 0, 0}, 1.}, {{0, 0, 0}, {0, 0, 0}, 1.}),
          sphereTriangle({{0, 0, 0}, 1.}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0})})
        checkContact(c);
    CHECK(capsuleCapsule({{-1, 0, 0}, {1, 0, 0}, 1.}, {{0, -1, 0}, {0, 1, 0}, 1.}).normal == Vec3(0, 0, 1));
}

TEST_CASE("a sphere and a cylinder", "[geometry]")
{
    const Cylinder c{{0, 0, 0}, {0, 0, 4}, 1.};
    const auto distance = [&](const Vec3& p) {
        const Contact k = sphereCylinder({p, 0.25}, c);
        checkContact(k);
        return k.distance + 0.25;
    };
    CHECK(distance({3, 0, 2}) == Approx(2.));
    CHECK(distance({0.5, 0, 7}) == Approx(3.));
    CHECK(distance({4, 0, 8}) == Approx(5.));
    CHECK(distance({0.8, 0, 2}) == Approx(-0.2));
    CHECK(distance({0.1, 0, 3.9}) == Approx(-0.1));
    CHECK(distance({0, 0, 0.3}) == Approx(-0.3));
    CHECK(distance({0, 0, 2}) == Approx(-1.));
}

TEST_CASE("oriented boxes against spheres, capsules and triangles", "[geometry]")
{
    GeometryRandom random(2);
    int overlaps = 0, apart = 0;
    for (int round = 0; round < 1500; ++round) {
        const Obb box = randomBox(random, 0.5);
        const std::vector<Vec3> own = corners(box);
        const Vec3 p = random.point(2.), q = random.point(2.), r = random.point(2.);
        const Contact s = obbSphere(box, {p, 0.2});
        checkContact(s);
        const Vec3 local = box.toLocal(p);
        double outside2 = 0., inside = -1e300;
        for (std::size_t k = 0; k < 3; ++k) {
            const double gap = std::abs(local[k]) - box.halfExtents[k];
            inside = std::max(inside, gap);
            if (gap > 0.) outside2 += gap * gap;
        }
        CHECK(s.distance == Approx((inside > 0. ? std::sqrt(outside2) : inside) - 0.2).margin(1e-12));

        // A segment is a triangle with two corners at one place.
        const double segment = boxDistance(own, {p, q, q, q, q, q, q, q});
        const Contact c = obbCapsule(box, {p, q, 0.1});
        checkContact(c);
        const Contact t = obbTriangle(box, p, q, r);
        checkContact(t);
        if (c.distance > -0.1)
            CHECK(c.distance == Approx(segment - 0.1).margin(1e-9));
        else
            checkOverlap(random, c, own, {p, q}, 0.1);
        if (t.distance > 0.) {
            ++apart;
            CHECK(t.distance == Approx(boxDistance(own, {p, q, r, r, r, r, r, r})).margin(1e-9));
        } else {
            ++overlaps;
            checkOverlap(random, t, own, {p, q, r}, 0.);
        }
    }
    CHECK(overlaps > 100);
    CHECK(apart > 100);
}

TEST_CASE("two oriented boxes: exact distance apart, least overlap otherwise", "[geometry]")
{
    GeometryRandom random(3);
    int overlaps = 0, apart = 0;
    for (int round = 0; round < 1000; ++round) {
        const Obb a = randomBox(random, 0.5), b = randomBox(random, 1.8);
        const std::vector<Vec3> x = corners(a), y = corners(b);
        const Contact c = obbObb(a, b), mirrored = obbObb(b, a);
        checkContact(c);
        CHECK(mirrored.distance == Approx(c.distance).margin(1e-9));
        if (c.distance > 0.) {
            ++apart;
            CHECK(c.distance == Approx(boxDistance(x, y)).margin(1e-9));
        } else {
            ++overlaps;
            checkOverlap(random, c, x, y, 0.);
        }
        const ObbContacts m = obbManifold(a, b, 0.1);
        CHECK((m.count > 0) == (c.distance <= 0.1));
        for (const Contact& k : m.all()) {
            checkContact(k);
            CHECK(k.distance <= 0.1);
            CHECK(k.distance >= m.contacts[0].distance);
        }
    }
    CHECK(overlaps > 100);
    CHECK(apart > 100);
}

TEST_CASE("a box that rests on another has four contacts", "[geometry]")
{
    Obb floor, box;
    floor.halfExtents = {5, 5, 1};
    box.halfExtents = {1, 2, 0.5};
    box.center = {1, 1, 1.49};
    ObbContacts m = obbManifold(floor, box, 0.02);
    REQUIRE(m.count == 4);
    for (const Contact& c : m.all()) {
        CHECK(norm(c.normal - Vec3(0, 0, 1)) < 1e-15);
        CHECK(c.distance == Approx(-0.01));
        CHECK(std::abs(c.pointB[0] - 1.) == Approx(1.));
        CHECK(std::abs(c.pointB[1] - 1.) == Approx(2.));
        CHECK(c.pointA[2] == Approx(1.));
    }
    box.center[2] = 1.51;
    CHECK(obbManifold(floor, box, 0.02).count == 4);
    CHECK(obbManifold(floor, box, 0.005).count == 0);
    m = obbManifold(box, floor, 0.02);
    REQUIRE(m.count == 4);
    CHECK(m.contacts[0].normal[2] == Approx(-1.));
    // Half over the rim: two corners of the box, two points on the rim.
    box.center = {5, 0, 1.49};
    m = obbManifold(floor, box, 0.02);
    REQUIRE(m.count == 4);
    for (const Contact& c : m.all()) CHECK(c.pointA[0] <= 5. + 1e-12);
    // Turned by 45°, an octagon.
    box.halfExtents = {1, 1, 0.5};
    Obb same = box;
    same.center = {5, 0, 0.5};
    same.axes = Quat::fromAxisAngle({0, 0, 1}, 0.7853981633974483).toMatrix();
    CHECK(obbManifold(same, box, 0.02).count == 8);
    const auto span = rayObb({5, 0, 5}, {0, 0, -1}, same);
    REQUIRE(span);
    CHECK(span->enter == Approx(4.));
    CHECK(span->leave == Approx(5.));
}

}  // namespace solids_test
