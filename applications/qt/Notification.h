// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QFrame>
#include <QList>
#include <array>
#include <functional>

class QHBoxLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace sofa::qt {

/// A line over the view that says what happened and what can be done about it, and never stands in the way.
class Notification : public QFrame
{
    Q_OBJECT

public:
    explicit Notification(QWidget* parent = nullptr);

    /// What a button says and does.
    struct Action
    {
        QString text;
        std::function<void()> act;
    };

    /// Shows a text; `details` can be looked at, `actions` are up to two buttons.
    void tell(const QString& text, const QString& details = {}, QList<Action> actions = {});
    /// The text that is shown, with its details; empty while hidden.
    QString text() const;

private:
    QLabel *m_symbol, *m_text;
    QPushButton* m_more;
    std::array<QPushButton*, 2> m_buttons;
    QPlainTextEdit* m_details;
    QList<Action> m_actions;
};

}  // namespace sofa::qt
