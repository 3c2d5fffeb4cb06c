// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "applications/qt/Session.h"
#include "core/simulation/SimuFile.h"

class QDoubleSpinBox;
class QLabel;
class QSlider;
class QToolButton;

namespace sofa::qt {

/// Records the states of the open scene into a .simu file, and plays such files: forward, by steps in both directions,
/// from any moment, faster or slower.
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
    void tick();

    Session& m_session;
    QString m_folder;
    std::shared_ptr<Running> m_recorder;  ///< used in the thread of the simulation
    int m_listener = 0;
    std::shared_ptr<const SimuRecording> m_played;
    std::size_t m_frame = 0;
    double m_playTime = 0.;  ///< of the recording [s]
    QTimer m_timer;
    QToolButton *m_record, *m_begin, *m_back, *m_play, *m_forward, *m_end;
    QSlider* m_slider;
    QDoubleSpinBox *m_time, *m_dt;
    QLabel* m_length;
};

}  // namespace sofa::qt
