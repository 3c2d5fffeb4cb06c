// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/haptics/EmulatedHapticDevice.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/interaction/MouseMotionEvent.h"
#include "core/io/DataRepository.h"
#include "core/io/MeshError.h"
#include "core/io/StateFile.h"

namespace sofa::component {

namespace {

constexpr double turnPerCount = 0.005;  ///< by the mouse [rad]

/// One step of implicit Euler for m a = f + k d + b (w − v), d being the way to where the spring wants to be at the end
/// of the step if the velocity were 0, w its velocity: the velocity at the end.
Vec3 advanced(const Vec3& v, const Vec3& f, const Vec3& d, const Vec3& w, double m, double k, double b, double h)
{
    return (v * m + (f + d * k + w * b) * h) * (1. / (m + h * b + h * h * k));
}

}  // namespace

bool EmulatedHapticDevice::readMotion()
{
    m_times.clear();
    m_poses.clear();
    if (d_filename.value().text.empty()) {
        m_times = d_times.value();
        m_poses = d_poses.value();
        if (m_times.size() != m_poses.size()) {
            fail("times, poses: there are " + std::to_string(m_times.size()) + " times and " +
                 std::to_string(m_poses.size()) + " poses");
            return false;
        }
    } else {
        if (d_times.isSet() || d_poses.isSet()) {
            fail("filename: the motion is given by times and poses as well; keep one of them");
            return false;
        }
        try {
            const std::string file = requireFile(d_filename);
            for (const io::StateFrame& f : io::readStateFile(file)) {
                if (f.position.numbers.size() != Rigid3Types::coordSize)
                    throw io::MeshError(file, f.position.given() ? f.position.line : f.line, io::MeshError::None,
                                        "7 numbers, the position of one point of type Rigid3",
                                        std::to_string(f.position.numbers.size()));
                RigidCoord3 pose;
                std::copy_n(f.position.numbers.begin(), 3, pose.center.begin());
                std::copy_n(f.position.numbers.begin() + 3, 4, pose.orientation.q.begin());
                m_times.push_back(f.time);
                m_poses.push_back(pose);
            }
        } catch (const std::exception& e) {
            fail(std::string("filename: ") + e.what());
            return false;
        }
    }
    for (std::size_t i = 0; i < m_times.size(); ++i) {
        if (i > 0 && !(m_times[i] > m_times[i - 1])) {
            fail("times: they must increase, and number " + std::to_string(i) + " is " + std::to_string(m_times[i]));
            return false;
        }
        if (!(norm(m_poses[i].orientation.q) > 0.)) {
            fail("poses: the quaternion of number " + std::to_string(i) + " is zero");
            return false;
        }
        m_poses[i].orientation.normalize();
    }
    return true;
}

void EmulatedHapticDevice::init()
{
    stopLoop();
    if (!readMotion()) return;
    m_repeats = d_loop.value() && m_times.size() > 1 && m_times.back() > 0.;
    HapticDevice::init();
}

HapticMotion EmulatedHapticDevice::wanted(double t) const
{
    HapticMotion m;
    if (!m_times.empty()) {
        if (m_repeats) t = std::fmod(t, m_times.back());
        const auto next = static_cast<std::size_t>(std::ranges::upper_bound(m_times, t) - m_times.begin());
        if (next == 0 || next == m_times.size()) {
            m.pose = m_poses[next == 0 ? 0 : next - 1];
        } else {
            const double length = m_times[next] - m_times[next - 1];
            m.velocity = Rigid3Types::difference(m_poses[next], m_poses[next - 1]) / length;
            m.pose = m_poses[next - 1];
            Rigid3Types::add(m.pose, m.velocity * (t - m_times[next - 1]));
            m.pose.orientation.normalize();
        }
    }
    m.pose.center += m_byMouse.center;
    m.pose.orientation = (m_byMouse.orientation * m.pose.orientation).normalized();
    return m;
}

HapticMotion EmulatedHapticDevice::motion(double t)
{
    if (m_hand.stiffness == 0.) return wanted(t);
    return m_held;
}

void EmulatedHapticDevice::apply(const Vec6& wrench, double h)
{
    if (m_hand.stiffness == 0.) return;
    m_time += h;
    const HapticMotion to = wanted(m_time);
    const Vec6 away = Rigid3Types::difference(to.pose, m_held.pose);
    using T = Rigid3Types;
    const Vec3 v = advanced(T::linear(m_held.velocity), T::linear(wrench), T::linear(away), T::linear(to.velocity),
                            m_hand.mass, m_hand.stiffness, m_hand.damping, h);
    const Vec3 w = advanced(T::angular(m_held.velocity), T::angular(wrench), T::angular(away), T::angular(to.velocity),
                            m_hand.inertia, m_hand.angularStiffness, m_hand.angularDamping, h);
    m_held.velocity = T::makeDeriv(v, w);
    T::add(m_held.pose, m_held.velocity * h);
    m_held.pose.orientation.normalize();
}

void EmulatedHapticDevice::restart()
{
    m_hand = {.mass = d_handMass.value(),
              .inertia = d_handInertia.value(),
              .stiffness = d_handStiffness.value(),
              .damping = d_handDamping.value(),
              .angularStiffness = d_handAngularStiffness.value(),
              .angularDamping = d_handAngularDamping.value()};
    m_byMouse = {};
    m_pressed = false;
    m_time = 0.;
    m_held = wanted(0.);
    m_held.velocity = {};
}

void EmulatedHapticDevice::archiveDevice(Archive& a)
{
    a(m_time);
    a(m_held.pose);
    a(m_held.velocity);
    a(m_byMouse);
}

void EmulatedHapticDevice::handleEvent(const Event& e)
{
    if (const auto* b = dynamic_cast<const MouseButtonEvent*>(&e)) {
        m_pressed = b->pressed();
        m_button = b->button();
    } else if (const auto* m = dynamic_cast<const MouseMotionEvent*>(&e)) {
        if (m_pressed && d_mouseScale.value() > 0.) move(m->dx(), m->dy());
    }
    HapticDevice::handleEvent(e);
}

void EmulatedHapticDevice::move(int dx, int dy)
{
    const auto held = holdLoop();
    const double x = d_mouseScale.value() * dx, y = -d_mouseScale.value() * dy;
    if (m_button == MouseButton::Left) m_byMouse.center += Vec3{x, y, 0.};
    if (m_button == MouseButton::Right) m_byMouse.center += Vec3{0., 0., y};
    if (m_button == MouseButton::Middle)
        m_byMouse.orientation = (Quat::fromAxisAngle({0., 1., 0.}, turnPerCount * dx) *
                                 Quat::fromAxisAngle({1., 0., 0.}, turnPerCount * dy) * m_byMouse.orientation)
                                    .normalized();
}

static const RegisterComponent registeredEmulatedHapticDevice =
    RegisterComponent("EmulatedHapticDevice", "HapticDevice", "Sofa.Component.Haptics")
        .help("Haptic device without a device: a hand that follows poses, a recorded motion or the mouse")
        .example("component/haptics/EmulatedHapticDevice.scn")
        .add<EmulatedHapticDevice>();

}  // namespace sofa::component
