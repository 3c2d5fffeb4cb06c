// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/applications/gl/RenderedScene.h"

using namespace sofa::core;
using sofa::gl::Image;
using namespace sofa::test;

TEST_CASE("Transparent things are mixed from far to near", "[gl]")
{
    Scene s;
    s.settings.samples = 1;
    // Near and red first, far and blue after it: the result is red over blue.
    s.add(square(0.6f, 0.5f), unlit({1.f, 0.f, 0.f, 0.5f}));
    s.add(square(0.8f, -0.5f), unlit({0.f, 0.f, 1.f, 0.5f}));
    Image image = s.draw();
    isColor(image, 100, 100, 128, 0, 64);
    isColor(image, 170, 100, 0, 0, 128);
    // From behind, the other way.
    s.camera.lookAt({0., 0., -10.}, {0., 0., 0.});
    isColor(s.draw(), 100, 100, 64, 0, 128);
    // Opaque things hide them and shine through.
    s.camera.lookAt({0., 0., 10.}, {0., 0., 0.});
    s.add(square(0.3f, 0.f), unlit({0.f, 1.f, 0.f}));
    isColor(s.draw(), 100, 100, 128, 128, 0);
    // Without blending the opacity has no effect.
    s.list.items[0].style.blend = false;
    isColor(s.draw(), 100, 100, 255, 0, 0);
}

TEST_CASE("Transparent triangles of two things that go through each other are sorted together", "[gl]")
{
    Scene s;
    s.settings.samples = 1;
    // Two stairs of two squares each; each is in front once.
    const auto stairs = [](float left, float right) {
        Geometry g = square(0.4f, left, -0.45f), h = square(0.4f, right, 0.45f);
        for (const auto& p : h.positions) g.positions.push_back(p);
        g.triangles.push_back({4, 5, 6});
        g.triangles.push_back({4, 6, 7});
        return g;
    };
    s.add(stairs(0.5f, -0.5f), unlit({1.f, 0.f, 0.f, 0.5f}));
    s.add(stairs(-0.5f, 0.5f), unlit({0.f, 0.f, 1.f, 0.5f}));
    const Image image = s.draw();
    isColor(image, 55, 100, 128, 0, 64);
    isColor(image, 145, 100, 64, 0, 128);
    // Nothing is uploaded while nothing moves, and it is when the camera does.
    s.draw();
    CHECK(s.renderer.statistics().uploads == 0);
    s.camera.lookAt({1., 0., 10.}, {0., 0., 0.});
    s.draw();
    CHECK(s.renderer.statistics().uploads == 1);
}

TEST_CASE("Order-independent transparency does not depend on the order", "[gl]")
{
    Image images[2];
    for (const bool swapped : {false, true}) {
        Scene s;
        s.list.orderIndependentTransparency = true;
        s.settings.background = Color(1.f, 1.f, 1.f);
        const auto red = [&] { s.add(square(0.6f, 0.5f), unlit({1.f, 0.f, 0.f, 0.5f})); };
        const auto blue = [&] { s.add(square(0.8f, -0.5f), unlit({0.f, 0.f, 1.f, 0.5f})); };
        swapped ? (blue(), red()) : (red(), blue());
        s.add(square(0.2f, 0.f), unlit({0.f, 1.f, 0.f}));
        images[swapped] = s.draw();
    }
    CHECK(images[0].pixels == images[1].pixels);
    // One alone is exact.
    isColor(images[0], 170, 100, 128, 128, 255);
    // Two cover three quarters of the background, and both are seen.
    const auto both = at(images[0], 140, 100);
    CHECK(std::abs(both[1] - 64) <= 3);
    CHECK(both[0] > 100);
    CHECK(both[2] > 80);
    // Behind what is opaque only the near one counts.
    isColor(images[0], 100, 100, 128, 128, 0, 4);
}
