// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/interaction/MousePlace.h"
#include "core/objectmodel/Event.h"

namespace sofa::core {

enum class MouseButton : unsigned char
{
    Left,
    Middle,
    Right
};

/// A button of a mouse, in a window or read as a device, was pressed or released.
class MouseButtonEvent : public Event
{
public:
    MouseButtonEvent(MouseButton button, bool pressed, MousePlace place = {})
        : m_button(button), m_pressed(pressed), m_place(place)
    {
    }
    const char* name() const override { return "MouseEvent"; }
    MouseButton button() const { return m_button; }
    bool pressed() const { return m_pressed; }
    const MousePlace& place() const { return m_place; }

private:
    MouseButton m_button;
    bool m_pressed;
    MousePlace m_place;
};

}  // namespace sofa::core
