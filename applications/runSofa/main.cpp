// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <csignal>
#include <iostream>

#include "applications/runSofa/Batch.h"
#include "applications/runSofa/LanguageServer.h"
#include "applications/runSofa/Regression.h"
#include "applications/runSofa/SetOption.h"
#include "applications/runSofa/Watch.h"
#include "components/scene/VegaScene.h"
#include "core/Trust.h"
#include "core/factory/Describe.h"
#include "core/factory/PluginManager.h"
#include "core/io/DataRepository.h"
#include "core/io/InputLimit.h"
#include "core/io/OutputFile.h"
#include "core/log/Timer.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/ThreadRequest.h"
#include "core/scene/GraphvizWriter.h"
#include "core/scene/SceneLoader.h"
#include "core/scene/SceneSchema.h"
#include "core/scene/SceneWriter.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Gui.h"

namespace {

using namespace sofa::core;
using namespace sofa::application;

/// The scene's path: as given, else looked up in the data repository.
std::string findScene(const sofa::application::Options& o)
{
    if (o.scene.empty()) return DataRepository::instance().require("demos/organ.scn");
    return DataRepository::instance().require(o.scene);
}

/// What the command line says to a user interface.
GuiOptions forGui(const sofa::application::Options& o)
{
    GuiOptions g;
    g.scene = o.scene;
    g.width = o.width;
    g.height = o.height;
    g.frames = o.frames;
    g.out = o.out;
    g.video = o.video;
    g.fps = o.fps;
    g.view = o.view;
    g.display = o.display;
    g.steps = o.steps;
    g.stepsGiven = o.stepsGiven;
    g.language = o.language;
    g.start = o.start;
    g.load = [given = LoadOptions{.strict = o.strict, .lenient = o.lenient, .compatibility = o.compatibility},
              settings = o.settings, dt = o.dt](const std::string& path, bool lenient) {
        LoadOptions loading = given;
        loading.lenient = loading.lenient || lenient;
        std::shared_ptr<Node> root = sofa::component::isVegaConfigName(path)
                                         ? sofa::component::loadVegaScene(path, loading)
                                         : loadScene(path, loading);
        for (const std::string& s : settings) applySetting(*root, s);
        if (dt > 0.) {
            root->d_dt.setValue(dt);
            root->d_dt.location = {std::make_shared<const std::string>("--dt"), 0, 0};
        }
        return root;
    };
    return g;
}

/// The user interface that was asked for, else the window where there is one; null for batch. Says in one line why it
/// is batch if that was not asked for. Throws GuiError.
std::unique_ptr<Gui> chooseGui(const sofa::application::Options& o)
{
    if (o.gui == "batch") return nullptr;
    // What only batch can do is a wish for it.
    const bool batchOnly = o.stepsGiven || o.batchOnly();
    std::string reason;
    if (!o.gui.empty() || !batchOnly) {
        const std::string name = o.gui.empty() ? "qt" : o.gui;
        const std::vector<GuiModule> modules = findGuis();
        const bool there = std::any_of(modules.begin(), modules.end(), [&](const auto& m) { return m.name == name; });
        if (there || !o.gui.empty()) {
            std::unique_ptr<Gui> gui = loadGui(name);
            reason = gui->unavailable();
            if (reason.empty()) return gui;
        } else {
            reason = "no window is installed";
        }
        reason += ": ";
    }
    if (!o.stepsGiven || !reason.empty())
        std::cout << reason << "running " << o.steps << " steps in batch" << (o.stepsGiven ? "" : " (choose with -n)")
                  << std::endl;
    return nullptr;
}

int run(const sofa::application::Options& o)
{
    for (auto it = o.dataPaths.rbegin(); it != o.dataPaths.rend(); ++it) DataRepository::instance().addPath(*it);
    Trust::instance().trustAll(o.trust);
    for (const std::string& folder : o.outputFolders) Trust::instance().addOutputFolder(folder);
    if (const auto limit = io::parseSize(o.inputLimit)) io::setInputLimit(*limit);
    try {
        PluginManager::instance().loadDefaultList();
        for (const auto& p : o.plugins) PluginManager::instance().load(p);
    } catch (const PluginError& e) {
        report(e.what());
        return SceneFailed;
    }
    if (o.listComponents) {
        try {
            std::cout << describeComponents(*describeFormat(o.format), o.component);
            return Ok;
        } catch (const std::exception& e) {
            report(e.what());
            return WrongUsage;
        }
    }
    if (!o.schema.empty()) {
        std::cout << sceneSchema(*schemaFormat(o.schema));
        return Ok;
    }
    if (o.languageServer) return runLanguageServer();
    if (!o.regressionLists.empty()) {
        const auto load = forGui(o).load;
        return runRegression(o, [&load, &o](const std::string& scene) { return load(scene, o.lenient); });
    }
    std::unique_ptr<Gui> gui;
    const bool onlyWrites = !o.stepsGiven && !(o.saveScene.empty() && o.exportGraph.empty());
    if (!o.check && !o.checkDerivatives && !onlyWrites) {
        try {
            gui = chooseGui(o);
        } catch (const GuiError& e) {
            report(e.what());
            return WrongUsage;
        }
    }
    GuiOptions guiOptions = forGui(o);
    const MessageRecorder messages;
    std::optional<Watch> watch(std::in_place);
    watch->begin("loading the scene");
    const auto failed = [&](const std::string& text) -> int {
        watch.reset();
        report(text);
        guiOptions.messages = messages.messages();
        if (MessageLog::count(Severity::Error) == 0) guiOptions.problem = text;
        return gui && gui->runsWithoutScene() ? gui->run({}, guiOptions) : SceneFailed;
    };

    std::shared_ptr<Node> root;
    try {
        guiOptions.scene = findScene(o);
        root = guiOptions.load(guiOptions.scene, o.lenient);
    } catch (const std::exception& e) {
        return failed(e.what());
    }
    if (problems(o) > 0 && !o.check)
        return failed("the scene was not loaded: " + std::to_string(problems(o)) + " problem(s), listed above");
    if (!o.saveScene.empty() && onlyWrites) {
        try {
            saveScene(*root, o.saveScene, {.presentValues = o.presentValues});
        } catch (const std::exception& e) {
            report(e.what());
            return RunFailed;
        }
        if (!o.check && o.exportGraph.empty()) return Ok;
    }
    const auto simulation = std::make_shared<Simulation>(root);
    Simulation& sim = *simulation;
    watch->begin("initialisation");
    const bool good = sim.init();
    watch.reset();
    if (!good || problems(o) > 0)
        return failed((o.check ? "the scene has " : "the scene was not initialised: ") +
                      std::to_string(std::max<std::size_t>(problems(o), 1)) + " problem(s), listed above");
    if (!o.exportGraph.empty()) {
        try {
            saveGraphviz(*root, o.exportGraph);
        } catch (const std::exception& e) {
            report(e.what());
            return RunFailed;
        }
        if (onlyWrites && !o.check) return Ok;
    }
    if (o.check) {
        std::cout << "the scene is fine\n";
        return Ok;
    }
    if (!o.loadCheckpoint.empty()) {
        try {
            loadCheckpoint(sim, o.loadCheckpoint);
        } catch (const std::exception& e) {
            report(e.what());
            return SceneFailed;
        }
    }
    guiOptions.messages = messages.messages();
    if (gui) return gui->run(simulation, guiOptions);
    const int code = o.checkDerivatives ? runDerivativeCheck(sim, o) : runBatch(sim, o);
    sim.cleanup();
    return code;
}

}  // namespace

int main(int argc, char** argv)
{
    // A file that grows too large and a pipe whose reader has gone are errors of writing, not the end of the program.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    sofa::application::Options options;
    if (const auto code = parseOptions(argc, argv, options)) return *code;
    if (options.threads > 0) fixThreadCount(options.threads);
    if (options.verbose) MessageLog::setThreshold(Severity::Debug);
    if (options.timers || options.timeSampling > 0) {
        if (options.timers && !options.timers->empty())
            Timers::enableTrace(true);
        else
            Timers::enable(true);
    }
    try {
        return run(options);
    } catch (const std::exception& e) {
        report(e.what());
        return RunFailed;
    }
}
