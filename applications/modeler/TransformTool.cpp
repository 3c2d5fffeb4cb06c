// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/TransformTool.h"

#include <QElapsedTimer>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "applications/qt/InformationOverlay.h"
#include "core/behavior/BaseState.h"
#include "core/scene/SceneSnapshot.h"
#include "core/topology/BaseMeshTopology.h"
#include "core/topology/MeshLoader.h"
#include "core/visual/SelectionDrawing.h"

namespace sofa::modeler {

namespace {

/// So many points make an outline.
constexpr std::size_t mostPoints = 1500;
/// Time between two edits of the text while something is dragged [ms]; more where an edit takes long.
constexpr int writePause = 60;

/// Corner k has its larger coordinate along axis a where bit a of k is set.
std::vector<Vec3> cornersOf(const BoundingBox& box)
{
    std::vector<Vec3> out;
    for (unsigned k = 0; k < 8; ++k)
        out.push_back(
            {k & 1u ? box.high[0] : box.low[0], k & 2u ? box.high[1] : box.low[1], k & 4u ? box.high[2] : box.low[2]});
    return out;
}

/// Where the points of a component are now.
std::vector<Vec3> pointsOf(const Base& object)
{
    std::vector<Vec3> out;
    if (const auto* state = dynamic_cast<const BaseState*>(&object)) {
        for (Index i = 0; i < state->size(); ++i) out.push_back(state->pointPosition(i));
    } else if (const auto* loader = dynamic_cast<const MeshLoader*>(&object)) {
        const auto& x = loader->d_position.value();
        out.assign(x.begin(), x.end());
    } else if (const auto* mesh = dynamic_cast<const BaseMeshTopology*>(&object); mesh && mesh->hasPositions()) {
        for (Index i = 0; i < mesh->nbPoints(); ++i) out.push_back(mesh->pointPosition(i));
    }
    const std::size_t step = out.size() / mostPoints + 1;
    std::vector<Vec3> some;
    for (std::size_t i = 0; i < out.size(); i += step) some.push_back(out[i]);
    return some;
}

}  // namespace

TransformTool::TransformTool(qt::Session& session, qt::Viewer& viewer, QObject* parent)
    : QObject(parent), m_session(session), m_viewer(viewer)
{
    m_writer.setSingleShot(true);
    m_writer.setInterval(writePause);
    connect(&m_writer, &QTimer::timeout, this, &TransformTool::write);
}

void TransformTool::setDocument(Document* document)
{
    cancel();
    if (m_document) m_document->disconnect(this);
    m_document = document;
    m_corners.clear();
    if (document) {
        // Each change is followed by a signal of the selection.
        connect(document, &Document::selectionChanged, this, [this] {
            if (m_drag) return;
            readText();
            ask();
        });
    }
    readText();
    ask();
}

void TransformTool::setTool(Tool tool)
{
    cancel();
    m_gizmo.tool = tool;
    readText();
    ask();
}

void TransformTool::sceneBuilt()
{
    if (!m_drag) ask();
}

bool TransformTool::isAtBeginning() const
{
    return m_session.isOpen() && !m_session.thread()->isAnimating() && m_viewer.frame().step == 0;
}

bool TransformTool::isShown() const
{
    return m_gizmo.tool != Tool::None && isAtBeginning() && !m_placed.elements.empty() && !m_corners.empty();
}

QString TransformTool::hint() const
{
    if (m_gizmo.tool == Tool::None) return {};
    if (!m_placed.reason.isEmpty()) return m_placed.reason;
    if (m_session.isOpen() && !isAtBeginning()) return tr("Go back to the beginning to move things.");
    return (m_gizmo.tool == Tool::Move   ? tr("Moves %1")
            : m_gizmo.tool == Tool::Turn ? tr("Turns %1")
                                         : tr("Scales %1"))
        .arg(m_placed.name);
}

/// What is moved, and where the text puts it.
void TransformTool::readText()
{
    m_placed = {};
    if (m_document && m_gizmo.tool != Tool::None)
        m_placed = placedBy(*m_document, m_document->current(), m_gizmo.tool == Tool::Turn);
    const bool isLocal = m_gizmo.tool == Tool::Scale && !m_placed.elements.empty();
    m_gizmo.onlyUniform = isLocal && !m_placed.sameAxes();
    m_gizmo.axes = isLocal && !m_gizmo.onlyUniform ? m_placed.elements.front().placement.axes() : Quat();
    m_viewer.update();
    Q_EMIT changed();
}

/// Where it is in the scene that is shown.
void TransformTool::ask()
{
    ++m_asked;
    m_gizmo.active.reset();
    if (m_placed.elements.empty() || !m_session.isOpen()) {
        m_corners.clear();
        return m_viewer.update();
    }
    m_session.thread()->inspect([this, elements = m_placed.elements, asked = m_asked,
                                 origin = m_placed.elements.front().placement.apply({})](Simulation& s) {
        BoundingBox box;
        std::vector<Vec3> points;
        for (const PlacedElement& e : elements)
            if (const Base* object = findObject(s.root(), e.path)) {
                if (!e.isBox()) box.include(selectedBox(*object));
                for (const PlacedElement::Point& p : e.points) box.include(p.place);
                const std::vector<Vec3> own = pointsOf(*object);
                points.insert(points.end(), own.begin(), own.end());
            }
        if (!box.valid()) box.include(origin);
        QMetaObject::invokeMethod(
            this,
            [this, asked, box, points] {
                if (asked != m_asked || m_drag) return;
                m_corners = cornersOf(box);
                m_points = points;
                m_gizmo.centre = (box.low + box.high) * 0.5;
                m_viewer.update();
                Q_EMIT changed();
            },
            Qt::QueuedConnection);
    });
}

// --- Dragging --------------------------------------------------------------------------------------------------------

bool TransformTool::handle(QEvent* e)
{
    const auto* key =
        e->type() == QEvent::KeyPress || e->type() == QEvent::ShortcutOverride ? static_cast<QKeyEvent*>(e) : nullptr;
    if (m_drag && key && key->key() == Qt::Key_Escape) {
        if (e->type() == QEvent::KeyPress) cancel();
        e->accept();
        return true;
    }
    const bool isMouse = e->type() == QEvent::MouseButtonPress || e->type() == QEvent::MouseButtonDblClick ||
                         e->type() == QEvent::MouseMove || e->type() == QEvent::MouseButtonRelease;
    if (!isMouse) return false;
    const auto* mouse = static_cast<QMouseEvent*>(e);
    if (m_drag) {
        if (e->type() == QEvent::MouseMove)
            follow(mouse->position(), mouse->modifiers().testFlag(Qt::ControlModifier));
        else if (e->type() == QEvent::MouseButtonRelease && mouse->button() == Qt::LeftButton)
            end();
        return true;
    }
    if (!isShown()) return false;
    if (e->type() == QEvent::MouseMove) {
        const auto under = mouse->buttons() == Qt::NoButton ? m_gizmo.at(mouse->position(), m_viewer.camera())
                                                            : std::optional<Gizmo::Handle>();
        if (under != m_gizmo.active) m_viewer.update();
        m_gizmo.active = under;
        return false;
    }
    const bool begins = e->type() != QEvent::MouseButtonRelease && mouse->button() == Qt::LeftButton &&
                        !mouse->modifiers().testFlag(Qt::ShiftModifier);
    const auto under = begins ? m_gizmo.at(mouse->position(), m_viewer.camera()) : std::optional<Gizmo::Handle>();
    if (!under) return false;
    m_viewer.setFocus(Qt::MouseFocusReason);
    begin(*under, mouse->position());
    return true;
}

void TransformTool::begin(Gizmo::Handle handle, const QPointF& at)
{
    readText();
    if (m_placed.elements.empty()) return;
    const QString label = (m_gizmo.tool == Tool::Move   ? tr("move %1")
                           : m_gizmo.tool == Tool::Turn ? tr("turn %1")
                                                        : tr("scale %1"))
                              .arg(m_placed.name);
    m_gizmo.active = handle;
    Motion none;
    none.pivot = m_gizmo.centre;
    m_drag = std::make_unique<Drag>(Drag{LiveStep(*m_document, label.toStdString()), handle, at, none, true});
    m_viewer.update();
}

void TransformTool::follow(const QPointF& to, bool snaps)
{
    m_drag->motion = m_gizmo.motion(m_drag->handle, m_drag->from, to, m_viewer.camera(), snaps);
    m_drag->isWritten = false;
    if (!m_writer.isActive()) m_writer.start();
    m_viewer.update();
}

void TransformTool::write()
{
    if (!m_drag || m_drag->isWritten) return;
    QElapsedTimer clock;
    clock.start();
    m_drag->isWritten = true;
    const bool good = m_drag->step.set([this](SceneText& t) {
        for (const PlacedElement& e : m_placed.elements) writeMotion(t, e, m_drag->motion);
    });
    m_writer.setInterval(std::max(writePause, 3 * static_cast<int>(clock.elapsed())));
    if (!good) cancel();
}

void TransformTool::end()
{
    m_writer.stop();
    write();
    if (!m_drag) return;
    for (Vec3& x : m_corners) x = m_drag->motion.apply(x);
    for (Vec3& x : m_points) x = m_drag->motion.apply(x);
    m_gizmo.centre = m_drag->motion.apply(m_gizmo.centre);
    m_drag.reset();
    readText();
}

void TransformTool::cancel()
{
    m_writer.stop();
    if (!m_drag) return;
    m_drag->step.cancel();
    m_drag.reset();
    readText();
}

// --- Drawing ---------------------------------------------------------------------------------------------------------

void TransformTool::paint(QPainter& p)
{
    if (!isShown()) return;
    const gl::Camera& camera = m_viewer.camera();
    if (!m_drag) return m_gizmo.draw(p, camera);
    p.setRenderHint(QPainter::Antialiasing);
    const auto place = [&](const Vec3& x) -> std::optional<QPointF> {
        const auto at = camera.project(m_drag->motion.apply(x));
        return at ? std::optional(QPointF((*at)[0], (*at)[1])) : std::nullopt;
    };
    const QColor ink(230, 105, 0);
    p.setPen(QPen(ink, 3., Qt::SolidLine, Qt::RoundCap));
    for (const Vec3& x : m_points)
        if (const auto at = place(x)) p.drawPoint(*at);
    p.setPen(QPen(ink, 1.5));
    for (std::size_t k = 0; k < m_corners.size(); ++k)
        for (const std::size_t bit : {1u, 2u, 4u}) {
            if (k & bit) continue;
            const auto a = place(m_corners[k]), b = place(m_corners[k | bit]);
            if (a && b) p.drawLine(*a, *b);
        }
    Gizmo shown = m_gizmo;
    shown.centre = m_drag->motion.apply(m_gizmo.centre);
    shown.draw(p, camera);
    if (const auto at = camera.project(shown.centre))
        qt::drawNote(p, QPointF((*at)[0] + 24., (*at)[1] + 30.), Gizmo::text(m_drag->motion), m_viewer.rect());
}

}  // namespace sofa::modeler
