// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "applications/gl/OffscreenContext.h"
#include "applications/gl/Renderer.h"
#include "applications/gl/ViewFiles.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visual/SceneDrawing.h"
#include "tests/harness/Paths.h"

namespace golden_test {

// Images of our scenes against those in tests/golden. After a change that is meant, look at the new ones, which are
// written with SOFA_UPDATE_GOLDEN=1.

using namespace sofa::core;
using sofa::gl::Image;

namespace {

/// What the eye compares: brightness and colours over 5 × 5 pixels, so that another smoothing of edges or a last digit
/// does not matter.
std::vector<double> blurred(const Image& image)
{
    std::vector<double> out;
    for (int y = 0; y + 5 <= image.height; y += 2)
        for (int x = 0; x + 5 <= image.width; x += 2)
            for (int c = 0; c < 3; ++c) {
                double sum = 0.;
                for (int j = 0; j < 5; ++j)
                    for (int i = 0; i < 5; ++i) sum += image.at(x + i, y + j)[c];
                out.push_back(sum / 25.);
            }
    return out;
}

/// Share of the places where the images differ by more than can be overlooked, and the largest difference [0, 255].
struct Difference
{
    double share = 1., largest = 255.;
};

Difference difference(const Image& a, const Image& b)
{
    if (a.width != b.width || a.height != b.height) return {};
    const std::vector<double> x = blurred(a), y = blurred(b);
    Difference d{0., 0.};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double e = std::abs(x[i] - y[i]);
        d.share += e > 8. ? 1. : 0.;
        d.largest = std::max(d.largest, e);
    }
    d.share /= static_cast<double>(x.size());
    return d;
}

Image rendered(const std::string& scene, std::size_t steps, const DisplayFlags& flags, bool surroundings = false)
{
    // Meshes of the same names elsewhere are not ours.
    ::unsetenv("SOFA_DATA_PATH");
    const std::string path = (sofa::test::sourceDirectory() / "scenes" / scene).string();
    Simulation sim(loadScene(path));
    REQUIRE(sim.init());
    SceneDrawing drawing;
    auto list = drawing.draw(sim.root(), flags);
    sofa::gl::Camera camera;
    camera.width = 320;
    camera.height = 240;
    sofa::gl::firstView(camera, *list, sim.root().gravity(), path);
    for (std::size_t i = 0; i < steps; ++i) sim.step();
    if (steps > 0) list = drawing.draw(sim.root(), flags);
    static sofa::gl::OffscreenContext context;
    sofa::gl::Renderer renderer(context.procAddress());
    sofa::gl::RenderSettings settings;
    settings.surroundings = surroundings;
    renderer.draw(*list, camera, settings);
    return renderer.image();
}

void compare(const std::string& name, const Image& image)
{
    const auto golden = sofa::test::sourceDirectory() / "tests" / "golden" / (name + ".png");
    if (std::getenv("SOFA_UPDATE_GOLDEN")) writeImage(golden.string(), image);
    const Difference d = difference(image, sofa::gl::readImage(golden.string()));
    const auto seen = sofa::test::buildDirectory() / "tests" / (name + ".png");
    writeImage(seen.string(), image);
    INFO("the image is " << seen << ", expected " << golden << "; " << 100. * d.share << "% differ, by at most "
                         << d.largest);
    CHECK(d.share < 0.005);
    CHECK(d.largest < 60.);
}

DisplayFlags flags(std::initializer_list<const char*> words)
{
    DisplayFlags f;
    for (const char* w : words) REQUIRE(f.apply(w));
    return f;
}

}  // namespace

TEST_CASE("Images that differ are told apart", "[gl]")
{
    Image a{320, 240, 3, std::vector<unsigned char>(320 * 240 * 3, 255)}, b = a;
    CHECK(difference(a, b).share == 0.);
    // A line of one pixel, a little brighter: nobody sees it. A square of 30 pixels is seen.
    for (int x = 0; x < 320; ++x) b.pixels[static_cast<std::size_t>(3 * (320 * 100 + x))] = 240;
    CHECK(difference(a, b).share == 0.);
    for (int y = 50; y < 80; ++y)
        for (int x = 50; x < 80; ++x) b.pixels[static_cast<std::size_t>(3 * (320 * y + x))] = 100;
    CHECK(difference(a, b).share > 0.0035);
    CHECK(difference(a, b).largest > 60.);
    CHECK(difference(a, Image{10, 10, 3, std::vector<unsigned char>(300)}).share == 1.);
}

TEST_CASE("Golden image: an organ that sags", "[gl]")
{
    const Image before = rendered("demos/organ.scn", 0, {}), after = rendered("demos/organ.scn", 30, {});
    CHECK(difference(before, after).share > 0.05);
    compare("organ", after);
}

TEST_CASE("Golden image: an organ with a texture and its shadow, deformed", "[gl]")
{
    compare("textured_organ", rendered("demos/textured_organ.scn", 25, {}));
}

TEST_CASE("Golden image: an organ as edges of its triangles", "[gl]")
{
    compare("organ_wireframe", rendered("demos/organ.scn", 0, flags({"showVisual", "showWireframe"})));
}

TEST_CASE("Golden image: bodies in a basin", "[gl]")
{
    // Up to here rounding does not show: 1e-13 at the start of a box is 1e-6 now, and 1 fifty steps later.
    compare("pile", rendered("demos/pile.scn", 200, flags({"showCollisionModels"})));
}

TEST_CASE("Golden image: a ring over a floor", "[gl]") { compare("torus", rendered("demos/torus.scn", 20, {})); }

TEST_CASE("Golden image: lights and a shadow", "[gl]")
{
    compare("lights", rendered("component/visual/Lights.scn", 0, {}));
}

TEST_CASE("Golden image: transparent surfaces", "[gl]")
{
    compare("transparency", rendered("component/visual/Transparency.scn", 0, {}));
}

TEST_CASE("Golden image: a shader with a macro and an image", "[gl]")
{
    compare("shaders", rendered("component/visual/Shaders.scn", 0, {}));
}

TEST_CASE("Golden image: triangles divided and bent by a tessellation shader", "[gl]")
{
    compare("tessellation", rendered("component/visual/Tessellation.scn", 0, {}));
}

TEST_CASE("Golden image: contacts and their normals", "[gl]")
{
    const char* scene = "component/visual/Contacts.scn";
    const Image all = rendered(scene, 40, {});
    compare("contacts", all);
    // It would be noticed if one of them were missing.
    CHECK(difference(all, rendered(scene, 40, flags({"hideNormals"}))).share > 0.01);
    CHECK(difference(all, rendered(scene, 40, flags({"hideDetectionOutputs"}))).share > 0.01);
}

TEST_CASE("Golden image: stress as colours", "[gl]")
{
    compare("stress", rendered("component/visual/StressColors.scn", 20, {}));
}

TEST_CASE("Golden image: fields of values and vectors", "[gl]")
{
    compare("fields", rendered("component/visual/FieldDisplays.scn", 30, {}));
}

TEST_CASE("Golden image: texts, a grid, a second view", "[gl]")
{
    compare("decorations", rendered("component/visual/Decorations.scn", 0, {}));
}

TEST_CASE("Golden image: passes over images", "[gl]")
{
    compare("passes", rendered("component/visual/Passes.scn", 0, {}));
    compare("post_process", rendered("component/visual/PostProcess.scn", 0, {}));
}

TEST_CASE("Golden image: bodies without visual models, as the programs show them", "[gl]")
{
    compare("chain", rendered("demos/mixed_chain.scn", 5, {}, true));
    compare("beam_strain", rendered("demos/beam.scn", 30, flags({"colorByStrain", "showElementColors"}), true));
}

TEST_CASE("Golden image: a plate coloured by stress", "[gl]")
{
    compare("plate", rendered("demos/plate.scn", 1, {}, true));
}

}  // namespace golden_test
