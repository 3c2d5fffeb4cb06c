// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/SceneChecker.h"

#include "core/simulation/Simulation.h"

namespace sofa::core {

LoadReport checkScene(const std::string& path, const LoadOptions& options)
{
    LoadReport report;
    const MessageRecorder recorder;
    try {
        Simulation simulation(loadScene(path, options));
        simulation.init();
        simulation.cleanup();
    } catch (const SceneError& e) {
        MessageLog::emit(Severity::Error, e.reason(), e.where());
    } catch (const std::exception& e) {
        MessageLog::emit(Severity::Error, e.what(), {std::make_shared<const std::string>(path), 0, 0});
    }
    report.messages = recorder.messages();
    return report;
}

}  // namespace sofa::core
