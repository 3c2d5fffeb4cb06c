// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/log/Session.h"
#include "core/log/Timer.h"
#include "core/scene/DataRepository.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "tests/harness/Paths.h"

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
