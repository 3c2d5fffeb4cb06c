// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/collision/ContactListener.h"
#include "core/collision/ContactResponse.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace contact_manager_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

/// A response that writes down for which models it was made, with its parameter.
class Noted final : public ContactResponse
{
public:
    inline static std::vector<std::string> notes;
    Noted(const ModelPair& m, const std::string& kind, const ResponseParameters& p) : ContactResponse(m)
    {
        const std::string a = std::min(m.first->name(), m.second->name()),
                          b = std::max(m.first->name(), m.second->name());
        const std::string* mu = p.find("mu");
        notes.push_back(a + b + " " + kind + (mu ? " " + *mu : ""));
    }
    void insert(Node&, const std::string&, SharedContactPoints&) override {}
    void update(const Vector<DetectedContact>&, const IntersectionMethod&) override {}
    void suspend() override {}
    void remove() override {}
};

struct Outcome
{
    bool works = false;
    std::vector<std::string> notes;
    std::string messages;
};

/// Three spheres a, b, c that overlap, in groups 1, 2 and 2 3, and a manager with these attributes.
Outcome run(const std::string& manager, const std::string& dataOfA = "")
{
    for (const std::string kind : {"RuleA", "RuleB"})
        contactResponses().replace(kind, {[kind](const ModelPair& m, const ResponseParameters& p) {
                                       return std::make_unique<Noted>(m, kind, p);
                                   }});
    Noted::notes.clear();
    const auto ball = [](const std::string& name, const std::string& data) {
        return "<Node><MechanicalObject position='0 0 0'/><SphereCollisionModel name='" + name + "' " + data +
               "/></Node>";
    };
    // Groups keep models with a common one apart.
    const auto root = loadSceneText(
        "<Node name='root' gravity='0 0 0'><CollisionPipeline/><BruteForceBroadPhase/>"
        "<BVHNarrowPhase/><DiscreteIntersection/><RuleBasedContactManager name='m' " +
            manager + "/>" + ball("a", "group='1' " + dataOfA) + ball("b", "group='2'") + ball("c", "group='3 4'") +
            "</Node>",
        "test.scn");
    Outcome o;
    if (!root) return o;
    Simulation simulation(root);
    o.works = simulation.init();
    if (o.works) simulation.step();
    std::sort(Noted::notes.begin(), Noted::notes.end());
    o.notes = Noted::notes;
    for (const Message& m : root->component("m")->messages()) o.messages += m.text + "\n";
    return o;
}

using Notes = std::vector<std::string>;

}  // namespace

TEST_CASE("rules choose responses by names, groups and wildcards; the first that fits holds")
{
    CHECK(run("response='RuleA'").notes == Notes{"ab RuleA", "ac RuleA", "bc RuleA"});
    CHECK(run("response='RuleA' rules='a b RuleB'").notes == Notes{"ab RuleB", "ac RuleA", "bc RuleA"});
    CHECK(run("response='RuleA' rules='b a RuleB'").notes == Notes{"ab RuleB", "ac RuleA", "bc RuleA"});
    CHECK(run("response='RuleA' rules='2 * RuleB'").notes == Notes{"ab RuleB", "ac RuleA", "bc RuleB"});
    CHECK(run("response='RuleA' rules='1 4 RuleB'").notes == Notes{"ab RuleA", "ac RuleB", "bc RuleA"});
    CHECK(run("response='RuleA' rules='* * nullptr a c RuleB'").notes.empty());
    CHECK(run("response='nullptr' rules='a * RuleB?mu=0.25 * * RuleA'").notes ==
          Notes{"ab RuleB 0.25", "ac RuleB 0.25", "bc RuleA"});
}

TEST_CASE("what a model wants comes before the rules, and variables stand for their values")
{
    CHECK(run("response='RuleA' rules='* * RuleA'", "contactResponse='RuleB?mu=1'").notes ==
          Notes{"ab RuleB 1", "ac RuleB 1", "bc RuleA"});
    CHECK(
        run("response='Rule$which$?mu=$mu$' variables='which mu' which='B' mu='0.5' rules='b c RuleA?mu=$mu$'").notes ==
        Notes{"ab RuleB 0.5", "ac RuleB 0.5", "bc RuleA 0.5"});
}

TEST_CASE("rules that make no sense say why")
{
    const Outcome incomplete = run("response='RuleA' rules='default'");
    CHECK(incomplete.works);
    CHECK(incomplete.notes.size() == 3);
    CHECK_THAT(incomplete.messages, Catch::Contains("three words") && Catch::Contains("'default'"));
    const auto fails = [](const std::string& manager, const std::string& text) {
        const Outcome o = run(manager);
        CHECK_FALSE(o.works);
        CHECK_THAT(o.messages, Catch::Contains(text));
    };
    fails("response='RuleA' rules='a b RuleA a c NoSuchRule'", "rule 2: there is no response 'NoSuchRule'");
    fails("response='RuleA' rules='a b $which$'", "no variable 'which'");
    fails("response='RuleA' rules='a b Rule$which' variables='which'", "no '$' at its end");
    fails("response='RuleA' variables='rules'", "attribute of its own");
}

namespace {

struct Listened
{
    explicit Listened(const std::string& links)
        : root(
              loadSceneText("<Node name='root' gravity='0 0 0'><CollisionPipeline/><BruteForceBroadPhase/>"
                            "<BVHNarrowPhase/><DiscreteIntersection/><CollisionResponse response='nullptr'/>"
                            "<ContactListener name='listener' " +
                                links +
                                "/><Node name='a'><MechanicalObject position='0 0 0  9 0 0'/><SphereCollisionModel "
                                "name='s' radius='1'/></Node><Node name='b'><MechanicalObject name='x' position='9 1.5 "
                                "0'/><SphereCollisionModel name='s' radius='1'/></Node><Node "
                                "name='c'><MechanicalObject position='-1 0 0'/><SphereCollisionModel name='s' "
                                "radius='0.5'/></Node></Node>",
                            "test.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        works = simulation->init();
        if (works) simulation->step();
        listener = dynamic_cast<ContactListener*>(root->component("listener"));
        REQUIRE(listener);
    }
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
    ContactListener* listener;
    bool works;
};

}  // namespace

TEST_CASE("a listener tells the contacts of a model, seen from it")
{
    const Listened one("collisionModel1='@a/s'");
    REQUIRE(one.listener->contacts().size() == 2);
    const auto& toB = one.listener->contacts()[1];  // the order is that of OutputOrder
    CHECK(toB.other->node()->name() == "b");
    CHECK(toB.primitive == 1);
    CHECK(toB.otherPrimitive == 0);
    CHECK(toB.point == Vec3{9., 0., 0.});
    CHECK(toB.otherPoint == Vec3{9., 1.5, 0.});
    CHECK(toB.normal == Vec3{0., 1., 0.});
    CHECK(toB.value == Approx(-0.5));
    CHECK(one.listener->contacts()[0].normal == Vec3{-1., 0., 0.});
    CHECK(one.listener->d_numberOfContacts.value() == 2);
    CHECK(one.listener->d_distances.value()[1] == toB.value);

    const Listened two("collisionModel1='@b/s' collisionModel2='@a/s'");
    REQUIRE(two.listener->contacts().size() == 1);
    CHECK(two.listener->contacts()[0].normal == Vec3{0., -1., 0.});
    CHECK(two.listener->d_points1.value()[0] == Vec3{9., 1.5, 0.});
    const Listened apart("collisionModel1='@b/s' collisionModel2='@c/s'");
    CHECK(apart.listener->contacts().empty());
    const Listened second("collisionModel2='@c/s'");
    CHECK(second.listener->contacts().size() == 1);
}

TEST_CASE("contacts that a listener tells come and go; without a model it says so")
{
    Listened s("collisionModel1='@b/s'");
    CHECK(s.listener->contacts().size() == 1);
    dynamic_cast<State<Vec3Types>&>(*s.root->child("b")->get<BaseState>(Search::Local)).write(vec_id::position)[0] = {
        20., 0., 0.};
    s.simulation->step();
    CHECK(s.listener->contacts().empty());
    CHECK(s.listener->d_numberOfContacts.value() == 0);
    s.simulation->reset();
    s.simulation->step();
    CHECK(s.listener->contacts().size() == 1);
    const Listened none("");
    CHECK_FALSE(none.works);
}

}  // namespace contact_manager_test
