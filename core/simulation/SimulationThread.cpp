// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/SimulationThread.h"
#include "core/log/Reason.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "core/log/Message.h"
#include "core/simulation/Pause.h"

namespace sofa::core {

namespace {

using Clock = std::chrono::steady_clock;

/// By how much steps of an animation may come late and be made up for.
constexpr auto lateness = std::chrono::milliseconds(100);

double secondsSince(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

Clock::duration asDuration(double seconds)
{
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e6)));
}

}  // namespace

SimulationThread::SimulationThread(const Simulation& simulation)
    : m_simulation(simulation), m_countedFrom(Clock::now()), m_lastFrame(Clock::now())
{
    m_thread = std::thread([this] { run(); });
}

SimulationThread::~SimulationThread() { stop(); }

void SimulationThread::setAnimating(bool on)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping || m_animating == on) return;
        m_animating = on;
        m_queue.emplace_back([this] {
            m_dirty = true;  // frames tell whether it animates
            startCounting();
        });
    }
    m_wake.notify_all();
}

void SimulationThread::setSpeed(double speed)
{
    if (!(speed > 0.)) return;
    m_speed = speed;
    inspect([this](Simulation&) { startCounting(); });
}

void SimulationThread::setEndTime(double time)
{
    if (!std::isnan(time)) m_endTime = time;
}

void SimulationThread::startCounting()
{
    m_stepsPerSecond = m_measuredSpeed = m_countedTime = m_countedLoss = 0.;
    m_slow = false;
    m_countedSteps = 0;
    m_countedFrom = m_stepTime = Clock::now();
}

void SimulationThread::step(std::size_t n)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping) return;
        for (std::size_t i = 0; i < n; ++i) m_queue.emplace_back([this] { doStep(); });
    }
    m_wake.notify_all();
}

void SimulationThread::reset()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping) return;
        m_queue.emplace_back([this] {
            try {
                m_simulation.reset();
            } catch (const std::exception& e) {
                fail(reasonOf(e));
            }
            changed(Change::Reset);
        });
    }
    m_wake.notify_all();
}

void SimulationThread::setDt(double dt)
{
    if (!(dt > 0.) || !std::isfinite(dt)) return;
    post([dt](Simulation& s) { s.root().d_dt.setValue(dt); });
}

void SimulationThread::post(Command command)
{
    inspect([this, command = std::move(command)](Simulation& s) {
        try {
            command(s);
        } catch (const std::exception& e) {
            fail(reasonOf(e));
        }
        edited();
    });
}

void SimulationThread::inspect(Command command)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping) return;
        m_queue.emplace_back([this, command = std::move(command)] {
            try {
                command(m_simulation);
            } catch (const std::exception& e) {
                fail(reasonOf(e));
            }
        });
    }
    m_wake.notify_all();
}

void SimulationThread::edited()
{
    try {
        if (!m_simulation.settle())
            fail("the scene was changed and cannot go on: components lack what they need, see the log");
    } catch (const std::exception& e) {
        fail(reasonOf(e));
    }
    changed(Change::Edited);
}

void SimulationThread::call(const Command& command)
{
    if (inThread()) {
        command(m_simulation);
        edited();
        return;
    }
    std::unique_lock lock(m_mutex);
    if (!m_stopping) {
        bool done = false;
        std::exception_ptr error;
        m_queue.emplace_back([&] {
            std::exception_ptr thrown;
            try {
                command(m_simulation);
            } catch (...) {
                thrown = std::current_exception();
            }
            edited();
            {
                const std::lock_guard inner(m_mutex);
                error = std::move(thrown);  // who waits has the only reference
                done = true;
            }
            m_done.notify_all();
        });
        m_wake.notify_all();
        m_done.wait(lock, [&] { return done || m_stopped; });
        if (error) std::rethrow_exception(error);
        if (done) return;
    }
    m_done.wait(lock, [&] { return m_stopped; });
    lock.unlock();
    command(m_simulation);
}

void SimulationThread::choose(std::function<void()> choice)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping) return;
        m_queue.emplace_back(std::move(choice));
    }
    m_wake.notify_all();
}

void SimulationThread::setDisplayFlags(const DisplayFlags& flags)
{
    choose([this, flags] {
        m_flags = flags;
        m_dirty = true;
    });
}

void SimulationThread::setHidden(std::set<std::string> paths)
{
    choose([this, paths = std::move(paths)]() mutable {
        m_drawing.setHidden(std::move(paths));
        m_dirty = true;
    });
}

void SimulationThread::setRange(BodyField field, std::optional<std::array<double, 2>> range)
{
    choose([this, field, range] {
        m_drawing.setRange(field, range);
        m_dirty = true;
    });
}

void SimulationThread::setSelection(std::string path)
{
    choose([this, path = std::move(path)] {
        m_dirty |= m_selection != path;
        m_selection = path;
    });
}

SimulationThread::Frame SimulationThread::frame()
{
    Frame f;
    {
        const std::lock_guard lock(m_mutex);
        f = m_frame;
        m_fetched = true;
    }
    m_wake.notify_all();
    return f;
}

void SimulationThread::setFrameListener(std::function<void()> listener)
{
    const std::lock_guard lock(m_mutex);
    m_frameListener = std::move(listener);
}

void SimulationThread::setFailureListener(std::function<void(const std::string&)> listener)
{
    const std::lock_guard lock(m_mutex);
    m_failureListener = std::move(listener);
}

int SimulationThread::addListener(std::function<void(Simulation&, Change)> listener)
{
    int id = 0;
    {
        const std::lock_guard lock(m_mutex);
        id = m_nextListener++;
        if (m_stopping) return id;
        if (!inThread()) {
            m_queue.emplace_back(
                [this, id, listener = std::move(listener)]() mutable { m_listeners[id] = std::move(listener); });
            m_wake.notify_all();
            return id;
        }
    }
    m_listeners[id] = std::move(listener);
    return id;
}

void SimulationThread::removeListener(int id)
{
    call([this, id](Simulation&) { m_listeners.erase(id); });
}

void SimulationThread::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
        m_animating = false;
    }
    m_wake.notify_all();
    if (m_thread.joinable() && !inThread()) m_thread.join();
}

SimulationThread::Work SimulationThread::work() const
{
    const std::lock_guard lock(m_mutex);
    if (m_workBegan == Clock::time_point{}) return {};
    return {secondsSince(m_workBegan), m_phases->path()};
}

void SimulationThread::interrupt()
{
    {
        const std::lock_guard lock(m_mutex);
        m_animating = false;
        if (!m_inStep) return;
        m_skipSteps = true;
        m_phases->interrupt();
        m_queue.emplace_back([this] {
            const std::lock_guard inner(m_mutex);
            m_skipSteps = false;
        });
    }
    m_wake.notify_all();
}

void SimulationThread::run()
{
    const Session::Scope session(m_simulation.session());
    {
        const std::lock_guard lock(m_mutex);
        m_phases = &Phases::ofThisThread();
    }
    for (;;) {
        std::function<void()> next;
        bool step = false;
        {
            std::unique_lock lock(m_mutex);
            m_workBegan = {};
            const auto wanted = [this] { return m_stopping || !m_queue.empty() || stepDue() || frameDue(); };
            while (!wanted()) {
                if (!m_animating)
                    m_wake.wait(lock);
                else
                    m_wake.wait_until(lock, m_dirty && m_fetched ? std::min(m_stepTime, nextFrame()) : m_stepTime);
            }
            if (m_stopping) break;
            if (!m_queue.empty()) {
                next = std::move(m_queue.front());
                m_queue.pop_front();
            }
            step = !next && stepDue();
            m_workBegan = Clock::now();
        }
        if (next) {
            next();
            // What waits is done first, so that a row of edits makes one frame; but not for long.
            const std::lock_guard lock(m_mutex);
            if (!m_queue.empty() && secondsSince(m_lastFrame) < 0.1) continue;
        } else if (step) {
            animate();
        }
        bool draw = false;
        {
            const std::lock_guard lock(m_mutex);
            draw = frameDue();
        }
        if (draw) makeFrame();
    }
    // Whoever waits for call() finds its function not done and the scene free.
    const std::lock_guard lock(m_mutex);
    m_queue.clear();
    m_stopped = true;
    m_done.notify_all();
}

bool SimulationThread::stepDue() const { return m_animating && Clock::now() >= m_stepTime; }

Clock::time_point SimulationThread::nextFrame() const { return m_lastFrame + asDuration(1. / m_frameRate); }

bool SimulationThread::frameDue() const
{
    if (!m_dirty) return false;
    return (!m_animating && m_queue.empty()) || (m_fetched && Clock::now() >= nextFrame());
}

void SimulationThread::animate()
{
    const Node& root = m_simulation.root();
    const double from = root.time();
    if (!reaches(from, m_endTime, root.dt())) {
        doStep();
        if (!m_animating) return;  // it failed, or a listener or the scene stopped it
        const double simulated = root.time() > from ? root.time() - from : root.dt();
        m_countedTime += simulated;
        // Steps that come a little late are followed by shorter waits; what is lost beyond that is not made up for.
        const auto earliest = Clock::now() - lateness;
        const double speed = m_speed;
        m_stepTime += asDuration(std::isinf(speed) ? 0. : simulated / speed);
        if (m_stepTime < earliest) {
            if (!std::isinf(speed)) m_countedLoss += std::chrono::duration<double>(earliest - m_stepTime).count();
            m_stepTime = earliest;
        }
        const double window = secondsSince(m_countedFrom);
        if (window > 0.5 || (m_stepsPerSecond == 0. && window > 0.1)) {
            m_stepsPerSecond = static_cast<double>(m_countedSteps) / window;
            m_measuredSpeed = m_countedTime / window;
            m_slow = m_countedLoss > 0.05 * window;
            if (window > 0.5) {
                m_countedSteps = 0;
                m_countedTime = m_countedLoss = 0.;
                m_countedFrom = Clock::now();
            }
        }
    }
    if (reaches(root.time(), m_endTime, root.dt())) {
        m_animating = false;
        m_dirty = true;
        startCounting();
    }
}

void SimulationThread::doStep()
{
    const auto start = Clock::now();
    {
        const std::lock_guard lock(m_mutex);
        if (m_skipSteps) return;
        m_inStep = true;
    }
    std::string failure;
    try {
        m_simulation.step();
    } catch (const std::exception& e) {
        failure = reasonOf(e);
    } catch (const Interrupted&) {
        failure = "step " + std::to_string(m_simulation.stepCount() + 1) +
                  " was interrupted: the scene is in the middle of it, and must be reset";
    }
    {
        const std::lock_guard lock(m_mutex);
        m_inStep = false;
        m_phases->interrupt(false);
    }
    if (!failure.empty()) {
        fail(failure);
        m_dirty = true;
        return;
    }
    m_stepSeconds = secondsSince(start);
    ++m_countedSteps;
    if (takePauseRequest()) m_animating = false;
    changed(Change::Stepped);
}

void SimulationThread::changed(Change change)
{
    if (change != Change::FrameMade) m_dirty = true;
    std::vector<int> ids;  // a listener may remove itself
    for (const auto& [id, listener] : m_listeners) ids.push_back(id);
    for (const int id : ids) {
        const auto it = m_listeners.find(id);
        if (it == m_listeners.end()) continue;
        const auto listener = it->second;
        try {
            listener(m_simulation, change);
        } catch (const std::exception& e) {
            m_listeners.erase(id);
            fail(reasonOf(e));
        }
    }
}

void SimulationThread::fail(const std::string& reason)
{
    std::function<void(const std::string&)> listener;
    {
        const std::lock_guard lock(m_mutex);
        m_animating = false;
        m_stepsPerSecond = m_measuredSpeed = 0.;
        m_slow = false;
        listener = m_failureListener;
    }
    MessageLog::emit(Severity::Error, reason);
    if (listener) listener(reason);
}

void SimulationThread::makeFrame()
{
    m_dirty = false;
    Frame f;
    try {
        f.drawList = m_drawing.draw(m_simulation.root(), m_flags, m_selection);
    } catch (const std::exception& e) {
        fail(std::string("the scene cannot be drawn: ") + reasonOf(e));
        return;
    }
    m_lastFrame = Clock::now();
    f.time = m_simulation.root().time();
    f.dt = m_simulation.root().dt();
    f.step = m_simulation.stepCount();
    f.stepSeconds = m_stepSeconds;
    f.stepsPerSecond = m_stepsPerSecond;
    f.speed = m_measuredSpeed;
    f.slow = m_slow;
    std::function<void()> listener;
    {
        const std::lock_guard lock(m_mutex);
        f.animating = m_animating;
        f.number = m_frame.number + 1;
        m_frame = std::move(f);
        m_fetched = false;
        listener = m_frameListener;
    }
    if (listener) listener();
    changed(Change::FrameMade);
}

}  // namespace sofa::core
