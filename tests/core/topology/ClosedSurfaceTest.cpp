// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/ClosedSurface.h"

#include <catch2/catch.hpp>
#include <limits>

namespace closed_surface_test {

using namespace sofa::core;
using Catch::Matchers::Contains;
using sofa::core::geometry::requireClosedSurface;

namespace {

const Vector<Vec3> corners{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
const Vector<Triangle> closed{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

/// Adds a moved copy.
void add(Vector<Vec3>& x, Vector<Triangle>& triangles, const Vec3& shift, double scale = 1.)
{
    const auto first = static_cast<Index>(x.size());
    for (const Vec3& p : corners) x.push_back(p * scale + shift);
    for (const auto& [a, b, c] : closed) triangles.push_back({a + first, b + first, c + first});
}

std::string complaint(const Vector<Vec3>& x, const Vector<Triangle>& triangles)
{
    try {
        requireClosedSurface(x, triangles);
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    return {};
}

}  // namespace

TEST_CASE("A closed surface is one, also of several parts")
{
    CHECK(complaint(corners, closed).empty());
    Vector<Vec3> x = corners;
    Vector<Triangle> t = closed;
    add(x, t, {2., 0., 0.});
    CHECK(complaint(x, t).empty());
}

TEST_CASE("What is no closed surface is told with its numbers")
{
    CHECK(complaint(corners, {}) == "there is no triangle");
    CHECK_THAT(complaint(corners, {{0, 1, 7}}), Contains("triangle 0 has the point 7, which does not exist"));
    Vector<Vec3> x = corners;
    x[3][1] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THAT(complaint(x, closed), Contains("triangle 1 has the point 3, which is not finite"));
    x[3] = {2., 0., 0.};
    CHECK_THAT(complaint(x, closed), Contains("triangle 1 has no area"));

    Vector<Triangle> t(closed.begin(), closed.end() - 1);
    CHECK_THAT(complaint(corners, t),
               Contains("open: 3 edges have one triangle only, the first is that of the points 1-2"));
    t = closed;
    t[3] = {1, 3, 2};
    CHECK_THAT(complaint(corners, t), Contains("at 3 edges, the first between the triangles 0 and 3"));
    t = closed;
    for (Triangle& i : t) std::swap(i[0], i[1]);
    CHECK_THAT(complaint(corners, t), Contains("seen from inside"));

    // Two that share an edge.
    x = corners;
    x.push_back({-1., -1., 0.});
    x.push_back({-1., -1., 1.});
    t = closed;
    for (const auto& [a, b, c] : closed) {
        constexpr std::array<Index, 4> to{0, 4, 5, 3};
        t.push_back({to[a], to[b], to[c]});
    }
    CHECK_THAT(complaint(x, t),
               Contains("more than two triangles meet at 1 edge, the first is that of the points 0-3"));
}

TEST_CASE("Surfaces that meet themselves are told")
{
    const auto meets = [](const Vec3& shift, double scale = 1.) {
        Vector<Vec3> x = corners;
        Vector<Triangle> t = closed;
        add(x, t, shift, scale);
        return complaint(x, t).find("intersects itself") != std::string::npos;
    };
    CHECK(meets({0.1, 0.1, 0.1}));             // through each other
    CHECK(meets({0., 0., 0.}));                // one on the other
    CHECK(meets({1., 0., 0.}));                // corner at corner, which are two points
    CHECK(meets({0.25, 0.25, -1.}));           // a corner on a side
    CHECK(meets({0.25, 0.25, 0.}, 0.25));      // a side within a side
    CHECK_FALSE(meets({0.1, 0.1, 0.1}, 0.1));  // one inside the other
    CHECK_FALSE(meets({0.25, 0.25, -1.0001}));

    // Around a common point: the opposite edge of one triangle passes through another one.
    Vector<Vec3> x = corners;
    Vector<Triangle> t = closed;
    for (const Vec3& p : {Vec3{-1., 0.2, 0.2}, Vec3{1., 0.1, 0.2}, Vec3{1., 0.2, 0.1}}) x.push_back(p);
    for (const Triangle& i : {Triangle{0, 5, 4}, {0, 4, 6}, {0, 6, 5}, {4, 5, 6}}) t.push_back(i);
    CHECK_THAT(complaint(x, t), Contains("intersects itself"));

    // A fold: two triangles on the same side of their common edge.
    const Vector<Vec3> fold{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0.2, 0.2, 0.}};
    CHECK_THAT(complaint(fold, {{0, 1, 2}, {1, 0, 3}, {0, 2, 3}, {2, 1, 3}}), Contains("intersects itself"));
}

}  // namespace closed_surface_test
