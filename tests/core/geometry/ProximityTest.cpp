// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Proximity.h"

#include <catch2/catch.hpp>

#include "core/geometry/Orientation.h"
#include "tests/core/geometry/GeometryRandom.h"
#include "tests/core/geometry/HullDistance.h"

namespace proximity_test {

using namespace sofa::core;
using namespace sofa::core::geometry;
using sofa::test::GeometryRandom;
using sofa::test::hull;
using sofa::test::hullDistance;

namespace {

/// Rounding of a distance of points that are `extent` apart at most.
constexpr double tolerance = 64 * 2.220446049250313e-16;

/// Largest difference of coordinates.
double extentOf(const std::vector<Vec3>& x)
{
    double e = 0.;
    for (std::size_t k = 0; k < 3; ++k) {
        double lo = x[0][k], hi = x[0][k];
        for (const Vec3& p : x) {
            lo = std::min(lo, p[k]);
            hi = std::max(hi, p[k]);
        }
        e = std::max(e, hi - lo);
    }
    return e;
}

template <std::size_t N>
bool goodWeights(const Vec<N>& w)
{
    double sum = 0.;
    for (const double x : w) {
        if (!(x >= 0.)) return false;
        sum += x;
    }
    return std::abs(sum - 1.) < 1e-14;
}

template <std::size_t N>
Vec3 combined(const Vec<N>& w, const std::vector<Vec3>& x)
{
    Vec3 r;
    for (std::size_t i = 0; i < N; ++i) r += x[i] * w[i];
    return r;
}

/// What went wrong with a result, or nothing: weights, points by weights, delta, and the distance against the
/// reference.
template <std::size_t M, std::size_t N>
std::string fault(const Proximity<M, N>& p, const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    std::vector<Vec3> all = a;
    all.insert(all.end(), b.begin(), b.end());
    const double extent = extentOf(all);
    double size = extent;
    for (const Vec3& x : all) size = std::max(size, norm(x));
    if (!goodWeights(p.weightsA) || !goodWeights(p.weightsB)) return "weights";
    if (!(norm(combined(p.weightsA, a) - p.pointA) <= tolerance * size)) return "point of A";
    if (!(norm(combined(p.weightsB, b) - p.pointB) <= tolerance * size)) return "point of B";
    if (!(norm(p.pointB - p.pointA - p.delta) <= tolerance * size)) return "delta";
    if (!(std::abs(norm(p.delta) - p.distance()) <= tolerance * extent)) return "distance of delta";
    const long double reference = hullDistance(hull(a), hull(b));
    if (!(std::abs(static_cast<double>(p.distance() - reference)) <= tolerance * extent))
        return "distance " + std::to_string(p.distance()) + ", reference " +
               std::to_string(static_cast<double>(reference)) + ", error / extent " +
               std::to_string((p.distance() - reference) / extent * 1e16) + "e-16";
    return {};
}

/// Corners of two primitives: general, or with the coincidences and degeneracies that trouble kernels.
std::vector<Vec3> corners(GeometryRandom& random, std::size_t n, unsigned kind)
{
    std::vector<Vec3> x(n);
    for (Vec3& p : x) p = random.point();
    const auto some = [&] { return x[random.below(static_cast<unsigned>(n))]; };
    switch (kind) {
        case 1:  // on a small lattice: parallel, coplanar, coincident, everything at once
            for (Vec3& p : x) p = {random.below(3) * 1., random.below(3) * 1., random.below(3) * 1.};
            break;
        case 2: {  // collinear
            const Vec3 p = random.point(), d = random.point();
            for (Vec3& q : x) q = p + d * random();
            break;
        }
        case 3:  // coincident corners
            for (Vec3& p : x)
                if (random.below(2) == 0) p = some();
            break;
        case 4: {  // nearly collinear, by all orders of magnitude
            const Vec3 p = random.point(), d = random.point();
            const double off = std::pow(10., -16. * std::abs(random()));
            for (Vec3& q : x) q = p + d * random() + random.point(off);
            break;
        }
        case 5: {  // nearly coplanar
            const double off = std::pow(10., -18. * std::abs(random()));
            for (Vec3& q : x) q[2] *= off;
            break;
        }
        case 6: {  // of very different sizes
            const Vec3 p = random.point();
            const double size = std::pow(10., -8. * std::abs(random()));
            for (std::size_t i = n / 2; i < n; ++i) x[i] = p + random.point(size);
            break;
        }
        case 7:  // far from the origin
            for (Vec3& p : x) p += Vec3{1e4, -3e4, 2e4};
            break;
        case 8: {  // a needle: two corners close to each other
            const double size = std::pow(10., -12. * std::abs(random()));
            for (std::size_t i = 1; i < n; i += 2) x[i] = x[i - 1] + random.point(size);
            break;
        }
        case 9: {  // a cap: a corner on the line of two others, nearly
            const double off = std::pow(10., -14. * std::abs(random()));
            if (n > 2) x[n - 1] = x[n - 2] * 0.5 + x[n - 3] * 0.5 + random.point(off);
            break;
        }
        default:
            break;
    }
    return x;
}

std::string text(const std::vector<Vec3>& x)
{
    std::string r;
    char buffer[120];
    for (const Vec3& p : x) {
        std::snprintf(buffer, sizeof buffer, "(%.17g %.17g %.17g) ", p[0], p[1], p[2]);
        r += buffer;
    }
    return r;
}

constexpr unsigned kinds = 10;

/// `rounds` random pairs of each kind for every kernel, against the reference.
void againstReference(unsigned seed, int rounds)
{
    GeometryRandom random(seed);
    const auto take = [](const std::vector<Vec3>& x, std::size_t first, std::size_t n) {
        return std::vector<Vec3>(x.begin() + static_cast<std::ptrdiff_t>(first),
                                 x.begin() + static_cast<std::ptrdiff_t>(first + n));
    };
    int failures = 0;
    const auto report = [&](const char* kernel, unsigned kind, const std::string& what, const std::vector<Vec3>& x) {
        if (what.empty()) return;
        if (++failures <= 6) UNSCOPED_INFO(kernel << ", kind " << kind << ": " << what << " of " << text(x));
    };
    for (unsigned kind = 0; kind < kinds; ++kind)
        for (int round = 0; round < rounds; ++round) {
            std::vector<Vec3> x = corners(random, 3, kind);
            report("point-segment", kind, fault(pointSegment(x[0], x[1], x[2]), take(x, 0, 1), take(x, 1, 2)), x);
            x = corners(random, 4, kind);
            report("point-triangle", kind, fault(pointTriangle(x[0], x[1], x[2], x[3]), take(x, 0, 1), take(x, 1, 3)),
                   x);
            x = corners(random, 4, kind);
            report("segment-segment", kind, fault(segmentSegment(x[0], x[1], x[2], x[3]), take(x, 0, 2), take(x, 2, 2)),
                   x);
            x = corners(random, 5, kind);
            report("point-tetrahedron", kind,
                   fault(pointTetrahedron(x[0], x[1], x[2], x[3], x[4]), take(x, 0, 1), take(x, 1, 4)), x);
            x = corners(random, 5, kind);
            report("segment-triangle", kind,
                   fault(segmentTriangle(x[0], x[1], x[2], x[3], x[4]), take(x, 0, 2), take(x, 2, 3)), x);
            x = corners(random, 6, kind);
            report("triangle-triangle", kind,
                   fault(triangleTriangle({x[0], x[1], x[2]}, {x[3], x[4], x[5]}), take(x, 0, 3), take(x, 3, 3)), x);
        }
    CHECK(failures == 0);
}

}  // namespace

TEST_CASE("the sign of a volume is exact, and its value right to a few digits", "[geometry]")
{
    GeometryRandom random(9);
    int flat = 0, wrong = 0;
    for (int round = 0; round < 20000; ++round) {
        // Integers below 2⁹ times powers of two: the determinant of the integers is exact in 64 bits.
        const double unit = std::ldexp(1., static_cast<int>(random.below(40)) - 20);
        const double shift = static_cast<double>(random.below(1u << 30)) * std::ldexp(unit, -10);
        std::array<std::array<long long, 3>, 4> x{};
        std::array<Vec3, 4> p;
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                x[i][k] = random.below(round % 2 == 0 ? 4 : 512);
                if (i == 3 && round % 4 == 1) x[i][k] = x[0][k] + 3 * (x[1][k] - x[0][k]) - 2 * (x[2][k] - x[0][k]);
                p[i][k] = static_cast<double>(x[i][k]) * unit + shift;
            }
        const auto e = [&](std::size_t i, std::size_t k) { return x[i][k] - x[0][k]; };
        long long det = 0;
        for (std::size_t k = 0; k < 3; ++k)
            det += e(1, k) * (e(2, (k + 1) % 3) * e(3, (k + 2) % 3) - e(2, (k + 2) % 3) * e(3, (k + 1) % 3));
        flat += det == 0;
        const double expected = static_cast<double>(det) * unit * unit * unit;
        wrong += std::abs(exactOrientation(p[0], p[1], p[2], p[3]) - expected) > 1e-15 * std::abs(expected);
        const double sign = orientation(p[0], p[1], p[2], p[3]);
        wrong += (sign > 0.) != (det > 0) || (sign < 0.) != (det < 0);
    }
    CHECK(flat > 5000);
    CHECK(wrong == 0);
    // A tetrahedron of height 2⁻⁵² over a point of the plane that is no binary fraction's multiple of the corners.
    const Vec3 a{0.1, 0.1, 0.1}, b{0.7, 0.2, 0.7}, c{0.3, 0.9, 0.3};  // in the plane x = z
    CHECK(orientation(a, b, c, {0.35, 0.4, 0.35}) == 0.);
    const double above = orientation(a, b, c, {0.35, 0.4, std::nextafter(0.35, 1.)});
    const double below = orientation(a, b, c, {0.35, 0.4, std::nextafter(0.35, 0.)});
    CHECK(above * below < 0.);
    CHECK(exactOrientation(a, b, c, {0.35, 0.4, std::nextafter(0.35, 1.)}) ==
          Approx(0.46 * 5.551115123125783e-17));  // (b − a) × (c − a) = (−0.46, 0, 0.46)
}

TEST_CASE("the reference itself: distances known in closed form", "[geometry]")
{
    const auto d = [](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
        return static_cast<double>(hullDistance(hull(a), hull(b)));
    };
    CHECK(d({{0, 0, 0}}, {{3, 4, 0}}) == 5.);
    CHECK(d({{0, 1, 0}}, {{-1, 0, 0}, {1, 0, 0}}) == 1.);
    CHECK(d({{0.2, 0.2, -2}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) == 2.);
    CHECK(d({{-1, 0, 0}, {1, 0, 0}}, {{0, -1, 3}, {0, 1, 3}}) == 3.);
    CHECK(d({{0.2, 0.2, -2}, {0.2, 0.2, 2}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) == Approx(0.).margin(1e-18));
    CHECK(d({{0.1, 0.1, 0.1}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) == Approx(0.).margin(1e-18));
    CHECK(d({{1, 1, 1}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) == Approx(2. / std::sqrt(3.)));
}

TEST_CASE("kernels of nearest points agree with the reference, random and degenerate", "[geometry]")
{
    againstReference(1, 2000);  // 120,000 pairs
}

TEST_CASE("kernels of nearest points agree with the reference, millions", "[geometry][nightly]")
{
    for (unsigned seed = 2; seed < 42; ++seed) againstReference(seed, 2500);
}

TEST_CASE("nearest points in closed form", "[geometry]")
{
    const auto p = pointTriangle({0.25, 0.25, 3.}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    CHECK(p.weightsB == Vec3(0.5, 0.25, 0.25));
    CHECK(p.delta == Vec3(0, 0, -3));
    CHECK(p.distance2 == 9.);
    const auto s = segmentSegment({-1, 0, 0}, {1, 0, 0}, {0, -1, 2}, {0, 3, 2});
    CHECK(s.weightsA == Vec2(0.5, 0.5));
    CHECK(s.weightsB == Vec2(0.75, 0.25));
    CHECK(s.distance() == 2.);
    const auto t = pointTetrahedron({0.1, 0.2, 0.3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
    CHECK(t.inside);
    CHECK(norm(t.weightsB - Vec4(0.4, 0.1, 0.2, 0.3)) < 1e-15);
    CHECK_FALSE(pointTetrahedron({1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}).inside);
    CHECK(pointTetrahedron({0.1, 0.2, 0.3}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}).inside);  // either orientation
    const auto x =
        triangleTriangle({Vec3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {Vec3{0.2, 0.2, -1}, {0.2, 0.2, 1}, {5, 5, 0.5}});
    CHECK(x.crossing);
    CHECK(x.distance2 == 0.);
    CHECK_FALSE(
        triangleTriangle({Vec3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {Vec3{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}).crossing);
    CHECK(pointPoint({1, 2, 3}, {1, 2, 5}).distance() == 2.);
}

TEST_CASE("kernels are finite for points only and for coordinates that are not", "[geometry]")
{
    const Vec3 o{1, 2, 3};
    CHECK(pointTriangle(o, o, o, o).distance2 == 0.);
    CHECK(segmentSegment(o, o, o, o).distance2 == 0.);
    CHECK(pointTetrahedron(o, o, o, o, o).distance2 == 0.);
    CHECK(triangleTriangle({o, o, o}, {o, o, o}).distance2 == 0.);
    CHECK(segmentTriangle(o, o, o, o, o).distance2 == 0.);
    // Weights stay weights, the distance says that something is wrong.
    const double bad = std::numeric_limits<double>::quiet_NaN();
    const auto p = pointTriangle({bad, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    CHECK(goodWeights(p.weightsB));
    CHECK(std::isnan(p.distance2));
    CHECK(std::isnan(segmentSegment({0, 0, 0}, {0, bad, 0}, {1, 0, 0}, {0, 1, 0}).distance2));
    CHECK(std::isnan(pointTetrahedron({0, bad, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}).distance2));
    CHECK(std::isnan(triangleTriangle({Vec3{bad, bad, bad}, {1, bad, 0}, {0, 1, bad}}, {o, o, o}).distance2));
}

TEST_CASE("a rigid motion does not change distances", "[geometry]")
{
    GeometryRandom random(3);
    for (int round = 0; round < 2000; ++round) {
        std::vector<Vec3> x = corners(random, 6, round % 2 == 0 ? 0 : 5);
        const double before = triangleTriangle({x[0], x[1], x[2]}, {x[3], x[4], x[5]}).distance();
        CHECK(triangleTriangle({x[3], x[5], x[4]}, {x[1], x[2], x[0]}).distance() == Approx(before).margin(1e-14));
        for (Vec3& p : x) p = {p[1] + 0.5, p[2] - 1., p[0] + 2.};
        CHECK(triangleTriangle({x[0], x[1], x[2]}, {x[3], x[4], x[5]}).distance() == Approx(before).margin(1e-14));
    }
}

TEST_CASE("rays through triangles: weights, side and no gap between neighbours", "[geometry]")
{
    GeometryRandom random(4);
    int hits = 0;
    for (int round = 0; round < 20000; ++round) {
        const Vec3 a = random.point(), b = random.point(), c = random.point(), o = random.point(2.);
        Vec3 w{std::abs(random()), std::abs(random()), std::abs(random())};
        w /= w[0] + w[1] + w[2];
        const Vec3 target = a * w[0] + b * w[1] + c * w[2], n = cross(b - a, c - a);
        if (norm(n) < 1e-2 || std::abs(dot(n, target - o)) < 1e-2) continue;
        const auto hit = rayTriangle(o, (target - o) * 0.5, a, b, c);
        const bool wellInside = std::min({w[0], w[1], w[2]}) > 1e-9;
        if (wellInside) REQUIRE(hit);
        if (!hit) continue;
        ++hits;
        CHECK(hit->t == Approx(2.).epsilon(1e-9));
        CHECK(norm(hit->weights - w) < 1e-9);
        CHECK(hit->front == (dot(n, target - o) < 0.));
        CHECK_FALSE(rayTriangle(o, o - target, a, b, c));  // behind
        // Outside: mirrored at the corner a.
        CHECK_FALSE(rayTriangle(o, a * 2. - target - o, a, b, c));
    }
    CHECK(hits > 10000);
    // Rays at points of the common side of two triangles always hit one of them.
    for (int round = 0; round < 20000; ++round) {
        const Vec3 a{-1, 0, 0}, b{1, random(), 0}, c{0, 1.5, random()}, d{0, -1.5, random()},
            o = random.point() + Vec3{0, 0, 4};
        const Vec3 target = a + (b - a) * std::abs(random());
        const bool met = rayTriangle(o, target - o, a, b, c) || rayTriangle(o, target - o, b, a, d);
        CHECK(met);
    }
    CHECK_FALSE(rayTriangle({0, 0, 1}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}));
    CHECK_FALSE(rayTriangle({-1, 0.2, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}));  // in its plane
    CHECK_FALSE(rayTriangle({0, 0, 1}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}));
}

TEST_CASE("rays through spheres and boxes", "[geometry]")
{
    const auto s = raySphere({-5, 0, 0}, {2, 0, 0}, {0, 0, 0}, 1.);
    REQUIRE(s);
    CHECK(s->enter == Approx(2.));
    CHECK(s->leave == Approx(3.));
    const auto inside = raySphere({0.5, 0, 0}, {0, 1, 0}, {0, 0, 0}, 1.);
    REQUIRE(inside);
    CHECK(inside->enter == 0.);
    CHECK(inside->leave == Approx(std::sqrt(0.75)));
    CHECK_FALSE(raySphere({2, 0, 0}, {1, 0, 0}, {0, 0, 0}, 1.));
    CHECK_FALSE(raySphere({-5, 1.001, 0}, {1, 0, 0}, {0, 0, 0}, 1.));
    CHECK(raySphere({0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 1.));
    CHECK_FALSE(raySphere({2, 0, 0}, {0, 0, 0}, {0, 0, 0}, 1.));
    // Small and far away, where the text-book discriminant loses all digits.
    const auto far = raySphere({0, 0, 0}, {1, 0, 0}, {1e6, 0, 0}, 1e-3);
    REQUIRE(far);
    CHECK(far->enter == Approx(1e6 - 1e-3).epsilon(1e-15));

    const auto b = rayBox({-2, 0.5, 0.5}, {1, 0, 0}, {0, 0, 0}, {1, 1, 1});
    REQUIRE(b);
    CHECK(b->enter == 2.);
    CHECK(b->leave == 3.);
    CHECK_FALSE(rayBox({-2, 1.5, 0.5}, {1, 0, 0}, {0, 0, 0}, {1, 1, 1}));
    CHECK(rayBox({-2, 1., 0.5}, {1, 0, 0}, {0, 0, 0}, {1, 1, 1}));  // along a face
    CHECK_FALSE(rayBox({2, 0.5, 0.5}, {1, 0, 0}, {0, 0, 0}, {1, 1, 1}));
    CHECK(rayBox({0.5, 0.5, 0.5}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1})->leave == std::numeric_limits<double>::infinity());
}

}  // namespace proximity_test
