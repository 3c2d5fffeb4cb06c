// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "core/behavior/State.h"
#include "core/topology/TopologyChange.h"

namespace sofa::core {

/// What the hand does with a device at a moment.
struct HapticMotion
{
    RigidCoord3 pose;      ///< of what the hand holds [m]
    Vec6 velocity{};       ///< linear [m/s] and angular [rad/s], in world axes
    unsigned buttons = 0;  ///< bit i: button i + 1 is pressed
};

/// What makes the force that a device gives to the hand: direct or virtual coupling, constraints. A mix-in of
/// components; a device finds those with its number anywhere in the scene.
///
/// `wrench` runs in the loop of the device, often in a thread of its own and while a step is computed: it must not
/// touch the scene or any Data, only what `publish` has put down. A device calls these functions one at a time, except
/// `beginStep` and `prepare`.
class HapticRendering
{
public:
    static std::string_view typeLabel() { return "haptic rendering"; }
    explicit HapticRendering(Component* owner)
        : d_activate(owner, {.name = "activate", .help = "Give a force to the hand"}, false),
          d_indice(owner, {.name = "indice", .help = "Number of the device that it serves (its deviceIndex)"}, 0)
    {
    }
    virtual ~HapticRendering() = default;

    Data<bool> d_activate;
    Data<int> d_indice;

    /// A step of length dt [s] begins with the device there. In the thread of the simulation.
    virtual void beginStep(const HapticMotion&, double /*dt*/) {}
    /// The step has ended: takes out of the scene what `wrench` needs, beside what it uses at present. In the thread
    /// of the simulation.
    virtual void prepare() {}
    /// What was prepared is what `wrench` uses from now on. Takes no time: the loop of the device waits.
    virtual void publish() {}
    /// Force [N] and torque [N m] on the hand, about the centre of the pose and in world axes. In the loop of the
    /// device.
    virtual Vec6 wrench(const HapticMotion& m) = 0;
    /// Forgets what was published.
    virtual void clear() {}
};

/// A device that is held in a hand: it tells a pose and gives a force, at `frequency`, by impedance control. Drivers
/// say how by `motion` and `apply`.
///
/// The loop runs in a thread of its own (`threaded`), while steps are computed, or else after each step as often as it
/// fits in the step, so that results do not depend on the machine. A threaded loop never waits for a step; steps are
/// not ahead of the clock.
///
/// Where there is a state of type Rigid3 in its node, its first point is the pose, set at the beginning of each step.
class HapticDevice : public Component, public TopologyFollower
{
public:
    static std::string_view typeLabel() { return "haptic device"; }

    Data<int> d_deviceIndex{this, {.name = "deviceIndex", .help = "Number by which renderings find the device"}, 0};
    Data<double> d_frequency{
        this,
        {.name = "frequency", .help = "Rate of the loop of the device", .unit = "1/s", .range = Range::closed(1., 1e5)},
        1000.};
    Data<bool> d_threaded{
        this,
        {.name = "threaded",
         .help = "Run the loop in a thread of its own, by the clock; otherwise it runs after each step, as often as "
                 "it fits in the step"},
        false};
    Data<bool> d_realTime{
        this,
        {.name = "realTime",
         .help = "Ask for real-time priority for the thread (SCHED_FIFO), which users need the right to have"},
        false};
    Data<double> d_maxForce{
        this,
        {.name = "maxForce", .help = "Largest force; 0: no bound", .unit = "N", .range = Range::nonNegative()},
        0.};
    Data<double> d_maxTorque{
        this,
        {.name = "maxTorque", .help = "Largest torque; 0: no bound", .unit = "N m", .range = Range::nonNegative()},
        0.};
    Data<RigidCoord3> d_positionDevice{this, output("positionDevice", "Pose at the beginning of the step", "m"),
                                       RigidCoord3{}};
    Data<Vec6> d_forceDevice{this, output("forceDevice", "Force and torque on the hand [N, N m]", "N"), Vec6{}};
    Data<bool> d_button1{this, output("button1", "The first button is pressed", "1"), false};
    Data<bool> d_button2{this, output("button2", "The second button is pressed", "1"), false};
    Data<double> d_time{this, output("deviceTime", "Time of the loop", "s"), 0.};
    Data<double> d_largestForce{this, output("largestForce", "Largest force since the start", "N"), 0.};
    Data<double> d_work{
        this,
        output("work",
               "Work that the device has done on the hand; above zero at the end of a touch, energy came out "
               "of nothing",
               "J"),
        0.};
    Data<double> d_largestWork{this, output("largestWork", "Largest value of work", "J"), 0.};
    Data<double> d_meanPeriod{this, output("meanPeriod", "Mean period of the loop; 0 without a thread", "s"), 0.};
    Data<double> d_periodDeviation{
        this, output("periodDeviation", "Standard deviation of the period (jitter); 0 without a thread", "s"), 0.};
    Data<double> d_longestPeriod{this, output("longestPeriod", "Longest period of the loop; 0 without a thread", "s"),
                                 0.};
    Data<double> d_longestComputation{
        this, output("longestComputation", "Longest time that a round of the loop computed; 0 without a thread", "s"),
        0.};

    /// What is known of the rounds of a loop.
    struct Statistics
    {
        double work = 0., largestWork = 0., largestForce = 0.;  ///< [J], [J], [N]
        double periods = 0.;                                    ///< number of times between two rounds
        double mean = 0., longest = 0.;                         ///< of them [s]
        double squares = 0.;                                    ///< sum of the squares of their deviations [s²]
        double longestComputation = 0.;                         ///< [s]

        /// One more time between two rounds [s].
        void addPeriod(double seconds);
        /// Standard deviation of the periods [s]; 0 where there is none.
        double deviation() const;
    };

    HapticDevice();
    ~HapticDevice() override;

    void init() override;
    void reset() override;
    void cleanup() override;
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;
    ElementLists elementLists() override { return m_state ? ElementLists{pointsOf(*m_state), {}} : ElementLists(); }

protected:
    /// Where the hand is at a time [s] of the loop. In the loop.
    virtual HapticMotion motion(double t) = 0;
    /// Gives a wrench to the hand for h [s]. In the loop.
    virtual void apply(const Vec6& wrench, double h) = 0;
    /// The loop begins at time 0.
    virtual void restart() {}
    /// What changes during a run.
    virtual void archiveDevice(Archive&) {}
    /// Keeps the loop from running; for events that change what `motion` uses.
    std::unique_lock<std::mutex> holdLoop() { return std::unique_lock(m_mutex); }
    /// Ends the thread. Called first by destructors of drivers: their functions are not called any more.
    void stopLoop();

private:
    struct Served
    {
        std::shared_ptr<Component> component;  ///< stays while the loop uses it
        HapticRendering* rendering;
        bool active;
    };
    static DataInfo output(std::string_view name, std::string_view help, std::string_view unit);

    void findRenderings();
    void beginStep(double dt);
    void endStep(double dt);
    /// Throws std::runtime_error if the loop has failed.
    void checkLoop() const;
    void moveState(const RigidCoord3& pose, double dt);
    void show();
    void startLoop();
    void loop();
    /// One round of the loop.
    void tick();
    void clear();

    Tracked<State<Rigid3Types>> m_state;
    double m_period = 1e-3, m_maxForce = 0., m_maxTorque = 0.;
    bool m_realTime = false;
    double m_elapsed = 0.;  ///< of the steps [s]
    RigidCoord3 m_pose;     ///< at the beginning of the last step
    std::chrono::steady_clock::time_point m_due;

    // What the loop uses, while m_mutex is locked.
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::thread m_thread;
    bool m_stop = false, m_refused = false;  ///< refused: no real-time priority
    std::vector<Served> m_served;
    std::uint64_t m_ticks = 0;
    HapticMotion m_motion;
    Vec6 m_wrench{};
    Statistics m_statistics;
    std::string m_failure;
};

}  // namespace sofa::core
