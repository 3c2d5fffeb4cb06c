// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/SimulationThread.h"

#include <catch2/catch.hpp>
#include <chrono>

#include "core/log/Message.h"
#include "core/simulation/Pause.h"

namespace simulation_thread_test {

using namespace sofa::core;
using namespace std::chrono_literals;

namespace {

/// Counts time on, and does what a test asks for in a step.
class Loop final : public AnimationLoop
{
public:
    std::string className() const override { return "Loop"; }
    void step(double dt) override
    {
        if (during) during();
        const Node& n = *node();
        const_cast<Node&>(n).d_time.setValue(n.time() + (dt > 0. ? dt : n.dt()));
    }
    std::function<void()> during;
};

struct Scene
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    Loop& loop = root->create<Loop>();
    Simulation simulation{root};
    Scene() { REQUIRE(simulation.init()); }
};

constexpr double asFast = std::numeric_limits<double>::infinity();

/// Waits for something that other threads bring about; false after ten seconds.
template <class F>
bool soon(F&& what)
{
    for (int i = 0; i < 10000; ++i) {
        if (what()) return true;
        std::this_thread::sleep_for(1ms);
    }
    return false;
}

}  // namespace

TEST_CASE("Steps, resets and functions are done in the order in which they are asked for")
{
    Scene scene;
    SimulationThread thread(scene.simulation);
    CHECK(soon([&] { return thread.frame().drawList != nullptr; }));
    thread.step(3);
    std::size_t steps = 0;
    thread.post([&](Simulation& s) { steps = s.stepCount(); });
    thread.setDt(0.5);
    thread.step();
    double time = 0.;
    thread.call([&](Simulation& s) { time = s.root().time(); });
    CHECK(steps == 3);
    CHECK(time == Approx(3 * 0.01 + 0.5));
    thread.reset();
    thread.call([&](Simulation& s) { CHECK((s.stepCount() == 0 && s.root().time() == 0.)); });
    CHECK(soon([&] { return thread.frame().step == 0 && thread.frame().time == 0.; }));
}

TEST_CASE("Animation goes on by itself until it is stopped")
{
    Scene scene;
    SimulationThread thread(scene.simulation);
    std::atomic<int> frames{0};
    thread.setFrameListener([&] { ++frames; });
    thread.setSpeed(asFast);
    thread.setAnimating(true);
    CHECK(thread.isAnimating());
    CHECK(soon([&] {
        const auto f = thread.frame();
        return f.step > 100 && f.animating && f.stepsPerSecond > 0. && !f.slow;
    }));
    thread.setAnimating(false);
    std::size_t at = 0;
    thread.call([&](Simulation& s) { at = s.stepCount(); });
    // The frame of a scene at rest is that of its last step, whether earlier ones were fetched or not.
    CHECK(soon([&] { return thread.frame().step == at && !thread.frame().animating; }));
    thread.call([&](Simulation& s) { CHECK(s.stepCount() == at); });
    CHECK(frames > 0);
}

TEST_CASE("While it animates, no frame is made before the last one was fetched, nor faster than the rate")
{
    Scene scene;
    SimulationThread thread(scene.simulation);
    std::atomic<int> frames{0};
    CHECK(soon([&] { return thread.frame().drawList != nullptr; }));
    thread.setFrameListener([&] { ++frames; });
    thread.setFrameRate(1e6);
    thread.setSpeed(asFast);
    thread.setAnimating(true);
    std::atomic<std::size_t> steps{0};
    thread.addListener([&](Simulation& s, SimulationThread::Change) { steps = s.stepCount(); });
    CHECK(soon([&] { return steps > 1000; }));
    CHECK(frames <= 2);  // that of the animation's beginning, and one that follows a fetched one
    thread.setFrameRate(1.);
    const int before = frames;
    const std::size_t from = steps;
    CHECK(soon([&] {
        (void)thread.frame();
        return steps > from + 1000;
    }));
    CHECK(frames <= before + 2);
}

TEST_CASE("The animation follows the clock, as fast as was asked for")
{
    Scene scene;
    scene.root->d_dt.setValue(0.002);
    SimulationThread thread(scene.simulation);
    const auto run = [&](double speed, double end) {
        thread.reset();
        thread.setSpeed(speed);
        thread.setEndTime(end);
        const auto start = std::chrono::steady_clock::now();
        thread.setAnimating(true);
        CHECK(soon([&] { return !thread.isAnimating(); }));
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        // It stops at the end, which no rounding of the time moves.
        thread.call([&](Simulation& s) {
            CHECK(s.root().time() == Approx(end));
            CHECK(s.stepCount() == static_cast<std::size_t>(std::lround(end / 0.002)));
        });
        CHECK(soon([&] {
            const auto f = thread.frame();
            return !f.animating && f.speed == 0. && f.stepsPerSecond == 0.;
        }));
        return seconds;
    };
    // Never faster than the clock. How much slower depends on what else the machine does.
    const double real = run(1., 0.3), twice = run(2., 0.3), fast = run(asFast, 0.3);
    INFO(real << ' ' << twice << ' ' << fast);
    CHECK(real >= 0.3 - 0.003);
    CHECK(twice >= 0.15 - 0.003);
    CHECK(fast < 0.15);
    CHECK(run(0.5, 0.1) >= 0.2 - 0.005);
    // At its end it does not start.
    thread.setAnimating(true);
    CHECK(soon([&] { return !thread.isAnimating(); }));
    thread.call([&](Simulation& s) { CHECK(s.stepCount() == 50); });
    // Steps that are asked for do not wait, and go on beyond the end.
    thread.step(10);
    thread.call([&](Simulation& s) { CHECK(s.stepCount() == 60); });
}

TEST_CASE("Steps that take longer than the time they simulate slow the animation down, and it says so")
{
    Scene scene;  // dt = 0.01
    scene.loop.during = [] { std::this_thread::sleep_for(25ms); };
    SimulationThread thread(scene.simulation);
    thread.setAnimating(true);
    CHECK(soon([&] { return thread.frame().slow; }));
    const SimulationThread::Frame f = thread.frame();
    CHECK(f.speed < 0.45);
    CHECK(f.speed > 0.);
    // Where the clock leaves them their time, they do not.
    thread.setSpeed(0.2);
    CHECK(soon([&] {
        const auto g = thread.frame();
        return !g.slow && g.speed > 0.;
    }));
    thread.stop();
}

TEST_CASE("While a step of the animation waits for its time, frames are made and functions run at once")
{
    Scene scene;
    scene.root->d_dt.setValue(3600.);
    SimulationThread thread(scene.simulation);
    thread.setAnimating(true);
    CHECK(soon([&] { return thread.frame().step == 1; }));
    for (int i = 0; i < 3; ++i) {
        const auto before = thread.frame().number;
        thread.post([](Simulation&) {});
        CHECK(soon([&] { return thread.frame().number > before; }));
    }
    thread.call([&](Simulation& s) { CHECK(s.stepCount() == 1); });
    // A new speed holds at once.
    thread.setSpeed(asFast);
    CHECK(soon([&] { return thread.frame().step > 10; }));
    thread.setAnimating(false);
}

TEST_CASE("stop() ends a slow step's run and forgets what waits")
{
    Scene scene;
    std::atomic<bool> inStep{false}, release{false};
    scene.loop.during = [&] {
        inStep = true;
        while (!release) std::this_thread::sleep_for(1ms);
    };
    SimulationThread thread(scene.simulation);
    thread.setAnimating(true);
    CHECK(soon([&] { return inStep.load(); }));
    bool ran = false;
    thread.post([&](Simulation&) { ran = true; });
    // A caller that waits gets its turn when the thread has ended.
    bool called = false;
    std::thread waiting([&] { thread.call([&](Simulation&) { called = true; }); });
    std::thread stopping([&] { thread.stop(); });
    CHECK(soon([&] { return !thread.isAnimating(); }));
    release = true;
    stopping.join();
    waiting.join();
    CHECK_FALSE(ran);
    CHECK(called);
    CHECK(scene.simulation.stepCount() == 0);  // the thread works on a copy of the counters
    thread.step();
    thread.stop();
}

TEST_CASE("A step that fails stops the animation and says why; the next one may go on")
{
    const MessageCapture messages;
    Scene scene;
    std::atomic<bool> bad{true};
    scene.loop.during = [&] {
        if (bad) throw std::runtime_error("the matrix is singular");
    };
    SimulationThread thread(scene.simulation);
    std::mutex mutex;
    std::string reason;
    thread.setFailureListener([&](const std::string& r) {
        const std::lock_guard lock(mutex);
        reason = r;
    });
    thread.setAnimating(true);
    CHECK(soon([&] {
        const std::lock_guard lock(mutex);
        return !reason.empty();
    }));
    CHECK_FALSE(thread.isAnimating());
    {
        const std::lock_guard lock(mutex);
        CHECK(reason.find("the matrix is singular") != std::string::npos);
        CHECK(reason.find("step 1") != std::string::npos);
    }
    CHECK(soon([&] { return !thread.frame().animating; }));
    bad = false;
    thread.step();
    thread.call([](Simulation& s) { CHECK(s.stepCount() == 1); });
}

TEST_CASE("What a function of the user throws is reported, or comes back to who waits")
{
    const MessageCapture messages;
    Scene scene;
    SimulationThread thread(scene.simulation);
    std::atomic<int> failures{0};
    thread.setFailureListener([&](const std::string&) { ++failures; });
    CHECK_THROWS_WITH(thread.call([](Simulation&) { throw std::runtime_error("no such Data"); }), "no such Data");
    CHECK(failures == 0);
    thread.post([](Simulation&) { throw std::runtime_error("bad value"); });
    CHECK(soon([&] { return failures == 1; }));
    // A call from within the thread does not wait for itself.
    int depth = 0;
    thread.call([&](Simulation&) { thread.call([&](Simulation&) { depth = 2; }); });
    CHECK(depth == 2);
}

TEST_CASE("A step can be interrupted; those that wait are forgotten, and the scene must be reset")
{
    const MessageCapture messages;
    Scene scene;
    std::atomic<bool> inside{false};
    scene.loop.during = [&] {
        if (scene.root->time() < 0.015) return;  // the first two steps are short
        inside = true;
        const PhaseScope phase("Endless");
        for (;;) Phases::check();
    };
    SimulationThread thread(scene.simulation);
    std::mutex mutex;
    std::vector<std::string> failures;
    thread.setFailureListener([&](const std::string& f) {
        const std::lock_guard lock(mutex);
        failures.push_back(f);
    });
    thread.interrupt();  // nothing runs: nothing happens
    thread.step(2);
    thread.step(5);
    REQUIRE(soon([&] { return inside.load() && thread.work().phases == "Step/Endless"; }));
    CHECK(thread.work().seconds > 0.);
    thread.interrupt();
    std::size_t steps = 0;
    thread.call([&](Simulation& s) {
        steps = s.stepCount();
        CHECK(s.isInterrupted());
    });
    CHECK(steps == 2);
    thread.step();  // the scene is no state to go on from
    thread.call([](Simulation&) {});
    {
        const std::lock_guard lock(mutex);
        CHECK(failures ==
              std::vector<std::string>{"step 3 was interrupted: the scene is in the middle of it, and must be reset",
                                       "the step before this one was interrupted: reset the scene first"});
    }
    CHECK(soon([&] { return thread.work().seconds == 0.; }));
    thread.reset();
    thread.step(2);
    thread.call([&](Simulation& s) { steps = s.stepCount(); });
    CHECK(steps == 2);
}

TEST_CASE("Listeners hear every change, until they are removed")
{
    Scene scene;
    SimulationThread thread(scene.simulation);
    std::vector<SimulationThread::Change> heard;
    std::size_t frames = 0;
    const int id = thread.addListener([&](Simulation&, SimulationThread::Change c) {
        c == SimulationThread::Change::FrameMade ? void(++frames) : heard.push_back(c);
    });
    thread.step(2);
    thread.reset();
    thread.post([](Simulation&) {});
    CHECK(soon([&] {
        (void)thread.frame();
        std::size_t seen = 0;
        thread.call([&](Simulation&) { seen = frames; });
        return seen > 0;
    }));
    heard.resize(4);  // calls are changes, too
    thread.removeListener(id);
    thread.step();
    thread.call([](Simulation&) {});
    using C = SimulationThread::Change;
    CHECK(heard == std::vector<C>{C::Stepped, C::Stepped, C::Reset, C::Edited});
}

TEST_CASE("A scene that asks for a pause stops the animation after the step")
{
    Scene scene;
    SimulationThread thread(scene.simulation);
    int steps = 0;
    scene.loop.during = [&steps] {
        if (++steps == 3) requestPause();
    };
    thread.setSpeed(asFast);
    thread.setAnimating(true);
    CHECK(soon([&] { return !thread.isAnimating(); }));
    thread.call([&](Simulation& s) { CHECK(s.stepCount() == 3); });
    thread.setAnimating(true);
    CHECK(soon([&] {
        std::size_t n = 0;
        thread.call([&n](Simulation& s) { n = s.stepCount(); });
        return n > 5;
    }));
    CHECK(thread.isAnimating());
}

}  // namespace simulation_thread_test
