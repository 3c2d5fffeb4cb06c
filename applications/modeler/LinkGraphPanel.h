// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QGraphicsView>
#include <QPointer>

#include "applications/modeler/Document.h"
#include "applications/modeler/LinkGraph.h"

class QLabel;
class QSpinBox;

namespace sofa::modeler {

/// The objects around the selected one as a graph, with the links between them. A click selects, a double click puts an
/// object in the middle; the wheel zooms, and dragging moves the picture.
class LinkGraphPanel : public QWidget
{
    Q_OBJECT

public:
    /// At most so many objects are shown.
    static constexpr std::size_t limit = 60;

    explicit LinkGraphPanel(QWidget* parent = nullptr);
    void setDocument(Document* document);
    QGraphicsView& view() const { return *m_view; }
    /// What is shown.
    const LinkGraph& graph() const { return m_graph; }
    /// The box of an object in the view; nullptr if it is not shown.
    QGraphicsItem* box(XmlId object) const;

protected:
    void showEvent(QShowEvent* e) override;
    bool eventFilter(QObject* object, QEvent* e) override;

private:
    void followText();
    void followSelection();
    void build();
    void mark();
    void addEdge(const LinkGraph::Edge& e, const std::vector<QRectF>& boxes);

    QPointer<Document> m_document;
    QGraphicsView* m_view;
    QSpinBox* m_distance;
    QLabel* m_note;
    LinkGraph m_graph;
    std::vector<QGraphicsItem*> m_boxes;
    XmlId m_middle = 0;
    std::size_t m_revision = 0;  ///< of the text that is shown
};

}  // namespace sofa::modeler
