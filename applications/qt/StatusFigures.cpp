// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/StatusFigures.h"

#include <QLabel>
#include <QLocale>
#include <QStatusBar>

#include "applications/qt/Notification.h"
#include "applications/qt/Session.h"
#include "applications/qt/Viewer.h"

namespace sofa::qt {

StatusFigures::StatusFigures(QStatusBar& bar, const Session& session, const Viewer& viewer, Notification& notification)
    : m_session(session), m_viewer(viewer), m_notification(notification)
{
    m_moment = new QLabel;
    m_moment->setObjectName("moment");
    m_pace = new QLabel;
    m_pace->setObjectName("pace");
    m_pace->setToolTip(tr("Seconds of the scene in a second of the clock"));
    m_rates = new QLabel;
    m_rates->setObjectName("rates");
    m_rates->setToolTip(tr("Frames shown and steps done in a second, and the duration of a step"));
    bar.addPermanentWidget(m_moment);
    bar.addPermanentWidget(m_pace);
    bar.addPermanentWidget(m_rates);
}

void StatusFigures::refreshMoment()
{
    const SimulationThread::Frame& f = m_viewer.frame();
    m_moment->setText(f.drawList ? tr("Time %1 s   Step %2").arg(f.time, 0, 'f', 3).arg(f.step) : QString());
}

void StatusFigures::refreshRates()
{
    const SimulationThread::Frame& f = m_viewer.frame();
    const SimulationThread::Work work = m_session.isOpen() ? m_session.thread()->work() : SimulationThread::Work();
    if (work.seconds > 2. && !work.phases.empty()) {
        m_rates->setText(tr("Step %1: %2 s so far").arg(f.step + 1).arg(work.seconds, 0, 'f', 0));
        m_pace->setText(QString::fromStdString(work.phases));
        if (!m_toldLongStep)
            m_notification.tell(tr("A step takes long. The line below says what it does."), {},
                                {{tr("&Interrupt it"), [this] {
                                      if (m_session.isOpen()) m_session.thread()->interrupt();
                                  }}});
        m_toldLongStep = true;
        return;
    }
    if (m_toldLongStep && work.seconds < 2.) {
        m_toldLongStep = false;
        if (m_notification.text().startsWith(tr("A step takes long."))) m_notification.hide();
    }
    m_rates->setText(tr("%1 frames/s   %2 steps/s   %3 ms")
                         .arg(m_viewer.frameRate(), 0, 'f', 0)
                         .arg(f.animating ? f.stepsPerSecond : 0., 0, 'f', 1)
                         .arg(f.stepSeconds * 1e3, 0, 'f', 2));
    QString pace;
    if (f.animating && f.speed > 0.)
        pace = QStringLiteral("×%1").arg(QLocale().toString(f.speed, 'f', f.speed < 10. ? 2 : 0));
    if (f.animating && f.slow) pace += tr(": steps take longer than their time");
    m_pace->setText(pace);
}

}  // namespace sofa::qt
