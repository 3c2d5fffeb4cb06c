// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <csignal>

namespace sofa::core {

/// While one lives, SIGINT (Ctrl-C) and SIGTERM ask the program to end after the present step instead of at once. A
/// second one interrupts the step of the thread that made it (Phases), a third one ends the program at once. Signals
/// that the program was told to ignore stay ignored.
class StopSignal
{
public:
    StopSignal();
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    /// The signal that came, 0 for none.
    static int caught();
    /// "SIGINT" or "SIGTERM"
    static const char* name(int signal) { return signal == SIGTERM ? "SIGTERM" : "SIGINT"; }
    /// Exit code of a program that a signal ended, as shells give it.
    static int exitCode(int signal) { return 128 + signal; }

private:
    struct sigaction m_oldInterrupt, m_oldTerminate;
};

}  // namespace sofa::core
