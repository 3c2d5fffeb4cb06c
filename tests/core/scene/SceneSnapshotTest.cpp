// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/scene/GraphvizWriter.h"
#include "core/scene/SceneSnapshot.h"
#include "tests/harness/TestGraph.h"

namespace scene_snapshot_test {

namespace {

using namespace sofa::core;

class Thing final : public Component
{
public:
    Data<double> d_size{this, {.name = "size", .help = "Size", .unit = "m", .range = Range::positive()}, 1.};
    Data<Vector<double>> d_many{this, {.name = "many", .help = "Numbers", .unit = "1"}};
    Data<int> d_result{this, {.name = "result", .help = "Counted", .readOnly = true}, 3};
    Data<int> d_hidden{this, {.name = "hidden", .help = "Not shown", .displayed = false}, 3};
    Link<Thing> l_other{this, {"other", "Another thing"}};
    int reinits = 0;
    void reinit() override { ++reinits; }
    std::string className() const override { return "Thing"; }
};

struct Scene
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    std::shared_ptr<Node> child = root->createChild("child");
    Thing& a = root->create<Thing>();
    Thing& b = child->create<Thing>();
    Scene()
    {
        a.setName("a");
        b.setName("b");
        b.l_other.set(&a);
    }
};

const DataEntry& entry(const ObjectSnapshot& o, const std::string& name)
{
    for (const DataEntry& d : o.data)
        if (d.name == name) return d;
    FAIL("no Data " << name);
    throw 0;
}

}  // namespace

TEST_CASE("What others make while a scene runs has the kind of what it is")
{
    Node root;
    sofa::test::addState<Vec3Types>(root, {{0., 0., 0.}});
    const GraphSnapshot g = takeGraph(root);
    REQUIRE(g.entries.size() == 2);
    CHECK(g.entries[1].className == "TestState");
    CHECK(g.entries[1].category == "State");
}

TEST_CASE("The tree of a scene lists nodes before their components and children")
{
    MessageCapture quiet;
    Scene s;
    s.b.message(Severity::Error, "broken");
    s.b.message(Severity::Warning, "odd");
    const GraphSnapshot g = takeGraph(*s.root, s.root);
    REQUIRE(g.entries.size() == 4);
    CHECK(g.entries[0].isNode);
    CHECK(g.entries[0].object.lock() == s.root);
    CHECK(g.entries[1].path == "/a");
    CHECK(g.entries[1].category == "Component");  // not for scenes, but not without a kind
    CHECK(g.entries[2].path == "/child");
    CHECK(g.entries[3].path == "/child/b");
    CHECK(g.entries[3].parent == 2);
    CHECK(g.entries[3].depth == 2);
    CHECK(g.entries[3].errors == 1);
    CHECK(g.entries[3].warnings == 1);
    CHECK(g.entries[3].object.lock().get() == &s.b);
    // Handles do not keep what was removed.
    s.root->removeChild(*s.child);
    s.child.reset();
    CHECK(g.entries[3].object.expired());
    CHECK(takeGraph(*s.root).entries.size() == 2);
}

TEST_CASE("Snapshots of the tree have another version when an entry of theirs is another")
{
    MessageCapture quiet;
    Scene s;
    std::uint64_t before = takeGraph(*s.root).version;
    const auto changed = [&] { return std::exchange(before, takeGraph(*s.root).version) != before; };
    CHECK_FALSE(changed());
    s.a.setName("other");
    CHECK(changed());
    s.child->d_activated.setValue(false);
    CHECK(changed());
    s.b.msgWarning() << "odd";
    CHECK(changed());
    s.b.fail("broken");
    CHECK(changed());
    s.b.setValid(true);
    CHECK(changed());
    s.root->removeChild(*s.child);
    CHECK(changed());
    s.root->addChild(s.child);
    CHECK(changed());
    s.a.d_size.setValue(2.);
    CHECK_FALSE(changed());
}

TEST_CASE("Snapshots of objects hold what a property window shows")
{
    Scene s;
    s.a.d_many.setValue(Vector<double>(1000, 0.25));
    const ObjectSnapshot o = takeObject(s.a, 100);
    CHECK(entry(o, "size").text == "1");
    CHECK(entry(o, "size").unit == "m");
    CHECK(entry(o, "size").range == "> 0");
    CHECK(entry(o, "result").readOnly);
    CHECK(entry(o, "many").length == 4999);
    CHECK(entry(o, "many").text.size() <= 100);
    CHECK_FALSE(entry(o, "many").complete());
    CHECK(entry(o, "many").text.ends_with("0.25"));
    CHECK(wholeText(s.a, "many").size() == 4999);
    for (const DataEntry& d : o.data) CHECK(d.name != "hidden");
    REQUIRE(takeObject(s.b).links.size() == 1);
    CHECK(takeObject(s.b).links[0].targets == std::vector<std::string>{"/a"});
    const std::size_t before = entry(o, "size").counter;
    s.a.d_size.setValue(2.);
    CHECK(entry(takeObject(s.a), "size").counter > before);
    CHECK(findObject(*s.root, "/child/b") == &s.b);
    CHECK(findObject(*s.root, "/child/c") == nullptr);
}

TEST_CASE("Edits are applied together or not at all")
{
    MessageCapture quiet;
    Scene s;
    s.a.setInitialised(true);
    CHECK(applyEdits(s.a, {{"size", "3 cm"}, {"many", "1 2"}}).empty());
    CHECK(s.a.d_size.value() == Approx(0.03));
    CHECK(s.a.d_many.value() == Vector<double>{1., 2.});
    CHECK(s.a.reinits == 1);
    CHECK(s.a.givenAttributes().size() == 2);

    const EditErrors errors = applyEdits(s.a, {{"many", "4 5 6"}, {"size", "-1"}, {"result", "1"}, {"typo", "1"}});
    REQUIRE(errors.size() == 3);
    CHECK(errors[0].first == "size");
    CHECK(errors[1].first == "result");
    CHECK(errors[2].first == "typo");
    CHECK(s.a.d_many.value() == Vector<double>{1., 2.});
    CHECK(s.a.d_size.value() == Approx(0.03));
    CHECK(s.a.reinits == 1);

    CHECK(applyEdits(s.b, {{"size", "@/a.size"}}).empty());
    CHECK(s.b.d_size.value() == Approx(0.03));
    CHECK(entry(takeObject(s.b), "size").linkPath == "@/a.size");
    CHECK(applyEdits(s.b, {{"size", "@/nothing.size"}}).size() == 1);
    CHECK(applyEdits(s.b, {{"other", "@/nothing"}}).size() == 1);
    CHECK(s.b.l_other.get() == &s.a);
}

TEST_CASE("Graphs are written for Graphviz")
{
    Scene s;
    s.a.setName("a \"quoted\"");
    s.b.d_size.linkTo(s.a.d_size);
    const std::string text = writeGraphviz(*s.root);
    CHECK(text.starts_with("digraph scene {"));
    CHECK(text.find("label=\"Thing\\na \\\"quoted\\\"\"") != std::string::npos);
    CHECK(text.find("n0 -> n1;") != std::string::npos);
    CHECK(text.find("n2 -> n3;") != std::string::npos);
    CHECK(text.find("n3 -> n1 [style=dashed, constraint=false, color=steelblue, label=\"other\"") != std::string::npos);
    CHECK(text.find("label=\"size\"") != std::string::npos);
    CHECK(writeGraphviz(*s.root) == text);
    const std::string nodes = writeGraphviz(*s.root, {.components = false});
    CHECK(nodes.find("Thing") == std::string::npos);
    CHECK(nodes.find("child") != std::string::npos);
    CHECK_THROWS_WITH(saveGraphviz(*s.root, "/nonexistent/x.dot"), Catch::Contains("/nonexistent/x.dot"));
}

}  // namespace scene_snapshot_test
