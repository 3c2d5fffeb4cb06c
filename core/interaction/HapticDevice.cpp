// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/interaction/HapticDevice.h"

#include <pthread.h>

#include <cmath>
#include <utility>

#include "core/behavior/Solvers.h"
#include "core/behavior/StateLookup.h"
#include "core/visitor/StatePropagation.h"

namespace sofa::core {

namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }
Clock::duration duration(double s)
{
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
}

/// Shortens a vector to a length; 0: none.
Vec3 limited(const Vec3& v, double most)
{
    const double length = norm(v);
    return most > 0. && length > most ? v * (most / length) : v;
}

}  // namespace

void HapticDevice::Statistics::addPeriod(double s)
{
    // Welford, Technometrics 4(3), 1962.
    periods += 1.;
    const double away = s - mean;
    mean += away / periods;
    squares += away * (s - mean);
    longest = std::max(longest, s);
}

double HapticDevice::Statistics::deviation() const { return periods > 0. ? std::sqrt(squares / periods) : 0.; }

DataInfo HapticDevice::output(std::string_view name, std::string_view help, std::string_view unit)
{
    return {.name = name, .help = help, .unit = unit, .group = "Outputs", .readOnly = true, .saved = false};
}

HapticDevice::HapticDevice() { d_listening.setDefault(true); }

HapticDevice::~HapticDevice() { stopLoop(); }

void HapticDevice::init()
{
    stopLoop();
    m_state = findMechanicalState<State<Rigid3Types>>(*node(), Search::Local);
    if (m_state && m_state->size() == 0)
        return fail("the state '" + m_state->pathName() + "' of its node has no point");
    if (m_state && node()->get<OdeSolver>(Search::Up))
        return fail("a solver moves the state '" + m_state->pathName() +
                    "' of its node: couple a state of another node to it, or take the solver away");
    clear();
}

void HapticDevice::clear()
{
    m_period = 1. / d_frequency.value();
    m_elapsed = 0.;
    m_ticks = 0;
    m_wrench = {};
    m_statistics = {};
    m_failure.clear();
    for (Served& s : m_served) s.rendering->clear();
    m_served.clear();
    restart();
    m_motion = motion(0.);
    m_pose = m_motion.pose;
    d_positionDevice.setValue(m_pose);
    show();
}

void HapticDevice::reset()
{
    stopLoop();
    if (isValid()) clear();
}

void HapticDevice::cleanup() { stopLoop(); }

void HapticDevice::archive(Archive& a)
{
    const auto held = holdLoop();
    a(m_elapsed);
    a(m_ticks);
    a(m_pose);
    a(m_motion.pose);
    a(m_motion.velocity);
    a(m_motion.buttons);
    a(m_wrench);
    for (double* d : {&m_statistics.work, &m_statistics.largestWork, &m_statistics.largestForce}) a(*d);
    archiveDevice(a);
}

void HapticDevice::findRenderings()
{
    m_served.clear();
    for (HapticRendering* r : node()->getAll<HapticRendering>(Search::Root)) {
        auto* c = dynamic_cast<Component*>(r);
        if (r->d_indice.value() != d_deviceIndex.value() || !c->isValid()) continue;
        for (const auto& kept : c->node()->components())
            if (kept.get() == c) m_served.push_back({kept, r, r->d_activate.value()});
    }
}

void HapticDevice::handleEvent(const Event& e)
{
    if (!isValid()) return;
    if (const auto* begin = dynamic_cast<const AnimateBeginEvent*>(&e))
        beginStep(begin->dt());
    else if (const auto* end = dynamic_cast<const AnimateEndEvent*>(&e))
        endStep(end->dt());
}

void HapticDevice::beginStep(double dt)
{
    std::vector<Served> before;  // destroyed when the loop does not wait any more
    HapticMotion now;
    {
        const auto held = holdLoop();
        checkLoop();
        before.swap(m_served);
        findRenderings();
        m_maxForce = d_maxForce.value();
        m_maxTorque = d_maxTorque.value();
        now = m_motion;
    }
    if (d_threaded.value()) {
        if (!m_thread.joinable()) startLoop();
        const auto begin = Clock::now();
        m_due = std::max(m_due, begin - duration(dt)) + duration(dt);
        if (m_due > begin) std::this_thread::sleep_until(m_due);
    } else {
        stopLoop();
    }
    moveState(now.pose, dt);
    for (const Served& s : m_served) s.rendering->beginStep(now, dt);
}

void HapticDevice::endStep(double dt)
{
    for (const Served& s : m_served)
        if (s.active) s.rendering->prepare();
    const auto held = holdLoop();
    for (const Served& s : m_served)
        if (s.active) s.rendering->publish();
    m_elapsed += dt;
    if (!m_thread.joinable()) {
        const auto until = static_cast<std::uint64_t>(m_elapsed / m_period + 1e-6);
        while (m_ticks < until && m_failure.empty()) tick();
    }
    checkLoop();
    show();
    if (std::exchange(m_refused, false)) msgWarning() << "realTime: the system does not grant real-time priority";
}

void HapticDevice::checkLoop() const
{
    if (!m_failure.empty()) throw std::runtime_error(pathName() + ": " + m_failure);
}

void HapticDevice::moveState(const RigidCoord3& pose, double dt)
{
    const Vec6 velocity = Rigid3Types::difference(pose, m_pose) / dt;
    m_pose = pose;
    d_positionDevice.setValue(pose);
    if (!m_state) return;
    for (const VecCoordId id : {vec_id::position, vec_id::freePosition})
        if (m_state->isAllocated(id) && m_state->read(id).size() > 0) m_state->write(id)[0] = pose;
    for (const VecDerivId id : {vec_id::velocity, vec_id::freeVelocity})
        if (m_state->isAllocated(id) && m_state->read(id).size() > 0) m_state->write(id)[0] = velocity;
    propagateState(*node());
}

void HapticDevice::show()
{
    d_forceDevice.setValue(m_wrench);
    d_button1.setValue((m_motion.buttons & 1u) != 0);
    d_button2.setValue((m_motion.buttons & 2u) != 0);
    d_time.setValue(static_cast<double>(m_ticks) * m_period);
    const Statistics& s = m_statistics;
    d_largestForce.setValue(s.largestForce);
    d_work.setValue(s.work);
    d_largestWork.setValue(s.largestWork);
    d_meanPeriod.setValue(s.mean);
    d_periodDeviation.setValue(s.deviation());
    d_longestPeriod.setValue(s.longest);
    d_longestComputation.setValue(s.longestComputation);
}

void HapticDevice::tick()
{
    try {
        const HapticMotion next = motion(static_cast<double>(m_ticks) * m_period);
        m_statistics.work += dot(m_wrench, Rigid3Types::difference(next.pose, m_motion.pose));
        m_statistics.largestWork = std::max(m_statistics.largestWork, m_statistics.work);
        m_motion = next;
        Vec6 wrench{};
        for (const Served& s : m_served)
            if (s.active) wrench += s.rendering->wrench(m_motion);
        for (std::size_t i = 0; i < 6; ++i)
            if (!std::isfinite(wrench[i])) throw std::runtime_error("the force for the hand is not finite");
        const Vec3 force = limited(Rigid3Types::linear(wrench), m_maxForce);
        m_wrench = Rigid3Types::makeDeriv(force, limited(Rigid3Types::angular(wrench), m_maxTorque));
        m_statistics.largestForce = std::max(m_statistics.largestForce, norm(force));
        apply(m_wrench, m_period);
        ++m_ticks;
    } catch (const std::exception& e) {
        m_wrench = {};
        m_failure = e.what();
    }
}

void HapticDevice::startLoop()
{
    m_stop = m_refused = false;
    m_realTime = d_realTime.value();
    m_due = Clock::now();
    m_thread = std::thread([this] { loop(); });
}

void HapticDevice::stopLoop()
{
    if (!m_thread.joinable()) return;
    {
        const auto held = holdLoop();
        m_stop = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void HapticDevice::loop()
{
    const Clock::duration period = duration(m_period);
    Clock::time_point due = Clock::now(), last{};
    std::unique_lock lock(m_mutex);
    if (m_realTime) {
        sched_param priority{};
        priority.sched_priority = sched_get_priority_min(SCHED_FIFO) + 1;
        m_refused = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) != 0;
    }
    while (!m_stop) {
        const Clock::time_point begin = Clock::now();
        if (last != Clock::time_point{}) m_statistics.addPeriod(seconds(begin - last));
        last = begin;
        tick();
        if (!m_failure.empty()) return;
        const Clock::time_point end = Clock::now();
        m_statistics.longestComputation = std::max(m_statistics.longestComputation, seconds(end - begin));
        // A round that comes too late is not made up for by shorter ones.
        due = std::max(due + period, end);
        m_wake.wait_until(lock, due, [this] { return m_stop; });
    }
}

}  // namespace sofa::core
