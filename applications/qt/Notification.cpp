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
    auto* close = new QPushButton(tr("&Close"));
    close->setObjectName("notificationClose");
    row->addWidget(m_symbol);
    row->addWidget(m_text, 1);
    row->addWidget(m_more);
    for (int i = 0; QPushButton * &button : m_buttons) {
        button = new QPushButton;
        button->setObjectName(i == 0 ? "notificationAction" : "notificationSecondAction");
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, i] {
            hide();
            if (const auto act = m_actions[i].act) act();
        });
        ++i;
    }
    row->addWidget(close);
    column->addLayout(row);
    m_details = new QPlainTextEdit;
    m_details->setObjectName("notificationLines");
    m_details->setReadOnly(true);
    m_details->setMaximumHeight(150);
    column->addWidget(m_details);
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_more, &QPushButton::toggled, m_details, &QWidget::setVisible);
    hide();
}

void Notification::tell(const QString& text, const QString& details, QList<Action> actions)
{
    m_text->setText(text);
    m_details->setPlainText(details);
    m_more->setVisible(!details.isEmpty());
    m_more->setChecked(!details.isEmpty());
    m_details->setVisible(!details.isEmpty());
    m_actions = std::move(actions);
    for (int i = 0; QPushButton * button : m_buttons) {
        button->setVisible(i < m_actions.size());
        if (i < m_actions.size()) button->setText(m_actions[i].text);
        ++i;
    }
    show();
}

QString Notification::text() const { return isHidden() ? QString() : m_text->text() + '\n' + m_details->toPlainText(); }

}  // namespace sofa::qt
