// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/runSofa/Watch.h"

#include "applications/runSofa/Batch.h"
#include "core/simulation/StopSignal.h"

namespace sofa::application {

using namespace core;

Watch::Watch() : m_thread([this](const std::stop_token& stop) { run(stop); }) {}

void Watch::begin(std::string work)
{
    const std::lock_guard lock(m_mutex);
    m_work = std::move(work);
    m_start = std::chrono::steady_clock::now();
    m_nextReport = 5.;
    m_toldSignal = false;
}

void Watch::run(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, stop, std::chrono::milliseconds(500), [&] { return stop.stop_requested(); })) {
        if (m_work.empty()) continue;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
        const std::string where = " (" + m_phases.path() + ')';
        if (const int signal = StopSignal::caught(); signal != 0 && seconds > 1. && !m_toldSignal) {
            m_toldSignal = true;
            report(std::string(StopSignal::name(signal)) + ": waiting for the end of " + m_work + where +
                   "; a second one interrupts it");
        }
        if (seconds < m_nextReport) continue;
        m_nextReport *= 2.;
        report(m_work + " has taken " + std::to_string(static_cast<int>(seconds)) + " s so far" + where);
    }
}

}  // namespace sofa::application
