// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/OffscreenContext.h"

#include <catch2/catch.hpp>

#include "tests/harness/Skip.h"

using sofa::gl::Camera;
using sofa::gl::OffscreenContext;

TEST_CASE("Each kind of context draws", "[gl]")
{
    using Kind = OffscreenContext::Kind;
    int made = 0;
    for (const Kind kind : {Kind::OsMesa, Kind::Egl}) {
        std::unique_ptr<OffscreenContext> context;
        try {
            context = std::make_unique<OffscreenContext>(kind);
        } catch (const sofa::gl::GlError& e) {
            WARN(e.what());
            continue;
        }
        ++made;
        sofa::gl::Renderer renderer(context->procAddress());
        CHECK(renderer.description().find("OpenGL") != std::string::npos);
        Camera camera;
        camera.width = camera.height = 16;
        sofa::core::DrawList list;
        list.background =
            std::make_shared<sofa::core::BackgroundDescription>(sofa::core::BackgroundDescription{{1.f, 0.f, 0.f}, {}});
        renderer.draw(list, camera);
        const sofa::gl::Image image = renderer.image();
        REQUIRE(image.width == 16);
        CHECK(image.at(8, 8)[0] == 255);
        CHECK(image.at(8, 8)[1] == 0);
    }
    if (made == 0) sofa::test::skip("no OpenGL without a window here");
}
