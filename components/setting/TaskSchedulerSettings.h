// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"
#include "core/parallel/ThreadRequest.h"

namespace sofa::component {

/// Number of threads of the program while the scene is open. What the user of the program asks for (runSofa --threads)
/// comes before it. Results do not depend on it.
class TaskSchedulerSettings final : public core::Component
{
public:
    core::Data<int> d_nbThreads{this,
                                {.name = "nbThreads",
                                 .help = "Number of threads: 0 all cores, -n all but n; ignored where the program was "
                                         "told how many",
                                 .range = core::Range::closed(-4096., 4096.),
                                 .group = "Multithreading"},
                                0};
    core::Data<std::string> d_taskSchedulerType{this,
                                                {.name = "taskSchedulerType",
                                                 .help = "Name of SOFA's task scheduler; there is one, _default",
                                                 .group = "Multithreading"},
                                                "_default"};

    void init() override;
    void reinit() override { m_threads.ask(d_nbThreads.value()); }

private:
    core::ThreadRequest m_threads;
};

}  // namespace sofa::component
