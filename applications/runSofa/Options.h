// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/visual/DisplayFlags.h"

namespace sofa::application {

/// Exit codes of runSofa.
enum ExitCode
{
    Ok = 0,
    SceneFailed = 1,  ///< the scene could not be loaded or initialised
    WrongUsage = 2,
    RunFailed = 3  ///< the simulation diverged, or a component failed at run time
};

/// Command line of runSofa.
struct Options
{
    std::string scene;
    std::string gui;
    int width = 0, height = 0;
    std::set<std::size_t> frames;
    std::string out, video, view, language;
    core::DisplayFlags display;
    double fps = 30.;
    std::size_t steps = 1000;
    bool stepsGiven = false;
    double dt = 0.;
    std::vector<std::string> plugins;
    std::vector<std::string> dataPaths;
    bool trust = false;                      ///< scenes may load and write whatever the user may
    std::vector<std::string> outputFolders;  ///< in which scenes may write, beside the working one
    std::string inputLimit;                  ///< largest size of a file that is read, "4GB"
    bool start = false;
    unsigned threads = 0;
    bool check = false, checkDerivatives = false, strict = false, lenient = false, verbose = false;
    std::string compatibility;  ///< of a scene that does not give it
    bool listComponents = false;
    std::string component;  ///< only this one is listed
    std::string format = "text";
    std::string schema;  ///< "rng" or "json"
    bool languageServer = false;
    std::vector<std::string> regressionLists;
    bool updateReferences = false;
    std::string junit;       ///< file
    unsigned timeLimit = 0;  ///< of a scene [s]; 0: none
    std::string record;
    std::set<std::size_t> recordSteps;
    std::set<std::string> recordStates;
    std::vector<std::string> probes;
    std::string csv;                    ///< file of the table of probes
    std::vector<std::string> exports;   ///< files for the meshes of bodies: MeshExport
    std::size_t every = 1;              ///< steps between two frames of the recording and two rows of the table
    std::vector<std::string> settings;  ///< "PATH.NAME=VALUE"
    std::optional<std::string> timers;  ///< set: measure; not empty: file of the trace
    std::size_t timeSampling = 0;
    bool explain = false;  ///< print what linear solvers did and why
    std::string saveCheckpoint, loadCheckpoint;
    std::size_t checkpointEvery = 0;
    std::size_t keptCheckpoints = 1;
    std::string saveScene, exportGraph;
    bool presentValues = false;  ///< in the saved scene

    /// Whether something is asked for that only a run without window does.
    bool batchOnly() const
    {
        return !(record.empty() && probes.empty() && saveCheckpoint.empty() && saveScene.empty() && !timers &&
                 timeSampling == 0 && !checkDerivatives && !explain && regressionLists.empty());
    }
};

/// Reads the command line. Returns an exit code if the program is done (help, version, wrong usage).
std::optional<int> parseOptions(int argc, char** argv, Options& options);

}  // namespace sofa::application
