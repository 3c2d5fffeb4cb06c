// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QWidget>
#include <map>

#include "applications/qt/Viewer.h"

class QCheckBox;
class QPushButton;

namespace sofa::qt {

/// The filters: which kinds of things the viewer shows. A box shows what holds at the root of the scene; a click says
/// otherwise for as long as the window is open, or until "Use scene settings". Nodes that say something themselves keep
/// it.
class DisplayTab : public QWidget
{
    Q_OBJECT

public:
    explicit DisplayTab(Viewer& viewer, QWidget* parent = nullptr);

private:
    void refresh();

    Viewer& m_viewer;
    QCheckBox* m_all;
    std::map<DisplayFlags::Flag, QCheckBox*> m_boxes;
    QPushButton* m_useScene;
};

}  // namespace sofa::qt
