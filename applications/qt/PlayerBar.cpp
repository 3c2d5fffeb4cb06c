// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/PlayerBar.h"

#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "applications/qt/Icons.h"

namespace sofa::qt {

/// "1.2 MB".
static QString sizeText(std::uint64_t bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeSIFormat);
}

/// A recording that is being made.
struct PlayerBar::Running
{
    std::unique_ptr<SimuRecorder> recorder;
    bool everyStep = false;
    std::uint64_t limit = 0;  ///< [bytes]; 0: none
    double begin = 0.;        ///< time of the first frame [s]
    std::string error;        ///< why it broke off; read after the listener was removed
    bool ended = false;
    std::atomic<std::size_t> frames{1};
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<double> seconds{0.};

    /// Adds the present state, if it is a later one.
    void record(const Simulation& s)
    {
        if (ended || !(s.root().time() > recorder->end())) return;
        try {
            recorder->record(s);
            seconds = recorder->end() - begin;
            frames = recorder->frames();
            bytes = recorder->bytes();
            if (limit > 0 && bytes >= limit)
                error =
                    "it has reached the limit of " + sizeText(limit).toStdString() + " (Edit > Limit of Recordings)";
        } catch (const std::exception& e) {
            error = e.what();
        }
        ended = !error.empty();
    }
};

PlayerBar::PlayerBar(Session& session, QWidget* parent) : QWidget(parent), m_session(session)
{
    setObjectName("player");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 2, 6, 2);
    row->setSpacing(2);
    const auto button = [&](const char* name, Icon which, const QString& text, const QString& help) {
        auto* b = new QToolButton;
        b->setObjectName(name);
        b->setIcon(icon(which));
        b->setToolTip(help);
        b->setAccessibleName(text);
        b->setAutoRaise(true);
        b->setFocusPolicy(Qt::TabFocus);
        row->addWidget(b);
        return b;
    };
    m_record = button("record", Icon::Record, tr("Record"),
                      tr("Record positions and velocities of all mechanical objects; press again to stop"));
    m_record->setCheckable(true);
    row->addSpacing(8);
    m_begin = button("playerBegin", Icon::ToBegin, tr("To the beginning"), tr("To the beginning of the recording"));
    m_back = button("playerBack", Icon::StepBackward, tr("Step backward"), tr("One recorded step backward"));
    m_play = button("playerPlay", Icon::Play, tr("Play"), tr("Play the recording"));
    m_play->setCheckable(true);
    m_forward = button("playerForward", Icon::StepForward, tr("Step forward"), tr("One recorded step forward"));
    m_end = button("playerEnd", Icon::ToEnd, tr("To the end"), tr("To the end of the recording"));
    row->addSpacing(4);
    m_slider = new QSlider(Qt::Horizontal);
    m_slider->setObjectName("playerSlider");
    m_slider->setAccessibleName(tr("Recorded step"));
    row->addWidget(m_slider, 1);
    row->addSpacing(6);
    const auto spin = [&](const char* name, const QString& help) {
        auto* s = new QDoubleSpinBox;
        s->setObjectName(name);
        s->setDecimals(4);
        s->setSuffix(tr(" s"));
        s->setKeyboardTracking(false);
        s->setToolTip(help);
        s->setAccessibleName(help);
        return s;
    };
    m_time = spin("playerTime", tr("Moment of the recording"));
    row->addWidget(m_time);
    row->addSpacing(4);
    m_length = new QLabel;
    m_length->setObjectName("playerLength");
    row->addWidget(m_length);

    connect(m_record, &QToolButton::clicked, this, &PlayerBar::setRecording);
    connect(m_begin, &QToolButton::clicked, this, [this] { show(0); });
    connect(m_end, &QToolButton::clicked, this, [this] {
        if (m_played) show(m_played->size() - 1);
    });
    connect(m_back, &QToolButton::clicked, this, [this] {
        setPlaying(false);
        if (m_frame > 0) show(m_frame - 1);
    });
    connect(m_forward, &QToolButton::clicked, this, [this] {
        setPlaying(false);
        if (m_played && m_frame + 1 < m_played->size()) show(m_frame + 1);
    });
    connect(m_play, &QToolButton::clicked, this, &PlayerBar::setPlaying);
    connect(m_slider, &QSlider::valueChanged, this, [this](int v) { show(static_cast<std::size_t>(v)); });
    connect(m_time, &QDoubleSpinBox::valueChanged, this, [this](double t) {
        if (m_played) show(m_played->frameAt(t));
    });
    connect(&m_timer, &QTimer::timeout, this, &PlayerBar::tick);
    connect(&session, &Session::closing, this, &PlayerBar::sceneClosing);
    connect(&session, &Session::opened, this, &PlayerBar::refresh);
    connect(&session, &Session::frameReady, this, &PlayerBar::refreshState);
    refresh();
}

PlayerBar::~PlayerBar()
{
    if (isRecording()) setRecording(false);
}

QString PlayerBar::nextFile() const
{
    const QFileInfo scene(m_session.path());
    QString folder = m_folder.isEmpty() ? scene.absolutePath() : m_folder;
    if (!QFileInfo(folder).isWritable()) folder = QDir::currentPath();
    return QDir(folder).filePath(scene.completeBaseName() + ".simu");
}

void PlayerBar::sceneClosing()
{
    if (isRecording()) setRecording(false);
    setPlayed(nullptr);
    m_waiting = std::make_shared<std::atomic<int>>(0);  // what waits will not be shown any more
}

void PlayerBar::setRecording(bool on)
{
    if (on == isRecording()) return;
    if (on && m_session.isOpen()) {
        setPlaying(false);
        auto running = std::make_shared<Running>();
        running->everyStep = m_everyStep;
        running->limit = m_limit;
        try {
            const std::string file = nextFile().toStdString(), scene = m_session.path().toStdString();
            m_session.thread()->call([&](Simulation& s) {
                running->recorder = std::make_unique<SimuRecorder>(file, scene, s);
                running->begin = s.root().time();
            });
            m_recorder = running;
            m_listener = m_session.thread()->addListener([this, running](Simulation& s, SimulationThread::Change c) {
                using C = SimulationThread::Change;
                if (running->ended) return;
                if (c == (running->everyStep ? C::Stepped : C::FrameMade)) running->record(s);
                if (c == C::Reset) running->ended = true;  // time went back: what was recorded so far is kept
                if (!running->ended) return;
                QMetaObject::invokeMethod(
                    this,
                    [this, running] {
                        if (m_recorder == running) setRecording(false);
                    },
                    Qt::QueuedConnection);
            });
        } catch (const std::exception& e) {
            Q_EMIT problem(tr("Nothing is recorded: %1").arg(e.what()));
        }
    } else if (m_recorder) {
        const auto running = std::move(m_recorder);
        m_recorder.reset();
        QString file, error;
        m_session.thread()->removeListener(m_listener);
        try {
            // The last step may have had no frame yet.
            m_session.thread()->call([&](Simulation& s) { running->record(s); });
            running->recorder->finish();
            file = QString::fromStdString(running->recorder->file());
            error = QString::fromStdString(running->error);
            setPlayed(std::make_shared<const SimuRecording>(file.toStdString()));
        } catch (const std::exception& e) {
            error = e.what();
        }
        if (!error.isEmpty()) Q_EMIT problem(tr("The recording ended: %1").arg(error));
        if (!file.isEmpty()) Q_EMIT recorded(file);
    }
    refresh();
}

void PlayerBar::setPlayed(std::shared_ptr<const SimuRecording> recording)
{
    setPlaying(false);
    m_played = std::move(recording);
    if (m_played) {
        m_frame = m_session.isOpen() ? m_played->frameAt(m_session.frame().time) : 0;
    } else {
        m_frame = 0;
    }
    refresh();
}

void PlayerBar::show(std::size_t frame)
{
    if (!m_played || !m_session.isOpen()) return;
    m_session.thread()->setAnimating(false);
    m_frame = std::min(frame, m_played->size() - 1);
    if (!m_timer.isActive()) m_playTime = m_played->time(m_frame);
    ++*m_waiting;
    m_session.thread()->post([played = m_played, at = m_frame, waiting = m_waiting](Simulation& s) {
        --*waiting;
        played->show(s, at);
    });
    refresh();
}

void PlayerBar::setPlaying(bool on)
{
    if (on && m_played && m_session.isOpen()) {
        if (m_frame + 1 >= m_played->size()) show(0);
        m_playTime = m_played->time(m_frame);
        m_clock.start();
        m_timer.start(16);
    } else {
        m_timer.stop();
    }
    refresh();
}

void PlayerBar::tick()
{
    const double passed = 1e-3 * static_cast<double>(m_clock.restart());
    if (*m_waiting > 0) return;  // a frame that takes long to show: it goes slower, and skips none for it
    m_playTime = std::isinf(m_speed) ? m_played->time(std::min(m_frame + 1, m_played->size() - 1))
                                     : m_playTime + passed * m_speed;
    const std::size_t next = m_played->frameAt(m_playTime);
    if (next != m_frame) show(next);
    if (m_frame + 1 >= m_played->size()) setPlaying(false);
}

void PlayerBar::refresh()
{
    const bool any = m_played != nullptr;
    const std::size_t last = any ? m_played->size() - 1 : 0;
    const QSignalBlocker slider(m_slider), time(m_time);
    m_slider->setRange(0, static_cast<int>(last));
    m_slider->setValue(static_cast<int>(m_frame));
    m_time->setRange(any ? m_played->time(0) : 0., any ? m_played->time(last) : 0.);
    m_time->setSingleStep(any ? m_played->dt() : 0.01);
    m_time->setValue(any ? m_played->time(m_frame) : 0.);
    const std::initializer_list<QWidget*> controls{m_begin, m_back, m_play, m_forward, m_end, m_slider, m_time};
    for (QWidget* w : controls) w->setEnabled(any && !isRecording());
    const bool playable = any && !isRecording();
    m_begin->setEnabled(playable && m_frame > 0);
    m_back->setEnabled(playable && m_frame > 0);
    m_forward->setEnabled(playable && m_frame < last);
    m_end->setEnabled(playable && m_frame < last);
    m_play->setChecked(m_timer.isActive());
    m_play->setIcon(icon(m_timer.isActive() ? Icon::Pause : Icon::Play));
    m_record->setEnabled(m_session.isOpen());
    m_record->setChecked(isRecording());
    refreshState();
}

void PlayerBar::refreshState()
{
    QString text = tr("no recording"), help = tr("Press Record to make one");
    if (m_recorder) {
        text = tr("recording: %1 s, %2 frames, %3")
                   .arg(m_recorder->seconds, 0, 'f', 2)
                   .arg(m_recorder->frames)
                   .arg(sizeText(m_recorder->bytes));
        help = QString::fromStdString(m_recorder->recorder->file());
    } else if (m_played) {
        text = tr("of %1 s").arg(m_played->time(m_played->size() - 1), 0, 'f', 2);
        help = tr("%1 frames").arg(m_played->size());
    }
    m_length->setText(text);
    m_length->setToolTip(help);
}

}  // namespace sofa::qt
