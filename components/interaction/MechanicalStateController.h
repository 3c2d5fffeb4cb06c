// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/behavior/State.h"
#include "core/interaction/MouseButtonEvent.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Moves a point of the state of its node as a mouse moves that is read as a device (InputEventReader), at the
/// beginning of each step or, with `handleEventTriggersUpdate`, with each motion. dx and dy are counts of the mouse.
///
/// A frame is turned about its own y and z axes by dx and dy milliradians with the left button; with the right one it
/// is moved by dy · 0.05 `mainDirection`, given in its own axes, and turned about its own x axis by dx milliradians.
/// With `onlyTranslation` its centre is moved instead: by dx along x with the left button, by dy along y with the right
/// and along z with the middle one.
///
/// States of numbers (Vec1) are the opening of a gripper: the rest positions of the first two points are −0.4 while the
/// middle button, or that of the device (`buttonDeviceState`), is pressed, and 0 otherwise. SOFA never reads the button
/// of the device of a frame, and overwrites what that of a number does.
template <class DataTypes>
class MechanicalStateController final : public Component, public TopologyFollower
{
public:
    Data<bool> d_handleEventTriggersUpdate{
        this,
        {.name = "handleEventTriggersUpdate", .help = "Move with each motion of the mouse, not once a step"},
        false};
    Data<Index> d_index{this, {.name = "index", .help = "The point that is moved"}, 0};
    Data<bool> d_onlyTranslation{this, {.name = "onlyTranslation", .help = "Move the centre, without turning"}, false};
    Data<bool> d_buttonDeviceState{
        this, {.name = "buttonDeviceState", .help = "The button of the device is pressed (numbers only)"}, false};
    Data<Vec3> d_mainDirection{this,
                               {.name = "mainDirection",
                                .help = "Motion by the right button, of 20 counts, in the axes of the frame",
                                .unit = "m"},
                               Vec3{0., 0., -1.}};

    MechanicalStateController() { d_listening.setDefault(true); }
    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why);

    void init() override;
    /// It has to do with the points of its state, and does not follow when these change.
    ElementLists elementLists() override { return m_state ? ElementLists{pointsOf(*m_state), {}} : ElementLists(); }
    void reset() override;
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;

private:
    /// Uses up the motion since the last call.
    void apply();

    Tracked<State<DataTypes>> m_state;
    std::optional<MouseButton> m_button;  ///< that is pressed
    int m_dx = 0, m_dy = 0;
};

}  // namespace sofa::component
