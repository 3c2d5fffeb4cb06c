// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/StopSignal.h"

#include <atomic>

#include "core/log/Phases.h"

namespace sofa::core {

namespace {

std::atomic<int> caughtSignal{0};
std::atomic<Phases*> steppingThread{nullptr};

extern "C" void noteSignal(int signal)
{
    if (caughtSignal.exchange(signal) == 0) return;
    if (Phases* p = steppingThread.load()) p->interrupt();
    struct sigaction end = {};
    end.sa_handler = SIG_DFL;
    sigaction(signal, &end, nullptr);
}

void install(int signal, struct sigaction& old)
{
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN) return;
    struct sigaction action = {};
    action.sa_handler = noteSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignal::StopSignal() : m_oldInterrupt(), m_oldTerminate()
{
    caughtSignal = 0;
    steppingThread = &Phases::ofThisThread();
    install(SIGINT, m_oldInterrupt);
    install(SIGTERM, m_oldTerminate);
}

StopSignal::~StopSignal()
{
    sigaction(SIGINT, &m_oldInterrupt, nullptr);
    sigaction(SIGTERM, &m_oldTerminate, nullptr);
    steppingThread = nullptr;
    Phases::ofThisThread().interrupt(false);
}

int StopSignal::caught() { return caughtSignal; }

}  // namespace sofa::core
