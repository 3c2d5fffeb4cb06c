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

TEST_CASE("The GPU divides curved triangles as the renderer itself does", "[gl]")
{
    // A cap of four curved triangles with smooth normals and colours, lit, with a shadow on what is behind.
    Geometry g;
    g.positions = {{0.f, 0.f, 0.6f}};
    const float r = 0.6f;
    for (const auto& [x, y] : {std::pair(1.f, 0.f), {0.f, 1.f}, {-1.f, 0.f}, {0.f, -1.f}})
        g.positions.push_back({r * x, r * y, 0.f});
    for (const auto& [x, y] : {std::pair(1.f, 0.f), {0.f, 1.f}, {-1.f, 0.f}, {0.f, -1.f}})
        g.positions.push_back({r * x, r * y, 0.6f});
    for (const auto& [x, y] : {std::pair(1.f, 1.f), {-1.f, 1.f}, {-1.f, -1.f}, {1.f, -1.f}})
        g.positions.push_back({r * x, r * y, 0.f});
    for (Index k = 0; k < 4; ++k) g.patches.push_back({0, 1 + k, 1 + (k + 1) % 4, 5 + k, 9 + k, 5 + (k + 1) % 4});
    for (const Vec3f& p : g.positions) {
        g.normals.push_back({p[0], p[1], p[2] + 0.1f});
        g.colors.push_back(Color(0.5f + 0.5f * p[0], 0.5f + 0.5f * p[1], 0.4f));
    }
    Scene s;
    s.camera.lookAt({3., -4., 8.}, {0., 0., 0.});
    s.add(g);
    s.add(square(1.f, -0.2f));
    LightDescription light;
    light.kind = LightDescription::Kind::Directional;
    light.direction = {0.4, 0.3, 1.};
    s.list.lights = {light};
    s.list.lighting.emplace().shadows = true;
    const Image ours = [&] {
        s.settings.tessellation = false;
        return s.draw();
    }();
    REQUIRE(s.renderer.statistics().triangles > 100);
    s.settings.tessellation = true;
    const Image theirs = s.draw();
    REQUIRE(s.renderer.statistics().triangles == 6);
    REQUIRE(ours.pixels.size() == theirs.pixels.size());
    double sum = 0.;
    std::size_t bright = 0, far = 0;
    for (std::size_t k = 0; k < ours.pixels.size(); ++k) {
        const int d = std::abs(int(ours.pixels[k]) - int(theirs.pixels[k]));
        sum += d;
        far += d > 24;
        bright += ours.pixels[k] > 40;
    }
    CHECK(bright > ours.pixels.size() / 10);
    const auto pixels = static_cast<double>(ours.pixels.size());
    CHECK(sum / pixels < 0.3);
    CHECK(static_cast<double>(far) / pixels < 0.01);  // on outlines, where either is off by a quarter of a pixel
    for (const auto& [x, y] : {std::pair(110., 90.), {80., 95.}, {95., 115.}}) {
        const auto there = s.renderer.pick(s.list, s.camera, x, y);
        s.settings.tessellation = false;
        s.draw();
        const auto here = s.renderer.pick(s.list, s.camera, x, y);
        s.settings.tessellation = true;
        s.draw();
        REQUIRE((here && there));
        CHECK(here->index == there->index);
        CHECK(norm(here->position - there->position) < 0.01);
    }
}

TEST_CASE("Curved triangles are divided as the view needs, and picked as a whole", "[gl]")
{
    // Two of them beside each other, whose outer sides bulge by 0.2.
    const bool onGpu = GENERATE(false, true);
    Scene s;
    s.settings.tessellation = onGpu;
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
    if (onGpu) {
        CHECK(coarse == 2);  // it counts the curved ones
    } else {
        CHECK(coarse > 2 * 25);
        CHECK(coarse < 2 * 300);
    }

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
    if (onGpu)
        CHECK(s.renderer.statistics().uploads == 0);
    else
        CHECK(s.renderer.statistics().triangles > 4 * coarse);
    s.list.items[0].geometry = std::make_shared<Geometry>(square(0.5f));
    s.draw();
    CHECK(s.renderer.statistics().triangles == 2);
}
