// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <atomic>
#include <string>

namespace sofa::core {

/// Thrown out of work that was interrupted. What was worked on is in the middle of it, and no state that anybody could
/// use. It is no std::exception, so that whoever turns those into messages and goes on lets it pass.
struct Interrupted
{
};

/// The phases that a thread is in ("Step/Collision/NarrowPhase"), noted by ScopedTimer, whether time is measured or
/// not, and by PhaseScope. Other threads read them, to say what takes so long, and may interrupt the work: the thread
/// looks for that at the beginning of each phase, and where a loop of many rounds calls check().
class Phases
{
public:
    /// Lives as long as the thread.
    static Phases& ofThisThread()
    {
        thread_local Phases phases;
        return phases;
    }
    /// In the thread itself: throws Interrupted if that was asked for.
    static void check()
    {
        if (ofThisThread().m_interrupted.load(std::memory_order_relaxed)) throw Interrupted();
    }

    /// In any thread: the phases, the outermost first, with '/' between them.
    std::string path() const;
    /// In any thread, also in a signal handler: asks the thread to stop, or takes that back.
    void interrupt(bool on = true) { m_interrupted = on; }

private:
    friend class PhaseScope;
    void enter(const char* name)
    {
        if (m_interrupted.load(std::memory_order_relaxed)) throw Interrupted();
        const int d = m_depth.load(std::memory_order_relaxed);
        if (d < depthKept) m_names[static_cast<std::size_t>(d)].store(name, std::memory_order_relaxed);
        m_depth.store(d + 1, std::memory_order_release);
    }
    void leave() { m_depth.store(m_depth.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed); }

    static constexpr int depthKept = 16;
    std::array<std::atomic<const char*>, depthKept> m_names{};
    std::atomic<int> m_depth{0};
    std::atomic<bool> m_interrupted{false};
    static_assert(std::atomic<bool>::is_always_lock_free);
};

/// Notes a phase until it goes out of scope. The name must stay where it is: a literal, or that of a registered class.
class PhaseScope
{
public:
    /// Throws Interrupted if that was asked for.
    explicit PhaseScope(const char* name) : m_phases(Phases::ofThisThread()) { m_phases.enter(name); }
    ~PhaseScope() { m_phases.leave(); }
    PhaseScope(const PhaseScope&) = delete;
    PhaseScope& operator=(const PhaseScope&) = delete;

private:
    Phases& m_phases;
};

}  // namespace sofa::core
