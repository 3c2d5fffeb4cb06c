// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/LinkGraphPanel.h"

#include <QGraphicsItem>
#include <QGraphicsScene>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace sofa::modeler {

namespace {

constexpr double edgeLength = 150.;
constexpr int idKey = 0;  ///< of QGraphicsItem::data

/// Where the line from the middle of a box to a point leaves the box.
QPointF borderTowards(const QRectF& box, const QPointF& to)
{
    const QPointF d = to - box.center();
    const double x = std::abs(d.x()) / (box.width() / 2.), y = std::abs(d.y()) / (box.height() / 2.);
    const double far = std::max(x, y);
    return far <= 1. ? box.center() : box.center() + d / far;
}

}  // namespace

LinkGraphPanel::LinkGraphPanel(QWidget* parent) : QWidget(parent), m_view(new QGraphicsView), m_note(new QLabel)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 4, 0);
    layout->addLayout(bar);
    auto* label = new QLabel(tr("&Steps around the selection:"));
    m_distance = new QSpinBox;
    m_distance->setObjectName("graphDistance");
    m_distance->setRange(1, 9);
    m_distance->setValue(2);
    m_distance->setToolTip(tr("How many links, or steps into a node or out of it, lead to what is shown"));
    label->setBuddy(m_distance);
    m_note->setObjectName("graphNote");
    bar->addWidget(label);
    bar->addWidget(m_distance);
    bar->addWidget(m_note, 1);
    m_view->setObjectName("linkGraph");
    m_view->setAccessibleName(tr("Graph of links"));
    m_view->setScene(new QGraphicsScene(m_view));
    m_view->setDragMode(QGraphicsView::ScrollHandDrag);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setTransformationAnchor(QGraphicsView::AnchorUnderMouse);
    m_view->setToolTip(tr("Click: select. Double click: put in the middle. Wheel: zoom. Drag: move."));
    m_view->viewport()->installEventFilter(this);
    layout->addWidget(m_view, 1);
    connect(m_distance, &QSpinBox::valueChanged, this, &LinkGraphPanel::build);
}

void LinkGraphPanel::setDocument(Document* document)
{
    if (m_document) m_document->disconnect(this);
    m_document = document;
    m_middle = 0;
    m_revision = 0;
    if (document) {
        connect(document, &Document::changed, this, &LinkGraphPanel::followText);
        connect(document, &Document::selectionChanged, this, &LinkGraphPanel::followSelection);
    }
    followText();
}

void LinkGraphPanel::showEvent(QShowEvent* e)
{
    QWidget::showEvent(e);
    followText();
    followSelection();
}

void LinkGraphPanel::followText()
{
    if (!isVisible()) return;
    if (m_document && m_revision == m_document->text().revision() && m_middle != 0) return;
    const XmlDocument* x = m_document ? m_document->text().tree() : nullptr;
    if (!x || x->find(m_middle) == XmlItem::none) m_middle = m_document ? m_document->current() : 0;
    build();
}

void LinkGraphPanel::followSelection()
{
    if (!isVisible() || !m_document) return;
    const bool isShown = std::ranges::find(m_graph.objects, m_document->current()) != m_graph.objects.end();
    if (isShown && m_revision == m_document->text().revision()) return mark();
    m_middle = m_document->current();
    build();
}

QGraphicsItem* LinkGraphPanel::box(XmlId object) const
{
    const auto at = std::ranges::find(m_graph.objects, object);
    return at == m_graph.objects.end() ? nullptr : m_boxes[static_cast<std::size_t>(at - m_graph.objects.begin())];
}

void LinkGraphPanel::build()
{
    m_view->scene()->clear();
    m_boxes.clear();
    m_graph = {};
    m_note->clear();
    const TextLinks* links = m_document ? m_document->links() : nullptr;
    const XmlDocument* x = links ? m_document->text().tree() : nullptr;
    const std::uint32_t at = x ? x->find(m_middle) : XmlItem::none;
    if (at == XmlItem::none || !x->items()[at].isElement()) return;
    m_revision = m_document->text().revision();
    m_graph = neighbourhood(*x, *links, m_middle, m_distance->value(), limit);
    if (m_graph.left > 0) m_note->setText(tr("%1 more are left out").arg(m_graph.left));
    const std::vector<QPointF> places = layOut(m_graph, edgeLength);
    std::vector<QRectF> boxes;
    boxes.reserve(places.size());
    m_boxes.reserve(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::uint32_t part = x->find(m_graph.objects[i]);
        const QString name = QString::fromStdString(links->nameOf(part)),
                      type = QString::fromStdString(links->classOf(part));
        auto* text = new QGraphicsSimpleTextItem(name.isEmpty() || name.startsWith(type) ? type : name + '\n' + type);
        text->setBrush(palette().text());
        const QRectF inner = text->boundingRect();
        const QRectF rect(places[i].x() - inner.width() / 2. - 6., places[i].y() - inner.height() / 2. - 4.,
                          inner.width() + 12., inner.height() + 8.);
        boxes.push_back(rect);
        QPainterPath shape;
        const double round = links->isNode(part) ? 0. : 6.;
        shape.addRoundedRect(rect, round, round);
        auto* item = m_view->scene()->addPath(shape);
        item->setData(idKey, m_graph.objects[i]);
        item->setToolTip(QString::fromStdString(links->pathOf(part)));
        item->setZValue(1.);
        text->setParentItem(item);
        text->setPos(rect.topLeft() + QPointF(6., 4.));
        text->setAcceptedMouseButtons(Qt::NoButton);
        m_boxes.push_back(item);
    }
    for (const LinkGraph::Edge& e : m_graph.edges) addEdge(e, boxes);
    const QRectF all = m_view->scene()->itemsBoundingRect().adjusted(-20., -20., 20., 20.);
    m_view->setSceneRect(all);
    m_view->resetTransform();
    // All of it, but never so small that it cannot be read.
    const double scale =
        std::min(m_view->viewport()->width() / all.width(), m_view->viewport()->height() / all.height());
    const double shown = std::clamp(scale, 0.5, 1.);
    m_view->scale(shown, shown);
    m_view->centerOn(m_boxes.front());
    mark();
}

void LinkGraphPanel::addEdge(const LinkGraph::Edge& e, const std::vector<QRectF>& boxes)
{
    const QPointF from = borderTowards(boxes[e.from], boxes[e.to].center()),
                  to = borderTowards(boxes[e.to], boxes[e.from].center());
    const QLineF line(from, to);
    QColor ink = palette().color(QPalette::Text);
    if (e.label.empty()) {
        ink.setAlphaF(0.3F);
        m_view->scene()->addLine(line, QPen(ink, 1., Qt::DotLine));
        return;
    }
    ink = palette().color(QPalette::Link);
    QPainterPath path(from);
    path.lineTo(to);
    const QPointF along = line.length() > 0. ? (to - from) / line.length() : QPointF(1., 0.);
    const QPointF across(-along.y(), along.x());
    path.lineTo(to - along * 9. + across * 4.);
    path.moveTo(to);
    path.lineTo(to - along * 9. - across * 4.);
    QGraphicsItem* arrow = m_view->scene()->addPath(path, QPen(ink, 1.2));
    arrow->setToolTip(QString::fromStdString(e.label));
    auto* label = m_view->scene()->addSimpleText(QString::fromStdString(e.label));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.8);
    label->setFont(small);
    label->setBrush(ink);
    const QRectF size = label->boundingRect();
    label->setPos(line.center() - QPointF(size.width() / 2., size.height()));
}

/// The selected object stands out.
void LinkGraphPanel::mark()
{
    for (QGraphicsItem* item : m_boxes) {
        auto* shape = static_cast<QGraphicsPathItem*>(item);
        const bool isSelected = m_document && item->data(idKey).toUInt() == m_document->current();
        shape->setBrush(palette().brush(isSelected ? QPalette::Highlight : QPalette::Button));
        shape->setPen(QPen(palette().color(QPalette::Text), isSelected ? 2. : 1.));
        for (QGraphicsItem* text : shape->childItems())
            static_cast<QGraphicsSimpleTextItem*>(text)->setBrush(
                palette().brush(isSelected ? QPalette::HighlightedText : QPalette::ButtonText));
    }
}

bool LinkGraphPanel::eventFilter(QObject* object, QEvent* e)
{
    if (object == m_view->viewport()) {
        const auto under = [&]() -> XmlId {
            const QPoint place = static_cast<QMouseEvent*>(e)->position().toPoint();
            for (const QGraphicsItem* i = m_view->itemAt(place); i; i = i->parentItem())
                if (i->data(idKey).isValid()) return i->data(idKey).toUInt();
            return 0;
        };
        if (e->type() == QEvent::Wheel) {
            const double steps = static_cast<QWheelEvent*>(e)->angleDelta().y() / 120.;
            const double factor = std::pow(1.2, steps);
            const double now = m_view->transform().m11() * factor;
            if (now > 0.1 && now < 6.) m_view->scale(factor, factor);
            return true;
        }
        if (e->type() == QEvent::MouseButtonPress && m_document)
            if (const XmlId id = under(); id != 0) {
                m_document->select({id});
                return true;
            }
        if (e->type() == QEvent::MouseButtonDblClick && m_document)
            if (const XmlId id = under(); id != 0) {
                m_middle = id;
                m_document->select({id});
                build();
                return true;
            }
    }
    return QWidget::eventFilter(object, e);
}

}  // namespace sofa::modeler
