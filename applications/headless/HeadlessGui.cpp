// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>

#include "applications/gl/OffscreenContext.h"
#include "applications/gl/Renderer.h"
#include "applications/gl/VideoWriter.h"
#include "applications/gl/ViewFiles.h"
#include "applications/headless/ImageNames.h"
#include "core/simulation/Gui.h"
#include "core/simulation/StopSignal.h"
#include "core/visual/SceneDrawing.h"

namespace sofa::application {

namespace {

using namespace sofa::core;

enum Code
{
    Fine = 0,
    WrongUsage = 2,
    RunFailed = 3
};

/// Runs the scene and makes images of chosen steps, or a video, without a window.
class HeadlessGui final : public Gui
{
public:
    int run(std::shared_ptr<Simulation> simulation, const GuiOptions& options) override;
};

int HeadlessGui::run(std::shared_ptr<Simulation> simulation, const GuiOptions& options)
{
    Simulation& sim = *simulation;
    const bool video = !options.video.empty();
    std::set<std::size_t> frames = options.frames;
    if (frames.empty() && (!video || !options.out.empty())) frames.insert(options.stepsGiven ? options.steps : 0);
    std::optional<ImageNames> names;
    if (!frames.empty()) {
        try {
            names.emplace(options.out.empty() ? "shot_%04d.png" : options.out, frames.size() > 1);
        } catch (const std::runtime_error& e) {
            std::cerr << "runSofa: " << e.what() << '\n';
            return WrongUsage;
        }
    }
    std::size_t last = frames.empty() ? 0 : *frames.rbegin();
    if (video && !options.stepsGiven && options.frames.empty()) {
        std::cerr << "runSofa: --video needs the number of steps (-n) or --frames\n";
        return WrongUsage;
    }
    if (options.stepsGiven) last = std::max(last, options.steps);

    SceneDrawing drawing;
    std::shared_ptr<const DrawList> list = drawing.draw(sim.root(), options.display);
    gl::Camera camera;
    const auto size = list->viewer.value_or(ViewerDescription{}).size.value_or(std::array<int, 2>{1280, 720});
    camera.width = options.width > 0 ? options.width : size[0];
    camera.height = options.height > 0 ? options.height : size[1];
    gl::firstView(camera, *list, sim.root().gravity(), options.scene, options.view);

    const gl::OffscreenContext context;
    gl::Renderer renderer(context.procAddress());
    gl::RenderSettings settings;
    settings.surroundings = true;
    std::optional<gl::VideoWriter> writer;
    if (video) writer.emplace(options.video, camera.width, camera.height, options.fps);
    const double start = sim.root().time();
    std::size_t images = 0;  // of the video
    int code = Fine;
    const StopSignal signals;
    for (std::size_t step = 0;; ++step) {
        const double time = sim.root().time() - start;
        // The video goes as fast as the time of the scene: each of its images is that of the step which holds then.
        const double due = std::floor(time * options.fps + 1e-6) + 1.;
        const bool wanted = frames.count(step) > 0, filmed = writer && static_cast<double>(images) < due;
        if (wanted || filmed) {
            if (step > 0) list = drawing.draw(sim.root(), options.display);
            if (list->camera && list->camera->scripted) camera.apply(*list->camera);
            renderer.draw(*list, camera, settings);
            const gl::Image image = renderer.image();
            if (wanted) {
                const std::string name = names->name(step);
                gl::writeImage(name, image);
                std::cout << name << std::endl;
            }
            for (; filmed && static_cast<double>(images) < due; ++images) writer->add(image);
        }
        if (step == last) break;
        if (const int signal = StopSignal::caught()) {
            std::cerr << "runSofa: stopped by " << StopSignal::name(signal) << " after step " << step << '\n';
            code = StopSignal::exitCode(signal);
            break;
        }
        try {
            sim.step();
        } catch (const SimulationError& e) {
            std::cerr << "runSofa: " << e.what() << '\n';
            code = RunFailed;
            break;
        }
    }
    if (writer) {
        writer->finish();
        std::cout << options.video << std::endl;
    }
    sim.cleanup();
    return code;
}

}  // namespace

}  // namespace sofa::application

SOFA_GUI(sofa::application::HeadlessGui)
