// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <atomic>

#include "core/log/Timer.h"
#include "core/simulation/SimulationThread.h"

namespace sofa::qt {

/// Switches the timers on in the thread of the simulation while at least one panel wants them: each calls it with true
/// once, and with false when it is done. Those that ask again for another simulation only have them switched on there.
inline void useTimers(core::SimulationThread* thread, bool on)
{
    static std::atomic<int> users{0};
    const int count = on ? ++users : --users;
    if (thread) thread->inspect([count](core::Simulation&) { core::Timers::enable(count > 0); });
}

}  // namespace sofa::qt
