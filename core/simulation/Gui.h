// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/log/Message.h"
#include "core/simulation/Simulation.h"
#include "core/visual/DisplayFlags.h"

namespace sofa::core {

/// Thrown when a user interface cannot be found or loaded; the text names those that there are.
struct GuiError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// What the command line of runSofa says to a user interface.
struct GuiOptions
{
    int width = 0, height = 0;      ///< of the view [pixel]; 0: the interface's own choice
    std::set<std::size_t> frames;   ///< steps after which images are made; 0: before the first
    std::string out;                ///< names of the images: a pattern for printf with the step ("shot_%04d.png")
    std::string video;              ///< file of a video; empty: none
    double fps = 30.;               ///< images a second of the video
    std::string view;               ///< file of the camera (.view); empty: that beside the scene, if there is one
    DisplayFlags display;           ///< what is shown, before what the root of the scene says
    std::size_t steps = 0;          ///< number of steps, where `stepsGiven`
    bool stepsGiven = false;        ///< otherwise it goes on until the user stops it, or as the images need
    std::string language;           ///< of a window: "de"; empty: the user's
    bool start = false;             ///< the animation runs from the beginning
    std::string scene;              ///< path of the scene's file
    std::vector<Message> messages;  ///< what was said while it was loaded and initialised
    std::string problem;            ///< why there is no scene to run, where the messages do not say so
    /// Loads a scene file of any kind as runSofa would, without initialising it; with `lenient`, what SOFA tolerates is
    /// a warning, whatever the command line says. Throws std::runtime_error.
    std::function<std::shared_ptr<Node>(const std::string& path, bool lenient)> load;
};

/// A user interface: a window, or something that makes images. It lives in a library of its own,
/// `libsofa_gui_NAME.so`, that is loaded only when it was chosen (`runSofa -g NAME`), so that nothing else needs what
/// it is linked to.
class Gui
{
public:
    virtual ~Gui() = default;
    /// Why it cannot run here ("no display"); empty if it can. runSofa then prints it and runs in batch.
    virtual std::string unavailable() const { return {}; }
    /// Whether it also runs when no scene could be loaded or initialised, to show what the log says.
    virtual bool runsWithoutScene() const { return false; }
    /// Runs until the user is done. `simulation` is initialised, or null where there is no scene to run. Returns the
    /// exit code of the program (0 fine, 1 scene, 2 usage, 3 run). Throws std::runtime_error with a text for the user.
    virtual int run(std::shared_ptr<Simulation> simulation, const GuiOptions& options) = 0;
};

/// A user interface that is installed.
struct GuiModule
{
    std::string name;  ///< what -g takes
    std::string path;  ///< of its library
};

/// The libraries `libsofa_gui_NAME.so` in the folder of the running program's libraries and in those where plugins are
/// searched; the first of each name, in alphabetical order. Nothing is loaded.
std::vector<GuiModule> findGuis();

/// Loads the interface of this name. Throws GuiError; its text names the nearest one and all that there are.
std::unique_ptr<Gui> loadGui(const std::string& name);

}  // namespace sofa::core

/// Makes the library of this file a user interface: `SOFA_GUI(MyGui)` once, outside of any namespace.
#define SOFA_GUI(Class) \
    extern "C" sofa::core::Gui* sofaCreateGui() { return new Class; }
