// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QToolBar>

class QComboBox;
class QDoubleSpinBox;

namespace sofa::qt {

/// The basic controls above the view: buttons of actions, and the time step, the speed and the end of the animation.
class ControlBar : public QToolBar
{
    Q_OBJECT

public:
    /// The actions stand before and behind the numbers.
    ControlBar(const QList<QAction*>& before, const QList<QAction*>& behind, QWidget* parent = nullptr);

    /// Shows the time step [s] of the simulation, unless the user writes another one just now.
    void showDt(double dt);
    void setDtEnabled(bool on);
    /// Seconds of the scene in a second of the clock; infinity: as fast as possible.
    double speed() const;
    /// Time of the scene [s] at which the animation stops; infinity: never.
    double endTime() const;
    /// The same as it is shown.
    QString endText() const;

Q_SIGNALS:
    void dtChosen(double dt);
    void speedChosen(double speed);
    void endTimeChosen(double time);

private:
    QDoubleSpinBox *m_dt = nullptr, *m_until = nullptr;
    QComboBox* m_speed = nullptr;
};

}  // namespace sofa::qt
