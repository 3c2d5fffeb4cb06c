// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/Vec.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

#include "core/math/Vector.h"

using namespace sofa::core;

TEST_CASE("vectors are zero unless given values", "[math]")
{
    CHECK(Vec3{} == Vec3{0., 0., 0.});
    CHECK(Vec1(4.)[0] == 4.);
    CHECK(Vec3::filled(2.) == Vec3{2, 2, 2});
    CHECK(Vec3::unit(1) == Vec3{0, 1, 0});
    CHECK(Vec<3, int>(Vec3{1.9, -1.9, 0.}) == Vec<3, int>{1, -1, 0});
    STATIC_REQUIRE(sizeof(Vec3) == 3 * sizeof(double));
    STATIC_REQUIRE(Vec6::size() == 6);
    // Exactly N components.
    STATIC_REQUIRE_FALSE(std::is_constructible_v<Vec3, double, double>);
    STATIC_REQUIRE_FALSE(std::is_constructible_v<Vec3, double, double, double, double>);
    STATIC_REQUIRE_FALSE(std::is_convertible_v<double, Vec1>);
}

TEST_CASE("vector arithmetic", "[math]")
{
    const Vec3 a{1, 2, 3}, b{4, -5, 6};
    CHECK(a + b == Vec3{5, -3, 9});
    CHECK(a - b == Vec3{-3, 7, -3});
    CHECK(-a == Vec3{-1, -2, -3});
    CHECK(a * 2. == Vec3{2, 4, 6});
    CHECK(2. * a == a * 2.);
    CHECK(b / 2. == Vec3{2, -2.5, 3});
    Vec3 c = a;
    c += b;
    c -= a;
    c *= 3.;
    c /= 3.;
    CHECK(c == b);
    CHECK(dot(a, b) == 12.);
    CHECK(norm2(a) == 14.);
    CHECK(norm(Vec2{3, 4}) == 5.);
    CHECK(cross(a, b) == Vec3{27, 6, -13});
    CHECK(cross(Vec2{1, 2}, Vec2{3, 5}) == -1.);
    CHECK(a.x() + 10 * a.y() + 100 * a.z() == 321.);
}

TEST_CASE("cross products are perpendicular and right-handed", "[math]")
{
    for (std::size_t i = 0; i < 3; ++i) CHECK(cross(Vec3::unit(i), Vec3::unit((i + 1) % 3)) == Vec3::unit((i + 2) % 3));
}

TEST_CASE("normalisation", "[math]")
{
    CHECK(norm(normalized(Vec3{0, 3, 4}) - Vec3{0, 0.6, 0.8}) < 1e-16);
    CHECK(normalized(Vec3{}) == Vec3{});
    CHECK(normalized(Vec3{}, Vec3{1, 0, 0}) == Vec3{1, 0, 0});
    CHECK(normalized(Vec3{1e-9, 0, 0}, Vec3{0, 1, 0}, 1e-6) == Vec3{0, 1, 0});
}

TEST_CASE("comparison and finiteness", "[math]")
{
    CHECK(Vec3{1, 2, 3} < Vec3{1, 3, 0});
    CHECK_FALSE(Vec3{1, 2, 3} < Vec3{1, 2, 3});
    CHECK(isFinite(Vec3{1, 2, 3}));
    CHECK_FALSE(isFinite(Vec3{1, std::numeric_limits<double>::infinity(), 3}));
    CHECK_FALSE(isFinite(Vec3{1, 2, std::numeric_limits<double>::quiet_NaN()}));
}

TEST_CASE("vectors work in constant expressions and in loops", "[math]")
{
    constexpr Vec3 c = cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}) + Vec3{1, 1, 1};
    STATIC_REQUIRE(c[2] == 2.);
    double sum = 0.;
    for (const double v : c) sum += v;
    CHECK(sum == 4.);
    CHECK(c.data()[0] == 1.);
}

TEST_CASE("dynamic arrays start on cache lines", "[math]")
{
    for (std::size_t n = 1; n < 50; n += 7) {
        const Vector<Vec3> v(n);
        CHECK(reinterpret_cast<std::uintptr_t>(v.data()) % 64 == 0);
        CHECK(v.back() == Vec3{});
    }
    Vector<double> large(600000, 1.);  // more than two large pages
    CHECK(reinterpret_cast<std::uintptr_t>(large.data()) % (2 << 20) == 0);
    large.resize(1200000, 2.);
    CHECK(large[599999] == 1.);
    CHECK(large.back() == 2.);
    CHECK_THROWS_AS(AlignedAllocator<double>().allocate(static_cast<std::size_t>(-1) / 4), std::bad_array_new_length);
}
