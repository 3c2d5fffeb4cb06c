// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QTabBar>
#include <QTemporaryDir>
#include <QtTest>
#include <functional>
#include <memory>

#include "applications/gl/Camera.h"
#include "applications/qt/MainWindow.h"
#include "tests/applications/qt/WindowMain.h"

class QAbstractSpinBox;
class QComboBox;
class QMenu;

namespace sofa::qt {

/// A real window with a scene of its own in a temporary folder; the settings are empty at the beginning of each test.
class WindowTest : public QObject
{
    Q_OBJECT

protected:
    /// Writes a file into the folder; returns its path.
    QString write(const QString& name, const QString& text);
    /// A soft cube of 5 tetrahedra that falls, with a visual model and triangles that collide.
    static QString cube();
    /// A cube that hangs on springs just above the floor, so near that it is in contact: a bit of everything that can
    /// be shown, and nothing of it is shown.
    static QString everything();
    /// Opens a window with a scene, and waits for its first frame.
    void open(const QString& scene = cube());
    void close();

    /// The child widget of this name and type.
    template <class T>
    T* find(const char* name) const
    {
        T* found = window->findChild<T*>(name);
        if (!found) qFatal("no widget '%s'", name);
        return found;
    }
    /// Clicks on a menu of the menu bar, then on an entry of it; texts without '&'.
    void clickMenu(const QString& menu, const QString& entry);
    /// The same in a menu that is open.
    static void clickEntry(QMenu* menu, const QString& entry);
    /// Gives the file dialog that opens next a name, and presses Return there.
    void answerDialog(const QString& path);
    /// Opens the list of a combo box with the mouse and clicks on an entry.
    static void choose(QComboBox* box, const QString& entry);
    /// Types a number in place of the one that is there, and Return.
    static void type(QAbstractSpinBox* box, const QString& value);
    /// Clicks on a button, scrolling to it first.
    static void click(QWidget* button);
    /// Clicks on the button of the tool bar for an action.
    void clickAction(const char* name);
    /// Clicks on the box of a check box.
    static void clickBox(QWidget* box);
    template <class T>
    T* inTab(const char* name)
    {
        T* found = find<T>(name);
        window->showPanel(found);
        QTest::qWait(10);
        return found;
    }
    /// Moves the mouse with a button pressed, as a user does.
    void drag(QWidget* widget, Qt::MouseButton button, QPoint from, QPoint to, Qt::KeyboardModifiers keys = {});
    /// Lets go of files over the window.
    void drop(const QStringList& files);
    /// Waits until the steps asked for are done and shown.
    void settle();
    std::size_t steps();
    std::vector<double> positions();
    /// Whether two cameras see the same: their clipping planes follow the scene.
    static bool sameView(const gl::Camera& a, const gl::Camera& b);
    QImage image();
    /// Part of the pixels that are visibly different.
    static double difference(const QImage& a, const QImage& b);

    /// The panels at the left, which are stacked: Display, Graph, Stats, Mouse, Log, Profiler.
    int tabs() const { return tabBar()->count(); }
    QTabBar* tabBar() const;
    QWidget* tab(int i) const;
    void showTab(int i);

    std::unique_ptr<QTemporaryDir> folder;
    std::unique_ptr<MainWindow> window;

private Q_SLOTS:
    void init();
    void cleanup();
};

}  // namespace sofa::qt
