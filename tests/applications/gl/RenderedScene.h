// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>

#include "applications/gl/OffscreenContext.h"
#include "applications/gl/Renderer.h"

namespace sofa::test {

using namespace sofa::core;
using sofa::gl::Camera;
using sofa::gl::Image;
using sofa::gl::RenderSettings;

/// One context for all test cases that use this header, made current: tests that have one of their own run between.
inline sofa::gl::OffscreenContext& context()
{
    static sofa::gl::OffscreenContext made;
    made.makeCurrent();
    return made;
}

/// A view from z = 10 of the square −1…1 in 200 × 200 pixels, with lists that are made by hand.
struct Scene
{
    sofa::gl::Renderer renderer{context().procAddress()};
    Camera camera;
    DrawList list;
    RenderSettings settings;
    std::uint64_t revision = 1;

    Scene()
    {
        camera.width = camera.height = 200;
        camera.orthographic = true;
        camera.lookAt({0., 0., 10.}, {0., 0., 0.});
        camera.fieldOfView = 2. * 180. / 3.14159265358979 * std::atan(0.1);
        settings.background = Color(0.f, 0.f, 0.f);
        list.scopes.push_back({});
        list.box = {{-1., -1., -1.}, {1., 1., 1.}};
    }
    /// Numbers its arrays.
    DrawItem& add(Geometry g, const DrawStyle& style = {})
    {
        for (auto* r :
             {&g.positions.revision, &g.normals.revision, &g.colors.revision, &g.texCoords.revision, &g.points.revision,
              &g.lines.revision, &g.triangles.revision, &g.patches.revision, &g.solids.revision, &g.labels.revision})
            *r = revision++;
        DrawItem item;
        item.slot = list.items.size() + 1;
        item.style = style;
        item.geometry = std::make_shared<Geometry>(std::move(g));
        list.items.push_back(std::move(item));
        return list.items.back();
    }
    Image draw()
    {
        renderer.draw(list, camera, settings);
        Image image = renderer.image();
        if (const char* folder = std::getenv("SOFA_SHOW_IMAGES")) {
            static int number = 0;
            writeImage(std::string(folder) + "/test" + std::to_string(number++) + ".png", image);
        }
        return image;
    }
};

inline DrawStyle unlit(const Color& c)
{
    DrawStyle s;
    s.color = c;
    s.lit = false;
    return s;
}

/// A square of two triangles around a point, in a plane z.
inline Geometry square(float half, float z = 0.f, float x = 0.f, float y = 0.f)
{
    Geometry g;
    g.positions = {{x - half, y - half, z}, {x + half, y - half, z}, {x + half, y + half, z}, {x - half, y + half, z}};
    g.triangles = {{0, 1, 2}, {0, 2, 3}};
    return g;
}

inline Geometry solid(Solid s, float size)
{
    Geometry g;
    g.solid = s;
    g.solids.push_back({{size, 0.f, 0.f, 0.f, size, 0.f, 0.f, 0.f, size}, {}, Color(1.f, 1.f, 1.f)});
    return g;
}

inline std::array<int, 3> at(const Image& image, int x, int y)
{
    const unsigned char* p = image.at(x, y);
    return {p[0], p[1], p[2]};
}

inline void isColor(const Image& image, int x, int y, int r, int g, int b, int tolerance = 2)
{
    const auto p = at(image, x, y);
    INFO("pixel " << x << ' ' << y << ": " << p[0] << ' ' << p[1] << ' ' << p[2] << ", expected " << r << ' ' << g
                  << ' ' << b);
    CHECK(std::abs(p[0] - r) <= tolerance);
    CHECK(std::abs(p[1] - g) <= tolerance);
    CHECK(std::abs(p[2] - b) <= tolerance);
}

inline std::size_t countBright(const Image& image, int threshold = 100)
{
    std::size_t n = 0;
    for (std::size_t i = 0; i < image.pixels.size(); i += 3)
        n += image.pixels[i] + image.pixels[i + 1] + image.pixels[i + 2] > threshold;
    return n;
}

}  // namespace sofa::test
