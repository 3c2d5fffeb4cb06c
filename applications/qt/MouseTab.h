// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QWidget>
#include <array>

#include "applications/qt/Viewer.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace sofa::qt {

/// All about the viewer: its mouse and keys, what Shift and each button do, and its size for images and videos.
class MouseTab : public QWidget
{
    Q_OBJECT

public:
    explicit MouseTab(Viewer& viewer, QWidget* parent = nullptr);

Q_SIGNALS:
    /// The user wants a view of this size [pixel].
    void sizeWanted(int width, int height);

private:
    void fillOperations();
    void refresh();
    void refreshSize();
    void refreshButtons();

    Viewer& m_viewer;
    std::array<QComboBox*, 3> m_operations{};
    std::array<QDoubleSpinBox*, 3> m_strengths{};
    QFormLayout* m_form = nullptr;
    std::array<QLabel*, 3> m_drags{};  ///< what turns, moves and zooms
    QCheckBox *m_micro, *m_information;
    QSpinBox *m_width, *m_height;
};

}  // namespace sofa::qt
