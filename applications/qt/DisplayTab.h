// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QWidget>
#include <map>

#include "applications/qt/Viewer.h"

class QCheckBox;
class QComboBox;
class QGroupBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSlider;
class QVBoxLayout;

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
    void addCut(QVBoxLayout& column);
    void showCut();
    void addRange(QVBoxLayout& column);
    void chooseRange();
    void showRange();

    Viewer& m_viewer;
    QCheckBox* m_all;
    std::map<DisplayFlags::Flag, QCheckBox*> m_boxes;
    QComboBox* m_field;
    QPushButton* m_useScene;
    QWidget* m_range;
    QCheckBox* m_automatic;
    QLineEdit *m_low, *m_high;
    QLabel* m_rangeUnit;
    QGroupBox* m_cut;
    QComboBox* m_cutAxis;
    QCheckBox* m_cutLower;
    QSlider* m_cutPlace;
    QLabel* m_cutText;
    BoundingBox m_cutBox;  ///< of the scene when the cut began: the slider goes from its one side to the other
};

}  // namespace sofa::qt
