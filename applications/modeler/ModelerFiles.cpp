// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The Modeler's window and files: presets, the last session, runSofa.
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <algorithm>

#include "applications/modeler/DocumentView.h"
#include "applications/modeler/MeshWizard.h"
#include "applications/modeler/ModelerWindow.h"
#include "applications/modeler/Recovery.h"
#include "applications/modeler/SourceEditor.h"
#include "core/Installation.h"
#include "core/scene/SceneIncludes.h"

namespace sofa::modeler {

namespace {

/// That of the installation, and the user's own.
QList<QDir> presetFolders()
{
    return {QDir(QString::fromStdString((shareDirectory() / "presets").string())),
            QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/sofa/presets")};
}

}  // namespace

QStringList ModelerWindow::presets()
{
    QStringList out;
    for (const QDir& folder : presetFolders())
        for (const QString& file : folder.entryList({"*.scn"}, QDir::Files)) out << file.chopped(4);
    out.removeDuplicates();
    out.sort();
    return out;
}

void ModelerWindow::openPreset(const QString& name)
{
    QString path;
    for (const QDir& folder : presetFolders())
        if (folder.exists(name + ".scn")) path = folder.filePath(name + ".scn");
    try {
        // "10 cloth" -> "cloth": the numbers are for the order.
        openNew(readBytes(path.toStdString()), QString(name).remove(QRegularExpression("^[0-9]+[ _-]*")));
    } catch (const SceneError& e) {
        say(QString::fromUtf8(e.what()));
    }
}

void ModelerWindow::openMeshWizard()
{
    const Document* d = document();
    const bool canInsert = d && d->text().wellFormed();
    const QString folder = canInsert && !d->path().isEmpty() ? QFileInfo(d->path()).absolutePath() : QString();
    const auto name = [folder](const QString& file, bool intoDocument) {
        const std::string whole = QFileInfo(file).absoluteFilePath().toStdString();
        if (intoDocument && !folder.isEmpty()) return QString::fromStdString(nameFrom(whole, folder.toStdString()));
        // What is among the shared meshes has a short name everywhere.
        const std::string shared = std::filesystem::path(whole).lexically_relative(shareDirectory()).string();
        return QString::fromStdString(shared.empty() || shared.starts_with("..") ? whole : shared);
    };
    auto* wizard = new MeshWizard(name, canInsert, this);
    wizard->setAttribute(Qt::WA_DeleteOnClose);
    connect(wizard, &QDialog::accepted, this, [this, wizard] { takeFromMesh(*wizard); });
    wizard->open();
}

void ModelerWindow::takeFromMesh(const MeshWizard& wizard)
{
    const MeshSimulation s = wizard.simulation();
    const std::string filename = wizard.filename().toStdString();
    Document* d = document();
    if (!wizard.intoDocument() || !d)
        return openNew(meshScene(wizard.mesh(), s, filename),
                       QFileInfo(QString::fromStdString(wizard.mesh().file)).completeBaseName());
    const XmlDocument* x = d->text().tree();
    if (!x) return;
    std::string piece = meshNode(wizard.mesh(), s, filename);
    const bool collides = std::ranges::any_of(
        x->items(), [&](const XmlItem& i) { return i.isElement() && x->name(i) == "CollisionPipeline"; });
    if (s.collision && !collides) piece = collisionComponents(wizard.mesh(), s) + '\n' + piece;
    const XmlId root = x->items()[x->root()].id;
    std::vector<XmlId> made;
    if (d->perform([&](SceneText& t) { made = t.insert(root, 0, piece, true); })) d->select({made.back()});
}

void ModelerWindow::restoreSession()
{
    for (const QString& path : QSettings().value("modeler/open").toStringList())
        if (QFileInfo(path).isFile()) open(path);
    const QString shown = QSettings().value("modeler/shown").toString();
    if (QFileInfo(shown).isFile()) open(shown);
    int restored = 0;
    for (const Recovery::Left& one : Recovery::left()) {
        const bool exists = QFileInfo(one.path).isFile();
        if (exists)
            open(one.path);
        else
            openNew("<Node name=\"root\">\n</Node>\n", one.title);
        const std::string before = document()->text().bytes();
        if (before != one.bytes) {
            document()->perform(
                [&](SceneText& t) { t.edit({difference(before, one.bytes)}, tr("restored").toStdString()); });
            ++restored;
        }
        m_recovery->write();
        Recovery::forget(one);
    }
    if (restored > 0)
        say(tr(
            "The program ended before %n document(s) were saved. Their changes are here again; Undo takes them back.",
            nullptr, restored));
}

void ModelerWindow::openAt(const QString& file, std::size_t byte)
{
    if (open(file)) current()->source().goTo(byte);
}

void ModelerWindow::modernise()
{
    if (!current()) return;
    const std::size_t n = current()->analyser().modernise();
    say(n == 0 ? tr("There is no old name that has one of today.")
               : tr("%n name(s) changed; Undo takes it back.", nullptr, static_cast<int>(n)));
}

void ModelerWindow::runInRunSofa()
{
    const Document* d = document();
    if (!d) return;
    QString path = d->path();
    QStringList options;
    if (path.isEmpty() || d->isEdited()) {
        // A copy of what is not saved; what it names is looked for where the scene is.
        QSaveFile copy(QDir::temp().filePath("modeler-" + QString::number(QCoreApplication::applicationPid()) + '-' +
                                             QFileInfo(d->title()).completeBaseName() + ".scn"));
        const std::string& bytes = d->text().bytes();
        if (!copy.open(QIODevice::WriteOnly) || copy.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0 ||
            !copy.commit())
            return say(tr("The scene cannot be written to '%1'.").arg(copy.fileName()));
        if (!path.isEmpty()) options << "--data-path" << QFileInfo(path).absolutePath();
        path = copy.fileName();
    }
    const QString program = QString::fromStdString((installationDirectory() / "bin" / "runSofa").string());
    if (QProcess::startDetached(program, options << "-g"
                                                 << "qt" << path))
        say(tr("runSofa was started."));
    else
        say(tr("'%1' cannot be started.").arg(program));
}

}  // namespace sofa::modeler
