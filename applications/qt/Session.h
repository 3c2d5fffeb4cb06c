// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QMap>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>

#include "core/log/Message.h"
#include "core/simulation/SimulationThread.h"

namespace sofa::qt {

using namespace sofa::core;

/// GuiOptions::load.
using SceneLoad = std::function<std::shared_ptr<Node>(const std::string& path, bool lenient)>;

/// The extensions of the files that open() takes, without the dot.
QStringList sceneExtensions();
QStringList meshExtensions();
/// Whether open() takes a file, by its extension.
bool canOpen(const QString& path);
/// The files that object.txt, in the scene's folder or the repository, names: one a line, '#' begins a comment.
QStringList favouritesOf(const QString& scene);
/// A scene that shows the mesh of a file: elements of volumes and surfaces. Throws std::runtime_error.
std::shared_ptr<Node> sceneOfMesh(const std::string& path);

/// The scene that is open and the thread that runs it; what happens there comes as signals in the window's thread.
class Session : public QObject
{
    Q_OBJECT

public:
    explicit Session(SceneLoad load, QObject* parent = nullptr);
    ~Session() override;

    /// nullptr while no scene is open.
    SimulationThread* thread() const { return m_thread.get(); }
    const SceneLoad& loader() const { return m_load; }
    bool isOpen() const { return m_thread != nullptr; }
    /// Of the scene's file; empty if it was not given.
    const QString& path() const { return m_path; }

    /// Takes over an initialised simulation.
    void adopt(const Simulation& simulation, const QString& path);
    /// Loads and initialises a scene, or a mesh, in place of the one that is open. If that fails, the open one stays,
    /// and `error` says why: every problem on a line of its own. With `lenient`, what SOFA tolerates is no problem.
    bool open(const QString& path, QString& error, bool lenient = false);
    /// Whether the open scene was opened so.
    bool isLenient() const { return m_lenient; }
    void close();
    /// The file that was to be opened last, if that failed. It is watched, as the open one is.
    const QString& failedPath() const { return m_failedPath; }
    void setFailedPath(const QString& path);
    /// The scene was written there: that is no change of the file by others.
    void noteSaved(const QString& path);
    /// Each error among messages on a line, and `last` if it is none of them.
    static QString problems(const std::vector<Message>& messages, const QString& last);

    /// The newest frame and its figures.
    SimulationThread::Frame frame() const { return m_thread ? m_thread->frame() : SimulationThread::Frame(); }

Q_SIGNALS:
    /// A file is about to be loaded.
    void opening();
    /// A new scene is there.
    void opened();
    /// The scene is about to go; its thread still runs.
    void closing();
    /// Its thread has ended; thread() is it for the last time.
    void closed();
    void frameReady();
    /// A step failed; the animation has stopped.
    void failed(const QString& reason);
    void animatingChanged(bool on);
    /// The file of the open scene, or the one that could not be opened, is another one now.
    void fileChanged(const QString& path);

private:
    void watch();

    SceneLoad m_load;
    QString m_path, m_failedPath;
    bool m_lenient = false, m_opening = false;
    std::unique_ptr<SimulationThread> m_thread;
    QFileSystemWatcher m_watcher;
    QStringList m_changed;             ///< files, since the last signal
    QMap<QString, QDateTime> m_saved;  ///< times of the files that were written here
    QTimer m_settled;                  ///< editors write in several goes
    QTimer m_frameTimer;               ///< frames wait for their turn behind the user's input
};

}  // namespace sofa::qt
