// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QFrame>
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

    /// Shows a text; `details` can be looked at, `action` is what the button says; it may be empty.
    void tell(const QString& text, const QString& details = {}, const QString& action = {},
              std::function<void()> act = {});
    /// The text that is shown, with its details; empty while hidden.
    QString text() const;

private:
    QLabel *m_symbol, *m_text;
    QPushButton *m_action, *m_more;
    QPlainTextEdit* m_details;
    std::function<void()> m_act;
};

}  // namespace sofa::qt
