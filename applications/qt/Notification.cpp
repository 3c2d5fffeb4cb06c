// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/Notification.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "applications/qt/Icons.h"

namespace sofa::qt {

Notification::Notification(QWidget* parent) : QFrame(parent)
{
    setObjectName("notification");
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    auto* row = new QHBoxLayout;
    m_symbol = new QLabel;
    m_symbol->setPixmap(icon(Icon::Warning).pixmap(20, 20));
    m_text = new QLabel;
    m_text->setObjectName("notificationText");
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_more = new QPushButton(tr("&Details"));
    m_more->setObjectName("notificationDetails");
    m_more->setCheckable(true);
    m_action = new QPushButton;
    m_action->setObjectName("notificationAction");
    auto* close = new QPushButton(tr("&Close"));
    close->setObjectName("notificationClose");
    row->addWidget(m_symbol);
    row->addWidget(m_text, 1);
    row->addWidget(m_more);
    row->addWidget(m_action);
    row->addWidget(close);
    column->addLayout(row);
    m_details = new QPlainTextEdit;
    m_details->setObjectName("notificationLines");
    m_details->setReadOnly(true);
    m_details->setMaximumHeight(150);
    column->addWidget(m_details);
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_more, &QPushButton::toggled, m_details, &QWidget::setVisible);
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        if (m_act) m_act();
    });
    hide();
}

void Notification::tell(const QString& text, const QString& details, const QString& action, std::function<void()> act)
{
    m_text->setText(text);
    m_details->setPlainText(details);
    m_more->setVisible(!details.isEmpty());
    m_more->setChecked(!details.isEmpty());
    m_details->setVisible(!details.isEmpty());
    m_action->setVisible(!action.isEmpty());
    m_action->setText(action);
    m_act = std::move(act);
    show();
}

QString Notification::text() const { return isHidden() ? QString() : m_text->text() + '\n' + m_details->toPlainText(); }

}  // namespace sofa::qt
