// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QAbstractItemView>
#include <QCheckBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStatusBar>
#include <QTextBlock>
#include <QToolButton>
#include <QTreeWidget>
#include <cmath>
#include <iostream>
#include <sstream>

#include "applications/qt/Notification.h"
#include "applications/qt/Viewer.h"
#include "applications/qt/panels/DataEditor.h"
#include "applications/qt/panels/GraphPanel.h"
#include "applications/qt/panels/PlotWidget.h"
#include "applications/qt/panels/PlotsPanel.h"
#include "applications/qt/panels/PropertiesPanel.h"
#include "applications/qt/panels/PropertyWindow.h"
#include "core/scene/SceneSnapshot.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// The Graph and the Stats tab, by mouse and keys in the real window.
class TabsTest : public WindowTest
{
    Q_OBJECT

    QTreeWidgetItem* item(const QString& name)
    {
        for (QTreeWidgetItemIterator it(window->graph().tree()); *it; ++it)
            if ((*it)->text(0) == name) return *it;
        return nullptr;
    }
    /// Where the item of a name is, scrolled to.
    QPoint place(const QString& name)
    {
        QTreeWidget* tree = window->graph().tree();
        if (!item(name)) qFatal("'%s' is not in the tree", qPrintable(name));
        tree->scrollToItem(item(name));
        QRect row = tree->visualItemRect(item(name));
        row.setRight(std::min(row.right(), row.left() + 60));
        return row.center();
    }
    /// Opens the scene and its tree.
    void openGraph(const QString& scene = cube())
    {
        open(scene);
        showTab(1);
        QTRY_VERIFY(item("dofs") || item("mesh"));
    }
    /// Clicks with the right button on an item, and on an entry of the menu that opens.
    void menu(const QString& name, const QString& entry)
    {
        QTreeWidget* tree = window->graph().tree();
        const QPoint at = tree->viewport()->mapTo(window.get(), place(name));
        QTest::mouseClick(window->windowHandle(), Qt::RightButton, {}, at);
        QMenu* opened = nullptr;
        if (!QTest::qWaitFor([&] {
                opened = window->graph().findChild<QMenu*>("graphMenu");
                return opened && opened->isVisible();
            }))
            qFatal("no menu opens");
        const QPointer<QMenu> closing(opened);
        clickEntry(opened, entry);
        if (!QTest::qWaitFor([&] { return closing.isNull(); })) qFatal("the menu stays open");
    }
    /// Looks at the scene between two steps.
    template <class F>
    auto ask(F f)
    {
        decltype(f(std::declval<Simulation&>())) result{};
        window->session().thread()->call([&](Simulation& s) { result = f(s); });
        return result;
    }

private Q_SLOTS:
    void collapseAndExpandCloseAndOpenEverythingBelow()
    {
        openGraph();
        QVERIFY(item("body")->isExpanded() && item("visual")->isExpanded());
        menu("body", "Collapse");
        QVERIFY(!item("body")->isExpanded() && !item("visual")->isExpanded());
        menu("body", "Expand");
        QVERIFY(item("body")->isExpanded() && item("visual")->isExpanded());
    }

    void aDeactivatedPartIsLeftOutUntilItIsActivated()
    {
        openGraph();
        const QImage before = image();
        menu("body", "Deactivate");
        QTRY_VERIFY(item("body")->font(0).strikeOut());
        settle();
        QVERIFY(difference(image(), before) > 0.01);  // it is not drawn
        const auto x = ask([](Simulation& s) { return wholeText(*findObject(s.root(), "/body/dofs"), "position"); });
        clickAction("step");
        settle();
        QCOMPARE(ask([](Simulation& s) { return wholeText(*findObject(s.root(), "/body/dofs"), "position"); }), x);
        menu("body", "Activate");
        QTRY_VERIFY(!item("body")->font(0).strikeOut());
        clickAction("step");
        settle();
        QVERIFY(ask([](Simulation& s) { return wholeText(*findObject(s.root(), "/body/dofs"), "position"); }) != x);
    }

    void aNodeIsSavedAddedAndRemoved()
    {
        openGraph();
        const QString file = folder->filePath("part.scn");
        answerDialog(file);
        menu("visual", QStringLiteral("Save node…"));
        QTRY_VERIFY(QFileInfo(file).isFile());
        QFile saved(file);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        const QByteArray text = saved.readAll();
        QVERIFY(text.contains("OglModel") && !text.contains("UniformMass"));

        const QString other =
            write("ball.xml", "<Node name=\"ball\"><MechanicalObject name=\"points\" position=\"0 3 0\"/></Node>");
        answerDialog(other);
        menu("body", QStringLiteral("Add node…"));
        QTRY_VERIFY(item("ball"));
        QCOMPARE(item("ball")->parent()->text(0), QString("body"));
        QTRY_VERIFY(item("points"));
        clickAction("step");  // the scene goes on with it
        settle();
        QCOMPARE(steps(), std::size_t{1});

        menu("ball", "Remove node");
        QTRY_VERIFY(!item("ball"));
        QVERIFY(ask([](Simulation& s) { return findObject(s.root(), "/body/ball") == nullptr; }));
        menu("body", "Remove node");
        QTRY_VERIFY(!item("body"));
        settle();
        // It comes back with the scene.
        QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(item("body"));
    }

    void filesOfObjectTxtAreOfferedFirst()
    {
        write("ball.xml", "<Node name=\"ball\"><MechanicalObject position=\"0 3 0\"/></Node>");
        write("object.txt", "# what is often added\nball.xml\n\nnowhere.xml\n");
        openGraph();
        QTreeWidget* tree = window->graph().tree();
        QTest::mouseClick(window->windowHandle(), Qt::RightButton, {},
                          tree->viewport()->mapTo(window.get(), place("body")));
        QMenu* opened = nullptr;
        QTRY_VERIFY((opened = window->graph().findChild<QMenu*>("graphMenu")) && opened->isVisible());
        QMenu* add = nullptr;
        for (const QAction* a : opened->actions())
            if (a->menu() && a->text() == "Add &node") add = a->menu();
        QVERIFY(add);
        QCOMPARE(add->actions().size(), 3);  // the file that exists, a line, a file
        QTest::mouseClick(opened, Qt::LeftButton, {}, opened->actionGeometry(add->menuAction()).center());
        QTRY_VERIFY(add->isVisible());
        clickEntry(add, "ball");
        QTRY_VERIFY(item("ball"));
    }

    void aDoubleClickOrModifyOpensThePropertiesAndUpdateAppliesThem()
    {
        openGraph();
        QTreeWidget* tree = window->graph().tree();
        const QPoint at = place("UniformMass1");
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, at);
        QVERIFY(!window->properties().isVisible());
        QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, at);
        QTRY_VERIFY(window->properties().isVisible() && window->properties().page());
        PropertyWindow* properties = window->properties().page();
        QTRY_VERIFY(properties->editor("totalMass") && properties->editor("totalMass")->value() == "1");
        auto* line = properties->editor("totalMass")->findChild<QLineEdit*>();
        QVERIFY(line);
        line->selectAll();
        QTest::keyClicks(line, "4");
        const auto mass = [&] {
            return ask(
                [](Simulation& s) { return wholeText(*findObject(s.root(), "/body/UniformMass1"), "totalMass"); });
        };
        // What is edited waits while another component is looked at.
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, place("dofs"));
        QTRY_VERIFY(window->properties().page()->path() == "/body/dofs");
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, place("UniformMass1"));
        QTRY_COMPARE(window->properties().page(), properties);
        QCOMPARE(properties->editor("totalMass")->value(), QString("4"));
        QCOMPARE(mass(), std::string("1"));
        QTest::mouseClick(properties->findChild<QPushButton*>("propertyUpdate"), Qt::LeftButton);
        QTRY_VERIFY(properties->edited().empty());
        QCOMPARE(mass(), std::string("4"));
        // Nodes and components alike have Modify, and a window of their own.
        for (const char* name : {"body", "dofs"}) {
            menu(name, QStringLiteral("Modify…"));
            QTRY_VERIFY(window->properties().page() && window->properties().page()->path().ends_with(name));
            menu(name, QStringLiteral("Modify in a Window"));
            QTRY_COMPARE(window->graph().propertyWindows().size(), std::size_t{1});
            PropertyWindow* own = window->graph().propertyWindows().front();
            QVERIFY(own->path().ends_with(name));
            // Keys go to the shortcuts of the window that is active.
            QTRY_VERIFY_WITH_TIMEOUT((own->activateWindow(), own->isActiveWindow()), 20000);
            QTest::keyClick(own, Qt::Key_Escape);
            QTRY_VERIFY_WITH_TIMEOUT(window->graph().propertyWindows().empty(), 20000);
            QTRY_VERIFY_WITH_TIMEOUT((window->activateWindow(), window->isActiveWindow()), 20000);
        }
    }

    void theMenuOfAComponentHidesPlotsShowsItsLineAndRemovesIt()
    {
        openGraph();
        settle();
        const QImage before = image();
        // What is selected is drawn in violet, too.
        const auto deselect = [&] { QTest::keyClick(window->graph().tree(), Qt::Key_Escape); };
        menu("model", "Hide");
        deselect();
        QTRY_VERIFY(difference(image(), before) > 0.01);
        menu("model", "Show");
        deselect();
        QTRY_VERIFY(difference(image(), before) < 1e-3);
        menu("body", "Hide");  // with all below it
        deselect();
        QTRY_VERIFY(difference(image(), before) > 0.01);
        menu("dofs", "Show all that is hidden");
        deselect();
        QTRY_VERIFY(difference(image(), before) < 1e-3);

        menu("UniformMass1", "Show in the scene's file");
        QDialog* source = nullptr;
        QTRY_VERIFY((source = window->findChild<QDialog*>("sourceView")));
        const auto* page = source->findChild<QPlainTextEdit*>("source");
        QVERIFY2(page->textCursor().block().text().contains("<UniformMass"),
                 qPrintable(page->textCursor().block().text()));
        source->close();
        window->activateWindow();

        menu("UniformMass1", "Remove component");
        QTRY_VERIFY(!item("UniformMass1"));
        QVERIFY(!ask([](Simulation& s) { return findObject(s.root(), "/body/UniformMass1") != nullptr; }));
        QTRY_VERIFY(window->notification().text().contains("was removed"));
        QTest::mouseClick(find<QPushButton>("notificationAction"), Qt::LeftButton);
        QTRY_VERIFY(item("UniformMass1"));
        clickAction("step");
        settle();
        QCOMPARE(steps(), std::size_t{1});
    }

    void whatIsClickedInTheViewIsSelectedInTheGraphAndShownInTheProperties()
    {
        openGraph();
        window->showPanel(&window->properties());
        Viewer& v = window->viewer();
        QTest::mouseClick(&v, Qt::LeftButton, {}, v.rect().center());
        QTRY_VERIFY(window->graph().tree()->currentItem());
        QTRY_COMPARE(window->graph().tree()->currentItem()->text(0), QString("faces"));
        QTRY_VERIFY(window->properties().page() && window->properties().page()->path() == "/body/faces");
        QCOMPARE(v.selection(), QString("/body/faces"));
        QTest::mouseClick(&v, Qt::LeftButton, {}, QPoint(8, v.height() - 8));
        QTRY_VERIFY(v.selection().isEmpty());
        QVERIFY(window->graph().tree()->selectedItems().isEmpty());
        // Without the graph in front, too.
        showTab(0);
        QTest::mouseClick(&v, Qt::LeftButton, {}, v.rect().center());
        QTRY_COMPARE(v.selection(), QString("/body/faces"));
        v.setFocus();
        QTest::keyClick(&v, Qt::Key_Escape);
        QTRY_VERIFY(v.selection().isEmpty());
    }

    void valuesArePlottedFromMenusAndByDroppingThem()
    {
        openGraph();
        window->graph().onPlot("/body/dofs", "position");
        QTRY_VERIFY(window->plots().isVisible());
        QTRY_VERIFY(window->plots().plot("/body/dofs", "position"));
        // As the drag of a name does.
        std::unique_ptr<QMimeData> data(PlotsPanel::mimeOf("/body/UniformMass1", "totalMass"));
        QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window->plots(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(20, 20), Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window->plots(), &drop);
        QTRY_VERIFY(window->plots().plot("/body/UniformMass1", "totalMass"));
        for (int i = 0; i < 5; ++i) clickAction("step");
        settle();
        const PlotWidget* plot = window->plots().plot("/body/dofs", "position");
        QTRY_COMPARE(plot->pointCount(), std::size_t{5});
        // Least, mean and largest distance from the origin.
        double low = 1e9, high = 0., sum = 0.;
        const auto x = positions();
        for (std::size_t i = 0; i < x.size(); i += 3) {
            const double r = std::sqrt(x[i] * x[i] + x[i + 1] * x[i + 1] + x[i + 2] * x[i + 2]);
            low = std::min(low, r);
            high = std::max(high, r);
            sum += r;
        }
        QVERIFY(std::abs(plot->last(0) - low) < 1e-12);
        QVERIFY(std::abs(plot->last(1) - 3. * sum / static_cast<double>(x.size())) < 1e-12);
        QVERIFY(std::abs(plot->last(2) - high) < 1e-12);
        QCOMPARE(window->plots().plot("/body/UniformMass1", "totalMass")->last(0), 1.);
        // What has no numbers is told.
        window->plots().add("/body/dofs", "name");
        QTRY_VERIFY(window->statusBar()->currentMessage().contains("no numbers"));
        click(window->plots().findChild<QToolButton*>("removePlot"));
        QTRY_COMPARE(window->plots().plotted(), QStringList{"/body/UniformMass1.totalMass"});
    }

    void aResetKeepsEditedValuesAndSaysSoAndReloadForgetsThem()
    {
        openGraph();
        clickAction("step");
        clickAction("resetScene");
        settle();
        QVERIFY(window->notification().text().isEmpty());
        window->graph().openProperties("/body/UniformMass1");
        QTRY_COMPARE(window->graph().propertyWindows().size(), std::size_t{1});
        PropertyWindow* properties = window->graph().propertyWindows().front();
        QTRY_VERIFY(properties->editor("totalMass"));
        auto* line = properties->editor("totalMass")->findChild<QLineEdit*>();
        line->selectAll();
        QTest::keyClicks(line, "4");
        QTest::mouseClick(properties->findChild<QPushButton*>("propertyUpdate"), Qt::LeftButton);
        QTRY_VERIFY(properties->edited().empty());
        properties->close();
        window->activateWindow();
        const auto mass = [&] {
            return ask(
                [](Simulation& s) { return wholeText(*findObject(s.root(), "/body/UniformMass1"), "totalMass"); });
        };
        clickAction("step");
        clickAction("resetScene");
        settle();
        QCOMPARE(steps(), std::size_t{0});
        QCOMPARE(mass(), std::string("4"));
        QVERIFY2(window->notification().text().contains("/body/UniformMass1.totalMass"),
                 qPrintable(window->notification().text()));
        QTest::mouseClick(find<QPushButton>("notificationAction"), Qt::LeftButton);
        settle();
        QCOMPARE(mass(), std::string("1"));
        clickAction("resetScene");
        settle();
        QVERIFY(window->notification().text().isEmpty());
    }

    void contactsComeIntoTheTreeWithIcons()
    {
        openGraph(everything());
        const auto count = [&] {
            int n = 0;
            for (QTreeWidgetItemIterator it(window->graph().tree()); *it; ++it) ++n;
            return n;
        };
        const int before = count();
        clickAction("step");
        QTRY_VERIFY(count() > before);
        // None is blank: letters stand on each, in white.
        for (QTreeWidgetItemIterator it(window->graph().tree()); *it; ++it) {
            if ((*it)->text(1).isEmpty()) continue;  // nodes have a folder
            const QImage icon = (*it)->icon(0).pixmap(16, 16).toImage();
            int white = 0;
            for (int y = 0; y < icon.height(); ++y)
                for (int x = 0; x < icon.width(); ++x) {
                    const QColor c = icon.pixelColor(x, y);
                    if (c.alpha() > 200 && std::min({c.red(), c.green(), c.blue()}) > 200) ++white;
                }
            QVERIFY2(white > 3, qPrintable((*it)->text(0)));
        }
    }

    void theGraphIsExported()
    {
        openGraph();
        const QString file = folder->filePath("graph.dot");
        answerDialog(file);
        click(find<QPushButton>("graphExport"));
        QTRY_VERIFY(QFileInfo(file).isFile());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QTRY_VERIFY(QFileInfo(file).size() > 100);
        const QByteArray text = written.readAll();
        QVERIFY(text.startsWith("digraph") && text.contains("TetrahedronFEMForceField"));
    }

    void theInventoryCountsWhatCollides()
    {
        open(everything());
        showTab(2);
        QTRY_VERIFY(find<QLabel>("statsSummary")->text().contains("14 triangles"));
        auto* models = find<QTreeWidget>("statsModels");
        QTRY_COMPARE(models->topLevelItemCount(), 2);
        QCOMPARE(models->topLevelItem(0)->text(0), QString("/body/collision/faces"));
        QCOMPARE(models->topLevelItem(0)->text(1), QString("12 triangles"));
        QCOMPARE(models->topLevelItem(1)->text(0), QString("/floor"));  // its model has no name of its own
        clickAction("step");
        QTRY_COMPARE(find<QTreeWidget>("statsPairs")->topLevelItemCount(), 1);
    }

    void dumpStateAndGnuplotWriteIntoTheFolderOfTheEditMenu()
    {
        open();
        const QString chosen = folder->filePath("exports");
        QVERIFY(QDir().mkdir(chosen));
        answerDialog(chosen);
        clickMenu("Edit", "Folder of Exports (Gnuplot)...");
        QCOMPARE(window->folder(MainWindow::Folder::Exports), chosen);
        QCOMPARE(inTab<QLineEdit>("statsFolder")->text(), chosen);
        click(inTab<QPushButton>("statsDump"));
        QTRY_VERIFY(QFileInfo(chosen + "/dumpState.data").size() > 0);
        auto* gnuplot = inTab<QCheckBox>("statsGnuplot");
        clickBox(gnuplot);
        QTRY_VERIFY(QFileInfo(chosen + "/Energy.txt").isFile());
        for (int i = 0; i < 3; ++i) clickAction("step");
        settle();
        clickBox(gnuplot);
        for (const char* name : {"dofsx", "dofsv", "Energy"}) {
            const QStringList files = QDir(chosen).entryList({QString("*%1*").arg(name)});
            QVERIFY2(!files.isEmpty(), qPrintable(QDir(chosen).entryList().join(' ')));
            QFile file(QDir(chosen).filePath(files.front()));
            const auto lines = [&] {
                if (!file.isOpen() && !file.open(QIODevice::ReadOnly)) return qsizetype{0};
                file.seek(0);
                return file.readAll().count('\n');
            };
            QTRY_COMPARE(lines(), 5);  // a header, the state before, three steps
        }
        // The choice is remembered; the field shows, and changes it, too.
        open();
        QCOMPARE(inTab<QLineEdit>("statsFolder")->text(), chosen);
        auto* line = inTab<QLineEdit>("statsFolder");
        line->selectAll();
        QTest::keyClicks(line, folder->path());
        QCOMPARE(window->folder(MainWindow::Folder::Exports), folder->path());
        clickMenu("Edit", "Use the Folder of the Scene for Both");
        QCOMPARE(inTab<QLineEdit>("statsFolder")->text(), folder->path());
    }

    void theSceneMayNameTheFolderOfExports()
    {
        open(cube().replace("<DefaultAnimationLoop/>",
                            "<DefaultAnimationLoop/><SofaDefaultPathSetting gnuplotPath=\"plots\"/>"));
        QCOMPARE(inTab<QLineEdit>("statsFolder")->text(), folder->filePath("plots"));
        QVERIFY(QDir(folder->path()).mkdir("plots"));
        click(inTab<QPushButton>("statsDump"));
        QTRY_VERIFY(QFileInfo(folder->filePath("plots/dumpState.data")).size() > 0);
    }

    void logTimePrintsEachStep()
    {
        open();
        std::ostringstream console;
        auto* box = inTab<QCheckBox>("statsLogTime");
        std::streambuf* real = std::cout.rdbuf(console.rdbuf());
        clickBox(box);
        clickAction("step");
        clickAction("step");
        window->session().thread()->call([](Simulation&) {});
        clickBox(box);
        clickAction("step");
        window->session().thread()->call([](Simulation&) {});
        std::cout.rdbuf(real);
        const QString said = QString::fromStdString(console.str());
        QCOMPARE(said.count('\n'), 2);
        QVERIFY2(said.startsWith("step 1, 0.01 s: ") && said.contains("\nstep 2, 0.02 s: "), qPrintable(said));
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<TabsTest>();

}  // namespace sofa::qt

#include <TabsTest.moc>
