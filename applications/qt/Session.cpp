// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/Session.h"

#include <QFile>
#include <QFileInfo>
#include <QScopeGuard>
#include <optional>

#include "applications/qt/LongWork.h"
#include "core/io/DataRepository.h"
#include "core/log/Message.h"
#include "core/scene/SceneLoader.h"

namespace sofa::qt {

namespace {

/// How a mesh file is read and shown.
struct MeshKind
{
    const char* extension;
    const char* loader;
};

constexpr MeshKind meshKinds[] = {
    {"obj", "MeshOBJLoader"}, {"stl", "MeshSTLLoader"},  {"off", "MeshOffLoader"}, {"vtk", "MeshVTKLoader"},
    {"vtu", "MeshVTKLoader"}, {"msh", "MeshGmshLoader"}, {"veg", "MeshVegLoader"},
};

std::string escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped().toStdString(); }

}  // namespace

QStringList sceneExtensions() { return {"scn", "xml", "config", "simu"}; }

QStringList meshExtensions()
{
    QStringList all;
    for (const MeshKind& k : meshKinds) all << k.extension;
    return all;
}

bool canOpen(const QString& path)
{
    const QString extension = QFileInfo(path).suffix().toLower();
    return sceneExtensions().contains(extension) || meshExtensions().contains(extension);
}

QStringList favouritesOf(const QString& scene)
{
    const std::string folder = QFileInfo(scene).absolutePath().toStdString();
    const DataRepository& repository = DataRepository::instance();
    const auto list = repository.find("object.txt", folder);
    QFile file(QString::fromStdString(list.value_or("")));
    if (!list || !file.open(QIODevice::ReadOnly)) return {};
    const std::string beside = QFileInfo(file.fileName()).absolutePath().toStdString();
    QStringList found;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        const QString name = line.trimmed();
        if (name.isEmpty() || name.startsWith('#')) continue;
        if (const auto path = repository.find(name.toStdString(), beside)) found << QString::fromStdString(*path);
    }
    return found;
}

std::shared_ptr<Node> sceneOfMesh(const std::string& path)
{
    const std::string extension = QFileInfo(QString::fromStdString(path)).suffix().toLower().toStdString();
    for (const MeshKind& k : meshKinds) {
        if (extension != k.extension) continue;
        const std::string text =
            "<?xml version=\"1.0\"?>\n<Node name=\"root\">\n"
            "  <VisualStyle displayFlags=\"showVisual showBehavior\"/>\n  <" +
            std::string(k.loader) + " name=\"loader\" filename=\"" + escaped(path) +
            "\"/>\n"
            "  <MeshTopology name=\"mesh\" src=\"@loader\"/>\n"
            "  <MechanicalObject name=\"points\" src=\"@loader\"/>\n"
            "  <Node name=\"surface\">\n"
            "    <OglModel name=\"model\" src=\"@../loader\"/>\n"
            "  </Node>\n</Node>\n";
        return loadSceneText(text, path + " (a scene around the mesh)");
    }
    throw std::runtime_error("'" + path + "' is no mesh of a kind that can be opened (" +
                             meshExtensions().join(", ").toStdString() + ")");
}

Session::Session(SceneLoad load, QObject* parent) : QObject(parent), m_load(std::move(load))
{
    m_settled.setSingleShot(true);
    m_settled.setInterval(300);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this](const QString& path) {
        if (!m_changed.contains(path)) m_changed << path;
        m_settled.start();
    });
    // A posted event for each frame would be followed by the next one before it is done, where drawing takes longer
    // than steps: nothing else would have its turn.
    m_frameTimer.setSingleShot(true);
    m_frameTimer.setInterval(0);
    connect(&m_frameTimer, &QTimer::timeout, this, &Session::frameReady);
    connect(&m_settled, &QTimer::timeout, this, [this] {
        if (m_opening) {
            m_settled.start();
            return;
        }
        watch();  // editors replace files: the new one is another file
        for (const QString& path : std::exchange(m_changed, {}))
            if (QFileInfo::exists(path) && m_saved.value(path) != QFileInfo(path).lastModified())
                Q_EMIT fileChanged(path);
    });
}

Session::~Session() { close(); }

void Session::close()
{
    if (!m_thread) return;
    m_thread->setFrameListener({});
    m_thread->setFailureListener({});
    m_thread->interrupt();
    Q_EMIT closing();
    m_thread->stop();
    Q_EMIT closed();
    m_thread.reset();
    watch();
}

void Session::watch()
{
    if (!m_watcher.files().isEmpty()) m_watcher.removePaths(m_watcher.files());
    for (const QString& path : {m_thread ? m_path : QString(), m_failedPath})
        if (QFileInfo(path).isFile()) m_watcher.addPath(path);
}

void Session::setFailedPath(const QString& path)
{
    m_failedPath = path;
    watch();
}

void Session::noteSaved(const QString& path)
{
    m_saved[path] = QFileInfo(path).lastModified();
    watch();
}

QString Session::problems(const std::vector<Message>& messages, const QString& last)
{
    QStringList lines;
    for (const Message& m : messages)
        if (m.severity == Severity::Error) lines << QString::fromStdString(m.str());
    if (!last.isEmpty() && !lines.join('\n').contains(last)) lines << last;
    return lines.join('\n');
}

void Session::adopt(const Simulation& simulation, const QString& path)
{
    close();
    m_path = path;
    m_failedPath.clear();
    m_thread = std::make_unique<SimulationThread>(simulation);
    // The listeners are called in the thread of the simulation: they only post events to this object.
    m_thread->setFrameListener([this] {
        QMetaObject::invokeMethod(
            this, [this] { m_frameTimer.start(); }, Qt::QueuedConnection);
    });
    m_thread->setFailureListener([this](const std::string& reason) {
        const QString text = QString::fromStdString(reason);
        QMetaObject::invokeMethod(
            this, [this, text] { Q_EMIT failed(text); }, Qt::QueuedConnection);
    });
    watch();
    Q_EMIT opened();
    Q_EMIT frameReady();  // of a first frame that came before the listener
}

bool Session::open(const QString& path, QString& error, bool lenient)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const MessageRecorder messages;
    if (m_opening) {
        error = tr("another scene is being opened");
        return false;
    }
    m_opening = true;
    const auto end = qScopeGuard([this] { m_opening = false; });
    Q_EMIT opening();
    try {
        if (!QFileInfo(absolute).isFile())
            throw std::runtime_error("there is no file '" + absolute.toStdString() + "'");
        const bool mesh = meshExtensions().contains(QFileInfo(absolute).suffix().toLower());
        std::optional<Simulation> simulation;
        const auto load = [&] {
            const std::string file = absolute.toStdString();
            simulation.emplace(mesh ? sceneOfMesh(file) : m_load(file, lenient));
            error = problems(messages.messages(), {});
            if (error.isEmpty() && !simulation->init())
                error = problems(messages.messages(), "the scene cannot be initialised");
            if (error.isEmpty()) error = problems(messages.messages(), {});
        };
        doLongWork(tr("Opening %1").arg(QFileInfo(absolute).fileName()), load);
        if (error.isEmpty()) {
            adopt(*simulation, absolute);
            m_lenient = lenient;
            return true;
        }
    } catch (const std::exception& e) {
        error = problems(messages.messages(), QString::fromUtf8(e.what()));
    }
    setFailedPath(absolute);
    return false;
}

}  // namespace sofa::qt
