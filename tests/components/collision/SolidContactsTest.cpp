// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/SolidContacts.h"

#include <catch2/catch.hpp>
#include <tuple>

#include "components/collision/CubeCollisionModel.h"
#include "components/collision/RayCollisionModel.h"
#include "components/collision/SolidCollisionModels.h"
#include "components/collision/TetrahedronCollisionModel.h"
#include "core/collision/ContactResponse.h"
#include "core/math/Quat.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/collision/SolidScenes.h"
#include "tests/core/geometry/GeometryRandom.h"
#include "tests/core/geometry/HullDistance.h"

namespace solid_contacts_test {

using namespace sofa;
using namespace sofa::core;
using sofa::test::GeometryRandom;
using namespace sofa::test;

namespace {

/// A random model of a shape with one primitive: its scene text, and the corners and radius of its core.
struct RandomShape
{
    std::string scene;
    std::vector<Vec3> corners;
    double radius = 0.;
};
RandomShape randomShape(GeometryRandom& random, const std::string& shape, bool degenerate)
{
    const double size = degenerate ? 0. : 0.4;
    RandomShape s;
    const Vec3 c = random.point(1.2);
    const Quat q = Quat::fromAxisAngle(random.direction(), 3. * random()).normalized();
    const std::string rigid = "<MechanicalObject template='Rigid3' position='" + text(c) + text(q[0]) + text(q[1]) +
                              text(q[2]) + text(q[3]) + "'/>";
    const auto meshOf = [&](std::size_t n, const std::string& elements, const std::string& model) {
        for (std::size_t k = 0; k < n; ++k) s.corners.push_back(c + random.point(size));
        std::string positions;
        for (const Vec3& p : s.corners) positions += text(p);
        s.scene = mesh(positions, elements, model);
    };
    const double r = 0.05 + 0.1 * std::abs(random()), h = size * std::abs(random());
    if (shape == "Sphere") {
        s.corners = {c};
        s.radius = r;
        s.scene = rigid + "<SphereCollisionModel template='Rigid3' radius='" + text(r) + "'/>";
    } else if (shape == "Capsule") {
        s.radius = r;
        s.scene =
            rigid + "<CapsuleCollisionModel template='Rigid3' radii='" + text(r) + "' heights='" + text(h) + "'/>";
        for (const double side : {-0.5, 0.5}) s.corners.push_back(c + q.rotate({0., side * h, 0.}));
    } else if (shape == "EdgeCapsule") {
        s.radius = r;
        meshOf(2, "edges='0 1'", "<CapsuleCollisionModel template='Vec3' defaultRadius='" + text(r) + "'/>");
    } else if (shape == "OBB") {
        const Vec3 e = {h, size * std::abs(random()), size * std::abs(random())};
        s.scene = rigid + "<OBBCollisionModel extents='" + text(e) + "'/>";
        for (const double i : {-1., 1.})
            for (const double j : {-1., 1.})
                for (const double k : {-1., 1.}) s.corners.push_back(c + q.rotate({i * e[0], j * e[1], k * e[2]}));
    } else if (shape == "Point") {
        meshOf(1, "", "<PointCollisionModel/>");
    } else if (shape == "Line") {
        meshOf(2, "edges='0 1'", "<LineCollisionModel/>");
    } else if (shape == "Triangle") {
        meshOf(3, "triangles='0 1 2'", "<TriangleCollisionModel/>");
    } else {
        meshOf(4, "tetrahedra='0 1 2 3'", "<TetrahedronCollisionModel/>");
    }
    return s;
}

/// The distance of boxes would take 2^16 pairs of faces: a box is its faces, which are two triangles each.
double referenceDistance(const RandomShape& a, const RandomShape& b)
{
    const auto parts = [](const RandomShape& s) {
        std::vector<std::vector<Vec3>> all;
        if (s.corners.size() < 8) return std::vector<std::vector<Vec3>>{s.corners};
        static constexpr std::array<std::array<std::size_t, 4>, 6> faces{
            {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}}};
        for (const auto& f : faces) {
            all.push_back({s.corners[f[0]], s.corners[f[1]], s.corners[f[2]]});
            all.push_back({s.corners[f[0]], s.corners[f[2]], s.corners[f[3]]});
        }
        return all;
    };
    double best = 1e300;
    for (const auto& x : parts(a))
        for (const auto& y : parts(b))
            best = std::min(best, static_cast<double>(test::hullDistance(test::hull(x), test::hull(y))));
    return best;
}

}  // namespace

TEST_CASE("contacts of solids that are apart are as near as their nearest points in extended precision")
{
    GeometryRandom random(21);
    const std::vector<std::pair<std::string, std::string>> pairs{
        {"Sphere", "Capsule"}, {"Sphere", "OBB"}, {"Capsule", "Capsule"}, {"Capsule", "EdgeCapsule"},
        {"Capsule", "OBB"},    {"OBB", "OBB"},    {"Capsule", "Point"},   {"Capsule", "Line"},
        {"OBB", "Point"},      {"OBB", "Line"},   {"EdgeCapsule", "OBB"}, {"Sphere", "EdgeCapsule"}};
    for (const auto& [a, b] : pairs)
        for (const std::string method : {"MinProximityIntersection", "NewProximityIntersection", "LocalMinDistance"})
            for (int trial = 0; trial < (a == "OBB" && b == "OBB" ? 6 : 15); ++trial) {
                const RandomShape x = randomShape(random, a, trial % 5 == 4),
                                  y = randomShape(random, b, trial % 5 == 3);
                const double core = referenceDistance(x, y), distance = core - x.radius - y.radius;
                if (core < 1e-6) continue;  // cores that overlap have no nearest points
                const auto c = Pair(x.scene, y.scene, method).contacts();
                INFO(a << " " << b << " " << method << " " << trial);
                REQUIRE(c.empty() == !(distance <= 1.));
                if (c.empty()) continue;
                double least = 1e300;
                for (const DetectedContact& k : c) {
                    least = std::min(least, k.value);
                    CHECK(k.value > distance - 0.25 - 1e-10);
                    CHECK(norm(k.normal) == Approx(1.).epsilon(1e-12));
                    CHECK(dot(k.point2 - k.point1, k.normal) - x.radius - y.radius - 0.25 ==
                          Approx(k.value).margin(1e-12));
                }
                // Several contacts: the corners of faces or edges that are nearly parallel, of which one is the
                // nearest.
                CHECK(least < distance - 0.25 + (c.size() == 1 ? 1e-10 : 0.1));
            }
}

TEST_CASE("a solid has contacts with a lone triangle exactly if it is near, none nearer than the nearest points")
{
    GeometryRandom random(22);
    for (const std::string solid : {"Capsule", "EdgeCapsule", "OBB", "Tetrahedron"})
        for (int trial = 0; trial < 60; ++trial) {
            const RandomShape x = randomShape(random, solid, trial % 7 == 6),
                              y = randomShape(random, "Triangle", trial % 11 == 10);
            const double core = referenceDistance(x, y), distance = core - x.radius;
            const auto c = Pair(x.scene, y.scene).contacts();
            INFO(solid << " " << trial);
            if (std::abs(distance - 1.) > 1e-9) CHECK(c.empty() == !(distance < 1.));
            for (const DetectedContact& k : c) {
                if (core > 1e-9) CHECK(k.value > distance - 0.25 - 1e-10);
                CHECK(norm(k.normal) == Approx(1.).epsilon(1e-12));
                CHECK(dot(k.point2 - k.point1, k.normal) - x.radius - 0.25 == Approx(k.value).margin(1e-12));
            }
        }
}

TEST_CASE("all pairs of shapes have a test in every method, but for rays and boxes of models")
{
    const auto Sphere = CollisionShape::Sphere, Point = CollisionShape::Point, Line = CollisionShape::Line,
               Capsule = component::capsuleShape(), Cylinder = component::cylinderShape(), Obb = component::boxShape(),
               Ray = component::rayShape(), Cube = component::CubeCollisionModel().shape();
    for (const std::string method :
         {"DiscreteIntersection", "MinProximityIntersection", "NewProximityIntersection", "LocalMinDistance"}) {
        const auto root = loadSceneText("<Node><" + method + "/></Node>", "test.scn");
        REQUIRE(initGraph(*root));
        const auto& m = *root->get<IntersectionMethod>(Search::Local);
        bool swapped = false;
        const auto solids = {Capsule, Cylinder, Obb};
        for (const auto a : solids) {
            for (const auto b : {Sphere, Point, Line, CollisionShape::Triangle, CollisionShape::Tetrahedron, Capsule,
                                 Cylinder, Obb, Ray})
                CHECK(m.find(a, b, swapped));
            CHECK(!m.find(a, Cube, swapped));
        }
        for (const auto b : {Sphere, CollisionShape::Triangle, CollisionShape::Tetrahedron}) {
            CHECK(m.find(CollisionShape::Tetrahedron, b, swapped));
            CHECK(m.find(Ray, b, swapped));
            CHECK(!swapped);
        }
        CHECK(!m.find(Ray, Ray, swapped));
        CHECK(!m.find(Ray, Point, swapped));
    }
}

namespace {

/// Of contacts with one id the nearest.
Vector<DetectedContact> kept(Vector<DetectedContact> c)
{
    keepNearest(c);
    return c;
}

}  // namespace

TEST_CASE("what stands on a floor has a contact for each corner below, however fine the floor is")
{
    const std::string box = frame("0.1 0.6 0.2 0 0 0 1", "<OBBCollisionModel extents='0.4 0.5 0.3'/>"),
                      lying = frame("0.1 0.4 0.2 0 0 0.70710678118654757 0.70710678118654757",
                                    "<CapsuleCollisionModel template='Rigid3' radii='0.3' heights='0.9'/>"),
                      standing = frame("0.1 0.6 0.2 0 0 0 1", "<CylinderCollisionModel radii='0.3' heights='1'/>"),
                      tilted = frame("0.1 0.6 0.2 0 0 0.05 0.99875", "<OBBCollisionModel extents='0.4 0.5 0.3'/>"),
                      onEdge = frame("0.1 0.8 0.2 0 0 0.3826834323650898 0.92387953251128674",
                                     "<OBBCollisionModel extents='0.5 0.5 0.3'/>");
    for (const int n : {1, 3, 8, 20})
        for (const auto& [solid, count, height] : {std::tuple{box, 4u, 0.1},
                                                   {lying, 2u, 0.1},
                                                   {standing, 8u, 0.1},
                                                   {onEdge, 2u, 0.8 - 0.5 * std::sqrt(2.)}}) {
            const auto c = kept(Pair(solid, floorOf(n)).contacts());
            CHECK(c.size() == count);
            for (const DetectedContact& k : c) {
                CHECK(norm(k.normal + Vec3{0., 1., 0.}) < 1e-12);
                CHECK(k.value == Approx(height - 0.25).margin(1e-9));
                CHECK(std::abs(k.point2[1]) < 1e-12);
            }
        }
    // Tilted, every corner counts with its own height.
    const auto c = kept(Pair(tilted, floorOf(9)).contacts());
    REQUIRE(c.size() == 4);
    double low = 1e300, high = -1e300;
    for (const DetectedContact& k : c) {
        low = std::min(low, k.value);
        high = std::max(high, k.value);
    }
    CHECK(high - low == Approx(0.8 * std::sin(2. * std::asin(0.05))).epsilon(1e-4));
}

TEST_CASE("a box over the rim of a floor, on a peak, and on a smooth surface")
{
    // Half of the box is over the floor: two corners of it, two crossings of the rim.
    const std::string box = "<OBBCollisionModel extents='0.4 0.5 0.3'/>";
    const auto rim = kept(Pair(frame("2 0.6 0.2 0 0 0 1", box), floorOf(3)).contacts());
    CHECK(rim.size() == 4);
    for (const DetectedContact& k : rim) {
        CHECK(k.value == Approx(0.1 - 0.25).margin(1e-12));
        CHECK(k.point1[0] <= 2. + 1e-12);
    }
    // On a peak of four triangles: one contact, although four triangles have the corner.
    const std::string peak = mesh("-1 -1 -1  1 -1 -1  1 -1 1  -1 -1 1  0 0 0", "triangles='0 4 1  1 4 2  2 4 3  3 4 0'",
                                  "<TriangleCollisionModel/>");
    const auto top = kept(Pair(frame("0.1 0.6 0 0 0 0 1", box), peak).contacts());
    REQUIRE(top.size() == 1);
    CHECK(norm(top[0].point2) < 1e-12);
    CHECK(top[0].value == Approx(0.1 - 0.25));
    const auto in = kept(Pair(frame("0.1 0.4 0 0 0 0 1", box), peak).contacts());
    REQUIRE(in.size() == 1);
    CHECK(in[0].value == Approx(-0.1 - 0.25));
    // A capsule along a roof: two contacts.
    const std::string roof = mesh("-1 0 0  1 0 0  -1 -1 1  1 -1 1  -1 -1 -1  1 -1 -1",
                                  "triangles='0 2 1  1 2 3  0 1 4  1 5 4'", "<TriangleCollisionModel/>");
    const auto along = kept(Pair(frame("0 0.4 0 0 0 0.70710678118654757 0.70710678118654757",
                                       "<CapsuleCollisionModel template='Rigid3' radii='0.3' heights='0.9'/>"),
                                 roof)
                                .contacts());
    REQUIRE(along.size() == 2);
    for (const DetectedContact& k : along) CHECK(k.value == Approx(0.1 - 0.25).margin(1e-9));
}

TEST_CASE("what enters a mesh of tetrahedra leaves it through the boundary, once")
{
    // A block of 2 × 1 × 1 cells of six tetrahedra each; a point below its top face, on an inner face.
    const std::string block =
        "<RegularGridTopology name='grid' n='3 2 3' min='-1 0 -1' max='1 1 1'/><MechanicalObject name='s' "
        "position='@grid.position'/><Node name='t'><TetrahedronSetTopologyContainer name='m'/>"
        "<TetrahedronSetTopologyModifier/><Hexa2TetraTopologicalMapping input='@../grid' output='@m'/>"
        "<TetrahedronCollisionModel name='c'/></Node>";
    const auto root = loadSceneText("<Node name='root'><DiscreteIntersection/><Node name='b'>" + block +
                                        "</Node><Node name='a'><MechanicalObject position='0.3 0.9 0.2  0.97 0.5 "
                                        "0.1  0 2 0'/><SphereCollisionModel radius='0.05'/></Node></Node>",
                                    "test.scn");
    REQUIRE(root);
    REQUIRE(initGraph(*root));
    auto* tetrahedra = root->child("b")->child("t")->get<component::TetrahedronCollisionModel>(Search::Local);
    auto* spheres = root->child("a")->get<CollisionModel>(Search::Local);
    REQUIRE((tetrahedra && spheres));
    tetrahedra->update();
    spheres->update();
    CHECK(tetrahedra->boundary().size() == 2 * (4 + 4 + 2 * 4));
    const auto& m = *root->get<IntersectionMethod>(Search::Local);
    bool swapped = false;
    const PrimitiveTest test = m.find(spheres->shape(), tetrahedra->shape(), swapped);
    REQUIRE((test && !swapped));
    Vector<DetectedContact> c;
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < tetrahedra->size(); ++j) test(m, *spheres, i, *tetrahedra, j, c);
    keepNearest(c);
    REQUIRE(c.size() == 2);
    CHECK(norm(c[0].normal - Vec3{0., -1., 0.}) < 1e-12);
    CHECK(c[0].value == Approx(-0.15));
    CHECK(norm(c[0].point2 - Vec3{0.3, 1., 0.2}) < 1e-12);
    CHECK(norm(c[1].normal - Vec3{-1., 0., 0.}) < 1e-12);
    CHECK(c[1].value == Approx(-0.08));
}

}  // namespace solid_contacts_test
