// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "applications/gl/OffscreenContext.h"
#include "applications/gl/Renderer.h"
#include "applications/gl/ViewFiles.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visual/SceneDrawing.h"
#include "tests/harness/AllocationCounter.h"
#include "tests/harness/Paths.h"

using namespace sofa::core;

TEST_CASE("A picture of visual models at rest allocates and uploads nothing", "[gl]")
{
    // Lights with shadows and a texture; a shader of the scene with a macro and an image; transparent surfaces.
    const char* scene = GENERATE("demos/textured_organ.scn", "component/visual/Lights.scn",
                                 "component/visual/Shaders.scn", "component/visual/Transparency.scn");
    INFO(scene);
    ::unsetenv("SOFA_DATA_PATH");
    const std::string path = (sofa::test::sourceDirectory() / "scenes" / scene).string();
    Simulation sim(loadScene(path));
    REQUIRE(sim.init());
    SceneDrawing drawing;
    sofa::gl::OffscreenContext context;
    sofa::gl::Renderer renderer(context.procAddress());
    sofa::gl::Camera camera;
    camera.width = 160;
    camera.height = 120;
    auto list = drawing.draw(sim.root());
    sofa::gl::firstView(camera, *list, sim.root().gravity(), path);
    for (int i = 0; i < 5; ++i) {
        list = drawing.draw(sim.root());
        renderer.draw(*list, camera);
    }
    const std::size_t before = sofa::test::allocationCount();
    list = drawing.draw(sim.root());
    const std::size_t written = sofa::test::allocationCount();
    renderer.draw(*list, camera);
    const std::size_t drawn = sofa::test::allocationCount();
    CHECK(written - before == 0);
    CHECK(drawn - written == 0);
    CHECK(renderer.statistics().uploads == 0);
    camera.advance(0.01 * camera.distance());
    renderer.draw(*list, camera);
    CHECK(renderer.statistics().uploads == 0);
}
