// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/components/engine/RegionCheck.h"

namespace regions_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

constexpr double degree = 3.14159265358979323846 / 180.;

bool inBox(const Vec3& p, const Vec6& b, std::size_t dimensions)
{
    for (std::size_t i = 0; i < dimensions; ++i)
        if (p[i] < std::min(b[i], b[i + 3]) || p[i] > std::max(b[i], b[i + 3])) return false;
    return true;
}

/// A random box around the origin, by two opposite corners in any order.
Vec6 randomBox(RandomInput& random, double low, double high)
{
    Vec6 b;
    for (std::size_t i = 0; i < 3; ++i) {
        const double side = random.index(2) ? 1. : -1.;
        b[i] = side * random.number(low, high);
        b[i + 3] = -side * random.number(low, high);
    }
    return b;
}

template <class D>
void checkBoxROI(const std::string& templ)
{
    INFO(templ);
    checkEngine({.type = "BoxROI",
                 .attributes = {{"template", templ}, {"position", ""}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         setPoints<D>(e, "position", random.points(40));
                         fillElements(e, random, 40);
                         e.set("box", Vector<Vec6>{randomBox(random, 0.5, 0.9), randomBox(random, 0.2, 0.3)});
                         e.set("strict", random.index(2) == 1);
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         verifyRegion<D>(e, [&](const Vec3& p) {
                             const auto& boxes = e.get<Vector<Vec6>>("box");
                             return inBox(p, boxes[0], D::spatialDimensions) ||
                                    inBox(p, boxes[1], D::spatialDimensions);
                         });
                     },
                 .mistakes = {}});
}

template <class D>
void checkPairBoxROI(const std::string& templ)
{
    INFO(templ);
    checkEngine({.type = "PairBoxROI",
                 .attributes = {{"template", templ}, {"position", ""}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         setPoints<D>(e, "position", random.points(40));
                         fillElements(e, random, 40);
                         e.set("inclusiveBox", randomBox(random, 0.7, 0.9));
                         e.set("includedBox", randomBox(random, 0.2, 0.5));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         verifyRegion<D>(e, [&](const Vec3& p) {
                             return inBox(p, e.get<Vec6>("inclusiveBox"), 3) &&
                                    !inBox(p, e.get<Vec6>("includedBox"), 3);
                         });
                     },
                 .mistakes = {}});
}

template <class D>
void checkPlaneROI(const std::string& templ)
{
    INFO(templ);
    checkEngine(
        {.type = "PlaneROI",
         .attributes = {{"template", templ}, {"position", ""}, {"plane", "0 0 0 1 0 0 1 1 0 1"}},
         .fill =
             [](const EngineAccess& e, RandomInput& random) {
                 setPoints<D>(e, "position", random.points(60));
                 fillElements(e, random, 60);
                 // A rectangle in a plane along the axes: what is near it is a box.
                 const double a = random.number(0.5, 0.9), b = random.number(0.5, 0.9);
                 e.set("plane", Vector<Vec<10>>{{-a, -b, 0., a, -b, 0., a, b, 0., random.number(0.5, 1.5)}});
             },
         .verify =
             [](const EngineAccess& e) {
                 const Vec<10>& plane = e.get<Vector<Vec<10>>>("plane")[0];
                 verifyRegion<D>(e, [&](const Vec3& p) {
                     return inBox(p, {plane[0], plane[1], -plane[9] / 2., plane[6], plane[7], plane[9] / 2.}, 3);
                 });
             },
         .mistakes = {}});
}

template <class D>
void checkSphereROI(const std::string& templ, bool strict)
{
    INFO(templ << (strict ? " strict" : ""));
    checkEngine(
        {.type = "SphereROI",
         .attributes = {{"template", templ},
                        {"strict", strict ? "1" : "0"},
                        {"edgeAngle", "50"},
                        {"triAngle", "80"},
                        {"position", "0 0 0"}},
         .fill =
             [](const EngineAccess& e, RandomInput& random) {
                 setPoints<D>(e, "position", random.points(40));
                 fillElements(e, random, 40);
                 e.set("centers", random.points(2, 0.5));
                 e.set("radii", random.numbers(2, 0.9, 1.1));
                 e.set("direction", random.point());
                 e.set("normal", random.point());
             },
         .verify =
             [](const EngineAccess& e) {
                 const auto contains = [&](const Vec3& p) {
                     for (std::size_t k = 0; k < 2; ++k)
                         if (norm(p - e.points("centers")[k]) <= e.get<Vector<double>>("radii")[k]) return true;
                     return false;
                 };
                 const auto accepts = [&](const std::vector<Vec3>& x) {
                     const auto between = [](const Vec3& a, const Vec3& b) {
                         return std::acos(dot(a, b) / (norm(a) * norm(b))) / degree;
                     };
                     if (x.size() == 2) {
                         const double a = between(x[1] - x[0], e.get<Vec3>("direction"));
                         return std::min(a, 180. - a) <= 50.;
                     }
                     return x.size() != 3 || between(cross(x[1] - x[0], x[2] - x[0]), e.get<Vec3>("normal")) <= 80.;
                 };
                 verifyRegion<D>(e, contains, accepts);
             },
         .mistakes = {{{{"centers", "0 0 0  1 1 1"}, {"radii", "1 2 3"}}, "radii: there are 3 for 2 spheres"},
                      {{{"centers", "0 0 0"}, {"radii", "1"}}, "direction: edgeAngle needs one that is not 0"}}});
}

/// Closed surface of an octahedron around a point, and whether a point is inside.
const Points octahedronPoints{{1., 0., 0.}, {-1., 0., 0.}, {0., 1., 0.}, {0., -1., 0.}, {0., 0., 1.}, {0., 0., -1.}};
const Vector<Triangle> octahedron{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                  {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};

template <class D>
void checkMeshROI(const std::string& templ, bool surface)
{
    INFO(templ << (surface ? " surface" : " box"));
    checkEngine({.type = "MeshROI",
                 .attributes = {{"template", templ}, {"computeMeshROI", surface ? "1" : "0"}, {"position", "0 0 0"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         setPoints<D>(e, "position", random.points(120, 1.4));
                         fillElements(e, random, 120);
                         Points x = octahedronPoints;
                         const Vec3 shift = random.point(0.2);
                         for (Vec3& p : x) p += shift;
                         setPoints<D>(e, "ROIposition", x);
                         Vector<Triangle> faces = octahedron;
                         if (random.index(2))
                             for (Triangle& t : faces) std::swap(t[1], t[2]);
                         e.set("ROItriangles", faces);
                     },
                 .verify =
                     [surface](const EngineAccess& e) {
                         const auto& roi = e.get<typename D::VecCoord>("ROIposition");
                         const Vec3 center = (D::position(roi[0]) + D::position(roi[1])) * 0.5;
                         verifyRegion<D>(e, [&](const Vec3& p) {
                             const Vec3 d = p - center;
                             return surface ? std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]) < 1.
                                            : std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])}) <= 1. + 1e-15;
                         });
                         CHECK(e.get<Vec6>("box")[3] - e.get<Vec6>("box")[0] == Approx(2.));
                     },
                 .mistakes = {{{{"ROIposition", templ == "Vec3"   ? "0 0 0"
                                                : templ == "Vec6" ? "0 0 0 0 0 0"
                                                                  : "0 0 0 0 0 0 1"},
                                {"ROItriangles", "0 1 2"}},
                               "ROItriangles: element 0 has the point 1; there are 1"}}});
}

}  // namespace

HARNESS_ENGINE("BoxROI")
{
    checkBoxROI<Vec3Types>("Vec3");
    checkBoxROI<Vec2Types>("Vec2");
    checkBoxROI<Vec1Types>("Vec1");
    checkBoxROI<Rigid3Types>("Rigid3");
    checkBoxROI<Vec6Types>("Vec6");
}

HARNESS_ENGINE("PairBoxROI")
{
    checkPairBoxROI<Vec3Types>("Vec3");
    checkPairBoxROI<Rigid3Types>("Rigid3");
    checkPairBoxROI<Vec6Types>("Vec6");
}

HARNESS_ENGINE("PlaneROI")
{
    checkPlaneROI<Vec3Types>("Vec3");
    checkPlaneROI<Rigid3Types>("Rigid3");
}

HARNESS_ENGINE("SphereROI")
{
    checkSphereROI<Vec3Types>("Vec3", true);
    checkSphereROI<Vec3Types>("Vec3", false);
    checkSphereROI<Rigid3Types>("Rigid3", false);
    Node root("root");
    auto& e = addComponent<Engine>(root, "SphereROI",
                                   {{"template", "Rigid3"},
                                    {"centers", "0 0 0  5 0 0"},
                                    {"radii", "1"},
                                    {"position", "0.5 0 0 0 0 0 1  3 0 0 0 0 0 1  5.5 0 0 0 0 0 1"}});
    REQUIRE(initialise(root));
    CHECK(EngineAccess(e).indices("indices") == Indices{0, 2});
}

HARNESS_ENGINE("MeshROI")
{
    checkMeshROI<Vec3Types>("Vec3", true);
    checkMeshROI<Vec3Types>("Vec3", false);
    checkMeshROI<Rigid3Types>("Rigid3", true);
    checkMeshROI<Vec6Types>("Vec6", true);
}

}  // namespace regions_test
