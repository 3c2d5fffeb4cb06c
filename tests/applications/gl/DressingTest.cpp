// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Dressing.h"

#include <catch2/catch.hpp>

#include "applications/gl/OffscreenContext.h"
#include "applications/gl/Renderer.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visual/SceneDrawing.h"
#include "tests/harness/AllocationCounter.h"

namespace dressing_test {

using namespace sofa::core;
using namespace sofa::gl;

namespace {

std::shared_ptr<const LegendDescription> legend(const std::string& title, double low, double high)
{
    LegendDescription d;
    d.title = title;
    d.low = low;
    d.high = high;
    d.colors = {Color(0.f, 0.f, 1.f), Color(0.f, 1.f, 0.f), Color(1.f, 0.f, 0.f)};
    return std::make_shared<const LegendDescription>(d);
}

float widthOf(const std::string& text, float size) { return 0.6f * size * static_cast<float>(text.size()); }

Renderer& renderer()
{
    static OffscreenContext context;
    static Renderer r(context.procAddress());
    return r;
}

/// An image of a scene as the window and `-g headless` make it.
Image rendered(const std::string& content, bool surroundings = true)
{
    Simulation sim(loadSceneText("<Node name='root' gravity='0 -10 0'><DefaultAnimationLoop/>" + content + "</Node>",
                                 "dressing.scn"));
    REQUIRE(sim.init());
    SceneDrawing drawing;
    const auto list = drawing.draw(sim.root());
    Camera camera;
    camera.width = 200;
    camera.height = 160;
    camera.lookAt({2., 1.5, 3.}, {0., -0.2, 0.});
    RenderSettings settings;
    settings.surroundings = surroundings;
    renderer().draw(*list, camera, settings);
    return renderer().image();
}

double brightness(const Image& image, int x, int y)
{
    const auto* p = image.at(x, y);
    return (p[0] + p[1] + p[2]) / 3.;
}

const std::string ball =
    "<Node name='ball'><EulerImplicitSolver/><CGLinearSolver iterations='10' tolerance='1e-9' threshold='1e-9'/>"
    "<MechanicalObject position='0 0 0'/><UniformMass/><SphereCollisionModel radius='0.5'/></Node>";

}  // namespace

TEST_CASE("Legends are wholly inside views of any size", "[gl]")
{
    for (const std::array<int, 2> size : {std::array{1280, 720}, {320, 240}, {90, 500}, {700, 60}, {40, 30}})
        for (const bool placed : {false, true}) {
            INFO(size[0] << " x " << size[1] << (placed ? ", placed at the lower right" : ""));
            DrawList list;
            list.scopes.resize(1);
            for (const auto& made : {legend("von Mises stress [Pa]", 0., 12345.), legend("velocity [m/s]", 0., 3.)}) {
                LegendDescription d = *made;
                d.placed = placed;
                d.x = static_cast<float>(size[0]) - 20.f;
                d.y = static_cast<float>(size[1]) - 20.f;
                list.legends.push_back(std::make_shared<const LegendDescription>(d));
                if (placed) break;
            }
            Camera camera;
            camera.width = size[0];
            camera.height = size[1];
            Dressing dressing;
            const DrawList& dressed = dressing.dress(list, camera, {}, widthOf);
            REQUIRE(dressed.items.size() == 2 * list.legends.size());
            std::size_t labels = 0;
            for (const DrawItem& item : dressed.items) {
                CHECK(item.style.layer == DrawStyle::Layer::Screen);
                for (const Vec3f& p : item.geometry->positions) {
                    CHECK(p[0] >= 0.f);
                    CHECK(p[1] >= 0.f);
                    CHECK(p[0] <= static_cast<float>(size[0]));
                    CHECK(p[1] <= static_cast<float>(size[1]));
                }
                for (const TextLabel& l : item.geometry->labels) {
                    ++labels;
                    CHECK(l.position[0] >= 0.f);
                    CHECK(l.position[1] >= 0.f);
                    CHECK(l.position[0] + widthOf(l.text, l.size) <= static_cast<float>(size[0]));
                    CHECK(l.position[1] + l.size <= static_cast<float>(size[1]));
                }
            }
            // Letters that nobody could read are left out.
            CHECK(labels == (size[1] < 50 ? 0 : 6 * list.legends.size()));
        }
}

TEST_CASE("Values of legends are short, with a prefix to their unit", "[gl]")
{
    LegendTexts t = legendTexts(*legend("von Mises stress [Pa]", 0., 120000.));
    CHECK(t.title == "von Mises stress [kPa]");
    CHECK(t.ticks == std::vector<std::string>{"0", "30", "60", "90", "120"});
    t = legendTexts(*legend("displacement [m]", -0.002, 0.002));
    CHECK(t.title == "displacement [mm]");
    CHECK(t.ticks == std::vector<std::string>{"-2", "-1", "0", "1", "2"});
    CHECK(legendTexts(*legend("principal strain [1]", 0., 0.002)).title == "principal strain [1]");
    CHECK(legendTexts(*legend("", 0., 0.)).ticks == std::vector<std::string>(5, "0"));
}

TEST_CASE("Sky, a shadow on the ground and axes come from the viewer, and a scene's background goes before", "[gl]")
{
    const Image dressed = rendered(ball), plain = rendered(ball, false);
    CHECK(brightness(plain, 100, 2) == 255.);
    const auto* sky = dressed.at(100, 2);
    CHECK(sky[2] > sky[0] + 20);  // blue above, paler below
    CHECK(brightness(dressed, 199, 80) > brightness(dressed, 199, 2));
    // The axes are in the lower left corner.
    int colored = 0;
    for (int y = 120; y < 160; ++y)
        for (int x = 0; x < 40; ++x) {
            const auto* p = dressed.at(x, y);
            colored += std::max({p[0], p[1], p[2]}) - std::min({p[0], p[1], p[2]}) > 120;
        }
    CHECK(colored > 20);
    // Where the ball takes the light away, the ground is darker than beside it.
    double darkest = 0.;
    for (int y = 90; y < 150; ++y)
        for (int x = 60; x < 200; ++x) {
            const double around = brightness(dressed, 195, y) - brightness(dressed, x, y);
            const auto* p = dressed.at(x, y);
            if (std::max({p[0], p[1], p[2]}) - std::min({p[0], p[1], p[2]}) < 20) darkest = std::max(darkest, around);
        }
    CHECK(darkest > 25.);
    const Image own = rendered(ball + "<BackgroundSetting color='0 0 0'/>");
    CHECK(brightness(own, 100, 2) == 0.);
    CHECK(brightness(own, 195, 80) == 0.);
}

TEST_CASE("A dressed frame of a scene at rest allocates and uploads nothing", "[gl]")
{
    Simulation sim(
        loadSceneText("<Node name='root' gravity='0 -10 0'><VisualStyle displayFlags='colorByVelocity'/>"
                      "<DefaultAnimationLoop/><RegularGridTopology n='3 3 3' min='0 0 0' max='1 1 1'/>"
                      "<MechanicalObject/></Node>",
                      "dressing.scn"));
    REQUIRE(sim.init());
    SceneDrawing drawing;
    Camera camera;
    camera.width = 160;
    camera.height = 120;
    camera.lookAt({2., 2., 4.}, {0.5, 0.5, 0.5});
    RenderSettings settings;
    settings.surroundings = true;
    auto list = drawing.draw(sim.root());
    REQUIRE(list->ground);
    REQUIRE(list->legends.size() == 1);
    for (int i = 0; i < 5; ++i) {
        list = drawing.draw(sim.root());
        renderer().draw(*list, camera, settings);
    }
    const std::size_t before = sofa::test::allocationCount();
    list = drawing.draw(sim.root());
    renderer().draw(*list, camera, settings);
    CHECK(sofa::test::allocationCount() == before);
    CHECK(renderer().statistics().uploads == 0);
}

}  // namespace dressing_test
