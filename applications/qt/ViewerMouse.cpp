// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The viewer's mouse and keys: the camera, what is picked, and interaction with the scene.
#include <QApplication>
#include <QMouseEvent>

#include "applications/qt/FollowedPlace.h"
#include "applications/qt/ViewerShared.h"
#include "core/log/Message.h"

namespace sofa::qt {

namespace {

std::optional<MouseButton> buttonOf(Qt::MouseButton b)
{
    switch (b) {
        case Qt::LeftButton:
            return MouseButton::Left;
        case Qt::MiddleButton:
            return MouseButton::Middle;
        case Qt::RightButton:
            return MouseButton::Right;
        default:
            return {};
    }
}

}  // namespace

// --- Interaction ----------------------------------------------------------------------------------------------------

PickRay Viewer::rayAt(const QPointF& p) const
{
    const gl::Ray ray = m_camera.ray(p.x(), p.y());
    return {ray.origin, ray.direction, RigidCoord3{m_camera.position, m_camera.orientation}};
}

double Viewer::cutDepth(const QPointF& p) const
{
    const auto plane = cutPlane();
    if (!plane) return 0.;
    const gl::Ray ray = m_camera.ray(p.x(), p.y());
    const Vec3 normal{(*plane)[0], (*plane)[1], (*plane)[2]};
    const double inside = dot(normal, ray.origin) + (*plane)[3], slope = dot(normal, ray.direction);
    if (inside >= 0.) return 0.;
    // A ray that never comes out meets nothing.
    return slope > 0. ? -inside / slope : 2. * m_camera.zFar;
}

/// The ray begins farther away.
static PickRay begunAt(PickRay ray, double distance)
{
    ray.origin = ray.at(distance);
    return ray;
}

bool Viewer::picksOnlyCollisionModels() const
{
    return m_frame.drawList && m_frame.drawList->viewer && m_frame.drawList->viewer->picksOnlyCollisionModels;
}

double Viewer::tolerance() const { return 6. * m_camera.pixelSize(m_camera.target); }

void Viewer::setMicroSofaMode(bool on)
{
    if (m_microSofa == on) return;
    m_microSofa = on;
    update();
    Q_EMIT microSofaModeChanged(on);
}

void Viewer::setOperation(MouseButton button, const QString& performer)
{
    m_operations[numberOf(button)] = performer;
    const auto info = performers().find(performer.toStdString());
    if (info && info->strength) m_settings[numberOf(button)].*info->strength->value = info->strength->usual;
    Q_EMIT operationsChanged();
}

void Viewer::setStrength(MouseButton button, double strength)
{
    const auto info = performers().find(operation(button).toStdString());
    if (info && info->strength) m_settings[numberOf(button)].*info->strength->value = strength;
    Q_EMIT operationsChanged();
}

double Viewer::strength(MouseButton button) const
{
    const auto info = performers().find(operation(button).toStdString());
    return info && info->strength ? m_settings[numberOf(button)].*info->strength->value : 0.;
}

bool Viewer::startInteraction(Qt::MouseButton qtButton, const QPointF& p)
{
    const auto button = buttonOf(qtButton);
    if (!button || !m_shared || !m_session.isOpen()) return false;
    endInteraction();
    m_interacting = qtButton;
    m_raysFrom = cutDepth(p);
    const auto shared = m_shared;
    // In the mode of microSofa the two buttons have their own work, without changing what Shift does.
    std::optional<MouseInteractor::Binding> own;
    const auto number = numberOf(*button);
    if (m_microSofa && *button == MouseButton::Left) own = {"AttachBody", m_settings[0]};
    if (m_microSofa && *button == MouseButton::Right) own = {"FixParticle", {.stiffness = 10000.}};
    const MouseInteractor::Binding usual{m_operations[number].toStdString(), m_settings[number]};
    m_session.thread()->post([this, shared, own, usual, button = *button, ray = begunAt(rayAt(p), m_raysFrom),
                              reach = tolerance(), only = picksOnlyCollisionModels()](Simulation&) {
        if (!shared->interactor) return;
        shared->interactor->setTolerance(reach);
        shared->interactor->setPicksOnlyCollisionModels(only);
        shared->interactor->bind(button, own ? *own : usual);
        if (!shared->interactor->press(button, ray)) tellRefusal(*shared->interactor);
    });
    return true;
}

void Viewer::tellRefusal(const MouseInteractor& m)
{
    QMetaObject::invokeMethod(
        this, [this, reason = QString::fromStdString(m.reason())] { Q_EMIT interactionRefused(reason); },
        Qt::QueuedConnection);
}

void Viewer::endInteraction()
{
    if (m_interacting == Qt::NoButton) return;
    m_interacting = Qt::NoButton;
    const auto shared = m_shared;
    if (shared && m_session.isOpen())
        m_session.thread()->post([this, shared](Simulation&) {
            if (shared->interactor && !shared->interactor->release()) tellRefusal(*shared->interactor);
        });
}

void Viewer::releaseFixed()
{
    const auto shared = m_shared;
    if (shared && m_session.isOpen())
        m_session.thread()->post([shared](Simulation&) {
            if (shared->interactor) shared->interactor->releaseAll();
        });
}

void Viewer::setUnderCursor(const UnderCursor& under)
{
    m_under = under;
    Q_EMIT underCursorChanged();
}

void Viewer::ask(const QPointF& at, std::function<void(const UnderCursor&)> then)
{
    if (!m_session.isOpen() || !m_frame.drawList || !m_shared) return;
    // What is drawn, for scenes in which nothing can be picked by mechanics: visual models.
    UnderCursor drawn;
    std::optional<gl::Pick> seen;
    const bool only = picksOnlyCollisionModels();
    if (m_renderer && !only) {
        makeCurrent();
        try {
            seen = m_renderer->pick(*m_frame.drawList, m_camera, at.x(), at.y());
            if (seen) drawn = UnderCursor::of(*seen, *m_frame.drawList);
        } catch (const std::exception& e) {
            MessageLog::emit(Severity::Warning, e.what());
        }
        doneCurrent();
    }
    const auto shared = m_shared;
    m_session.thread()->inspect([this, shared, drawn, seen, only, thread = m_session.thread(), then = std::move(then),
                                 ray = begunAt(rayAt(at), cutDepth(at)), reach = tolerance()](Simulation& s) {
        UnderCursor found = drawn;
        if (const auto picked = only ? pickColliding(s.root(), ray) : pick(s.root(), ray, reach))
            found = UnderCursor::of(*picked);
        if (seen && seen->primitive == gl::Pick::Primitive::Triangle)
            if (const auto v = thread->valueAt(seen->slot, seen->index, seen->position))
                found.value = fieldText(v->field, v->value);
        QMetaObject::invokeMethod(
            this,
            [this, shared, found, then] {
                if (shared == m_shared) then(found);
            },
            Qt::QueuedConnection);
    });
}

void Viewer::click(const QPointF& at)
{
    if (m_hasCube && m_cube.contains(at)) {
        if (const auto side = m_cube.sideAt(at)) lookFrom(*side);
        return;
    }
    if (m_placeTaker)
        takePlace(at);
    else
        ask(at, [this](const UnderCursor& under) { Q_EMIT clicked(under.path); });
}

void Viewer::setPlaceTaker(std::function<void(const Place&, const Vec3&)> taker)
{
    m_placeTaker = std::move(taker);
    setCursor(m_placeTaker ? Qt::CrossCursor : Qt::ArrowCursor);
}

void Viewer::takePlace(const QPointF& at)
{
    if (!m_session.isOpen()) return;
    const bool only = picksOnlyCollisionModels();
    m_session.thread()->inspect(
        [this, shared = m_shared, only, ray = begunAt(rayAt(at), cutDepth(at)), reach = tolerance()](Simulation& s) {
            const auto picked = only ? pickColliding(s.root(), ray) : pick(s.root(), ray, reach);
            const Place place = picked ? placeOn(*picked) : Place();
            const Vec3 now = picked ? picked->point : Vec3{};
            QMetaObject::invokeMethod(
                this,
                [this, shared, place, now] {
                    if (shared != m_shared) return;
                    if (!place)
                        Q_EMIT interactionRefused(tr("nothing is there"));
                    else if (m_placeTaker)
                        m_placeTaker(place, now);
                },
                Qt::QueuedConnection);
        });
}

void Viewer::mousePressEvent(QMouseEvent* e)
{
    setFocus(Qt::MouseFocusReason);
    m_last = m_pressed = e->position();
    m_dragged = false;
    const bool shift = e->modifiers().testFlag(Qt::ShiftModifier);
    const bool micro = m_microSofa && (e->button() == Qt::LeftButton || e->button() == Qt::RightButton);
    if (shift || micro) startInteraction(e->button(), e->position());
    e->accept();
}

void Viewer::mouseDoubleClickEvent(QMouseEvent* e)
{
    mousePressEvent(e);
    const bool onCube = m_hasCube && m_cube.contains(e->position());
    if (e->button() == Qt::LeftButton && m_interacting == Qt::NoButton && !onCube) setPivotAt(e->position());
}

void Viewer::mouseMoveEvent(QMouseEvent* e)
{
    const QPointF from = m_last, to = e->position();
    m_last = to;
    if ((to - m_pressed).manhattanLength() >= QApplication::startDragDistance()) m_dragged = true;
    if (m_interacting != Qt::NoButton) {
        const auto shared = m_shared;
        bool first = false;
        {
            // Motions that come while a step runs are one.
            const std::lock_guard lock(shared->mutex);
            first = !shared->motion;
            shared->motion = begunAt(rayAt(to), m_raysFrom);
        }
        if (first)
            m_session.thread()->post([this, shared](Simulation&) {
                std::optional<PickRay> ray;
                {
                    const std::lock_guard lock(shared->mutex);
                    std::swap(ray, shared->motion);
                }
                if (ray && shared->interactor && !shared->interactor->move(*ray)) tellRefusal(*shared->interactor);
            });
        return;
    }
    if (e->buttons().testFlag(m_choices.buttons[0])) {
        m_camera.rotate(from.x(), from.y(), to.x(), to.y(), m_pivot.value_or(m_camera.target));
        changed();
    } else if (e->buttons().testFlag(m_choices.buttons[1])) {
        m_camera.pan(to.x() - from.x(), to.y() - from.y());
        changed();
    } else if (e->buttons().testFlag(m_choices.buttons[2])) {
        m_camera.zoom(std::exp((from.y() - to.y()) / 150.));
        changed();
    } else if (m_hasCube && (m_cube.contains(from) || m_cube.contains(to))) {
        update();
    } else {
        m_hover.start();
    }
}

void Viewer::mouseReleaseEvent(QMouseEvent* e)
{
    if (e->button() == m_interacting)
        endInteraction();
    else if (e->button() == Qt::LeftButton && !m_dragged)
        click(e->position());
}

void Viewer::wheelEvent(QWheelEvent* e)
{
    m_camera.zoom(std::exp(m_choices.wheel * e->angleDelta().y() / 960.));
    changed();
    e->accept();
}

void Viewer::leaveEvent(QEvent*)
{
    m_hover.stop();
    setUnderCursor({});
}

void Viewer::keyPressEvent(QKeyEvent* e)
{
    if (!pressed(e)) QOpenGLWidget::keyPressEvent(e);
}

bool Viewer::pressed(QKeyEvent* e)
{
    using F = DisplayFlags;
    const auto toggle = [this](std::initializer_list<F::Flag> flags) { setShown(flags, !isShown(*flags.begin())); };
    const double turn = 15.;  // pixels
    const double x = width() / 2., y = height() / 2.;
    const auto rotate = [&](double toX, double toY) {
        m_camera.rotate(x, y, toX, toY, m_pivot.value_or(m_camera.target));
        changed();
    };
    switch (e->key()) {
        case Qt::Key_F1:
            setInformation(!m_information);
            break;
        case Qt::Key_F2:
            toggle({F::VisualModels});
            break;
        case Qt::Key_F3:
            toggle({F::BehaviorModels});
            break;
        case Qt::Key_F4:
            toggle({F::ForceFields});
            break;
        case Qt::Key_F5:
            toggle({F::Mappings, F::MechanicalMappings});
            break;
        case Qt::Key_F6:
            toggle({F::Wireframe});
            break;
        case Qt::Key_U:
            releaseFixed();
            break;
        case Qt::Key_Escape:
            Q_EMIT clicked({});
            break;
        case Qt::Key_Left:
            rotate(x - turn, y);
            break;
        case Qt::Key_Right:
            rotate(x + turn, y);
            break;
        case Qt::Key_Up:
            rotate(x, y - turn);
            break;
        case Qt::Key_Down:
            rotate(x, y + turn);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            m_camera.zoom(1.1), changed();
            break;
        case Qt::Key_Minus:
            m_camera.zoom(1. / 1.1), changed();
            break;
        default:
            return false;
    }
    return true;
}

}  // namespace sofa::qt
