// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/SceneInput.h"

#include <QMouseEvent>
#include <cmath>
#include <optional>

#include "applications/qt/Viewer.h"
#include "core/interaction/MouseMotionEvent.h"
#include "core/interaction/MouseWheelEvent.h"

namespace sofa::qt {

namespace {

/// The character of a key; nothing for keys that are none.
std::optional<char> characterOf(int key)
{
    if (key > 0 && key < 0x80) return static_cast<char>(key);
    switch (key) {
        case Qt::Key_Left:
            return 18;
        case Qt::Key_Up:
            return 19;
        case Qt::Key_Right:
            return 20;
        case Qt::Key_Down:
            return 21;
        default:
            return {};
    }
}

core::MouseButton sceneButton(Qt::MouseButton b)
{
    return b == Qt::LeftButton    ? core::MouseButton::Left
           : b == Qt::RightButton ? core::MouseButton::Right
                                  : core::MouseButton::Middle;
}

bool isSceneButton(Qt::MouseButton b) { return b == Qt::LeftButton || b == Qt::MiddleButton || b == Qt::RightButton; }

}  // namespace

SceneInput::SceneInput(Session& session, Viewer& viewer) : QObject(&viewer), m_session(session), m_viewer(viewer)
{
    viewer.installEventFilter(this);
    connect(&session, &Session::opened, this, [this] { m_keys.clear(), m_buttons.clear(); });
}

template <class Event>
void SceneInput::send(Event event)
{
    if (!m_session.isOpen()) return;
    m_session.thread()->post([event](Simulation& s) { s.root().propagateEvent(event); });
}

core::MousePlace SceneInput::placeAt(const QPointF& p) const
{
    core::MousePlace place;
    place.x = static_cast<int>(std::floor(p.x()));
    place.y = static_cast<int>(std::floor(p.y()));
    place.ray = m_viewer.rayAt(p);
    place.left = m_buttons.contains(Qt::LeftButton);
    place.middle = m_buttons.contains(Qt::MiddleButton);
    place.right = m_buttons.contains(Qt::RightButton);
    return place;
}

bool SceneInput::eventFilter(QObject*, QEvent* e)
{
    switch (e->type()) {
        case QEvent::KeyPress:
            return key(static_cast<QKeyEvent&>(*e), true);
        case QEvent::KeyRelease:
            return key(static_cast<QKeyEvent&>(*e), false);
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonDblClick:
            return button(static_cast<QMouseEvent&>(*e), true);
        case QEvent::MouseButtonRelease:
            return button(static_cast<QMouseEvent&>(*e), false);
        case QEvent::MouseMove:
            return motion(static_cast<QMouseEvent&>(*e));
        case QEvent::Wheel:
            return wheel(static_cast<QWheelEvent&>(*e));
        case QEvent::FocusOut:
            letGo();
            return false;
        default:
            return false;
    }
}

bool SceneInput::key(const QKeyEvent& e, bool pressed)
{
    const auto c = characterOf(e.key());
    if (!c) return false;
    const bool down = m_keys.contains(*c);
    if (pressed ? !down && !e.modifiers().testFlag(Qt::ControlModifier) : !down) return false;
    if (e.isAutoRepeat() || pressed == down) return true;
    if (pressed)
        m_keys.insert(*c);
    else
        m_keys.erase(*c);
    send(core::KeyEvent(*c, pressed));
    return true;
}

bool SceneInput::button(const QMouseEvent& e, bool pressed)
{
    if (!isSceneButton(e.button())) return false;
    const bool down = m_buttons.contains(e.button());
    // Shift is for operations, also with Ctrl.
    const bool wanted = e.modifiers().testFlag(Qt::ControlModifier) && !e.modifiers().testFlag(Qt::ShiftModifier);
    if (pressed ? !wanted : !down) return false;
    m_last = e.position();
    if (pressed == down) return true;
    if (pressed) {
        m_viewer.setFocus(Qt::MouseFocusReason);
        m_buttons.insert(e.button());
    } else {
        m_buttons.erase(e.button());
    }
    send(core::MouseButtonEvent(sceneButton(e.button()), pressed, placeAt(e.position())));
    return true;
}

bool SceneInput::motion(const QMouseEvent& e)
{
    const QPointF from = m_last;
    m_last = e.position();
    const bool free = e.buttons() == Qt::NoButton && e.modifiers().testFlag(Qt::ControlModifier);
    if (m_buttons.empty() && !free) return false;
    const core::MousePlace place = placeAt(m_last);
    const int dx = place.x - static_cast<int>(std::floor(from.x())),
              dy = place.y - static_cast<int>(std::floor(from.y()));
    if (dx != 0 || dy != 0) send(core::MouseMotionEvent(dx, dy, place));
    return !m_buttons.empty();
}

bool SceneInput::wheel(const QWheelEvent& e)
{
    if (!e.modifiers().testFlag(Qt::ControlModifier)) return false;
    send(core::MouseWheelEvent(e.angleDelta().y() / 120., placeAt(e.position())));
    return true;
}

void SceneInput::letGo()
{
    for (const char c : std::exchange(m_keys, {})) send(core::KeyEvent(c, false));
    while (!m_buttons.empty()) {
        const Qt::MouseButton b = *m_buttons.begin();
        m_buttons.erase(b);
        send(core::MouseButtonEvent(sceneButton(b), false, placeAt(m_last)));
    }
}

}  // namespace sofa::qt
