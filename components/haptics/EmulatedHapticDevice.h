// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/interaction/HapticDevice.h"
#include "core/interaction/MouseButtonEvent.h"

namespace sofa::component {

using namespace sofa::core;

/// A haptic device without a device: a hand that follows given poses, a recorded motion, or the mouse.
///
/// Poses are interpolated along straight lines and with constant angular velocity; before the first time and after the
/// last one the hand rests. A recorded motion is a file of WriteState with one point of type Rigid3, so that what one
/// device does is recorded by a WriteState beside it. In the window, what the mouse does while Ctrl is held moves the
/// hand in addition: by `mouseScale` in x and y with the left button, along z with the right one, and turned about x
/// and y with the middle one.
///
/// With `handStiffness` 0 the hand is where it wants to be, whatever the force. Otherwise it is a body of mass
/// `handMass`, with a spring and a damper to where it wants to be, on which the force of the device acts: the model of
/// a user by which the stability of haptic rendering is judged (Colgate and Schenkel, Passivity of a class of
/// sampled-data systems: application to haptic interfaces, Journal of Robotic Systems 14(1), 1997). The spring and the
/// damper are integrated by implicit Euler, the force of the device is constant during a period.
class EmulatedHapticDevice final : public HapticDevice
{
public:
    Data<Vector<double>> d_times{
        this,
        {.name = "times", .help = "Times of the loop at which the hand is at the poses, increasing", .unit = "s"}};
    Data<Vector<RigidCoord3>> d_poses{
        this, {.name = "poses", .help = "Where the hand wants to be, one for each time", .unit = "m"}};
    Data<FileName> d_filename{
        this, {.name = "filename", .help = "Recorded motion instead of times and poses: a file of WriteState"}};
    Data<bool> d_loop{this, {.name = "loop", .help = "Begin the motion anew after its last pose"}, false};
    Data<double> d_mouseScale{
        this,
        {.name = "mouseScale",
         .help = "Motion of the hand for a count of the mouse (Ctrl and the mouse in the window); 0: none",
         .unit = "m",
         .range = Range::nonNegative()},
        0.};
    Data<double> d_handMass{
        this, {.name = "handMass", .help = "Mass of hand and device", .unit = "kg", .range = Range::positive()}, 0.1};
    Data<double> d_handInertia{this,
                               {.name = "handInertia",
                                .help = "Moment of inertia about each axis",
                                .unit = "kg m^2",
                                .range = Range::positive()},
                               1e-4};
    Data<double> d_handStiffness{this,
                                 {.name = "handStiffness",
                                  .help = "Stiffness with which the hand is held where it wants to be; 0: it is there",
                                  .unit = "N/m",
                                  .range = Range::nonNegative()},
                                 0.};
    Data<double> d_handDamping{
        this,
        {.name = "handDamping", .help = "Damping of the hand", .unit = "N s/m", .range = Range::nonNegative()},
        5.};
    Data<double> d_handAngularStiffness{this,
                                        {.name = "handAngularStiffness",
                                         .help = "The same of its rotation",
                                         .unit = "N m/rad",
                                         .range = Range::nonNegative()},
                                        1.};
    Data<double> d_handAngularDamping{this,
                                      {.name = "handAngularDamping",
                                       .help = "Damping of its rotation",
                                       .unit = "N m s/rad",
                                       .range = Range::nonNegative()},
                                      0.02};

    ~EmulatedHapticDevice() override { stopLoop(); }
    void init() override;
    void handleEvent(const Event& e) override;

protected:
    HapticMotion motion(double t) override;
    void apply(const Vec6& wrench, double h) override;
    void restart() override;
    void archiveDevice(Archive& a) override;

private:
    struct Hand
    {
        double mass, inertia, stiffness, damping, angularStiffness, angularDamping;
    };
    bool readMotion();
    /// Where the hand wants to be, with the velocity of that.
    HapticMotion wanted(double t) const;
    void move(int dx, int dy);

    Vector<double> m_times;
    Vector<RigidCoord3> m_poses;
    bool m_repeats = false;
    Hand m_hand{};
    HapticMotion m_held;    ///< of a hand that gives way
    double m_time = 0.;     ///< of m_held
    RigidCoord3 m_byMouse;  ///< in addition to the poses
    MouseButton m_button = MouseButton::Left;
    bool m_pressed = false;
};

}  // namespace sofa::component
