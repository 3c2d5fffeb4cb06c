// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/UnderCursorBar.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "applications/qt/Icons.h"
#include "applications/qt/Viewer.h"

namespace sofa::qt {

namespace {

/// A text that gives way when there is no room, and then shows its beginning.
class ElidedLabel final : public QLabel
{
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override { return {20, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter p(this);
        p.setPen(palette().color(foregroundRole()));
        p.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(text(), Qt::ElideRight, width()));
    }
};

}  // namespace

UnderCursorBar::UnderCursorBar(Viewer& viewer, QWidget* parent) : QWidget(parent)
{
    m_copy = new QToolButton;
    m_copy->setObjectName("copyUnderCursor");
    m_copy->setIcon(icon(Icon::Copy));
    m_copy->setAutoRaise(true);
    m_copy->setEnabled(false);
    m_copy->setFocusPolicy(Qt::TabFocus);
    m_copy->setToolTip(tr("Copy what was last under the cursor (Ctrl+Shift+C)"));
    m_copy->setAccessibleName(tr("Copy what is under the cursor"));
    m_copy->setShortcut(QKeySequence("Ctrl+Shift+C"));
    connect(m_copy, &QToolButton::clicked, this, [this] {
        const QString text = m_copy->property("copied").toString();
        QApplication::clipboard()->setText(text);
        Q_EMIT copied(text);
    });
    m_under = new ElidedLabel(tr("Nothing under the cursor"));
    m_under->setObjectName("underCursor");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 6, 0);
    row->setSpacing(2);
    row->addWidget(m_copy);
    row->addWidget(m_under, 1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&viewer, &Viewer::underCursorChanged, this, [this, &viewer] { show(viewer.underCursor().text()); });
}

void UnderCursorBar::show(const QString& what)
{
    m_under->setText(what.isEmpty() ? tr("Nothing under the cursor") : what);
    m_under->setToolTip(what);
    if (!what.isEmpty()) m_copy->setProperty("copied", what);
    m_copy->setEnabled(!m_copy->property("copied").toString().isEmpty());
}

}  // namespace sofa::qt
