// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/runSofa/Options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>

#include "core/Version.h"
#include "core/objectmodel/DataText.h"
#include "core/simulation/Gui.h"

namespace sofa::application {

namespace {

/// "0,1,10-20" to a set of step numbers; throws CLI::ValidationError.
std::set<std::size_t> parseSteps(const char* option, std::string text)
{
    std::replace(text.begin(), text.end(), ',', ' ');
    core::Vector<unsigned> list;
    std::string error;
    if (!core::parseText(text, list, error)) throw CLI::ValidationError(option, error);
    return {list.begin(), list.end()};
}

/// "1280x720" to a width and a height; throws CLI::ValidationError.
void parseSize(const std::string& text, Options& o)
{
    int used = 0;
    if (std::sscanf(text.c_str(), "%5dx%5d%n", &o.width, &o.height, &used) != 2 ||
        used != static_cast<int>(text.size()) || o.width < 1 || o.height < 1 || o.width > 16384 || o.height > 16384)
        throw CLI::ValidationError("--size", "'" + text + "' is not WIDTHxHEIGHT with numbers from 1 to 16384");
}

/// What -g takes, for the help.
std::string guiNames()
{
    std::string names = "batch";
    for (const core::GuiModule& m : core::findGuis()) names += ", " + m.name;
    return names;
}

}  // namespace

std::optional<int> parseOptions(int argc, char** argv, Options& o)
{
    CLI::App app{
        "Runs a simulation scene (.scn, .xml), or what a configuration of Vega's interactive simulator (.config) "
        "describes.\n\nExit codes: 0 fine, 1 the scene could not be loaded or initialised, 2 wrong "
        "usage, "
        "3 the simulation diverged or a component failed at run time.",
        "runSofa"};
    std::string recordSteps, timers, size, frames, show, colourBy;
    bool perElement = false;
    std::vector<std::string> recordStates;
    app.add_option("scene", o.scene, "Scene file (.scn, .xml) or configuration of Vega (.config); without one, a demo");
    app.add_option("-g,--gui", o.gui, "User interface; installed: " + guiNames() + " (default: qt where it can run)");
    app.add_option("--size", size, "Size of the view or of the pictures [pixel], e.g. 1280x720");
    app.add_option("--frames", frames, "Steps after which pictures are made (headless), e.g. 0,50,100-200-10");
    app.add_option("--out", o.out, "Names of the pictures (headless), with the step as in printf: shot_%04d.png");
    app.add_option("--video", o.video, "File of a video (headless; needs ffmpeg)");
    app.add_option("--fps", o.fps, "Pictures a second of the video (default 30)")->check(CLI::Range(0.1, 1000.));
    app.add_option("--view", o.view, "File with the view of the camera (default: SCENE.view, if there is one)");
    app.add_option(
        "--show", show,
        "What is shown, before what the scene says: words of displayFlags, e.g. \"showForceFields hideSkins\"");
    app.add_option("--colour-by,--color-by", colourBy,
                   "Bodies are coloured by stress, strain, displacement or velocity (or none), with a legend")
        ->check(CLI::IsMember(core::bodyFieldNames(), CLI::ignore_case));
    app.add_flag("--per-element", perElement, "With --colour-by: one colour for each element");
    const CLI::Option* steps =
        app.add_option("-n,--nbIter,--nb_iterations", o.steps, "Number of steps in batch (default 1000)")
            ->check(CLI::NonNegativeNumber);
    app.add_option("--dt", o.dt, "Time step [s] instead of the scene's")->check(CLI::PositiveNumber);
    app.add_option("-l,--load", o.plugins, "Plugin to load (name or path); may be repeated")->allow_extra_args(false);
    app.add_option("--data-path", o.dataPaths, "Folder in which files are searched; may be repeated")
        ->allow_extra_args(false);
    app.add_flag("-a,--start", o.start, "Start the animation at once (in batch it always does)");
    app.add_option("--threads", o.threads, "Number of threads (default: all cores); results do not depend on it")
        ->check(CLI::PositiveNumber);
    app.add_flag("--check", o.check, "Load and initialise only, and report every problem");
    app.add_flag("--strict", o.strict, "Warnings are failures");
    app.add_flag("--allow-unknown", o.allowUnknown, "Leave out components that do not exist, with a warning");
    app.add_flag("-v,--verbose", o.verbose, "Print debugging messages too");
    app.add_flag("--list-components", o.listComponents, "Print every component and its attributes, and stop");
    app.add_option("--component", o.component, "With --list-components: only this one");
    app.add_option("--format", o.format, "Format of --list-components")
        ->check(CLI::IsMember({"text", "json", "markdown"}));
    app.add_option("--record", o.record, "File for the states of chosen steps (JSON; gzip if it ends in .gz)");
    app.add_option("--record-steps", recordSteps, "Steps to record, e.g. 0,1,10-100-10 (default: all)");
    app.add_option("--record-states", recordStates,
                   "Names or paths of the states to record (default: all), e.g. a,/b/c")
        ->delimiter(',')
        ->allow_extra_args(false);
    // A flag with an optional value: "--timers scene.scn" must not take the scene for the file.
    app.add_flag("--timers{-}", timers,
                 "Measure phases and components and print a table; --timers=FILE also writes a Chrome trace");
    app.add_option("--computationTimeSampling", o.timeSampling, "Print the table of timers every N steps")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--save-checkpoint", o.saveCheckpoint, "Save the state after the last step");
    app.add_option("--load-checkpoint", o.loadCheckpoint, "Continue from a saved state");
    app.add_option("--save-scene", o.saveScene, "Write the scene, as it is after initialisation, to a file");
    app.add_option("--export-scene", o.exportScene,
                   "Write the loaded scene, or that of a configuration, as a scene file (.scn) in which the names of "
                   "files are found from its folder; without -n that is all");
    app.add_option("--export-graph", o.exportGraph,
                   "Write the graph of the initialised scene for Graphviz (dot -Tsvg); without -n that is all");
    app.set_version_flag("--version",
                         std::string("runSofa ") + core::version() + " (" + core::buildDescription() + ')');
    try {
        app.parse(argc, argv);
        o.stepsGiven = steps->count() > 0;
        if (!recordSteps.empty()) o.recordSteps = parseSteps("--record-steps", recordSteps);
        if (!frames.empty()) o.frames = parseSteps("--frames", frames);
        if (!size.empty()) parseSize(size, o);
        if (std::string error; !core::parseText(show, o.display, error)) throw CLI::ValidationError("--show", error);
        if (!colourBy.empty()) o.display.setField(core::bodyFieldOf(colourBy));
        if (perElement) o.display.set(core::DisplayFlags::ElementColors, core::DisplayFlags::State::On);
    } catch (const CLI::Success& e) {
        return app.exit(e);
    } catch (const CLI::ParseError& e) {
        std::cerr << "runSofa: " << e.what() << "\nTry 'runSofa --help'.\n";
        return WrongUsage;
    }
    if (!timers.empty()) o.timers = timers == "-" ? std::string() : timers;
    o.recordStates.insert(recordStates.begin(), recordStates.end());
    if (o.record.empty() && !(o.recordSteps.empty() && o.recordStates.empty())) {
        std::cerr << "runSofa: " << (o.recordSteps.empty() ? "--record-states" : "--record-steps")
                  << " needs --record FILE\n";
        return WrongUsage;
    }
    const bool pictures = !(o.frames.empty() && o.out.empty() && o.video.empty());
    if (pictures && o.gui.empty()) o.gui = "headless";
    if (pictures && o.gui == "batch") {
        std::cerr << "runSofa: --frames, --out and --video need -g headless\n";
        return WrongUsage;
    }
    if (!(o.gui.empty() || o.gui == "batch") &&
        !(o.record.empty() && o.saveCheckpoint.empty() && !o.timers && o.timeSampling == 0)) {
        std::cerr << "runSofa: --record, --save-checkpoint, --timers and --computationTimeSampling need -g batch\n";
        return WrongUsage;
    }
    if (!o.component.empty()) o.listComponents = true;
    return {};
}

}  // namespace sofa::application
