// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/HistoryPanel.h"

#include <QSignalBlocker>

#include "applications/qt/CoreTexts.h"

namespace sofa::modeler {

HistoryPanel::HistoryPanel(QWidget* parent) : QListWidget(parent)
{
    setObjectName("history");
    setAccessibleName(tr("History of the document"));
    setUniformItemSizes(true);
    connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
        if (m_document && row >= 0) m_document->goTo(static_cast<std::size_t>(row));
    });
}

void HistoryPanel::setDocument(Document* document)
{
    if (m_document) m_document->disconnect(this);
    m_document = document;
    if (document) connect(document, &Document::changed, this, &HistoryPanel::fill);
    fill();
}

void HistoryPanel::fill()
{
    const QSignalBlocker blocker(this);
    QStringList lines;
    if (m_document) {
        lines << tr("as opened");
        for (const std::string& label : m_document->text().history()) lines << qt::coreText(label);
    }
    while (count() > lines.size()) delete takeItem(count() - 1);
    for (int i = 0; i < lines.size(); ++i) {
        if (i == count()) addItem(lines[i]);
        if (item(i)->text() != lines[i]) item(i)->setText(lines[i]);
        const bool undone = static_cast<std::size_t>(i) > m_document->text().historyPosition();
        item(i)->setForeground(palette().brush(undone ? QPalette::Disabled : QPalette::Active, QPalette::Text));
    }
    if (!m_document) return;
    setCurrentRow(static_cast<int>(m_document->text().historyPosition()));
    scrollToItem(currentItem());
}

}  // namespace sofa::modeler
