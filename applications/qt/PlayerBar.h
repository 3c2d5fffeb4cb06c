// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <atomic>
#include <memory>

#include "applications/qt/Session.h"
#include "core/simulation/SimuFile.h"

class QDoubleSpinBox;
class QLabel;
class QSlider;
class QToolButton;

namespace sofa::qt {

/// Records the states of the open scene into a .simu file, and plays such files: forward, by steps in both directions,
/// from any moment, faster or slower. A recording has one frame for each frame that is shown, or for each step.
class PlayerBar : public QWidget
{
    Q_OBJECT

public:
    explicit PlayerBar(Session& session, QWidget* parent = nullptr);
    ~PlayerBar() override;

    /// Folder of new recordings; empty: that of the scene.
    void setFolder(const QString& folder) { m_folder = folder; }
    /// File that a recording of the open scene would get.
    QString nextFile() const;
    /// Whether recordings that begin from now on hold every step.
    void setEveryStep(bool on) { m_everyStep = on; }
    /// Recordings that begin from now on end when they have this size [bytes]; 0: never.
    void setLimit(std::uint64_t bytes) { m_limit = bytes; }
    /// Recorded seconds that are played in a second; infinite: one frame after the other.
    void setSpeed(double speed) { m_speed = speed; }

    bool isRecording() const { return m_recorder != nullptr; }
    /// Begins or ends a recording; it is ready to be played then. Problems come as a signal.
    void setRecording(bool on);
    /// The recording that is played; none if nullptr.
    void setPlayed(std::shared_ptr<const SimuRecording> recording);
    const std::shared_ptr<const SimuRecording>& played() const { return m_played; }
    std::size_t frame() const { return m_frame; }
    void show(std::size_t frame);
    void setPlaying(bool on);

Q_SIGNALS:
    void problem(const QString& text);
    void recorded(const QString& file);

private:
    struct Running;

    void sceneClosing();
    void refresh();
    void refreshState();
    void tick();

    Session& m_session;
    QString m_folder;
    bool m_everyStep = false;
    std::uint64_t m_limit = 0;
    double m_speed = 1.;
    std::shared_ptr<Running> m_recorder;  ///< used in the thread of the simulation
    int m_listener = 0;
    std::shared_ptr<const SimuRecording> m_played;
    std::size_t m_frame = 0;
    double m_playTime = 0.;                                                               ///< of the recording [s]
    std::shared_ptr<std::atomic<int>> m_waiting = std::make_shared<std::atomic<int>>(0);  ///< frames yet to be shown
    QTimer m_timer;
    QElapsedTimer m_clock;  ///< since the last tick
    QToolButton *m_record, *m_begin, *m_back, *m_play, *m_forward, *m_end;
    QSlider* m_slider;
    QDoubleSpinBox* m_time;
    QLabel* m_length;
};

}  // namespace sofa::qt
