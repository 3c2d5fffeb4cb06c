// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <map>

#include "core/topology/Geometry.h"
#include "tests/components/engine/RegionCheck.h"

using namespace sofa::core;
using namespace sofa::test;

namespace {

template <class D>
typename D::VecCoord randomCoordinates(RandomInput& random, std::size_t n)
{
    typename D::VecCoord list(n);
    for (auto& c : list) {
        D::setPosition(c, random.point());
        if constexpr (std::is_same_v<D, Rigid3Types>) c.orientation = random.rotation();
        if constexpr (std::is_same_v<D, Rigid2Types>) c.angle = random.number();
    }
    return list;
}

/// Calls check(template name, DataTypes()) for the types of merged points.
template <class F>
void forEachType(F check)
{
    check("Vec3", Vec3Types());
    check("Vec2", Vec2Types());
    check("Vec1", Vec1Types());
    check("Rigid3", Rigid3Types());
    check("Rigid2", Rigid2Types());
}

/// Surface of the unit cube.
const Vector<Quad> cubeFaces{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 4, 7, 3}, {1, 2, 6, 5}};

/// A random affine image of the unit cube, and its volume.
std::pair<Points, double> randomBox(RandomInput& random)
{
    Mat3 a = Mat3::identity();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) a[i][j] += random.number(-0.4, 0.4);
    const Vec3 shift = random.point();
    Points x;
    for (const Vec3& p : cubePoints()) x.push_back(a * p + shift);
    return {x, std::abs(determinant(a))};
}

}  // namespace

HARNESS_ENGINE("NormalsFromPoints")
{
    for (const bool angles : {false, true})
        checkEngine({.type = "NormalsFromPoints",
                     .attributes = {{"useAngles", angles ? "1" : "0"}},
                     .fill =
                         [](const EngineAccess& e, RandomInput& random) {
                             e.set("position", random.points(9));
                             e.set("triangles", random.elements<3>(5, 8));
                             e.set("quads", random.elements<4>(3, 8));
                             e.set("invertNormals", random.index(2) == 1);
                         },
                     .verify =
                         [angles](const EngineAccess& e) {
                             const auto x = e.points("position");
                             Points expected(x.size());
                             const auto add = [&](const auto& face) {
                                 const std::size_t n = face.size();
                                 for (std::size_t k = 0; k < n; ++k) {
                                     const Vec3 a = x[face[(k + 1) % n]] - x[face[k]],
                                                b = x[face[(k + n - 1) % n]] - x[face[k]];
                                     const Vec3 normal = cross(a, b) / norm(cross(a, b));
                                     const double angle = std::acos(dot(a, b) / (norm(a) * norm(b)));
                                     expected[face[k]] += normal * (angles ? angle : 1.);
                                 }
                             };
                             for (const auto& t : e.get<Vector<Triangle>>("triangles")) add(t);
                             for (const auto& q : e.get<Vector<Quad>>("quads")) add(q);
                             const double side = e.get<bool>("invertNormals") ? -1. : 1.;
                             REQUIRE(e.points("normals").size() == x.size());
                             for (std::size_t i = 0; i < x.size(); ++i) {
                                 const double length = norm(expected[i]);
                                 CHECK(norm(e.points("normals")[i] -
                                            (length > 0. ? expected[i] * (side / length) : Vec3())) < 1e-12);
                             }
                         },
                     .mistakes = {{{{"triangles", "0 1 2"}}, "triangles: element 0 has the point 0; there are 0"}}});
    // A face without area does not count.
    Node root("root");
    auto& e = addComponent<Engine>(root, "NormalsFromPoints",
                                   {{"position", "0 0 0  1 0 0  0 1 0"}, {"triangles", "0 1 2  0 0 1"}});
    CHECK(EngineAccess(e).points("normals")[0] == Vec3{0., 0., 1.});
}

HARNESS_ENGINE("MergePoints")
{
    forEachType([]<class D>(const std::string& templ, D) {
        INFO(templ);
        for (const bool mapped : {false, true})
            checkEngine({.type = "MergePoints",
                         .attributes = {{"template", templ}},
                         .fill =
                             [mapped](const EngineAccess& e, RandomInput& random) {
                                 e.set("position1", randomCoordinates<D>(random, 7));
                                 e.set("position2", randomCoordinates<D>(random, 4));
                                 if (mapped) e.set("mappingX2", random.subset(4, 7));
                             },
                         .verify =
                             [mapped](const EngineAccess& e) {
                                 const auto &a = e.get<typename D::VecCoord>("position1"),
                                            &b = e.get<typename D::VecCoord>("position2"),
                                            &all = e.get<typename D::VecCoord>("points");
                                 const auto mapping = e.indices("mappingX2");
                                 Indices first, second;
                                 REQUIRE(all.size() == (mapped ? 7 : 11));
                                 for (Index i = 0; i < all.size(); ++i) {
                                     const auto at = std::find(mapping.begin(), mapping.end(), i);
                                     const bool isSecond = mapped ? at != mapping.end() : i >= 7;
                                     (isSecond ? second : first).push_back(i);
                                     const auto place = mapped ? static_cast<std::size_t>(at - mapping.begin()) : i - 7;
                                     CHECK(all[i] == (isSecond ? b[place] : a[i]));
                                 }
                                 CHECK(e.indices("indices1") == first);
                                 CHECK(e.indices("indices2") == second);
                             },
                         .mistakes = {{{{"mappingX2", "3"}}, "mappingX2: 3 does not exist; there are 0 points"}}});
    });
    Node root("root");
    auto& e = addComponent<Engine>(root, "MergePoints", {{"position1", "1 2 3"}, {"noUpdate", "1"}});
    const EngineAccess access(e);
    CHECK(access.points("points").size() == 1);
    access.set("position2", Points{{4., 5., 6.}});
    CHECK(access.points("points").size() == 1);
}

HARNESS_ENGINE("MergeMeshes")
{
    forEachType([]<class D>(const std::string& templ, D) {
        INFO(templ);
        checkEngine({.type = "MergeMeshes",
                     .attributes = {{"template", templ}, {"nbMeshes", "3"}},
                     .fill =
                         [](const EngineAccess& e, RandomInput& random) {
                             for (const std::string k : {"1", "2", "3"}) {
                                 const std::size_t n = 8 + random.index(4);
                                 e.set("position" + k, randomCoordinates<D>(random, n));
                                 e.set("edges" + k, random.elements<2>(random.index(3), n));
                                 e.set("triangles" + k, random.elements<3>(random.index(3), n));
                                 e.set("quads" + k, random.elements<4>(random.index(3), n));
                                 e.set("tetrahedra" + k, random.elements<4>(random.index(3), n));
                                 e.set("hexahedra" + k, random.elements<8>(random.index(3), n));
                             }
                         },
                     .verify =
                         [](const EngineAccess& e) {
                             // Elements have the points that they had.
                             const auto& all = e.get<typename D::VecCoord>("position");
                             CHECK(e.get<Index>("npoints") == all.size());
                             const auto verify = [&]<class Element>(const std::string& list, Element) {
                                 const auto& merged = e.get<Vector<Element>>(list);
                                 std::size_t next = 0;
                                 for (const std::string k : {"1", "2", "3"})
                                     for (const Element& element : e.get<Vector<Element>>(list + k)) {
                                         REQUIRE(next < merged.size());
                                         for (std::size_t i = 0; i < element.size(); ++i)
                                             CHECK(all.at(merged[next][i]) ==
                                                   e.get<typename D::VecCoord>("position" + k)[element[i]]);
                                         ++next;
                                     }
                                 CHECK(next == merged.size());
                             };
                             verify("edges", Edge());
                             verify("triangles", Triangle());
                             verify("quads", Quad());
                             verify("tetrahedra", Tetrahedron());
                             verify("hexahedra", Hexahedron());
                         },
                     .mistakes = {{{{"edges2", "0 1"}}, "edges2: element 0 has the point 0; there are 0"}}});
    });
}

HARNESS_ENGINE("HausdorffDistance")
{
    forEachType([]<class D>(const std::string& templ, D) {
        INFO(templ);
        checkEngine({.type = "HausdorffDistance",
                     .attributes = {{"template", templ}},
                     .fill =
                         [](const EngineAccess& e, RandomInput& random) {
                             e.set("points1", randomCoordinates<D>(random, 12));
                             e.set("points2", randomCoordinates<D>(random, 9));
                         },
                     .verify =
                         [](const EngineAccess& e) {
                             const auto oneWay = [&](const char* from, const char* to) {
                                 double largest = 0.;
                                 for (const auto& a : e.get<typename D::VecCoord>(from)) {
                                     double least = 1e9;
                                     for (const auto& b : e.get<typename D::VecCoord>(to))
                                         least = std::min(least, norm(D::position(a) - D::position(b)));
                                     largest = std::max(largest, least);
                                 }
                                 return largest;
                             };
                             CHECK(e.get<double>("d12") == Approx(oneWay("points1", "points2")).epsilon(1e-14));
                             CHECK(e.get<double>("d21") == Approx(oneWay("points2", "points1")).epsilon(1e-14));
                             CHECK(e.get<double>("max") == std::max(e.get<double>("d12"), e.get<double>("d21")));
                         },
                     .mistakes = {{{{"update", "1"}}, "points1: there are no points"}}});
    });
}

HARNESS_ENGINE("Spiral")
{
    checkEngine({.type = "Spiral",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         auto x = random.points(12, 3.);
                         x[0] = {0., 0.3, 1.};
                         e.set("rest_position", x);
                         e.set("curvature", random.number(0.1, 0.4));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const double a = e.get<double>("curvature");
                         REQUIRE(e.points("position").size() == 12);
                         for (std::size_t i = 0; i < 12; ++i) {
                             const Vec3 x = e.points("rest_position")[i], y = e.points("position")[i];
                             CHECK(y[2] == x[2]);
                             // The angle whose arc, by adding up short chords, is as long as x.
                             double t = 0., length = 0.;
                             constexpr double step = 1e-4;
                             while (length < std::abs(x[0])) {
                                 const double middle = t + 0.5 * step;
                                 length += a * std::sqrt(1. + middle * middle) * step;
                                 t += step;
                             }
                             t -= (length - std::abs(x[0])) / (a * std::sqrt(1. + t * t));
                             const double side = x[0] > 0. ? 1. : -1.;
                             const Vec3 center{side * a * t * std::cos(t), side * a * t * std::sin(t), x[2]};
                             // At the distance |y| from the arm.
                             CHECK(norm(y - center) == Approx(std::abs(x[1])).margin(1e-6));
                         }
                     },
                 .mistakes = {},
                 .seeds = 2});
}

HARNESS_ENGINE("VolumeFromTriangles")
{
    for (const bool triangles : {false, true})
        checkEngine({.type = "VolumeFromTriangles",
                     .attributes = {},
                     .fill =
                         [triangles](const EngineAccess& e, RandomInput& random) {
                             e.set("position", randomBox(random).first);
                             Vector<Triangle> halves;
                             for (const Quad& q : cubeFaces) {
                                 halves.push_back({q[0], q[1], q[2]});
                                 halves.push_back({q[0], q[2], q[3]});
                             }
                             if (triangles)
                                 e.set("triangles", halves);
                             else
                                 e.set("quads", cubeFaces);
                         },
                     .verify =
                         [](const EngineAccess& e) {
                             const auto x = e.points("position");
                             const double expected = std::abs(dot(x[1] - x[0], cross(x[3] - x[0], x[4] - x[0])));
                             CHECK(e.get<double>("volume") == Approx(expected).epsilon(1e-12));
                         },
                     .mistakes = {{{{"position", "0 0 0"}}, "triangles, quads: there are no faces"},
                                  {{{"triangles", "0 1 2"}}, "triangles: element 0 has the point 0; there are 0"}}});
    // Frames of a cube, by their centres.
    Node root("root");
    addState<Rigid3Types>(root, coordinates<Rigid3Types>(cubePoints()));
    auto& e =
        addComponent<Engine>(root, "VolumeFromTriangles",
                             {{"template", "Rigid3"}, {"quads", "0 3 2 1 4 5 6 7 0 1 5 4 2 3 7 6 0 4 7 3 1 2 6 5"}});
    REQUIRE(initialise(root));
    CHECK(EngineAccess(e).get<double>("volume") == Approx(1.));
}

HARNESS_ENGINE("VolumeFromVolumetricElements")
{
    checkEngine({.type = "VolumeFromVolumetricElements",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("position", randomBox(random).first);
                         e.set("hexas", cubeHexahedron());
                         auto tetrahedra = cubeTetrahedra();
                         if (random.index(2)) std::swap(tetrahedra[0][0], tetrahedra[0][1]);
                         e.set("tetras", tetrahedra);
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto x = e.points("position");
                         const double box = std::abs(dot(x[1] - x[0], cross(x[3] - x[0], x[4] - x[0])));
                         CHECK(e.get<double>("volume") == Approx(2. * box).epsilon(1e-12));
                     },
                 .mistakes = {{{{"position", "0 0 0"}}, "tetras, hexas: there are no elements"}}});
    Node root("root");
    CHECK_NOTHROW(addComponent(root, "VolumeFromTetrahedrons"));
}

HARNESS_ENGINE("JoinPoints")
{
    checkEngine({.type = "JoinPoints",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("points", random.points(25));
                         e.set("distance", random.number(0.2, 0.6));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto x = e.points("points"), merged = e.points("mergedPoints");
                         const double distance = e.get<double>("distance");
                         CHECK(merged.size() < x.size());
                         for (std::size_t i = 0; i < merged.size(); ++i)
                             for (std::size_t j = 0; j < i; ++j) CHECK(norm(merged[i] - merged[j]) >= distance);
                         // Points that none was near to are there as they were.
                         for (const Vec3& p : x) {
                             const bool alone = std::count_if(x.begin(), x.end(), [&](const Vec3& q) {
                                                    return norm(p - q) < 2. * distance;
                                                }) == 1;
                             if (alone) CHECK(std::find(merged.begin(), merged.end(), p) != merged.end());
                         }
                     },
                 .mistakes = {}});
    Node root("root");
    auto& e = addComponent<Engine>(root, "JoinPoints",
                                   {{"points", "0 0 0  10 0 0  1 0 0  2.4 0 0  11 0 0"}, {"distance", "2"}});
    // 0 takes 1 (mean 0.5), and then 2.4 (mean of three); 10 takes 11.
    const auto merged = EngineAccess(e).points("mergedPoints");
    REQUIRE(merged.size() == 2);
    CHECK(merged[0][0] == Approx(3.4 / 3.));
    CHECK(merged[1][0] == Approx(10.5));
}
