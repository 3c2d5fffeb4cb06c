// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "core/behavior/Mapping.h"
#include "core/objectmodel/Event.h"
#include "core/visitor/ExecutionPlan.h"
#include "tests/harness/TestGraph.h"

namespace execution_plan_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

class TestSolver final : public OdeSolver
{
public:
    std::string className() const override { return "TestSolver"; }
    void solve(double, const MultiVecCoordId&, const MultiVecDerivId&) override {}
    double velocityIntegrationFactor(double) const override { return 1.; }
    double positionIntegrationFactor(double) const override { return 1.; }
};

class TestMapping final : public Mapping<Vec3Types, Vec3Types>
{
public:
    std::string className() const override { return "TestMapping"; }
    using Mapping::apply;
    void apply(Vector<Vec3>& out, const Vector<Vec3>& in) override { out = in; }
    void buildJacobian(JacobianMatrix& j, const Vector<Vec3>& in) override
    {
        j.clear();
        for (Index i = 0; i < in.size(); ++i) {
            j.appendRow();
            j.append(i, Mat3::identity());
        }
    }
};

class TestForce final : public ForceField<Vec3Types>
{
public:
    std::string className() const override { return "TestForce"; }
    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void addForce(const MechanicalParams&, Vector<Vec3>&, const Vector<Vec3>&, const Vector<Vec3>&) override {}
    void buildStiffness(const MechanicalParams&, BlockSink&) override {}
    double potentialEnergy(const MechanicalParams&, const Vector<Vec3>&) const override { return 0.; }
};

class TestPair final : public PairInteractionForceField<Vec3Types>
{
public:
    std::string className() const override { return "TestPair"; }
    using PairInteractionForceField::addForce;
    using PairInteractionForceField::potentialEnergy;
    void addForce(const MechanicalParams&, Vector<Vec3>&, Vector<Vec3>&, const Vector<Vec3>&, const Vector<Vec3>&,
                  const Vector<Vec3>&, const Vector<Vec3>&) override
    {
    }
    void buildStiffness(const MechanicalParams&, MatrixAccumulator&) override {}
    double potentialEnergy(const MechanicalParams&, const Vector<Vec3>&, const Vector<Vec3>&) const override
    {
        return 0.;
    }
};

/// Writes down that it has heard of an event.
class TestListener final : public Component
{
public:
    explicit TestListener(std::vector<const Component*>& h) : heard(h) { d_listening.setValue(true); }
    std::string className() const override { return "TestListener"; }
    void handleEvent(const Event&) override { heard.push_back(this); }
    std::vector<const Component*>& heard;
};

struct TestEvent final : Event
{
    const char* name() const override { return "TestEvent"; }
};

/// Writes down every call; may prune at a component.
class Recorder final : public MechanicalVisitor
{
public:
    std::vector<std::string> calls;
    std::string pruneAt;

    Result note(const char* what, const Node& n, const Base& b)
    {
        calls.push_back(std::string(what) + ' ' + n.name() + '/' + b.name());
        return b.name() == pruneAt ? Prune : Continue;
    }
    Result fwdOdeSolver(Node& n, OdeSolver& c) override { return note("solver", n, c); }
    Result fwdMapping(Node& n, BaseMapping& c) override { return note("mapping", n, c); }
    Result fwdState(Node& n, BaseState& c) override { return note("state", n, c); }
    Result fwdMappedState(Node& n, BaseState& c) override { return note("mapped", n, c); }
    Result fwdForceField(Node& n, BaseForceField& c) override { return note("force", n, c); }
    Result fwdInteractionForceField(Node& n, BaseForceField& c) override { return note("pair", n, c); }
    void bwdState(Node& n, BaseState& c) override { note("up state", n, c); }
    void bwdMappedState(Node& n, BaseState& c) override { note("up mapped", n, c); }
    void bwdMapping(Node& n, BaseMapping& c) override { note("up mapping", n, c); }
    void bwdOdeSolver(Node& n, OdeSolver& c) override { note("up solver", n, c); }
};

template <class T>
T& named(Node& n, const char* name)
{
    auto c = std::make_shared<T>();
    c->setName(name);
    n.addComponent(c);
    return *c;
}

std::vector<std::string> byPlan(Node& n, const std::string& prune = {}, TagSet tags = {})
{
    Recorder r;
    r.pruneAt = prune;
    r.setTags(std::move(tags));
    r.execute(n);
    return r.calls;
}

std::vector<std::string> byWalk(Node& n, const std::string& prune = {}, TagSet tags = {})
{
    Recorder r;
    r.pruneAt = prune;
    r.setTags(std::move(tags));
    r.executeTreeWalk(n);
    return r.calls;
}

/// root ─ a ─ c        c has two parents, a and b; a pair force stands at the root.
///      └ b ─ c ─ d
struct Graph
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    std::shared_ptr<Node> a = root->createChild("a"), b = root->createChild("b"), c = a->createChild("c"),
                          d = c->createChild("d");

    Graph()
    {
        b->addChild(c);
        named<TestSolver>(*root, "solver");
        auto& sa = addState<Vec3Types>(*a, {Vec3{0, 0, 0}});
        auto& sb = addState<Vec3Types>(*b, {Vec3{1, 0, 0}});
        auto& sc = addState<Vec3Types>(*c, {Vec3{0, 1, 0}});
        auto& sd = addState<Vec3Types>(*d, {Vec3{0, 1, 0}});
        named<TestForce>(*a, "fa").l_state.set(&sa);
        named<TestForce>(*c, "fc").l_state.set(&sc);
        named<TestForce>(*d, "fd").l_state.set(&sd);
        auto& m = named<TestMapping>(*d, "map");
        m.l_input.set(&sc);
        m.l_output.set(&sd);
        auto& p = named<TestPair>(*root, "pair");
        p.l_state1.set(&sa);
        p.l_state2.set(&sb);
        fa = &sa;
    }
    BaseState* fa = nullptr;
};

}  // namespace

TEST_CASE("the plan makes the calls of the tree walk, in the documented order")
{
    Graph g;
    const auto calls = byPlan(*g.root);
    CHECK(calls == byWalk(*g.root));
    const std::vector<std::string> expected{"solver root/solver",
                                            "pair root/pair",
                                            "state a/TestState1",
                                            "force a/fa",
                                            "state b/TestState1",
                                            "state c/TestState1",
                                            "force c/fc",
                                            "mapping d/map",
                                            "mapped d/TestState1",
                                            "force d/fd",
                                            "up mapped d/TestState1",
                                            "up mapping d/map",
                                            "up state c/TestState1",
                                            "up state b/TestState1",
                                            "up state a/TestState1",
                                            "up solver root/solver"};
    CHECK(calls == expected);
}

TEST_CASE("a node with several parents comes after all of them, and is pruned only if all are")
{
    Graph g;
    for (const char* at : {"fa", "map", "solver", "TestState1"}) CHECK(byPlan(*g.root, at) == byWalk(*g.root, at));
    const auto calls = byPlan(*g.root, "fa");
    CHECK(std::find(calls.begin(), calls.end(), "state c/TestState1") != calls.end());  // reached through b
    CHECK(std::find(calls.begin(), calls.end(), "up state a/TestState1") == calls.end());
    CHECK(byPlan(*g.root, "solver") == std::vector<std::string>{"solver root/solver"});
}

TEST_CASE("the plan follows changes of the graph at run time")
{
    Graph g;
    const auto before = byPlan(*g.root);
    auto e = g.b->createChild("e");
    addState<Vec3Types>(*e, {Vec3{2, 0, 0}});
    CHECK(byPlan(*g.root) == byWalk(*g.root));
    CHECK(byPlan(*g.root).size() == before.size() + 2);
    g.b->removeChild(*e);
    CHECK(byPlan(*g.root) == before);
    g.a->removeChild(*g.c);  // c stays below b
    CHECK(byPlan(*g.root) == byWalk(*g.root));
    g.d->d_activated.setValue(false);
    g.d->touch();
    CHECK(byPlan(*g.root) == byWalk(*g.root));
    CHECK(byPlan(*g.root).size() < before.size());
    CHECK(byPlan(*g.c) == byWalk(*g.c));
}

TEST_CASE("plans and listeners after random changes are those of a walk through the graph")
{
    std::mt19937 random(11);
    std::vector<const Component*> heard;
    auto root = std::make_shared<Node>("root");
    std::vector<std::shared_ptr<Node>> nodes{root};
    std::vector<State<Vec3Types>*> states{&addState<Vec3Types>(*root, {Vec3{0, 0, 0}})};
    const auto any = [&] { return nodes[random() % nodes.size()]; };
    const auto isIn = [&](const Node& n) { return &n == root.get() || !n.parents().empty(); };
    std::size_t mapped = 0, most = 0, copies = 0;
    for (int i = 0; i < 600; ++i) {
        const auto n = any();
        switch (random() % 8) {
            case 0:
            case 1:
            case 2: {
                nodes.push_back(n->createChild("n" + std::to_string(i)));
                states.push_back(&addState<Vec3Types>(*nodes.back(), {Vec3{0, 0, 0}}));
                if (random() % 2 == 0) nodes.back()->addComponent(std::make_shared<TestListener>(heard));
                break;
            }
            case 3: {  // a state that stands anywhere else becomes a mapped one
                auto m = std::make_shared<TestMapping>();
                m->l_input.set(states[random() % states.size()]);
                m->l_output.set(states[random() % states.size()]);
                n->addComponent(m);
                break;
            }
            case 4:
                if (n->components().size() > 1) n->removeComponent(*n->components().back());
                break;
            case 5:
                if (n != root) n->d_activated.setValue(!n->isActive());
                break;
            case 6:  // moves below another one
                if (const auto to = any(); n != root && isIn(*n) && isIn(*to) && !n->contains(*to) && to != n) {
                    Node& from = *n->parents().front();
                    if (n->parents().size() == 1) from.removeChild(*n);
                    to->addChild(n);
                    ++copies;
                }
                break;
            default:  // leaves, and gets a second parent now and then
                if (n != root && isIn(*n) && i % 3 == 0) {
                    n->parents().front()->removeChild(*n);
                } else if (const auto to = any(); i > 400 && n != root && isIn(*n) && isIn(*to) && !n->contains(*to)) {
                    if (std::ranges::find(n->parents(), to.get()) == n->parents().end()) to->addChild(n);
                }
        }
        const auto calls = byPlan(*root);
        REQUIRE(calls == byWalk(*root));
        most = std::max(most, calls.size());
        mapped += static_cast<std::size_t>(
            std::ranges::count_if(calls, [](const std::string& c) { return c.starts_with("mapped"); }));
        const auto other = any();
        REQUIRE(byPlan(*other) == byWalk(*other));
        std::vector<const Component*> wanted;
        for (const Node* d : root->descendants())
            for (const auto& c : d->components())
                if (c->d_listening.value()) wanted.push_back(c.get());
        heard.clear();
        root->propagateEvent(TestEvent());
        REQUIRE(heard == wanted);
    }
    CHECK(mapped > 100);
    CHECK(most > 30);
    CHECK(copies > 10);
}

TEST_CASE("visitors see only components that carry their tags")
{
    Graph g;
    g.fa->d_tags.setValue({"heat"});
    g.fa->node()->touch();
    CHECK(byPlan(*g.root, {}, {"heat"}) == std::vector<std::string>{"state a/TestState1", "up state a/TestState1"});
    CHECK(byWalk(*g.root, {}, {"heat"}) == byPlan(*g.root, {}, {"heat"}));
}

}  // namespace execution_plan_test
