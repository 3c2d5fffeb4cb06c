// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QObject>
#include <QPointF>
#include <set>

#include "core/interaction/MousePlace.h"

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace sofa::qt {

class Session;
class Viewer;

/// Hands keys, motions and buttons of the mouse and its wheel to the components of the scene while Ctrl is held, in the
/// thread of the simulation between two steps and in the order in which they came: KeyEvent, MouseMotionEvent (in
/// pixels), MouseButtonEvent, MouseWheelEvent. What was pressed with Ctrl is released whether or not Ctrl still is
/// held, and when the view loses the focus. A key that repeats is one press. Shortcuts of the window go first.
///
/// Keys are characters, letters in upper case; arrows are 18 (left), 19 (up), 20 (right) and 21 (down), as in SOFA.
class SceneInput final : public QObject
{
public:
    /// Listens to the events of the viewer, which owns it.
    SceneInput(Session& session, Viewer& viewer);
    bool eventFilter(QObject* object, QEvent* e) override;

private:
    bool key(const QKeyEvent& e, bool pressed);
    bool button(const QMouseEvent& e, bool pressed);
    bool motion(const QMouseEvent& e);
    bool wheel(const QWheelEvent& e);
    void letGo();
    core::MousePlace placeAt(const QPointF& p) const;
    template <class Event>
    void send(Event event);

    Session& m_session;
    Viewer& m_viewer;
    std::set<char> m_keys;  ///< pressed, and not released yet
    std::set<Qt::MouseButton> m_buttons;
    QPointF m_last;
};

}  // namespace sofa::qt
