// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// Something that happened, sent to every listening component of a graph. Receivers test the type with dynamic_cast.
class Event
{
public:
    virtual ~Event() = default;
    virtual const char* name() const = 0;
    /// A receiver that consumed the event stops it.
    bool handled() const { return m_handled; }
    void setHandled() const { m_handled = true; }

private:
    mutable bool m_handled = false;
};

/// Events of a time step carry the length dt [s] of the step.
class StepEvent : public Event
{
public:
    explicit StepEvent(double dt) : m_dt(dt) {}
    double dt() const { return m_dt; }

private:
    double m_dt;
};

#define SOFA_STEP_EVENT(Name)                               \
    class Name : public StepEvent                           \
    {                                                       \
    public:                                                 \
        using StepEvent::StepEvent;                         \
        const char* name() const override { return #Name; } \
    }
SOFA_STEP_EVENT(AnimateBeginEvent);
SOFA_STEP_EVENT(AnimateEndEvent);
SOFA_STEP_EVENT(CollisionBeginEvent);
SOFA_STEP_EVENT(CollisionEndEvent);
SOFA_STEP_EVENT(IntegrateBeginEvent);
SOFA_STEP_EVENT(IntegrateEndEvent);
SOFA_STEP_EVENT(UpdateMappingEndEvent);
#undef SOFA_STEP_EVENT

/// The scene was initialised: it is in the state in which it begins.
class SimulationInitDoneEvent : public Event
{
public:
    const char* name() const override { return "SimulationInitDoneEvent"; }
};

/// A key of the keyboard was pressed or released in a window.
class KeyEvent : public Event
{
public:
    KeyEvent(char key, bool pressed) : m_key(key), m_pressed(pressed) {}
    const char* name() const override { return m_pressed ? "KeypressedEvent" : "KeyreleasedEvent"; }
    char key() const { return m_key; }
    bool pressed() const { return m_pressed; }

private:
    char m_key;
    bool m_pressed;
};

}  // namespace sofa::core
