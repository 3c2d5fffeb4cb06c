// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <numbers>
#include <set>

#include "tests/harness/EngineCheck.h"
#include "tests/harness/MeshLaws.h"

namespace merge_and_measure_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

using Indices = Vector<Index>;
using Lists = Vector<Indices>;
using Triangles = Vector<Triangle>;
using Quads = Vector<Quad>;
using Tetrahedra = Vector<Tetrahedron>;
using Hexahedra = Vector<Hexahedron>;

template <class D>
typename D::VecCoord randomCoords(RandomInput& random, std::size_t n)
{
    typename D::VecCoord x(n);
    for (auto& c : x) {
        D::setPosition(c, random.point());
        if constexpr (std::is_same_v<D, Rigid3Types>) c.orientation = random.rotation();
        if constexpr (std::is_same_v<D, Rigid2Types>) c.angle = random.number();
    }
    return x;
}

template <class D>
void checkMergeMeshes()
{
    const std::string templ(D::name());
    INFO(templ);
    checkEngine({.type = "MergeMeshes",
                 .attributes = {{"template", templ}, {"nbMeshes", "3"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         for (const char* mesh : {"1", "2", "3"}) {
                             const auto name = [&](const char* list) { return std::string(list) + mesh; };
                             const std::size_t n = 8 + random.index(5);
                             e.set(name("position"), randomCoords<D>(random, n));
                             e.set(name("edges"), random.elements<2>(random.index(4) + 1, n));
                             e.set(name("triangles"), random.elements<3>(random.index(4) + 1, n));
                             e.set(name("quads"), random.elements<4>(random.index(4) + 1, n));
                             e.set(name("polygons"), Lists{random.indices(5, n), random.indices(6, n)});
                             e.set(name("tetrahedra"), random.elements<4>(random.index(4) + 1, n));
                             e.set(name("hexahedra"), random.elements<8>(random.index(4) + 1, n));
                         }
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto& all = e.get<typename D::VecCoord>("position");
                         CHECK(e.get<Index>("npoints") == all.size());
                         const auto check = [&]<class List>(const std::string& name, List) {
                             const List& merged = e.get<List>(name);
                             std::size_t k = 0, first = 0;
                             for (const char* mesh : {"1", "2", "3"}) {
                                 const auto& x = e.get<typename D::VecCoord>(std::string("position") + mesh);
                                 for (const auto& element : e.get<List>(name + mesh)) {
                                     REQUIRE(k < merged.size());
                                     REQUIRE(merged[k].size() == element.size());
                                     for (std::size_t v = 0; v < element.size(); ++v) {
                                         CHECK(merged[k][v] == element[v] + first);
                                         CHECK(all[merged[k][v]] == x[element[v]]);
                                     }
                                     ++k;
                                 }
                                 first += x.size();
                             }
                             CHECK(k == merged.size());
                             CHECK(first == all.size());
                         };
                         check("edges", Vector<Edge>());
                         check("triangles", Triangles());
                         check("quads", Quads());
                         check("polygons", Lists());
                         check("tetrahedra", Tetrahedra());
                         check("hexahedra", Hexahedra());
                     },
                 .mistakes = {{{{"triangles2", "0 0 4"}}, "triangles2: element 0 has the point 0; there are 0"}},
                 .seeds = 2});
}

template <class D>
void checkMergePoints()
{
    const std::string templ(D::name());
    INFO(templ);
    for (const bool inject : {false, true})
        checkEngine(
            {.type = "MergePoints",
             .attributes = {{"template", templ}},
             .fill =
                 [inject](const EngineAccess& e, RandomInput& random) {
                     e.set("position1", randomCoords<D>(random, 9));
                     e.set("position2", randomCoords<D>(random, 4));
                     if (inject) e.set("mappingX2", random.subset(4, 9));
                 },
             .verify =
                 [inject](const EngineAccess& e) {
                     const auto &x1 = e.get<typename D::VecCoord>("position1"),
                                &x2 = e.get<typename D::VecCoord>("position2"),
                                &x = e.get<typename D::VecCoord>("points");
                     const Indices i1 = e.indices("indices1"), i2 = e.indices("indices2");
                     CHECK(x.size() == (inject ? 9u : 13u));
                     CHECK(std::is_sorted(i1.begin(), i1.end()));
                     CHECK(std::is_sorted(i2.begin(), i2.end()));
                     std::set<Index> all(i1.begin(), i1.end());
                     all.insert(i2.begin(), i2.end());
                     CHECK(all.size() == x.size());
                     CHECK(i1.size() + i2.size() == x.size());
                     CHECK(i2.size() == 4);
                     for (const Index i : i1) CHECK(x[i] == x1[i]);
                     for (std::size_t k = 0; k < 4; ++k)
                         CHECK(x[inject ? e.indices("mappingX2")[k] : Index(9 + k)] == x2[k]);
                 },
             .mistakes = {{{{"mappingX2", "3"}}, "mappingX2: 3 does not exist; there are 0 points in position1"}},
             .seeds = 2});
}

/// Six times the volume between the origin and a triangle.
double spanned(const Vec3& a, const Vec3& b, const Vec3& c) { return dot(a, cross(b, c)); }

template <class D>
void checkVolumeFromTriangles()
{
    const std::string templ(D::name());
    checkEngine({.type = "VolumeFromTriangles",
                 .attributes = {{"template", templ}, {"update", "1"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         const auto x = gridPoints(2, 0.1, random);
                         e.set("position", coordinates<D>({x.begin(), x.end()}));
                         Triangles triangles;
                         Quads quads;
                         const bool inwards = random.number() > 0.;
                         for (Quad q : borderOf(gridHexahedra(2))) {
                             if (inwards) std::reverse(q.begin(), q.end());
                             if (random.number() > 0.) {
                                 quads.push_back(q);
                             } else {
                                 triangles.push_back({q[0], q[1], q[2]});
                                 triangles.push_back({q[0], q[2], q[3]});
                             }
                         }
                         e.set("triangles", triangles);
                         e.set("quads", quads);
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         Vector<Vec3> x;
                         for (const auto& c : e.get<typename D::VecCoord>("position")) x.push_back(D::position(c));
                         double sum = 0.;
                         for (const auto& [a, b, c] : e.get<Triangles>("triangles")) sum += spanned(x[a], x[b], x[c]);
                         for (const auto& [a, b, c, d] : e.get<Quads>("quads"))
                             sum += spanned(x[a], x[b], x[c]) + spanned(x[a], x[c], x[d]);
                         CHECK(e.get<double>("volume") == Approx(std::abs(sum) / 6.).epsilon(1e-12));
                     },
                 .mistakes = {{{{"position", "0 0 0 0 0 0 1"}, {"triangles", "0 1 9"}, {"template", "Rigid3"}},
                               "triangles: element 0 has the point 1; there are 1"}}});
}

template <class D>
void checkHausdorff()
{
    const std::string templ(D::name());
    INFO(templ);
    checkEngine({.type = "HausdorffDistance",
                 .attributes = {{"template", templ}, {"update", "1"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         for (const char* name : {"points1", "points2"}) {
                             const auto x = random.points(10 + random.index(30));
                             e.set(name, coordinates<D>({x.begin(), x.end()}));
                         }
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto distance = [&](const char* from, const char* to) {
                             double most = 0.;
                             for (const auto& a : e.get<typename D::VecCoord>(from)) {
                                 double least = 1e300;
                                 for (const auto& b : e.get<typename D::VecCoord>(to))
                                     least = std::min(least, norm(D::position(a) - D::position(b)));
                                 most = std::max(most, least);
                             }
                             return most;
                         };
                         const double d12 = distance("points1", "points2"), d21 = distance("points2", "points1");
                         CHECK(e.get<double>("d12") == Approx(d12).epsilon(1e-14));
                         CHECK(e.get<double>("d21") == Approx(d21).epsilon(1e-14));
                         CHECK(e.get<double>("max") == std::max(e.get<double>("d12"), e.get<double>("d21")));
                     },
                 .mistakes = {{{{"template", "Vec3"}, {"points1", "0 0 0"}}, "points2: there are none"}}});
}

}  // namespace

HARNESS_ENGINE("JoinPoints")
{
    checkEngine({.type = "JoinPoints",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("points", random.points(60));
                         e.set("distance", random.number(0., 1.));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         // As the documentation has it, with a look at all points.
                         struct Point
                         {
                             Vec3 x;
                             double n;
                         };
                         std::vector<Point> list;
                         for (const Vec3& p : e.points("points")) list.push_back({p, 1.});
                         const double distance = e.get<double>("distance");
                         for (std::size_t i = 0; i < list.size();) {
                             std::size_t nearest = i;
                             double least = distance;
                             for (std::size_t j = 0; j < list.size(); ++j)
                                 if (const double d = norm(list[i].x - list[j].x); j != i && d < least) {
                                     least = d;
                                     nearest = j;
                                 }
                             if (nearest == i) {
                                 ++i;
                                 continue;
                             }
                             const Point other = list[nearest];
                             list[i].x = (list[i].x * list[i].n + other.x * other.n) / (list[i].n + other.n);
                             list[i].n += other.n;
                             list.erase(list.begin() + std::ptrdiff_t(nearest));
                             if (nearest < i) --i;
                         }
                         const auto joined = e.points("mergedPoints");
                         REQUIRE(joined.size() == list.size());
                         for (std::size_t i = 0; i < list.size(); ++i) CHECK(joined[i] == list[i].x);
                     },
                 .mistakes = {}});
    Node root("root");
    auto& lost = addComponent<Engine>(root, "JoinPoints", {});
    EngineAccess(lost).set("points", Vector<Vec3>{{}, {std::nan(""), 0., 0.}});
    CHECK_THROWS_WITH(lost.findData("mergedPoints")->text(), Catch::Matchers::Contains("point 1 is not finite"));
    const auto joined = [&](const char* distance) {
        return addComponent<Engine>(root, "JoinPoints", {{"points", "0 0 0 1 1 0 1 0 0 0 1 0"}, {"distance", distance}})
            .findData("mergedPoints")
            ->text();
    };
    CHECK(joined("2") == "0.5 0.5 0");
    CHECK(joined("1") == "0 0 0 1 1 0 1 0 0 0 1 0");
    CHECK(joined("0") == "0 0 0 1 1 0 1 0 0 0 1 0");
}

HARNESS_ENGINE("MergeMeshes")
{
    checkMergeMeshes<Vec3Types>();
    checkMergeMeshes<Vec1Types>();
    checkMergeMeshes<Vec2Types>();
    checkMergeMeshes<Rigid2Types>();
    checkMergeMeshes<Rigid3Types>();
}

HARNESS_ENGINE("MergePoints")
{
    checkMergePoints<Vec3Types>();
    checkMergePoints<Vec1Types>();
    checkMergePoints<Vec2Types>();
    checkMergePoints<Rigid2Types>();
    checkMergePoints<Rigid3Types>();
    Node root("root");
    auto& e =
        addComponent<Engine>(root, "MergePoints", {{"position1", "1 0 0"}, {"position2", "2 0 0"}, {"noUpdate", "1"}});
    REQUIRE(initialise(root));
    CHECK(e.setAttribute("position1", "3 0 0", {}));
    CHECK(e.findData("points")->text() == "1 0 0 2 0 0");
    e.reinit();
    CHECK(e.findData("points")->text() == "3 0 0 2 0 0");
    CHECK(e.setAttribute("position1", "4 0 0", {}));
    CHECK(e.setAttribute("noUpdate", "0", {}));
    CHECK(e.findData("points")->text() == "4 0 0 2 0 0");
}

HARNESS_ENGINE("NormalsFromPoints")
{
    for (const char* angles : {"0", "1"})
        for (const char* invert : {"0", "1"})
            checkEngine(
                {.type = "NormalsFromPoints",
                 .attributes = {{"useAngles", angles}, {"invertNormals", invert}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("position", random.points(12));
                         e.set("triangles", random.elements<3>(6, 11));
                         e.set("quads", random.elements<4>(4, 11));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto x = e.points("position"), normals = e.points("normals");
                         const bool weighted = e.get<bool>("useAngles");
                         REQUIRE(normals.size() == 12);
                         for (Index i = 0; i < 12; ++i) {
                             Vec3 sum;
                             const auto corner = [&](const Vec3& before, const Vec3& after) {
                                 const Vec3 u = normalized(after - x[i]), v = normalized(before - x[i]);
                                 sum += normalized(cross(u, v)) * (weighted ? std::acos(dot(u, v)) : 1.);
                             };
                             for (const auto& [a, b, c] : e.get<Triangles>("triangles")) {
                                 if (i == a) corner(x[c], x[b]);
                                 if (i == b) corner(x[a], x[c]);
                                 if (i == c) corner(x[b], x[a]);
                             }
                             for (const auto& [a, b, c, d] : e.get<Quads>("quads")) {
                                 if (i == a) corner(x[d], x[b]);
                                 if (i == b) corner(x[a], x[c]);
                                 if (i == c) corner(x[b], x[d]);
                                 if (i == d) corner(x[c], x[a]);
                             }
                             if (norm(sum) < 1e-12) sum = {};  // faces that cancel
                             sum = normalized(sum) * (e.get<bool>("invertNormals") ? -1. : 1.);
                             CHECK(norm(normals[i] - sum) < 1e-10);
                         }
                         CHECK(normals[11] == Vec3());
                     },
                 .mistakes = {{{{"triangles", "0 1 2"}}, "triangles: element 0 has the point 0; there are 0"}}});
    Node root("root");
    // A triangle without area does no harm.
    auto& e = addComponent<Engine>(
        root, "NormalsFromPoints",
        {{"position", "0 0 0 1 0 0 0 1 0 2 0 0"}, {"triangles", "0 1 2 0 1 3"}, {"useAngles", "1"}});
    CHECK(e.findData("normals")->text() == "0 0 1 0 0 1 0 0 1 0 0 0");
}

HARNESS_ENGINE("VolumeFromTriangles")
{
    checkVolumeFromTriangles<Vec3Types>();
    checkVolumeFromTriangles<Rigid3Types>();
    // The state and topology of the node; the volume at the start, or the present one.
    Node root("root");
    auto& state = addState<Vec3Types>(root, {{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}});
    addComponent(root, "MeshTopology", {{"triangles", "0 2 1 0 1 3 0 3 2 1 2 3"}});
    auto& start = addComponent<Engine>(root, "VolumeFromTriangles", {});
    auto& now = addComponent<Engine>(root, "VolumeFromTriangles", {{"update", "1"}});
    REQUIRE(initialise(root));
    state.write(vec_id::position)[3] = {0., 0., 3.};
    CHECK(EngineAccess(start).get<double>("volume") == Approx(1. / 6.).epsilon(1e-15));
    CHECK(EngineAccess(now).get<double>("volume") == Approx(0.5).epsilon(1e-15));
    start.reinit();
    CHECK(EngineAccess(start).get<double>("volume") == Approx(0.5).epsilon(1e-15));
}

HARNESS_ENGINE("VolumeFromVolumetricElements")
{
    checkEngine({.type = "VolumeFromVolumetricElements",
                 .attributes = {{"update", "1"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("position", gridPoints(2, 0.1, random));
                         auto hexahedra = gridHexahedra(2);
                         auto tetrahedra = inTetrahedra({hexahedra.begin() + 5, hexahedra.end()});
                         std::swap(tetrahedra[2][0], tetrahedra[2][1]);
                         hexahedra.resize(5);
                         e.set("tetras", tetrahedra);
                         e.set("hexas", hexahedra);
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto x = e.points("position");
                         double volume = 0.;
                         for (const auto& [a, b, c, d] : e.get<Vector<Tetrahedron>>("tetras"))
                             volume += std::abs(spanned(x[b] - x[a], x[c] - x[a], x[d] - x[a])) / 6.;
                         // The determinant of the trilinear map, of degree two along each axis, at Gauss points.
                         for (const auto& h : e.get<Vector<Hexahedron>>("hexas"))
                             for (int q = 0; q < 8; ++q) {
                                 std::array<double, 3> s;
                                 for (std::size_t a = 0; a < 3; ++a)
                                     s[a] = 0.5 + ((q >> a) % 2 ? 0.5 : -0.5) / std::sqrt(3.);
                                 Mat3 j;
                                 for (std::size_t v = 0; v < 8; ++v) {
                                     const std::array<bool, 3> at{v % 4 == 1 || v % 4 == 2, v % 4 > 1, v > 3};
                                     Vec3 slope = Vec3::filled(1.);
                                     for (std::size_t a = 0; a < 3; ++a)
                                         for (std::size_t b = 0; b < 3; ++b)
                                             slope[a] *= a == b ? (at[b] ? 1. : -1.) : (at[b] ? s[b] : 1. - s[b]);
                                     j += outer(x[h[v]], slope);
                                 }
                                 volume += determinant(j) / 8.;
                             }
                         CHECK(e.get<double>("volume") == Approx(volume).epsilon(1e-12));
                     },
                 .mistakes = {{{{"position", "0 0 0"}, {"tetras", "0 0 0 2"}},
                               "tetras: element 0 has the point 2; there are 1"},
                              {{{"position", "0 0 0"}, {"hexas", "0 0 0 0 0 0 0 2"}},
                               "hexas: element 0 has the point 2; there are 1"},
                              {{{"position", "0 0 0"}, {"hexas", ""}}, "there are none"}}});
    Node root("root");
    addComponent(root, "RegularGridTopology", {{"n", "3 3 3"}, {"min", "0 0 0"}, {"max", "1 2 3"}});
    addComponent(root, "MechanicalObject", {{"template", "Vec3"}});
    auto& e = addComponent<Engine>(root, "VolumeFromTetrahedrons", {});
    REQUIRE(initialise(root));
    CHECK(EngineAccess(e).get<double>("volume") == Approx(6.).epsilon(1e-14));
}

HARNESS_ENGINE("Spiral")
{
    checkEngine({.type = "Spiral",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         auto x = random.points(40, 3.);
                         for (std::size_t i = 0; i < 20; ++i) x[i][1] = 0.;
                         x[0] = {};
                         x[1] = {1e-9, 0., 0.};
                         x[2] = {1e6, 0., 0.};
                         e.set("rest_position", x);
                         e.set("curvature", random.number(0.01, 0.5));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto rest = e.points("rest_position"), x = e.points("position");
                         const double a = e.get<double>("curvature");
                         REQUIRE(x.size() == rest.size());
                         for (std::size_t i = 0; i < x.size(); ++i) {
                             CHECK(x[i][2] == rest[i][2]);
                             if (i >= 20) continue;
                             // On the curve: the angle follows from the radius, and the length from the angle.
                             const double t = std::hypot(x[i][0], x[i][1]) / a, sign = rest[i][0] > 0. ? 1. : -1.;
                             const double length = 0.5 * a * (t * std::sqrt(1. + t * t) + std::asinh(t));
                             CHECK(length == Approx(std::abs(rest[i][0])).epsilon(1e-12));
                             const double size = a * std::max(t, 1.) * 1e-9;
                             CHECK(x[i][0] == Approx(sign * a * t * std::cos(t)).margin(size));
                             CHECK(x[i][1] == Approx(sign * a * t * std::sin(t)).margin(size));
                         }
                         // Beside the curve: the distance is that of the sheet.
                         for (std::size_t i = 20; i < x.size(); ++i) {
                             Node root("root");
                             auto& foot = addComponent<Engine>(root, "Spiral", {{"curvature", toText(a)}});
                             const EngineAccess f(foot);
                             f.set("rest_position", Vector<Vec3>{{rest[i][0], 0., rest[i][2]}});
                             CHECK(norm(x[i] - f.points("position")[0]) == Approx(std::abs(rest[i][1])).epsilon(1e-12));
                         }
                     },
                 .mistakes = {}});
    Node root("root");
    auto& e = addComponent<Engine>(root, "Spiral", {});
    EngineAccess(e).set("rest_position", Vector<Vec3>{{}, {std::nan(""), 0., 0.}});
    CHECK_THROWS_WITH(e.findData("position")->text(),
                      Catch::Matchers::Contains("rest_position: point 1 is not finite"));
}

HARNESS_ENGINE("HausdorffDistance")
{
    checkHausdorff<Vec3Types>();
    checkHausdorff<Vec1Types>();
    checkHausdorff<Vec2Types>();
    checkHausdorff<Rigid2Types>();
    checkHausdorff<Rigid3Types>();
    Node root("root");
    auto& e = addComponent<Engine>(root, "HausdorffDistance", {{"points1", "1 0 0"}, {"points2", "3 0 0"}});
    REQUIRE(initialise(root));
    CHECK(e.setAttribute("points2", "9 0 0", {}));
    CHECK(e.findData("max")->text() == "2");
    CHECK(e.setAttribute("update", "1", {}));
    CHECK(e.findData("max")->text() == "8");
}

}  // namespace merge_and_measure_test
