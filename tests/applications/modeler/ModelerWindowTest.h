// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QAbstractItemView>
#include <QTemporaryDir>
#include <QtTest>

#include "applications/modeler/DocumentView.h"
#include "applications/modeler/ModelerWindow.h"
#include "applications/modeler/SourceEditor.h"
#include "applications/modeler/TreeModel.h"
#include "applications/modeler/TreePanel.h"
#include "tests/applications/qt/WindowMain.h"

class QTreeView;
class QTreeWidget;

namespace sofa::modeler {

/// A real window of the Modeler, with files in a temporary folder; the settings are empty at the beginning of each
/// test.
class ModelerWindowTest : public QObject
{
    Q_OBJECT

protected:
    /// A soft cube, written as people do, with a comment and an attribute that means nothing.
    static QByteArray cube();
    QString write(const QString& name, const QByteArray& bytes);
    static QByteArray read(const QString& path);
    /// Opens the window, with nothing in it.
    void openWindow();
    /// Opens the window, and a scene in it.
    void open(const QByteArray& scene = cube());
    /// Saves nothing.
    void close();

    Document& document() const { return *window->document(); }
    QByteArray bytes() const { return QByteArray::fromStdString(document().text().bytes()); }
    QTreeView& tree() const { return window->current()->tree().view(); }
    TreeModel& model() const { return window->current()->tree().model(); }
    SourceEditor& source() const { return window->current()->source(); }
    /// Number of the element at a path of names.
    XmlId at(const char* path) const;
    /// Clicks on the line of an element in the tree.
    void clickTree(const char* path, Qt::KeyboardModifiers keys = {});
    /// The middle of the line of an element, in the tree's viewport.
    QPoint place(const char* path) const;
    /// Drags from one place of a widget to another, which may be of another one, with real events.
    static void dragAndDrop(QAbstractItemView* from, const QPoint& begin, QAbstractItemView* to, const QPoint& end,
                            Qt::DropAction action);
    /// Clicks on a menu of the menu bar, then on an entry of it; texts without '&'.
    void clickMenu(const QString& menu, const QString& entry);
    /// Presses keys of the window, where the focus is.
    void press(const QKeySequence& keys) const;
    /// Gives the file dialog that opens next a name, and presses Return there.
    static void answerDialog(const QString& path);
    /// Puts the cursor behind a piece of the text, with the focus there.
    void clickText(const QString& behind) const;
    /// The child widget of this name and type.
    template <class T>
    T* find(const char* name) const
    {
        T* found = window->findChild<T*>(name);
        if (!found) qFatal("no widget '%s'", name);
        return found;
    }
    /// Saves an image of the window where SOFA_WINDOW_IMAGES says.
    void picture(const char* name) const;

    std::unique_ptr<QTemporaryDir> folder;
    std::unique_ptr<ModelerWindow> window;

private Q_SLOTS:
    void init();
    void cleanup();
};

}  // namespace sofa::modeler
