// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>

#include "core/factory/PluginManager.h"
#include "core/mesh/SubElements.h"
#include "core/topology/Geometry.h"
#include "tests/harness/EngineCheck.h"
#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"

namespace netgen_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Whether the plugin is built; otherwise the test case is skipped.
bool loaded()
{
    const auto library = buildDirectory() / "lib" / "libNetgen.so";
    if (!std::filesystem::exists(library)) {
        skip("the plugin Netgen is not built: it needs libnglib-dev");
        return false;
    }
    PluginManager::instance().load(library.string());
    return true;
}

struct Surface
{
    Vector<Vec3> positions;
    Vector<Triangle> triangles;

    void add(const Surface& other, const Vec3& shift, double scale, bool turned)
    {
        const auto first = static_cast<Index>(positions.size());
        for (const Vec3& x : other.positions) positions.push_back(x * scale + shift);
        for (Triangle t : other.triangles) {
            if (turned) std::swap(t[1], t[2]);
            triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        }
    }
};

/// A sphere of radius 1: an octahedron whose triangles are divided into four, and again.
Surface sphere(int rounds)
{
    Surface s;
    s.positions = {{1., 0., 0.}, {-1., 0., 0.}, {0., 1., 0.}, {0., -1., 0.}, {0., 0., 1.}, {0., 0., -1.}};
    s.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int r = 0; r < rounds; ++r) {
        std::map<Edge, Index> middles;
        const auto middle = [&](Index a, Index b) {
            const auto [place, isNew] =
                middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<Index>(s.positions.size()));
            if (isNew) s.positions.push_back(normalized(s.positions[a] + s.positions[b]));
            return place->second;
        };
        Vector<Triangle> finer;
        for (const auto& [a, b, c] : s.triangles) {
            const Index ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            for (const Triangle& t : {Triangle{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) finer.push_back(t);
        }
        s.triangles = std::move(finer);
    }
    return s;
}

Vector<Triangle> sorted(Vector<Triangle> list)
{
    for (Triangle& t : list) std::rotate(t.begin(), std::ranges::min_element(t), t.end());
    std::ranges::sort(list);
    return list;
}

/// Tetrahedra are positive, fill the volume of the surface, and have it as their border.
void verify(const EngineAccess& e)
{
    const auto x = e.points("position");
    const auto& tetrahedra = e.get<Vector<Tetrahedron>>("tetrahedra");
    const auto& triangles = e.get<Vector<Triangle>>("triangles");
    double sum = 0., least = 1.;
    for (const auto& [a, b, c, d] : tetrahedra) {
        const double volume = geometry::tetrahedronVolume(x[a], x[b], x[c], x[d]);
        sum += volume;
        least = std::min(least, volume);
    }
    CHECK(least > 0.);
    const double inside =
        geometry::enclosedVolume(e.points("inputPosition"), e.get<Vector<Triangle>>("inputTriangles"));
    CHECK(std::abs(sum - inside) < 1e-13 * inside * static_cast<double>(tetrahedra.size()));
    CHECK(triangles == e.get<Vector<Triangle>>("inputTriangles"));
    CHECK(sorted(borderOf(tetrahedra)) == sorted(triangles));
    const auto given = e.points("inputPosition");
    CHECK(std::equal(given.begin(), given.end(), x.begin()));
}

/// Mean length of the edges between points inside.
double meanEdgeInside(const EngineAccess& e)
{
    const auto x = e.points("position");
    const std::size_t onSurface = e.points("inputPosition").size();
    double sum = 0., number = 0.;
    for (const Tetrahedron& t : e.get<Vector<Tetrahedron>>("tetrahedra"))
        for (const auto& [i, j] : tetrahedronEdges) {
            if (t[i] < onSurface || t[j] < onSurface) continue;
            sum += norm(x[t[i]] - x[t[j]]);
            ++number;
        }
    return sum / number;
}

EngineAccess fill(Node& node, const Surface& s, const Attributes& attributes = {})
{
    const EngineAccess e(addComponent<Engine>(node, "MeshFromSurface", attributes));
    e.set("inputPosition", s.positions);
    e.set("inputTriangles", s.triangles);
    return e;
}

}  // namespace

HARNESS_ENGINE("MeshFromSurface")
{
    if (!loaded()) return;
    const std::string corners = "0 0 0  1 0 0  0 1 0  0 0 1";
    const auto mistake = [](const std::string& positions, const std::string& triangles, const char* message) {
        return std::pair(Attributes{{"inputPosition", positions}, {"inputTriangles", triangles}}, std::string(message));
    };
    checkEngine(
        {.type = "MeshFromSurface",
         .attributes = {{"maxElementSize", "0.5"}},
         .fill =
             [](const EngineAccess& e, RandomInput& random) {
                 Surface s = sphere(2);
                 const Vec3 sides{random.number(0.5, 2.), random.number(0.5, 2.), random.number(0.5, 2.)};
                 const Vec3 center = random.point(10.);
                 for (Vec3& x : s.positions)
                     for (std::size_t a = 0; a < 3; ++a) x[a] = center[a] + sides[a] * x[a];
                 e.set("inputPosition", s.positions);
                 e.set("inputTriangles", s.triangles);
                 e.set("grading", random.number(0.2, 0.8));
             },
         .verify = verify,
         .mistakes = {mistake(corners, "", "there is no triangle"),
                      mistake(corners, "0 2 1  0 1 3  0 3 2", "the surface is open: 3 edges have one triangle only"),
                      mistake(corners, "0 2 1  0 1 3  0 3 2  1 3 2", "not all seen from the same side"),
                      mistake(corners, "0 1 2  0 3 1  0 2 3  1 3 2", "seen from inside"),
                      mistake(corners, "0 2 1  0 1 3  0 3 2  1 2 4", "has the point 4; there are 4"),
                      mistake(corners + "  0.1 0.1 -0.5  1.1 0.1 0.2  0.1 1.1 0.2  0.1 0.1 1.2",
                              "0 2 1  0 1 3  0 3 2  1 2 3  4 6 5  4 5 7  4 7 6  5 6 7",
                              "the surface intersects itself"),
                      {{{"inputPosition", corners},
                        {"inputTriangles", "0 2 1  0 1 3  0 3 2  1 2 3"},
                        {"minElementSize", "0.6"}},
                       "must not be larger than maxElementSize"}},
         .seeds = 3});
}

TEST_CASE("MeshFromSurface honours the size inside")
{
    if (!loaded()) return;
    Node root("root");
    const Surface s = sphere(3);  // edges of about 0.2
    const EngineAccess coarse = fill(root, s, {{"grading", "0.8"}}), fine = fill(root, s, {{"maxElementSize", "0.2"}}),
                       finer = fill(root, s, {{"maxElementSize", "0.1"}});
    for (const EngineAccess& e : {coarse, fine, finer}) verify(e);
    const auto number = [](const EngineAccess& e) { return e.get<Vector<Tetrahedron>>("tetrahedra").size(); };
    CHECK(meanEdgeInside(coarse) > 0.28);
    CHECK(meanEdgeInside(fine) <= 0.2);
    CHECK(meanEdgeInside(fine) > 0.1);
    CHECK(meanEdgeInside(finer) <= 0.1);
    CHECK(meanEdgeInside(finer) > 0.05);
    CHECK(number(fine) > 2 * number(coarse));
    CHECK(number(finer) > 3 * number(fine));
}

TEST_CASE("MeshFromSurface fills parts, and leaves cavities empty")
{
    if (!loaded()) return;
    Node root("root");
    Surface s = sphere(2);
    s.add(sphere(2), {}, 0.5, true);
    s.add(sphere(1), {3., 0., 0.}, 1., false);
    const EngineAccess e = fill(root, s);
    verify(e);
    const auto x = e.points("position");
    bool inCavity = false;
    for (const Tetrahedron& t : e.get<Vector<Tetrahedron>>("tetrahedra"))
        inCavity |= norm(x[t[0]] + x[t[1]] + x[t[2]] + x[t[3]]) < 4. * 0.4;
    CHECK_FALSE(inCavity);
}

TEST_CASE("MeshFromSurface joins points at one place, and takes quads")
{
    if (!loaded()) return;
    Node root("root");
    // A cube whose sides have corners of their own, and a point that nothing uses.
    Vector<Vec3> x{{9., 9., 9.}};
    Vector<Quad> quads;
    for (const auto& side : hexahedronFaces) {
        Quad q;
        for (std::size_t k = 0; k < 4; ++k) {
            const Index v = side[k];
            q[k] = static_cast<Index>(x.size());
            x.push_back({(v + 1) % 4 < 2 ? 0. : 1., v % 4 < 2 ? -0. : 1., v < 4 ? 0. : 1.});
        }
        quads.push_back(q);
    }
    const EngineAccess e(addComponent<Engine>(root, "MeshFromSurface"));
    e.set("inputPosition", x);
    e.set("inputQuads", quads);
    const auto made = e.points("position");
    REQUIRE(made.size() >= 8);
    CHECK(made[0] == x[1]);
    CHECK(e.get<Vector<Triangle>>("triangles").size() == 12);
    double sum = 0.;
    for (const auto& [a, b, c, d] : e.get<Vector<Tetrahedron>>("tetrahedra"))
        sum += geometry::tetrahedronVolume(made[a], made[b], made[c], made[d]);
    CHECK(std::abs(sum - 1.) < 1e-14);
}

TEST_CASE("MeshFromSurface gives the same bits again, also from several threads")
{
    if (!loaded()) return;
    const Surface s = sphere(2);
    const auto make = [&s] {
        Node root("root");
        const EngineAccess e = fill(root, s, {{"maxElementSize", "0.3"}});
        return std::pair(e.points("position"), e.get<Vector<Tetrahedron>>("tetrahedra"));
    };
    const auto expected = make();
    std::array<std::pair<Vector<Vec3>, Vector<Tetrahedron>>, 4> results;
    std::vector<std::thread> threads;
    threads.reserve(results.size());
    for (auto& r : results) threads.emplace_back([&] { r = make(); });
    for (std::thread& t : threads) t.join();
    for (const auto& r : results) CHECK(r == expected);
}

}  // namespace netgen_test
