// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Camera.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "applications/gl/ViewFiles.h"
#include "core/log/Message.h"
#include "tests/harness/Paths.h"

namespace camera_test {

using namespace sofa::core;
using sofa::gl::Camera;

namespace {

Camera sample(bool orthographic)
{
    Camera c;
    c.width = 640;
    c.height = 360;
    c.orthographic = orthographic;
    c.zNear = 0.5;
    c.zFar = 20.;
    c.lookAt({1., 2., 6.}, {0.2, -0.3, 0.1});
    return c;
}

void near(const Vec3& a, const Vec3& b, double tolerance = 1e-9)
{
    INFO(a[0] << ' ' << a[1] << ' ' << a[2] << " and " << b[0] << ' ' << b[1] << ' ' << b[2]);
    CHECK(norm(a - b) <= tolerance);
}

}  // namespace

TEST_CASE("Cameras look at their target", "[gl]")
{
    const Camera c = sample(false);
    near(c.forward(), normalized(c.target - c.position));
    CHECK(std::abs(dot(c.right(), Vec3{0., 1., 0.})) < 1e-12);
    CHECK(c.up()[1] > 0.);
    const auto p = c.project(c.target);
    REQUIRE(p);
    CHECK((*p)[0] == Approx(320.));
    CHECK((*p)[1] == Approx(180.));
    // Looking along the upward direction is no fault.
    Camera d;
    d.lookAt({0., 5., 0.}, {0., 0., 0.});
    near(d.forward(), {0., -1., 0.});
}

TEST_CASE("Points come back from their pixels, and rays go through them", "[gl]")
{
    for (const bool orthographic : {false, true}) {
        const Camera c = sample(orthographic);
        for (const Vec3& x : {Vec3{0., 0., 0.}, Vec3{0.5, -0.2, 1.}, Vec3{-0.7, 0.4, -2.}}) {
            const auto p = c.project(x);
            REQUIRE(p);
            CHECK((*p)[2] > 0.);
            CHECK((*p)[2] < 1.);
            near(c.unproject(*p), x, 1e-8);
            const auto ray = c.ray((*p)[0], (*p)[1]);
            CHECK(norm(ray.direction) == Approx(1.));
            CHECK(norm(cross(x - ray.origin, ray.direction)) < 1e-8);
            CHECK(dot(x - ray.origin, ray.direction) > 0.);
        }
    }
    const Camera c = sample(false);
    CHECK_FALSE(c.project(c.position - c.forward()));
}

TEST_CASE("Up is up and right is right", "[gl]")
{
    for (const bool orthographic : {false, true}) {
        const Camera c = sample(orthographic);
        const Vec3 middle = *c.project(c.target);
        const Vec3 up = *c.project(c.target + c.up() * 0.1), right = *c.project(c.target + c.right() * 0.1);
        CHECK(up[1] < middle[1] - 1.);
        CHECK(right[0] > middle[0] + 1.);
        // A pixel is as large as it says.
        CHECK(right[0] - middle[0] == Approx(0.1 / c.pixelSize(c.target)));
    }
}

TEST_CASE("A fitted box is seen whole, and fills the view", "[gl]")
{
    const BoundingBox box{{-1., 0., 2.}, {3., 1., 2.5}};
    for (const bool orthographic : {false, true})
        for (const auto& [w, h] : {std::pair(640, 360), std::pair(300, 600)}) {
            Camera c = sample(orthographic);
            c.width = w;
            c.height = h;
            c.fit(box);
            near(c.target, (box.low + box.high) * 0.5);
            double reach = 0.;
            for (unsigned i = 0; i < 8; ++i) {
                const auto p = c.project({i & 1 ? 3. : -1., i & 2 ? 1. : 0., i & 4 ? 2.5 : 2.});
                REQUIRE(p);
                CHECK((*p)[2] > 0.);
                CHECK((*p)[2] < 1.);
                reach = std::max({reach, std::abs((*p)[0] / w - 0.5), std::abs((*p)[1] / h - 0.5)});
            }
            CHECK(reach <= 0.5);
            CHECK(reach > 0.4);
        }
    Camera c = sample(false);
    const Camera before = c;
    c.fit({});
    CHECK(c == before);
}

TEST_CASE("The first view has the projection that the scene chooses for its viewer, unless a file says another", "[gl]")
{
    DrawList list;
    list.box = {{-1., -1., -1.}, {1., 1., 1.}};
    list.viewer.emplace();
    Camera c;
    firstView(c, list, {}, "");
    CHECK_FALSE(c.orthographic);
    const double perspective = c.distance();
    list.viewer->orthographic = true;
    firstView(c, list, {}, "");
    CHECK(c.orthographic);
    CHECK(c.distance() < perspective);  // fitted anew
    CHECK((*c.project({1., 1., 1.}))[0] < c.width);
    // The camera of the scene stays where it is.
    list.camera.emplace();
    list.camera->position = {0., 0., 9.};
    firstView(c, list, {}, "");
    CHECK(c.orthographic);
    CHECK(c.position == Vec3{0., 0., 9.});
    list.camera->orthographic = true;
    list.viewer->orthographic = false;
    firstView(c, list, {}, "");
    CHECK_FALSE(c.orthographic);
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "a.view").string();
    Camera saved = c;
    saved.orthographic = true;
    saved.save(file);
    firstView(c, list, {}, "", file);
    CHECK(c.orthographic);
}

TEST_CASE("The first view has gravity downwards", "[gl]")
{
    const BoundingBox box{{-1., -1., -1.}, {1., 1., 1.}};
    for (const Vec3& gravity : {Vec3{0., -9.81, 0.}, Vec3{0., 0., -9.81}, Vec3{3., 0., 0.}, Vec3{}}) {
        Camera c;
        c.setDefaultView(box, gravity);
        near(c.up(), norm(gravity) > 0. ? -gravity * (1. / norm(gravity)) : Vec3{0., 1., 0.});
        CHECK(dot(c.forward(), -c.position) > 0.);
    }
    Camera c;
    c.setDefaultView(box, {0., -9.81, 0.});
    near(c.right(), {1., 0., 0.});
    near(c.forward(), {0., 0., -1.});
}

TEST_CASE("The mouse turns, moves and zooms", "[gl]")
{
    Camera c = sample(false);
    const Camera before = c;
    c.rotate(300., 180., 400., 120.);
    CHECK(c.distance() == Approx(before.distance()));
    near(c.target, before.target);
    near(c.forward(), normalized(c.target - c.position));
    CHECK(norm(c.position - before.position) > 0.1);
    // Back the same way.
    c.rotate(400., 120., 300., 180.);
    near(c.position, before.position, 1e-6);

    // Dragging to the right turns what is in front to the right.
    c = before;
    const Vec3 front = c.target - c.forward() * 0.5;
    const double x = (*c.project(front))[0];
    c.rotate(320., 180., 360., 180.);
    CHECK((*c.project(front))[0] > x + 1.);

    // A pivot keeps its place on the screen.
    c = before;
    const Vec3 pivot{0.5, 0.2, 0.3};
    const Vec3 at = *c.project(pivot);
    c.rotate(300., 180., 350., 200., pivot);
    CHECK(norm(c.position - pivot) == Approx(norm(before.position - pivot)));
    near(*c.project(pivot), at, 1e-6);

    c = before;
    c.pan(30., -10.);
    const Vec3 moved = *c.project(before.target);
    CHECK(moved[0] == Approx(350.));
    CHECK(moved[1] == Approx(170.));

    c = before;
    c.zoom(2.);
    CHECK(c.distance() == Approx(0.5 * before.distance()));
    near(c.target, before.target);
    c.zoom(0.);
    CHECK(c.distance() == Approx(0.5 * before.distance()));

    c = before;
    c.roll(0.1);
    near(c.forward(), before.forward());
    CHECK(dot(c.up(), before.up()) == Approx(std::cos(0.1)));
}

TEST_CASE("Views are saved and loaded", "[gl]")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "a.view").string();
    for (const bool orthographic : {false, true}) {
        const Camera c = sample(orthographic);
        c.save(file);
        Camera d;
        d.width = c.width;
        d.height = c.height;
        d.load(file);
        near(d.position, c.position, 1e-12);
        near(d.target, c.target, 1e-9);
        CHECK(d.orthographic == orthographic);
        CHECK(d.fieldOfView == c.fieldOfView);
        CHECK(d.zNear == c.zNear);
        CHECK(d.zFar == c.zFar);
    }
    // As SOFA writes them, and as its first viewers did.
    std::ofstream(file) << R"(<?xml version="1.0"?><Camera version="1.0"><position value="1 2 3" type="Vector"/>
<orientation value="0 0 0 1"/><fieldOfView value="30"/><distance value="2"/><projectionType value="1"/></Camera>)";
    Camera c;
    c.load(file);
    near(c.position, {1., 2., 3.});
    near(c.target, {1., 2., 1.});
    CHECK(c.fieldOfView == 30.);
    CHECK(c.orthographic);
}

TEST_CASE("The seven numbers of old views take the scene into the frame of the camera", "[gl]")
{
    const sofa::test::TemporaryDirectory folder;
    const auto load = [&](const char* name, const char* numbers) {
        const std::string file = (folder.path() / name).string();
        std::ofstream(file) << numbers;
        Camera c;
        c.load(file);
        return c;
    };
    // The scene is 5 m before the camera and has turned by 90 degrees about its y: its z is to the right.
    for (const char* name : {"a.scn.view", "a.view", "a.scn.qt.view"}) {
        const Camera c = load(name, "0 0 -5\n0 0.7071067811865476 0 0.7071067811865476\n");
        near(c.position, {-5., 0., 0.});
        near(c.forward(), {1., 0., 0.});
        near(c.right(), {0., 0., 1.});
    }
    const Camera general = load("b.view", "1 -2 -9\n0.1 0.2 -0.3 0.9");
    const Quat r = Quat(0.1, 0.2, -0.3, 0.9).normalized();
    for (const Vec3& x : {Vec3{}, Vec3{1., 2., 3.}}) {
        const auto seen = sofa::gl::transform(general.view(), x);
        near({seen[0], seen[1], seen[2]}, r.rotate(x) + Vec3{1., -2., -9.});
    }
    // A viewer of that time wrote where its camera was.
    const Camera other = load("a.scn.qglviewer.view", "0 0 5\n0 0.7071067811865476 0 0.7071067811865476\n");
    near(other.position, {0., 0., 5.});
    near(other.forward(), {-1., 0., 0.});
}

TEST_CASE("Where a saved view shows nothing of the scene, the whole scene is seen", "[gl]")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string scene = (folder.path() / "a.scn").string(), file = sofa::gl::viewFileFor(scene);
    DrawList list;
    list.scopes.emplace_back();
    list.box = {{-1., -1., -1.}, {1., 1., 1.}};
    const auto geometry = std::make_shared<Geometry>();
    geometry->positions = {{-1.f, -1.f, 0.f}, {1.f, -1.f, 0.f}, {0.f, 1.f, 0.f}};
    geometry->triangles = {{0, 1, 2}};
    DrawItem item;
    item.geometry = geometry;
    list.items = {item};
    Camera usual;
    CHECK(sofa::gl::firstView(usual, list, {0., -9.81, 0.}, scene));
    const auto first = [&](const Vec3& from, const Vec3& to, bool orthographic) {
        Camera saved, c;
        saved.orthographic = orthographic;
        saved.lookAt(from, to);
        saved.save(file);
        sofa::gl::firstView(c, list, {0., -9.81, 0.}, scene);
        return c;
    };
    for (const bool orthographic : {false, true}) {
        const MessageCapture messages;
        near(first({0., 0., 6.}, {0.5, 0., 0.}, orthographic).position, {0., 0., 6.});
        // The middle of the triangle, whose corners are all beside the view.
        near(first({0., 0., 0.1}, {0., 0., 0.}, orthographic).position, {0., 0., 0.1});
        CHECK(messages.count(Severity::Warning) == 0);
        CHECK(first({0., 0., 6.}, {9., 0., 6.5}, orthographic) == usual);
        CHECK(messages.has(Severity::Warning, "a.scn.view"));
    }
    const MessageCapture messages;
    CHECK(first({0., 0., 6.}, {0., 0., 9.}, false) == usual);  // it looks away
    // One that is asked for is taken as it is.
    Camera c;
    CHECK_FALSE(sofa::gl::firstView(c, list, {0., -9.81, 0.}, scene, file));
    near(c.position, {0., 0., 6.});
    // The camera of a scene, too; and things in frames and solids are found where they are.
    std::filesystem::remove(file);
    list.camera.emplace();
    list.camera->position = {0., 0., 50.};
    list.camera->lookAt = {0., 0., 60.};
    list.camera->orientation = Quat::fromAxisAngle({0., 1., 0.}, 3.141592653589793);
    CHECK(sofa::gl::firstView(c, list, {0., -9.81, 0.}, scene));
    CHECK(c == usual);
    list.scopes[0].frame = RigidCoord3{{0., 0., 70.}, {}};
    sofa::gl::firstView(c, list, {0., -9.81, 0.}, scene);
    near(c.position, {0., 0., 50.});
    const auto balls = std::make_shared<Geometry>();
    balls->solids = {{{2.f, 0.f, 0.f, 0.f, 2.f, 0.f, 0.f, 0.f, 2.f}, {0.f, 0.f, -21.f}, {}}};
    list.items[0].geometry = balls;
    CHECK(sofa::gl::seesSomething(c, list));
    list.scopes[0].frame.reset();
    CHECK_FALSE(sofa::gl::seesSomething(c, list));
}

TEST_CASE("Wrong view files say where and why", "[gl]")
{
    using Catch::Matchers::Contains;
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "a.view").string();
    Camera c = sample(false);
    const Camera before = c;
    CHECK_THROWS_WITH(c.load(file), Contains("a.view") && Contains("cannot be read"));
    const auto wrong = [&](const char* text, const char* why) {
        std::ofstream(file) << text;
        CHECK_THROWS_WITH(c.load(file), Contains("a.view") && Contains(why));
        CHECK(c == before);
    };
    wrong("<Node/>", "expected the element <Camera>");
    wrong("<Camera>\n<position value=\"1 2\"/></Camera>", ":2: position");
    wrong("<Camera>\n\n<position/></Camera>", ":3: <position> needs an attribute 'value'");
    wrong("<Camera><projectionType value=\"7\"/></Camera>", "Orthographic");
    wrong("<Camera><fieldOfView value=\"180\"/></Camera>", "between 0 and 180");
    wrong("1 2 3 4", "seven numbers");
    wrong("<Camera", "a.view");
}

TEST_CASE("A saved view goes before the scene's camera", "[gl]")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string scene = (folder.path() / "a.scn").string();
    DrawList list;
    list.box = {{-1., -1., -1.}, {1., 1., 1.}};
    Camera c;
    sofa::gl::firstView(c, list, {0., -9.81, 0.}, scene);
    near(c.target, {0., 0., 0.});
    list.camera.emplace();
    list.camera->position = {7., 0., 0.};
    list.camera->lookAt = {6., 0., 0.};
    sofa::gl::firstView(c, list, {0., -9.81, 0.}, scene);
    near(c.position, {7., 0., 0.});
    CHECK_FALSE(sofa::gl::savedView(scene));
    Camera saved = sample(false);
    saved.save(sofa::gl::viewFileFor(scene));
    CHECK(sofa::gl::savedView(scene) == sofa::gl::viewFileFor(scene));
    sofa::gl::firstView(c, list, {0., -9.81, 0.}, scene);
    near(c.position, saved.position);
}

}  // namespace camera_test
