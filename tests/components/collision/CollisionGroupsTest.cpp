// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <set>

#include "core/behavior/Solvers.h"
#include "core/behavior/State.h"
#include "core/collision/CollisionDetection.h"
#include "core/collision/ContactResponse.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Transient.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace collision_groups_test {

using namespace sofa::core;

namespace {

const std::string pipeline =
    "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/><MinProximityIntersection "
    "alarmDistance='0.3' contactDistance='0.2'/><CollisionResponse name='response' response='default'/>";
const std::string solvers =
    "<EulerImplicitSolver name='ode'/><CGLinearSolver name='cg' iterations='100' tolerance='1e-14' threshold='1e-30'/>";

/// A ball that moves along x, of one point that a spring holds to another one.
std::string body(const std::string& name, double x, double v, const std::string& ownSolvers = solvers,
                 const std::string& more = "")
{
    const std::string p = std::to_string(x), q = std::to_string(v);
    return "<Node name='" + name + "'>" + ownSolvers + "<MechanicalObject name='x' position='" + p + " 0 0  " + p +
           " 1 0' velocity='" + q + " 0 0  " + q +
           " 0 0'/><UniformMass vertexMass='1'/><SpringForceField spring='0 1 200 0 1'/>" + more +
           "<Node name='surface'><MechanicalObject name='y'/><IdentityMapping/><SphereCollisionModel name='model' "
           "radius='0.4' contactStiffness='100'/></Node></Node>";
}

struct Scene
{
    explicit Scene(const std::string& content,
                   const std::string& manager = "<DefaultCollisionGroupManager name='groups'/>")
        : root(loadSceneText(
              "<Node name='root' dt='0.02' gravity='0 0 0'><DefaultAnimationLoop/>" + manager + content + "</Node>",
              "test.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    Vector<double> state() const
    {
        Vector<double> all;
        for (auto* s : root->getAll<State<Vec3Types>>(Search::Down))
            if (s->name() == "x")
                for (const auto* v : {&s->positions(), &s->velocities()})
                    for (const Vec3& p : *v) all.insert(all.end(), {p[0], p[1], p[2]});
        return all;
    }
    /// Puts the balls "b0", "b1", ... on the x axis at rest; they touch the one before, but for those with a gap.
    void line(const std::vector<bool>& gap)
    {
        double x = 0.;
        for (std::size_t k = 0; k < gap.size(); ++k) {
            x += gap[k] ? 1.5 : 0.95;
            auto& ball = *root->child("b" + std::to_string(k))->get<State<Vec3Types>>(Search::Local);
            auto positions = ball.write(vec_id::position);
            positions[0] = {x, 0., 0.};
            positions[1] = {x, 1., 0.};
            ball.clear(vec_id::velocity);
        }
    }
    unsigned groups() const
    {
        return static_cast<unsigned>(std::stoi(root->component("groups")->findData("groupCount")->text()));
    }
    /// Every node, once for each way that leads to it, with its components.
    std::string structure() const
    {
        std::string text;
        list(*root, text);
        return text;
    }
    static void list(const Node& n, std::string& text)
    {
        text += n.pathName() + ":" + std::to_string(n.parents().size());
        for (const auto& c : n.components()) text += " " + c->name() + "/" + c->className();
        for (const auto* s : n.getAll<OdeSolver>()) text += s->isSuspended() ? " suspended" : "";
        text += "\n";
        for (const auto& c : n.children()) list(*c, text);
    }
    std::string messages() const
    {
        std::string text;
        for (const Message& m : root->component("groups")->messages()) text += m.text + "\n";
        return text;
    }
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

/// An integrator that keeps things where they are, of which there can be no copy in a group.
class StubbornSolver final : public OdeSolver
{
public:
    void init() override
    {
        if (isTransient(*node())) fail("it stays where it is");
    }
    void solve(double, const MultiVecCoordId&, const MultiVecDerivId&) override { ++steps; }
    double velocityIntegrationFactor(double dt) const override { return dt; }
    double positionIntegrationFactor(double dt) const override { return dt * dt; }
    int steps = 0;
};

double difference(const Vector<double>& a, const Vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double most = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

}  // namespace

TEST_CASE("objects in contact move as under one solver, and as by themselves before and after")
{
    const std::string bodies = body("a", 0., 1.) + body("b", 2., -0.5);
    Scene grouped(pipeline + bodies);
    Scene apart(pipeline + bodies, "");
    // One solver over both, that knows the contacts because the pipeline stands in its node.
    Scene common(
        "<Node name='both'>" + solvers + pipeline + body("a", 0., 1., "") + body("b", 2., -0.5, "") + "</Node>", "");
    bool touched = false, left = false;
    double outside = 0.;
    for (int step = 0; step < 200; ++step) {
        for (Scene* s : {&grouped, &apart, &common}) s->simulation->step();
        CHECK(difference(grouped.state(), common.state()) < 1e-11);
        outside = std::max(outside, difference(apart.state(), common.state()));
        touched = touched || grouped.groups() == 1;
        left = left || (touched && grouped.groups() == 0);
    }
    CHECK(touched);
    CHECK(left);
    CHECK(outside > 1e-2);  // a constant force in each step is something else
}

TEST_CASE("a group leaves the scene as it found it, and paths do not change within it")
{
    Scene s(pipeline + body("a", 0., 1.) + body("b", 2., -0.5));
    const std::string before = s.structure();
    bool touched = false, left = false;
    for (int step = 0; step < 200; ++step) {
        s.simulation->step();
        if (s.groups() > 0) {
            touched = true;
            const Node* group = s.root->child("collisionGroup0");
            REQUIRE(group);
            CHECK(group->children().size() == 2);
            CHECK(group->children()[0]->pathName() == "/a");
            CHECK(group->component("ode")->className() == "EulerImplicitSolver");
            CHECK(s.root->child("a")->get<OdeSolver>(Search::Local)->isSuspended());
        } else {
            CHECK_FALSE(s.root->child("a")->get<OdeSolver>(Search::Local)->isSuspended());
            if (touched) CHECK(s.structure() == before);
            left = touched;
        }
    }
    CHECK(left);
    s.simulation->reset();
    CHECK(s.structure() == before);
    while (s.groups() == 0) s.simulation->step();
    s.simulation->reset();
    CHECK(s.groups() == 0);
    CHECK(s.structure() == before);
    // Again, with the same result as the first time.
    Scene fresh(pipeline + body("a", 0., 1.) + body("b", 2., -0.5));
    for (int step = 0; step < 150; ++step) {
        s.simulation->step();
        fresh.simulation->step();
        CHECK(s.state() == fresh.state());
    }
    s.simulation->cleanup();
}

TEST_CASE("groups grow and split with the connected parts of the contacts")
{
    Scene s(pipeline + body("a", 0., 0.) + body("b", 0.95, 0.) + body("c", 2.5, -1.) + body("d", 9., 0.) +
            body("e", 9.95, 0.));
    std::size_t largest = 0;
    unsigned most = 0;
    for (int step = 0; step < 100; ++step) {
        s.simulation->step();
        most = std::max(most, s.groups());
        for (const auto& n : s.root->children())
            if (n->name().starts_with("collisionGroup")) largest = std::max(largest, n->children().size());
    }
    CHECK(most == 2);
    CHECK(largest == 3);
}

TEST_CASE("groups take up and give away objects, and are those of the contacts at each step")
{
    // Balls on a line; some gaps open and close before each step.
    std::string bodies;
    const std::size_t count = 24;
    for (std::size_t k = 0; k < count; ++k)
        bodies += body("b" + std::to_string(k), 0., 0., k % 5 == 3 ? "<RungeKutta4Solver/>" : solvers);
    Scene s(pipeline + bodies);
    const std::string before = s.structure();
    auto* const manager = s.root->get<ContactManager>();
    std::mt19937 random(7);
    std::vector<bool> open(count, true);
    std::map<std::string, std::set<const Node*>> members;  // of the last step
    std::size_t grown = 0, shrunk = 0, ended = 0, largest = 0;
    for (int step = 0; step < 150; ++step) {
        for (int k = 0; k < 3; ++k) open[random() % count].flip();
        s.line(open);
        s.simulation->step();
        // Connected parts, by spreading the smallest number.
        std::vector<std::size_t> part(count);
        for (std::size_t k = 0; k < count; ++k) part[k] = k;
        const auto numberOf = [](const CollisionModel* m) {
            return static_cast<std::size_t>(std::stoi(m->node()->parents()[0]->name().substr(1)));
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (const ContactResponse* r : manager->responses()) {
                auto &a = part[numberOf(r->models().first)], &b = part[numberOf(r->models().second)];
                changed = changed || a != b;
                a = b = std::min(a, b);
            }
        }
        unsigned groups = 0;
        std::map<std::string, std::set<const Node*>> now;
        for (std::size_t k = 0; k < count; ++k) {
            std::vector<Node*> objects;
            for (std::size_t i = k; i < count; ++i)
                if (part[i] == k) objects.push_back(s.root->child("b" + std::to_string(i)));
            const bool alone = objects.size() == 1;
            for (const Node* n : objects) {
                CHECK(n->parents().size() == (alone ? 1 : 2));
                CHECK(n->get<OdeSolver>(Search::Local)->isSuspended() == !alone);
            }
            if (objects.size() < 2) continue;
            ++groups;
            const Node& group = *objects[0]->parents().back();
            std::vector<Node*> children;
            for (const auto& c : group.children()) children.push_back(c.get());
            CHECK(children == objects);
            now[group.name()] = std::set<const Node*>(objects.begin(), objects.end());
            largest = std::max(largest, objects.size());
            // Solvers first, those that a new group would have; then exactly the forces.
            const bool implicit = std::ranges::any_of(
                objects, [](const Node* n) { return n->get<OdeSolver>(Search::Local)->isImplicit(); });
            CHECK(group.get<OdeSolver>(Search::Local)->className() ==
                  (implicit ? "EulerImplicitSolver" : "RungeKutta4Solver"));
            CHECK(group.components()[0].get() == group.get<OdeSolver>(Search::Local));
            CHECK(group.getAll<OdeSolver>().size() == 1);
            CHECK(group.getAll<LinearSolver>().size() == (implicit ? 1 : 0));
            std::size_t forces = 0;
            for (const ContactResponse* r : manager->responses())
                if (part[numberOf(r->models().first)] == k) {
                    ++forces;
                    CHECK(r->component()->node() == &group);
                }
            CHECK(group.components().size() == forces + (implicit ? 2 : 1));
        }
        CHECK(s.groups() == groups);
        std::size_t nodes = 0;
        for (const auto& n : s.root->children()) nodes += n->name().starts_with("collisionGroup");
        CHECK(nodes == groups);
        for (const auto& [name, objects] : members) {
            const auto it = now.find(name);
            if (it == now.end()) {
                ++ended;
                continue;
            }
            std::vector<const Node*> shared;
            std::ranges::set_intersection(objects, it->second, std::back_inserter(shared));
            if (shared.empty()) continue;  // another group with the name of one that ended
            grown += shared.size() < it->second.size();
            shrunk += shared.size() < objects.size();
        }
        members = now;
    }
    CHECK(largest >= 8);
    CHECK(grown >= 20);
    CHECK(shrunk >= 20);
    CHECK(ended >= 5);
    s.simulation->reset();
    CHECK(s.structure() == before);
}

TEST_CASE("a group goes on in the part with which it shares most objects")
{
    std::string bodies;
    for (int k = 0; k < 6; ++k) bodies += body("b" + std::to_string(k), 0., 0.);
    Scene s(pipeline + bodies);
    /// The groups when there is a gap before some balls, each as its name and its balls.
    const auto groups = [&s](const std::vector<bool>& open) {
        for (int k = 0; k < 2; ++k) {  // surfaces follow at the end of a step
            s.line(open);
            s.simulation->step();
        }
        std::string text;
        for (const auto& n : s.root->children())
            if (n->name().starts_with("collisionGroup")) {
                text += n->name().substr(14) + ":";
                for (const auto& c : n->children()) text += c->name().substr(1);
                text += " ";
            }
        return text;
    };
    CHECK(groups({true, true, false, false, false, false}) == "0:12345 ");
    const auto group = s.root->child("collisionGroup0")->shared_from_this();
    CHECK(groups({true, false, false, false, true, false}) == "0:0123 1:45 ");
    CHECK(s.root->child("collisionGroup0") == group.get());
    CHECK(groups({true, false, true, false, false, false}) == "0:01 1:2345 ");  // 0 has two of each, 1 only 4 and 5
    CHECK(s.root->child("collisionGroup0") == group.get());
    CHECK(groups({true, false, false, true, true, true}) == "0:012 ");
    CHECK(groups({true, true, true, true, true, true}).empty());
    CHECK(group->parents().empty());
    CHECK(group->children().empty());
}

TEST_CASE("the strongest solvers are taken, the strictest numbers hold, and the user learns it")
{
    const auto group = [](const std::string& first, const std::string& second, std::string& messages,
                          const std::string& more = "") {
        auto s = std::make_unique<Scene>(pipeline + body("a", 0., 0., first) + body("b", 0.95, 0., second, more));
        s->simulation->step();
        messages = s->messages();
        return s;
    };
    std::string messages;
    {
        const auto s = group(
            "<EulerExplicitSolver/>",
            "<EulerImplicitSolver name='o'/><SparseLDLSolver name='direct' template='CompressedRowSparseMatrixd'/>",
            messages);
        REQUIRE(s->groups() == 1);
        CHECK(s->root->child("collisionGroup0")->component("direct"));
        CHECK(messages.empty());
    }
    {
        const auto s = group(
            "<EulerImplicitSolver rayleighMass='0.2'/><CGLinearSolver iterations='10' tolerance='1e-5' "
            "threshold='1e-5'/>",
            "<EulerImplicitSolver rayleighMass='0.1'/><CGLinearSolver name='cg' iterations='30' tolerance='1e-3' "
            "threshold='1e-7'/>",
            messages);
        REQUIRE(s->groups() == 1);
        const auto* node = s->root->child("collisionGroup0");
        const auto* cg = node->get<LinearSolver>(Search::Local);
        CHECK(cg->findData("iterations")->text() == "30");
        CHECK(cg->findData("tolerance")->text() == "1e-05");
        CHECK(cg->findData("threshold")->text() == "1e-07");
        CHECK(node->get<OdeSolver>(Search::Local)->findData("rayleighMass")->text() == "0.1");
        CHECK_THAT(messages, Catch::Contains("'rayleighMass'") && Catch::Contains("both get 0.1"));
    }
    {
        const auto s = group(solvers, solvers, messages, "<UncoupledConstraintCorrection/>");
        CHECK(s->groups() == 0);
        CHECK_THAT(messages, Catch::Contains("constraint correction") && Catch::Contains("stay outside"));
        for (int step = 0; step < 5; ++step) s->simulation->step();
        CHECK(s->messages() == messages);  // told once
    }
}

TEST_CASE("of different integrators the one that damps stiff contacts more takes the group, of explicit ones the order")
{
    const std::string linear = "<CGLinearSolver name='cg' iterations='100' tolerance='1e-14' threshold='1e-30'/>",
                      euler = "<EulerImplicitSolver rayleighMass='0.3'/>" + linear,
                      newmark = "<NewmarkImplicitSolver rayleighMass='0.1'/>" + linear,
                      bdf = "<BDFOdeSolver rayleighMass='0.3'/><NewtonRaphsonSolver/>" + linear,
                      midpoint = "<VariationalSymplecticSolver/>" + linear,
                      still = "<StaticSolver/><NewtonRaphsonSolver/>" + linear;
    const auto taken = [](const std::string& first, const std::string& second, std::string& messages) {
        Scene s(pipeline + body("a", 0., 0., first) + body("b", 0.95, 0., second));
        s.simulation->step();
        messages = s.messages();
        const Node* group = s.root->child("collisionGroup0");
        return group ? group->get<OdeSolver>(Search::Local)->className() : std::string();
    };
    std::string messages;
    const std::vector<std::pair<std::string, std::string>> falling{
        {"EulerImplicitSolver", euler},
        {"BDFOdeSolver", bdf},
        {"NewmarkImplicitSolver", newmark},
        {"VariationalSymplecticSolver", midpoint},
        {"RungeKutta4Solver", "<RungeKutta4Solver/>"},
        {"CentralDifferenceSolver", "<CentralDifferenceSolver/>"},
        {"EulerExplicitSolver", "<EulerExplicitSolver/>"}};
    for (std::size_t i = 0; i < falling.size(); ++i)
        for (std::size_t j = i; j < falling.size(); ++j)
            for (const bool turned : {false, true}) {
                INFO(falling[i].first << " and " << falling[j].first << (turned ? ", turned" : ""));
                const auto &a = falling[turned ? j : i].second, &b = falling[turned ? i : j].second;
                CHECK(taken(a, b, messages) == falling[i].first);
                const bool told = messages.find("both get " + falling[i].first) != std::string::npos;
                CHECK(told == (i != j && j < 4));
            }
    for (const auto& [name, solver] : falling) {
        INFO(name);
        CHECK(taken(solver, still, messages).empty());
        CHECK_THAT(messages, Catch::Contains("looks for equilibrium") && Catch::Contains("stay outside"));
    }
    CHECK(taken(still, still, messages) == "StaticSolver");

    // They move as under the one that was taken, with the smaller damping of both.
    Scene grouped(pipeline + body("a", 0., 0.3, newmark) + body("b", 0.95, -0.2, euler));
    Scene common("<Node name='both'><EulerImplicitSolver rayleighMass='0.1'/>" + linear + pipeline +
                     body("a", 0., 0.3, "") + body("b", 0.95, -0.2, "") + "</Node>",
                 "");
    for (int step = 0; step < 10; ++step) {
        for (Scene* s : {&grouped, &common}) s->simulation->step();
        REQUIRE(grouped.groups() == 1);
        CHECK(difference(grouped.state(), common.state()) < 1e-11);
    }
}

TEST_CASE("a checkpoint finds the objects of groups beside a node with several integrators")
{
    const auto part = [](const std::string& tag, const std::string& x) {
        return "<Node name='" + tag + "'><MechanicalObject tags='" + tag + "' position='" + x +
               " 9 0'/><UniformMass tags='" + tag + "' totalMass='1'/></Node>";
    };
    const std::string content =
        "<Node name='two'><EulerExplicitSolver name='first' tags='u'/><EulerExplicitSolver "
        "name='second' tags='v'/>" +
        part("u", "0") + part("v", "1") + "</Node>" + pipeline + body("a", 0., 0.) + body("b", 0.95, 0.) +
        body("c", 5., 0.);
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder / "groups.checkpoint").string();
    Scene saved(content), loaded(content);
    for (int step = 0; step < 3; ++step) saved.simulation->step();
    REQUIRE(saved.groups() == 1);
    saveCheckpoint(*saved.simulation, file);
    loadCheckpoint(*loaded.simulation, file);
    CHECK(loaded.structure() == saved.structure());
    for (int step = 0; step < 3; ++step) {
        for (Scene* s : {&saved, &loaded}) s->simulation->step();
        CHECK(loaded.state() == saved.state());
    }
}

TEST_CASE("objects whose solvers cannot be copied stay with them")
{
    RegisterComponent("TestStubbornSolver", "OdeSolver", "Test.Module").add<StubbornSolver>();
    {
        Scene s(pipeline + body("b0", 0., 0., "<TestStubbornSolver/>") + body("b1", 3., 0., "<EulerExplicitSolver/>") +
                body("b2", 6., 0., solvers));
        const auto* const stubborn = s.root->child("b0")->get<StubbornSolver>(Search::Local);
        const auto suspended = [&s](const char* name) {
            return s.root->child(name)->get<OdeSolver>(Search::Local)->isSuspended();
        };
        for (int step = 1; step <= 4; ++step) {
            s.line({true, false, true});
            s.simulation->step();
            CHECK(s.groups() == 0);
            CHECK(stubborn->steps == step);
            CHECK_FALSE(suspended("b0"));
            CHECK_FALSE(suspended("b1"));
            CHECK_FALSE(s.root->child("collisionGroup0"));
        }
        // With a stronger one they are joined; as a group that comes to lack it they are not.
        for (int step = 0; step < 2; ++step) {
            s.line({true, false, false});
            s.simulation->step();
        }
        CHECK(s.groups() == 1);
        CHECK(suspended("b0"));
        for (int step = 0; step < 2; ++step) {
            s.line({true, false, true});
            s.simulation->step();
        }
        CHECK(s.groups() == 0);
        for (const char* name : {"b0", "b1", "b2"}) CHECK_FALSE(suspended(name));
        CHECK_FALSE(s.root->child("collisionGroup0"));
    }
    Registry::instance().remove("TestStubbornSolver");
}

TEST_CASE("a group manager that is not active leaves objects to their integrators")
{
    const std::string bodies = body("a", 0., 0.2) + body("b", 0.95, -0.2);
    Scene off(pipeline + bodies, "<TreeCollisionGroupManager name='groups' active='0'/>"), none(pipeline + bodies, "");
    for (int step = 0; step < 3; ++step) {
        for (Scene* s : {&off, &none}) s->simulation->step();
        CHECK(off.groups() == 0);
        CHECK(off.state() == none.state());
    }
    Scene on(pipeline + bodies, "<TreeCollisionGroupManager name='groups'/>");
    on.simulation->step();
    CHECK(on.groups() == 1);
    std::string error;
    REQUIRE(on.root->component("groups")->findData("active")->read("0", error));
    on.simulation->step();
    CHECK(on.groups() == 0);
    CHECK_FALSE(on.root->child("collisionGroup0"));
    CHECK_FALSE(on.root->child("a")->get<OdeSolver>(Search::Local)->isSuspended());
}

TEST_CASE("contacts within one object belong to its integrator")
{
    Scene s(pipeline + "<Node name='both'>" + solvers + body("a", 0., 0., "") + body("b", 0.95, 0., "") + "</Node>");
    const std::size_t before = s.root->child("both")->components().size();
    s.simulation->step();
    CHECK(s.groups() == 0);
    CHECK(s.root->child("both")->components().size() == before + 1);
    s.simulation->reset();
    CHECK(s.root->child("both")->components().size() == before);
}

}  // namespace collision_groups_test
