// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

#include "core/io/DataRepository.h"
#include "core/log/Session.h"
#include "core/log/Timer.h"
#include "core/scene/SceneEditor.h"
#include "core/scene/SceneLoader.h"
#include "core/scene/SceneSnapshot.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/SimulationThread.h"
#include "tests/harness/Paths.h"

namespace sessions_test {

using namespace sofa;
using namespace sofa::core;

namespace {

struct Run
{
    std::string state;
    std::vector<std::string> messages, phases;
};

/// Runs a scene in a session of its own.
Run runScene(const std::string& scene, int steps, const std::filesystem::path& file)
{
    Session session;
    const Session::Scope scope(session);
    const MessageCapture messages;
    Timers::enable(true);
    Run run;
    {
        Simulation s(loadScene((test::sourceDirectory() / "scenes" / scene).string()));
        if (!s.init()) throw std::runtime_error(scene + " does not start");
        for (int i = 0; i < steps; ++i) s.step();
        s.root().msgWarning() << "done with " << scene;
        saveCheckpoint(s, file.string());
    }
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    run.state = text.str();
    for (const Message& m : messages.messages()) run.messages.push_back(m.text);
    for (const Timers::Row& r : Timers::rows()) run.phases.push_back(r.path + ' ' + std::to_string(r.count));
    Timers::enable(false);
    return run;
}

}  // namespace

TEST_CASE("Scenes that run in several threads give the bits, messages and phases that each gives alone", "[scenes]")
{
    const std::vector<std::string> scenes{
        "component/collision/MeshContacts.scn",         "component/collision/DefaultCollisionGroupManager.scn",
        "component/constraint/LCPConstraintSolver.scn", "component/fem/HyperelasticityFEMForceField.scn",
        "component/linearsolver/DirectSolver.scn",      "component/collision/MeshContacts.scn"};
    constexpr int steps = 15;
    const test::TemporaryDirectory folder;
    std::vector<Run> alone, together(scenes.size());
    for (const std::string& s : scenes) alone.push_back(runScene(s, steps, folder.path() / "alone"));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < scenes.size(); ++i)
        threads.emplace_back([&, i] { together[i] = runScene(scenes[i], steps, folder.path() / std::to_string(i)); });
    for (std::thread& t : threads) t.join();
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        INFO(scenes[i]);
        CHECK(together[i].state == alone[i].state);
        CHECK(together[i].messages == alone[i].messages);
        CHECK(together[i].phases == alone[i].phases);
        CHECK(std::ranges::find(alone[i].messages, "done with " + scenes[i]) != alone[i].messages.end());
        CHECK_FALSE(alone[i].phases.empty());
    }
    // Nothing of it reaches the session of the process.
    CHECK_FALSE(Timers::enabled());
}

TEST_CASE("A simulation works in the session in which it was made, whatever thread steps it", "[scenes]")
{
    Session session;
    std::unique_ptr<Simulation> s;
    std::size_t heard = 0;
    {
        const Session::Scope scope(session);
        MessageLog::addHandler([&heard](const Message&) { ++heard; });
        DataRepository::instance().addPath("/nowhere");
        s = std::make_unique<Simulation>(
            loadScene((test::sourceDirectory() / "scenes/component/fem/HyperelasticityFEMForceField.scn").string()));
        REQUIRE(s->init());
    }
    CHECK(&s->session() == &session);
    CHECK(std::ranges::find(DataRepository::instance().paths(), "/nowhere") ==
          DataRepository::instance().paths().end());
    const std::size_t before = heard;
    const MessageCapture outside;
    s->root().components().front()->setName("renamed");
    s->root().removeComponent(*s->root().components().front());
    s->root().d_gravity.setValue({0., 0., std::numeric_limits<double>::quiet_NaN()});
    CHECK_THROWS(s->step());
    s->cleanup();
    CHECK(heard >= before);
    CHECK(outside.messages().empty());
}

TEST_CASE("A window shows and edits a scene while it animates", "[scenes]")
{
    const MessageCapture messages;
    Simulation simulation(
        loadScene((test::sourceDirectory() / "scenes/component/collision/MeshContacts.scn").string()));
    REQUIRE(simulation.init());
    std::mutex mutex;  // what the thread of the simulation hands over to that of the window
    GraphSnapshot graph;
    std::vector<ObjectSnapshot> objects;
    std::atomic<std::size_t> steps{0}, frames{0};
    std::vector<std::string> failures;

    SimulationThread thread(simulation);
    thread.setFailureListener([&](const std::string& why) {
        const std::lock_guard lock(mutex);
        failures.push_back(why);
    });
    thread.setFrameListener([&] { ++frames; });
    thread.addListener([&](Simulation& s, SimulationThread::Change) { steps = s.stepCount(); });
    thread.setFrameRate(1e6);
    thread.setSpeed(std::numeric_limits<double>::infinity());
    thread.setAnimating(true);

    std::atomic<bool> asked{false};  // one question at a time, as panels do: the animation goes on between them
    const auto inspectAll = [&] {
        asked = true;
        thread.inspect([&](Simulation& s) {
            GraphSnapshot g = takeGraph(s.root());
            std::vector<ObjectSnapshot> all;
            for (const GraphEntry& e : g.entries)
                if (const auto object = e.object.lock()) all.push_back(takeObject(*object, 100));
            const std::lock_guard lock(mutex);
            graph = std::move(g);
            objects = std::move(all);
            asked = false;
        });
    };
    const auto began = std::chrono::steady_clock::now();
    const auto tooLong = [&] { return std::chrono::steady_clock::now() - began > std::chrono::minutes(2); };
    for (int round = 0; (round < 40 || steps < 40) && !tooLong(); ++round) {
        while (asked && !tooLong()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        inspectAll();
        thread.post([round](Simulation& s) {
            SceneEditor editor(s.root());
            Base* mass = findObject(s.root(), "/block/UniformMass1");
            if (round % 4 == 0) editor.setAttributes(*mass, {{"totalMass", std::to_string(1 + round % 3)}});
            if (round % 4 == 1) editor.add(s.root(), "<Node name='guest'><MechanicalObject position='0 3 0'/></Node>");
            if (round % 4 == 2) editor.undo();
            if (round % 4 == 3) editor.undo();
        });
        if (round == 20) thread.interrupt();
        if (round == 21) thread.reset(), thread.setAnimating(true);
        // The frame is read while the scene goes on.
        const SimulationThread::Frame frame = thread.frame();
        (void)thread.work();
        float sum = 0.f;
        if (frame.drawList)
            for (const DrawItem& item : frame.drawList->items)
                for (const Vec3f& x : item.geometry->positions) sum += x[1];
        CHECK(std::isfinite(sum));
        {
            const std::lock_guard lock(mutex);
            for (const ObjectSnapshot& o : objects) CHECK_FALSE(o.className.empty());
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    thread.stop();
    CHECK(steps >= 40);
    CHECK(frames > 0);
    CHECK(graph.entries.size() > 20);
    // The interruption, if a step was running then, is all that failed.
    CHECK(failures.size() <= 1);
}

}  // namespace sessions_test
