// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/PointPicker.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <algorithm>
#include <cmath>

#include "applications/modeler/Prototype.h"
#include "core/behavior/BaseState.h"
#include "core/objectmodel/Link.h"
#include "core/objectmodel/Node.h"

namespace sofa::modeler {

namespace {

/// How near to a point a click must be [pixel], and how many points are drawn that are not chosen.
constexpr double near = 12.;
constexpr std::size_t mostDrawn = 5000;

/// The state whose points the indices of a component mean: of springs the first or second object, of mappings the
/// input, else that of its node.
const BaseState* stateOf(const Component& c, const std::string& attribute)
{
    const std::string wanted = attribute.ends_with('1') ? "object1" : attribute.ends_with('2') ? "object2" : "input";
    for (const BaseLink* l : c.links())
        if (l->name() == wanted)
            for (const Base* target : l->targets())
                if (const auto* state = dynamic_cast<const BaseState*>(target)) return state;
    const BaseState* any = nullptr;
    for (const Node* n = c.node(); n; n = n->parents().empty() ? nullptr : n->parents().front())
        for (const BaseState* s : n->getAll<BaseState>()) {
            if (s->isMechanical()) return s;
            if (!any) any = s;
        }
    return any;
}

}  // namespace

bool PointPicker::picks(const DataEntry& entry)
{
    const auto says = [&](const char* word) {
        return QString::fromStdString(entry.help).contains(word, Qt::CaseInsensitive);
    };
    return entry.typeName == "list of unsigned int" && (says("point") || says("vert") || says("frame"));
}

PointPicker::PointPicker(qt::Session& session, qt::Viewer& viewer, QObject* parent)
    : QObject(parent), m_session(session), m_viewer(viewer)
{
}

void PointPicker::start(Document& document, const std::string& attribute)
{
    finish();
    const XmlDocument* x = document.text().tree();
    const std::uint32_t i = x && document.text().wellFormed() ? x->find(document.current()) : XmlItem::none;
    if (i == XmlItem::none || !x->items()[i].isElement()) return;
    const XmlAttribute* t = x->attribute(x->items()[i], "template");
    const auto prototype = Prototype::of(document.links()->classOf(i), t ? x->value(*t) : "");
    if (!prototype) return;
    m_attribute = attribute;
    std::string value;
    for (const DataEntry& d : prototype->data())
        if (d.name == attribute) value = d.defaultText;
    for (const XmlAttribute& a : x->attributes(x->items()[i]))
        if (const std::string name(x->name(a)); name == attribute || prototype->canonical(name) == attribute) {
            m_attribute = name;
            value = x->value(a);
        }
    const auto numbers = prototype->numbers(attribute, value);
    m_indices.clear();
    if (numbers) m_indices.assign(numbers->begin(), numbers->end());
    m_document = &document;
    m_element = document.current();
    m_path = document.links()->pathOf(i);
    m_step = std::make_unique<LiveStep>(document, tr("pick %1").arg(QString::fromStdString(m_attribute)).toStdString());
    // Whatever else changes the text, or the selection, ends it.
    const auto end = [this] {
        if (!m_writing) finish();
    };
    connect(&document, &Document::changed, this, end);
    connect(&document, &Document::selectionChanged, this, end);
    m_points.clear();
    m_isKnown = false;
    m_viewer.setCursor(Qt::CrossCursor);
    m_viewer.setFocus();
    ask();
    tell();
}

void PointPicker::finish()
{
    if (!m_step) return;
    m_step.reset();
    ++m_asked;
    if (m_document) m_document->disconnect(this);
    m_viewer.unsetCursor();
    m_viewer.update();
    Q_EMIT changed();
}

void PointPicker::cancel()
{
    if (!m_step) return;
    {
        const QScopedValueRollback writing(m_writing, true);
        m_step->cancel();
    }
    finish();
}

void PointPicker::sceneBuilt()
{
    if (m_step) ask();
}

void PointPicker::ask()
{
    ++m_asked;
    m_under.reset();
    if (!m_session.isOpen()) return;
    m_session.thread()->inspect([this, path = m_path, attribute = m_attribute, asked = m_asked](Simulation& s) {
        std::vector<Vec3> points;
        if (const auto* c = dynamic_cast<const Component*>(findObject(s.root(), path)))
            if (const BaseState* state = stateOf(*c, attribute))
                for (Index i = 0; i < state->size(); ++i) points.push_back(state->pointPosition(i));
        QMetaObject::invokeMethod(
            this,
            [this, asked, points] {
                if (asked != m_asked || !m_step) return;
                m_points = points;
                m_isKnown = true;
                tell();
            },
            Qt::QueuedConnection);
    });
}

void PointPicker::tell()
{
    m_hint = m_isKnown && m_points.empty()
                 ? tr("There is no state with points to pick here.")
                 : tr("Click on points to take them into %1, or out of it: %n are. Return ends, Escape takes back.", "",
                      static_cast<int>(m_indices.size()))
                       .arg(QString::fromStdString(m_attribute));
    m_viewer.update();
    Q_EMIT changed();
}

std::optional<QPointF> PointPicker::place(std::size_t point) const
{
    if (point >= m_points.size()) return {};
    const auto at = m_viewer.camera().project(m_points[point]);
    return at ? std::optional(QPointF((*at)[0], (*at)[1])) : std::nullopt;
}

std::optional<std::size_t> PointPicker::pointAt(const QPointF& p) const
{
    // Of those that are near, the one in front: a depth of 1 is far away.
    std::optional<std::size_t> found;
    double least = near;
    double depth = 2.;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const auto at = m_viewer.camera().project(m_points[i]);
        if (!at) continue;
        const double d = std::hypot((*at)[0] - p.x(), (*at)[1] - p.y());
        if (d > near) continue;
        const bool isBefore = (*at)[2] < depth;
        if (d < least - 4. || (d < least + 4. && isBefore)) {
            found = i;
            least = d;
            depth = (*at)[2];
        }
    }
    return found;
}

void PointPicker::toggle(std::size_t point)
{
    const auto it = std::ranges::find(m_indices, point);
    if (it != m_indices.end())
        m_indices.erase(it);
    else
        m_indices.push_back(point);
    std::string text;
    for (const std::size_t i : m_indices) text += (text.empty() ? "" : " ") + std::to_string(i);
    const QScopedValueRollback writing(m_writing, true);
    if (m_step->set([&](SceneText& t) { t.setAttribute(m_element, m_attribute, text); })) tell();
}

bool PointPicker::handle(QEvent* e)
{
    if (!m_step) return false;
    if (e->type() == QEvent::KeyPress || e->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(e)->key();
        if (key != Qt::Key_Return && key != Qt::Key_Enter && key != Qt::Key_Escape) return false;
        e->accept();
        if (e->type() == QEvent::KeyPress) key == Qt::Key_Escape ? cancel() : finish();
        return true;
    }
    const auto* mouse = e->type() == QEvent::MouseButtonPress || e->type() == QEvent::MouseButtonRelease ||
                                e->type() == QEvent::MouseButtonDblClick || e->type() == QEvent::MouseMove
                            ? static_cast<QMouseEvent*>(e)
                            : nullptr;
    if (!mouse) return false;
    if (e->type() == QEvent::MouseMove) {
        const auto under = mouse->buttons() == Qt::NoButton ? pointAt(mouse->position()) : std::nullopt;
        if (under != m_under) m_viewer.update();
        m_under = under;
        return false;
    }
    if (mouse->button() != Qt::LeftButton || mouse->modifiers().testFlag(Qt::ShiftModifier)) return false;
    if (e->type() != QEvent::MouseButtonRelease) {
        m_pressed = mouse->position();
        return e->type() == QEvent::MouseButtonDblClick;  // the view would choose another pivot
    }
    // The view turns as usual; what was not dragged is a click.
    if ((mouse->position() - m_pressed).manhattanLength() >= QApplication::startDragDistance()) return false;
    if (const auto point = pointAt(mouse->position())) toggle(*point);
    return true;
}

void PointPicker::paint(QPainter& p)
{
    if (!m_step) return;
    p.setRenderHint(QPainter::Antialiasing);
    const auto dot = [&](std::size_t i, double radius, const QColor& fill) {
        const auto at = place(i);
        if (!at) return;
        p.setPen(QPen(QColor(20, 20, 30), 1.));
        p.setBrush(fill);
        p.drawEllipse(*at, radius, radius);
    };
    if (m_points.size() <= mostDrawn)
        for (std::size_t i = 0; i < m_points.size(); ++i) dot(i, 2.5, Qt::white);
    for (const std::size_t i : m_indices) dot(i, 5.5, QColor(255, 140, 20));
    if (!m_under) return;
    const bool isChosen = std::ranges::find(m_indices, *m_under) != m_indices.end();
    dot(*m_under, 6.5, isChosen ? QColor(255, 200, 140) : QColor(255, 235, 120));
}

}  // namespace sofa::modeler
