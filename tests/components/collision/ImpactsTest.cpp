// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "components/animation/FreeMotionAnimationLoop.h"
#include "components/collision/MovingSolids.h"
#include "core/geometry/ConvexContact.h"
#include "core/log/Message.h"
#include "core/math/Quat.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "tests/core/geometry/GeometryRandom.h"
#include "tests/harness/Paths.h"

namespace impacts_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;
using sofa::test::GeometryRandom;

namespace {

std::string text(std::initializer_list<double> numbers)
{
    std::string all;
    std::array<char, 40> buffer{};
    for (const double x : numbers) {
        std::snprintf(buffer.data(), buffer.size(), "%.17g ", x);
        all += buffer.data();
    }
    return all;
}

/// Steps of 0.01 s with continuous detection and contacts by constraints.
std::string world(const std::string& method, const std::string& response = "response='FrictionlessContactConstraint'")
{
    return "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='500' tolerance='1e-10'/>"
           "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/><CollisionResponse " +
           response + "/><CCDTightInclusionIntersection alarmDistance='0' " + method + "/>";
}
const std::string sheet =
    "<Node name='sheet'><RegularGridTopology n='6 1 6' min='-3 0 -3' max='3 0 3'/><MechanicalObject/>"
    "<TriangleCollisionModel moving='0' simulated='0' bothSide='1'/></Node>";
std::string body(const std::string& name, const std::string& model, const Vec3& at, const Quat& turned,
                 const Vec3& velocity, const Vec3& spin)
{
    const auto& q = turned.q;
    return "<Node name='" + name +
           "'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject template='Rigid3' position='" +
           text({at[0], at[1], at[2], q[0], q[1], q[2], q[3]}) + "' velocity='" +
           text({velocity[0], velocity[1], velocity[2], spin[0], spin[1], spin[2]}) +
           "'/><UniformMass vertexMass='1 1 0.01 0 0 0 0.01 0 0 0 0.01'/><LinearSolverConstraintCorrection/>" + model +
           "</Node>";
}

struct Run
{
    explicit Run(const std::string& scene)
        : root(loadSceneText("<Node name='root' dt='0.01' gravity='0 0 0'>" + scene + "</Node>", "test.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    int step()
    {
        simulation->step();
        const int now = root->get<FreeMotionAnimationLoop>(Search::Local)->d_impacts.value();
        impacts += now;
        return now;
    }
    State<Rigid3Types>& state(const char* name) const
    {
        return *root->child(name)->get<State<Rigid3Types>>(Search::Local);
    }
    Vec3 center(const char* name) const { return state(name).pointPosition(0); }
    /// Least distance of the cores of the primitives of two objects, as they are.
    double apart(const char* first, const char* second) const
    {
        auto *a = root->child(first)->get<CollisionModel>(Search::Local),
             *b = root->child(second)->get<CollisionModel>(Search::Local);
        a->update();
        b->update();
        double least = 1e9;
        for (Index i = 0; i < a->size(); ++i)
            for (Index j = 0; j < b->size(); ++j)
                least = std::min(least, geometry::coreContact(a->bodyAt(i, 0.), b->bodyAt(j, 0.)).distance);
        return least;
    }
    Vector<double> numbers() const
    {
        Vector<double> all;
        for (const auto* s : root->getAll<State<Rigid3Types>>(Search::Down)) {
            for (const auto& x : s->positions()) {
                for (std::size_t k = 0; k < 3; ++k) all.push_back(x.center[k]);
                for (std::size_t k = 0; k < 4; ++k) all.push_back(x.orientation[k]);
            }
            for (const auto& v : s->velocities())
                for (std::size_t k = 0; k < 6; ++k) all.push_back(v[k]);
        }
        return all;
    }
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
    int impacts = 0;
};

bool sameBits(const Vector<double>& a, const Vector<double>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

const std::array<std::string, 4> shapes{
    "<SphereCollisionModel radius='0.05'/>", "<CapsuleCollisionModel radii='0.03' heights='0.2'/>",
    "<OBBCollisionModel extents='0.1 0.05 0.07'/>", "<CylinderCollisionModel radii='0.05' heights='0.2'/>"};

/// A rod of length 0.2 m, mass 1 kg, inertia 0.01 kg m² that falls on its end from a tilt of 1 rad, turning: where it
/// is, and its velocities. The reference: free flight between impacts without friction and rebound, of an end of the
/// axis that comes down to `height` above the plane, later ones to `next`; each gives that end the velocity along the
/// normal that would bring it to the height `closed`, at which contact begins, in a step.
struct Rod
{
    double y, angle, v, w;
    void fall(double step, double closed, double height, double next)
    {
        constexpr double half = 0.1, mass = 1., inertia = 0.01;
        constexpr int parts = 1000000;
        for (int k = 0; k < parts; ++k) {
            y += v * (step / parts);
            angle += w * (step / parts);
            for (const double end : {-half, half}) {
                const double h = y + end * std::sin(angle), arm = end * std::cos(angle), approach = v + w * arm;
                if (h > height || approach >= 0.) continue;
                const double impulse = ((closed - height) / step - approach) / (1. / mass + arm * arm / inertia);
                v += impulse / mass;
                w += impulse * arm / inertia;
                height = next;
            }
        }
    }
};

}  // namespace

TEST_CASE("a rod that an impact turns by radians within a step: impact by impact")
{
    constexpr double radius = 0.002, contact = 1e-4;
    const Rod start{0.11, -1., -100., 0.};
    const auto rod = [&](const std::string& impacts) {
        return Run(world("continuousCollisionType='FreeMotion' contactDistance='1e-4' " + impacts) + sheet +
                   body("rod", "<CapsuleCollisionModel radii='0.002' heights='0.2'/>", {0.1, start.y, 0.2},
                        Quat::fromAxisAngle({0., 0., 1.}, start.angle - 1.5707963267948966), {0., start.v, 0.}, {}));
    };
    // The cause: rows of the configuration after the free motion, for the whole step, let the other end through.
    Run linear = rod("maxImpacts='0'"), exact = rod("");
    linear.step();
    CHECK(linear.impacts == 0);
    const Vec3 axis = linear.state("rod").positions()[0].orientation.rotate({0., 0.1, 0.});
    CHECK(linear.center("rod")[1] - std::abs(axis[1]) < -0.01);

    exact.step();
    CHECK(exact.impacts >= 2);
    CHECK(exact.apart("rod", "sheet") > 0.);
    // The first impact counts when a twentieth of the radius is lost, the next ones after as much more at most.
    constexpr double lost = 0.05 * radius, first = radius + contact - lost;
    Rod early = start, late = start;
    early.fall(0.01, radius + contact, first, first);
    late.fall(0.01, radius + contact, first, first - lost);
    const auto& x = exact.state("rod").positions()[0];
    const auto& v = exact.state("rod").velocities()[0];
    const auto between = [](double value, double a, double b) {
        const double margin = std::abs(a - b) + 1e-5 * (std::abs(a) + std::abs(b));
        INFO(value << " of " << a << " … " << b);
        CHECK(value > std::min(a, b) - margin);
        CHECK(value < std::max(a, b) + margin);
    };
    REQUIRE(early.w != 0.);
    between(x.center[1], early.y, late.y);
    between(v[1], early.v, late.v);
    between(v[5], early.w, late.w);
    CHECK(std::abs(x.center[0] - 0.1) < 1e-12);  // without friction nothing moves it aside
}

namespace {

/// Solids thrown at a sheet of triangles without thickness, and at each other: 0.2 m to 1 m a step.
void throws(unsigned seed, int count, const std::string& motion)
{
    GeometryRandom random(seed);
    const std::string all = world("continuousCollisionType='" + motion + "' contactDistance='1e-3'",
                                  "response='FrictionContactConstraint' responseParams='mu=0.2'");
    const auto thrown = [&](const char* name, int shape, const Vec3& at, const Vec3& velocity) {
        const Vec3 spin = random.point(4.);
        return body(name, shapes[static_cast<std::size_t>(shape % 4)], at,
                    Quat::fromAxisAngle(random.direction(), 3. * random()), velocity, spin);
    };
    int passed = 0, overlapping = 0, arrived = 0, touched = 0, impacts = 0;
    const MessageCapture messages;  // of steps that are cut short
    for (int trial = 0; trial < count; ++trial) {
        const double speed = 20. + 80. * std::abs(random());
        const Vec3 target{random(), 0., random()}, from = target + Vec3{random(), 1.3, random()};
        const auto isHit = [](const Run& run) {
            return run.root->child("a")->get<CollisionModel>(Search::Local)->d_numberOfContacts.value() > 0;
        };
        Run fall(all + sheet + thrown("a", trial, from, (target - from) * (speed / norm(target - from))));
        bool met = false, below = false, overlaps = false;
        for (int step = 0; step < 12; ++step) {
            met = fall.step() > 0 || met || isHit(fall);
            const Vec3 x = fall.center("a");
            below = below || (x[1] < 0. && std::abs(x[0]) < 3. && std::abs(x[2]) < 3.);
            overlaps = overlaps || !(fall.apart("a", "sheet") > 0.);
        }
        passed += below;
        arrived += met;
        const Vec3 way = random.direction();
        Run meet(all + thrown("a", trial, way * -1.3, way * speed) + thrown("b", trial / 4, way * 1.3, way * -speed));
        met = false;
        for (int step = 0; step < 8; ++step) {  // the slowest need seven
            met = meet.step() > 0 || met || isHit(meet);
            overlaps = overlaps || !(meet.apart("a", "b") > 0.);
        }
        overlapping += overlaps;
        touched += met;
        impacts += fall.impacts + meet.impacts;
    }
    CHECK(arrived == count);
    CHECK(touched == count);
    CHECK(passed == 0);
    CHECK(overlapping == 0);
    CHECK(impacts > count);
}

}  // namespace

TEST_CASE("turning solids do not pass sheets and each other: throws")
{
    throws(1, 16, "FreeMotion");
    throws(3, 8, "Inertia");
}

TEST_CASE("turning solids do not pass sheets and each other: many throws", "[nightly]")
{
    throws(1, 99, "FreeMotion");
    throws(2, 400, "FreeMotion");
    throws(4, 99, "Inertia");
}

namespace {

std::string tangle(const std::string& settings = "", const std::string& response = "FrictionContactConstraint")
{
    std::string all = world("continuousCollisionType='FreeMotion' contactDistance='1e-3' " + settings,
                            "response='" + response + "'") +
                      sheet;
    for (int k = 0; k < 4; ++k)
        all +=
            body("body" + std::to_string(k), shapes[static_cast<std::size_t>(k)], {0.1 * k, 0.5 + 0.25 * k, 0.02 * k},
                 Quat::fromAxisAngle({1., 0.3 * k, 0.2}, 0.9 + k), {0., -40. - 10. * k, 0.}, {3., 40., -2.});
    return all;
}

}  // namespace

TEST_CASE("steps from impact to impact: bits over threads, and from a checkpoint")
{
    Vector<double> first;
    const unsigned threads = threadCount();
    for (const unsigned n : {1u, 2u, 4u}) {
        setThreadCount(n);
        Run run(tangle());
        for (int k = 0; k < 6; ++k) run.step();
        CHECK(run.impacts > 4);
        if (first.empty()) first = run.numbers();
        CHECK(sameBits(first, run.numbers()));
    }
    setThreadCount(threads);
    const sofa::test::TemporaryDirectory folder;
    const auto file = folder / "sofa_impacts.checkpoint";
    Run before(tangle()), after(tangle());
    for (int k = 0; k < 3; ++k) before.step();
    saveCheckpoint(*before.simulation, file.string());
    loadCheckpoint(*after.simulation, file.string());
    for (int k = 0; k < 3; ++k) {
        before.step();
        after.step();
        CHECK(sameBits(before.numbers(), after.numbers()));
    }
    CHECK(sameBits(first, after.numbers()));
}

TEST_CASE("only what a response holds apart has impacts")
{
    const auto impacts = [](const std::string& scene) {
        Run run(scene);
        for (int k = 0; k < 4; ++k) run.step();
        return run.impacts;
    };
    CHECK(impacts(tangle()) > 0);
    CHECK(impacts(tangle("maxImpacts='0'")) == 0);
    CHECK(impacts(tangle("", "PenalityContactForceField")) == 0);
    CHECK(impacts(tangle("", "nullptr")) == 0);
    std::string off = tangle();
    for (std::size_t at = 0; (at = off.find("CollisionModel ", at)) != std::string::npos; at += 15)
        off.insert(at + 15, "contactStiffness='0' ");
    CHECK(impacts(off) == 0);
}

TEST_CASE("a step with more impacts than allowed is cut short, and says so once")
{
    const MessageCapture messages;
    Run run(tangle("maxImpacts='1'"));
    for (int k = 0; k < 6; ++k) {
        CHECK(run.step() <= 1);
        for (const char* name : {"body0", "body1", "body2", "body3"}) CHECK(run.apart(name, "sheet") > 0.);
    }
    int told = 0;
    for (const Message& m : messages.messages())
        if (m.text.find("after 1 impacts within the step that begins at") != std::string::npos) ++told;
    CHECK(told == 1);
}

TEST_CASE("how near bodies may come to each other, from their distance at the begin")
{
    CHECK(leastDistance(1., 1e-3, 0.) == Approx(0.5e-3));  // half of the contact distance is lost
    CHECK(leastDistance(4e-4, 1e-3, 0.) == Approx(2e-4));  // or half of the gap
    CHECK(leastDistance(1., 1e-3, 0.1) == Approx(0.096));  // or a twentieth of the radius
    CHECK(leastDistance(0.1, 0., 0.1) == Approx(0.095));
    CHECK(leastDistance(1e-3, 0., 0.1) == Approx(0.5e-3));  // nearly overlapping cores
    CHECK(leastDistance(0., 1e-3, 0.1) == 0.);              // overlapping ones: nothing to be held
    CHECK(leastDistance(-1., 1e-3, 0.1) == 0.);
    CHECK(leastDistance(1., 0., 0.) == 0.);  // nothing between surfaces that touch
}

}  // namespace impacts_test
