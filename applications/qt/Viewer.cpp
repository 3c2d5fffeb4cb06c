// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/Viewer.h"

#include <QFileInfo>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPainter>

#include "applications/gl/ViewFiles.h"
#include "applications/qt/InformationOverlay.h"
#include "applications/qt/Preferences.h"
#include "applications/qt/SceneInput.h"
#include "applications/qt/ViewerShared.h"
#include "core/log/Message.h"
#include "core/scene/SceneSnapshot.h"
#include "core/visual/SelectionDrawing.h"

namespace sofa::qt {

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
    connect(&m_hover, &QTimer::timeout, this,
            [this] { ask(m_last, [this](const UnderCursor& under) { setUnderCursor(under); }); });
    connect(&session, &Session::opened, this, &Viewer::sceneOpened);
    connect(&session, &Session::closing, this, &Viewer::sceneClosing);
    connect(&session, &Session::frameReady, this, &Viewer::fetch);
    new SceneInput(session, *this);
    connect(&Preferences::instance(), &Preferences::changed, this, &Viewer::readPreferences);
    readPreferences();
    if (session.isOpen()) sceneOpened();
}

void Viewer::readPreferences()
{
    m_choices.background = QColor(Preferences::value(Preferences::background).toString());
    m_choices.smooth = Preferences::value(Preferences::smooth).toBool();
    m_choices.wheel = std::clamp(Preferences::value(Preferences::wheel).toInt(), 10, 500) / 100.;
    for (int i = 0; i < 3; ++i) m_choices.buttons[static_cast<std::size_t>(i)] = Preferences::button(i);
    update();
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
    settings.samples = m_choices.smooth ? 4 : 1;
    if (const QColor& c = m_choices.background; c.isValid()) {
        settings.sky = false;
        settings.background = {c.redF(), c.greenF(), c.blueF()};
    }
    if (const auto plane = cutPlane()) settings.clip = Vec<4, float>(*plane);
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
    if (m_renderer && m_frame.drawList) drawOver(p);
    if (m_information) drawOverlay(p, informationLines(), width());
    m_rate.count();
    Q_EMIT frameShown();
}

void Viewer::drawOver(QPainter& p)
{
    if (m_pivot)
        if (const auto at = m_camera.project(*m_pivot)) {
            p.setRenderHint(QPainter::Antialiasing);
            const QPointF centre((*at)[0], (*at)[1]);
            for (const auto& [color, wide] :
                 {std::pair(QColor(255, 255, 255, 180), 4.), std::pair(QColor(40, 90, 200), 2.)}) {
                p.setPen(QPen(color, wide));
                p.drawEllipse(centre, 7., 7.);
                p.drawPoint(centre);
            }
        }
    if (const auto force = pullingForce())
        drawNote(p, m_last + QPointF(16., -14.), tr("%1 N").arg(norm(*force), 0, 'g', 4), rect());
    if (m_overlay) {
        p.save();
        m_overlay(p);
        p.restore();
    }
    drawMarks(p);
    if (!m_hasCube) return;
    m_cube.place(m_camera, m_sides, size());
    m_cube.draw(p, m_last);
}

std::optional<Vec3> Viewer::pullingForce() const
{
    if (!m_shared || m_interacting == Qt::NoButton) return {};
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->force;
}

void Viewer::setMarks(std::vector<Mark> marks)
{
    m_marks = std::move(marks);
    update();
}

void Viewer::setOverlay(std::function<void(QPainter&)> paint)
{
    m_overlay = std::move(paint);
    update();
}

void Viewer::drawMarks(QPainter& p)
{
    p.setRenderHint(QPainter::Antialiasing);
    for (const Mark& mark : m_marks) {
        QPolygonF line;
        for (const Vec3& x : mark.points)
            if (const auto at = m_camera.project(x)) line << QPointF((*at)[0], (*at)[1]);
        if (line.size() != static_cast<qsizetype>(mark.points.size()) || line.isEmpty()) continue;
        for (const auto& [color, wide] :
             {std::pair(QColor(255, 255, 255, 200), 4.), std::pair(QColor(190, 40, 120), 2.)}) {
            p.setPen(QPen(color, wide, Qt::SolidLine, Qt::RoundCap));
            p.setBrush(Qt::NoBrush);
            p.drawPolyline(line);
            for (const QPointF& at : line) p.drawEllipse(at, 4., 4.);
        }
        // An angle is written at its corner, a distance in its middle.
        const QPointF at = line.size() == 2 ? (line[0] + line[1]) / 2. : line[line.size() / 2];
        drawNote(p, at + QPointF(10., -10.), mark.text, rect());
    }
}

void Viewer::setHidden(const QString& path, bool on)
{
    if (on)
        m_hidden.insert(path.toStdString());
    else
        m_hidden.erase(path.toStdString());
    if (m_session.isOpen()) m_session.thread()->setHidden(m_hidden);
}

void Viewer::showHidden()
{
    m_hidden.clear();
    if (m_session.isOpen()) m_session.thread()->setHidden({});
}

void Viewer::setRange(std::optional<std::array<double, 2>> range)
{
    if (m_session.isOpen()) m_session.thread()->setRange(field(), range);
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
    m_pivot.reset();
    m_hidden.clear();
    m_marks.clear();
    setCut({});
    m_selection.clear();
    m_session.thread()->call([&, shared](Simulation& s) {
        shared->interactor = std::make_unique<MouseInteractor>(s.root());
        m_sceneFlags = displayFlagsOf(s.root());
        m_gravity = s.root().gravity();
        for (const auto* setting : s.root().getAll<core::ButtonSetting>(Search::Down))
            given[numberOf(setting->mouseButton())] = true;
        for (const MouseButton b : {MouseButton::Left, MouseButton::Middle, MouseButton::Right})
            bindings[numberOf(b)] = shared->interactor->binding(b);
    });
    m_sides = SceneSides::of(m_gravity);
    m_session.thread()->addListener([shared](Simulation& s, SimulationThread::Change) {
        {
            const std::lock_guard lock(shared->mutex);
            shared->force = shared->interactor ? shared->interactor->force() : std::nullopt;
        }
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
    m_selection = path;
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
    m_pivot.reset();
    setCamera(camera);
    m_fitted = all;
}

void Viewer::fitView()
{
    if (!m_frame.drawList) return;
    m_pivot.reset();
    m_camera.fit(m_frame.drawList->box);
    changed();
}

void Viewer::fitSelection()
{
    if (m_selection.isEmpty() || !m_session.isOpen()) {
        fitView();
        return;
    }
    m_session.thread()->inspect([this, shared = m_shared, path = m_selection.toStdString()](Simulation& s) {
        const Base* object = findObject(s.root(), path);
        const BoundingBox box = object ? selectedBox(*object) : BoundingBox();
        QMetaObject::invokeMethod(
            this,
            [this, shared, box] {
                if (shared != m_shared || !m_frame.drawList) return;
                m_pivot.reset();
                m_camera.fit(box.valid() ? box : m_frame.drawList->box);
                changed();
            },
            Qt::QueuedConnection);
    });
}

void Viewer::lookFrom(const Vec3& side)
{
    const Vec3 d = normalized(m_sides.direction(side));
    const double high = dot(d, m_sides.top);
    // From above, the front is at the lower side.
    const Vec3 up = std::abs(high) < 0.99 ? m_sides.top : high > 0. ? -m_sides.front : m_sides.front;
    m_camera.lookAt(m_camera.target + d * m_camera.distance(), m_camera.target, up);
    changed();
}

void Viewer::setOrthographic(bool on)
{
    if (m_camera.orthographic == on) return;
    m_camera.orthographic = on;
    changed();
}

void Viewer::setPivot(const Vec3& point)
{
    m_pivot = point;
    // Motions go with the depth of the place from now on.
    const double depth = dot(point - m_camera.position, m_camera.forward()), scale = m_camera.distance();
    if (depth > 0.) m_camera.target = m_camera.position + m_camera.forward() * depth;
    if (depth > 0. && m_camera.orthographic) m_camera.position = m_camera.target - m_camera.forward() * scale;
    changed();
}

void Viewer::setPivotAt(const QPointF& at)
{
    ask(at, [this](const UnderCursor& under) {
        if (!under.path.isEmpty()) setPivot(under.position);
    });
}

void Viewer::setViewCube(bool on)
{
    m_hasCube = on;
    update();
}

void Viewer::setCut(const std::optional<Cut>& cut)
{
    if (m_cut == cut) return;
    m_cut = cut;
    update();
    Q_EMIT cutChanged();
}

std::optional<Vec4> Viewer::cutPlane() const
{
    if (!m_cut) return {};
    Vec4 plane;
    plane[m_cut->axis] = m_cut->lowerSide ? 1. : -1.;
    plane[3] = m_cut->lowerSide ? -m_cut->at : m_cut->at;
    return plane;
}

void Viewer::saveView() const
{
    const QString file = viewFile();
    if (file.isEmpty()) throw std::runtime_error("the scene has no file beside which its view could be saved");
    m_camera.save(file.toStdString());
}

}  // namespace sofa::qt
