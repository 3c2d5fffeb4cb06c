// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QCoreApplication>

class QLabel;
class QStatusBar;

namespace sofa::qt {

class Notification;
class Session;
class Viewer;

/// The figures at the right of the status bar: the moment that is shown, how fast the simulation runs, and what a step
/// does that takes long.
class StatusFigures
{
    Q_DECLARE_TR_FUNCTIONS(StatusFigures)

public:
    StatusFigures(QStatusBar& bar, const Session& session, const Viewer& viewer, Notification& notification);

    /// After each frame.
    void refreshMoment();
    /// A few times a second.
    void refreshRates();

private:
    const Session& m_session;
    const Viewer& m_viewer;
    Notification& m_notification;
    QLabel *m_moment, *m_pace, *m_rates;
    bool m_toldLongStep = false;
};

}  // namespace sofa::qt
