// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/behavior/State.h"
#include "core/collision/ContactResponse.h"
#include "core/objectmodel/Transient.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/scene/SceneWriter.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace contact_checkpoint_test {

using namespace sofa::core;

namespace {

struct Case
{
    std::string name, loop, response;
    bool constraints = false, groups = false;
};

const std::vector<Case> cases{
    {"penalty", "<DefaultAnimationLoop/>", "response='PenalityContactForceField'"},
    {"penalty, detected after the free motion",
     "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='20' tolerance='1e-5'/>",
     "response='PenalityContactForceField'", true},
    {"friction, LCP from the forces of the last step",
     "<FreeMotionAnimationLoop/><LCPConstraintSolver mu='0.4' tolerance='1e-3' maxIt='10'/>",
     "response='FrictionContactConstraint' responseParams='mu=0.4'", true},
    {"friction, block Gauss-Seidel",
     "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='10' tolerance='1e-4'/>",
     "response='FrictionContactConstraint' responseParams='mu=0.5&amp;warmStart=1'", true},
    {"stick", "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='20' tolerance='1e-5'/>",
     "response='StickContactConstraint'", true},
    {"stick springs", "<DefaultAnimationLoop/>", "response='StickContactForceField'"},
    {"penalty, groups", "<DefaultAnimationLoop/>", "response='PenalityContactForceField'", false, true}};

/// Bodies with integrators of their own that fall on a floor and on each other: frames with spheres, and a soft block
/// with points, lines and triangles. Models of different bodies have the same names.
std::string textOf(const Case& c)
{
    const std::string solvers =
                          "<EulerImplicitSolver rayleighStiffness='0.02' rayleighMass='0.1'/><CGLinearSolver "
                          "iterations='20' tolerance='1e-6' threshold='1e-9' warmStart='1'/>",
                      correction = c.constraints ? "<UncoupledConstraintCorrection defaultCompliance='1e-4'/>" : "",
                      models = "<PointCollisionModel/><LineCollisionModel/><TriangleCollisionModel/>";
    std::string text = "<Node name='root' dt='0.01' gravity='0.5 -9.81 0'>" + c.loop +
                       "<CollisionPipeline name='pipeline'/><IncrSAP/>"
                       "<MinProximityIntersection alarmDistance='0.15' contactDistance='0.05'/><CollisionResponse " +
                       c.response + "/>" + (c.groups ? "<DefaultCollisionGroupManager name='groups'/>" : "");
    for (const char* at : {"-0.9 0.45 0", "-0.6 1.35 0.1", "0.9 0.45 0"})
        text += "<Node>" + solvers + "<MechanicalObject template='Rigid3' position='" + at +
                " 0 0 0 1'/><UniformMass vertexMass='0.5 1 [0.05 0 0,0 0.05 0,0 0 0.05]'/>" + correction +
                "<SphereCollisionModel name='model' radius='0.3' contactStiffness='15'/></Node>";
    text += "<Node name='block'>" + solvers +
            "<RegularGridTopology n='3 3 3' min='-0.35 0 -0.35' max='0.35 0.7 0.35'/><MechanicalObject rotation='0 20 "
            "30' translation='0 0.35 0'/><UniformMass totalMass='0.5'/><HexahedronFEMForceField youngModulus='500' "
            "poissonRatio='0.3'/>" +
            correction + models + "</Node>";
    text += "<Node name='floor'><RegularGridTopology n='5 1 5' min='-2 0 -2' max='2 0 2'/><MechanicalObject/>";
    for (const char* kind : {"Point", "Line", "Triangle"})
        text += std::string("<") + kind + "CollisionModel moving='0' simulated='0' contactStiffness='15'/>";
    return text + "</Node></Node>";
}

struct Run
{
    explicit Run(const Case& c) : root(loadSceneText(textOf(c), "contacts.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    void steps(int n)
    {
        for (int k = 0; k < n; ++k) simulation->step();
    }
    int contacts() const { return std::stoi(root->component("pipeline")->findData("contactCount")->text()); }
    /// Positions and velocities of all bodies.
    Vector<double> state() const
    {
        Vector<double> all;
        const auto append = [&all](const auto& list) {
            for (const auto& v : list)
                for (std::size_t k = 0; k < v.size(); ++k) all.push_back(v[k]);
        };
        for (const auto* s : root->getAll<State<Vec3Types>>(Search::Down)) {
            if (isTransient(*s->node())) continue;
            append(s->positions());
            append(s->velocities());
        }
        for (const auto* s : root->getAll<State<Rigid3Types>>(Search::Down)) {
            for (const auto& x : s->positions()) {
                for (std::size_t k = 0; k < 3; ++k) all.push_back(x.center[k]);
                for (std::size_t k = 0; k < 4; ++k) all.push_back(x.orientation[k]);
            }
            append(s->velocities());
        }
        return all;
    }
    /// Numbers of the responses (LCPConstraintSolver starts from other forces in the first one).
    std::vector<std::uint64_t> numbers() const
    {
        std::vector<std::uint64_t> all;
        for (const ContactResponse* r : root->get<ContactManager>(Search::Down)->responses())
            all.push_back(r->number());
        return all;
    }
    /// Every node, once for each way that leads to it, with its components in their order.
    std::string structure() const
    {
        std::string text;
        list(*root, text);
        return text;
    }
    static void list(const Node& n, std::string& text)
    {
        text += n.pathName() + ":";
        for (const auto& c : n.components()) text += " " + c->name() + "/" + c->className();
        text += "\n";
        for (const auto& c : n.children()) list(*c, text);
    }

    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

}  // namespace

TEST_CASE("a checkpoint taken during contact continues bit for bit")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder / "sofa-contacts.checkpoint").string();
    for (const Case& c : cases) {
        Vector<double> ofOneThread;
        for (const unsigned threads : {1u, 2u}) {
            setThreadCount(threads);
            for (const int start : {13, 47}) {
                INFO(c.name << ", from step " << start << ", threads: " << threads);
                Run whole(c);
                whole.steps(start);
                REQUIRE(whole.contacts() > 0);
                saveCheckpoint(*whole.simulation, file);
                Run fresh(c), used(c);
                used.steps(30);  // with other contacts
                for (Run* r : {&fresh, &used}) {
                    loadCheckpoint(*r->simulation, file);
                    CHECK(r->structure() == whole.structure());
                    CHECK(r->state() == whole.state());
                    CHECK(r->numbers() == whole.numbers());
                }
                if (c.groups) CHECK(fresh.root->child("collisionGroup0"));
                for (int step = 0; step < 50; ++step)
                    for (Run* r : {&whole, &fresh, &used}) r->steps(1);
                CHECK(fresh.state() == whole.state());
                CHECK(used.state() == whole.state());
                CHECK(fresh.structure() == whole.structure());
                if (start != 47) continue;
                if (threads == 1) ofOneThread = whole.state();
                CHECK(whole.state() == ofOneThread);
            }
        }
    }
    setThreadCount(0);
}

TEST_CASE("a scene that is reset during contact moves as before, and is written without its contacts")
{
    for (const Case& c : cases) {
        INFO(c.name);
        Run run(c);
        const std::string text = writeScene(*run.root), structure = run.structure();
        run.steps(30);
        REQUIRE(run.contacts() > 0);
        const Vector<double> first = run.state();
        const auto numbers = run.numbers();
        CHECK(run.structure() != structure);
        CHECK(writeScene(*run.root) == text);
        run.simulation->reset();
        CHECK(run.structure() == structure);
        run.steps(30);
        CHECK(run.state() == first);
        CHECK(run.numbers() == numbers);
    }
}

TEST_CASE("a checkpoint with contacts is refused by a scene without their models")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder / "sofa-contacts-of-another-scene.checkpoint").string();
    Run run(cases[0]);
    run.steps(20);
    REQUIRE(run.contacts() > 0);
    saveCheckpoint(*run.simulation, file);
    const auto root = loadSceneText(
        "<Node name='root'><DefaultAnimationLoop/><CollisionPipeline/><IncrSAP/><MinProximityIntersection "
        "alarmDistance='0.2' contactDistance='0.1'/><CollisionResponse "
        "response='PenalityContactForceField'/></Node>",
        "other.scn");
    REQUIRE(root);
    Simulation other(root);
    REQUIRE(other.init());
    CHECK_THROWS_WITH(loadCheckpoint(other, file), Catch::Contains("belongs to another scene"));
}

}  // namespace contact_checkpoint_test
