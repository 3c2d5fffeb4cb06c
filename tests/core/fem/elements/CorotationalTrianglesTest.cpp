// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/CorotationalTriangles.h"

#include <cmath>

#include "tests/core/fem/elements/ElementChecks.h"

namespace corotational_triangles_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// A wavy sheet of n × n cells, two triangles each.
struct Sheet
{
    explicit Sheet(Index n)
    {
        for (Index j = 0; j <= n; ++j)
            for (Index i = 0; i <= n; ++i)
                points.push_back({0.1 * i, 0.1 * j + 0.02 * std::sin(0.7 * i), 0.05 * std::cos(0.3 * i + 0.5 * j)});
        const Index row = n + 1;
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) {
                const Index a = j * row + i;
                triangles.push_back({a, a + 1, a + row + 1});
                triangles.push_back({a + row, a, a + row + 1});
            }
    }
    Vector<Vec3> points;
    Vector<ElementGraph<3>::Element> triangles;
};

Vector<Vec3> moved(const Vector<Vec3>& rest)
{
    Vector<Vec3> x = rest;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double t = static_cast<double>(i);
        x[i] = {rest[i][1] + 0.004 * std::sin(3. * t), 0.01 * std::cos(t) - rest[i][2], rest[i][0] * 1.05};
    }
    return x;
}

/// Isotropic ones, with fibres in packs 1, 4, 7, ...
CorotationalTriangles::Material mixedMaterial(Index e)
{
    if (e / 8 % 3 != 1) return CorotationalTriangles::planeStress(100. + e % 7, 0.3);
    return CorotationalTriangles::fibrous(100. + e % 7, 20., 0.3, 40., {0.6, e % 2 ? 0.8 : -0.8});
}

}  // namespace

TEST_CASE("triangles give the same bits for any instruction set and number of threads", "[fem]")
{
    for (const Index cells : {3u, 40u})  // 18 triangles: the last pack has unused lanes; and enough for threads
        for (const TriangleMethod method : {TriangleMethod::large, TriangleMethod::small, TriangleMethod::undeformed}) {
            const Sheet sheet(cells);
            const Vector<Vec3> x = moved(sheet.points);
            checkSameBits(x.size(), [&](Vector<Vec3>& f, BlockSink& k) {
                CorotationalTriangles t;
                t.build(sheet.triangles, sheet.points, method);
                t.setMaterial(mixedMaterial);
                t.addForce(f, x);
                t.addStiffnessProduct(f, sheet.points, 0.7);
                t.addStiffness(k);
                for (Index e = 0; e < t.size(); ++e) {
                    f.push_back(t.stress(e));
                    f.push_back(t.rotation(e)[1]);
                }
            });
        }
}

TEST_CASE("the product of triangles is that with the assembled matrix, whatever order the corners have", "[fem]")
{
    Sheet sheet(4);
    for (std::size_t e = 0; e < sheet.triangles.size(); ++e)
        std::rotate(sheet.triangles[e].begin(), sheet.triangles[e].begin() + static_cast<std::ptrdiff_t>(e % 3),
                    sheet.triangles[e].end());
    CorotationalTriangles t;
    t.build(sheet.triangles, sheet.points, TriangleMethod::large);
    t.setMaterial(mixedMaterial);
    const Vector<Vec3> x = moved(sheet.points), dx = moved(x);
    Vector<Vec3> f(x.size()), product(x.size()), assembled(x.size());
    t.addForce(f, x);
    t.addStiffnessProduct(product, dx, 0.5);
    Recorder r;
    t.addStiffness(r);
    REQUIRE(r.values.size() % 11 == 0);
    for (std::size_t k = 0; k < r.values.size(); k += 11)
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b)
                assembled[static_cast<std::size_t>(r.values[k])][a] +=
                    0.5 * r.values[k + 2 + 3 * a + b] * dx[static_cast<std::size_t>(r.values[k + 1])][b];
    REQUIRE(maxNorm(product) > 1.);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(assembled[i] - product[i]) < 1e-12 * maxNorm(product));
}

TEST_CASE("of triangles that have collapsed the first is named, in unused lanes too", "[fem]")
{
    const Sheet sheet(3);
    for (const Index line : {0u, 7u, 17u}) {
        CorotationalTriangles t;
        t.build(sheet.triangles, sheet.points, TriangleMethod::large);
        t.setMaterial([](Index) { return CorotationalTriangles::planeStress(100., 0.4); });
        Vector<Vec3> x = sheet.points, f(x.size());
        const auto& v = sheet.triangles[line];
        x[v[2]] = x[v[0]] * 0.5 + x[v[1]] * 0.5;
        CHECK_THROWS_WITH(t.addForce(f, x), Catch::Contains("triangle " + std::to_string(line) + " ") &&
                                                Catch::Contains("collapsed to a line"));
    }
}

}  // namespace corotational_triangles_test
