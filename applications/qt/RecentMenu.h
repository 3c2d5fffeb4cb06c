// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QMenu>

namespace sofa::qt {

/// The files that were opened last, to be opened again; they are remembered (QSettings).
class RecentMenu : public QMenu
{
    Q_OBJECT

public:
    explicit RecentMenu(const QString& title, QWidget* parent = nullptr);
    /// A file was opened: it is the first one from now on.
    static void remember(const QString& path);

Q_SIGNALS:
    void chosen(const QString& path);

private:
    void fill();
};

}  // namespace sofa::qt
