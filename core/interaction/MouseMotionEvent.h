// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Event.h"

namespace sofa::core {

/// A mouse that is read as a device was moved, in its own counts.
class MouseMotionEvent : public Event
{
public:
    MouseMotionEvent(int dx, int dy) : m_dx(dx), m_dy(dy) {}
    const char* name() const override { return "MouseEvent"; }
    int dx() const { return m_dx; }
    int dy() const { return m_dy; }

private:
    int m_dx, m_dy;
};

}  // namespace sofa::core
