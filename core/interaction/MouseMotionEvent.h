// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/interaction/MousePlace.h"
#include "core/objectmodel/Event.h"

namespace sofa::core {

/// A mouse was moved: in a window by pixels, read as a device by its own counts; to the right and downwards.
class MouseMotionEvent : public Event
{
public:
    MouseMotionEvent(int dx, int dy, MousePlace place = {}) : m_dx(dx), m_dy(dy), m_place(place) {}
    const char* name() const override { return "MouseEvent"; }
    int dx() const { return m_dx; }
    int dy() const { return m_dy; }
    const MousePlace& place() const { return m_place; }

private:
    int m_dx, m_dy;
    MousePlace m_place;
};

}  // namespace sofa::core
