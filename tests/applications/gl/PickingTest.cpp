// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "applications/gl/Renderer.h"
#include "tests/applications/gl/RenderedScene.h"

using namespace sofa::core;
using sofa::gl::Pick;
using namespace sofa::test;

TEST_CASE("Picking tells the thing, its primitive and the place", "[gl]")
{
    Scene s;
    const Component* const owner = reinterpret_cast<const Component*>(&s);
    s.add(square(0.5f, -0.5f), unlit({1.f, 0.f, 0.f})).owner = owner;
    s.add(solid(Solid::Cube, 0.1f));
    Geometry g;
    g.positions = {{-0.5f, 0.8f, 0.f}, {0.5f, 0.8f, 0.f}, {0.3f, 0.3f, 0.f}};
    g.lines = {{0, 1}};
    g.points = {2};
    DrawStyle thin = unlit({1.f, 1.f, 1.f});
    thin.size = 3.f;
    s.add(std::move(g), thin);
    // The second triangle is that above the diagonal.
    auto p = s.renderer.pick(s.list, s.camera, 70.5, 60.5);
    REQUIRE(p);
    CHECK(p->item == 0);
    CHECK(p->owner == owner);
    CHECK(p->primitive == Pick::Primitive::Triangle);
    CHECK(p->index == 1);
    CHECK(norm(p->position - Vec3{-0.295, 0.395, -0.5}) < 0.01);
    p = s.renderer.pick(s.list, s.camera, 130.5, 120.5);
    REQUIRE(p);
    CHECK(p->index == 0);
    p = s.renderer.pick(s.list, s.camera, 100.5, 100.5);
    REQUIRE(p);
    CHECK(p->item == 1);
    CHECK(p->primitive == Pick::Primitive::Solid);
    CHECK(p->position[2] == Approx(0.1).margin(0.01));
    p = s.renderer.pick(s.list, s.camera, 80.5, 22.5);
    REQUIRE(p);
    CHECK(p->item == 2);
    CHECK(p->primitive == Pick::Primitive::Line);
    CHECK(p->index == 0);
    CHECK(p->pixelDistance > 0.);
    p = s.renderer.pick(s.list, s.camera, 131.5, 71.5);
    REQUIRE(p);
    CHECK(p->primitive == Pick::Primitive::Point);
    CHECK(p->index == 0);
    CHECK_FALSE(s.renderer.pick(s.list, s.camera, 10., 190.));
    CHECK_FALSE(s.renderer.pick(s.list, s.camera, -50., 500.));
    // Only what is wanted, whatever hides it.
    p = s.renderer.pick(s.list, s.camera, 100.5, 100.5, 0, [](const DrawItem& i) { return i.slot == 1; });
    REQUIRE(p);
    CHECK(p->item == 0);
    // Only some triangles of a geometry: they keep their numbers.
    s.list.items[0].style.firstTriangle = 1;
    p = s.renderer.pick(s.list, s.camera, 70.5, 60.5);
    REQUIRE(p);
    CHECK(p->index == 1);
    CHECK_FALSE(s.renderer.pick(s.list, s.camera, 130.5, 120.5));
}
