// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/Solvers.h"
#include "core/objectmodel/Engine.h"
#include "core/visual/SceneDrawing.h"
#include "tests/harness/AllocationCounter.h"

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

TEST_CASE("Unchanged arrays keep their numbers from picture to picture")
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
    const auto picture = drawing.draw(*root);
    REQUIRE(picture->items.size() == 4);  // a cylinder without length is nothing
    const SolidInstance& c = picture->items[0].geometry->solids[0];
    CHECK(c.center == Vec3f{1.f, 0.f, 0.f});
    CHECK(c.axes[8] == 4.f);
    // Right-handed, radius across.
    const Vec3f x{c.axes[0], c.axes[1], c.axes[2]}, y{c.axes[3], c.axes[4], c.axes[5]};
    CHECK(norm(x) == Approx(0.5));
    CHECK(cross(x, y)[2] == Approx(0.25));
    CHECK(picture->items[2].geometry->solid == Solid::Cone);
    const SolidInstance& b = picture->items[3].geometry->solids[0];
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

TEST_CASE("The box of a picture is that of what is shown")
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

TEST_CASE("Scopes of an earlier picture leave nothing behind")
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

TEST_CASE("A picture of a scene at rest allocates nothing")
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
    // A viewer holds one picture while the next is made.
    auto shown = drawing.draw(*root);
    for (int i = 0; i < 4; ++i) shown = drawing.draw(*root);
    const std::size_t before = sofa::test::allocationCount();
    shown = drawing.draw(*root);
    CHECK(sofa::test::allocationCount() == before);
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

TEST_CASE("A box that the scene gives a node is part of the picture's")
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
