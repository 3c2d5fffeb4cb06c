// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/runSofa/Options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "core/Version.h"
#include "core/io/InputLimit.h"
#include "core/objectmodel/DataText.h"
#include "core/objectmodel/Units.h"
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

/// A number of something, with a range that has a meaning.
CLI::Validator whole(std::uint64_t low, std::uint64_t high)
{
    return {[low, high](std::string& text) -> std::string {
                std::uint64_t n = 0;
                const auto r = std::from_chars(text.data(), text.data() + text.size(), n);
                if (r.ec == std::errc() && r.ptr == text.data() + text.size() && n >= low && n <= high) return {};
                return "expected a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
                       ", found '" + text + "'";
            },
            ""};
}

/// A time above zero, with or without unit.
CLI::Validator duration()
{
    return {[](std::string& text) -> std::string {
                std::string seconds, error;
                if (!core::convertUnits(text, "s", seconds, error)) return error;
                double v = 0.;
                const auto r = std::from_chars(seconds.data(), seconds.data() + seconds.size(), v);
                if (r.ec != std::errc() || r.ptr != seconds.data() + seconds.size() || !(v > 0.) || !std::isfinite(v))
                    return "expected a time above 0, such as 0.01 or 10ms, found '" + text + "'";
                text = seconds;
                return {};
            },
            ""};
}

constexpr std::uint64_t mostSteps = 1'000'000'000;

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
        "3 the simulation diverged, a static solve did not converge or a component failed at run time, "
        "130 and 143 stopped by SIGINT (Ctrl-C) or SIGTERM after the step that was running.\n\nFiles are complete or "
        "absent: they get their names when they are done.",
        "runSofa"};
    std::string recordSteps, timers, size, frames, show, colourBy;
    bool perElement = false, stdio = false;
    std::vector<std::string> recordStates;
    app.add_option("scene", o.scene, "Scene file (.scn, .xml) or configuration of Vega (.config); without one, a demo");
    app.add_option("-g,--gui", o.gui,
                   "User interface; installed: " + guiNames() +
                       " (default: qt where it can run; with -n and with what only batch can do, batch)");
    app.add_option("--language", o.language, "Language of the window: en, de, ... (default: that of its preferences)");
    app.add_option("--size", size, "Size of the view or of the images [pixel], e.g. 1280x720");
    app.add_option("--frames", frames, "Steps after which images are made (headless), e.g. 0,50,100-200-10");
    app.add_option("--out", o.out, "Names of the images (headless), with the step as in printf: shot_%04d.png");
    app.add_option("--video", o.video, "File of a video (headless; needs ffmpeg)");
    app.add_option("--fps", o.fps, "Frames a second of the video (default 30)")->check(CLI::Range(0.1, 1000.));
    app.add_option("--view", o.view, "File with the view of the camera (default: SCENE.view, if there is one)");
    app.add_option(
        "--show", show,
        "What is shown, before what the scene says: words of displayFlags, e.g. \"showForceFields hideSkins\"");
    app.add_option("--colour-by,--color-by", colourBy,
                   "Bodies are coloured by stress, strain, displacement or velocity (or none), with a legend")
        ->check(CLI::IsMember(core::bodyFieldNames(), CLI::ignore_case));
    app.add_flag("--per-element", perElement, "With --colour-by: one colour for each element");
    const CLI::Option* steps =
        app.add_option("-n,--nbIter,--nb_iterations", o.steps,
                       "Number of steps (default 1000); without -g it means batch, also where there is a display")
            ->check(whole(0, mostSteps));
    app.add_option("--dt", o.dt, "Time step [s] instead of the scene's; other units: 5ms")->check(duration());
    app.add_option("--set", o.settings,
                   "Gives an attribute of the scene another value before it is initialised, in any unit that fits: "
                   "--set /body/fem.youngModulus=3kPa; may be repeated")
        ->allow_extra_args(false);
    app.add_option("-l,--load", o.plugins, "Plugin to load (name or path); may be repeated")->allow_extra_args(false);
    app.add_option("--data-path", o.dataPaths, "Folder in which files are searched; may be repeated")
        ->allow_extra_args(false);
    app.add_flag("--trust", o.trust,
                 "Trust the scene: it may load plugins by path (native code) and write files anywhere; without it, "
                 "only plugins that are installed, and files in the working folder (docs/security.md)");
    app.add_option("--output-folder", o.outputFolders,
                   "Folder in which the scene may write too, beside the working folder; may be repeated")
        ->check(CLI::ExistingDirectory)
        ->allow_extra_args(false);
    app.add_option("--input-limit", o.inputLimit,
                   "Largest file that is read, also after it is decompressed, e.g. 16GB (default 4GB, or that of "
                   "SOFA_INPUT_LIMIT)");
    app.add_flag("-a,--start", o.start, "Start the animation at once (in batch it always does)");
    app.add_option("--threads", o.threads, "Number of threads (default: all cores); results do not depend on it")
        ->check(whole(1, 1024));
    app.add_flag("--check", o.check, "Load and initialise only, and report every problem");
    app.add_flag(
        "--check-derivatives", o.checkDerivatives,
        "Compare forces, stiffness, damping, energies and Jacobians of every component with finite differences, at "
        "the start or after -n steps, and name what is wrong");
    app.add_flag("--strict", o.strict, "Warnings are failures");
    app.add_flag(
           "--lenient", o.lenient,
           "What SOFA tolerates is a warning: classes, plugins and includes that do not exist, broken links, lists "
           "of different lengths")
        ->excludes("--strict");
    app.add_option("--compatibility", o.compatibility,
                   "Of a scene that does not give it itself: exact (default), or sofa, with SOFA's rounding")
        ->check(CLI::IsMember({"exact", "sofa"}));
    app.add_flag("-v,--verbose", o.verbose, "Print debugging messages too");
    app.add_flag("--list-components", o.listComponents, "Print every component and its attributes, and stop");
    app.add_option("--component", o.component, "With --list-components: only this one");
    app.add_option("--format", o.format, "Format of --list-components")
        ->check(CLI::IsMember({"text", "json", "markdown"}));
    app.add_option("--schema", o.schema,
                   "Print what scenes may contain, for editors: rng (RELAX NG) or json (JSON Schema), and stop")
        ->check(CLI::IsMember({"rng", "json"}));
    app.add_flag("--language-server", o.languageServer,
                 "Speak the Language Server Protocol over standard input and output (docs/editors.md)")
        ->excludes("--trust");
    app.add_flag("--stdio", stdio, "With --language-server, as some editors add it: what it does anyway");
    app.add_option(
        "--record", o.record,
        "File for the states of chosen steps: JSON, compressed if it ends in .gz; arrays of NumPy if it ends in "
        ".npz");
    app.add_option("--record-steps", recordSteps, "Steps to record, e.g. 0,1,10-100-10 (default: all)");
    app.add_option("--record-states", recordStates,
                   "Names or paths of the states to record (default: all), e.g. a,/b/c")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--probe", o.probes,
                   "Quantity for the table of --csv: @PATH.NAME[:OPERATION...], NAME any Data that holds numbers, or "
                   "energy, kineticEnergy, potentialEnergy (of nodes, masses, force fields), momentum (masses), force "
                   "(force fields), reaction (projective constraints); operations min, max, mean, sum, norm, x, y, z, "
                   "or the index of an entry, from left to right: @/organ/dofs.velocity:norm:max; may be repeated")
        ->allow_extra_args(false);
    app.add_option("--csv", o.csv,
                   "Table of the probes, a row for each step: CSV, or NumPy if it ends in .npy or .npz; /dev/stdout "
                   "prints it");
    app.add_option(
           "--export", o.exports,
           "Meshes of all bodies with displacements, velocities, forces, reactions and stresses: FILE.pvd, a time "
           "series for ParaView; FILE.pc2 or FILE.mdd, point caches for Blender; or FILE_%04d.vtk, a file for each "
           "step, "
           "in any mesh format (.vtu, .vtk, .msh, .obj, .ply, ...); without %04d the last step only; :every=K behind "
           "it: "
           "each K-th step; may be repeated")
        ->allow_extra_args(false);
    app.add_option("--every", o.every, "Steps between rows of --csv and frames of --record (default 1)")
        ->check(whole(1, mostSteps));
    // A flag with an optional value: "--timers scene.scn" must not take the scene for the file.
    app.add_flag("--timers{-}", timers,
                 "Measure phases and components and print a table; --timers=FILE also writes a Chrome trace");
    app.add_option("--computationTimeSampling", o.timeSampling, "Print the table of timers every N steps")
        ->check(whole(0, mostSteps));
    app.add_flag("--explain", o.explain,
                 "After the steps of -n (default 1), print for every linear solver its operator and why, unknowns, "
                 "non-zeros, ordering, factorisation, preconditioner and memory");
    app.add_option("--regression", o.regressionLists,
                   "List of scenes (.regression-tests) whose states are compared with reference files, on all cores; "
                   "may be repeated (docs/regression.md)")
        ->check(CLI::ExistingFile)
        ->allow_extra_args(false);
    app.add_flag("--update", o.updateReferences, "With --regression: write the reference files instead");
    app.add_option("--junit", o.junit, "With --regression: file for the results as JUnit's XML");
    app.add_option("--timeout", o.timeLimit,
                   "With --regression: a scene that takes longer is stopped, and has failed [s]")
        ->check(CLI::PositiveNumber);
    app.add_option("--save-checkpoint", o.saveCheckpoint, "Save the state after the last step");
    app.add_option("--checkpoint-every", o.checkpointEvery, "Save it after every N steps too, in the same file")
        ->check(whole(1, mostSteps));
    app.add_option("--keep-checkpoints", o.keptCheckpoints,
                   "How many to keep (default 1): of c.bin the older ones are c.1.bin, c.2.bin, ...")
        ->check(whole(1, 1000));
    app.add_option("--load-checkpoint", o.loadCheckpoint, "Continue from a saved state");
    app.add_option(
        "--save-scene", o.saveScene,
        "Write the scene, or that of a configuration, as a scene file (.scn), with the bytes of the file where nothing "
        "was "
        "changed (--set); names of files are found from its folder: after -n steps, with its state (FILE.checkpoint); "
        "without -n that is all");
    app.add_flag("--present-values", o.presentValues,
                 "In the scene of --save-scene, attributes that the scene gives have the present values of their Data");
    app.add_option("--export-graph", o.exportGraph,
                   "Write the graph of the initialised scene for Graphviz (dot -Tsvg); without -n that is all");
    app.set_version_flag("--version",
                         std::string("runSofa ") + core::version() + " (" + core::buildDescription() + ')');
    try {
        app.parse(argc, argv);
        o.stepsGiven = steps->count() > 0;
        if (o.explain && !o.stepsGiven) {
            o.stepsGiven = true;
            o.steps = 1;
        }
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
    if (!o.inputLimit.empty() && !core::io::parseSize(o.inputLimit)) {
        std::cerr << "runSofa: --input-limit: expected a size such as 500MB or 16GB, found '" << o.inputLimit << "'\n";
        return WrongUsage;
    }
    if (!timers.empty()) o.timers = timers == "-" ? std::string() : timers;
    o.recordStates.insert(recordStates.begin(), recordStates.end());
    if (o.record.empty() && !(o.recordSteps.empty() && o.recordStates.empty())) {
        std::cerr << "runSofa: " << (o.recordSteps.empty() ? "--record-states" : "--record-steps")
                  << " needs --record FILE\n";
        return WrongUsage;
    }
    if (o.probes.empty() != o.csv.empty()) {
        std::cerr << "runSofa: " << (o.csv.empty() ? "--probe needs --csv FILE" : "--csv needs --probe @PATH.NAME")
                  << "\n";
        return WrongUsage;
    }
    if ((o.checkpointEvery > 0 || o.keptCheckpoints > 1) && o.saveCheckpoint.empty()) {
        std::cerr << "runSofa: " << (o.checkpointEvery > 0 ? "--checkpoint-every" : "--keep-checkpoints")
                  << " needs --save-checkpoint FILE\n";
        return WrongUsage;
    }
    if (o.regressionLists.empty() && (o.updateReferences || !o.junit.empty() || o.timeLimit > 0)) {
        const char* option = o.updateReferences ? "--update" : o.junit.empty() ? "--timeout" : "--junit";
        std::cerr << "runSofa: " << option << " needs --regression LIST\n";
        return WrongUsage;
    }
    if (!o.regressionLists.empty() && !(o.scene.empty() && !o.stepsGiven)) {
        std::cerr << "runSofa: --regression takes scenes and steps from its lists\n";
        return WrongUsage;
    }
    const bool images = !(o.frames.empty() && o.out.empty() && o.video.empty());
    if (images && o.gui.empty()) o.gui = "headless";
    if (images && o.gui == "batch") {
        std::cerr << "runSofa: --frames, --out and --video need -g headless\n";
        return WrongUsage;
    }
    if (!(o.gui.empty() || o.gui == "batch") && o.batchOnly()) {
        std::cerr << "runSofa: --record, --probe, --save-checkpoint, --save-scene, --timers, "
                     "--computationTimeSampling, --explain, --check-derivatives and --regression need -g batch\n";
        return WrongUsage;
    }
    if (!o.component.empty()) o.listComponents = true;
    return {};
}

}  // namespace sofa::application
