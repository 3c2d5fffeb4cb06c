// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/CellCoordinates.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/topology/MeshQueries.h"

namespace cell_coordinates_test {

using namespace sofa::core;
using namespace sofa::core::geometry;

namespace {

/// The unit square or cube, turned, moved and stretched, with corners moved at random by up to `jitter`.
template <std::size_t N>
std::array<Vec3, N> cell(std::mt19937& random, double jitter)
{
    std::uniform_real_distribution<double> some(-1., 1.);
    const auto vector = [&] { return Vec3{some(random), some(random), some(random)}; };
    const Quat turn = Quat::fromAxisAngle(vector(), 3. * some(random));
    const Vec3 move = 5. * vector();
    const double size = std::pow(10., 2. * some(random));
    std::array<Vec3, N> x;
    for (std::size_t k = 0; k < N; ++k)
        x[k] =
            turn.rotate(Vec3{2. * unitCorners[k][0], unitCorners[k][1], unitCorners[k][2]} + jitter * vector()) * size +
            move;
    return x;
}

template <std::size_t N>
double sizeOf(const std::array<Vec3, N>& x)
{
    double size = 0.;
    for (const Vec3& a : x)
        for (const Vec3& b : x) size = std::max(size, norm(a - b));
    return size;
}

/// The least distance of a point from the quad at (n + 1)² places, then between the places around the best, ...
double sampledDistance(const Vec3& p, const std::array<Vec3, 4>& x)
{
    constexpr int n = 24;
    double best = 1e300, u = 0.5, v = 0.5;
    for (double width = 1.; width > 1e-9; width *= 0.25) {
        const double u0 = u, v0 = v;
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= n; ++j) {
                const Vec3 at{std::clamp(u0 + width * (double(i) / n - 0.5), 0., 1.),
                              std::clamp(v0 + width * (double(j) / n - 0.5), 0., 1.), 0.};
                const double d = norm(CellPoint<4>(x, at).x - p);
                if (!(d < best)) continue;
                best = d;
                u = at[0];
                v = at[1];
            }
    }
    return best;
}

}  // namespace

TEST_CASE("The coordinates of points of a hexahedron are those that give them")
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(0., 1.), around(-0.3, 1.3);
    for (int trial = 0; trial < 300; ++trial) {
        const auto x = cell<8>(random, 0.2);
        const double size = sizeOf(x) + norm(x[0]);
        const Vec3 v{unit(random), unit(random), unit(random)};
        const auto found = hexahedronCoordinates(CellPoint<8>(x, v).x, x);
        REQUIRE(found);
        CHECK(norm(*found - v) < 1e-11 * size / sizeOf(x));
        CHECK(areInside(*found, 1e-9));
        // Outside, where the map of a cell that is less bent goes on without folding.
        const auto y = cell<8>(random, 0.05);
        const Vec3 w{around(random), around(random), around(random)};
        const auto beyond = hexahedronCoordinates(CellPoint<8>(y, w).x, y);
        REQUIRE(beyond);
        CHECK(norm(*beyond - w) < 1e-10 * (sizeOf(y) + norm(y[0])) / sizeOf(y));
        CHECK(areInside(*beyond) == areInside(w));
    }
    // Corners, and far away.
    const auto x = cell<8>(random, 0.2);
    for (std::size_t k = 0; k < 8; ++k) {
        const auto v = hexahedronCoordinates(x[k], x);
        REQUIRE(v);
        CHECK(areInside(*v, 1e-12));
        CHECK(cornerWeights<8>(*v)[k] == Approx(1.));
        CHECK_FALSE(areInside(hexahedronCoordinates(x[k] + Vec3{1e3, 2e3, -3e3}, x).value_or(Vec3::filled(-1.))));
    }
    // Flat: no coordinates, and no end of the search.
    std::array<Vec3, 8> flat = x;
    for (std::size_t k = 0; k < 4; ++k) flat[k + 4] = flat[k];
    CHECK_FALSE(hexahedronCoordinates((flat[0] + flat[2]) / 2. + Vec3{0.1, 0.2, 0.3}, flat));
}

TEST_CASE("The coordinates in a quad are those of the projection")
{
    std::mt19937 random(2);
    std::uniform_real_distribution<double> unit(0., 1.), height(-0.2, 0.2);
    for (int trial = 0; trial < 300; ++trial) {
        const auto x = cell<4>(random, 0.2);
        const Vec3 v{unit(random), unit(random), 0.};
        const CellPoint<4> at(x, v);
        const Vec3 normal = normalized(cross(at.slopes[0], at.slopes[1]));
        const double size = sizeOf(x);
        const Vec2 found = quadCoordinates(at.x + normal * (size * height(random)), x);
        CHECK(std::abs(found[0] - v[0]) + std::abs(found[1] - v[1]) < 1e-10 * (1. + norm(x[0]) / size));
    }
    // A plane quad that is no parallelogram, and a point beside it.
    const std::array<Vec3, 4> x{Vec3{0., 0., 0.}, {2., 0., 0.}, {1.5, 1., 0.}, {0., 1., 0.}};
    const Vec3 beside = CellPoint<4>(x, {1.2, 0.4, 0.}).x;
    const Vec2 v = quadCoordinates(beside + Vec3{0., 0., 3.}, x);
    CHECK(v[0] == Approx(1.2));
    CHECK(v[1] == Approx(0.4));
}

TEST_CASE("The nearest point of a quad is no farther than any other, however it is bent")
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> some(-1.5, 1.5);
    for (const double jitter : {0., 0.2, 0.8}) {
        for (int trial = 0; trial < 60; ++trial) {
            const auto x = cell<4>(random, jitter);
            const double size = sizeOf(x);
            const Vec3 p = (x[0] + x[2]) / 2. + Vec3{some(random), some(random), some(random)} * (0.5 * size);
            const Nearest<4> found = nearestOnQuad(p, x);
            INFO("jitter " << jitter << ", trial " << trial);
            CHECK(found.distance <= sampledDistance(p, x) + 1e-12 * size);
            Vec3 point;
            double sum = 0.;
            for (std::size_t k = 0; k < 4; ++k) {
                CHECK(found.weights[k] >= 0.);
                sum += found.weights[k];
                point += x[k] * found.weights[k];
            }
            CHECK(sum == Approx(1.).epsilon(1e-14));
            CHECK(norm(point - found.point) < 1e-14 * (size + norm(x[0])));
            CHECK(norm(p - found.point) == Approx(found.distance).margin(1e-14 * (size + norm(x[0]))));
        }
    }
    // Corners that coincide: a triangle, a line, a point.
    const Vec3 a{0., 0., 0.}, b{1., 0., 0.}, c{0., 1., 0.};
    CHECK(nearestOnQuad({0.2, 0.3, 2.}, {a, b, c, c}).distance == Approx(2.));
    CHECK(nearestOnQuad({0., 1., 0.}, {a, b, c, c}).distance < 1e-12);
    CHECK(nearestOnQuad({0.5, 0., 2.}, {a, b, b, a}).distance == Approx(2.));
    CHECK(nearestOnQuad({0.5, 0., 0.}, {a, a, a, a}).distance == Approx(0.5));
}

TEST_CASE("The nearest point of a hexahedron is itself inside, else on a face")
{
    std::mt19937 random(4);
    std::uniform_real_distribution<double> around(-0.4, 1.4);
    int inside = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const auto x = cell<8>(random, 0.15);
        const double size = sizeOf(x), scale = size + norm(x[0]);
        const Vec3 v{around(random), around(random), around(random)}, p = CellPoint<8>(x, v).x;
        const Nearest<8> found = nearestOnHexahedron(p, x);
        Vec3 point;
        for (std::size_t k = 0; k < 8; ++k) {
            CHECK(found.weights[k] >= 0.);
            point += x[k] * found.weights[k];
        }
        CHECK(norm(point - found.point) < 1e-11 * scale);
        if (areInside(v)) {
            ++inside;
            CHECK(found.distance == 0.);
            continue;
        }
        CHECK(found.distance > 0.);
        // No point of a lattice of the cell is nearer, and one is nearly as near.
        double sampled = 1e300;
        constexpr int n = 12;
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= n; ++j)
                for (int k = 0; k <= n; ++k)
                    sampled = std::min(sampled, norm(CellPoint<8>(x, Vec3{double(i), double(j), double(k)} / n).x - p));
        CHECK(found.distance <= sampled + 1e-12 * scale);
        CHECK(found.distance > sampled - size / n);
    }
    CHECK(inside > 20);
    CHECK(inside < 180);
}

TEST_CASE("Prisms and pyramids have the points between their faces")
{
    const std::array<Vec3, 6> prism{Vec3{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.},
                                    {0., 0., 1.},     {1., 0., 1.}, {0., 1., 1.}};
    CHECK(nearestOnPrism({0.3, 0.3, 0.5}, prism).distance == 0.);
    CHECK(nearestOnPrism({0.3, 0.3, 1.5}, prism).distance == Approx(0.5));
    CHECK(nearestOnPrism({1., 1., 0.5}, prism).distance == Approx(std::sqrt(0.5)));
    CHECK(nearestOnPrism({0., 1., 0.5}, prism).distance < 1e-12);
    const std::array<Vec3, 5> pyramid{Vec3{0., 0., 0.}, {1., 0., 0.}, {1., 1., 0.}, {0., 1., 0.}, {0.5, 0.5, 1.}};
    CHECK(nearestOnPyramid({0.5, 0.5, 0.9}, pyramid).distance == 0.);
    CHECK(nearestOnPyramid({0.5, 0.5, 1.}, pyramid).distance < 1e-12);
    CHECK(nearestOnPyramid({0.5, 0.5, 3.}, pyramid).distance == Approx(2.));
    CHECK(nearestOnPyramid({0.5, 0.5, -1.}, pyramid).distance == Approx(1.));
    CHECK(nearestOnPyramid({1., 0.5, 0.9}, pyramid).distance > 0.1);
    // Random points inside by their weights: a point of the base, or of the lower triangle, and one above.
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(0., 1.);
    for (int trial = 0; trial < 100; ++trial) {
        const double u = unit(random), v = unit(random), w = unit(random);
        const Vec3 base{u, v, 0.};
        CHECK(nearestOnPyramid(base + (pyramid[4] - base) * w, pyramid).distance < 1e-12);
        const Vec3 low = u + v < 1. ? base : Vec3{1. - u, 1. - v, 0.};
        CHECK(nearestOnPrism(low + Vec3{0., 0., w}, prism).distance < 1e-12);
    }
}

TEST_CASE("The closest quad and hexahedron of a mesh contain the point or are as near as any")
{
    // Two cubes side by side and their upper sides.
    Vector<Vec3> x;
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 3; ++i) x.push_back({double(i), double(j), k + 0.1 * i * j});
    const Vector<Hexahedron> hexahedra{{0, 1, 4, 3, 6, 7, 10, 9}, {1, 2, 5, 4, 7, 8, 11, 10}};
    const Vector<Quad> quads{{6, 7, 10, 9}, {7, 8, 11, 10}};
    const Positions at = [&x](Index i) { return x[i]; };
    CHECK(closestElement({0.5, 0.5, 0.5}, hexahedra, at).element == 0);
    const ClosestElement in = closestElement({1.5, 0.5, 0.5}, hexahedra, at);
    CHECK(in.element == 1);
    CHECK(in.distance == 0.);
    CHECK(closestElement({4., 0.5, 0.5}, hexahedra, at).distance == Approx(2.));
    const ClosestElement above = closestQuad({1.5, 0., 3.}, quads, at);
    CHECK(above.element == 1);
    CHECK(above.distance <= 2.);
    CHECK(closestQuad({}, {}, at).element == InvalidIndex);
    CHECK(closestElement({}, Vector<Prism>{{0, 1, 3, 6, 7, 9}}, at).distance < 1e-12);
    CHECK(closestElement({}, Vector<Pyramid>(), at).element == InvalidIndex);
}

}  // namespace cell_coordinates_test
