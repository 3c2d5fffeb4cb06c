// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/Geometry.h"

#include <catch2/catch.hpp>
#include <numbers>
#include <random>

#include "core/math/Mat.h"
#include "core/mesh/SubElements.h"

namespace geometry_test {

using namespace sofa::core;
using namespace sofa::core::geometry;

namespace {

constexpr double pi = std::numbers::pi;

struct Random
{
    std::mt19937 generator{42};
    std::uniform_real_distribution<double> value{-1., 1.};
    Vec3 point() { return {value(generator), value(generator), value(generator)}; }
};

bool near(const Vec3& a, const Vec3& b, double tolerance = 1e-13) { return norm(a - b) <= tolerance; }

/// The unit cube in the numbering of Elements.h.
const std::array<Vec3, 8> unitCube{Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0},
                                   Vec3{0, 0, 1}, Vec3{1, 0, 1}, Vec3{1, 1, 1}, Vec3{0, 1, 1}};

/// Volume of a hexahedron by Gauss quadrature of the Jacobian of the trilinear map: exact with 2 points per axis,
/// because det J is of degree 2 in each coordinate (2 points integrate up to degree 3).
double quadratureVolume(const std::array<Vec3, 8>& x)
{
    double volume = 0.;
    for (int g = 0; g < 8; ++g) {
        Vec3 s;
        for (std::size_t i = 0; i < 3; ++i) s[i] = 0.5 + ((g >> i) & 1 ? 0.5 : -0.5) / std::sqrt(3.);
        Mat3 jacobian;
        for (std::size_t n = 0; n < 8; ++n) {
            const Vec3& r = unitCube[n];
            for (std::size_t i = 0; i < 3; ++i) {
                double slope = r[i] > 0.5 ? 1. : -1.;
                for (std::size_t j = 0; j < 3; ++j)
                    if (j != i) slope *= r[j] > 0.5 ? s[j] : 1. - s[j];
                for (std::size_t k = 0; k < 3; ++k) jacobian[k][i] += slope * x[n][k];
            }
        }
        volume += determinant(jacobian) / 8.;
    }
    return volume;
}

}  // namespace

TEST_CASE("Lengths, areas and normals of simple shapes")
{
    CHECK(edgeLength({1, 2, 3}, {4, 6, 15}) == Approx(13.));
    CHECK(triangleArea({0, 0, 0}, {3, 0, 0}, {0, 4, 0}) == Approx(6.));
    CHECK(near(triangleAreaVector({0, 0, 0}, {3, 0, 0}, {0, 4, 0}), {0, 0, 6}));
    CHECK(near(triangleNormal({0, 0, 1}, {0, 2, 1}, {0, 0, 3}), {1, 0, 0}));
    CHECK(triangleNormal({0, 0, 0}, {1, 1, 1}, {2, 2, 2}) == Vec3{});
    CHECK(quadArea({0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {1, 1, 0}) == Approx(2.));
    CHECK(near(quadNormal({0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {1, 1, 0}), {0, 0, 1}));
    CHECK(near(centroid(unitCube), {0.5, 0.5, 0.5}));
}

TEST_CASE("Volumes of tetrahedra and hexahedra")
{
    CHECK(tetrahedronVolume({0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 4}) == Approx(4.));
    CHECK(tetrahedronVolume({0, 0, 0}, {0, 3, 0}, {2, 0, 0}, {0, 0, 4}) == Approx(-4.));
    CHECK(hexahedronVolume(unitCube) == Approx(1.));
    Random random;
    for (int i = 0; i < 50; ++i) {
        std::array<Vec3, 8> x = unitCube;
        for (Vec3& p : x) p += random.point() * 0.4;  // bent sides
        CHECK(hexahedronVolume(x) == Approx(quadratureVolume(x)).epsilon(1e-12));
    }
}

TEST_CASE("Angles")
{
    CHECK(angle({1, 0, 0}, {0, 0, 0}, {0, 5, 0}) == Approx(pi / 2.));
    CHECK(angle({1, 0, 0}, {0, 0, 0}, {-2, 1e-9, 0}) == Approx(pi - 0.5e-9).epsilon(1e-15));
    // Half planes x > 0 and y > 0 at the z axis; flat; folded.
    CHECK(dihedralAngle({0, 0, 0}, {0, 0, 1}, {1, 0, 0.3}, {0, 1, 0.7}) == Approx(pi / 2.));
    CHECK(dihedralAngle({0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}) == Approx(pi));
    CHECK(dihedralAngle({0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {2, 0, 0}) == Approx(0.).margin(1e-15));
    // A regular tetrahedron has acos(1/3) at every edge.
    const std::array<Vec3, 4> x{Vec3{1, 1, 1}, Vec3{1, -1, -1}, Vec3{-1, 1, -1}, Vec3{-1, -1, 1}};
    for (const auto& e : tetrahedronEdges) {
        std::array<Vec3, 2> rest;
        std::size_t k = 0;
        for (Index v = 0; v < 4; ++v)
            if (v != e[0] && v != e[1]) rest[k++] = x[v];
        CHECK(dihedralAngle(x[e[0]], x[e[1]], rest[0], rest[1]) == Approx(std::acos(1. / 3.)));
    }
}

TEST_CASE("Circumcentres are at the same distance of all corners, and in the plane")
{
    Random random;
    for (int i = 0; i < 50; ++i) {
        const Vec3 a = random.point(), b = random.point(), c = random.point(), d = random.point();
        if (triangleArea(a, b, c) < 0.05 || std::abs(tetrahedronVolume(a, b, c, d)) < 0.01) continue;
        const Vec3 p = circumcentre(a, b, c);
        CHECK(norm(p - a) == Approx(norm(p - b)));
        CHECK(norm(p - a) == Approx(norm(p - c)));
        CHECK(std::abs(dot(p - a, triangleNormal(a, b, c))) < 1e-12);
        const Vec3 q = circumcentre(a, b, c, d);
        for (const Vec3& x : {b, c, d}) CHECK(norm(q - a) == Approx(norm(q - x)));
    }
    CHECK(near(circumcentre({0, 0, 0}, {2, 0, 0}, {0, 2, 0}), {1, 1, 0}));
}

TEST_CASE("Barycentric coordinates reproduce the point")
{
    Random random;
    for (int i = 0; i < 50; ++i) {
        const Vec3 a = random.point(), b = random.point(), c = random.point(), d = random.point(), p = random.point();
        if (std::abs(tetrahedronVolume(a, b, c, d)) < 0.01) continue;
        const Vec4 w = barycentric(p, a, b, c, d);
        CHECK(w[0] + w[1] + w[2] + w[3] == Approx(1.));
        CHECK(near(a * w[0] + b * w[1] + c * w[2] + d * w[3], p, 1e-11));
        const Vec3 t = barycentric(p, a, b, c);
        const Vec3 q = a * t[0] + b * t[1] + c * t[2];
        CHECK(t[0] + t[1] + t[2] == Approx(1.));
        CHECK(norm(cross(p - q, triangleNormal(a, b, c))) < 1e-11);  // p − q is normal to the triangle
    }
}

TEST_CASE("Nearest points satisfy the conditions of a minimum and beat every sample")
{
    Random random;
    std::uniform_real_distribution<double> unit(0., 1.);
    int inside = 0;
    for (int i = 0; i < 200; ++i) {
        const std::array<Vec3, 4> x{random.point(), random.point(), random.point(), random.point()};
        const Vec3 p = random.point() * 1.5;
        const auto s = nearestOnSegment(p, x[0], x[1]);
        const auto t = nearestOnTriangle(p, x[0], x[1], x[2]);
        const auto v = nearestOnTetrahedron(p, x[0], x[1], x[2], x[3]);
        CHECK(near(s.point, x[0] * s.weights[0] + x[1] * s.weights[1]));
        CHECK(near(t.point, x[0] * t.weights[0] + x[1] * t.weights[1] + x[2] * t.weights[2]));
        CHECK(near(v.point, x[0] * v.weights[0] + x[1] * v.weights[1] + x[2] * v.weights[2] + x[3] * v.weights[3],
                   1e-10));
        CHECK(s.distance == Approx(norm(p - s.point)));
        CHECK(t.distance == Approx(norm(p - t.point)));
        CHECK(v.distance == Approx(norm(p - v.point)).margin(1e-10));
        for (const double w : v.weights) CHECK(w >= 0.);
        inside += v.distance == 0.;
        // Bigger shapes are nearer.
        CHECK(t.distance <= s.distance + 1e-14);
        CHECK(v.distance <= t.distance + 1e-14);
        // For a convex set, q is nearest to p exactly if (p − q)·(y − q) <= 0 for all its points y: here the corners.
        for (std::size_t k = 0; k < 4; ++k) {
            if (k < 2) CHECK(dot(p - s.point, x[k] - s.point) <= 1e-12);
            if (k < 3) CHECK(dot(p - t.point, x[k] - t.point) <= 1e-12);
            CHECK(dot(p - v.point, x[k] - v.point) <= 1e-10);
        }
    }
    CHECK(inside > 0);
    // Without area or length.
    CHECK(nearestOnTriangle({0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}).distance == Approx(1.));
    CHECK(nearestOnSegment({0, 1, 0}, {0, 0, 0}, {0, 0, 0}).distance == Approx(1.));
    CHECK(nearestOnTetrahedron({0, 0, 2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}).distance == Approx(2.));
}

TEST_CASE("Sums over meshes: the cube cut into tetrahedra")
{
    const Vector<Vec3> x(unitCube.begin(), unitCube.end());
    const Vector<Hexahedron> cube{{0, 1, 2, 3, 4, 5, 6, 7}};
    const Vector<Tetrahedron> pieces{{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2},
                                     {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}};
    const auto border = borderOf(pieces);
    REQUIRE(border.size() == 12);
    double volume = 0.;
    for (const auto& t : pieces) volume += std::abs(tetrahedronVolume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]));
    CHECK(volume == Approx(1.));
    CHECK(std::abs(totalVolume(x, pieces)) == Approx(1.));
    CHECK(totalVolume(x, cube) == Approx(1.));
    CHECK(totalArea(x, border) == Approx(6.));
    CHECK(totalArea(x, borderOf(cube)) == Approx(6.));
    CHECK(totalLength(x, edgesOf(Vector<Tetrahedron>(), cube)) == Approx(12.));
    // Outward triangles enclose the volume, wherever the surface is.
    Vector<Triangle> outward;
    for (const Quad& q : quadsOf(cube)) {
        outward.push_back({q[0], q[1], q[2]});
        outward.push_back({q[0], q[2], q[3]});
    }
    CHECK(enclosedVolume(x, outward) == Approx(1.));
    Vector<Vec3> far = x;
    for (Vec3& p : far) p += Vec3{100., -50., 7.};
    CHECK(enclosedVolume(far, outward) == Approx(1.));
    CHECK(enclosedVolume(x, {}) == 0.);

    const auto normals = pointNormals(x, {}, quadsOf(cube));
    for (std::size_t i = 0; i < 8; ++i) CHECK(near(normals[i], normalized(x[i] - Vec3::filled(0.5))));
    const auto box = boundingBox(far);
    CHECK(box.low == Vec3{100., -50., 7.});
    CHECK(box.high == Vec3{101., -49., 8.});
    CHECK_FALSE(boundingBox({}).valid());
}

}  // namespace geometry_test
