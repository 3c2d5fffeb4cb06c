// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/TimeLine.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/simulation/Checkpoint.h"

namespace sofa::qt {

namespace {

constexpr double leastTime = 0.5;    // of the scene between two moments that are kept by themselves [s]
constexpr qint64 leastClock = 2000;  // of the clock [ms]
constexpr int side = 8;              // free at both ends of the line [pixel]

}  // namespace

/// The moments of one scene; used in the thread of the simulation, the list under its mutex.
struct TimeLine::Kept
{
    struct Moment
    {
        double time = 0.;  ///< [s]
        QString file;
        qint64 bytes = 0;
    };
    mutable std::mutex mutex;
    std::vector<Moment> moments;  ///< in the order of their times
    QTemporaryDir folder;
    std::atomic<qint64> limit{0};
    int number = 0;
    QElapsedTimer clock;  ///< since the last moment that was kept by itself
    bool fails = false;   ///< the scene has no checkpoints: it is not tried by itself any more

    static void drop(const Moment& m) { QFile::remove(m.file); }

    /// Throws std::runtime_error.
    void keep(const Simulation& s)
    {
        const double time = s.root().time();
        Moment m{time, folder.filePath(QStringLiteral("%1.checkpoint").arg(++number)), 0};
        saveCheckpoint(s, m.file.toStdString());
        m.bytes = QFileInfo(m.file).size();
        const std::lock_guard lock(mutex);
        const auto at = std::ranges::lower_bound(moments, time, {}, &Moment::time);
        if (at != moments.end() && at->time == time) {
            drop(*at);
            *at = m;
        } else {
            moments.insert(at, m);
        }
        const auto room = [this] {
            qint64 sum = 0;
            for (const Moment& each : moments) sum += each.bytes;
            return sum;
        };
        while (moments.size() > 1 && room() > limit) {
            // The newest stays.
            std::vector<Moment> left;
            for (std::size_t i = 0; i < moments.size(); ++i)
                if ((moments.size() - 1 - i) % 2 == 0)
                    left.push_back(moments[i]);
                else
                    drop(moments[i]);
            moments = std::move(left);
        }
    }

    void stepped(const Simulation& s, bool automatic)
    {
        const double time = s.root().time();
        double last = 0.;
        {
            const std::lock_guard lock(mutex);
            // A step before the end of the line makes another future.
            const double before = time - 0.5 * s.root().dt();
            while (!moments.empty() && moments.back().time > before) {
                drop(moments.back());
                moments.pop_back();
            }
            if (!moments.empty()) last = moments.back().time;
        }
        if (!automatic || fails || time - last < leastTime) return;
        if (clock.isValid() && clock.elapsed() < leastClock) return;
        clock.start();
        try {
            keep(s);
        } catch (const std::exception&) {
            fails = true;
        }
    }
};

TimeLine::TimeLine(Session& session, QWidget* parent) : QWidget(parent), m_session(session)
{
    setObjectName("timeLine");
    setAccessibleName(tr("Time line"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&session, &Session::opened, this, [this] {
        m_kept = std::make_shared<Kept>();
        m_kept->limit = m_limit;
        m_now = 0.;
        m_session.thread()->addListener(
            [kept = m_kept, automatic = m_automatic](const Simulation& s, SimulationThread::Change c) {
                if (c == SimulationThread::Change::Stepped) kept->stepped(s, *automatic);
            });
        update();
    });
    connect(&session, &Session::closed, this, [this] {
        m_kept.reset();
        update();
    });
    connect(&session, &Session::frameReady, this, [this] {
        m_now = m_session.frame().time;
        update();
    });
}

TimeLine::~TimeLine() = default;

void TimeLine::setLimit(qint64 bytes)
{
    m_limit = bytes;
    if (m_kept) m_kept->limit = bytes;
}

std::vector<double> TimeLine::moments() const
{
    std::vector<double> out;
    if (!m_kept) return out;
    const std::lock_guard lock(m_kept->mutex);
    for (const Kept::Moment& m : m_kept->moments) out.push_back(m.time);
    return out;
}

void TimeLine::keep()
{
    if (!m_session.isOpen()) return;
    m_session.thread()->inspect([kept = m_kept, self = QPointer<TimeLine>(this)](const Simulation& s) {
        QString error;
        try {
            kept->keep(s);
        } catch (const std::exception& e) {
            error = e.what();
        }
        QMetaObject::invokeMethod(
            qApp,
            [self, error] {
                if (!self) return;
                if (!error.isEmpty()) Q_EMIT self->problem(tr("The moment cannot be kept: %1").arg(error));
                self->update();
            },
            Qt::QueuedConnection);
    });
}

void TimeLine::goTo(std::size_t moment)
{
    if (!m_session.isOpen()) return;
    Kept::Moment m;
    {
        const std::lock_guard lock(m_kept->mutex);
        if (moment >= m_kept->moments.size()) return;
        m = m_kept->moments[moment];
    }
    m_session.thread()->setAnimating(false);
    m_session.thread()->post([m, self = QPointer<TimeLine>(this)](Simulation& s) {
        QString error;
        try {
            loadCheckpoint(s, m.file.toStdString());
        } catch (const std::exception& e) {
            error = e.what();
        }
        QMetaObject::invokeMethod(
            qApp,
            [self, error, time = m.time] {
                if (!self) return;
                if (error.isEmpty())
                    Q_EMIT self->wentTo(time);
                else
                    Q_EMIT self->problem(tr("The scene cannot go back: %1").arg(error));
            },
            Qt::QueuedConnection);
    });
}

void TimeLine::goBack()
{
    const std::vector<double> all = moments();
    const double dt = m_session.frame().dt;
    const auto after = std::ranges::lower_bound(all, m_now - 0.5 * dt);
    if (after == all.begin())
        Q_EMIT problem(tr("No moment before this one was kept. Reset Scene goes to the beginning."));
    else
        goTo(static_cast<std::size_t>(after - all.begin()) - 1);
}

void TimeLine::goForward()
{
    const std::vector<double> all = moments();
    const auto after = std::ranges::upper_bound(all, m_now + 0.5 * m_session.frame().dt);
    if (after == all.end())
        Q_EMIT problem(tr("No moment after this one was kept."));
    else
        goTo(static_cast<std::size_t>(after - all.begin()));
}

double TimeLine::end() const
{
    const std::vector<double> all = moments();
    return std::max({m_now, all.empty() ? 0. : all.back(), 1e-9});
}

double TimeLine::placeOf(double time) const { return side + (width() - 2. * side) * time / end(); }

std::optional<std::size_t> TimeLine::nearest(double x) const
{
    const std::vector<double> all = moments();
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!best || std::abs(placeOf(all[i]) - x) < std::abs(placeOf(all[*best]) - x)) best = i;
    return best && std::abs(placeOf(all[*best]) - x) < 12. ? best : std::nullopt;
}

void TimeLine::mousePressEvent(QMouseEvent* e)
{
    const auto moment = nearest(e->position().x());
    if (moment) goTo(*moment);
}

bool TimeLine::event(QEvent* e)
{
    if (e->type() != QEvent::ToolTip) return QWidget::event(e);
    const auto* help = static_cast<QHelpEvent*>(e);
    const auto moment = nearest(help->pos().x());
    QToolTip::showText(help->globalPos(), moment
                                              ? tr("Back to %1 s").arg(moments()[*moment], 0, 'f', 3)
                                              : tr("The time of the scene. Marks are moments to go back to: they are "
                                                   "kept by themselves while it runs, or by Ctrl+K"));
    return true;
}

void TimeLine::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QPalette& colors = palette();
    const double y = height() / 2.;
    p.setPen(QPen(colors.color(QPalette::Mid), 3., Qt::SolidLine, Qt::RoundCap));
    p.drawLine(QPointF(side, y), QPointF(width() - side, y));
    if (!m_session.isOpen()) return;
    p.setPen(QPen(colors.color(QPalette::Highlight), 3., Qt::SolidLine, Qt::RoundCap));
    p.drawLine(QPointF(side, y), QPointF(placeOf(m_now), y));
    for (const double t : moments()) {
        const double x = placeOf(t);
        p.setPen(QPen(colors.color(QPalette::WindowText), 1.));
        p.setBrush(t <= m_now ? colors.color(QPalette::Highlight) : colors.color(QPalette::Base));
        p.drawPolygon(QPolygonF({{x, y - 6.}, {x + 5., y}, {x, y + 6.}, {x - 5., y}}));
    }
    p.setPen(QPen(colors.color(QPalette::WindowText), 2.));
    p.drawLine(QPointF(placeOf(m_now), 2.), QPointF(placeOf(m_now), height() - 2.));
}

}  // namespace sofa::qt
