// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/Recovery.h"

#include <QCoreApplication>
#include <QDir>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>
#include <algorithm>
#include <csignal>

#include "applications/modeler/EditingPreferences.h"

namespace sofa::modeler {

namespace {

/// A copy begins with a line of its own: process, path, title.
constexpr char separator = '\x1f';

/// Whether a process is this program: the number of one that was killed may have gone to another program.
bool runs(pid_t process)
{
    if (process <= 0 || kill(process, 0) != 0) return false;
    const auto name = [](const QString& path) { return QFileInfo(path).fileName().section(' ', 0, 0); };
    const QString file = QFile::symLinkTarget(QString("/proc/%1/exe").arg(process));
    return file.isEmpty() || name(file) == name(QCoreApplication::applicationFilePath());
}

}  // namespace

Recovery::Recovery()
{
    const auto setInterval = [this] {
        m_timer.setInterval(1000 * std::clamp(qt::Preferences::value(preferences::copies).toInt(), 1, 600));
    };
    setInterval();
    connect(&qt::Preferences::instance(), &qt::Preferences::changed, this, [setInterval](const QString& key) {
        if (key == preferences::copies.key) setInterval();
    });
    connect(&m_timer, &QTimer::timeout, this, &Recovery::write);
    m_timer.start();
}

QString Recovery::folder()
{
    const QString path = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/recovery";
    QDir().mkpath(path);
    return path;
}

void Recovery::add(Document& document)
{
    const QString unique = QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_documents[&document] = {folder() + '/' + unique + ".copy", 0};
}

void Recovery::remove(Document& document)
{
    const auto it = m_documents.find(&document);
    if (it == m_documents.end()) return;
    if (it->second.revision != 0) QFile::remove(it->second.copy);
    m_documents.erase(it);
}

void Recovery::write()
{
    for (auto& [document, w] : m_documents) {
        const bool edited = document->isEdited();
        if (!edited && w.revision != 0) {
            QFile::remove(w.copy);
            w.revision = 0;
        }
        if (!edited || w.revision == document->text().revision()) continue;
        QSaveFile file(w.copy);
        const QByteArray head = QByteArray::number(QCoreApplication::applicationPid()) + separator +
                                document->path().toUtf8() + separator + document->title().toUtf8() + '\n';
        const std::string& bytes = document->text().bytes();
        const bool written =
            file.open(QIODevice::WriteOnly) && file.write(head) == head.size() &&
            file.write(bytes.data(), static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size()) &&
            file.commit();
        if (written) w.revision = document->text().revision();
    }
}

std::vector<Recovery::Left> Recovery::left()
{
    std::vector<Left> out;
    const QDir copies(folder());
    for (const QFileInfo& info : copies.entryInfoList({"*.copy"}, QDir::Files, QDir::Time | QDir::Reversed)) {
        QFile file(info.absoluteFilePath());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QByteArray all = file.readAll();
        const qsizetype end = all.indexOf('\n');
        const QList<QByteArray> head = all.left(end).split(separator);
        if (end < 0 || head.size() != 3) continue;
        if (runs(static_cast<pid_t>(head[0].toLongLong()))) continue;
        out.push_back({info.absoluteFilePath(), QString::fromUtf8(head[1]), QString::fromUtf8(head[2]),
                       all.mid(end + 1).toStdString()});
    }
    return out;
}

void Recovery::forget(const Left& one) { QFile::remove(one.copy); }

}  // namespace sofa::modeler
