// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/StopSignal.h"

namespace sofa::core {

namespace {

volatile std::sig_atomic_t caughtSignal = 0;

extern "C" void noteSignal(int signal) { caughtSignal = signal; }

void install(int signal, struct sigaction& old)
{
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN) return;
    struct sigaction action = {};
    action.sa_handler = noteSignal;
    // The second one finds the default action.
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignal::StopSignal() : m_oldInterrupt(), m_oldTerminate()
{
    caughtSignal = 0;
    install(SIGINT, m_oldInterrupt);
    install(SIGTERM, m_oldTerminate);
}

StopSignal::~StopSignal()
{
    sigaction(SIGINT, &m_oldInterrupt, nullptr);
    sigaction(SIGTERM, &m_oldTerminate, nullptr);
}

int StopSignal::caught() { return caughtSignal; }

}  // namespace sofa::core
