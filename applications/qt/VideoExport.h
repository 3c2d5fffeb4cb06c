// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QObject>
#include <memory>

#include "applications/gl/VideoWriter.h"

namespace sofa::qt {

class Session;
class Viewer;

/// Writes what the view shows into a video, as fast as the time of the scene: 30 images a second of it. It ends when
/// the user says so, and when the scene is reset or closed.
class VideoExport : public QObject
{
    Q_OBJECT

public:
    VideoExport(Session& session, Viewer& viewer, QObject* parent = nullptr);
    ~VideoExport() override;

    bool isOn() const { return m_writer != nullptr; }
    /// Begins with the present image. Problems come as a signal.
    void start(const QString& file);
    void stop();

Q_SIGNALS:
    void changed(bool on);
    void written(const QString& file);
    void problem(const QString& text);

private:
    void frame();
    void add(int images);

    Session& m_session;
    Viewer& m_viewer;
    std::unique_ptr<gl::VideoWriter> m_writer;
    QString m_file;
    int m_width = 0, m_height = 0;  ///< of the images [pixel]
    double m_begin = 0.;            ///< time of the first one [s]
    long m_images = 0;
};

}  // namespace sofa::qt
