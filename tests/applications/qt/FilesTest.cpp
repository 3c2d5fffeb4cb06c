// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>

#include "applications/qt/Notification.h"
#include "applications/qt/TrustedPlugins.h"
#include "applications/qt/Viewer.h"
#include "applications/qt/panels/LogPanel.h"
#include "core/Trust.h"
#include "core/factory/PluginManager.h"
#include "core/scene/SceneEditor.h"
#include "core/scene/SceneLoader.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// Opening, reloading, saving and dropping files.
class FilesTest : public WindowTest
{
    Q_OBJECT

    /// The submenu with the recent files, filled as it would be when it is opened.
    QMenu* recent() const
    {
        for (QMenu* menu : window->findChildren<QMenu*>())
            if (QString(menu->title()).remove('&') == "Open Recent") {
                Q_EMIT menu->aboutToShow();
                return menu;
            }
        qFatal("no menu of recent files");
    }

    QByteArray content(const QString& file) const
    {
        QFile f(folder->filePath(file));
        return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
    }

    /// Clicks on a button of the question that comes next.
    void answerQuestion(const QString& button)
    {
        auto* timer = new QTimer(window.get());
        connect(timer, &QTimer::timeout, timer, [timer, button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box) return;
            timer->deleteLater();
            timer->stop();
            for (QAbstractButton* b : box->buttons())
                if (b->text().remove('&') == button) return QTest::mouseClick(b, Qt::LeftButton);
            box->reject();
            qWarning("no button '%s'", qPrintable(button));
        });
        timer->start(20);
    }

    void setMass(const char* value)
    {
        window->session().thread()->call([value](Simulation& s) {
            for (auto* c : s.root().getAll<Component>(Search::Down))
                if (c->className() == "UniformMass") core::editAttributes(s.root(), *c, {{"totalMass", value}});
        });
    }

private Q_SLOTS:
    void saveWritesOnlyWhatWasEdited()
    {
        open("<!-- mine -->\n" + cube());
        const QByteArray before = content("cube.scn");
        clickMenu("File", "Save");
        QCOMPARE(content("cube.scn"), before);
        setMass("0.125");
        QTest::keyClick(window.get(), Qt::Key_S, Qt::ControlModifier);
        const QByteArray after = content("cube.scn");
        QVERIFY(after != before);
        const QList<QByteArray> was = before.split('\n'), is = after.split('\n');
        QCOMPARE(is.size(), was.size());
        int changed = 0;
        for (qsizetype i = 0; i < is.size(); ++i) changed += is[i] != was[i];
        QCOMPARE(changed, 1);
        QVERIFY(after.contains("totalMass=\"0.125\"") || after.contains("totalMass='0.125'"));
        QTest::qWait(800);  // the file that was written here is no change by others
        QVERIFY2(window->notification().text().isEmpty(), qPrintable(window->notification().text()));
    }

    void saveAsksBeforeItOverwritesWhatOthersWrote()
    {
        open();
        setMass("0.125");
        const QByteArray theirs = "<Node><!-- theirs --></Node>\n";
        write("cube.scn", theirs);
        answerQuestion("Cancel");
        clickMenu("File", "Save");
        QCOMPARE(content("cube.scn"), theirs);
        answerQuestion("Save As...");
        answerDialog(folder->filePath("elsewhere.scn"));
        clickMenu("File", "Save");
        QCOMPARE(content("cube.scn"), theirs);
        QVERIFY(content("elsewhere.scn").contains("0.125"));
        answerQuestion("Overwrite");
        clickMenu("File", "Save");
        QVERIFY(content("cube.scn").contains("0.125"));
    }

    void openAsksForAFile()
    {
        open();
        const QString other = write("other.scn", cube().replace("body", "organ"));
        answerDialog(other);
        clickMenu("File", "Open...");
        QCOMPARE(window->session().path(), other);
        QVERIFY(window->windowTitle().startsWith("other.scn"));
        // Both are offered again, the last one first.
        const auto actions = recent()->actions();
        QVERIFY2(actions[0]->text().endsWith("other.scn"), qPrintable(actions[0]->text()));
        QVERIFY2(actions[1]->text().endsWith("cube.scn"), qPrintable(actions[1]->text()));
        QMenu* menu = recent();
        menu->popup(window->mapToGlobal(QPoint(20, 60)));
        QTRY_VERIFY(menu->isVisible());
        clickEntry(menu, QString(menu->actions()[1]->text()).remove('&'));
        QVERIFY(window->session().path().endsWith("cube.scn"));
        // By the key, too.
        answerDialog(other);
        QTest::keyClick(window.get(), Qt::Key_O, Qt::ControlModifier);
        QCOMPARE(window->session().path(), other);
    }

    void openingTellsWhatTakesLongAndCanBeInterrupted()
    {
        MainWindow slow([](const std::string&, bool) -> std::shared_ptr<Node> {
            const PhaseScope phase("Loading");
            for (;;) Phases::check();
        });
        slow.show();
        QString label;
        QTimer::singleShot(3000, &slow, [&] {
            auto* dialog = qobject_cast<QProgressDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;  // the label stays empty
            label = dialog->labelText();
            QTest::mouseClick(dialog->findChild<QPushButton*>(), Qt::LeftButton);
        });
        QVERIFY(!slow.open(write("slow.scn", "<Node/>")));
        QVERIFY2(label.contains("Loading"), qPrintable(label));
        QVERIFY2(slow.notification().text().contains("it was interrupted"), qPrintable(slow.notification().text()));
        QVERIFY(!slow.session().isOpen());
    }

    void reloadKeepsTheView()
    {
        open();
        drag(&window->viewer(), Qt::LeftButton, {300, 250}, {420, 300});
        const gl::Camera chosen = window->viewer().camera();
        clickAction("step");
        settle();
        write("cube.scn", cube().replace("dt=\"0.01\"", "dt=\"0.03\""));
        window->activateWindow();
        QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier);
        settle();
        QCOMPARE(steps(), std::size_t{0});
        QCOMPARE(window->viewer().frame().dt, 0.03);
        QVERIFY(norm(window->viewer().camera().position - chosen.position) < 1e-12);
    }

    void aFileThatChangedOnDiskIsOfferedToBeReloaded()
    {
        open();
        QVERIFY(window->notification().text().isEmpty());
        write("cube.scn", cube().replace("dt=\"0.01\"", "dt=\"0.02\""));
        QTRY_VERIFY2(window->notification().text().contains("changed on disk"),
                     qPrintable(window->notification().text()));
        QCOMPARE(window->viewer().frame().dt, 0.01);
        QTest::mouseClick(find<QPushButton>("notificationAction"), Qt::LeftButton);
        settle();
        QCOMPARE(window->viewer().frame().dt, 0.02);
        QVERIFY(window->notification().text().isEmpty());
        // It is watched on.
        write("cube.scn", cube());
        QTRY_VERIFY(!window->notification().text().isEmpty());
    }

    void aSceneWithErrorsIsToldAndTheOpenOneStays()
    {
        open();
        const QString before = window->session().path();
        const QString bad = write("bad.scn", cube().replace("<UniformMass", "<UniformMas"));
        QVERIFY(!window->open(bad));
        const QString text = window->notification().text();
        QVERIFY2(text.contains("bad.scn"), qPrintable(text));
        QVERIFY2(text.contains("UniformMass"), qPrintable(text));  // did you mean
        QCOMPARE(window->session().path(), before);
        clickAction("step");
        settle();
        QCOMPARE(steps(), std::size_t{1});
        QVERIFY(!window->open(write("broken.scn", "<Node><")));
        QVERIFY(!window->open(folder->filePath("nowhere.scn")));
        QVERIFY(window->notification().text().contains("nowhere.scn"));
        QTest::mouseClick(find<QPushButton>("notificationClose"), Qt::LeftButton);
        QVERIFY(window->notification().text().isEmpty());
    }

    void aSceneWithWhatSofaToleratesIsOpenedAnyway()
    {
        open();
        const QString path = write("old.scn", cube().replace("<UniformMass", "<NoSuchClass/><UniformMass"));
        QVERIFY(!window->open(path));
        QVERIFY(window->notification().text().contains("NoSuchClass"));
        QCOMPARE(find<QPushButton>("notificationSecondAction")->text(), QString("&Open anyway"));
        QTest::mouseClick(find<QPushButton>("notificationSecondAction"), Qt::LeftButton);
        settle();
        QCOMPARE(window->session().path(), path);
        clickAction("step");
        settle();
        QCOMPARE(steps(), std::size_t{1});
        QVERIFY(window->reload());  // stays so
        // What cannot work is not offered again.
        QVERIFY(!window->open(write("broken.scn", "<Node><")));
        QTest::mouseClick(find<QPushButton>("notificationSecondAction"), Qt::LeftButton);
        QVERIFY(!find<QPushButton>("notificationSecondAction")->isVisible());
    }

    void nativeCodeOfASceneIsLoadedWhenTheUserTrustsIt()
    {
        open();
        TrustedPlugins::use();
        const QString plugin = folder->filePath("notes.dat");
        QVERIFY(QFile::copy(QCoreApplication::applicationDirPath() + "/plugins/libTest.Dotted.so", plugin));
        const QString path = write(
            "native.scn",
            cube().replace("<UniformMass", "<RequiredPlugin pluginName=\"" + plugin.toUtf8() + "\"/><UniformMass"));
        const auto isLoaded = [&] { return PluginManager::instance().find(plugin.toStdString()) != nullptr; };
        QVERIFY(!window->open(path));
        QVERIFY(window->notification().text().contains("native code"));
        auto* button = find<QPushButton>("notificationSecondAction");
        QCOMPARE(button->text(), QString("&Trust..."));
        answerQuestion("Cancel");
        QTest::mouseClick(button, Qt::LeftButton);
        settle();
        QVERIFY(!isLoaded() && !TrustedPlugins::contains(plugin));
        answerQuestion("Trust and load");
        QTest::mouseClick(button, Qt::LeftButton);
        settle();
        QCOMPARE(window->session().path(), path);
        QVERIFY(isLoaded());
        // The answer is kept, for this content.
        QVERIFY(TrustedPlugins::contains(plugin));
        QVERIFY(Trust::instance().mayLoad(plugin.toStdString()));
        const QString other = folder->filePath("other.dat");
        QVERIFY(QFile::copy(plugin, other) && !TrustedPlugins::contains(other));
        QVERIFY(QFile::remove(plugin));
        write("notes.dat", "changed");
        QVERIFY(!TrustedPlugins::contains(plugin) && !Trust::instance().mayLoad(plugin.toStdString()));
        Trust::instance().takeRefused();
        Trust::instance().setAnswer({});
    }

    void aSceneThatFailedIsOpenedOnceItIsMended()
    {
        open();
        close();
        window = std::make_unique<MainWindow>([](const std::string& path, bool) { return loadScene(path); });
        window->show();
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        const QString bad = cube().replace("<UniformMass", "<UniformMas"), path = write("mended.scn", bad);
        QVERIFY(!find<QAction>("reload")->isEnabled());
        QVERIFY(!window->open(path));
        QVERIFY(!window->session().isOpen());
        // The key tries it again: still wrong, then mended.
        QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier);
        QVERIFY(window->notification().text().contains("UniformMass"));
        write("mended.scn", cube());
        QTRY_VERIFY2(window->notification().text().contains("changed on disk"),
                     qPrintable(window->notification().text()));
        QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(window->session().path(), path);
        QVERIFY(window->notification().text().isEmpty());
        settle();
        // While another one is open, the offer opens it; Reload is for the open one.
        const QString other = write("other.scn", bad);
        QVERIFY(!window->open(other));
        QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(window->session().path(), path);
        QVERIFY(!window->open(other));
        write("other.scn", cube());
        QTRY_VERIFY(window->notification().text().contains("changed on disk"));
        QTest::mouseClick(find<QPushButton>("notificationAction"), Qt::LeftButton);
        QCOMPARE(window->session().path(), other);
    }

    void theLogsCountKeepsItsPlaceAndEndsWithAGoodReload()
    {
        open();
        QTabBar* bar = tabBar();
        int log = 0;
        for (int i = 0; i < tabs(); ++i)
            if (bar->tabText(i).startsWith("Log")) log = i;
        const QImage none = bar->tabIcon(log).pixmap(16, 16).toImage();
        const QRect last = bar->tabRect(tabs() - 1);
        QString bad = cube();
        for (int i = 0; i < 120; ++i) bad.replace("<UniformMass", "<Nothing/><UniformMass");
        write("cube.scn", bad);
        QVERIFY(!window->reload());
        window->log().drain();
        QVERIFY2(bar->tabToolTip(log).startsWith("120 errors"), qPrintable(bar->tabToolTip(log)));
        QVERIFY(bar->tabIcon(log).pixmap(16, 16).toImage() != none);
        QCOMPARE(bar->tabRect(tabs() - 1), last);
        write("cube.scn", cube());
        QVERIFY(window->reload());
        window->log().drain();
        QVERIFY2(bar->tabToolTip(log).startsWith("0 errors"), qPrintable(bar->tabToolTip(log)));
        QVERIFY(bar->tabIcon(log).pixmap(16, 16).toImage() == none);
        QVERIFY(!window->log().shownText().contains("Nothing"));
    }

    void saveAsWritesTheSceneWithItsPresentValues()
    {
        open();
        for (int i = 0; i < 10; ++i) clickAction("step");
        settle();
        const auto now = positions();
        const QString file = folder->filePath("saved.scn");
        answerDialog(file);
        clickMenu("File", "Save As...");
        QVERIFY(QFileInfo(file).isFile());
        QVERIFY(window->open(file));
        settle();
        QCOMPARE(positions(), now);
        QVERIFY(!window->saveAs(folder->filePath("no/such/folder/saved.scn")));
        QVERIFY(!window->notification().text().isEmpty());
    }

    void filesAreOpenedByDroppingThem()
    {
        open();
        drop({write("dropped.xml", cube())});
        QVERIFY2(window->session().path().endsWith("dropped.xml"), qPrintable(window->session().path()));
        drop({write("notes.txt", "nothing to open")});
        QVERIFY(window->session().path().endsWith("dropped.xml"));
        QVERIFY(window->notification().text().isEmpty());
    }

    void meshesAreOpenedByDroppingThem()
    {
        open();
        const QImage before = image();
        drop({write("corner.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n")});
        QVERIFY2(window->session().path().endsWith("corner.obj"), qPrintable(window->notification().text()));
        QCOMPARE(positions().size(), std::size_t{12});
        QVERIFY(difference(image(), before) > 0.01);
        drop({write("solid.veg",
                    "*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTETS\n1 4 0\n1 1 2 3 4\n")});
        QVERIFY2(window->session().path().endsWith("solid.veg"), qPrintable(window->notification().text()));
        QCOMPARE(positions().size(), std::size_t{12});
        clickAction("step");
        settle();
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<FilesTest>();

}  // namespace sofa::qt

#include <FilesTest.moc>
