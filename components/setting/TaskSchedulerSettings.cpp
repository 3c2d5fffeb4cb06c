// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/setting/TaskSchedulerSettings.h"

#include "core/factory/Registry.h"

namespace sofa::component {

void TaskSchedulerSettings::init()
{
    if (d_taskSchedulerType.value() != "_default")
        msgWarning() << "taskSchedulerType: there is no '" << d_taskSchedulerType.value()
                     << "'; the one that there is, _default, is used";
    if (!m_threads.ask(d_nbThreads.value()) && d_nbThreads.isSet())
        msgInfo() << "nbThreads: the program was told how many threads to use";
}

static const core::RegisterComponent registeredTaskSchedulerSettings =
    core::RegisterComponent("TaskSchedulerSettings", "Setting", "Sofa.Simulation.Core")
        .help("Number of threads while the scene is open")
        .example("component/setting/TaskSchedulerSettings.scn")
        .add<TaskSchedulerSettings>();

}  // namespace sofa::component
