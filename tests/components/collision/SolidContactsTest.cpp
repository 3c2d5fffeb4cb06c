// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/SolidContacts.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <tuple>

#include "components/collision/ContactMappings.h"
#include "components/collision/CubeCollisionModel.h"
#include "components/collision/RayCollisionModel.h"
#include "components/collision/SolidCollisionModels.h"
#include "components/collision/TetrahedronCollisionModel.h"
#include "core/collision/ContactResponse.h"
#include "core/interaction/Picking.h"
#include "core/math/Quat.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/core/geometry/GeometryRandom.h"
#include "tests/core/geometry/HullDistance.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/TestGraph.h"

using namespace sofa;
using namespace sofa::core;
using sofa::test::GeometryRandom;

namespace {

/// With every digit, so that the scene has the same numbers.
std::string text(double x)
{
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.17g ", x);
    return buffer.data();
}
std::string text(const Vec3& p) { return text(p[0]) + text(p[1]) + text(p[2]); }

/// Two models "a" and "b" in nodes of their own, and a method.
struct Pair
{
    Pair(const std::string& a, const std::string& b, const std::string& method = "MinProximityIntersection",
         const std::string& settings = "alarmDistance='1' contactDistance='0.25'")
        : root(loadSceneText("<Node name='root'><" + method + " " + settings + "/><Node name='a'>" + a +
                                 "</Node><Node name='b'>" + b + "</Node></Node>",
                             "test.scn"))
    {
        REQUIRE(root != nullptr);
        REQUIRE(initGraph(*root));
        first = root->child("a")->get<CollisionModel>(Search::Local);
        second = root->child("b")->get<CollisionModel>(Search::Local);
        REQUIRE((first && second));
        first->update();
        second->update();
    }
    /// Contacts of all pairs of primitives, as from a to b.
    Vector<DetectedContact> contacts() const
    {
        const auto& m = *root->get<IntersectionMethod>(Search::Local);
        bool swapped = false;
        const PrimitiveTest test = m.find(first->shape(), second->shape(), swapped);
        REQUIRE(test);
        Vector<DetectedContact> out;
        const CollisionModel &x = swapped ? *second : *first, &y = swapped ? *first : *second;
        for (Index i = 0; i < x.size(); ++i)
            for (Index j = 0; j < y.size(); ++j) test(m, x, i, y, j, out);
        if (swapped)
            for (DetectedContact& c : out) {
                std::swap(c.primitive1, c.primitive2);
                std::swap(c.point1, c.point2);
                c.normal = -c.normal;
            }
        return out;
    }
    std::shared_ptr<Node> root;
    CollisionModel *first = nullptr, *second = nullptr;
};

std::string frame(const std::string& position, const std::string& model)
{
    return "<MechanicalObject template='Rigid3' position='" + position + "'/>" + model;
}
std::string mesh(const std::string& positions, const std::string& elements, const std::string& model)
{
    return "<MechanicalObject position='" + positions + "'/><MeshTopology " + elements + "/>" + model;
}

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

/// A floor of n × n cells on [−2, 2]², in the plane y = 0.
std::string floorOf(int n, const std::string& more = "")
{
    const std::string count = std::to_string(n + 1);
    return "<RegularGridTopology n='" + count + " 1 " + count +
           "' min='-2 0 -2' max='2 0 2'/><MechanicalObject/><TriangleCollisionModel simulated='0' moving='0' "
           "contactStiffness='20' " +
           more + "/>";
}

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

TEST_CASE("rays record what they hit, from either end of the pair, and push nothing")
{
    const std::string pipeline =
        "<CollisionPipeline name='p'/><BruteForceBroadPhase/><BVHNarrowPhase/><DefaultAnimationLoop/>"
        "<CollisionResponse response='PenalityContactForceField'/><MinProximityIntersection alarmDistance='0.1' "
        "contactDistance='0.05'/>";
    const auto root = loadSceneText(
        "<Node name='root' gravity='0 0 0'>" + pipeline + "<Node name='before'>" +
            frame("5 0 0 0 0 0 1", "<OBBCollisionModel extents='1 1 1'/>") +
            "</Node><Node name='rays'><MechanicalObject position='0 0 0  0 3 0'/><RayCollisionModel defaultLength='20' "
            "directions='1 0 0  1 0 0'/></Node><Node name='ball'>" +
            frame("10 0.5 0 0 0 0 1", "<SphereCollisionModel template='Rigid3' radius='1'/>") +
            "</Node><Node name='cylinder'>" +
            frame("15 0 0 0 0 0 1", "<CylinderCollisionModel radii='1' heights='3'/>") + "</Node><Node name='wall'>" +
            mesh("18 -1 -1  18 1 -1  18 0 2", "triangles='0 2 1'", "<TriangleCollisionModel/>") +
            "</Node><Node name='far'>" + frame("30 0 0 0 0 0 1", "<OBBCollisionModel/>") + "</Node></Node>",
        "test.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    simulation.step();
    const auto* rays = root->child("rays")->get<component::BaseRayCollisionModel>(Search::Local);
    const auto hit = [&](const std::string& node) {
        for (const auto& h : rays->hits())
            if (h.model->node() == root->child(node)) return h.contacts;
        return Vector<DetectedContact>();
    };
    CHECK(rays->hits().size() == 4);
    for (const auto& [node, x] : {std::pair{"before", 4.}, {"cylinder", 14.}, {"wall", 18.}}) {
        const auto c = hit(node);
        REQUIRE(c.size() == 1);
        CHECK(c[0].primitive1 == 0);
        CHECK(norm(c[0].point1 - Vec3{x, 0., 0.}) < 1e-12);
        CHECK(c[0].normal[0] == Approx(1.));
        CHECK(c[0].value == 0.);
    }
    const auto ball = hit("ball");
    REQUIRE(ball.size() == 1);
    CHECK(norm(ball[0].point1 - Vec3{10., 0., 0.}) < 1e-12);
    CHECK(ball[0].value == Approx(-0.5));
    CHECK(hit("far").empty());
    // Turned away, they hit nothing.
    auto* model =
        dynamic_cast<component::RayCollisionModel<Vec3Types>*>(root->child("rays")->get<CollisionModel>(Search::Local));
    model->setRay(0, {{0., 0., 0.}, {-1., 0., 0.}, 5.});
    const Index added = model->addRay({{5., 5., 0.}, {0., -2., 0.}, 2.1});
    CHECK(added == 2);
    simulation.step();
    REQUIRE(rays->hits().size() == 1);
    CHECK(hit("before")[0].primitive1 == 2);
    CHECK(norm(hit("before")[0].point1 - Vec3{5., 1., 0.}) < 1e-12);
}

TEST_CASE("solids are picked where the ray enters them")
{
    const auto root =
        loadSceneText("<Node name='root'><Node name='a'>" +
                          frame("0 5 0 0 0 0 1", "<OBBCollisionModel extents='1 2 1'/>") + "</Node><Node name='b'>" +
                          frame("5 5 0 0 0 0 1", "<CapsuleCollisionModel template='Rigid3' radii='1' heights='4'/>") +
                          "</Node><Node name='c'>" +
                          frame("10 5 0 0 0 0 1", "<CylinderCollisionModel radii='1' heights='4'/>") + "</Node></Node>",
                      "test.scn");
    REQUIRE(root);
    REQUIRE(initGraph(*root));
    for (const auto& [x, y] : {std::pair{0.5, 7.}, {5., 8.}, {5.6, 7.8}, {10.5, 7.}}) {
        const auto picked = pick(*root, {{x, 20., 0.}, {0., -1., 0.}}, 0.);
        REQUIRE(picked);
        CHECK(picked->distance == Approx(20. - y));
    }
    CHECK(!pick(*root, {{2.5, 20., 0.}, {0., -1., 0.}}, 0.));
}

TEST_CASE("the box model has the boxes of the other models of its node")
{
    const auto root = loadSceneText(
        "<Node name='root'>" +
            frame("1 2 3 0 0 0 1  4 2 3 0 0 0 1",
                  "<CubeCollisionModel name='boxes'/><OBBCollisionModel extents='1 2 3  1 1 1' proximity='0.5'/>"
                  "<SphereCollisionModel template='Rigid3' radius='0.25'/>") +
            "</Node>",
        "test.scn");
    REQUIRE(root);
    REQUIRE(initGraph(*root));
    auto* boxes = root->get<component::CubeCollisionModel>(Search::Local);
    boxes->update();
    REQUIRE(boxes->size() == 2);
    CHECK(boxes->modelBox(0).lower == Vec3{-0.5, -0.5, -0.5});
    CHECK(boxes->modelBox(0).upper == Vec3{5.5, 4.5, 6.5});
    CHECK(boxes->box().upper == Vec3{5.5, 4.5, 6.5});
    CHECK(boxes->modelBox(1).lower == Vec3{0.75, 1.75, 2.75});
}

TEST_CASE("old names, defaults, and sizes that are not valid")
{
    const auto root = loadSceneText(
        "<Node name='root'><Node name='a'>" +
            frame("0 0 0 0 0 0 1  0 0 9 0 0 0 1", "<TCapsuleModel template='Rigid3' radii='0.25' dafaultHeight='3'/>") +
            "</Node><Node name='b'>" + frame("0 0 0 0 0 0 1", "<OBBModel/>") + "</Node><Node name='c'>" +
            frame("0 0 0 0 0 0 1", "<CylinderModel axes='2 0 0'/>") + "</Node></Node>",
        "test.scn");
    REQUIRE(root);
    REQUIRE(initGraph(*root));
    const auto model = [&](const char* node) {
        auto* m = root->child(node)->get<CollisionModel>(Search::Local);
        REQUIRE(m);
        m->update();
        return m;
    };
    CHECK(model("a")->radius(0) == 0.25);
    CHECK(model("a")->radius(1) == 0.5);
    CHECK(model("a")->boxes()[1].upper == Vec3{0.5, 2., 9.5});
    CHECK(model("b")->box().upper == Vec3{1., 1., 1.});
    CHECK(norm(model("c")->box().upper - Vec3{1., 0.5, 0.5}) < 1e-12);
    for (const std::string bad : {"<CapsuleCollisionModel template='Rigid3' radii='-1'/>",
                                  "<CylinderCollisionModel axes='0 0 0'/>", "<OBBCollisionModel extents='1 -1 1'/>"}) {
        const auto scene = loadSceneText("<Node name='root'>" + frame("0 0 0 0 0 0 1", bad) + "</Node>", "test.scn");
        CHECK((!scene || !initGraph(*scene)));
    }
    CHECK(!initGraph(*loadSceneText("<Node name='root'>" +
                                        mesh("0 0 0 1 0 0", "edges='0 5'", "<CapsuleCollisionModel template='Vec3'/>") +
                                        "</Node>",
                                    "test.scn")));
}

TEST_CASE("neighbours in a mesh do not collide with themselves")
{
    const auto contacts = [](const std::string& node) {
        const auto root = loadSceneText(
            "<Node name='root' gravity='0 0 0'><CollisionPipeline/><BruteForceBroadPhase/>"
            "<BVHNarrowPhase/><DefaultAnimationLoop/><MinProximityIntersection "
            "alarmDistance='0.2' contactDistance='0.1'/><CollisionResponse "
            "response='PenalityContactForceField'/><Node>" +
                node + "</Node></Node>",
            "test.scn");
        REQUIRE(root);
        Simulation simulation(root);
        REQUIRE(simulation.init());
        simulation.step();
        return std::stoi(root->get<CollisionPipeline>(Search::Local)->findData("contactCount")->text());
    };
    // A chain in the shape of a U: only its two legs are near each other.
    CHECK(contacts(mesh("0 0 0  1 0 0  1 0.3 0  0 0.3 0", "edges='0 1 1 2 2 3'",
                        "<CapsuleCollisionModel template='Vec3' defaultRadius='0.1' selfCollision='1'/>")) == 2);
    CHECK(contacts(mesh("0 0 0  1 0 0  1 0.3 0  0 0.3 0", "edges='0 1 1 2 2 3'",
                        "<CapsuleCollisionModel template='Vec3' defaultRadius='0.1'/>")) == 0);
    // Two tetrahedra with a common face.
    CHECK(contacts(mesh("0 0 0  1 0 0  0 1 0  0 0 1  1 1 1", "tetrahedra='0 1 2 3  1 2 3 4'",
                        "<TetrahedronCollisionModel selfCollision='1'/>")) == 0);
    // Frames have no neighbours.
    CHECK(contacts(frame("0 0 0 0 0 0 1  0.5 0 0 0 0 0 1  5 0 0 0 0 0 1",
                         "<OBBCollisionModel extents='0.2 0.2 0.2  0.2 0.2 0.2  0.2 0.2 0.2' selfCollision='1'/>")) ==
          4);
}

TEST_CASE("mappings of contact points obey the laws of mappings")
{
    GeometryRandom random(31);
    SECTION("weights of vertices")
    {
        Node root;
        auto& in = test::addState<Vec3Types>(root, {random.point(), random.point(), random.point(), random.point()});
        auto child = root.createChild("points");
        auto& out = test::addState<Vec3Types>(*child, Vector<Vec3>(3));
        auto& mapping = child->create<component::WeightedPointsMapping>();
        mapping.l_input.set(&in);
        mapping.l_output.set(&out);
        mapping.rows = {
            {{0, 1, 2, 3}, {0.1, 0.2, 0.3, 0.4}, 4}, {{3, 1}, {0.25, 0.75}, 2}, {{2, 0, 1}, {0.5, 0.3, 0.2}, 3}};
        REQUIRE(test::initialise(root));
        test::checkMapping(mapping, {.translates = true});
    }
    SECTION("points of frames")
    {
        Node root;
        const auto q = [&] { return Quat::fromRotationVector(random.point()); };
        auto& in = test::addState<Rigid3Types>(root, {{random.point(), q()}, {random.point(), q()}});
        auto child = root.createChild("points");
        auto& out = test::addState<Vec3Types>(*child, Vector<Vec3>(3));
        auto& mapping = child->create<component::FramePointsMapping>();
        mapping.l_input.set(&in);
        mapping.l_output.set(&out);
        mapping.rows = {{1, random.point()}, {0, random.point()}, {1, random.point()}};
        REQUIRE(test::initialise(root));
        test::checkMapping(mapping, {.translates = true, .exactGeometricStiffness = false});
    }
    SECTION("points of round surfaces move with the velocity of the body where it touches, and never come off")
    {
        Node root;
        const RigidCoord3 found{random.point(), Quat::fromRotationVector(random.point())};
        auto& in = test::addState<Rigid3Types>(root, {found});
        auto child = root.createChild("points");
        auto& out = test::addState<Vec3Types>(*child, Vector<Vec3>(1));
        auto& mapping = child->create<component::FramePointsMapping>();
        mapping.l_input.set(&in);
        mapping.l_output.set(&out);
        const Vec3 local = random.point(), arm = random.point(), velocity = random.point(), spin = random.point();
        mapping.rows = {{0, local, arm, found.orientation}};
        REQUIRE(test::initialise(root));
        Vector<Vec3> x;
        mapping.apply(x, {found});
        const Vec3 axis = found.orientation.rotate(local), expected = velocity + cross(spin, axis + arm);
        CHECK(norm(x[0] - (found.center + axis + arm)) < 1e-15);
        in.write(vec_id::velocity)[0] = Rigid3Types::makeDeriv(velocity, spin);
        BaseMapping& base = mapping;
        base.applyJ(MechanicalParams(), vec_id::velocity, vec_id::velocity);
        CHECK(norm(out.velocities()[0] - expected) < 1e-14);
        const auto at = [&](double h) {
            RigidCoord3 moved = found;
            Rigid3Types::add(moved, Rigid3Types::makeDeriv(velocity * h, spin * h));
            mapping.apply(x, {moved});
            return x[0];
        };
        const double h = 1e-5;
        CHECK(norm((at(h) - at(-h)) / (2. * h) - expected) < 1e-9);
        // Turned by radians about the axis of a capsule: the height over the ground is that of the axis.
        mapping.rows[0].local = {};
        CHECK(std::abs(dot(at(2.) - found.center - velocity * 2., arm) - dot(arm, arm)) < 1e-12);
    }
}

namespace {

const std::string penaltyScene =
    "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/><DefaultAnimationLoop/>"
    "<CollisionResponse response='PenalityContactForceField'/><MinProximityIntersection alarmDistance='0.1' "
    "contactDistance='0.05'/>";
const std::string solver =
    "<EulerImplicitSolver rayleighMass='1' rayleighStiffness='0.05'/><CGLinearSolver iterations='200' "
    "tolerance='1e-14' threshold='1e-24'/>";

struct Drop
{
    Drop(const std::string& body, int cells = 3)
        : root(loadSceneText("<Node name='root' dt='0.01' gravity='0 -10 0'>" + penaltyScene + "<Node name='body'>" +
                                 solver + body + "</Node><Node name='floor'>" + floorOf(cells) + "</Node></Node>",
                             "test.scn")),
          simulation(root)
    {
        REQUIRE(root);
        REQUIRE(simulation.init());
    }
    BaseState& state() const { return *root->child("body")->get<BaseState>(Search::Local); }
    std::shared_ptr<Node> root;
    Simulation simulation;
};

}  // namespace

TEST_CASE("solids dropped on a floor of triangles come to rest where the penalty forces carry them")
{
    const std::string mass = "<UniformMass vertexMass='2 1 [0.1 0 0,0 0.1 0,0 0 0.1]'/>";
    const std::string turned = "0 0 0.70710678118654757 0.70710678118654757";
    struct Case
    {
        std::string position, model;
        double halfHeight, radius;
        unsigned contacts;
    };
    // A capsule's contacts begin at its radius more, so that its penalty is softer.
    for (const Case& c :
         {Case{"0.1 0.5 0.2 " + turned,
               "<CapsuleCollisionModel template='Rigid3' radii='0.2' heights='0.8' contactStiffness='30'/>", 0.2, 0.2,
               2},
          Case{"0.1 0.5 0.2 0 0 0 1", "<OBBCollisionModel extents='0.4 0.3 0.3' contactStiffness='30'/>", 0.3, 0., 4},
          Case{"0.1 0.5 0.2 0 0 0.02 0.9998", "<OBBCollisionModel extents='0.4 0.3 0.3' contactStiffness='30'/>", 0.3,
               0., 4},
          Case{"0.1 0.5 0.2 0 0 0 1", "<CylinderCollisionModel radii='0.4' heights='0.6' contactStiffness='30'/>", 0.3,
               0., 8},
          Case{"0.1 0.5 0.2 " + turned, "<CylinderCollisionModel radii='0.3' heights='0.8' contactStiffness='30'/>",
               0.3, 0., 2}})
        for (const int cells : {2, 7}) {
            INFO(c.model << " on " << cells);
            Drop d("<MechanicalObject template='Rigid3' position='" + c.position + "'/>" + mass + c.model, cells);
            for (int step = 0; step < 600; ++step) d.simulation.step();
            const double begin = 0.05 + c.radius, stiffness = 30. * 20. / begin * c.contacts;
            CHECK(d.state().pointPosition(0)[1] == Approx(0.05 + c.halfHeight - 2. * 10. / stiffness).epsilon(1e-4));
            auto& s = dynamic_cast<State<Rigid3Types>&>(d.state());
            CHECK(norm(s.velocities()[0]) < 1e-3);
        }
}

TEST_CASE("a soft block, seen as tetrahedra, comes to rest on a floor of triangles")
{
    Drop d(
        "<RegularGridTopology name='grid' n='3 3 3' min='-0.4 0.1 -0.4' max='0.4 0.9 0.4'/><MechanicalObject "
        "name='points' position='@grid.position'/><Node name='t'><TetrahedronSetTopologyContainer name='m'/>"
        "<TetrahedronSetTopologyModifier/><Hexa2TetraTopologicalMapping input='@../grid' output='@m'/>"
        "<TetrahedronFEMForceField youngModulus='10000' poissonRatio='0.3'/><UniformMass totalMass='1'/>"
        "<TetrahedronCollisionModel contactStiffness='10'/></Node>");
    for (int step = 0; step < 500; ++step) d.simulation.step();
    const auto& s = dynamic_cast<State<Vec3Types>&>(d.state());
    double low = 1., fastest = 0., weight = 0.;
    for (std::size_t i = 0; i < s.positions().size(); ++i) {
        low = std::min(low, s.positions()[i][1]);
        fastest = std::max(fastest, norm(s.velocities()[i]));
        if (s.positions()[i][1] < 0.05) weight += 10. * 20. / 0.05 * (0.05 - s.positions()[i][1]);
    }
    CHECK(fastest < 1e-3);
    // Nine points stand on the floor and carry the weight of the block.
    CHECK(weight == Approx(10.).epsilon(1e-3));
    CHECK(low > 0.04);
}

TEST_CASE("solids slide on an incline as Coulomb's law says, and stick where it holds them")
{
    const double angle = 20. * 3.14159265358979323846 / 180., g = 9.81;
    const std::string turned = "0 0 0.70710678118654757 0.70710678118654757";
    for (const auto& [position, model] :
         {std::pair<std::string, std::string>{"0 0.23 0 0 0 0 1", "<OBBCollisionModel extents='0.3 0.2 0.3'/>"},
          {"0 0.23 0 0 0 0 1", "<CylinderCollisionModel radii='0.3' heights='0.4'/>"},
          {"0 0.23 0 " + turned, "<CapsuleCollisionModel template='Rigid3' radii='0.2' heights='0.6'/>"}})
        for (const double mu : {0.3, 0.5}) {
            const auto root = loadSceneText(
                "<Node name='root' dt='0.01' gravity='" + text(Vec3{g * std::sin(angle), -g * std::cos(angle), 0.}) +
                    "'><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><MinProximityIntersection "
                    "alarmDistance='0.1' contactDistance='0.02'/><CollisionResponse "
                    "response='FrictionContactConstraint' responseParams='mu=" +
                    (mu == 0.3 ? "0.3" : "0.5") +
                    "'/><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='1000' "
                    "tolerance='1e-10'/><Node name='body'><EulerImplicitSolver/><CGLinearSolver iterations='50' "
                    "tolerance='1e-12' threshold='1e-20'/><MechanicalObject template='Rigid3' position='" +
                    position + "'/><UniformMass vertexMass='1 1 [0.05 0 0,0 0.05 0,0 0 0.05]'/>" + model +
                    "<UncoupledConstraintCorrection/></Node><Node name='floor'>" + floorOf(5) + "</Node></Node>",
                "test.scn");
            REQUIRE(root);
            Simulation simulation(root);
            REQUIRE(simulation.init());
            INFO(model << " " << mu);
            const auto speed = [&] {
                return dynamic_cast<State<Rigid3Types>&>(*root->child("body")->get<BaseState>(Search::Local))
                    .velocities()[0][0];
            };
            for (int step = 0; step < 30; ++step) simulation.step();
            const double before = speed();
            for (int step = 0; step < 50; ++step) simulation.step();
            const double slope = g * (std::sin(angle) - mu * std::cos(angle));
            CHECK(speed() - before == Approx(slope > 0. ? 0.5 * slope : 0.).epsilon(1e-6).margin(1e-6));
            if (slope < 0.) CHECK(std::abs(speed()) < 1e-6);
        }
}

TEST_CASE("soft blocks rest on a box, and on each other, each corner on its own")
{
    const auto block = [](const std::string& name, const std::string& low, const std::string& high) {
        return "<Node name='" + name + "'><RegularGridTopology name='grid' n='3 3 3' min='-0.4 " + low +
               " -0.4' max='0.4 " + high +
               " 0.4'/><MechanicalObject name='points' position='@grid.position'/><Node name='t'>"
               "<TetrahedronSetTopologyContainer name='m'/><TetrahedronSetTopologyModifier/>"
               "<Hexa2TetraTopologicalMapping input='@../grid' output='@m'/><TetrahedronFEMForceField "
               "youngModulus='10000' poissonRatio='0.3'/><UniformMass totalMass='1'/><TetrahedronCollisionModel "
               "contactStiffness='10'/></Node></Node>";
    };
    const auto root = loadSceneText(
        "<Node name='root' dt='0.01' gravity='0 -10 0'>" + penaltyScene + solver + block("lower", "0.1", "0.9") +
            block("upper", "1", "1.8") +
            "<Node name='table'><MechanicalObject template='Rigid3' position='0 -1 0 0 0 0 1'/><UniformMass "
            "totalMass='1'/><FixedProjectiveConstraint fixAll='1'/><OBBCollisionModel extents='2 1 2' "
            "contactStiffness='20' simulated='0' moving='0'/></Node></Node>",
        "test.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    for (int step = 0; step < 500; ++step) simulation.step();
    const auto positions = [&](const char* node) {
        return dynamic_cast<State<Vec3Types>&>(*root->child(node)->get<BaseState>(Search::Local)).positions();
    };
    const auto x = positions("lower"), y = positions("upper");
    double onTable = 0.;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t low = 9 * k + i, high = low + 6;
            onTable += 10. * 20. / 0.05 * (0.05 - x[low][1]);
            // The block above lies on the one below: nearer than where contact begins, and not in it.
            CHECK(y[low][1] - x[high][1] > 0.03);
            CHECK(y[low][1] - x[high][1] < 0.05);
        }
    CHECK(onTable == Approx(20.).epsilon(2e-3));
    for (const auto* node : {"lower", "upper"})
        for (const Vec3& v :
             dynamic_cast<State<Vec3Types>&>(*root->child(node)->get<BaseState>(Search::Local)).velocities())
            CHECK(norm(v) < 1e-2);
}

TEST_CASE("solids rest on solids: a stack of a box, a cylinder and a capsule, moved by one solver")
{
    const auto body = [](const std::string& name, const std::string& position, const std::string& model) {
        return "<Node name='" + name + "'><MechanicalObject template='Rigid3' position='" + position +
               "'/><UniformMass vertexMass='1 1 [0.1 0 0,0 0.1 0,0 0 0.1]'/>" + model + "</Node>";
    };
    const auto root = loadSceneText(
        "<Node name='root' dt='0.01' gravity='0 -10 0'>" + penaltyScene + solver +
            body("box", "0 0.35 0 0 0 0 1", "<OBBCollisionModel extents='0.5 0.3 0.5' contactStiffness='30'/>") +
            body("cylinder", "0 0.95 0 0 0 0 1",
                 "<CylinderCollisionModel radii='0.4' heights='0.4' contactStiffness='30'/>") +
            body("capsule", "0 1.4 0 0 0 0.70710678118654757 0.70710678118654757",
                 "<CapsuleCollisionModel template='Rigid3' radii='0.1' heights='0.5' contactStiffness='30'/>") +
            "<Node name='floor'>" + floorOf(3) + "<UniformMass/><FixedProjectiveConstraint fixAll='1'/></Node></Node>",
        "test.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    for (int step = 0; step < 600; ++step) simulation.step();
    const auto height = [&](const char* node) {
        return root->child(node)->get<BaseState>(Search::Local)->pointPosition(0)[1];
    };
    // Gaps: the weight above, over the stiffnesses of all contacts.
    const double box = 0.35 - 30. / (4 * 30. * 20. / 0.05), cylinder = box + 0.55 - 20. / (8 * 30. * 30. / 0.05),
                 capsule = cylinder + 0.35 - 10. / (2 * 30. * 30. / 0.15);
    CHECK(height("box") == Approx(box).epsilon(1e-4));
    CHECK(height("cylinder") == Approx(cylinder).epsilon(1e-4));
    CHECK(height("capsule") == Approx(capsule).epsilon(1e-4));
}

TEST_CASE("contacts of solids do not depend on the number of threads, nor on the order of primitives")
{
    GeometryRandom random(41);
    std::vector<std::string> frames, extents;
    for (int k = 0; k < 40; ++k) {
        const Quat q = Quat::fromRotationVector(random.point(2.));
        frames.push_back(text(Vec3{1.6 * random(), 0.1 + 0.3 * std::abs(random()), 1.6 * random()}) + text(q[0]) +
                         text(q[1]) + text(q[2]) + text(q[3]));
        extents.push_back(text(Vec3{0.1 + 0.2 * std::abs(random()), 0.15, 0.2}));
    }
    const auto scene = [&](bool turned) {
        std::string x, e;
        for (std::size_t k = 0; k < frames.size(); ++k) {
            const std::size_t i = turned ? frames.size() - 1 - k : k;
            x += frames[i];
            e += extents[i];
        }
        return frame(x, "<OBBCollisionModel extents='" + e + "'/>");
    };
    // What a contact is, with the box by its number in the first order.
    const auto found = [&](bool turned) {
        std::vector<std::tuple<Index, Index, Vec3, Vec3, double>> all;
        for (const DetectedContact& c : Pair(scene(turned), floorOf(12)).contacts())
            all.emplace_back(turned ? static_cast<Index>(frames.size()) - 1 - c.primitive1 : c.primitive1, c.primitive2,
                             c.point1, c.point2, c.value);
        const auto less = [](const auto& p, const auto& q) {
            return std::tuple(std::get<0>(p), std::get<1>(p), std::get<2>(p)[0], std::get<2>(p)[2], std::get<4>(p)) <
                   std::tuple(std::get<0>(q), std::get<1>(q), std::get<2>(q)[0], std::get<2>(q)[2], std::get<4>(q));
        };
        std::sort(all.begin(), all.end(), less);
        return all;
    };
    const auto straight = found(false);
    CHECK(straight.size() > 50);
    CHECK(straight == found(true));
    // The same motion, bit by bit.
    const auto motion = [&](unsigned threads) {
        const unsigned before = threadCount();
        setThreadCount(threads);
        Drop d(
            "<MechanicalObject template='Rigid3' position='0 0.5 0 0.1 0.2 0.3 0.9273618  0.2 1.2 0.1 0 0 0 1  -0.5 "
            "0.6 0.3 0 0 0 1'/><UniformMass vertexMass='1 1 [0.1 0 0,0 0.1 0,0 0 0.1]'/><OBBCollisionModel "
            "extents='0.3 0.2 0.2 0.2 0.2 0.2 0.2 0.3 0.1' selfCollision='1' contactStiffness='30'/>");
        for (int step = 0; step < 150; ++step) d.simulation.step();
        setThreadCount(before);
        return dynamic_cast<State<Rigid3Types>&>(d.state()).velocities();
    };
    const auto one = motion(1);
    CHECK(one == motion(2));
    CHECK(one == motion(5));
}
