// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <random>

#include "components/collision/PenalityContactForceField.h"
#include "core/collision/CollisionDetection.h"
#include "core/collision/ContactResponse.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace collision_test {

using namespace sofa;
using namespace sofa::core;
using component::PenalityContactForceField;

namespace {

std::shared_ptr<Node> load(const std::string& text) { return loadSceneText(text, "test.scn"); }

/// The contacts that a method finds between the models "a" and "b" of two nodes.
Vector<DetectedContact> contactsOf(const std::string& method, const std::string& a, const std::string& b,
                                   const std::string& settings = "alarmDistance='1' contactDistance='0.25'")
{
    const std::shared_ptr<Node> root = load("<Node name='root'><" + method + " name='method' " + settings +
                                            "/><Node name='a'>" + a + "</Node><Node name='b'>" + b + "</Node></Node>");
    REQUIRE(root != nullptr);
    REQUIRE(initGraph(*root));
    auto* first = root->child("a")->get<CollisionModel>(Search::Local);
    auto* second = root->child("b")->get<CollisionModel>(Search::Local);
    auto* m = root->get<IntersectionMethod>(Search::Local);
    REQUIRE((first && second && m));
    first->update();
    second->update();
    bool swapped = false;
    const PrimitiveTest test = m->find(first->shape(), second->shape(), swapped);
    Vector<DetectedContact> out;
    if (!test) return out;
    if (swapped) std::swap(first, second);
    for (Index i = 0; i < first->size(); ++i)
        for (Index j = 0; j < second->size(); ++j) test(*m, *first, i, *second, j, out);
    return out;
}

std::string points(const std::string& positions, const std::string& model)
{
    return "<MechanicalObject position='" + positions + "'/>" + model;
}

void checkContact(const DetectedContact& c, const Vec3& p, const Vec3& q, double value)
{
    CHECK(norm(c.point1 - p) < 1e-14);
    CHECK(norm(c.point2 - q) < 1e-14);
    CHECK(norm(c.normal) == Approx(1.).epsilon(1e-14));
    if (norm(q - p) > 0.) CHECK(norm(c.normal - (q - p) / norm(q - p)) < 1e-14);
    CHECK(c.value == Approx(value).margin(1e-14));
}

const std::string triangle = points("0 0 0 2 0 0 0 2 0", "<MeshTopology triangles='0 1 2'/><TriangleCollisionModel/>"),
                  line = points("0 0 0 2 0 0", "<MeshTopology edges='0 1'/><LineCollisionModel/>");

}  // namespace

TEST_CASE("contacts of near primitives are their nearest points, with the distance beyond that of contact")
{
    const std::string method = "MinProximityIntersection";
    SECTION("points")
    {
        const auto c = contactsOf(method, points("0 0 0", "<PointCollisionModel/>"),
                                  points("0 0.5 0  0 2 0", "<PointCollisionModel contactDistance='0.1'/>"));
        REQUIRE(c.size() == 1);
        checkContact(c[0], {}, {0., 0.5, 0.}, 0.5 - 0.25 - 0.1);
    }
    SECTION("a point and a triangle: only above its inside")
    {
        const auto c =
            contactsOf(method, points("0.5 0.25 -0.5  1.5 1.5 0.1  -0.1 0.5 0.1", "<PointCollisionModel/>"), triangle);
        REQUIRE(c.size() == 1);
        checkContact(c[0], {0.5, 0.25, 0.}, {0.5, 0.25, -0.5}, 0.25);
        CHECK(c[0].primitive2 == 0);
    }
    SECTION("a point and a line, its ends included")
    {
        const auto c = contactsOf(method, line, points("0.5 0.5 0  -0.3 0 0.4  5 0 0", "<PointCollisionModel/>"));
        REQUIRE(c.size() == 2);
        checkContact(c[0], {0.5, 0., 0.}, {0.5, 0.5, 0.}, 0.25);
        checkContact(c[1], {}, {-0.3, 0., 0.4}, 0.25);
    }
    SECTION("lines that cross")
    {
        const auto c = contactsOf(
            method, line,
            points("0.5 -1 0.5  0.5 3 0.5  3 -1 0  3 1 0", "<MeshTopology edges='0 1 2 3'/><LineCollisionModel/>"));
        REQUIRE(c.size() == 1);
        checkContact(c[0], {0.5, 0., 0.}, {0.5, 0., 0.5}, 0.25);
    }
    SECTION("spheres against each other, lines and triangles")
    {
        const auto s = contactsOf(method, points("0 0 0", "<SphereCollisionModel radius='0.5'/>"),
                                  points("0 2 0", "<SphereCollisionModel listRadius='0.75'/>"));
        REQUIRE(s.size() == 1);
        checkContact(s[0], {}, {0., 2., 0.}, 2. - 1.25 - 0.25);
        // Off the middle of the line, where SOFA takes the mirrored point.
        const auto l = contactsOf(method, line, points("0.25 1 0", "<SphereCollisionModel radius='0.5'/>"));
        REQUIRE(l.size() == 1);
        checkContact(l[0], {0.25, 0., 0.}, {0.25, 1., 0.}, 0.25);
        const auto t = contactsOf(method, triangle, points("0.25 0.5 1", "<SphereCollisionModel radius='0.5'/>"));
        REQUIRE(t.size() == 1);
        checkContact(t[0], {0.25, 0.5, 0.}, {0.25, 0.5, 1.}, 0.25);
    }
    SECTION("what is switched off, and triangles without area")
    {
        CHECK(contactsOf(method, points("0 0 0", "<PointCollisionModel/>"), points("0 0.1 0", "<PointCollisionModel/>"),
                         "usePointPoint='0'")
                  .empty());
        CHECK(contactsOf(method,
                         points("0 0 0 1 0 0 2 0 0", "<MeshTopology triangles='0 1 2'/><TriangleCollisionModel/>"),
                         points("0.5 0.1 0", "<PointCollisionModel/>"))
                  .empty());
    }
}

TEST_CASE("the nearest points of lines and of triangles and points are nearer than any others")
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> value(-1., 1.);
    const auto text = [&](int n) {
        std::string s;
        for (int k = 0; k < 3 * n; ++k) s += std::to_string(value(random)) + " ";
        return s;
    };
    int found = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const bool lines = trial % 2 == 0;
        const std::string a = text(lines ? 2 : 3), b = text(lines ? 2 : 1);
        const auto c =
            contactsOf("MinProximityIntersection",
                       points(a, lines ? "<MeshTopology edges='0 1'/><LineCollisionModel/>"
                                       : "<MeshTopology triangles='0 1 2'/><TriangleCollisionModel/>"),
                       points(b, lines ? "<MeshTopology edges='0 1'/><LineCollisionModel/>" : "<PointCollisionModel/>"),
                       "alarmDistance='5' contactDistance='0'");
        if (c.empty()) continue;
        ++found;
        Vector<Vec3> pa, pb;
        REQUIRE(parseText(a, pa, *std::make_unique<std::string>()));
        REQUIRE(parseText(b, pb, *std::make_unique<std::string>()));
        for (int s = 0; s <= 20; ++s)
            for (int t = 0; t <= 20; ++t) {
                const double u = s / 20., v = t / 20.;
                if (!lines && u + v > 1.) continue;
                const Vec3 p = lines ? pa[0] + (pa[1] - pa[0]) * u : pa[0] + (pa[1] - pa[0]) * u + (pa[2] - pa[0]) * v;
                const Vec3 q = lines ? pb[0] + (pb[1] - pb[0]) * v : pb[0];
                CHECK(c[0].value <= norm(q - p) + 1e-12);
            }
        CHECK(c[0].value == Approx(norm(c[0].point2 - c[0].point1)));
    }
    CHECK(found > 10);
}

TEST_CASE("discrete contacts: spheres through triangles, lines through triangles")
{
    const auto s = contactsOf("DiscreteIntersection",
                              points("0.5 0.5 0.3  5 5 0.1", "<SphereCollisionModel radius='0.5'/>"), triangle, "");
    REQUIRE(s.size() == 1);
    CHECK(s[0].value == Approx(-0.2));
    CHECK(norm(s[0].normal + Vec3{0., 0., 1.}) < 1e-14);
    CHECK(norm(s[0].point2 - Vec3{0.5, 0.5, 0.}) < 1e-14);
    const auto below = contactsOf(
        "DiscreteIntersection", points("0.5 0.5 -0.3  1 -0.2 0.1  -0.1 -0.1 0", "<SphereCollisionModel radius='0.5'/>"),
        triangle, "");
    REQUIRE(below.size() == 3);
    CHECK(norm(below[0].normal - Vec3{0., 0., 1.}) < 1e-14);
    CHECK(norm(below[1].point2 - Vec3{1., 0., 0.}) < 1e-14);
    CHECK(below[1].value == Approx(std::sqrt(0.05) - 0.5));
    CHECK(norm(below[2].point2) < 1e-14);
    const auto l = contactsOf("DiscreteIntersection", triangle,
                              points("0.5 0.25 -1  0.5 0.25 3  3 3 -1  3 3 1  0 0 1  1 1 1",
                                     "<MeshTopology edges='0 1 2 3 4 5'/><LineCollisionModel/>"),
                              "");
    REQUIRE(l.size() == 1);
    CHECK(norm(l[0].point1 - Vec3{0.5, 0.25, 0.}) < 1e-14);
    CHECK(l[0].primitive2 == 0);
}

TEST_CASE("of contacts with one id the nearest is kept, the first of equal ones")
{
    Vector<DetectedContact> c(6);
    const std::int64_t ids[] = {4, 2, 4, 7, 2, 4};
    const double values[] = {1., 3., 0.5, 1., 3., 0.5};
    for (std::size_t k = 0; k < 6; ++k) {
        c[k].id = ids[k];
        c[k].value = values[k];
        c[k].primitive1 = static_cast<Index>(k);
    }
    keepNearest(c);
    REQUIRE(c.size() == 3);
    CHECK(c[0].primitive1 == 1);
    CHECK(c[1].primitive1 == 2);
    CHECK(c[2].primitive1 == 3);
}

TEST_CASE("penalty contacts obey the laws of force fields")
{
    for (const bool same : {false, true}) {
        Node root;
        auto& a = test::addState<Vec3Types>(root, {{0., 0., 0.}, {1., 0., 0.}, {0., 2., 0.}});
        Node other;
        auto& b = test::addState<Vec3Types>(other, {{0.1, 0.2, 0.}, {1., 0.1, 0.3}});
        auto force = std::make_shared<PenalityContactForceField>();
        force->l_state1.set(&a);
        force->l_state2.set(same ? &a : &b);
        root.addComponent(force);
        const double r = 1. / std::sqrt(3.);
        // Deep ones, far from the edge of contact for the displacements of the check, and one that is open.
        force->setContacts(
            {{0, 1, {0., 1., 0.}, 3., 40.}, {2, 0, {r, -r, r}, 7., 15.}, {1, 0, {1., 0., 0.}, -9., 1e3}});
        REQUIRE(test::initialise(root));
        test::checkForceField(*force, {.displacement = 0.1});
    }
}

namespace {

const std::string pipeline =
    "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/><DefaultAnimationLoop/>"
    "<CollisionResponse response='PenalityContactForceField'/>";

struct Scene
{
    explicit Scene(const std::string& text) : root(load(text)), simulation(root) { REQUIRE(simulation.init()); }
    Vec3 position(const std::string& node, Index i = 0) const
    {
        return root->child(node)->get<BaseState>(Search::Local)->pointPosition(i);
    }
    unsigned contacts() const
    {
        return static_cast<unsigned>(
            std::stoi(root->get<CollisionPipeline>(Search::Local)->findData("contactCount")->text()));
    }
    std::shared_ptr<Node> root;
    Simulation simulation;
};

}  // namespace

TEST_CASE("a ball comes to rest where the penalty force carries it")
{
    // Depth of rest δ = m g / k, with k the product of the stiffnesses over the distance at which contact begins.
    for (const std::string shape : {"Vec3", "Rigid3"}) {
        const bool rigid = shape == "Rigid3";
        Scene s(
            "<Node name='root' dt='0.01' gravity='0 -10 0'><MinProximityIntersection alarmDistance='0.5' "
            "contactDistance='0.1'/>" +
            pipeline +
            "<Node name='ball'><EulerImplicitSolver rayleighMass='2'/><CGLinearSolver iterations='50' "
            "tolerance='1e-14' "
            "threshold='1e-20'/><MechanicalObject template='" +
            shape + "' position='0.2 1 0.3" + (rigid ? " 0 0 0 1" : "") + "'/><UniformMass vertexMass='2" +
            (rigid ? " 1 [1 0 0,0 1 0,0 0 1]" : "") + "'/><SphereCollisionModel template='" + shape +
            "' radius='0.5' contactStiffness='30'/></Node><Node name='floor'><MechanicalObject position='-5 0 -5 5 0 "
            "-5 0 "
            "0 9'/><MeshTopology triangles='0 2 1'/><TriangleCollisionModel contactStiffness='20' simulated='0' "
            "moving='0'/></Node></Node>");
        for (int step = 0; step < 800; ++step) s.simulation.step();
        const double begin = 0.1 + 0.5, stiffness = 30. * 20. / begin;
        CHECK(s.contacts() == 1);
        CHECK(s.position("ball")[1] == Approx(begin - 2. * 10. / stiffness).epsilon(1e-6));
        CHECK(s.position("ball")[0] == Approx(0.2).margin(1e-9));
    }
}

TEST_CASE("contacts come and go with their nodes and forces; reset takes them away")
{
    Scene s("<Node name='root' dt='0.01' gravity='0 0 0'><DiscreteIntersection/>" + pipeline +
            "<Node name='ball'><EulerExplicitSolver/><MechanicalObject position='0 2 0' velocity='0 -2 0'/>"
            "<UniformMass vertexMass='1'/><SphereCollisionModel radius='0.5' contactStiffness='10'/></Node><Node "
            "name='wall'>"
            "<MechanicalObject position='-5 0 -5 5 0 -5 0 0 9'/><MeshTopology triangles='0 2 1'/>"
            "<TriangleCollisionModel contactStiffness='10' simulated='0' moving='0'/></Node></Node>");
    const auto structure = [&] {
        std::size_t n = 0;
        for (const Node* node : s.root->descendants(true)) n += 1 + node->components().size();
        return n;
    };
    const std::size_t before = structure();
    bool touched = false, left = false;
    for (int step = 0; step < 400 && !left; ++step) {
        s.simulation.step();
        if (s.contacts() > 0) {
            touched = true;
            CHECK(structure() > before);
        } else if (touched) {
            left = true;
            CHECK(structure() == before);
        }
    }
    CHECK(touched);
    CHECK(left);
    // Thrown back with the speed with which it came, as far as the explicit integrator keeps energy.
    const auto& v = dynamic_cast<State<Vec3Types>&>(*s.root->child("ball")->get<BaseState>(Search::Local)).velocities();
    CHECK(v[0][1] == Approx(2.).epsilon(0.05));
    s.simulation.reset();
    CHECK(structure() == before);
    for (int step = 0; step < 100 && s.contacts() == 0; ++step) s.simulation.step();
    CHECK(structure() > before);
    s.simulation.reset();
    CHECK(structure() == before);
}

TEST_CASE("models of a group, of a node, and those that nothing moves are not compared")
{
    const auto contacts = [](const std::string& a, const std::string& b, bool oneNode = false) {
        const std::string ball = "<SphereCollisionModel radius='1' ";
        const std::string nodeA = "<MechanicalObject position='0 0 0'/>" + ball + a + "/>",
                          nodeB = "<MechanicalObject position='0 1 0'/>" + ball + b + "/>";
        Scene s("<Node name='root' gravity='0 0 0'><DiscreteIntersection/>" + pipeline +
                (oneNode ? "<Node><MechanicalObject position='0 0 0'/>" + ball + a + "/>" + ball + b + "/></Node>"
                         : "<Node name='a'>" + nodeA + "</Node><Node name='b'>" + nodeB + "</Node>") +
                "</Node>");
        s.simulation.step();
        return s.contacts();
    };
    CHECK(contacts("", "") == 1);
    CHECK(contacts("group='1 2'", "group='2'") == 0);
    CHECK(contacts("group='1'", "group='2'") == 1);
    CHECK(contacts("group='1'", "") == 1);
    CHECK(contacts("simulated='0'", "") == 1);
    CHECK(contacts("simulated='0'", "simulated='0'") == 0);
    CHECK(contacts("active='0'", "") == 0);
    CHECK(contacts("", "", true) == 0);
    CHECK(contacts("selfCollision='1'", "selfCollision='1'", true) == 1);
}

TEST_CASE("the candidates of the narrow phase are those of a comparison of every two primitives")
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> value(0., 4.);
    std::string a, b;
    for (int k = 0; k < 3 * 300; ++k) {
        a += std::to_string(value(random)) + " ";
        b += std::to_string(value(random)) + " ";
    }
    const std::string ballA = points(a, "<SphereCollisionModel radius='0.15'/>"),
                      ballB = points(b, "<SphereCollisionModel radius='0.1'/>");
    const auto all =
        contactsOf("MinProximityIntersection", ballA, ballB, "alarmDistance='0.05' contactDistance='0.01'");
    Scene s(
        "<Node name='root' gravity='0 0 0'><MinProximityIntersection alarmDistance='0.05' contactDistance='0.01'/>" +
        pipeline + "<Node name='a'>" + ballA + "</Node><Node name='b'>" + ballB + "</Node></Node>");
    s.simulation.step();
    CHECK(all.size() > 100);
    CHECK(s.contacts() == all.size());
}

TEST_CASE("a scene that cannot collide says why")
{
    const auto fails = [](const std::string& text) {
        const std::shared_ptr<Node> root = load(text);
        return !root || !Simulation(root).init();
    };
    CHECK(fails("<Node><CollisionResponse response='NoSuchResponse'/></Node>"));
    CHECK(fails("<Node><MechanicalObject position='0 0 0'/><TriangleCollisionModel/></Node>"));
    CHECK(fails(
        "<Node><MechanicalObject position='0 0 0'/><MeshTopology triangles='0 1 2'/><TriangleCollisionModel/></Node>"));
    CHECK(fails("<Node><MechanicalObject position='0 0 0'/><SphereCollisionModel listRadius='-1'/></Node>"));
    CHECK_THROWS_WITH(
        [] {
            Scene s("<Node name='root' gravity='0 0 0'><DiscreteIntersection/>" + pipeline +
                    "<Node name='a'><MechanicalObject position='0 0 0  1 0 0'/><SphereCollisionModel/></Node></Node>");
            auto& x = dynamic_cast<State<Vec3Types>&>(*s.root->child("a")->get<BaseState>(Search::Local));
            x.write(vec_id::position)[1] = Vec3::filled(std::numeric_limits<double>::quiet_NaN());
            s.simulation.step();
        }(),
        Catch::Contains("point 1 is not finite"));
}

}  // namespace collision_test
