// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/CurvedFaces.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace curved_faces_test {

using namespace sofa::core;

namespace {

/// z = x (1 - x) over the triangle (0, 0), (1, 0), (0, 1): control points of the edges are at the middles, in z where
/// the tangents meet.
Geometry arch()
{
    Geometry g;
    g.positions = {{0.f, 0.f, 0.f},   {1.f, 0.f, 0.f},   {0.f, 1.f, 0.f},
                   {0.5f, 0.f, 0.5f}, {0.5f, 0.5f, 0.f}, {0.f, 0.5f, 0.f}};
    // Along the edge 12 the curve is the same over x.
    g.positions[4][2] = 0.5f;
    g.patches = {{0, 1, 2, 3, 4, 5}};
    g.colors = {{0.f, 0.f, 0.f},  {1.f, 0.f, 0.f},   {0.f, 1.f, 0.f},
                {0.5f, 0.f, 0.f}, {0.5f, 0.5f, 0.f}, {0.f, 0.5f, 0.f}};
    return g;
}

}  // namespace

TEST_CASE("Points of flat triangles are on the curved one, and turned as it is", "[visual]")
{
    const Geometry g = arch();
    for (const int n : {1, 2, 3, 7, 16}) {
        CAPTURE(n);
        Geometry flat;
        flatten(g, n, flat);
        CHECK(flat.triangles.size() == static_cast<std::size_t>(n * n));
        CHECK(flat.positions.size() == static_cast<std::size_t>((n + 1) * (n + 2) / 2));
        for (std::size_t i = 0; i < flat.positions.size(); ++i) {
            const Vec3f& p = flat.positions[i];
            CHECK(p[2] == Approx(p[0] * (1.f - p[0])).margin(1e-6));
            CHECK(flat.colors[i][0] == Approx(p[0]).margin(1e-6));
            CHECK(flat.colors[i][1] == Approx(p[1]).margin(1e-6));
        }
        double area = 0.;
        for (const Triangle& t : flat.triangles) {
            const Vec3f a = flat.positions[t[1]] - flat.positions[t[0]],
                        b = flat.positions[t[2]] - flat.positions[t[0]];
            const double twice = a[0] * b[1] - a[1] * b[0];
            CHECK(twice > 0.);
            area += 0.5 * twice;
        }
        CHECK(area == Approx(0.5));
    }
}

TEST_CASE("Curved triangles are divided until nothing is off by more than the part of a pixel", "[visual]")
{
    const Geometry g = arch();
    for (const double pixel : {0.1, 0.01, 0.001}) {
        CAPTURE(pixel);
        const int n = divisionsOf(
            g, [&](const Vec3f&) { return pixel; }, 0.5, 1000);
        // Between x and x + 1/n a chord is below the parabola by 1/(4 n^2), at most.
        CHECK(1. / (4. * n * n) <= 0.5 * pixel);
        CHECK(1. / (4. * (n - 2) * (n - 2)) > 0.25 * pixel);
    }
    CHECK(divisionsOf(g, [](const Vec3f&) { return 1e-9; }) == 32);
    CHECK(divisionsOf(g, [](const Vec3f&) { return 0.; }) == 1);  // behind the camera
    CHECK(divisionsOf(g, [](const Vec3f&) { return -1.; }) == 1);
    Geometry straight = g;
    straight.positions[3][2] = straight.positions[4][2] = 0.f;
    CHECK(divisionsOf(straight, [](const Vec3f&) { return 1e-9; }) == 1);
    // What is not sound draws nothing that could be seen, and the numbers of the others stay.
    Geometry broken = g;
    broken.patches.push_back({0, 1, 99, 3, 4, 5});
    broken.patches.push_back({0, 1, 2, 3, 4, 5});
    Geometry flat;
    flatten(broken, 2, flat);
    CHECK(flat.triangles.size() == 12);
    CHECK(flat.positions[flat.triangles[8][0]] == flat.positions[flat.triangles[0][0]]);
    CHECK(divisionsOf(broken, [](const Vec3f&) { return 10.; }) == 1);
}

}  // namespace curved_faces_test
