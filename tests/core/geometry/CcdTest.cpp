// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Ccd.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/geometry/Proximity.h"
#include "tests/core/geometry/GeometryRandom.h"

namespace ccd_test {

using namespace sofa::core;
using namespace sofa::core::geometry;
using sofa::test::GeometryRandom;

namespace {

using Points = std::array<Vec3, 4>;

Points at(const Points& a, const Points& b, double t)
{
    Points x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = a[i] * (1. - t) + b[i] * t;
    return x;
}

double distance(bool triangle, const Points& x)
{
    return triangle ? pointTriangle(x[0], x[1], x[2], x[3]).distance()
                    : segmentSegment(x[0], x[1], x[2], x[3]).distance();
}

CcdResult ccd(bool triangle, const Points& a, const Points& b, const CcdParameters& p = {})
{
    return triangle ? pointTriangleCcd(a, b, p) : edgeEdgeCcd(a, b, p);
}

const Points aboveTriangle{Vec3{0.25, 0.25, 1.}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

Points moved(Points x, std::initializer_list<std::size_t> which, const Vec3& by)
{
    for (const std::size_t i : which) x[i] += by;
    return x;
}

/// Random motions of both kinds: with a contact made on purpose at a time, and without; counts what must not be.
void randomMotions(unsigned seed, int rounds)
{
    GeometryRandom random(seed);
    int missed = 0, late = 0, invented = 0, apart = 0, met = 0;
    for (int round = 0; round < rounds; ++round) {
        const bool triangle = round % 2 == 0;
        const double size = round % 7 == 0 ? 1e3 : 1.;
        Points a, b;
        for (Vec3& x : a) x = random.point(size);
        for (Vec3& x : b) x = random.point(size);
        if (round % 5 == 1)
            for (std::size_t i = 0; i < 4; ++i) b[i] = a[i] + random.point(0.1 * size);  // small motions
        if (round % 5 == 2)
            for (auto* x : {&a, &b}) (*x)[3] = (*x)[2];  // a triangle that is a segment, a segment that is a point
        if (round % 5 == 3) {                            // in a plane, all the time
            for (auto* x : {&a, &b})
                for (Vec3& p : *x) p[2] = 0.5;
        }
        if (round % 3 == 0) {
            // Contact at time t: the first point is sent where the other primitive will be then.
            const double t = 0.05 + 0.9 * std::abs(random()), u = std::abs(random()), v = (1. - u) * std::abs(random());
            const Points x = at(a, b, t);
            Vec3 target = triangle ? x[1] * (1. - u - v) + x[2] * u + x[3] * v : x[2] * (1. - v) + x[3] * v;
            if (!triangle) {  // the second end of the first segment is sent so that its point u is there
                if (u < 0.05) continue;
                target = (target - x[0] * (1. - u)) / u;
            }
            const std::size_t i = triangle ? 0 : 1;
            b[i] = a[i] + (target - a[i]) / t;
            CcdParameters p;
            p.tolerance = 1e-6 * size;
            const CcdResult r = ccd(triangle, a, b, p);
            missed += r.status != CcdStatus::collision;
            late += r.status == CcdStatus::collision && r.time > t + 1e-12;
            continue;
        }
        // With a separation: sampled distances below it must be found, and not after the sample; motions that stay
        // clear of it by more than what is promised must not be reported.
        CcdParameters p;
        p.minimumSeparation = size * (round % 4 == 0 ? 1e-3 : 0.05);
        p.tolerance = 1e-3 * p.minimumSeparation;
        const CcdResult r = ccd(triangle, a, b, p);
        double least = std::numeric_limits<double>::infinity(), first = 2., speed = 0.;
        for (std::size_t i = 0; i < 4; ++i) speed = std::max(speed, norm(b[i] - a[i]));
        constexpr int samples = 200;
        for (int s = 0; s <= samples; ++s) {
            const double t = static_cast<double>(s) / samples, d = distance(triangle, at(a, b, t));
            least = std::min(least, d);
            if (d <= p.minimumSeparation) first = std::min(first, t);
        }
        if (first <= 1.) {
            ++met;
            missed += r.status != CcdStatus::collision;
            late += r.time > first + 1e-12;
        }
        if (least - speed / samples > std::sqrt(3.) * (p.minimumSeparation + p.tolerance) * (1. + 1e-9)) {
            ++apart;
            invented += r.status != CcdStatus::separate;
        }
        if (r.status == CcdStatus::collision && r.time > 0.) {
            // At the time reported the two are within what is promised.
            invented += distance(triangle, at(a, b, r.time)) >
                        std::sqrt(3.) * (p.minimumSeparation + 2. * p.tolerance) * (1. + 1e-9);
        }
    }
    CHECK(missed == 0);
    CHECK(late == 0);
    CHECK(invented == 0);
    CHECK(met > rounds / 50);
    CHECK(apart > rounds / 10);
}

}  // namespace

TEST_CASE("continuous collision: times known in closed form", "[geometry]")
{
    CcdParameters p;
    p.tolerance = 1e-9;
    // A point falls through a triangle from height 1 with velocity 4.
    CcdResult r = pointTriangleCcd(aboveTriangle, moved(aboveTriangle, {0}, {0, 0, -4}), p);
    CHECK(r.status == CcdStatus::collision);
    CHECK(r.time <= 0.25);
    CHECK(r.time > 0.25 - 1e-9);
    CHECK(norm(r.parameters - Vec2(0.25, 0.25)) < 1e-8);
    // It stops above, and beside.
    CHECK(pointTriangleCcd(aboveTriangle, moved(aboveTriangle, {0}, {0, 0, -0.99}), p).status == CcdStatus::separate);
    const Points beside = moved(aboveTriangle, {0}, {0.3, 0.3, 0});
    CHECK(pointTriangleCcd(beside, moved(beside, {0}, {0, 0, -4}), p).status == CcdStatus::separate);
    CHECK(pointTriangleCcd(beside, moved(beside, {0}, {0, 0, -4}), p).time == 1.);
    // With a separation of 0.1, earlier by 0.1 / 4.
    p.minimumSeparation = 0.1;
    r = pointTriangleCcd(aboveTriangle, moved(aboveTriangle, {0}, {0, 0, -4}), p);
    CHECK(r.time <= 0.225);
    CHECK(r.time > 0.225 - 1e-9);
    p.minimumSeparation = 0.;
    // Two crossed segments approach each other: contact at 0.4.
    const Points crossed{Vec3{-1, 0, 0.4}, {1, 0, 0.4}, {0, -1, 0}, {0, 1, 0}};
    r = edgeEdgeCcd(crossed, moved(crossed, {0, 1}, {0, 0, -1}), p);
    CHECK(r.status == CcdStatus::collision);
    CHECK(r.time <= 0.4);
    CHECK(r.time > 0.4 - 1e-8);
    // The end of the motion.
    p.maxTime = 0.39;
    CHECK(edgeEdgeCcd(crossed, moved(crossed, {0, 1}, {0, 0, -1}), p).status == CcdStatus::separate);
    p.maxTime = 0.41;
    CHECK(edgeEdgeCcd(crossed, moved(crossed, {0, 1}, {0, 0, -1}), p).status == CcdStatus::collision);
}

TEST_CASE("continuous collision: grazing and degenerate motions are found", "[geometry]")
{
    CcdParameters p;
    p.tolerance = 1e-6;
    const auto collides = [&](bool triangle, const Points& a, const Points& b, double time) {
        const CcdResult r = ccd(triangle, a, b, p);
        CHECK(r.status == CcdStatus::collision);
        CHECK(r.time <= time);
        CHECK(r.time > time - 1e-4);
    };
    // The point ends on the plane; it passes through a corner; through a side; it slides within the plane.
    collides(true, aboveTriangle, moved(aboveTriangle, {0}, {0, 0, -1}), 1.);
    const Points overCorner = moved(aboveTriangle, {0}, {-0.25, -0.25, 0});
    collides(true, overCorner, moved(overCorner, {0}, {0, 0, -2}), 0.5);
    const Points overSide = moved(aboveTriangle, {0}, {0.25, 0.25, 0});
    collides(true, overSide, moved(overSide, {0}, {0, 0, -2}), 0.5);
    const Points inPlane{Vec3{-1, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    collides(true, inPlane, moved(inPlane, {0}, {4, 0, 0}), 0.25);
    // It touches the plane at the middle of the motion only: the triangle turns away.
    const Points touching{Vec3{0.25, 0.25, 0.}, {0, 0, -1}, {1, 0, -1}, {0, 1, -1}};
    collides(true, touching, moved(touching, {1, 2, 3}, {0, 0, 2}), 0.5);
    // Nothing moves: in contact, and apart.
    const Points resting = moved(aboveTriangle, {0}, {0, 0, -1});
    collides(true, resting, resting, 0.);
    CHECK(pointTriangleCcd(aboveTriangle, aboveTriangle, p).status == CcdStatus::separate);
    // Parallel segments; collinear ones that meet at their ends; a segment without length; a triangle without area.
    const Points parallel{Vec3{0, 0, 1}, {1, 0, 1}, {0, 0, 0}, {1, 0, 0}};
    collides(false, parallel, moved(parallel, {0, 1}, {0, 0, -2}), 0.5);
    const Points line{Vec3{-3, 0, 0}, {-2, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    collides(false, line, moved(line, {0, 1}, {4, 0, 0}), 0.5);
    const Points ball{Vec3{0.5, 0, 1}, {0.5, 0, 1}, {0, 0, 0}, {1, 0, 0}};
    collides(false, ball, moved(ball, {0, 1}, {0, 0, -2}), 0.5);
    const Points needle{Vec3{0.5, 0, 1}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    collides(true, needle, moved(needle, {0}, {0, 0, -2}), 0.5);
    // The two change places.
    const Points swapped{Vec3{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}};
    collides(false, swapped, {swapped[2], swapped[3], swapped[0], swapped[1]}, 0.5);
}

TEST_CASE("continuous collision: what limits and options do", "[geometry]")
{
    // Few iterations: a time that is earlier, never a miss.
    const Points end = moved(aboveTriangle, {0}, {0, 0, -4});
    CcdParameters p;
    p.tolerance = 1e-12;
    double last = 0.;
    for (const std::size_t most : {1u, 5u, 20u, 100u}) {
        p.maxIterations = most;
        const CcdResult r = pointTriangleCcd(aboveTriangle, end, p);
        CHECK(r.status == CcdStatus::collision);
        CHECK(r.iterations <= most);
        CHECK(r.time <= 0.25);
        CHECK(r.time >= last);
        last = r.time;
    }
    CHECK(last > 0.2);
    // Begins nearer than the tolerance: the time is 0 unless asked otherwise.
    const Points near = moved(aboveTriangle, {0}, {0, 0, -1. + 1e-8});
    p = {};
    p.tolerance = 1e-4;
    CHECK(pointTriangleCcd(near, moved(near, {0}, {0, 0, -1e-4}), p).time == 0.);
    p.positiveTime = true;
    const CcdResult r = pointTriangleCcd(near, moved(near, {0}, {0, 0, -1e-4}), p);
    CHECK(r.status == CcdStatus::collision);
    CHECK(r.time > 0.);
    CHECK(r.time <= 1e-4);
    // Coordinates and parameters that make no sense.
    Points bad = aboveTriangle;
    bad[2][1] = std::numeric_limits<double>::quiet_NaN();
    CHECK(pointTriangleCcd(aboveTriangle, bad).status == CcdStatus::invalid);
    CHECK(edgeEdgeCcd(bad, aboveTriangle).status == CcdStatus::invalid);
    p.tolerance = 0.;
    CHECK(edgeEdgeCcd(aboveTriangle, aboveTriangle, p).status == CcdStatus::invalid);
}

TEST_CASE("continuous collision never misses: random motions against sampled times", "[geometry]")
{
    randomMotions(1, 800);
}

TEST_CASE("continuous collision never misses: many motions", "[geometry][nightly]")
{
    for (unsigned seed = 2; seed < 8; ++seed) randomMotions(seed, 1500);
}

}  // namespace ccd_test
