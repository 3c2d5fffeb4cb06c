// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QMenu>

namespace sofa::qt {

/// The example scenes of the installation, each with what it shows.
class ExamplesMenu : public QMenu
{
    Q_OBJECT

public:
    explicit ExamplesMenu(const QString& title, QWidget* parent = nullptr);

Q_SIGNALS:
    void chosen(const QString& path);
};

/// Shows a page of the documentation ("gui.md") in a window of its own, with links that can be followed. False if it is
/// not installed.
bool showDocumentation(QWidget* parent, const QString& page);

}  // namespace sofa::qt
