// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace sofa::qt {

class Viewer;

/// A line that says what is under the cursor, with a button that copies it.
class UnderCursorBar : public QWidget
{
    Q_OBJECT

public:
    explicit UnderCursorBar(Viewer& viewer, QWidget* parent = nullptr);

Q_SIGNALS:
    void copied(const QString& text);

private:
    void show(const QString& what);

    QLabel* m_under = nullptr;
    QToolButton* m_copy = nullptr;
};

}  // namespace sofa::qt
