// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The Modeler's window: includes and prefabs.
#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include "applications/modeler/DocumentView.h"
#include "applications/modeler/ModelerWindow.h"
#include "applications/modeler/TreePanel.h"
#include "core/scene/SceneIncludes.h"

namespace sofa::modeler {

namespace {

/// The file of the selected include or prefab.
std::optional<IncludedFile> selectedFile(const Document* d)
{
    const XmlDocument* x = d ? d->text().tree() : nullptr;
    const std::uint32_t i = x ? x->find(d->current()) : XmlItem::none;
    return i == XmlItem::none ? std::nullopt : includedFile(*x, i);
}

}  // namespace

void ModelerWindow::makeIncludeActions()
{
    m_openIncluded = action("openIncluded", tr("Open In&cluded File"), QKeySequence("Ctrl+Shift+O"),
                            tr("The file of the selected include or prefab, or of what it brings, in a tab"),
                            [this] { openIncluded(); });
    m_inline = action("inline", tr("In&line"), {},
                      tr("Put the text of the included file in the place of the include, with its attributes"),
                      [this] { inlineSelection(); });
    m_makePrefab =
        action("makePrefab", tr("Make Prefa&b..."), {},
               tr("Put the selection into a file of its own, and an include in its place; links lead where they did"),
               [this] { chooseAndMakePrefab(); });
}

void ModelerWindow::updateIncludeActions()
{
    const Document* d = document();
    const auto file = selectedFile(d);
    m_openIncluded->setEnabled((file && !file->path.empty()) || (d && current()->tree().includedPlace()));
    m_inline->setEnabled(file && !file->path.empty() && d->text().wellFormed());
    m_makePrefab->setEnabled(d && d->text().wellFormed() && d->current() != 0);
}

void ModelerWindow::openIncluded()
{
    if (!current()) return;
    if (const auto there = current()->tree().includedPlace())
        openAt(there->file, there->byte);
    else if (const auto file = selectedFile(document()))
        open(QString::fromStdString(file->path));
}

void ModelerWindow::inlineSelection()
{
    Document* d = document();
    if (!d || d->current() == 0) return;
    const XmlId id = d->current();
    const std::size_t begin = d->text().tree()->items()[d->text().tree()->find(id)].begin;
    if (!d->perform([&](SceneText& t) { inlineIncluded(t, id); })) return;
    if (const std::uint32_t i = d->partAt(begin); i != XmlItem::none) d->select({d->text().tree()->items()[i].id});
}

bool ModelerWindow::makePrefab(const QString& path)
{
    Document* d = document();
    if (!d) return false;
    Extracted made;
    const std::vector<XmlId> elements = d->selection();
    if (!d->perform([&](SceneText& t) { made = extractPrefab(t, elements, path.toStdString()); })) return false;
    d->select({made.element});
    QStringList links;
    for (const TextLink& l : made.leadsOut) links << QString::fromStdString(l.path);
    links.removeDuplicates();
    say(links.isEmpty() ? tr("Written: %1").arg(path)
                        : tr("Written: %1. It leads out of itself by %2: where it is used, these must be there.")
                              .arg(path, links.join(", ")));
    return true;
}

void ModelerWindow::chooseAndMakePrefab()
{
    const Document* d = document();
    const XmlDocument* x = d ? d->text().tree() : nullptr;
    const std::uint32_t i = x ? x->find(d->current()) : XmlItem::none;
    if (i == XmlItem::none) return;
    QString name = QString::fromStdString(d->links()->nameOf(i));
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    const QDir folder = d->path().isEmpty() ? QDir::current() : QFileInfo(d->path()).dir();
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Make prefab: a file of Objects/ beside the scene is used by its name"),
        folder.filePath((folder.exists("Objects") ? "Objects/" : "") + name + ".xml"), tr("Parts of scenes (*.xml)"));
    if (path.isEmpty()) return;
    makePrefab(QFileInfo(path).suffix().isEmpty() ? path + ".xml" : path);
}

}  // namespace sofa::modeler
