// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/DataTypes.h"

#include <catch2/catch.hpp>

namespace data_types_test {

using namespace sofa::core;

namespace {

const double pi = std::acos(-1.);

}  // namespace

TEST_CASE("names and sizes of the data types", "[math]")
{
    CHECK(Vec1Types::name() == "Vec1");
    CHECK(Vec2Types::name() == "Vec2");
    CHECK(Vec3Types::name() == "Vec3");
    CHECK(Vec6Types::name() == "Vec6");
    CHECK(Rigid2Types::name() == "Rigid2");
    CHECK(Rigid3Types::name() == "Rigid3");
    STATIC_REQUIRE(sizeof(Rigid3Types::Coord) == Rigid3Types::coordSize * sizeof(double));
    STATIC_REQUIRE(sizeof(Rigid3Types::Deriv) == Rigid3Types::derivSize * sizeof(double));
    STATIC_REQUIRE(sizeof(Rigid2Types::Coord) == Rigid2Types::coordSize * sizeof(double));
    STATIC_REQUIRE(sizeof(Rigid2Types::Deriv) == Rigid2Types::derivSize * sizeof(double));
    STATIC_REQUIRE(sizeof(Vec6Types::Coord) == Vec6Types::coordSize * sizeof(double));
    STATIC_REQUIRE(Vec6Types::spatialDimensions == 3);
    STATIC_REQUIRE(Vec2Types::spatialDimensions == 2);
    STATIC_REQUIRE((Rigid2Types::isRigid && Rigid3Types::isRigid && !Vec3Types::isRigid));
}

TEST_CASE("points", "[math]")
{
    Vec2 x{1, 2};
    Vec2Types::add(x, {0.5, -1});
    CHECK(x == Vec2{1.5, 1});
    CHECK(Vec2Types::difference({3, 4}, {1, 1}) == Vec2{2, 3});
    CHECK(Vec2Types::position(x) == Vec3{1.5, 1, 0});
    Vec2Types::setPosition(x, {7, 8, 9});
    CHECK(x == Vec2{7, 8});
    Vec6 y{1, 2, 3, 4, 5, 6};
    CHECK(Vec6Types::position(y) == Vec3{1, 2, 3});
    Vec6Types::setLinear(y, {9, 9, 9});
    CHECK(y == Vec6{9, 9, 9, 4, 5, 6});
    CHECK(Vec1Types::linear(Vec1(2.)) == Vec3{2, 0, 0});
}

TEST_CASE("rigid frames in space", "[math]")
{
    const Quat quarter = Quat::fromAxisAngle({0, 0, 1}, pi / 2.);
    const RigidCoord3 a{{1, 0, 0}, quarter}, b{{0, 2, 0}, Quat::fromAxisAngle({1, 0, 0}, 0.4)};
    CHECK(norm(a.apply({1, 0, 0}) - Vec3{1, 1, 0}) < 1e-15);
    const Vec3 p{0.3, -0.2, 0.9};
    CHECK(norm(a.compose(b).apply(p) - a.apply(b.apply(p))) < 1e-15);
    CHECK(RigidCoord3{}.apply(p) == p);

    const Vec6 d = Rigid3Types::makeDeriv({1, 2, 3}, {4, 5, 6});
    CHECK(Rigid3Types::linear(d) == Vec3{1, 2, 3});
    CHECK(Rigid3Types::angular(d) == Vec3{4, 5, 6});
    CHECK(Rigid3Types::position(a) == Vec3{1, 0, 0});
}

TEST_CASE("moving a rigid frame follows the exponential map in world axes", "[math]")
{
    const RigidCoord3 start{{1, 2, 3}, Quat::fromAxisAngle({1, 1, 0}, 0.7)};
    const Vec3 axis = normalized(Vec3{0.2, -1, 0.5});
    for (const double angle : {0., 1e-20, 1e-9, 1e-3, 0.1, 1., 3.}) {
        RigidCoord3 x = start;
        Rigid3Types::add(x, Rigid3Types::makeDeriv({1, 0, 0}, axis * angle));
        CHECK(x.center == Vec3{2, 2, 3});
        CHECK(std::abs(norm(x.orientation.q) - 1.) < 1e-15);
        CHECK(norm(x.orientation.q - (Quat::fromAxisAngle(axis, angle) * start.orientation).q) < 1e-15);
        const Vec6 d = Rigid3Types::difference(x, start);
        CHECK(Rigid3Types::linear(d) == Vec3{1, 0, 0});
        CHECK(norm(Rigid3Types::angular(d) - axis * angle) < 2e-15);
    }
    // Two halves of a turn about one axis make the whole.
    RigidCoord3 x = start, y = start;
    Rigid3Types::add(x, Rigid3Types::makeDeriv({}, axis * 1.2));
    Rigid3Types::add(y, Rigid3Types::makeDeriv({}, axis * 0.6));
    Rigid3Types::add(y, Rigid3Types::makeDeriv({}, axis * 0.6));
    CHECK(norm(x.orientation.q - y.orientation.q) < 1e-15);
    // The shorter way round, and quaternions of any length.
    Rigid3Types::add(x = start, Rigid3Types::makeDeriv({}, axis * 5.));
    x.orientation.q *= 3.;
    CHECK(norm(Rigid3Types::angular(Rigid3Types::difference(x, start)) - axis * (5. - 2. * pi)) < 1e-14);
}

TEST_CASE("rigid frames in the plane", "[math]")
{
    RigidCoord2 x{{1, 2}, 0.5};
    Rigid2Types::add(x, {1, -1, 0.25});
    CHECK(x == RigidCoord2{{2, 1}, 0.75});
    CHECK(Rigid2Types::difference(x, {{1, 2}, 0.5}) == Vec3{1, -1, 0.25});
    CHECK(Rigid2Types::difference({{}, 3.}, {{}, -3.})[2] == Approx(6. - 2. * pi));
    CHECK(Rigid2Types::difference({{}, -3.}, {{}, 3.})[2] == Approx(2. * pi - 6.));
    CHECK(std::abs(Rigid2Types::difference({{}, 20. * pi + 0.5}, {{}, 0.})[2] - 0.5) < 1e-13);
    const RigidCoord2 quarter{{1, 0}, pi / 2.};
    CHECK(norm(quarter.apply({1, 0}) - Vec2{1, 1}) < 1e-15);
    CHECK(Rigid2Types::position(x) == Vec3{2, 1, 0});
    CHECK(Rigid2Types::linear({3, 4, 5}) == Vec3{3, 4, 0});
    Vec3 d{1, 2, 3};
    Rigid2Types::setLinear(d, {7, 8, 9});
    CHECK(d == Vec3{7, 8, 3});
    Rigid2Types::setPosition(x, {5, 6, 7});
    CHECK(x.center == Vec2{5, 6});
}

TEST_CASE("scalars are in the order in which they are written", "[math]")
{
    RigidCoord3 r{{1, 2, 3}, {4, 5, 6, 7}};
    for (std::size_t i = 0; i < 7; ++i) CHECK(scalars(r)[i] == static_cast<double>(i + 1));
    const RigidCoord2 s{{1, 2}, 3};
    for (std::size_t i = 0; i < 3; ++i) CHECK(scalars(s)[i] == static_cast<double>(i + 1));
    Vec3 v{1, 2, 3};
    scalars(v)[1] = 9;
    CHECK(v[1] == 9.);
}

}  // namespace data_types_test
