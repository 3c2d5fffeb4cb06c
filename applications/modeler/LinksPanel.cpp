// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/LinksPanel.h"

#include "applications/qt/panels/Panel.h"

namespace sofa::modeler {

LinksPanel::LinksPanel(QWidget* parent) : QTreeWidget(parent)
{
    setObjectName("links");
    setAccessibleName(tr("Links of the selected element"));
    setHeaderLabels({tr("Attribute"), tr("Path"), tr("Object")});
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    qt::fitColumnsToTexts(this);
    const auto go = [this](QTreeWidgetItem* item) {
        const XmlId id = item->data(0, Qt::UserRole).toUInt();
        if (m_document && id != 0) m_document->select({id});
    };
    connect(this, &QTreeWidget::itemActivated, this, go);
    connect(this, &QTreeWidget::itemDoubleClicked, this, go);
}

void LinksPanel::setDocument(Document* document)
{
    if (m_document) m_document->disconnect(this);
    m_document = document;
    if (document) connect(document, &Document::selectionChanged, this, &LinksPanel::fill);
    fill();
}

void LinksPanel::showEvent(QShowEvent* e)
{
    QTreeWidget::showEvent(e);
    fill();
}

void LinksPanel::fill()
{
    if (!isVisible()) return;
    clear();
    const TextLinks* names = m_document ? m_document->links() : nullptr;
    const XmlDocument* x = names ? m_document->text().tree() : nullptr;
    const std::uint32_t current = x ? x->find(m_document->current()) : XmlItem::none;
    if (current == XmlItem::none) return;
    const auto title = [&](const QString& text) {
        auto* item = new QTreeWidgetItem(this, {text});
        item->setFirstColumnSpanned(true);
        item->setFlags(Qt::ItemIsEnabled);
        QFont f = font();
        f.setBold(true);
        item->setFont(0, f);
        return item;
    };
    const auto add = [&](const TextLink& l, XmlId object) {
        const std::uint32_t i = object == 0 ? XmlItem::none : x->find(object);
        const QString path = i == XmlItem::none ? tr("not in this file") : QString::fromStdString(names->pathOf(i));
        auto* item =
            new QTreeWidgetItem(this, {QString::fromStdString(l.attribute), QString::fromStdString(l.path), path});
        item->setData(0, Qt::UserRole, object);
        if (i == XmlItem::none) item->setDisabled(true);
    };
    auto* from = title(tr("This element leads to"));
    const int before = topLevelItemCount();
    const bool node = names->isNode(current);
    for (const TextLink& l : names->linksIn(current))
        if (!node || l.element == m_document->current()) add(l, l.target);
    if (topLevelItemCount() == before) from->setText(0, tr("This element leads to nothing"));
    auto* to = title(tr("What leads here"));
    const int second = topLevelItemCount();
    for (const TextLink& l : names->links())
        if (l.target == m_document->current()) add(l, l.element);
    if (topLevelItemCount() == second) to->setText(0, tr("Nothing leads here"));
}

}  // namespace sofa::modeler
