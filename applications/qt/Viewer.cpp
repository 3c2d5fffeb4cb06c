// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/Viewer.h"

#include <QFileInfo>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPainter>
#include <atomic>

#include "applications/gl/ViewFiles.h"
#include "applications/qt/InformationOverlay.h"
#include "applications/qt/SceneInput.h"
#include "core/log/Message.h"

namespace sofa::qt {

/// Only touched in the thread of the simulation, but for the mutex's part.
struct Viewer::Shared
{
    std::unique_ptr<MouseInteractor> interactor;
    std::optional<PickRay> motion;  ///< where the mouse went since; under the mutex
    QStringList solvers;            ///< iterations of solvers in the last step; under the mutex
    std::atomic<bool> wantSolvers{false};
    std::mutex mutex;
};

namespace {

constexpr std::size_t numberOf(MouseButton b) { return static_cast<std::size_t>(b); }

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

Viewer::Viewer(Session& session, QWidget* parent) : QOpenGLWidget(parent), m_session(session)
{
    setObjectName("viewer");
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
    setAccessibleName(tr("View of the scene"));
    setOperation(MouseButton::Left, QStringLiteral("AttachBody"));
    setOperation(MouseButton::Middle, QStringLiteral("InertialAttachBody"));
    setOperation(MouseButton::Right, QStringLiteral("FixParticle"));
    m_hover.setSingleShot(true);
    m_hover.setInterval(60);
    connect(&m_hover, &QTimer::timeout, this, &Viewer::askUnderCursor);
    connect(&session, &Session::opened, this, &Viewer::sceneOpened);
    connect(&session, &Session::closing, this, &Viewer::sceneClosing);
    connect(&session, &Session::frameReady, this, &Viewer::fetch);
    new SceneInput(session, *this);
    if (session.isOpen()) sceneOpened();
}

Viewer::~Viewer()
{
    if (m_session.isOpen()) sceneClosing();
    releaseRenderer();
}

// --- Frames -------------------------------------------------------------------------------------------------------

void Viewer::initializeGL()
{
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &Viewer::releaseRenderer, Qt::UniqueConnection);
    try {
        m_renderer = std::make_unique<gl::Renderer>([](const char* name) {
            return reinterpret_cast<void*>(QOpenGLContext::currentContext()->getProcAddress(name));
        });
        m_rendererText = QString::fromStdString(m_renderer->description());
    } catch (const std::exception& e) {
        m_renderer.reset();
        m_rendererText = tr("The scene cannot be drawn: %1").arg(e.what());
        MessageLog::emit(Severity::Error, m_rendererText.toStdString());
    }
}

void Viewer::releaseRenderer()
{
    if (!m_renderer || !context()) return;
    makeCurrent();
    m_renderer.reset();
    doneCurrent();
}

void Viewer::resizeGL(int, int)
{
    // Everything is seen in a view of another shape, too, until the user has chosen what to see.
    if (m_fitted) resetView();
    Q_EMIT cameraChanged();
}

gl::Camera Viewer::deviceCamera() const
{
    gl::Camera camera = m_camera;
    camera.width = std::max(1, static_cast<int>(std::lround(width() * devicePixelRatioF())));
    camera.height = std::max(1, static_cast<int>(std::lround(height() * devicePixelRatioF())));
    return camera;
}

gl::RenderSettings Viewer::renderSettings() const
{
    // QPainter, which writes over the image, leaves this off.
    constexpr GLenum multisample = 0x809D;  // GL_MULTISAMPLE
    QOpenGLContext::currentContext()->functions()->glEnable(multisample);
    gl::RenderSettings settings;
    settings.pixelRatio = devicePixelRatioF();
    settings.surroundings = true;
    return settings;
}

void Viewer::paintGL()
{
    m_camera.width = std::max(1, width());
    m_camera.height = std::max(1, height());
    if (m_renderer && m_frame.drawList) {
        try {
            m_renderer->draw(*m_frame.drawList, deviceCamera(), renderSettings(), defaultFramebufferObject());
        } catch (const std::exception& e) {
            m_renderer.reset();
            m_rendererText = tr("The scene cannot be drawn: %1").arg(e.what());
            MessageLog::emit(Severity::Error, m_rendererText.toStdString());
        }
    }
    QPainter p(this);
    if (!m_renderer || !m_frame.drawList) {
        p.fillRect(rect(), palette().window());
        p.setPen(palette().windowText().color());
        p.drawText(
            rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap,
            !m_renderer ? m_rendererText : tr("No scene is open.\n\nOpen one with Ctrl+O, or drop a file here."));
    }
    if (m_information) drawOverlay(p, informationLines(), width());
    m_rate.count();
    Q_EMIT frameShown();
}

void Viewer::fetch()
{
    if (!m_session.isOpen()) return;
    m_frame = m_session.frame();
    if (m_viewPending && m_frame.drawList) {
        m_viewPending = false;
        if (m_keepView) {
            m_keepView = false;
        } else {
            Q_EMIT windowWanted(m_frame.drawList->viewer.value_or(ViewerDescription{}));
            resetView();
        }
    } else if (m_frame.drawList && m_frame.drawList->camera && m_frame.drawList->camera->scripted) {
        m_camera.apply(*m_frame.drawList->camera);
        Q_EMIT cameraChanged();
    }
    if (m_frame.drawList) m_camera.computeClipping(m_frame.drawList->box);
    update();
}

QImage Viewer::image()
{
    if (!m_renderer || !m_frame.drawList) return grabFramebuffer();
    makeCurrent();
    gl::Image image;
    try {
        m_renderer->draw(*m_frame.drawList, deviceCamera(), renderSettings());
        image = m_renderer->image();
    } catch (const std::exception& e) {
        MessageLog::emit(Severity::Error, e.what());
    }
    doneCurrent();
    if (image.empty()) return {};
    const auto format = image.channels == 4 ? QImage::Format_RGBA8888 : QImage::Format_RGB888;
    // A copy: the pixels below are gone when this returns.
    return QImage(image.pixels.data(), image.width, image.height, image.width * image.channels, format).copy();
}

QStringList Viewer::informationLines() const
{
    QStringList lines;
    if (!m_frame.drawList) return lines;
    lines << tr("time %1 s, step %2, dt %3 s").arg(m_frame.time, 0, 'f', 4).arg(m_frame.step).arg(m_frame.dt);
    lines << tr("step %1 ms, %2 steps/s, %3 frames/s")
                 .arg(m_frame.stepSeconds * 1e3, 0, 'f', 2)
                 .arg(m_frame.stepsPerSecond, 0, 'f', 1)
                 .arg(m_rate.perSecond(), 0, 'f', 0);
    if (m_shared) {
        const std::lock_guard lock(m_shared->mutex);
        lines += m_shared->solvers.mid(0, 8);
        if (m_shared->solvers.size() > 8) lines << tr("... %1 more solvers").arg(m_shared->solvers.size() - 8);
    }
    if (m_renderer) {
        const gl::RenderStatistics& s = m_renderer->statistics();
        lines << tr("%1 triangles, %2 draw calls, %3 uploads").arg(s.triangles).arg(s.drawCalls).arg(s.uploads);
    }
    if (m_microSofa) lines << tr("microSofa mode: left pulls, right fixes");
    return lines;
}

void Viewer::setInformation(bool on)
{
    if (m_information == on) return;
    m_information = on;
    if (m_shared) m_shared->wantSolvers = on;
    if (on && m_session.isOpen()) m_session.thread()->post([](Simulation&) {});  // listeners look now
    update();
    Q_EMIT informationChanged(on);
}

// --- Scenes ---------------------------------------------------------------------------------------------------------

void Viewer::sceneOpened()
{
    m_viewPending = true;
    m_interacting = Qt::NoButton;
    m_shared = std::make_shared<Shared>();
    m_shared->wantSolvers = m_information;
    setUnderCursor({});
    const auto shared = m_shared;
    std::array<MouseInteractor::Binding, 3> bindings;
    std::array<bool, 3> given{};
    // What the scene says about buttons holds for this scene; the user may change it.
    m_session.thread()->call([&, shared](Simulation& s) {
        shared->interactor = std::make_unique<MouseInteractor>(s.root());
        m_sceneFlags = displayFlagsOf(s.root());
        m_gravity = s.root().gravity();
        for (const auto* setting : s.root().getAll<core::ButtonSetting>(Search::Down))
            given[numberOf(setting->mouseButton())] = true;
        for (const MouseButton b : {MouseButton::Left, MouseButton::Middle, MouseButton::Right})
            bindings[numberOf(b)] = shared->interactor->binding(b);
    });
    m_session.thread()->addListener([shared](Simulation& s, SimulationThread::Change) {
        if (!shared->wantSolvers) return;
        QStringList lines = solverLines(s.root());
        const std::lock_guard lock(shared->mutex);
        shared->solvers = std::move(lines);
    });
    for (std::size_t i = 0; i < 3; ++i) {
        if (!given[i]) continue;
        m_operations[i] = QString::fromStdString(bindings[i].performer);
        m_settings[i] = bindings[i].settings;
    }
    m_session.thread()->setDisplayFlags(m_flags);
    Q_EMIT operationsChanged();
    Q_EMIT displayFlagsChanged();
}

void Viewer::sceneClosing()
{
    endInteraction();
    const auto shared = m_shared;
    if (shared) m_session.thread()->call([shared](Simulation&) { shared->interactor.reset(); });
    m_shared.reset();
    m_frame = {};
    setUnderCursor({});
}

void Viewer::setDisplayFlags(const DisplayFlags& flags)
{
    m_flags = flags;
    if (m_session.isOpen()) m_session.thread()->setDisplayFlags(flags);
    Q_EMIT displayFlagsChanged();
}

void Viewer::setSelection(const QString& path)
{
    if (m_session.isOpen()) m_session.thread()->setSelection(path.toStdString());
}

void Viewer::setShown(std::initializer_list<DisplayFlags::Flag> which, bool on)
{
    DisplayFlags flags = m_flags;
    for (const DisplayFlags::Flag f : which) flags.set(f, on ? DisplayFlags::State::On : DisplayFlags::State::Off);
    setDisplayFlags(flags);
}

// --- View -----------------------------------------------------------------------------------------------------------

void Viewer::changed()
{
    m_fitted = false;
    if (m_frame.drawList) m_camera.computeClipping(m_frame.drawList->box);
    update();
    Q_EMIT cameraChanged();
}

void Viewer::setCamera(const gl::Camera& camera)
{
    m_camera = camera;
    changed();
}

QString Viewer::viewFile() const
{
    if (!m_viewFile.isEmpty()) return m_viewFile;
    const std::string scene = m_session.path().toStdString();
    return scene.empty() ? QString() : QString::fromStdString(gl::viewFileFor(scene));
}

void Viewer::resetView()
{
    if (!m_frame.drawList) return;
    gl::Camera camera;
    camera.width = std::max(1, width());
    camera.height = std::max(1, height());
    const QString chosen = QFileInfo(m_viewFile).isFile() ? m_viewFile : QString();
    bool all = false;
    try {
        all = gl::firstView(camera, *m_frame.drawList, m_gravity, m_session.path().toStdString(), chosen.toStdString());
    } catch (const std::exception& e) {
        MessageLog::emit(Severity::Warning, e.what());
    }
    setCamera(camera);
    m_fitted = all;
}

void Viewer::fitView()
{
    if (!m_frame.drawList) return;
    m_camera.fit(m_frame.drawList->box);
    changed();
}

void Viewer::saveView() const
{
    const QString file = viewFile();
    if (file.isEmpty()) throw std::runtime_error("the scene has no file beside which its view could be saved");
    m_camera.save(file.toStdString());
}

// --- Interaction ----------------------------------------------------------------------------------------------------

PickRay Viewer::rayAt(const QPointF& p) const
{
    const gl::Ray ray = m_camera.ray(p.x(), p.y());
    return {ray.origin, ray.direction, RigidCoord3{m_camera.position, m_camera.orientation}};
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
    const auto shared = m_shared;
    // In the mode of microSofa the two buttons have their own work, without changing what Shift does.
    std::optional<MouseInteractor::Binding> own;
    const auto number = numberOf(*button);
    if (m_microSofa && *button == MouseButton::Left) own = {"AttachBody", m_settings[0]};
    if (m_microSofa && *button == MouseButton::Right) own = {"FixParticle", {.stiffness = 10000.}};
    const MouseInteractor::Binding usual{m_operations[number].toStdString(), m_settings[number]};
    m_session.thread()->post([this, shared, own, usual, button = *button, ray = rayAt(p), reach = tolerance(),
                              only = picksOnlyCollisionModels()](Simulation&) {
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

void Viewer::askUnderCursor()
{
    if (!m_session.isOpen() || !m_frame.drawList || !m_shared) return;
    // What is drawn, for scenes in which nothing can be picked by mechanics: visual models.
    UnderCursor drawn;
    const bool only = picksOnlyCollisionModels();
    if (m_renderer && !only) {
        makeCurrent();
        try {
            if (const auto pick = m_renderer->pick(*m_frame.drawList, m_camera, m_last.x(), m_last.y()))
                drawn = UnderCursor::of(*pick, *m_frame.drawList);
        } catch (const std::exception& e) {
            MessageLog::emit(Severity::Warning, e.what());
        }
        doneCurrent();
    }
    const auto shared = m_shared;
    m_session.thread()->post([this, shared, drawn, only, ray = rayAt(m_last), reach = tolerance()](Simulation& s) {
        UnderCursor found = drawn;
        if (const auto picked = only ? pickColliding(s.root(), ray) : pick(s.root(), ray, reach))
            found = UnderCursor::of(*picked);
        QMetaObject::invokeMethod(
            this,
            [this, shared, found] {
                if (shared == m_shared) setUnderCursor(found);
            },
            Qt::QueuedConnection);
    });
}

void Viewer::mousePressEvent(QMouseEvent* e)
{
    setFocus(Qt::MouseFocusReason);
    m_last = e->position();
    const bool shift = e->modifiers().testFlag(Qt::ShiftModifier);
    const bool micro = m_microSofa && (e->button() == Qt::LeftButton || e->button() == Qt::RightButton);
    if (shift || micro) startInteraction(e->button(), e->position());
    e->accept();
}

void Viewer::mouseDoubleClickEvent(QMouseEvent* e) { mousePressEvent(e); }

void Viewer::mouseMoveEvent(QMouseEvent* e)
{
    const QPointF from = m_last, to = e->position();
    m_last = to;
    if (m_interacting != Qt::NoButton) {
        const auto shared = m_shared;
        bool first = false;
        {
            // Motions that come while a step runs are one.
            const std::lock_guard lock(shared->mutex);
            first = !shared->motion;
            shared->motion = rayAt(to);
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
    if (e->buttons().testFlag(Qt::LeftButton)) {
        m_camera.rotate(from.x(), from.y(), to.x(), to.y());
        changed();
    } else if (e->buttons().testFlag(Qt::RightButton)) {
        m_camera.pan(to.x() - from.x(), to.y() - from.y());
        changed();
    } else if (e->buttons().testFlag(Qt::MiddleButton)) {
        m_camera.zoom(std::exp((from.y() - to.y()) / 150.));
        changed();
    } else {
        m_hover.start();
    }
}

void Viewer::mouseReleaseEvent(QMouseEvent* e)
{
    if (e->button() == m_interacting) endInteraction();
}

void Viewer::wheelEvent(QWheelEvent* e)
{
    m_camera.zoom(std::exp(e->angleDelta().y() / 960.));
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
        case Qt::Key_Left:
            m_camera.rotate(x, y, x - turn, y), changed();
            break;
        case Qt::Key_Right:
            m_camera.rotate(x, y, x + turn, y), changed();
            break;
        case Qt::Key_Up:
            m_camera.rotate(x, y, x, y - turn), changed();
            break;
        case Qt::Key_Down:
            m_camera.rotate(x, y, x, y + turn), changed();
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
