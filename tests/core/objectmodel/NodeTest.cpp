// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Node.h"

#include <catch2/catch.hpp>

#include "core/objectmodel/DdgNode.h"
#include "tests/core/objectmodel/TestComponents.h"

namespace node_test {

using namespace sofa::test;

namespace {

std::string order(const Node& n, bool all = false)
{
    std::string s;
    for (const Node* d : n.descendants(all)) s += d->name();
    return s;
}

class Listener : public Component
{
public:
    int heard = 0;
    bool consume = false;
    void handleEvent(const Event& e) override
    {
        ++heard;
        if (consume) e.setHandled();
    }
};

}  // namespace

TEST_CASE("Descendants come once each, parents before children, in the order of the scene", "[objectmodel]")
{
    const auto a = std::make_shared<Node>("a");
    const auto b = a->createChild("b"), c = a->createChild("c");
    b->createChild("d");
    c->createChild("e");
    CHECK(order(*a) == "abdce");
}

TEST_CASE("A node with several parents comes after all of them", "[objectmodel]")
{
    //   a        f hangs below b, c and e, and comes after the last of them
    const auto a = std::make_shared<Node>("a");
    const auto b = a->createChild("b"), c = a->createChild("c"), f = b->createChild("f");
    c->addChild(f);
    const auto e = c->createChild("e");
    e->addChild(f);
    f->createChild("g");
    CHECK(order(*a) == "abcefg");
    CHECK(f->parents().size() == 3);
    CHECK(order(*b) == "bfg");
    c->d_activated.setValue(false);
    CHECK(order(*a) == "abfg");
    CHECK(order(*a, true) == "abcefg");
}

TEST_CASE("Cycles of nodes are refused", "[objectmodel]")
{
    const auto a = std::make_shared<Node>("a");
    const auto b = a->createChild("b"), c = b->createChild("c");
    CHECK_THROWS_AS(c->addChild(a), CycleError);
    CHECK_THROWS_AS(c->addChild(c), CycleError);
    CHECK_THROWS_WITH(c->addChild(a), Catch::Contains("cyclic graph"));
    CHECK(c->children().empty());
}

TEST_CASE("Unnamed components get the name of their class and a number", "[objectmodel]")
{
    Node n("n");
    Thing &a = n.create<Thing>(), &b = n.create<Thing>();
    CHECK(a.name() == "component1");  // the class is not registered
    CHECK(b.name() == "component2");
    CHECK_FALSE(a.d_name.isSet());
    const auto c = std::make_shared<Thing>();
    c->setName("mine");
    n.addComponent(c);
    CHECK(c->name() == "mine");
    CHECK(c->pathName() == "/mine");
}

TEST_CASE("Names are found in long lists, after objects were renamed, removed or have one name", "[objectmodel]")
{
    const auto root = std::make_shared<Node>("root");
    for (int i = 0; i < 100; ++i) {
        root->createChild("n" + std::to_string(i));
        root->create<Listener>().setName("c" + std::to_string(i));
    }
    CHECK(root->child("n7") == root->children()[7].get());
    CHECK(root->component("c99") == root->components()[99].get());
    CHECK(root->child("c7") == nullptr);

    root->children()[7]->setName("seven");
    CHECK(root->child("n7") == nullptr);
    CHECK(root->child("seven") == root->children()[7].get());
    root->components()[3]->d_name.edit() = "three";
    CHECK(root->component("three") == root->components()[3].get());
    CHECK(root->component("c3") == nullptr);

    // The first of a name, then the next one.
    root->createChild("n50");
    CHECK(root->child("n50") == root->children()[50].get());
    root->removeChild(*root->children()[50]);
    CHECK(root->child("n50") == root->children().back().get());
    root->removeComponent(*root->components()[99]);
    CHECK(root->component("c99") == nullptr);
    root->create<Listener>().setName("c99");
    CHECK(root->component("c99") == root->components().back().get());
}

TEST_CASE("Children without a name get one", "[objectmodel]")
{
    const auto root = std::make_shared<Node>("root");
    root->createChild("Node2");
    CHECK(root->createChild("")->name() == "Node1");
    CHECK(root->createChild("")->name() == "Node3");
    CHECK_FALSE(root->children()[1]->d_name.isSet());
    CHECK(root->children()[0]->d_name.isSet());
}

TEST_CASE("Paths name nodes from the root", "[objectmodel]")
{
    const auto a = std::make_shared<Node>("a");
    const auto b = a->createChild("b"), c = b->createChild("c");
    CHECK(a->pathName() == "/");
    CHECK(c->pathName() == "/b/c");
    CHECK(&c->root() == a.get());
    CHECK(a->contains(*c));
    CHECK_FALSE(c->contains(*a));
}

TEST_CASE("Look-up goes to the node, upwards, downwards or everywhere", "[objectmodel]")
{
    const auto a = std::make_shared<Node>("a");
    const auto b = a->createChild("b"), c = b->createChild("c");
    Thing& high = a->create<Thing>();
    Thing& low = c->create<Thing>();
    CHECK(b->get<Thing>(Search::Local) == nullptr);
    CHECK(b->get<Thing>(Search::Up) == &high);
    CHECK(b->get<Thing>(Search::Down) == &low);
    CHECK(c->get<Thing>() == &low);
    CHECK(b->getAll<Thing>(Search::Root).size() == 2);
}

TEST_CASE("Look-up sees components that come and go", "[objectmodel]")
{
    const auto a = std::make_shared<Node>("a");
    const auto b = a->createChild("b");
    CHECK(b->get<Thing>() == nullptr);
    CHECK(b->getAll<Component>().empty());
    Thing& first = b->create<Thing>();
    CHECK(b->get<Thing>() == &first);
    CHECK(b->get<Listener>() == nullptr);
    Listener& listener = b->create<Listener>();
    Thing& second = b->create<Thing>();
    CHECK(b->getAll<Thing>() == std::vector<Thing*>{&first, &second});
    CHECK(b->getAll<Component>() == std::vector<Component*>{&first, &listener, &second});
    CHECK(b->get<Listener>() == &listener);
    a->addComponent(b->components().front());  // moves it
    CHECK(a->get<Thing>(Search::Local) == &first);
    CHECK(b->getAll<Thing>() == std::vector<Thing*>{&second});
    b->removeComponent(second);
    CHECK(b->get<Thing>() == &first);
    CHECK(b->get<Thing>(Search::Local) == nullptr);
    b->removeComponent(listener);
    CHECK(b->getAll<Component>().empty());
}

TEST_CASE("Components that leave together leave the others as they were", "[objectmodel]")
{
    const auto a = std::make_shared<Node>("a");
    const auto b = a->createChild("b");
    std::vector<Thing*> things;
    for (int i = 0; i < 40; ++i) {
        things.push_back(&b->create<Thing>());
        things.back()->setName("thing" + std::to_string(i));
        if (i == 20) b->create<Listener>();
    }
    Thing& elsewhere = a->create<Thing>();
    CHECK(b->getAll<Thing>().size() == 40);
    CHECK(b->component("thing7") == things[7]);
    const std::size_t before = a->version();
    std::vector<std::shared_ptr<Component>> kept;
    for (const auto& c : b->components()) kept.push_back(c);
    b->removeComponents(std::vector<Component*>{things[39], things[7], things[0], things[7], &elsewhere});
    CHECK(a->version() == before + 1);
    std::vector<Thing*> left;
    for (std::size_t i = 0; i < things.size(); ++i)
        if (i != 0 && i != 7 && i != 39) left.push_back(things[i]);
    CHECK(b->getAll<Thing>(Search::Local) == left);
    CHECK(b->getAll<Component>(Search::Local).size() == left.size() + 1);
    CHECK(b->component("thing7") == nullptr);
    CHECK(b->component("thing8") == things[8]);
    CHECK(things[7]->node() == nullptr);
    CHECK(elsewhere.node() == a.get());
    b->removeComponents({});
    CHECK(a->version() == before + 1);
}

TEST_CASE("Components that move together stand where single moves would have put them", "[objectmodel]")
{
    struct Told final : SceneListener
    {
        std::vector<std::pair<const Base*, const Node*>> moved;
        void sceneChanged(const SceneChange& change) override
        {
            REQUIRE(change.kind == SceneChange::Kind::Moved);
            moved.emplace_back(&change.object, change.node);
        }
    };
    const auto scene = [] {
        const auto a = std::make_shared<Node>("a");
        for (const char* name : {"b", "c"}) {
            const auto n = a->createChild(name);
            for (int i = 0; i < 20; ++i) n->create<Thing>().setName(std::string(name) + std::to_string(i));
            n->create<Listener>();
        }
        return a;
    };
    const auto together = scene(), single = scene();
    const std::vector<std::pair<std::string, std::string>> wanted{{"/b/b3", "/c"}, {"/c/c19", "/"},  {"/b/b0", "/"},
                                                                  {"/c/c2", "/b"}, {"/b/b19", "/b"}, {"/b/b7", "/c"}};
    Told told;
    std::vector<Node::ComponentMove> moves;
    for (const auto& root : {together, single}) {
        const auto nodeAt = [&root](const std::string& path) {
            return path == "/" ? root.get() : root->child(path.substr(1, 1));
        };
        REQUIRE(root->child("c")->component("c4"));  // names and types are kept from here on
        REQUIRE(root->child("b")->getAll<Thing>().size() == 20);
        if (root == together) root->addListener(told);
        for (const auto& [from, to] : wanted) {
            Component* c = nodeAt(from)->component(from.substr(3));
            REQUIRE(c);
            const ObjectId id = c->id();
            if (root == together)
                moves.push_back({c, nodeAt(to)});
            else
                nodeAt(to)->addComponent(std::shared_ptr<Component>(
                    *std::ranges::find(c->node()->components(), c, [](const auto& p) { return p.get(); })));
            CHECK(c->id() == id);
        }
        if (root == together) Node::moveComponents(moves);
    }
    const auto list = [](const Node& root) {
        std::string text;
        for (const Node* n : root.descendants()) {
            for (const auto& c : n->components()) text += c->pathName() + (c->node() == n ? " " : "?");
            for (const Thing* t : n->getAll<Thing>()) text += t->name() + ",";
        }
        return text;
    };
    CHECK(list(*together) == list(*single));
    CHECK(together->child("c")->component("b3") == moves[0].component);
    CHECK(together->child("b")->component("b3") == nullptr);
    CHECK(together->getAll<Thing>(Search::Down).size() == 40);
    REQUIRE(told.moved.size() == moves.size());
    for (std::size_t k = 0; k < moves.size(); ++k)
        CHECK(told.moved[k] == std::pair<const Base*, const Node*>(moves[k].component, moves[k].to));
    together->removeListener(told);
    const std::size_t before = together->version();
    Node::moveComponents({});
    CHECK(together->version() == before);
}

TEST_CASE("Changes of structure are counted up to the root", "[objectmodel]")
{
    const auto a = std::make_shared<Node>("a");
    const auto b = a->createChild("b");
    const std::size_t before = a->version();
    Thing& t = b->create<Thing>();
    CHECK(a->version() > before);
    const std::size_t then = a->version();
    b->removeComponent(t);
    CHECK(a->version() > then);
    CHECK(b->components().empty());
}

TEST_CASE("Context values come from the root; gravity may be overridden below", "[objectmodel]")
{
    const auto a = std::make_shared<Node>("a");
    const auto b = a->createChild("b"), c = b->createChild("c");
    a->d_dt.setValue(0.5);
    b->d_dt.setValue(0.1);
    a->d_gravity.setValue(Vec3{0., 0., -1.});
    CHECK(c->dt() == 0.5);
    CHECK(c->gravity() == Vec3{0., 0., -1.});
    b->overrideGravity(Vec3{1., 0., 0.});
    CHECK(c->gravity() == Vec3{1., 0., 0.});
    b->overrideGravity(std::nullopt);
    CHECK(c->gravity() == Vec3{0., 0., -1.});
}

TEST_CASE("Events reach listening components until one consumes them", "[objectmodel]")
{
    const auto a = std::make_shared<Node>("a");
    const auto b = a->createChild("b");
    Listener &first = a->create<Listener>(), &deaf = a->create<Listener>(), &second = b->create<Listener>();
    first.d_listening.setValue(true);
    second.d_listening.setValue(true);
    a->propagateEvent(AnimateBeginEvent(0.01));
    CHECK(first.heard == 1);
    CHECK(second.heard == 1);
    CHECK(deaf.heard == 0);
    first.consume = true;
    a->propagateEvent(AnimateBeginEvent(0.01));
    CHECK(second.heard == 1);
}

TEST_CASE("Messages carry path, class and place; informative ones only on request", "[objectmodel]")
{
    const auto a = std::make_shared<Node>("a");
    Thing& t = a->createChild("b")->create<Thing>();
    t.location = {std::make_shared<const std::string>("x.scn"), 2, 5};
    const MessageCapture capture;
    t.msgInfo() << "quiet";
    CHECK(capture.messages().empty());
    t.d_printLog.setValue(true);
    t.msgInfo() << "loud " << 1;
    t.msgWarning() << "careful";
    REQUIRE(capture.messages().size() == 2);
    CHECK(capture.messages()[0].str() == "x.scn:2:5: info: /b/component1: loud 1");
    CHECK(t.messages().size() == 2);
}

TEST_CASE("Components removed or left over do not refer to their node", "[objectmodel]")
{
    std::shared_ptr<Thing> t = std::make_shared<Thing>();
    {
        Node n("n");
        n.addComponent(t);
        CHECK(t->node() == &n);
    }
    CHECK(t->node() == nullptr);
}

}  // namespace node_test
