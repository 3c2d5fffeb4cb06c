// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/Solvers.h"
#include "core/objectmodel/Engine.h"
#include "core/visual/SceneDrawing.h"
#include "tests/harness/AllocationCounter.h"

namespace scene_drawing_test {

namespace {

using namespace sofa::core;

/// Draws its points and a solid of each kind.
class Points final : public Component
{
public:
    Vector<Vec3> positions{{0., 0., 0.}, {1., 0., 0.}, {0., 2., 0.}};
    std::optional<std::uint64_t> version;
    int filled = 0;

    void draw(DrawTool& tool) override
    {
        tool.points(positions, {});
        if (tool.shows(DisplayFlags::ForceFields)) tool.lines(positions, {});
        tool.geometry(
            {},
            [&](Geometry& g) {
                ++filled;
                for (const Vec3& p : positions) g.positions.push_back(Vec3f(p));
                g.triangles.push_back({0, 1, 2});
            },
            version);
    }
    BoundingBox boundingBox() const override
    {
        BoundingBox b;
        for (const Vec3& p : positions) b.include(p);
        return b;
    }
};

/// Knows a mesh that nobody sees.
class Hidden final : public Engine
{
public:
    void doUpdate() override {}
    BoundingBox boundingBox() const override { return {{-100., -100., -100.}, {100., 100., 100.}}; }
};

class Style final : public Component, public DisplaySetting
{
public:
    DisplayFlags flags;
    DisplayFlags displayFlags() const override { return flags; }
};

}  // namespace

TEST_CASE("Unchanged arrays keep their numbers from frame to frame")
{
    auto root = std::make_shared<Node>("root");
    auto& points = root->create<Points>();
    SceneDrawing drawing;
    const auto first = drawing.draw(*root);
    REQUIRE(first->items.size() == 2);
    CHECK(first->items[0].slot != first->items[1].slot);
    CHECK(first->items[0].owner == &points);
    const std::uint64_t positions = first->items[1].geometry->positions.revision;
    const std::uint64_t triangles = first->items[1].geometry->triangles.revision;

    const auto second = drawing.draw(*root);
    CHECK(second->items[1].geometry == first->items[1].geometry);
    CHECK(points.filled == 2);

    points.positions[1][0] = 3.;
    const auto third = drawing.draw(*root);
    CHECK(third->items[1].slot == first->items[1].slot);
    CHECK(third->items[1].geometry->positions.revision != positions);
    CHECK(third->items[1].geometry->triangles.revision == triangles);
    CHECK(third->items[1].geometry->positions[1] == Vec3f{3.f, 0.f, 0.f});
    // What viewers hold does not change under them.
    CHECK(first->items[1].geometry->positions[1] == Vec3f{1.f, 0.f, 0.f});
    CHECK(third->box.high == Vec3{3., 2., 0.});
}

TEST_CASE("A version saves writing geometry down again")
{
    auto root = std::make_shared<Node>("root");
    auto& points = root->create<Points>();
    points.version = 7;
    SceneDrawing drawing;
    drawing.draw(*root);
    drawing.draw(*root);
    CHECK(points.filled == 1);
    points.version = 8;
    drawing.draw(*root);
    CHECK(points.filled == 2);
}

TEST_CASE("Components are asked with the flags of their node, and inactive nodes are left out")
{
    auto root = std::make_shared<Node>("root");
    auto child = root->createChild("child");
    auto& style = root->create<Style>();
    child->create<Points>();
    SceneDrawing drawing;
    CHECK(drawing.draw(*root)->items.size() == 2);
    style.flags.set(DisplayFlags::ForceFields, DisplayFlags::State::On);
    const auto shown = drawing.draw(*root);
    REQUIRE(shown->items.size() == 3);
    REQUIRE(shown->scopes.size() == 2);
    CHECK(shown->scopes[shown->items[0].scope].path == "/child");
    CHECK(shown->scopes[1].parent == 0);

    DisplayFlags chosen;
    chosen.set(DisplayFlags::ForceFields, DisplayFlags::State::Off);
    CHECK(drawing.draw(*root, chosen)->items.size() == 2);
    child->d_activated.setValue(false);
    CHECK(drawing.draw(*root)->items.empty());
}

TEST_CASE("Solids are placed as they are asked for")
{
    auto root = std::make_shared<Node>("root");
    class Solids final : public Component
    {
    public:
        void draw(DrawTool& tool) override
        {
            const Vec3 ends[] = {{1., 0., 0.}, {1., 0., 4.}};
            tool.cylinders(ends, 0.5, {});
            tool.arrows(ends, 0.5, {});
            const RigidCoord3 frame{{1., 2., 3.}, Quat{0., 0., std::sqrt(0.5), std::sqrt(0.5)}};
            const Vec3 half{1., 2., 3.};
            tool.boxes({&frame, 1}, {&half, 1}, {});
            const Vec3 same[] = {{1., 1., 1.}, {1., 1., 1.}};
            tool.cylinders(same, 1., {});
        }
    };
    root->create<Solids>();
    SceneDrawing drawing;
    const auto frame = drawing.draw(*root);
    REQUIRE(frame->items.size() == 4);  // a cylinder without length is nothing
    const SolidInstance& c = frame->items[0].geometry->solids[0];
    CHECK(c.center == Vec3f{1.f, 0.f, 0.f});
    CHECK(c.axes[8] == 4.f);
    // Right-handed, radius across.
    const Vec3f x{c.axes[0], c.axes[1], c.axes[2]}, y{c.axes[3], c.axes[4], c.axes[5]};
    CHECK(norm(x) == Approx(0.5));
    CHECK(cross(x, y)[2] == Approx(0.25));
    CHECK(frame->items[2].geometry->solid == Solid::Cone);
    const SolidInstance& b = frame->items[3].geometry->solids[0];
    CHECK(b.axes[0] == Approx(0.).margin(1e-6));
    CHECK(b.axes[1] == Approx(1.));
    CHECK(b.axes[3] == Approx(-2.));
}

TEST_CASE("Things of different scenes have different numbers, and the visual loop comes first")
{
    class Loop final : public VisualLoop
    {
    public:
        int updates = 0;
        void update() override { ++updates; }
    };
    auto first = std::make_shared<Node>("first"), second = std::make_shared<Node>("second");
    first->create<Points>();
    second->create<Points>();
    auto& loop = second->create<Loop>();
    SceneDrawing a, b;
    const auto x = a.draw(*first), y = b.draw(*second);
    CHECK(x->items[0].slot != y->items[0].slot);
    CHECK(x->items[0].geometry->positions.revision != y->items[0].geometry->positions.revision);
    CHECK(loop.updates == 1);
}

TEST_CASE("The box of a frame is that of what is shown")
{
    auto root = std::make_shared<Node>("root");
    root->create<Hidden>();
    SceneDrawing drawing;
    CHECK_FALSE(drawing.draw(*root)->box.valid());
    root->create<Points>();
    const auto list = drawing.draw(*root);
    CHECK(list->box.low == Vec3{0., 0., 0.});
    CHECK(list->box.high == Vec3{1., 2., 0.});
}

TEST_CASE("Scopes of an earlier frame leave nothing behind")
{
    auto root = std::make_shared<Node>("root");
    auto child = root->createChild("child");
    root->createChild("other");
    SceneDrawing drawing;
    for (int i = 0; i < 4; ++i) {
        const auto list = drawing.draw(*root);
        REQUIRE(list->scopes.size() == 3);
        CHECK(list->scopes[1].path == "/child");
        const_cast<DrawScope&>(list->scopes[2]).clipPlanes.push_back({1.f, 0.f, 0.f, 0.f});
        const_cast<DrawScope&>(list->scopes[2]).frame = RigidCoord3();
    }
    root->removeChild(*child);
    for (int i = 0; i < 3; ++i) {
        const auto list = drawing.draw(*root);
        REQUIRE(list->scopes.size() == 2);
        CHECK(list->scopes[1].path == "/other");
        CHECK(list->scopes[1].clipPlanes.empty());
        CHECK_FALSE(list->scopes[1].frame);
    }
}

TEST_CASE("A frame of a scene at rest allocates nothing")
{
    auto root = std::make_shared<Node>("root");
    root->create<Points>().positions.resize(2000);
    auto& style = root->create<Style>();
    style.flags.set(DisplayFlags::ForceFields, DisplayFlags::State::On);
    for (int i = 0; i < 10; ++i) {
        auto body = root->createChild("a body with a name that no string keeps within itself " + std::to_string(i));
        body->create<Points>();
        body->setAttribute("showCollisionModels", "1", {});
    }
    SceneDrawing drawing;
    // A viewer holds one frame while the next is made.
    auto shown = drawing.draw(*root);
    for (int i = 0; i < 4; ++i) shown = drawing.draw(*root);
    const std::size_t before = sofa::test::allocationCount();
    shown = drawing.draw(*root);
    CHECK(sofa::test::allocationCount() == before);
}

namespace {

/// Gathers what it draws, as components do: two arrays at a time, one of them inside the other's life.
class Gatherer final : public Component
{
public:
    std::size_t count = 100;
    std::size_t capacity = 0;  ///< of its first array, before it was filled

    Scratch<Vec3> points(DrawTool& tool) const
    {
        auto out = tool.scratch<Vec3>();
        for (std::size_t i = 0; i < count; ++i) out.push_back({static_cast<double>(i), 0., 0.});
        return out;
    }
    void draw(DrawTool& tool) override
    {
        auto ends = tool.scratch<Vec3>();
        capacity = ends.capacity();
        {
            const auto x = points(tool);
            for (const Vec3& p : x) ends.insert(ends.end(), {p, p + Vec3{0., 1., 0.}});
            tool.points(x, {});
        }
        CHECK(tool.scratch<Vec3>().empty());
        tool.lines(ends, {});
        auto numbers = tool.scratch<Index>();
        for (std::size_t i = 0; i < count; ++i) numbers.push_back(static_cast<Index>(i));
    }
};

}  // namespace

TEST_CASE("What components gather while they draw is gathered where they gathered it before")
{
    auto root = std::make_shared<Node>("root");
    auto &first = root->create<Gatherer>(), &second = root->create<Gatherer>();
    second.count = 300;
    SceneDrawing drawing;
    auto shown = drawing.draw(*root);
    CHECK(first.capacity == 0);
    CHECK(second.capacity >= 200);  // what the first one had
    REQUIRE(shown->items.size() == 4);
    CHECK(shown->items[2].geometry->points.size() == 300);
    CHECK(shown->items[3].geometry->lines.size() == 300);
    CHECK(shown->items[3].geometry->positions[599] == Vec3f{299.f, 1.f, 0.f});
    for (int i = 0; i < 4; ++i) shown = drawing.draw(*root);
    const std::size_t before = sofa::test::allocationCount();
    shown = drawing.draw(*root);
    CHECK(sofa::test::allocationCount() == before);
}

TEST_CASE("What is selected is shown over everything else")
{
    auto root = std::make_shared<Node>("root");
    auto child = root->createChild("child");
    auto& points = child->create<Points>();
    points.setName("points");
    SceneDrawing drawing;
    const auto selected = [&](const char* path) { return drawing.draw(*root, {}, path)->items; };
    const std::size_t unselected = drawing.draw(*root)->items.size();
    for (const char* path : {"/", "/child", "/child/points"}) {
        INFO(path);
        const auto items = selected(path);
        REQUIRE(items.size() == unselected + 1);
        CHECK(items.back().style.layer == DrawStyle::Layer::Overlay);
        const Geometry& box = *items.back().geometry;
        CHECK(box.lines.size() == 12);
        CHECK(std::count(box.positions.begin(), box.positions.end(), Vec3f{1.f, 2.f, 0.f}) == 2);
    }
    for (const char* path : {"/chil", "/child/", "/child/point", "/points", "child", "/child/points/x"}) {
        INFO(path);
        CHECK(selected(path).size() == unselected);
    }
    CHECK(drawing.draw(*root)->items.size() == unselected);
}

TEST_CASE("A drawing follows changes of the scene, and shows one scene after the other")
{
    SceneDrawing drawing;
    for (int i = 0; i < 3; ++i) {
        // Each may well lie where the last one did.
        auto root = std::make_shared<Node>("root");
        auto child = root->createChild("child" + std::to_string(i));
        child->create<Points>();
        auto list = drawing.draw(*root);
        CHECK(list->items.size() == 2);
        REQUIRE(list->scopes.size() == 2);
        CHECK(list->scopes[1].path == "/child" + std::to_string(i));
        child->setAttribute("showForceFields", "1", {});
        CHECK(drawing.draw(*root)->items.size() == 3);
        child->createChild("below")->create<Points>();
        list = drawing.draw(*root);
        CHECK(list->items.size() == 6);
        CHECK(list->scopes[2].parent == 1);
        root->removeChild(*child);
        CHECK(drawing.draw(*root)->items.empty());
    }
}

TEST_CASE("A box that the scene gives a node is part of the frame's")
{
    auto root = std::make_shared<Node>("root");
    root->create<Points>();
    auto sky = root->createChild("sky");
    SceneDrawing drawing;
    CHECK(drawing.draw(*root)->box.high == Vec3{1., 2., 0.});
    sky->d_bbox.setValue({-100., -100., -100., 50., 50., 50.});
    const auto list = drawing.draw(*root);
    CHECK(list->box.low == Vec3{-100., -100., -100.});
    CHECK(list->box.high == Vec3{50., 50., 50.});
}

}  // namespace scene_drawing_test
