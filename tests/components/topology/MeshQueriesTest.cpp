// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "components/topology/GeometryAlgorithms.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/Node.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/MeshQueries.h"

namespace mesh_queries_test {

using namespace sofa::core;
using namespace sofa::core::geometry;

namespace {

class Surface : public BaseMeshTopology
{
public:
    static std::string_view typeLabel() { return "topology"; }
    Vector<Vec3> x;
    Vector<Triangle> t;
    Vector<Edge> e;

    void finish() { e = edgesOf(t, {}); }
    Positions at() const
    {
        return [this](Index i) { return x[i]; };
    }
    Index nbPoints() const override { return static_cast<Index>(x.size()); }
    const Vector<Edge>& edges() const override { return e; }
    const Vector<Triangle>& triangles() const override { return t; }
    const Vector<Quad>& quads() const override { return none<Quad>(); }
    const Vector<Tetrahedron>& tetrahedra() const override { return none<Tetrahedron>(); }
    const Vector<Hexahedron>& hexahedra() const override { return none<Hexahedron>(); }
};

/// (2n + 1)² points of a surface around (u, v), h apart; `jitter` of h moves all but the middle one.
template <class F>
Curvature curvatureOf(F f, double u, double v, double h, double jitter = 0.)
{
    Surface s;
    constexpr int n = 3;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> shift(-jitter, jitter);
    const auto p = [](int i, int j) { return static_cast<Index>((i + n) * (2 * n + 1) + j + n); };
    for (int i = -n; i <= n; ++i)
        for (int j = -n; j <= n; ++j) {
            const bool middle = i == 0 && j == 0;
            const double du = middle ? 0. : shift(random), dv = middle ? 0. : shift(random);
            s.x.push_back(f(u + h * (i + du), v + h * (j + dv)));
        }
    for (int i = -n; i < n; ++i)
        for (int j = -n; j < n; ++j) {
            s.t.push_back({p(i, j), p(i + 1, j), p(i + 1, j + 1)});
            s.t.push_back({p(i, j), p(i + 1, j + 1), p(i, j + 1)});
        }
    s.finish();
    return curvatureAt(s, p(0, 0), s.at());
}

/// A sphere of radius 1, an octahedron divided `levels` times, seen from outside.
struct Sphere final : Surface
{
    explicit Sphere(int levels);
};
Sphere::Sphere(int levels)
{
    Surface& s = *this;
    s.x = {{1., 0., 0.}, {-1., 0., 0.}, {0., 1., 0.}, {0., -1., 0.}, {0., 0., 1.}, {0., 0., -1.}};
    s.t = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int k = 0; k < levels; ++k) {
        std::map<Edge, Index> middles;
        const auto middle = [&](Index a, Index b) {
            const auto [it, made] = middles.try_emplace({std::min(a, b), std::max(a, b)}, Index(s.x.size()));
            if (made) s.x.push_back(normalized(s.x[a] + s.x[b]));
            return it->second;
        };
        Vector<Triangle> finer;
        for (const auto& [a, b, c] : s.t) {
            const Index ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            for (const Triangle& part : {Triangle{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
                finer.push_back(part);
        }
        s.t = std::move(finer);
    }
    // Turned, so that no vertex lies in a plane of coordinates by construction.
    const Quat q = Quat::fromAxisAngle({1., 2., 3.}, 0.7);
    for (Vec3& p : s.x) p = q.rotate(p);
    s.finish();
}

}  // namespace

TEST_CASE("Curvature converges to that of spheres, cylinders and saddles")
{
    const auto ball = [](double u, double v) {
        return Vec3{2. * std::cos(v) * std::cos(u), 2. * std::cos(v) * std::sin(u), 2. * std::sin(v)};
    };
    const auto tube = [](double u, double v) { return Vec3{3. * std::cos(u), 3. * std::sin(u), v}; };
    const auto saddle = [](double u, double v) { return Vec3{u, v, u * u - 0.5 * v * v}; };
    // z = u² − v²/2 at (u, v): Gaussian curvature −2 / (1 + |∇z|²)², mean one −((1 + v²) 2 − (1 + 4u²)) / (2
    // (...)^1.5), positive where it bends away from the normal, upwards.
    const double a = 0.3, b = -0.2, g = 1. + 4. * a * a + b * b;
    const double gauss = -2. / (g * g), mean = -((1. + b * b) * 2. - (1. + 4. * a * a)) / (2. * std::pow(g, 1.5));
    const auto errors = [&](double h, double jitter) {
        const Curvature s = curvatureOf(ball, 0.4, 0.3, h, jitter), c = curvatureOf(tube, 0.9, 0.1, h, jitter),
                        z = curvatureOf(saddle, a, b, h, jitter);
        return std::array{std::max(std::abs(s.largest - 0.5), std::abs(s.least - 0.5)),
                          std::max(std::abs(c.largest - 1. / 3.), std::abs(c.least)),
                          std::max(std::abs(z.mean() - mean), std::abs(z.gaussian() - gauss))};
    };
    for (const double jitter : {0., 0.2}) {
        const auto coarse = errors(0.08, jitter), fine = errors(0.01, jitter);
        for (std::size_t k = 0; k < 3; ++k) {
            INFO("surface " << k << ", jitter " << jitter << ": " << coarse[k] << ", " << fine[k]);
            // Second order on regular meshes, at least first order on others.
            CHECK(fine[k] < coarse[k] / (jitter == 0. ? 48. : 4.));
            CHECK(fine[k] < 0.02);
        }
    }
    // The directions are those of the surface, and the normal tells the sign.
    const Curvature c = curvatureOf(tube, 0., 0., 0.01);
    CHECK(std::abs(c.largestDirection[1]) == Approx(1.).margin(1e-3));
    CHECK(std::abs(c.leastDirection[2]) == Approx(1.).margin(1e-3));
    const Curvature inside = curvatureOf([&](double u, double v) { return tube(-u, v); }, 0., 0., 0.01);
    CHECK(inside.least == Approx(-1. / 3.).epsilon(1e-3));
    CHECK(inside.largest == Approx(0.).margin(1e-3));
}

TEST_CASE("Where neighbours fix no paraboloid there is no curvature")
{
    Surface s;
    s.x = {{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}};
    s.t = {{0, 1, 2}};
    s.finish();
    CHECK_THROWS_WITH(curvatureAt(s, 0, s.at()), Catch::Contains("the point 0: it needs five neighbours"));
}

TEST_CASE("The closest element is not further away than any point of any element")
{
    const Sphere s(2);
    const Vector<Tetrahedron> solid = [&] {
        Vector<Tetrahedron> all;
        for (const auto& [a, b, c] : s.t) all.push_back({a, b, c, static_cast<Index>(s.x.size())});
        return all;
    }();
    const Positions at = [&s](Index i) { return i < s.x.size() ? s.x[i] : Vec3(); };
    std::mt19937 random(3);
    std::uniform_real_distribution<double> coordinate(-1.5, 1.5);
    for (int trial = 0; trial < 20; ++trial) {
        const Vec3 p{coordinate(random), coordinate(random), coordinate(random)};
        const ClosestElement edge = closestElement(p, s.e, at), triangle = closestElement(p, s.t, at),
                             tetrahedron = closestElement(p, solid, at);
        double sampled = 1e30, sampledEdge = 1e30;
        constexpr int n = 20;
        for (const auto& [a, b, c] : s.t)
            for (int i = 0; i <= n; ++i)
                for (int j = 0; i + j <= n; ++j)
                    sampled = std::min(sampled, norm(p - (at(a) * i + at(b) * j + at(c) * (n - i - j)) / double(n)));
        for (const auto& [a, b] : s.e)
            for (int i = 0; i <= n; ++i)
                sampledEdge = std::min(sampledEdge, norm(p - (at(a) * i + at(b) * (n - i)) / double(n)));
        CHECK(triangle.distance <= sampled + 1e-12);
        CHECK(triangle.distance > sampled - 0.03);  // sides of 0.4 are cut in 20
        CHECK(edge.distance <= sampledEdge + 1e-12);
        CHECK(edge.distance > sampledEdge - 0.03);
        CHECK(edge.distance >= triangle.distance);
        const Triangle& t = s.t[triangle.element];
        Vec3 point;
        for (std::size_t k = 0; k < 3; ++k) point += at(t[k]) * triangle.weights[k];
        CHECK(norm(point - triangle.point) < 1e-14);
        CHECK(norm(p - point) == Approx(triangle.distance));
        // Inside the body the tetrahedra contain the point, outside they are as far as their surface.
        const bool inside = crossings(p, p + Vec3{5., 0.1, 0.2}, s.t, at).size() % 2 == 1;
        CHECK(tetrahedron.distance == Approx(inside ? 0. : triangle.distance).margin(1e-12));
    }
    CHECK(closestElement({}, Vector<Edge>(), at).element == InvalidIndex);
}

TEST_CASE("Segments cross a closed surface where they should, in their order")
{
    const Sphere s(4);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> coordinate(-0.5, 0.5);
    for (int trial = 0; trial < 20; ++trial) {
        const Vec3 p{coordinate(random), coordinate(random), -2.}, q{coordinate(random), coordinate(random), 2.};
        const auto found = crossings(p, q, s.t, s.at());
        REQUIRE(found.size() == 2);
        CHECK(found[0].s < found[1].s);
        const Vec3 d = q - p;
        const double b = dot(p, d), c = std::sqrt(b * b - norm2(d) * (norm2(p) - 1.));
        CHECK(found[0].s == Approx((-b - c) / norm2(d)).margin(0.01));
        CHECK(found[1].s == Approx((-b + c) / norm2(d)).margin(0.01));
        for (const SegmentCrossing& x : found) {
            const Triangle& t = s.t[x.triangle];
            Vec3 point;
            for (std::size_t k = 0; k < 3; ++k) point += s.x[t[k]] * x.weights[k];
            CHECK(norm(point - (p + d * x.s)) < 1e-12);
        }
    }
    CHECK(crossings({2., 2., 2.}, {3., 3., 3.}, s.t, s.at()).empty());
}

TEST_CASE("Sections of a sphere with planes are closed lines that converge to circles")
{
    double before = 1.;
    for (const int levels : {2, 3, 4}) {
        const Sphere s(levels);
        const Vec3 n{0., 0., 1.}, origin{0., 0., 0.6};
        const auto sections = planeSections(origin, 2. * n, s.t, s.at());
        std::map<std::array<double, 3>, int> ends;
        double length = 0., area = 0.;
        for (const PlaneSection& c : sections) {
            for (std::size_t k = 0; k < 2; ++k) {
                CHECK(std::abs(c.ends[k][2] - 0.6) < 1e-14);
                ends[{c.ends[k][0], c.ends[k][1], c.ends[k][2]}] += k == 0 ? 1 : 100;
            }
            length += norm(c.ends[1] - c.ends[0]);
            area += 0.5 * dot(n, cross(c.ends[0], c.ends[1]));
        }
        // Each line ends where one begins, to the bit.
        for (const auto& entry : ends) CHECK(entry.second == 101);
        const double error = std::abs(length - 2. * std::numbers::pi * 0.8);
        CHECK(error < before / 3.);
        before = error;
        CHECK(area > 0.);
        CHECK(area == Approx(std::numbers::pi * 0.64).epsilon(0.15));
    }
    const Sphere s(1);
    CHECK(planeSections({0., 0., 2.}, {0., 0., 1.}, s.t, s.at()).empty());
    CHECK_THROWS_WITH(planeSections({}, {}, s.t, s.at()), Catch::Contains("no length"));
}

TEST_CASE("Geometry algorithms ask the mesh of their node, at present and rest positions")
{
    using Algorithms = sofa::component::TetrahedronSetGeometryAlgorithms<Vec3Types>;
    const auto root = loadSceneText(
        "<Node name='root'><DefaultAnimationLoop/><TetrahedronSetTopologyContainer position='0 0 0  1 0 0  0 1 0  0 0 "
        "1' tetrahedra='0 1 2 3'/><MechanicalObject rest_position='0 0 0  1 0 0  0 1 0  0 0 1' position='0 0 0  1 0 0  "
        "0 1 0  0 0 2'/><TetrahedronSetGeometryAlgorithms name='g'/></Node>",
        "g.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    const auto& g = dynamic_cast<const Algorithms&>(*root->component("g"));
    const auto rest = Algorithms::At::Rest;
    CHECK(g.isInTetrahedron({0.1, 0.1, 1.5}, 0));
    CHECK_FALSE(g.isInTetrahedron({0.1, 0.1, 1.5}, 0, 0., rest));
    CHECK(g.isInTetrahedron({0.1, 0.1, -0.1}, 0, 0.05));  // -0.05 of the corner above
    CHECK(g.closestTetrahedron({0.1, 0.1, 1.5}).distance == 0.);
    CHECK(g.closestTetrahedron({0., 0., 3.}).distance == Approx(1.));
    CHECK(g.closestTetrahedron({0., 0., 3.}, rest).distance == Approx(2.));
    const Index up = g.topology().edgeIndex(0, 3);
    CHECK(g.edgeBarycentric({5., 5., 0.5}, up) == Vec2{0.75, 0.25});
    CHECK(g.edgeBarycentric({5., 5., 0.5}, up, rest) == Vec2{0.5, 0.5});
    CHECK(g.closestEdge({-1., -1., 1.}).element == up);
    CHECK(g.edgePlaneIntersection(up, {0., 0., 0.5}, {1., 0., 1.}) == Vec3{0., 0., 0.5});
    CHECK(g.edgePlaneIntersection(up, {0., 0., 2.}, {0., 0., 1.}) == Vec3{0., 0., 2.});  // its end
    CHECK_FALSE(g.edgePlaneIntersection(up, {0., 0., 3.}, {0., 0., 1.}));
    CHECK_FALSE(g.edgePlaneIntersection(up, {}, {1., 0., 0.}));  // lies in it
    const Index floor = g.topology().triangleIndex(0, 1, 2);
    CHECK(g.isInTriangle({0.2, 0.2, 0.}, floor));
    CHECK_FALSE(g.isInTriangle({0.2, 0.2, 0.1}, floor));
    CHECK(g.isInTriangle({0.2, 0.2, 0.1}, floor, 0.11));
    const Vec3 w = g.triangleBarycentric({0.2, 0.3, 7.}, floor);
    CHECK(w[0] + w[1] + w[2] == Approx(1.));
    CHECK(g.closestTriangle({0.2, 0.2, -1.}).element == floor);
    CHECK(g.crossings({0.1, 0.1, -1.}, {0.1, 0.1, 3.}).size() == 2);
    CHECK(g.planeSections({0., 0., 1.}, {0., 0., 1.}).size() == 3);
    CHECK_THROWS_AS(g.curvature(0), std::invalid_argument);
}

}  // namespace mesh_queries_test
