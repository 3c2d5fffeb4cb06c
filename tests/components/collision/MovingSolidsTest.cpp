// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/MovingSolids.h"

#include <catch2/catch.hpp>
#include <cstdio>

#include "core/geometry/ConvexContact.h"
#include "core/math/Quat.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/core/geometry/GeometryRandom.h"

namespace moving_solids_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;
using sofa::test::GeometryRandom;

namespace {

std::string text(const Vec3& p)
{
    std::array<char, 96> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.17g %.17g %.17g ", p[0], p[1], p[2]);
    return buffer.data();
}
std::string text(const Quat& q)
{
    std::array<char, 128> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.17g %.17g %.17g %.17g ", q.q[0], q.q[1], q.q[2], q.q[3]);
    return buffer.data();
}

std::string rigid(const Vec3& at, const Vec3& velocity, const Vec3& spin = {}, const Quat& turned = {})
{
    return "<MechanicalObject name='state' template='Rigid3' position='" + text(at) + text(turned) + "' velocity='" +
           text(velocity) + text(spin) + "'/>";
}
const std::string ball = "<SphereCollisionModel radius='0.5'/>";
const std::string capsule = "<CapsuleCollisionModel radii='0.25' heights='2'/>";
const std::string box = "<OBBCollisionModel extents='0.5 0.25 1'/>";
const std::string cylinder = "<CylinderCollisionModel radii='0.5' heights='2'/>";
const std::string triangle =
    "<MechanicalObject position='-4 0 -4  -4 0 8  8 0 -4'/><MeshTopology triangles='0 1 2'/>"
    "<TriangleCollisionModel/>";

/// Two primitives over a step of 1 s with constant velocities, contact at a distance of 0.01.
struct Moving
{
    Moving(const std::string& a, const std::string& b, const std::string& motion = "Inertia")
    {
        root = loadSceneText(
            "<Node name='root'><CCDTightInclusionIntersection name='method' alarmDistance='0' "
            "contactDistance='0.01' continuousCollisionType='" +
                motion + "'/><Node name='a'>" + a + "</Node><Node name='b'>" + b + "</Node></Node>",
            "test.scn");
        REQUIRE(root != nullptr);
        REQUIRE(initGraph(*root));
        const auto* method = root->get<IntersectionMethod>(Search::Local);
        const auto update = [&](const char* name) {
            auto* m = root->child(name)->get<CollisionModel>(Search::Local);
            REQUIRE(m);
            m->update({.motion = method->motion(), .dt = 1.});
            return m;
        };
        first = update("a");
        second = update("b");
        bool swapped = false;
        const PrimitiveTest test = method->find(first->shape(), second->shape(), swapped);
        REQUIRE(test != nullptr);
        if (swapped) std::swap(first, second);
        test(*method, *first, 0, *second, 0, contacts);
        boxesMeet = first->box().overlaps(second->box(), method->alarmDistance());
    }
    /// Time at which they come within the contact distance; 2 if they do not.
    double time() const
    {
        const auto met =
            firstTimeWithin(*first, 0, *second, 0, 0.01 + first->radius(0) + second->radius(0), 1e-10, 1000);
        return met ? met->time : 2.;
    }
    std::shared_ptr<Node> root;
    const CollisionModel *first = nullptr, *second = nullptr;
    Vector<DetectedContact> contacts;
    bool boxesMeet = false;
};

}  // namespace

TEST_CASE("times of contact of moving solids in closed form")
{
    const Vec3 down{0., -10., 0.}, above{0., 5., 0.};
    // Onto a triangle: height of the lowest point over the speed.
    CHECK(Moving(rigid(above, down) + ball, triangle).time() == Approx(0.449).epsilon(1e-9));
    CHECK(Moving(rigid(above, down) + capsule, triangle).time() == Approx(0.374).epsilon(1e-9));
    CHECK(Moving(rigid(above, down) + box, triangle).time() == Approx(0.474).epsilon(1e-9));
    CHECK(Moving(rigid(above, down) + cylinder, triangle).time() == Approx(0.399).epsilon(1e-9));
    CHECK(Moving(rigid(above, down * 0.4) + box, triangle).time() == 2.);
    // A box that falls on an edge.
    const Quat eighth = Quat::fromAxisAngle({0., 0., 1.}, 0.78539816339744831);
    CHECK(Moving(rigid(above, down, {}, eighth) + box, triangle).time() ==
          Approx((4.99 - 0.75 * std::sqrt(0.5)) / 10.).epsilon(1e-9));
    // Two balls past each other: |x0 + v t| = 1.01.
    const double along = std::sqrt(1.01 * 1.01 - 0.36);
    const Moving past(rigid({}, {4., 0., 0.}) + ball, rigid({5., 0.6, 0.}, {-4., 0., 0.}) + ball);
    CHECK(past.time() == Approx((5. - along) / 8.).epsilon(1e-8));
    REQUIRE(past.contacts.size() == 1);
    CHECK(norm(past.contacts[0].normal - Vec3{along, 0.6, 0.} / 1.01) < 1e-6);
    CHECK(norm(past.contacts[0].point2 - Vec3{5., 0.6, 0.}) < 1e-12);  // where it is at the begin
    CHECK(Moving(rigid({}, {4., 0., 0.}) + ball, rigid({5., 1.02, 0.}, {-4., 0., 0.}) + ball).time() == 2.);
    // A capsule that turns about z: its axis, from y, reaches a ball whose direction is at 90° − 60°.
    const double reach = std::asin(0.76 / 0.8);
    const Vec3 at = Vec3{std::cos(0.1), std::sin(0.1), 0.} * 0.8;
    const Moving turning(rigid({}, {}, {0., 0., -2.}) + capsule,
                         rigid(at, {}) + "<SphereCollisionModel radius='0.5'/>");
    CHECK(turning.time() == Approx((1.5707963267948966 - 0.1 - reach) / 2.).epsilon(1e-8));
    // What turns sweeps more than where it begins and ends.
    const Moving half(rigid({}, {}, {0., 0., 3.14159}) + "<CapsuleCollisionModel radii='0.1' heights='6'/>",
                      rigid({-2.5, 0., 0.}, {}) + ball);
    CHECK(half.boxesMeet);
    CHECK(half.contacts.size() == 1);
    // Without motion they are compared as they are.
    CHECK(Moving(rigid(above, down) + ball, triangle, "None").contacts.empty());
    CHECK(Moving(rigid({0., 0.505, 0.}, down) + ball, triangle, "None").contacts.size() == 1);
}

TEST_CASE("moving solids: the contact stands at the begin of the step, and holds what falls")
{
    const Moving flat(rigid({0., 5., 0.}, {0., -10., 0.}) + box, triangle);
    // Its four lower corners, and the upper ones, which come as near by the end of the step if nothing holds them.
    REQUIRE(flat.contacts.size() == 8);
    int lower = 0;
    for (const DetectedContact& c : flat.contacts) {
        CHECK(norm(c.normal - Vec3{0., -1., 0.}) < 1e-9);
        CHECK(std::abs(std::abs(c.point1[1] - 5.) - 0.25) < 1e-9);
        CHECK(c.value == Approx(c.point1[1] - 0.01));
        lower += c.point1[1] < 5.;
    }
    CHECK(lower == 4);
    const Moving lying(
        rigid({0., 5., 0.}, {0., -10., 0.}, {}, Quat::fromAxisAngle({0., 0., 1.}, 1.5707963267948966)) + capsule,
        triangle);
    CHECK(lying.contacts.size() == 2);
}

TEST_CASE("the time of contact of moving solids is never later than the true one")
{
    GeometryRandom random(5);
    const std::string models[] = {ball, capsule, box, cylinder};
    int met = 0, tight = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const auto thrown = [&](const std::string& model) {
            const Vec3 from = random.point(4.);
            return rigid(from, random.point() - from, random.point(2.),
                         Quat::fromAxisAngle(random.direction(), 3. * random())) +
                   model;
        };
        const bool sheet = trial % 3 == 0;
        const Moving m(thrown(models[random.below(4)]), sheet ? triangle : thrown(models[random.below(4)]));
        const double t = m.time(), distance = 0.01 + m.first->radius(0) + m.second->radius(0);
        const auto apart = [&](double s) {
            return geometry::coreContact(m.first->bodyAt(0, s), m.second->bodyAt(0, s)).distance - distance;
        };
        double least = 1e9;
        for (int k = 0; k <= 200; ++k) {
            const double s = std::min(t, 1.) * k / 200.;
            if (s < t) least = std::min(least, apart(s));
        }
        if (t > 0.) CHECK(least > -1e-8);
        if (t > 1.) continue;
        ++met;
        CHECK(m.boxesMeet);
        tight += apart(t) < 1e-8;
    }
    CHECK(met > 100);
    CHECK(tight == met);
}

namespace {

/// A ball thrown at a sheet of triangles without thickness, and at another ball.
void throws(unsigned seed, int count)
{
    GeometryRandom random(seed);
    const std::string world =
        "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='500' tolerance='1e-10'/>"
        "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/>"
        "<CollisionResponse response='FrictionContactConstraint' responseParams='mu=0.2'/>"
        "<CCDTightInclusionIntersection continuousCollisionType='FreeMotion' alarmDistance='0' "
        "contactDistance='1e-3'/>";
    const std::string sheet =
        "<Node name='sheet'><RegularGridTopology n='6 1 6' min='-3 0 -3' max='3 0 3'/><MechanicalObject/>"
        "<TriangleCollisionModel moving='0' simulated='0' bothSide='1'/></Node>";
    const std::string small = "<SphereCollisionModel radius='0.05'/>";
    const auto body = [&](const std::string& name, const std::string& model, const Vec3& at, const Vec3& velocity) {
        return "<Node name='" + name + "'><EulerImplicitSolver/><SparseLDLSolver/>" +
               rigid(at, velocity, random.point(4.), Quat::fromAxisAngle(random.direction(), 3. * random())) +
               "<UniformMass vertexMass='1 1 0.01 0 0 0 0.01 0 0 0 0.01'/><LinearSolverConstraintCorrection/>" + model +
               "</Node>";
    };
    int passed = 0, arrived = 0, through = 0, touched = 0;
    for (int trial = 0; trial < count; ++trial) {
        const double speed = 20. + 80. * std::abs(random());  // 0.2 m to 1 m a step
        const Vec3 target{random(), 0., random()}, from = target + Vec3{random(), 1.3, random()};
        const auto run = [&](const std::string& scene, const auto& check) {
            const auto root =
                loadSceneText("<Node name='root' dt='0.01' gravity='0 0 0'>" + world + scene + "</Node>", "test.scn");
            REQUIRE(root != nullptr);
            Simulation simulation(root);
            REQUIRE(simulation.init());
            const auto center = [&](const char* name) {
                return root->child(name)->get<BaseState>(Search::Local)->pointPosition(0);
            };
            for (int step = 0; step < 12; ++step) {
                simulation.step();
                check(center, root->child("a")->get<CollisionModel>(Search::Local)->d_numberOfContacts.value() > 0);
            }
        };
        bool below = false, met = false;
        run(sheet + body("a", small, from, (target - from) * (speed / norm(target - from))),
            [&](const auto& center, bool contact) {
                const Vec3 x = center("a");
                below = below || (x[1] < 0. && std::abs(x[0]) < 3. && std::abs(x[2]) < 3.);
                met = met || contact;
            });
        passed += below;
        arrived += met;
        // Head-on: neither may be behind the other one.
        const Vec3 way = random.direction();
        bool behind = false;
        met = false;
        run(body("a", small, way * -1.3, way * speed) + body("b", small, way * 1.3, way * -speed),
            [&](const auto& center, bool contact) {
                behind = behind || dot(center("b") - center("a"), way) < 0.;
                met = met || contact;
            });
        through += behind;
        touched += met;
    }
    CHECK(arrived == count);
    CHECK(passed == 0);
    CHECK(touched == count);
    CHECK(through == 0);
}

}  // namespace

TEST_CASE("fast balls do not pass sheets and each other: throws") { throws(1, 99); }

TEST_CASE("fast balls do not pass sheets and each other: a thousand throws", "[nightly]") { throws(2, 999); }

}  // namespace moving_solids_test
