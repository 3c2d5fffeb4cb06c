// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "core/behavior/Mass.h"
#include "core/parallel/Parallel.h"
#include "core/topology/BaseMeshTopology.h"
#include "tests/components/collision/SolidScenes.h"
#include "tests/harness/DrawCheck.h"

namespace ray_trace_narrow_phase_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Surface
{
    Vector<Vec3> x;
    Vector<Triangle> triangles;
};

/// The sides of a box, n × n cells each, whose diagonals alternate; each point once.
Surface boxSurface(const Vec3& lower, const Vec3& upper, int n)
{
    Surface s;
    std::map<std::array<int, 3>, Index> numbers;
    const auto point = [&](const std::array<int, 3>& at) {
        const auto [it, isNew] = numbers.emplace(at, static_cast<Index>(s.x.size()));
        if (isNew) {
            Vec3 p;
            for (std::size_t k = 0; k < 3; ++k)
                p[k] = at[k] == n ? upper[k] : lower[k] + (upper[k] - lower[k]) * at[k] / n;
            s.x.push_back(p);
        }
        return it->second;
    };
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const bool high : {false, true})
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    const auto at = [&](int a, int b) {
                        std::array<int, 3> place{};
                        place[axis] = high ? n : 0;
                        place[(axis + 1) % 3] = a;
                        place[(axis + 2) % 3] = b;
                        return point(place);
                    };
                    Index a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
                    if (!high) std::swap(b, d);
                    if ((i + j) % 2 == 0) {
                        s.triangles.push_back({a, b, c});
                        s.triangles.push_back({a, c, d});
                    } else {
                        s.triangles.push_back({b, c, d});
                        s.triangles.push_back({b, d, a});
                    }
                }
    return s;
}

/// An octahedron whose triangles are halved `levels` times, on a ball.
Surface ballSurface(const Vec3& centre, double radius, int levels)
{
    Surface s;
    for (std::size_t k = 0; k < 3; ++k)
        for (const double sign : {1., -1.}) s.x.push_back(Vec3::unit(k) * sign);
    for (const Index x : {0u, 1u})
        for (const Index y : {2u, 3u})
            for (const Index z : {4u, 5u})
                s.triangles.push_back((x + y + z) % 2 == 0 ? Triangle{x, y, z} : Triangle{x, z, y});
    for (int l = 0; l < levels; ++l) {
        std::map<std::pair<Index, Index>, Index> middles;
        Vector<Triangle> finer;
        const auto middle = [&](Index a, Index b) {
            const auto [it, isNew] = middles.emplace(std::minmax(a, b), static_cast<Index>(s.x.size()));
            if (isNew) s.x.push_back(normalized(s.x[a] + s.x[b]));
            return it->second;
        };
        for (const auto& [a, b, c] : s.triangles) {
            const Index ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            for (const Triangle& t : {Triangle{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) finer.push_back(t);
        }
        s.triangles = finer;
    }
    for (Vec3& p : s.x) p = centre + p * radius;
    return s;
}

std::string positionsOf(const Surface& s)
{
    std::string out;
    for (const Vec3& p : s.x) out += text(p);
    return out;
}

std::string meshOf(const Surface& s)
{
    std::string triangles;
    for (const Triangle& t : s.triangles)
        for (const Index v : t) triangles += std::to_string(v) + " ";
    return "<MeshTopology position='" + positionsOf(s) + "' triangles='" + triangles +
           "'/><MechanicalObject template='Vec3' position='" + positionsOf(s) + "'/>";
}

std::string modelOf(const Surface& s, const std::string& model = "TriangleOctreeCollisionModel",
                    const std::string& data = "")
{
    return meshOf(s) + "<" + model + " name='model' " + data + "/>";
}

/// Nodes "a" and "b", all phases, and no response.
struct Detected
{
    Detected(const std::string& a, const std::string& b, const std::string& ofRoot = "")
        : root(loadSceneText("<Node name='root' gravity='0 0 0' " + ofRoot +
                                 "><CollisionPipeline/><BruteForceBroadPhase/><RayTraceNarrowPhase name='rays'/>"
                                 "<NewProximityIntersection alarmDistance='0.5' contactDistance='0.1'/>"
                                 "<CollisionResponse response='nullptr'/><Node name='a'>" +
                                 a + "</Node><Node name='b'>" + b + "</Node></Node>",
                             "test.scn"))
    {
        REQUIRE(root);
        Simulation simulation(root);
        REQUIRE(simulation.init());
        simulation.step();
        for (const DetectionOutput* o : root->get<CollisionPipeline>(Search::Local)->detected()) {
            ++pairs;
            const bool swapped = o->models.first->node()->name() == "b";
            for (DetectedContact c : o->contacts) {
                if (swapped) c.swapPrimitives();
                contacts.push_back(c);
            }
        }
        for (const Message& m : root->component("rays")->messages()) messages += m.text + "\n";
    }
    std::shared_ptr<Node> root;
    std::size_t pairs = 0;
    Vector<DetectedContact> contacts;  ///< from a to b
    std::string messages;
};

struct Box
{
    Vec3 lower, upper;
    bool contains(const Vec3& p) const
    {
        for (std::size_t k = 0; k < 3; ++k)
            if (!(lower[k] <= p[k] && p[k] <= upper[k])) return false;
        return true;
    }
    /// Where a ray from a point in the box leaves it.
    double leaves(const Vec3& p, const Vec3& d) const
    {
        double t = 1e30;
        for (std::size_t k = 0; k < 3; ++k)
            if (d[k] != 0.) t = std::min(t, ((d[k] > 0. ? upper[k] : lower[k]) - p[k]) / d[k]);
        return t;
    }
    /// At a point of the surface: that of the side, or the mean of those that meet there.
    Vec3 normal(const Vec3& p) const
    {
        Vec3 n;
        for (std::size_t k = 0; k < 3; ++k) n[k] = p[k] == upper[k] ? 1. : p[k] == lower[k] ? -1. : 0.;
        return normalized(n);
    }
};

struct Expected
{
    Vec3 p, q, normal;
    double value;
};

/// What the rays from the points of box a find.
std::vector<Expected> fromBox(const Surface& s, const Box& a, const Box& b)
{
    std::vector<Expected> out;
    for (const Vec3& p : s.x) {
        if (!b.contains(p)) continue;
        const Vec3 n = a.normal(p);
        const double t = b.leaves(p, -n);
        if (t <= a.leaves(p, -n)) out.push_back({p, p - n * t, n, -t});
    }
    return out;
}

bool isClose(const DetectedContact& c, const Expected& e)
{
    return norm(c.point1 - e.p) < 1e-12 && norm(c.point2 - e.q) < 1e-12 && norm(c.normal - e.normal) < 1e-12 &&
           std::abs(c.value - e.value) < 1e-12;
}

bool isEqual(const Vector<DetectedContact>& a, const Vector<DetectedContact>& b)
{
    return std::ranges::equal(a, b, [](const DetectedContact& x, const DetectedContact& y) {
        return x.primitive1 == y.primitive1 && x.primitive2 == y.primitive2 && x.id == y.id && x.point1 == y.point1 &&
               x.point2 == y.point2 && x.normal == y.normal && x.value == y.value && x.weights1 == y.weights1 &&
               x.weights2 == y.weights2;
    });
}

Vec3 pointBy(const CollisionModel& m, Index primitive, const PrimitiveWeights& w)
{
    Vec3 p;
    for (std::size_t k = 0; k < 3; ++k) p += m.vertex(primitive, k) * w[k];
    return p;
}

}  // namespace

TEST_CASE("rays through the common part of two boxes: points, depths and normals in closed form")
{
    // The second box stands on the first one, sunk in by 0.15, and shifted so that no points coincide.
    const Box a{{-1, 0, -1}, {1, 1, 1}}, b{{-0.71, 0.85, -0.62}, {1.33, 1.6, 0.77}};
    const Surface meshA = boxSurface(a.lower, a.upper, 5), meshB = boxSurface(b.lower, b.upper, 6);
    const Detected d(modelOf(meshA), modelOf(meshB));
    std::vector<Expected> expected = fromBox(meshA, a, b);
    const std::size_t fromFirst = expected.size();
    for (Expected e : fromBox(meshB, b, a)) {
        std::swap(e.p, e.q);
        expected.push_back({e.p, e.q, -e.normal, e.value});
    }
    REQUIRE(fromFirst > 4);
    REQUIRE(expected.size() > fromFirst + 4);
    CHECK(d.pairs == 1);
    REQUIRE(d.contacts.size() == expected.size());
    for (const Expected& e : expected)
        CHECK(std::ranges::count_if(d.contacts, [&](const auto& c) { return isClose(c, e); }) == 1);
    // A point in the middle of the top looks straight down.
    CHECK(std::ranges::any_of(d.contacts, [](const auto& c) {
        return c.normal == Vec3{0, 1, 0} && std::abs(c.value + 0.15) < 1e-12;
    }));
    std::set<std::int64_t> ids;
    const auto models = d.root->getAll<CollisionModel>(Search::Down);
    for (const DetectedContact& c : d.contacts) {
        ids.insert(c.id);
        CHECK(norm(pointBy(*models[0], c.primitive1, c.weights1) - c.point1) < 1e-14);
        CHECK(norm(pointBy(*models[1], c.primitive2, c.weights2) - c.point2) < 1e-14);
    }
    CHECK(ids.size() == d.contacts.size());
    CHECK(d.messages.empty());
}

TEST_CASE("rays through the common part of two balls: depths converge with the square of the edges")
{
    const Vec3 centreA{0, 0, 0}, centreB{0.3, 1.55, 0.2};
    const double radiusA = 1., radiusB = 0.8;
    // Where a ray from p towards the centre of the first ball leaves the second one, and the same with both exchanged.
    const auto leaves = [](const Vec3& p, const Vec3& d, const Vec3& centre, double radius) {
        const double along = dot(centre - p, d);
        return along + std::sqrt(radius * radius - norm2(centre - p) + along * along);
    };
    double before = 0.;
    for (const int level : {3, 4, 5}) {
        const Surface meshA = ballSurface(centreA, radiusA, level), meshB = ballSurface(centreB, radiusB, level);
        const Detected d(modelOf(meshA), modelOf(meshB));
        double worst = 0.;
        for (const DetectedContact& c : d.contacts) {
            const bool first = c.weights1[0] == 1. || c.weights1[1] == 1. || c.weights1[2] == 1.;
            const Vec3 p = first ? c.point1 : c.point2;
            const Vec3 inwards = normalized((first ? centreA : centreB) - p);
            const double depth = leaves(p, inwards, first ? centreB : centreA, first ? radiusB : radiusA);
            worst = std::max(worst, std::abs(c.value + depth));
            CHECK(norm((first ? c.normal : -c.normal) + inwards) < 0.3 * std::pow(0.5, level));
            CHECK(norm(cross(c.point2 - c.point1, c.normal)) < 1e-14);
        }
        // All points that are clearly within the other ball, and none that are clearly outside.
        std::size_t surely = 0, perhaps = 0;
        const double doubt = 0.5 * std::pow(0.25, level);
        for (const auto& [mesh, centre, radius] : {std::tuple(&meshA, centreB, radiusB), {&meshB, centreA, radiusA}})
            for (const Vec3& p : mesh->x) {
                surely += norm(p - centre) < radius - doubt;
                perhaps += norm(p - centre) < radius;
            }
        REQUIRE(surely > 10);
        CHECK(d.contacts.size() >= surely);
        CHECK(d.contacts.size() <= perhaps);
        if (before > 0.) CHECK(worst < 0.4 * before);
        before = worst;
    }
}

TEST_CASE("bodies that do not overlap have no contacts, nor has a body with itself")
{
    const Surface a = boxSurface({-1, 0, -1}, {1, 1, 1}, 3);
    // Nearer than the contact distance.
    CHECK(Detected(modelOf(a), modelOf(boxSurface({-1, 1.001, -1}, {1, 2, 1}, 3))).contacts.empty());
    // One within the other: rays leave their own surface first.
    CHECK(Detected(modelOf(a), modelOf(boxSurface({-0.5, 0.2, -0.5}, {0.5, 0.7, 0.5}, 3))).contacts.empty());
    const std::string itself = "selfCollision='1'";
    CHECK(Detected(modelOf(a, "TriangleOctreeCollisionModel", itself), "").contacts.empty());
}

TEST_CASE("bodies whose sides lie in one plane overlap as all others do")
{
    const Box a{{-1, 0, -1}, {1, 1, 1}}, b{{-1, 0.4, -1}, {1, 2, 1}};
    const Detected d(modelOf(boxSurface(a.lower, a.upper, 4)), modelOf(boxSurface(b.lower, b.upper, 4)));
    // The points of the top of the one and of the bottom of the other, with those of edges and corners. Points of the
    // sides look at the opposite sides of both, which are in one place: q is not within the own body.
    CHECK(d.contacts.size() == 25 + 25);
    for (const DetectedContact& c : d.contacts) {
        CHECK(c.normal[1] > 0.5);
        CHECK(c.value == Approx(-0.6 / c.normal[1]));
    }
    // Where they only touch there is none.
    CHECK(Detected(modelOf(boxSurface(a.lower, a.upper, 4)), modelOf(boxSurface({-1, 1, -1}, {1, 2, 1}, 4)))
              .contacts.empty());
}

TEST_CASE("a sheet pushes what has sunk through it; it sends no rays of its own")
{
    Surface sheet;
    sheet.x = {{-5, 0.1, -5}, {-5, 0.1, 5}, {5, 0.1, 5}, {5, 0.1, -5}};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    const Box box{{-1, 0, -1}, {1, 1, 1}};
    const Surface mesh = boxSurface(box.lower, box.upper, 4);
    const Detected d(modelOf(mesh), modelOf(sheet));
    // The points of the bottom, from which the ray passes the sheet within the box.
    REQUIRE(d.contacts.size() == 25);
    for (const DetectedContact& c : d.contacts) {
        CHECK(c.point1[1] == 0.);
        CHECK(c.point2[1] == Approx(0.1).margin(1e-15));
        CHECK(norm(c.normal - box.normal(c.point1)) < 1e-14);
        CHECK(c.value == Approx(0.1 / box.normal(c.point1)[1]));
    }
    // One that faces down pushes the other part of the box, upwards of it.
    for (Triangle& t : sheet.triangles) std::swap(t[0], t[1]);
    const Detected turned(modelOf(mesh), modelOf(sheet));
    REQUIRE(turned.contacts.size() == 25);
    for (const DetectedContact& c : turned.contacts) {
        CHECK(c.point1[1] == 1.);
        CHECK(c.value == Approx(-0.9 / box.normal(c.point1)[1]));
    }
}

TEST_CASE("normals do not depend on the diagonals of a side, except in SOFA's way")
{
    const Box a{{-1, 0, -1}, {1, 1, 1}}, b{{-2, 0.9, -2}, {2, 2, 2}};
    const auto at = [&](const std::string& data) {
        const Detected d(modelOf(boxSurface(a.lower, a.upper, 1)), modelOf(boxSurface(b.lower, b.upper, 1)), data);
        std::map<std::array<double, 3>, Vec3> normals;
        for (const DetectedContact& c : d.contacts) normals[{c.point1[0], c.point1[1], c.point1[2]}] = c.normal;
        return normals;
    };
    const auto exact = at("");
    CHECK(exact.size() == 4);
    for (const auto& [p, n] : exact) CHECK(norm(n - a.normal({p[0], p[1], p[2]})) < 1e-14);
    // There each triangle counts the same: of a corner one or two of each side.
    const auto sofa = at("compatibility='sofa'");
    CHECK(sofa.size() == 4);
    double most = 0.;
    for (const auto& [p, n] : sofa) {
        most = std::max(most, norm(n - a.normal({p[0], p[1], p[2]})));
        const Vec3 scaled = n / std::min({std::abs(n[0]), std::abs(n[1]), std::abs(n[2])});
        for (std::size_t k = 0; k < 3; ++k)
            CHECK(std::min(std::abs(std::abs(scaled[k]) - 1.), std::abs(std::abs(scaled[k]) - 2.)) < 1e-14);
    }
    CHECK(most > 0.1);
}

TEST_CASE("all models of triangles are traced, quads as two; others are told")
{
    const Surface a = boxSurface({-1, 0, -1}, {1, 1, 1}, 3), b = boxSurface({-0.8, 0.9, -0.8}, {0.7, 2, 0.9}, 3);
    const Vector<DetectedContact> reference = Detected(modelOf(a), modelOf(b)).contacts;
    REQUIRE(reference.size() > 20);
    for (const std::string name : {"TriangleCollisionModel", "TriangleModelInRegularGrid", "TriangleOctreeModel"})
        CHECK(isEqual(Detected(modelOf(a, name), modelOf(b, name)).contacts, reference));

    const std::string cube =
        "<MeshTopology position='@points.position' quads='0 1 2 3  7 6 5 4  0 4 5 1  1 5 6 2  2 6 7 3  3 7 4 0'/>"
        "<MechanicalObject name='points' template='Vec3' position='-1 0 -1  1 0 -1  1 0 1  -1 0 1  "
        "-1 1 -1  1 1 -1  1 1 1  -1 1 1'/><TriangleOctreeCollisionModel/>";
    const Detected quads(cube, modelOf(boxSurface({-2, 0.9, -2}, {2, 2, 2}, 1)));
    CHECK(quads.contacts.size() == 4);
    for (const DetectedContact& c : quads.contacts)
        CHECK(norm(c.normal - normalized(Vec3{c.point1[0], 1, c.point1[2]})) < 1e-14);

    const std::string ball = "<MechanicalObject position='0 1.1 0'/><SphereCollisionModel name='model' radius='0.5'/>";
    const Detected balls(modelOf(a), ball);
    CHECK(balls.contacts.empty());
    CHECK_THAT(balls.messages, Catch::Contains("compares surfaces of triangles only: '/b/model' has spheres"));
    // Points and lines beside triangles need no message.
    const std::string all = "<PointCollisionModel/><LineCollisionModel/>";
    const Detected beside(modelOf(a) + all, modelOf(b) + all);
    CHECK(beside.contacts.size() == reference.size());
    CHECK(beside.messages.empty());
}

TEST_CASE("rays find the same on any number of threads")
{
    const std::string a = modelOf(ballSurface({0, 0, 0}, 1., 4)), b = modelOf(ballSurface({0.9, 0.8, 0.1}, 1., 4));
    const unsigned before = threadCount();
    Vector<DetectedContact> reference;
    for (const unsigned threads : {1u, 2u, 7u}) {
        setThreadCount(threads);
        const Detected d(a, b);
        if (threads == 1) reference = d.contacts;
        CHECK(isEqual(d.contacts, reference));
    }
    setThreadCount(before);
    CHECK(reference.size() > 128);
}

TEST_CASE("two soft blocks that meet fly apart again with their momentum, and without more energy")
{
    // Without a contact distance the penalty force is the derivative of an energy that begins at 0 with the contact.
    const auto block = [](const std::string& name, double y) {
        const Surface skin = boxSurface({-0.5, y, -0.5}, {0.5, y + 1., 0.5}, 4);
        return "<Node name='" + name + "'><RegularGridTopology n='3 3 3' min='-0.5 " + text(y) + " -0.5' max='0.5 " +
               text(y + 1.) +
               " 0.5'/><MechanicalObject name='state' template='Vec3'/><UniformMass totalMass='1'/>"
               "<HexahedronFEMForceField youngModulus='5000' poissonRatio='0.3' method='large'/><Node name='skin'>" +
               modelOf(skin, "TriangleOctreeCollisionModel", "contactStiffness='10'") +
               "<BarycentricMapping/></Node></Node>";
    };
    const auto root = loadSceneText(
        "<Node name='root' dt='0.002' gravity='0 0 0'><CollisionPipeline name='pipeline'/><BruteForceBroadPhase/>"
        "<RayTraceNarrowPhase/><NewProximityIntersection alarmDistance='0.1' contactDistance='0'/>"
        "<CollisionResponse response='PenalityContactForceField'/><DefaultAnimationLoop/>"
        "<EulerImplicitSolver rayleighStiffness='0' rayleighMass='0'/>"
        "<CGLinearSolver iterations='500' tolerance='1e-14' threshold='1e-20'/>" +
            block("lower", 0.) + block("upper", 1.01) + "</Node>",
        "test.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    auto* pipeline = root->get<CollisionPipeline>(Search::Local);
    std::vector<State<Vec3Types>*> states;
    std::vector<BaseMass*> masses;
    for (const char* name : {"lower", "upper"}) {
        Node& node = *root->child(name);
        states.push_back(node.get<State<Vec3Types>>(Search::Local));
        masses.push_back(node.get<BaseMass>(Search::Local));
        const double speed = states.size() == 1 ? 0. : -1.;
        for (Vec3& v : states.back()->write(vec_id::velocity)) v = {0., speed, 0.};
    }
    const auto meanVelocity = [&](std::size_t k) {
        Vec3 sum;
        for (const Vec3& v : states[k]->velocities()) sum += v;
        return sum / static_cast<double>(states[k]->size());
    };
    std::size_t most = 0;
    for (int step = 0; step < 400; ++step) {
        simulation.step();
        std::size_t now = 0;
        for (const DetectionOutput* o : pipeline->detected()) now += o->contacts.size();
        most = std::max(most, now);
        CHECK(norm(meanVelocity(0) + meanVelocity(1) - Vec3{0, -1, 0}) < 1e-9);
        double energy = 0.;
        for (BaseMass* m : masses) energy += m->kineticEnergy(MechanicalParams());
        CHECK(energy <= 0.5 * (1. + 1e-9));
    }
    // At least the points within both sides touched, those of edges and corners not always: the blocks are as wide. In
    // the end nothing does, and the first one has the momentum of the second.
    CHECK(most >= 18);
    CHECK(most <= 50);
    CHECK(pipeline->detected().empty());
    CHECK(meanVelocity(0)[1] < -0.6);
    CHECK(meanVelocity(1)[1] > -0.4);
    CHECK(states[1]->positions()[0][1] > states[0]->positions().back()[1]);
}

TEST_CASE("the names of 2011 stand for both phases")
{
    for (const auto& [old, narrow] : {std::pair<std::string, std::string>{"RayTraceDetection", "RayTraceNarrowPhase"},
                                      {"BruteForceDetection", "BVHNarrowPhase"}}) {
        const auto root = loadSceneText("<Node name='root'><" + old + "/></Node>", "test.scn");
        REQUIRE(root);
        REQUIRE(root->get<BroadPhase>(Search::Local));
        CHECK(root->get<BroadPhase>(Search::Local)->className() == "BruteForceBroadPhase");
        REQUIRE(root->get<NarrowPhase>(Search::Local));
        CHECK(root->get<NarrowPhase>(Search::Local)->className() == narrow);
    }
}

TEST_CASE("the boxes through which rays go are drawn with the triangles")
{
    const Surface a = boxSurface({-1, 0, -1}, {1, 1, 1}, 2), b = boxSurface({-1, 0.9, -1}, {1, 2, 1}, 2);
    const auto lines = [&](const std::string& draw, const std::string& flags) {
        const Detected d(modelOf(a, "TriangleOctreeCollisionModel", "drawOctree='" + draw + "'"), modelOf(b));
        return Drawing(*d.root->child("a")->component("model"), flags).solids +
               Drawing(*d.root->child("a")->component("model"), flags).lines;
    };
    CHECK(lines("1", "showCollisionModels") > lines("0", "showCollisionModels"));
    CHECK(lines("1", "showVisualModels") == 0);
    CHECK(lines("1", "showAll") == lines("0", "showAll"));
}

}  // namespace ray_trace_narrow_phase_test
