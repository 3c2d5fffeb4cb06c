// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "core/log/Phases.h"

namespace sofa::application {

/// Says what takes the time when work of this thread takes long, from a thread of its own: after 5 s, and whenever the
/// time has doubled. A signal that waits for the end of the work is told after a second.
class Watch
{
public:
    Watch();

    /// Work begins: "step 12".
    void begin(std::string work);
    void end() { begin({}); }

private:
    void run(const std::stop_token& stop);

    core::Phases& m_phases = core::Phases::ofThisThread();
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::string m_work;  ///< that is done; empty: none
    std::chrono::steady_clock::time_point m_start;
    double m_nextReport = 0.;  ///< [s]
    bool m_toldSignal = false;
    std::jthread m_thread;  ///< last: it uses all of the above
};

}  // namespace sofa::application
