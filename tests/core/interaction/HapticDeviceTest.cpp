// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/interaction/HapticDevice.h"

#include <pthread.h>

#include <catch2/catch.hpp>
#include <numbers>

#include "core/behavior/Solvers.h"
#include "core/log/Message.h"
#include "core/objectmodel/Archive.h"
#include "core/objectmodel/Event.h"
#include "tests/harness/TestGraph.h"

namespace haptic_device_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// A hand that goes along a path, and feels nothing.
class Hand final : public HapticDevice
{
public:
    ~Hand() override { stopLoop(); }
    std::string className() const override { return "Hand"; }
    std::function<RigidCoord3(double)> path = [](double) { return RigidCoord3{}; };
    unsigned buttons = 0;
    std::vector<double> times, lengths;  ///< of the rounds [s]
    int restarts = 0;

protected:
    HapticMotion motion(double t) override
    {
        times.push_back(t);
        return {.pose = path(t), .buttons = buttons};
    }
    void apply(const Vec6&, double h) override { lengths.push_back(h); }
    void restart() override
    {
        ++restarts;
        times.clear();
        lengths.clear();
    }
};

class Rendering final : public Component, public HapticRendering
{
public:
    using HapticRendering::typeLabel;
    explicit Rendering(std::function<Vec6(const HapticMotion&)> f)
        : HapticRendering(static_cast<Component*>(this)), force(std::move(f))
    {
        d_activate.setValue(true);
    }
    std::string className() const override { return "Rendering"; }
    Vec6 wrench(const HapticMotion& m) override { return force(m); }
    void beginStep(const HapticMotion& m, double dt) override
    {
        log += 'b';
        begun = m;
        length = dt;
    }
    void prepare() override { log += 'p'; }
    void publish() override { log += 'P'; }
    void clear() override { log += 'c'; }

    std::function<Vec6(const HapticMotion&)> force;
    std::string log;
    HapticMotion begun;
    double length = 0.;
};

class Solver final : public OdeSolver
{
public:
    std::string className() const override { return "Solver"; }
    void solve(double, const MultiVecCoordId&, const MultiVecDerivId&) override {}
    double velocityIntegrationFactor(double dt) const override { return dt; }
    double positionIntegrationFactor(double dt) const override { return dt; }
};

struct Scene
{
    Node root;
    Hand& hand = root.createChild("hand")->create<Hand>();
    Rendering& add(std::function<Vec6(const HapticMotion&)> f)
    {
        return root.createChild("rendering")->create<Rendering>(std::move(f));
    }
    void step(int n, double dt)
    {
        for (int k = 0; k < n; ++k) {
            hand.handleEvent(AnimateBeginEvent(dt));
            hand.handleEvent(AnimateEndEvent(dt));
        }
    }
};

RigidCoord3 alongX(double x) { return {{x, 0., 0.}, {}}; }
RigidCoord3 turned(const Vec3& rotation) { return {{}, Quat::fromRotationVector(rotation)}; }

}  // namespace

TEST_CASE("the loop runs as often as it fits in the steps, whatever their length")
{
    for (const auto& [frequency, dt, steps, rounds] : std::vector<std::tuple<double, double, int, std::size_t>>{
             {1000., 0.01, 7, 70}, {100., 0.003, 10, 3}, {300., 0.1, 3, 90}, {1., 0.25, 3, 0}}) {
        Scene s;
        s.hand.d_frequency.setValue(frequency);
        s.hand.init();
        REQUIRE(s.hand.isValid());
        REQUIRE(s.hand.times.size() == 1);  // where it is at the begin
        s.step(steps, dt);
        REQUIRE(s.hand.lengths.size() == rounds);
        for (std::size_t k = 0; k < rounds; ++k) {
            CHECK(s.hand.times[k + 1] == Approx(static_cast<double>(k) / frequency));
            CHECK(s.hand.lengths[k] == Approx(1. / frequency));
        }
        CHECK(s.hand.d_time.value() == Approx(static_cast<double>(rounds) / frequency));
        s.hand.reset();
        CHECK(s.hand.d_time.value() == 0.);
        CHECK(s.hand.restarts == 2);
        s.step(steps, dt);
        CHECK(s.hand.lengths.size() == rounds);
    }
}

TEST_CASE("work is the sum of the forces times the ways, and its largest value is kept")
{
    // A spring k to the origin: the force of a round acts until the next one. Out to n h, and back.
    const double k = 50., h = 0.002;
    const int n = 40;
    Scene s;
    s.add([&](const HapticMotion& m) { return Vec6{-k * m.pose.center[0], 0., 0., 0., 0., 0.}; });
    s.hand.path = [&](double t) {
        const double j = std::round(t * 1000.);
        return alongX(h * (j <= n ? j : 2. * n - j));
    };
    s.hand.init();
    s.step(n + 1, 1e-3);
    // Σ_{j<n} −k (j h) h; the exact −k (n h)²/2 less what the force lags behind.
    const double out = -k * h * h * n * (n - 1) / 2.;
    CHECK(s.hand.d_work.value() == Approx(out));
    CHECK(s.hand.d_largestWork.value() == 0.);
    CHECK(s.hand.d_largestForce.value() == Approx(k * n * h));
    CHECK(s.hand.d_forceDevice.value()[0] == Approx(-k * n * h));
    s.step(n, 1e-3);
    const double back = k * h * h * n * (n + 1) / 2.;
    CHECK(s.hand.d_work.value() == Approx(out + back));
    CHECK(s.hand.d_largestWork.value() == Approx(out + back));
    CHECK(s.hand.d_largestForce.value() == Approx(k * n * h));
    s.hand.reset();
    CHECK(s.hand.d_work.value() == 0.);
    CHECK(s.hand.d_largestWork.value() == 0.);
    CHECK(s.hand.d_largestForce.value() == 0.);
}

TEST_CASE("torques work along turns")
{
    Scene s;
    s.add([](const HapticMotion&) { return Vec6{0., 0., 0., 0., 3., 0.}; });
    s.hand.path = [](double t) { return turned({0., 2. * t, 0.}); };
    s.hand.init();
    s.step(11, 0.1);
    CHECK(s.hand.d_work.value() == Approx(3. * 2. * (1.1 - 1e-3)));
}

TEST_CASE("forces and torques of all renderings of the device add up, and each is shortened to its bound")
{
    Scene s;
    Rendering& one = s.add([](const HapticMotion&) { return Vec6{3., 0., 0., 0., 0., 6.}; });
    s.add([](const HapticMotion&) { return Vec6{0., 4., 0., 8., 0., 0.}; });
    Rendering& idle = s.add([](const HapticMotion&) { return Vec6{100., 0., 0., 0., 0., 0.}; });
    Rendering& foreign = s.add([](const HapticMotion&) { return Vec6{100., 0., 0., 0., 0., 0.}; });
    idle.d_activate.setValue(false);
    foreign.d_indice.setValue(1);
    s.hand.init();
    s.step(1, 0.01);
    CHECK(s.hand.d_forceDevice.value() == Vec6{3., 4., 0., 8., 0., 6.});
    CHECK(one.log == "bpP");
    CHECK(one.length == 0.01);
    CHECK(idle.log == "b");
    CHECK(foreign.log.empty());
    const auto bounded = [&](double force, double torque) {
        s.hand.d_maxForce.setValue(force);
        s.hand.d_maxTorque.setValue(torque);
        s.step(1, 0.01);
        return s.hand.d_forceDevice.value();
    };
    CHECK(norm(bounded(2.5, 0.) - Vec6{1.5, 2., 0., 8., 0., 6.}) < 1e-14);
    CHECK(norm(bounded(0., 5.) - Vec6{3., 4., 0., 4., 0., 3.}) < 1e-14);
    CHECK(bounded(5.1, 10.1) == Vec6{3., 4., 0., 8., 0., 6.});
    CHECK(norm(bounded(0.5, 0.5)) == Approx(std::sqrt(0.5)));
    one.fail("on purpose");
    CHECK(bounded(0., 0.) == Vec6{0., 4., 0., 8., 0., 0.});
    s.hand.d_deviceIndex.setValue(1);
    CHECK(bounded(0., 0.) == Vec6{100., 0., 0., 0., 0., 0.});
    s.hand.reset();
    CHECK(foreign.log.back() == 'c');
    CHECK(s.hand.d_forceDevice.value() == Vec6{});
}

TEST_CASE("a force that is not finite, or a driver that fails, ends the run with its reason")
{
    for (std::size_t i = 0; i < 6; ++i) {
        Scene s;
        s.add([i](const HapticMotion& m) {
            Vec6 w{};
            if (m.pose.center[0] > 0.0045) w[i] = std::numeric_limits<double>::infinity();
            return w;
        });
        s.hand.path = [](double t) { return alongX(t); };
        s.hand.init();
        CHECK_THROWS_WITH(s.step(1, 0.01), Catch::Contains("hand") && Catch::Contains("not finite"));
        CHECK(s.hand.lengths.size() == 5);
        CHECK_THROWS(s.step(1, 0.01));
        s.hand.reset();
        s.hand.path = [](double) { return RigidCoord3{}; };
        s.step(1, 0.01);
        CHECK(s.hand.lengths.size() == 10);
    }
    Scene s;
    s.hand.path = [](double t) -> RigidCoord3 {
        if (t > 0.) throw std::runtime_error("the cable is out");
        return {};
    };
    s.hand.init();
    CHECK_THROWS_WITH(s.step(1, 0.01), Catch::Contains("the cable is out"));
}

TEST_CASE("the state of the node goes with the hand, at the velocity that leads there in a step")
{
    Scene s;
    const double pi = std::numbers::pi;
    auto& state = addState<Rigid3Types>(*s.hand.node(), {alongX(9.), alongX(8.)});
    state.allocate(vec_id::freePosition);
    state.allocate(vec_id::freeVelocity);
    s.hand.path = [&](double t) { return RigidCoord3{{0., 3. * t, 0.}, Quat::fromRotationVector({0., 0., pi * t})}; };
    s.hand.buttons = 2;
    s.hand.init();
    REQUIRE(s.hand.isValid());
    CHECK_FALSE(s.hand.d_button1.value());
    CHECK(s.hand.d_button2.value());
    s.step(2, 0.1);
    s.hand.buttons = 5;
    s.step(1, 0.1);
    CHECK(s.hand.d_button1.value());
    CHECK_FALSE(s.hand.d_button2.value());
    // The pose at the begin of the third step: that of the last round of the second one.
    for (const VecCoordId id : {vec_id::position, vec_id::freePosition}) {
        CHECK(norm(state.read(id)[0].center - Vec3{0., 3. * 0.199, 0.}) < 1e-14);
        CHECK(norm(state.read(id)[0].orientation.toRotationVector() - Vec3{0., 0., pi * 0.199}) < 1e-12);
    }
    CHECK(state.positions()[1] == alongX(8.));
    CHECK(s.hand.d_positionDevice.value() == state.positions()[0]);
    for (const VecDerivId id : {vec_id::velocity, vec_id::freeVelocity}) {
        CHECK(norm(state.read(id)[0] - Vec6{0., 3., 0., 0., 0., pi}) < 1e-10);
        CHECK(state.read(id)[1] == Vec6{});
    }
}

TEST_CASE("a device whose state has no point, or is moved by a solver, says so")
{
    Scene empty;
    addState<Rigid3Types>(*empty.hand.node(), {});
    empty.hand.init();
    CHECK_FALSE(empty.hand.isValid());
    empty.step(1, 0.01);
    CHECK(empty.hand.times.empty());

    Scene solved;
    addState<Rigid3Types>(*solved.hand.node(), {alongX(0.)});
    solved.root.create<Solver>();
    solved.hand.init();
    CHECK_FALSE(solved.hand.isValid());

    Scene without;
    without.root.create<Solver>();
    without.hand.init();
    CHECK(without.hand.isValid());
}

TEST_CASE("a device goes on from its archive as if nothing had been")
{
    const auto prepare = [](Scene& s) {
        s.add([](const HapticMotion& m) { return Vec6{-20. * m.pose.center[0], 1., 0., 0., 0., 0.}; });
        s.hand.path = [](double t) { return alongX(std::sin(60. * t)); };
        s.hand.buttons = 3;
        s.hand.init();
    };
    Scene kept, other;
    prepare(kept);
    prepare(other);
    kept.step(7, 0.0104);
    Archive saved;
    kept.hand.archive(saved);
    Archive loaded(saved.bytes());
    other.hand.archive(loaded);
    CHECK(loaded.atEnd());
    for (Scene* s : {&kept, &other}) s->step(5, 0.0104);
    CHECK(other.hand.d_time.value() == kept.hand.d_time.value());
    CHECK(other.hand.d_work.value() == kept.hand.d_work.value());
    CHECK(other.hand.d_largestWork.value() == kept.hand.d_largestWork.value());
    CHECK(other.hand.d_largestForce.value() == kept.hand.d_largestForce.value());
    CHECK(other.hand.d_positionDevice.value() == kept.hand.d_positionDevice.value());
    CHECK(other.hand.d_forceDevice.value() == kept.hand.d_forceDevice.value());
    CHECK(kept.hand.d_work.value() != 0.);
}

TEST_CASE("mean and deviation of periods are those of their sums, also where they are much alike")
{
    HapticDevice::Statistics s;
    CHECK(s.deviation() == 0.);
    // d + k for k = 1 … n: the mean d + (n + 1)/2, the variance (n² − 1)/12.
    const double d = 1e6;
    const int n = 1001;
    for (int k = 1; k <= n; ++k) s.addPeriod(d + (k * 500) % n);
    CHECK(s.periods == n);
    CHECK(s.mean == Approx(d + (n - 1) / 2.).epsilon(1e-14));
    CHECK(s.deviation() == Approx(std::sqrt((n * n - 1.) / 12.)).epsilon(1e-10));
    CHECK(s.longest == d + n - 1);
}

TEST_CASE("a loop that asks for real-time priority says so where the system does not grant it, and only there")
{
    bool granted = false;
    std::thread([&] {
        sched_param priority{};
        priority.sched_priority = sched_get_priority_min(SCHED_FIFO) + 1;
        granted = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0;
    }).join();
    Scene s;
    s.hand.d_threaded.setValue(true);
    s.hand.d_realTime.setValue(true);
    s.hand.init();
    const MessageCapture told;
    s.step(5, 0.01);
    CHECK(told.messages().size() == (granted ? 0u : 1u));
    CHECK(told.has(Severity::Warning, "realTime") != granted);
}

TEST_CASE("a loop in a thread is not faster than its rate, and its periods obey the bound of their deviation")
{
    Scene s;
    s.hand.d_frequency.setValue(500.);
    s.hand.d_threaded.setValue(true);
    s.hand.init();
    CHECK(s.hand.d_meanPeriod.value() == 0.);
    CHECK(s.hand.d_periodDeviation.value() == 0.);
    const auto begin = std::chrono::steady_clock::now();
    s.step(20, 0.005);
    const double past = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    CHECK(past >= 0.099);  // steps are not ahead of the clock
    const double mean = s.hand.d_meanPeriod.value(), longest = s.hand.d_longestPeriod.value();
    const double deviation = s.hand.d_periodDeviation.value(), rounds = s.hand.d_time.value() * 500.;
    CHECK(rounds >= 2.);
    CHECK(mean >= 0.002 * 0.99);
    CHECK(longest >= mean);
    CHECK(mean * (rounds - 1.) <= past + 0.01);
    // Numbers between 0 and the longest: R. Bhatia, C. Davis, American Mathematical Monthly 107(4), 2000.
    CHECK(deviation * deviation <= (longest - mean) * mean * (1. + 1e-9));
    CHECK(s.hand.d_longestComputation.value() > 0.);
    CHECK(s.hand.d_longestComputation.value() <= past);
    s.hand.reset();
    CHECK(s.hand.d_time.value() == 0.);
    CHECK(s.hand.d_meanPeriod.value() == 0.);
    // Without a thread it goes on in the steps.
    s.hand.d_threaded.setValue(false);
    s.step(1, 0.01);
    CHECK(s.hand.d_time.value() == Approx(0.01));
}

}  // namespace haptic_device_test
