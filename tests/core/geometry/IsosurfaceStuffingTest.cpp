// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/IsosurfaceStuffing.h"

#include <catch2/catch.hpp>
#include <functional>
#include <numbers>

#include "core/geometry/SurfaceDistance.h"
#include "tests/harness/EngineCheck.h"
#include "tests/harness/MeshLaws.h"

namespace isosurface_stuffing_test {

using namespace sofa::core;
using namespace sofa::test;
using geometry::StuffedMesh;

namespace {

constexpr double degree = std::numbers::pi / 180.;

/// Least and largest dihedral angle [degree].
std::pair<double, double> dihedralAngles(const StuffedMesh& m)
{
    double least = 180., most = 0.;
    for (const auto& t : m.tetrahedra)
        for (const auto& e : tetrahedronEdges) {
            std::array<Index, 2> others{};
            std::size_t k = 0;
            for (Index v = 0; v < 4; ++v)
                if (v != e[0] && v != e[1]) others[k++] = t[v];
            const double a = geometry::dihedralAngle(m.points[t[e[0]]], m.points[t[e[1]]], m.points[others[0]],
                                                     m.points[others[1]]) /
                             degree;
            least = std::min(least, a);
            most = std::max(most, a);
        }
    return {least, most};
}

/// Waves in random directions: surfaces of any kind, with details of the size of the cells.
std::function<double(const Vec3&)> waves(RandomInput& random)
{
    std::vector<std::pair<Vec3, double>> terms(6);
    for (auto& [k, phase] : terms) {
        k = random.point(12.);
        phase = random.number(0., 6.);
    }
    return [terms](const Vec3& p) {
        double sum = 0.3;
        for (const auto& [k, phase] : terms) sum += std::sin(dot(k, p) + phase);
        return sum;
    };
}

}  // namespace

TEST_CASE("isosurface stuffing keeps its bounds of dihedral angles whatever the surface")
{
    RandomInput random(21);
    geometry::StuffingOptions o;
    o.box = {{-0.8, -0.7, -0.6}, {0.8, 0.7, 0.6}};
    o.snap = o.split = true;
    double worstUnmoved = 180.;
    for (int k = 0; k < 12; ++k) {
        const auto f = waves(random);
        o.cell = random.number(0.08, 0.25);
        o.alphaLong = 0.24999;
        o.alphaShort = 0.42978;
        const auto [least, most] = dihedralAngles(geometry::stuffIsosurface(f, o));
        CHECK(least > 10.7);
        CHECK(most < 164.8);
        o.alphaLong = 0.21509;
        o.alphaShort = 0.35900;
        const auto [least2, most2] = dihedralAngles(geometry::stuffIsosurface(f, o));
        CHECK(least2 > 8.9);
        CHECK(most2 < 158.8);
        o.alphaLong = o.alphaShort = 0.;
        worstUnmoved = std::min(worstUnmoved, dihedralAngles(geometry::stuffIsosurface(f, o)).first);
    }
    // It is the moved points that do it.
    CHECK(worstUnmoved < 1.);
}

TEST_CASE("isosurface stuffing makes a conforming mesh that ends at the surface")
{
    for (const double cell : {0.3, 0.15, 0.075}) {
        INFO("cell " << cell);
        // Centred, so that points of the lattice lie on the surface for the first size.
        const auto f = [](const Vec3& p) { return 0.9 - norm(p); };
        geometry::StuffingOptions o;
        o.box = {{-0.9, -0.9, -0.9}, {0.9, 0.9, 0.9}};
        o.cell = cell;
        o.snap = o.split = true;
        const StuffedMesh m = geometry::stuffIsosurface(f, o);
        CHECK(leastVolume(m.points, m.tetrahedra) > 0.);
        const auto border = borderOf(m.tetrahedra);
        CHECK(isClosed(border));
        for (const Triangle& t : border)
            for (const Index i : t) CHECK(std::abs(f(m.points[i])) < 1e-10);
        for (std::size_t i = 0; i < m.points.size(); ++i)
            if (m.kinds[i] != StuffedMesh::Lattice) CHECK(std::abs(f(m.points[i])) < 1e-10);
        const double missing = 4. / 3. * std::numbers::pi * 0.729 - geometry::totalVolume(m.points, m.tetrahedra);
        CHECK(missing > 0.);
        CHECK(missing < 4. * cell * cell);
        CHECK(geometry::enclosedVolume(m.points, border) ==
              Approx(geometry::totalVolume(m.points, m.tetrahedra)).epsilon(1e-12));
    }
}

TEST_CASE("isosurface stuffing without cuts keeps the tetrahedra of the lattice that have a corner inside")
{
    const auto f = [](const Vec3& p) { return 0.5 - norm(p); };
    geometry::StuffingOptions o;
    o.box = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    o.cell = 0.21;
    const StuffedMesh m = geometry::stuffIsosurface(f, o);
    CHECK(isClosed(borderOf(m.tetrahedra)));
    for (const auto& t : m.tetrahedra) {
        const auto [a, b, c, d] = t;
        const auto& x = m.points;
        CHECK(geometry::tetrahedronVolume(x[a], x[b], x[c], x[d]) == Approx(std::pow(0.21, 3) / 12.).epsilon(1e-10));
        CHECK(std::any_of(t.begin(), t.end(), [&](Index i) { return f(x[i]) > 0.; }));
    }
    // All points inside are there.
    std::size_t inside = 0;
    for (int parity = 0; parity < 2; ++parity)
        for (int k = -5; k <= 5; ++k)
            for (int j = -5; j <= 5; ++j)
                for (int i = -5; i <= 5; ++i)
                    inside += f(Vec3{i + 0.5 * parity, j + 0.5 * parity, k + 0.5 * parity} * 0.21) > 0.;
    CHECK(inside == static_cast<std::size_t>(
                        std::count_if(m.points.begin(), m.points.end(), [&](const Vec3& p) { return f(p) > 0.; })));
    o.cell = 0.;
    CHECK_THROWS_WITH(geometry::stuffIsosurface(f, o), "the cells of the lattice have no size");
    o.cell = 1e-4;
    CHECK_THROWS_WITH(geometry::stuffIsosurface(f, o), "the lattice has too many cells");
}

TEST_CASE("the signed distance from a surface has the right sign near faces, sides and corners")
{
    RandomInput random(4);
    // A spiked body: the border of some tetrahedra of a distorted grid, with reflex sides and corners.
    const auto x = gridPoints(3, 0.06, random);
    Vector<Tetrahedron> body;
    for (const auto& h : gridHexahedra(3))
        if (random.number() > -0.3)
            for (const auto& t : hexahedronTetrahedra) body.push_back(subElement(h, t));
    // Each triangle with corners of its own, as after the seams of textures.
    Vector<Vec3> corners;
    Vector<Triangle> triangles;
    for (const auto& t : borderOf(body)) {
        const Index first = static_cast<Index>(corners.size());
        for (const Index i : t) corners.push_back(x[i]);
        triangles.push_back({first, first + 1, first + 2});
    }
    const geometry::SurfaceDistance distance(corners, triangles);
    std::size_t insides = 0;
    const auto check = [&](const Vec3& p) {
        double nearest = 1e300;
        for (const auto& [a, b, c] : triangles)
            nearest = std::min(nearest, geometry::nearestOnTriangle(p, corners[a], corners[b], corners[c]).distance);
        if (nearest < 1e-9) return;
        const bool inside = std::any_of(body.begin(), body.end(), [&](const Tetrahedron& t) {
            const Vec4 w = geometry::barycentric(p, x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
            return w[0] >= 0. && w[1] >= 0. && w[2] >= 0. && w[3] >= 0.;
        });
        insides += inside;
        CHECK(distance(p) == Approx(inside ? -nearest : nearest).epsilon(1e-10));
    };
    for (int k = 0; k < 300; ++k) check(Vec3::filled(0.5) + random.point(0.8));
    for (int k = 0; k < 300; ++k) check(corners[random.index(corners.size())] + random.point(0.02));
    CHECK(insides > 100);
    CHECK_THROWS_WITH(geometry::SurfaceDistance(corners, {}), "there is no triangle");
}

}  // namespace isosurface_stuffing_test
