// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/interaction/MousePlace.h"
#include "core/objectmodel/Event.h"

namespace sofa::core {

/// The wheel of a mouse was turned.
class MouseWheelEvent : public Event
{
public:
    MouseWheelEvent(double notches, MousePlace place = {}) : m_notches(notches), m_place(place) {}
    const char* name() const override { return "MouseEvent"; }
    /// Of the wheel; positive away from the user.
    double notches() const { return m_notches; }
    const MousePlace& place() const { return m_place; }

private:
    double m_notches;
    MousePlace m_place;
};

}  // namespace sofa::core
