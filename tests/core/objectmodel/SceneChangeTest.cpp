// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <set>

#include "core/objectmodel/DerivedValue.h"
#include "tests/core/objectmodel/TestComponents.h"

namespace scene_change_test {

using namespace sofa::test;

namespace {

struct Recorder final : SceneListener
{
    std::vector<std::string> heard;
    void sceneChanged(const SceneChange& c) override
    {
        static const char* const kinds[] = {"added",     "removed", "moved", "renamed",
                                            "activated", "value",   "link",  "message"};
        heard.push_back(kinds[static_cast<int>(c.kind)] + std::string(" ") + c.object.name() +
                        (c.data   ? "." + c.data->name()
                         : c.node ? " " + c.node->pathName()
                                  : ""));
    }
};

std::set<ObjectId> idsOf(const Node& root)
{
    std::set<ObjectId> ids;
    std::size_t objects = 0;
    for (const Node* n : root.descendants(true)) {
        ids.insert(n->id());
        ++objects;
        for (const auto& c : n->components()) {
            ids.insert(c->id());
            ++objects;
        }
    }
    CHECK(ids.size() == objects);
    CHECK_FALSE(ids.contains(0));
    return ids;
}

}  // namespace

TEST_CASE("Objects have numbers that are theirs as long as they are in the scene, and when they come back",
          "[objectmodel]")
{
    const auto root = std::make_shared<Node>("root");
    const auto body = root->createChild("body");
    auto& first = body->create<Thing>();
    auto& second = body->create<Thing>();
    CHECK(root->id() == 1);
    CHECK(body->id() == 2);
    CHECK(first.id() == 3);
    CHECK(second.id() == 4);
    CHECK(root->findById(4) == &second);
    CHECK(root->findById(7) == nullptr);

    SECTION("a component that comes back")
    {
        const std::shared_ptr<Component> kept = body->components()[0];
        body->removeComponent(first);
        CHECK(first.id() == 3);
        CHECK(root->findById(3) == nullptr);
        CHECK(body->create<Thing>().id() == 5);
        body->addComponent(kept, 0);
        CHECK(first.id() == 3);
        CHECK(body->components()[0].get() == &first);
        CHECK(body->component("component1") == &first);
    }
    SECTION("a node that got something new while it was out")
    {
        root->removeChild(*body);
        CHECK(second.id() == 4);
        auto& third = body->create<Thing>();
        idsOf(*body);
        auto& other = root->create<Thing>();
        root->addChild(body);
        CHECK(second.id() == 4);
        CHECK(other.id() == 5);
        CHECK(third.id() == 6);
        idsOf(*root);
    }
    SECTION("what comes from another scene gets new numbers")
    {
        const auto elsewhere = std::make_shared<Node>("elsewhere");
        const auto guest = elsewhere->createChild("guest");
        guest->create<Thing>();
        elsewhere->removeChild(*guest);
        root->addChild(guest);
        CHECK(guest->id() == 5);
        CHECK(idsOf(*root).size() == 6);
    }
    SECTION("moves")
    {
        const auto other = root->createChild("other");
        other->addComponent(body->components()[0]);
        CHECK(first.id() == 3);
        CHECK(first.node() == other.get());
        root->moveChild(*body, *other);
        CHECK(body->id() == 2);
        CHECK(body->pathName() == "/other/body");
        CHECK_THROWS_AS(root->moveChild(*other, *body), CycleError);
        idsOf(*root);
    }
}

TEST_CASE("Links let go of what leaves the scene, and find it again", "[objectmodel]")
{
    const auto root = std::make_shared<Node>("root");
    const auto a = root->createChild("a"), b = root->createChild("b");
    auto& target = a->create<Thing>();
    target.setName("target");
    auto& user = b->create<Thing>();
    std::string error;

    SECTION("a link by path")
    {
        user.l_other.setPath("@/a/target", {});
        user.l_others.setPath("@/a/target @component1", {});
        REQUIRE(user.l_other.get() == &target);
        REQUIRE(user.l_others.get().size() == 2);
        const std::shared_ptr<Component> kept = a->components()[0];
        a->removeComponent(target);
        CHECK(user.l_other.get() == nullptr);
        CHECK(user.l_others.get() == std::vector<Component*>{&user});
        CHECK_FALSE(user.l_other.renew(error));
        CHECK(error.find("no 'target' in node '/a'") != std::string::npos);
        a->addComponent(kept);
        CHECK(user.l_other.renew(error));
        CHECK(user.l_other.get() == &target);
        CHECK(user.l_others.renew(error));
        CHECK(user.l_others.get() == std::vector<Component*>{&target, &user});
    }
    SECTION("a link that a program made")
    {
        user.l_other.set(&target);
        const std::shared_ptr<Component> kept = a->components()[0];
        a->removeComponent(target);
        CHECK_FALSE(user.l_other);
        CHECK_FALSE(user.l_other.renew(error));
        CHECK(error == "the object that it was given is not in the scene any more");
        b->addComponent(kept);
        CHECK(user.l_other.renew(error));
        CHECK(user.l_other.get() == &target);
    }
    SECTION("a link that initialisation found")
    {
        user.l_other.beginInit();
        user.l_other.set(&target);
        CHECK(user.l_other.renew(error));
        CHECK_FALSE(user.l_other);
    }
    SECTION("what leaves together stays together")
    {
        auto& neighbour = a->create<Thing>();
        neighbour.l_other.set(&target);
        user.l_other.set(&target);
        root->removeChild(*a);
        CHECK(neighbour.l_other.get() == &target);
        CHECK_FALSE(user.l_other);
    }
    SECTION("a node with another parent stays")
    {
        const auto shared = a->createChild("shared");
        b->addChild(shared);
        auto& deep = shared->create<Thing>();
        user.l_other.set(&deep);
        root->removeChild(*a);
        CHECK(user.l_other.get() == &deep);
        b->removeChild(*shared);
        CHECK_FALSE(user.l_other);
    }
    SECTION("a link follows what was moved or renamed, and its path too")
    {
        user.l_other.setPath("@../a/target", {});
        REQUIRE(user.l_other.get() == &target);
        target.setName("new");
        CHECK(user.l_other.renew(error));
        CHECK(user.l_other.path() == "@/a/new");
        root->addComponent(a->components()[0]);
        CHECK(user.l_other.renew(error));
        CHECK(user.l_other.path() == "@/new");
        CHECK(user.l_other.get() == &target);
    }
    SECTION("destroyed")
    {
        auto thing = std::make_shared<Thing>();
        user.l_other.set(thing.get());
        const Tracked<Thing> tracked(thing.get());
        const Tracked<Thing> copy = tracked;
        CHECK(copy.get() == thing.get());
        thing.reset();
        CHECK_FALSE(user.l_other);
        CHECK_FALSE(tracked);
        CHECK_FALSE(copy);
    }
    SECTION("tracked")
    {
        const Tracked<Node> tracked(a.get());
        const Tracked<Component> component(&target);
        root->removeChild(*a);
        CHECK_FALSE(tracked);
        CHECK_FALSE(component);
    }
}

TEST_CASE("Data let go of what leaves the scene, and find it again", "[objectmodel]")
{
    const auto root = std::make_shared<Node>("root");
    const auto a = root->createChild("a"), b = root->createChild("b");
    auto& source = a->create<SumEngine>();
    source.setName("sum");
    source.d_input.setValue({1., 2.});
    auto& user = b->create<Thing>();
    user.d_mass.linkTo(source.d_sum);
    CHECK(user.d_mass.value() == 3.);
    source.d_input.setValue({4.});
    const std::shared_ptr<Component> kept = a->components()[0];

    a->removeComponent(source);
    CHECK(user.d_mass.parent() == nullptr);
    CHECK(user.d_mass.value() == 4.);  // the last value
    source.d_input.setValue({5.});
    CHECK(user.d_mass.value() == 4.);
    {
        const MessageCapture capture;
        CHECK_FALSE(user.resolveDataLinks(true));
        CHECK(capture.has(Severity::Error, "attribute 'mass': broken link \"@/a/sum.sum\""));
    }
    a->addComponent(kept);
    CHECK(user.resolveDataLinks(true));
    CHECK(user.d_mass.value() == 5.);

    SECTION("inputs of an engine")
    {
        auto& numbers = b->create<Thing>();
        source.d_input.linkTo(numbers.d_values);
        numbers.d_values.setValue({7., 1.});
        CHECK(user.d_mass.value() == 8.);
        root->removeChild(*b);
        CHECK(source.d_input.parent() == nullptr);
        CHECK(source.d_sum.value() == 8.);
        CHECK(source.d_sum.outputs().empty());
    }
    SECTION("derived values")
    {
        auto& other = b->create<Thing>();
        DerivedValue total{other.d_mass, [&] { other.d_mass.setValue(2. * source.d_sum.value()); }};
        total.addDependency(source.d_sum);
        CHECK(other.d_mass.value() == 10.);
        a->removeComponent(source);
        CHECK(total.inputs().empty());
    }
}

TEST_CASE("A tracker tells once that Data changed, also when they are gone", "[objectmodel]")
{
    DataTracker tracker;
    auto thing = std::make_shared<Thing>();
    tracker.track(thing->d_mass);
    CHECK(tracker.changed());
    CHECK_FALSE(tracker.changed());
    thing->d_mass.setValue(2.);
    thing->d_mass.setValue(3.);
    CHECK(tracker.changed());
    CHECK_FALSE(tracker.changed());
    thing->d_count.setValue(1);
    CHECK_FALSE(tracker.changed());
    thing.reset();
    CHECK_FALSE(tracker.changed());
}

TEST_CASE("Listeners of a scene hear what happens to its objects", "[objectmodel]")
{
    const auto root = std::make_shared<Node>("root");
    Recorder r;
    root->addListener(r);
    const auto body = root->createChild("body");
    auto& thing = body->create<Thing>();
    body->setName("arm");
    body->d_activated.setValue(false);
    thing.d_mass.setValue(2.);  // nobody watches it
    thing.d_mass.setWatched(true);
    thing.d_mass.setValue(3.);
    auto& other = root->create<Thing>();
    thing.d_mass.linkTo(other.d_mass);
    other.d_mass.setValue(4.);
    {
        const MessageCapture capture;
        thing.msgError() << "wrong";
    }
    root->addComponent(body->components()[0]);
    root->removeChild(*body);
    root->removeListener(r);
    root->createChild("silent");
    const std::vector<std::string> expected{"added body /",          "added component1 /body", "renamed arm.name",
                                            "activated arm",         "value arm.activated",    "value component1.mass",
                                            "added component1 /",    "value component1.mass",  "link component1.mass",
                                            "value component1.mass", "message component1",     "moved component1 /",
                                            "removed arm /"};
    CHECK(r.heard == expected);
}

TEST_CASE("Nodes that are switched on and off, renamed and tagged change the version of the scene", "[objectmodel]")
{
    const auto root = std::make_shared<Node>("root");
    const auto body = root->createChild("body");
    auto& thing = body->create<Thing>();
    auto version = root->version();
    const auto changed = [&] { return std::exchange(version, root->version()) != version; };
    body->d_activated.setValue(false);
    CHECK(changed());
    thing.d_tags.setValue({"soft"});
    CHECK(changed());
    thing.d_listening.setValue(true);
    CHECK(changed());
    thing.d_mass.setValue(2.);
    CHECK_FALSE(changed());
    // Also when it follows another Data.
    Data<bool> other(nullptr, {.name = "on", .help = ""}, true);
    body->d_activated.linkTo(other);
    changed();
    other.setValue(false);
    CHECK(changed());
}

}  // namespace scene_change_test
