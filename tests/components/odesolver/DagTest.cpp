// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Nodes with several parents under real solvers: every force counts once, and the motion is that of the same scene
// written as a tree.
#include <catch2/catch.hpp>
#include <functional>

#include "core/behavior/ForceField.h"
#include "core/behavior/State.h"
#include "core/objectmodel/Path.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/TestGraph.h"

namespace dag_test {

using namespace sofa::core;

namespace {

const std::vector<std::pair<const char*, std::string>> solvers{
    {"explicit", "<EulerExplicitSolver/>"},
    {"implicit, CG",
     "<EulerImplicitSolver rayleighStiffness='0.1' rayleighMass='0.1'/>"
     "<CGLinearSolver iterations='200' tolerance='1e-15' threshold='1e-40'/>"},
    {"implicit, CG without matrix",
     "<EulerImplicitSolver rayleighStiffness='0.1' rayleighMass='0.1'/>"
     "<CGLinearSolver template='GraphScattered' assembly='never' iterations='200' "
     "tolerance='1e-15' threshold='1e-40'/>"},
    {"implicit, LDL", "<EulerImplicitSolver rayleighStiffness='0.1' rayleighMass='0.1'/><SparseLDLSolver/>"}};

using Change = std::function<void(Node&)>;

/// Positions of every state below the root by path name, after some steps. `change` edits the graph before it is
/// initialised.
std::map<std::string, Vector<Vec3>> run(const std::string& text, const Change& change, int steps)
{
    LoadReport report;
    auto root = loadSceneText(text, "dag.scn", {}, &report);
    REQUIRE(report.ok());
    change(*root);
    Simulation sim(root);
    REQUIRE(sim.init());
    for (int i = 0; i < steps; ++i) sim.step();
    std::map<std::string, Vector<Vec3>> out;
    for (const auto* s : root->getAll<State<Vec3Types>>(Search::Down)) out[s->node()->name()] = s->positions();
    return out;
}

double largestDifference(const std::map<std::string, Vector<Vec3>>& a, const std::map<std::string, Vector<Vec3>>& b)
{
    REQUIRE(a.size() == b.size());
    double worst = 0.;
    for (const auto& [name, x] : a) {
        REQUIRE(b.count(name) == 1);
        REQUIRE(b.at(name).size() == x.size());
        for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, norm(x[i] - b.at(name)[i]));
    }
    return worst;
}

/// Three bodies a, b and c with forces of their own, one between a and b at the root, and mapped points d below c.
/// `inA` and `inB` stand at the end of the nodes a and b.
std::string bodies(const std::string& solver, const std::string& inA, const std::string& inB)
{
    return "<Node name='root' gravity='0 -9.81 0' dt='0.01'>" + solver +
           "<Node name='a'><MechanicalObject name='dofs' position='0 0 0  1 0.1 0'/><UniformMass vertexMass='0.5'/>"
           "<SpringForceField spring='0 1 50 0.2 1'/><FixedProjectiveConstraint indices='0'/>" +
           inA +
           "</Node><Node name='b'><MechanicalObject name='dofs' position='2 0 0  3 0 0.2'/><UniformMass "
           "vertexMass='0.7'/><SpringForceField spring='0 1 30 0 1.1'/><RestShapeSpringsForceField points='1' "
           "stiffness='20'/>" +
           inB + "</Node><SpringForceField object1='@a/dofs' object2='@b/dofs' spring='1 0 40 0.1 0.8'/></Node>";
}

const std::string c =
    "<Node name='c'><MechanicalObject name='dofs' position='0 2 0  1 2 0  1 3 0'/><UniformMass totalMass='1.2'/>"
    "<SpringForceField spring='0 1 60 0.3 0.9  1 2 45 0 1'/><RestShapeSpringsForceField points='0' stiffness='500'/>"
    "<ConstantForceField indices='2' forces='0.3 0.2 -0.1'/>"
    "<Node name='d'><MechanicalObject name='dofs'/><SubsetMapping indices='1 2'/>"
    "<ConstantForceField forces='0.1 0 0  0 0 0.4'/><SpringForceField spring='0 1 25 0.1 0.7'/></Node></Node>";

void share(Node& root, std::initializer_list<const char*> from, const char* newParent)
{
    Node* n = &root;
    std::shared_ptr<Node> found;
    for (const char* name : from) {
        for (const auto& k : n->children())
            if (k->name() == name) found = k;
        n = found.get();
    }
    root.child(newParent)->addChild(found);
    REQUIRE(found->parents().size() == 2);
}

/// Counts how often it is asked for its forces, and pushes along x with 1 N.
class CountingForce final : public ForceField<Vec3Types>
{
public:
    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    int calls = 0;

    std::string className() const override { return "CountingForce"; }
    void addForce(const MechanicalParams&, Vector<Vec3>& f, const Vector<Vec3>&, const Vector<Vec3>&) override
    {
        ++calls;
        for (Vec3& k : f) k[0] += 1.;
    }
    void buildStiffness(const MechanicalParams&, BlockSink&) override {}
    double potentialEnergy(const MechanicalParams&, const Vector<Vec3>& x) const override
    {
        double e = 0.;
        for (const Vec3& k : x) e -= k[0];
        return e;
    }
};

const Change nothing = [](Node&) {};

}  // namespace

TEST_CASE("a body with two parents moves as it does with one")
{
    for (const auto& [name, solver] : solvers) {
        INFO(name);
        const auto reference = run(bodies(solver, "", c), nothing, 20);
        REQUIRE(norm(reference.at("c")[2] - Vec3{1, 3, 0}) > 1e-3);
        REQUIRE(reference.at("d")[0] == reference.at("c")[1]);

        // Below a and, added later, below b: the nodes come in the order of the tree with c below b, so bit by bit.
        CHECK(largestDifference(run(
                                    bodies(solver, c, ""),
                                    [](Node& r) {
                                        share(r, {"a", "c"}, "b");
                                    },
                                    20),
                                reference) == 0.);
        CHECK(largestDifference(run(
                                    bodies(solver, "", c),
                                    [](Node& r) {
                                        share(r, {"b", "c"}, "a");
                                    },
                                    20),
                                reference) == 0.);
        // Below a alone the sums have another order.
        CHECK(largestDifference(run(bodies(solver, c, ""), nothing, 20), reference) < 1e-10);
        // A mapped node d with two parents, c and a, both without effect on what it does.
        CHECK(largestDifference(run(
                                    bodies(solver, "", c),
                                    [](Node& r) {
                                        share(r, {"b", "c", "d"}, "a");
                                    },
                                    20),
                                reference) == 0.);
    }
}

TEST_CASE("a parent that is added while the simulation runs changes nothing")
{
    for (const auto& [name, solver] : solvers) {
        INFO(name);
        const auto reference = run(bodies(solver, "", c), nothing, 20);
        auto root = loadSceneText(bodies(solver, c, ""), "dag.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 20; ++i) {
            if (i == 7) share(*root, {"a", "c"}, "b");
            if (i == 13) root->child("a")->removeChild(*root->child("a")->child("c"));
            sim.step();
        }
        const auto* s = root->child("b")->child("c")->get<State<Vec3Types>>(Search::Local);
        for (std::size_t i = 0; i < s->size(); ++i) CHECK(norm(s->positions()[i] - reference.at("c")[i]) < 1e-10);
    }
}

TEST_CASE("every force of a node with two parents is added once")
{
    // v = h (g + F/m): with F = 1 N from the counting field, 2 N from the constant one and, for c, 3 N from mapped d.
    const double h = 0.01, m = 2.;
    for (const auto& [name, solver] : solvers) {
        INFO(name);
        const std::string body = "<MechanicalObject name='dofs' position='0 0 0'/>",
                          mass = "<UniformMass vertexMass='2'/>", force = "<ConstantForceField forces='2 0 0'/>";
        const bool damped = solver.find("rayleigh") != std::string::npos;
        auto root = loadSceneText("<Node name='root' gravity='0 -10 0' dt='0.01'>" + solver + "<Node name='a'>" + body +
                                      mass + force + "<Node name='c'>" + body + mass + force +
                                      "<Node name='d'><MechanicalObject name='dofs'/><IdentityMapping/>"
                                      "<ConstantForceField forces='3 0 0'/></Node></Node></Node><Node name='b'>" +
                                      body + mass + force + "</Node></Node>",
                                  "count.scn");
        share(*root, {"a", "c"}, "b");
        share(*root, {"a", "c", "d"}, "b");  // d: parents c and b
        Node* nodeC = root->child("b")->child("c");
        auto& counter = nodeC->create<CountingForce>();
        counter.l_state.set(nodeC->get<State<Vec3Types>>(Search::Local));
        auto& below = nodeC->child("d")->create<CountingForce>();
        below.l_state.set(nodeC->child("d")->get<State<Vec3Types>>(Search::Local));
        Simulation sim(root);
        REQUIRE(sim.init());
        counter.calls = below.calls = 0;
        sim.step();
        CHECK(counter.calls == 1);
        CHECK(below.calls == 1);
        // Rayleigh damping of mass 0.1/s: (1 + 0.1 h) m v = h f.
        const double factor = damped ? h / (1. + 0.1 * h) / m : h / m;
        const auto velocity = [&](Node& n) { return n.get<State<Vec3Types>>(Search::Local)->velocities()[0]; };
        CHECK(norm(velocity(*root->child("a")) - factor * Vec3{2, -20, 0}) < 1e-14);
        CHECK(norm(velocity(*root->child("b")) - factor * Vec3{2, -20, 0}) < 1e-14);
        CHECK(norm(velocity(*nodeC) - factor * Vec3{7, -20, 0}) < 1e-14);
        CHECK(velocity(*nodeC->child("d")) == velocity(*nodeC));
        CHECK(sim.energy().kinetic == Approx(0.5 * m *
                                             (dot(velocity(*nodeC), velocity(*nodeC)) +
                                              2. * dot(velocity(*root->child("a")), velocity(*root->child("a"))))));
    }
}

TEST_CASE("a mapping below two parents comes after the mapping that moves its input, wherever its first parent is")
{
    const auto scene = [](const std::string& solver) {
        return "<Node name='root' gravity='0 -9.81 0' dt='0.01'>" + solver +
               "<Node name='first'><MechanicalObject name='dofs' position='5 0 0'/><UniformMass vertexMass='1'/>"
               "</Node><Node name='body'><MechanicalObject name='dofs' position='0 0 0  1 0 0'/><UniformMass "
               "vertexMass='1'/><FixedProjectiveConstraint indices='0'/><SpringForceField spring='0 1 80 0.1 1'/>"
               "<Node name='mapped'><MechanicalObject name='dofs'/><SubsetMapping indices='1 0'/>"
               "<Node name='twice'><MechanicalObject name='dofs'/><SubsetMapping input='@/body/mapped/dofs' "
               "indices='0'/>"
               "<ConstantForceField forces='1 2 3'/><RestShapeSpringsForceField points='0' stiffness='30'/>"
               "</Node></Node></Node></Node>";
    };
    for (const auto& [name, solver] : solvers) {
        INFO(name);
        const auto reference = run(scene(solver), nothing, 20);
        REQUIRE(norm(reference.at("twice")[0] - Vec3{1, 0, 0}) > 1e-3);
        REQUIRE(reference.at("twice")[0] == reference.at("body")[1]);
        const auto second = [](Node& root) { share(root, {"body", "mapped", "twice"}, "first"); };
        CHECK(largestDifference(run(scene(solver), second, 20), reference) == 0.);
        const auto front = [&second](Node& root) {
            second(root);
            Node& mapped = *root.child("body")->child("mapped");
            const auto twice = mapped.children().front();
            mapped.removeChild(*twice);
            mapped.addChild(twice);
            REQUIRE(twice->parents().front()->name() == "first");
        };
        CHECK(largestDifference(run(scene(solver), front, 20), reference) == 0.);
    }
}

TEST_CASE("what a node with two parents looks for above it is found above either")
{
    // The second parent holds the state and the solver's node; the first holds neither.
    auto root = std::make_shared<Node>("root");
    auto empty = root->createChild("empty"), body = root->createChild("body");
    auto& state = sofa::test::addState<Vec3Types>(*body, {Vec3{1, 2, 3}});
    auto shared = empty->createChild("shared");
    body->addChild(shared);
    CHECK(shared->get<State<Vec3Types>>() == &state);
    auto& mapped = sofa::test::addState<Vec3Types>(*shared, {Vec3{0, 0, 0}});
    sofa::test::addComponent(*shared, "IdentityMapping", {});
    REQUIRE(sofa::test::initialise(*root));
    CHECK(mapped.positions()[0] == Vec3{1, 2, 3});
    std::string error;
    CHECK_FALSE(findByPath(mapped, "@TestState1", error).empty());
    const auto found = findByPath(*shared, "@body", error);
    REQUIRE_FALSE(found.empty());
    CHECK(found.front() == body.get());
}

}  // namespace dag_test
