// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Event.h"

namespace sofa::core {

enum class MouseButton : unsigned char
{
    Left,
    Middle,
    Right
};

/// A button of a mouse that is read as a device was pressed or released.
class MouseButtonEvent : public Event
{
public:
    MouseButtonEvent(MouseButton button, bool pressed) : m_button(button), m_pressed(pressed) {}
    const char* name() const override { return "MouseEvent"; }
    MouseButton button() const { return m_button; }
    bool pressed() const { return m_pressed; }

private:
    MouseButton m_button;
    bool m_pressed;
};

}  // namespace sofa::core
