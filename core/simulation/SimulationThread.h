// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "core/log/Phases.h"
#include "core/simulation/Simulation.h"
#include "core/visual/SceneDrawing.h"

namespace sofa::core {

/// Runs a simulation in a thread of its own, so that a window never waits for a slow step.
///
/// Everything that touches the scene happens in that thread, between steps: steps, resets and the functions given to
/// post() and call() are done in the order in which they were asked for; while it animates, one step follows after
/// whatever waits. Frames of the scene are made there too, at most at a given rate and not before the last one was
/// fetched, and are handed over as values that do not refer to the scene (DrawList).
///
/// The animation follows the clock: one second of the scene takes one second, or what setSpeed() says. Steps that take
/// longer than the time they simulate slow it down; what was missed is not made up for.
///
/// All public functions may be called from any thread. Listeners are called in the thread of the simulation; a window
/// posts itself an event there.
class SimulationThread
{
public:
    using Command = std::function<void(Simulation&)>;

    /// What changed the scene.
    enum class Change
    {
        Stepped,   ///< one step was done
        Reset,     ///< back to the state after init
        Edited,    ///< a function of post() or call() was run
        FrameMade  ///< nothing changed: a frame of the scene as it is was made
    };

    /// A frame and the figures of the moment at which it was made.
    struct Frame
    {
        std::shared_ptr<const DrawList> drawList;  ///< nullptr before the first one
        std::uint64_t number = 0;                  ///< of the frame, counted from 1
        double time = 0.;                          ///< of the scene [s]
        double dt = 0.;                            ///< of the scene [s]
        std::size_t step = 0;
        double stepSeconds = 0.;     ///< duration of the last step [s]
        double stepsPerSecond = 0.;  ///< over about the last half second of animation; 0 when it stands still
        double speed = 0.;           ///< seconds of the scene in a second of the clock, over the same time
        bool slow = false;           ///< steps take longer than the speed that was asked for leaves them
        bool animating = false;
    };

    /// Takes an initialised simulation and makes its first frame. Nobody else may touch the scene until stop().
    explicit SimulationThread(const Simulation& simulation);
    /// stop().
    ~SimulationThread();
    SimulationThread(const SimulationThread&) = delete;
    SimulationThread& operator=(const SimulationThread&) = delete;

    void setAnimating(bool on);
    bool isAnimating() const { return m_animating; }
    /// Seconds of the scene that the animation makes in a second of the clock, > 0; infinite: as fast as possible. 1 at
    /// first. Steps asked for by step() do not wait.
    void setSpeed(double speed);
    /// The animation stops when the scene has reached this time [s], and does not start then; infinite (at first):
    /// never.
    void setEndTime(double time);
    /// Whether a time of the scene [s] has reached an end, but for rounding by steps of dt [s].
    static bool reaches(double time, double end, double dt) { return time >= end - 1e-6 * dt; }
    /// Asks for n steps, whether it animates or not.
    void step(std::size_t n = 1);
    /// Asks for a reset; animation goes on if it was on.
    void reset();
    /// Sets the time step of the scene [s], > 0.
    void setDt(double dt);

    /// Runs a function between two steps, and makes a new frame then. If it throws, that is reported as a failure.
    /// After stop() it does nothing.
    void post(Command command);
    /// The same for a function that changes nothing in the scene: no listener hears of it and no frame is made.
    void inspect(Command command);
    /// The same, and waits until it is done; what it throws is thrown here. Called in the thread of the simulation, it
    /// runs at once. After stop() it runs at once too, here, as nobody else touches the scene then.
    void call(const Command& command);

    /// Duration of the last step [s]; to be asked for in the thread of the simulation (Frame has it for others).
    double lastStepSeconds() const { return m_stepSeconds; }

    /// What the user chose to see, before what the scene says.
    void setDisplayFlags(const DisplayFlags& flags);
    /// Path of the node or component that frames show as selected; empty: none.
    void setSelection(std::string path);
    /// What frames do not show, as SceneDrawing::setHidden.
    void setHidden(std::set<std::string> paths);
    /// The range of the colours of a field, as BodyDrawing::setRange.
    void setRange(BodyField field, std::optional<std::array<double, 2>> range);
    /// The value of a field in a triangle of the frame that was made last (BodyDrawing::valueAt); to be asked for in
    /// the thread of the simulation.
    std::optional<BodyDrawing::Value> valueAt(std::uint64_t slot, std::size_t triangle, const Vec3& point) const
    {
        return m_drawing.valueAt(slot, triangle, point);
    }
    /// Highest rate of frames while it animates [1/s]; default 60.
    void setFrameRate(double rate) { m_frameRate = rate; }

    /// The newest frame; the next one may be made then.
    Frame frame();

    /// Called after each frame. One at most; none if empty.
    void setFrameListener(std::function<void()> listener);
    /// Called with the reason after a step or a posted function failed; animation has been stopped. It was sent to the
    /// MessageLog too.
    void setFailureListener(std::function<void(const std::string&)> listener);
    /// Called between steps after each change of the scene and each frame. Returns a number for removeListener.
    int addListener(std::function<void(Simulation&, Change)> listener);
    /// When it returns, the listener is not called any more, unless it is called from the listener itself.
    void removeListener(int id);

    /// What the thread works on at this moment.
    struct Work
    {
        double seconds = 0.;  ///< since it began; 0: nothing
        std::string phases;   ///< "Step/Collision"; empty between phases
    };
    Work work() const;
    /// Ends the step that is running in the middle of it, forgets those that wait and stops the animation. The scene
    /// must be reset then; that is reported as a failure. Nothing happens where no step is running.
    void interrupt();
    /// Waits for the step that is running, forgets what still waits, and ends the thread. The scene may be touched by
    /// others then. May be called twice.
    void stop();

private:
    using Clock = std::chrono::steady_clock;

    void run();
    void doStep();
    void animate();
    void startCounting();
    /// The next two under the mutex: whether a step of the animation, or a frame, is to be made now.
    bool stepDue() const;
    bool frameDue() const;
    Clock::time_point nextFrame() const;
    /// Has the next frame made with another choice of what is seen.
    void choose(std::function<void()> choice);
    /// After a function that may have changed the scene.
    void edited();
    void changed(Change change);
    void fail(const std::string& reason);
    void makeFrame();
    bool inThread() const { return std::this_thread::get_id() == m_thread.get_id(); }

    Simulation m_simulation;
    SceneDrawing m_drawing;
    std::map<int, std::function<void(Simulation&, Change)>> m_listeners;  ///< only touched in the thread
    std::string m_selection;                                              ///< only touched in the thread
    DisplayFlags m_flags;                                                 ///< only touched in the thread
    double m_stepSeconds = 0., m_stepsPerSecond = 0.;                     ///< only touched in the thread
    double m_measuredSpeed = 0.;                                          ///< only touched in the thread
    bool m_slow = false;                                                  ///< only touched in the thread
    std::size_t m_countedSteps = 0;
    double m_countedTime = 0.;  ///< of the scene [s], in the counted steps
    double m_countedLoss = 0.;  ///< by which the counted steps came too late for their time [s]
    Clock::time_point m_countedFrom, m_lastFrame;
    Clock::time_point m_stepTime;  ///< of the next step of the animation
    bool m_dirty = true;           ///< the scene changed since the last frame

    mutable std::mutex m_mutex;
    std::condition_variable m_wake, m_done;
    std::deque<std::function<void()>> m_queue;
    Frame m_frame;
    std::function<void()> m_frameListener;
    std::function<void(const std::string&)> m_failureListener;
    bool m_fetched = true;  ///< the last frame was
    bool m_stopping = false, m_stopped = false;
    Phases* m_phases = nullptr;     ///< of the thread
    bool m_inStep = false;          ///< a step is running
    bool m_skipSteps = false;       ///< those that waited at an interruption
    Clock::time_point m_workBegan;  ///< since the epoch: nothing is worked on
    int m_nextListener = 1;
    std::atomic<bool> m_animating{false};
    std::atomic<double> m_frameRate{60.}, m_speed{1.};
    std::atomic<double> m_endTime{std::numeric_limits<double>::infinity()};
    std::thread m_thread;
};

}  // namespace sofa::core
