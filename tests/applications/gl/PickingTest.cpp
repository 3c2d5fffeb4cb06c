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

TEST_CASE("Curved triangles are divided as the view needs, and picked as a whole", "[gl]")
{
    // Two of them beside each other, whose outer sides bulge by 0.2.
    Scene s;
    Geometry g;
    g.positions = {{-0.5f, -0.5f, 0.f}, {0.5f, -0.5f, 0.f}, {-0.5f, 0.5f, 0.f}, {0.f, -0.9f, 0.f}, {0.f, 0.f, 0.f},
                   {-0.5f, 0.f, 0.f},   {0.5f, 0.5f, 0.f},  {0.9f, 0.f, 0.f},   {0.f, 0.5f, 0.f}};
    g.patches = {{0, 1, 2, 3, 4, 5}, {1, 6, 2, 7, 8, 4}};
    s.add(g, unlit({1.f, 0.f, 0.f}));
    const Image image = s.draw();
    const auto red = [&](double x, double y) {
        const int column = static_cast<int>(100. + 100. * x), row = static_cast<int>(100. - 100. * y);
        return image.pixels[static_cast<std::size_t>((row * image.width + column) * image.channels)];
    };
    CHECK(red(0., -0.68) > 200);  // the curve is at -0.7
    CHECK(red(0., -0.72) == 0);
    CHECK(red(0.68, 0.) > 200);
    CHECK(red(0.72, 0.) == 0);
    CHECK(red(0., 0.) > 200);
    const std::size_t coarse = s.renderer.statistics().triangles;
    CHECK(coarse > 2 * 25);
    CHECK(coarse < 2 * 300);

    const auto left = s.renderer.pick(s.list, s.camera, 100.5 - 20., 100.5 + 20.);
    REQUIRE(left);
    CHECK(left->index == 0);
    CHECK(left->primitive == Pick::Primitive::Triangle);
    const auto right = s.renderer.pick(s.list, s.camera, 100.5 + 65., 100.5);
    REQUIRE(right);
    CHECK(right->index == 1);
    CHECK(right->item == 0);

    // What did not change is not uploaded again; a nearer look needs more triangles.
    s.draw();
    CHECK(s.renderer.statistics().uploads == 0);
    s.camera.fieldOfView /= 8.;
    s.draw();
    CHECK(s.renderer.statistics().triangles > 4 * coarse);
    s.list.items[0].geometry = std::make_shared<Geometry>(square(0.5f));
    s.draw();
    CHECK(s.renderer.statistics().triangles == 2);
}
