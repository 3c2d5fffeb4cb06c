// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/log/Phases.h"

namespace sofa::core {

/// Record of where time goes in the session (core/log/Session.h) of the calling thread. Off by default; while no
/// session records, a ScopedTimer costs one test of a flag.
class Timers
{
public:
    static void enable(bool on);
    static bool enabled() { return s_sessions.load(std::memory_order_relaxed) > 0 && enabledHere(); }
    /// Also keeps every single interval, for the trace. Bounded: after `maxEvents` intervals only sums are kept.
    static void enableTrace(bool on, std::size_t maxEvents = 2'000'000);
    static void reset();

    struct Row
    {
        std::string path;   ///< nested phases, "step/solve/CG"
        std::string phase;  ///< last part
        int depth = 0;
        std::uint64_t count = 0;
        double seconds = 0.;  ///< inclusive
        double ownSeconds = 0.;
    };
    /// Sums per phase, each below its parent, in order of first use.
    static std::vector<Row> rows();
    /// Table of phases: calls, total and own milliseconds per step, share.
    static void printTable(std::ostream& out, std::uint64_t steps);
    /// Chrome trace event format (chrome://tracing, Perfetto).
    static void writeChromeTrace(std::ostream& out);

private:
    friend class ScopedTimer;
    static std::atomic<int> s_sessions;  ///< that record
    static bool enabledHere();
    static void begin(std::string_view name);
    static void end();
};

/// Measures the time until it goes out of scope under a name: a phase or a component's path.
class ScopedTimer
{
public:
    /// A phase ("ComputeForce"), named by a literal; also when timers are off, Phases has it. Throws Interrupted.
    explicit ScopedTimer(const char* phase) : m_phase(phase), m_on(Timers::enabled())
    {
        if (m_on) Timers::begin(phase);
    }
    /// The name is only computed when timers are on.
    template <class F>
    requires(std::is_invocable_v<F>) explicit ScopedTimer(F&& name) : m_on(Timers::enabled())
    {
        if (m_on) Timers::begin(name());
    }
    ~ScopedTimer()
    {
        if (m_on) Timers::end();
    }
    ScopedTimer(const ScopedTimer&) = delete;
    ScopedTimer& operator=(const ScopedTimer&) = delete;

private:
    std::optional<PhaseScope> m_phase;
    bool m_on;
};

}  // namespace sofa::core
