// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QThread>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>
#include <cmath>
#include <set>

#include "applications/qt/Notification.h"
#include "applications/qt/Viewer.h"
#include "core/scene/SceneLoader.h"
#include "core/visitor/ExecutionPlan.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// The basic controls, the Display and the Mouse tab, the layout.
class ControlsTest : public WindowTest
{
    Q_OBJECT

    /// Number of different colours in a picture.
    static std::size_t colours(const QImage& image)
    {
        std::set<QRgb> all;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) all.insert(image.pixel(x, y));
        return all.size();
    }

private Q_SLOTS:
    void animateRunsUntilItIsPressedAgain()
    {
        open();
        clickAction("animate");
        QVERIFY(QTest::qWaitFor([&] { return window->viewer().frame().step > 20; }, 20000));
        QVERIFY(find<QAction>("animate")->isChecked());
        QTest::qWait(1200);
        QVERIFY2(find<QLabel>("rates")->text().contains("steps/s"), qPrintable(find<QLabel>("rates")->text()));
        QVERIFY(window->viewer().pictureRate() > 1.);
        clickAction("animate");
        settle();
        const std::size_t at = steps();
        QTest::qWait(100);
        QCOMPARE(steps(), at);
        QVERIFY(!find<QAction>("animate")->isChecked());
        QVERIFY(find<QLabel>("moment")->text().contains(QString("Step %1").arg(at)));
    }

    void theAnimationFollowsTheClockAtTheChosenSpeed()
    {
        open();
        // Seconds of the scene in about half a second of the clock, and that.
        const auto run = [&](const QString& speed) {
            choose(find<QComboBox>("speed"), speed);
            clickAction("resetScene");
            settle();
            QElapsedTimer clock;
            clock.start();
            clickAction("animate");
            QTest::qWait(500);
            clickAction("animate");
            const double passed = 1e-3 * static_cast<double>(clock.elapsed());
            settle();
            return std::pair(window->viewer().frame().time, passed);
        };
        const auto [real, second] = run("×1");
        QVERIFY2(real > 0. && real <= second + 0.02, qPrintable(QString("%1 s in %2 s").arg(real).arg(second)));
        const auto [slow, same] = run("×" + QLocale().toString(0.1));
        QVERIFY2(slow <= 0.1 * same + 0.02, qPrintable(QString("%1 s in %2 s").arg(slow).arg(same)));
        const auto [fast, longer] = run("fastest");
        QVERIFY2(fast > longer, qPrintable(QString("%1 s in %2 s").arg(fast).arg(longer)));
    }

    void stepsThatTakeLongerThanTheirTimeAreTold()
    {
        open(cube().replace("dt=\"0.01\"", "dt=\"0.0000001\""));
        QVERIFY(find<QLabel>("pace")->text().isEmpty());
        clickAction("animate");
        QTRY_VERIFY2(find<QLabel>("pace")->text().contains("longer than their time"),
                     qPrintable(find<QLabel>("pace")->text()));
        clickAction("animate");
        QTRY_VERIFY(find<QLabel>("pace")->text().isEmpty());
        // Where they have their time, the speed is told.
        open();
        choose(find<QComboBox>("speed"), "×" + QLocale().toString(0.1));
        clickAction("animate");
        QTRY_VERIFY2(find<QLabel>("pace")->text().startsWith("×" + QLocale().toString(0.1)),
                     qPrintable(find<QLabel>("pace")->text()));
        QVERIFY(!find<QLabel>("pace")->text().contains("longer"));
        clickAction("animate");
    }

    void theAnimationStopsAtTheChosenTime()
    {
        open();
        auto* until = find<QDoubleSpinBox>("until");
        QCOMPARE(until->text(), QString("no end"));
        type(until, QLocale().toString(0.2));
        clickAction("animate");
        QTRY_VERIFY(!window->session().thread()->isAnimating());
        QCOMPARE(steps(), std::size_t{20});
        QTRY_VERIFY(!find<QAction>("animate")->isChecked());
        settle();
        // It says why it does not go on.
        clickAction("animate");
        QVERIFY2(window->statusBar()->currentMessage().contains("end"),
                 qPrintable(window->statusBar()->currentMessage()));
        settle();
        QCOMPARE(steps(), std::size_t{20});
        QTRY_VERIFY(!find<QAction>("animate")->isChecked());
        type(until, "0");
        clickAction("animate");
        QTRY_VERIFY(window->viewer().frame().step > 25);
        clickAction("animate");
    }

    void theViewTurnsWhileItAnimates_data()
    {
        QTest::addColumn<bool>("slow");
        QTest::newRow("many steps a picture") << false;
        QTest::newRow("slow steps") << true;
    }

    void theViewTurnsWhileItAnimates()
    {
        QFETCH(bool, slow);
        open();
        choose(find<QComboBox>("speed"), "fastest");
        if (slow)
            window->session().thread()->addListener([](Simulation&, SimulationThread::Change c) {
                if (c == SimulationThread::Change::Stepped) QThread::msleep(1500);
            });
        clickAction("animate");
        Viewer& v = window->viewer();
        QTRY_VERIFY(v.frame().step > 0);
        const auto move = [&](QEvent::Type type, const QPoint& p, Qt::MouseButton button, Qt::MouseButtons down) {
            QMouseEvent e(type, p, v.mapToGlobal(p), button, down, {});
            QApplication::sendEvent(&v, &e);
        };
        // Each motion of the mouse is seen before the next.
        int shown = 0, most = 0;
        const auto counting = connect(&v, &Viewer::frameShown, &v, [&] { ++shown; });
        move(QEvent::MouseButtonPress, {300, 250}, Qt::LeftButton, Qt::LeftButton);
        QElapsedTimer clock;
        clock.start();
        for (int i = 1; i <= 12; ++i) {
            const auto before = shown;
            const gl::Camera camera = v.camera();
            clock.restart();
            move(QEvent::MouseMove, {300 + 5 * i, 250}, Qt::NoButton, Qt::LeftButton);
            QVERIFY(!sameView(v.camera(), camera));
            QTRY_VERIFY(shown > before);
            most = std::max(most, static_cast<int>(clock.elapsed()));
        }
        move(QEvent::MouseButtonRelease, {360, 250}, Qt::LeftButton, Qt::NoButton);
        disconnect(counting);
        clickAction("animate");
        QVERIFY2(most < 1000, qPrintable(QString("a picture took %1 ms").arg(most)));
    }

    void keysOfTheViewNeedNoClickInIt()
    {
        open();
        const auto key = [&](Qt::Key k) {
            QWidget* focus = QApplication::focusWidget();
            QTest::keyClick(focus ? focus : window.get(), k);
        };
        const auto works = [&] {
            const std::size_t before = steps();
            key(Qt::Key_N);
            settle();
            if (steps() != before + 1) return false;
            gl::Camera moved = window->viewer().camera();
            moved.zoom(2.);
            window->viewer().setCamera(moved);
            key(Qt::Key_F);
            if (sameView(window->viewer().camera(), moved)) return false;
            key(Qt::Key_Space);
            const bool runs = window->session().thread()->isAnimating();
            key(Qt::Key_Space);
            settle();
            return runs && !window->session().thread()->isAnimating();
        };
        QVERIFY(works());
        clickBox(inTab<QCheckBox>("filterNormals"));
        QVERIFY(works());
        showTab(1);
        auto* tree = window->tabs().widget(1)->findChild<QTreeWidget*>();
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, QPoint(40, 8));
        QVERIFY(works());
        type(find<QDoubleSpinBox>("dt"), QLocale().toString(0.02));
        QVERIFY(works());
        QTest::mouseClick(window->tabs().tabBar(), Qt::LeftButton, {}, window->tabs().tabBar()->tabRect(4).center());
        QVERIFY(works());
        // In a text it is a letter.
        auto* filter = inTab<QLineEdit>("logFilter");
        QTest::mouseClick(filter, Qt::LeftButton);
        const std::size_t before = steps();
        QTest::keyClicks(filter, "n f");
        settle();
        QCOMPARE(filter->text(), QString("n f"));
        QCOMPARE(steps(), before);
        QVERIFY(!window->session().thread()->isAnimating());
    }

    void theAnimationStopsAfterTheStepsOfTheCommandLine()
    {
        open();
        window->stopAfter(7);
        clickAction("animate");
        QTRY_VERIFY(!window->session().thread()->isAnimating());
        QCOMPARE(steps(), std::size_t{7});
    }

    void stepDoesOneStep()
    {
        open();
        const auto before = positions();
        clickAction("step");
        settle();
        QCOMPARE(steps(), std::size_t{1});
        QVERIFY(positions() != before);
        // In the view, the key does the same.
        window->viewer().setFocus();
        QTest::keyClick(&window->viewer(), Qt::Key_N);
        settle();
        QCOMPARE(steps(), std::size_t{2});
    }

    void resetSceneBringsBackTheInitialValues()
    {
        open();
        const auto before = positions();
        for (int i = 0; i < 5; ++i) clickAction("step");
        settle();
        QVERIFY(positions() != before);
        clickAction("resetScene");
        settle();
        QCOMPARE(steps(), std::size_t{0});
        QCOMPARE(positions(), before);
    }

    void mouseAndKeysMoveTheCameraAndResetViewBringsItBack()
    {
        open();
        Viewer& v = window->viewer();
        const gl::Camera first = v.camera();
        const QImage whole = picture();
        drag(&v, Qt::LeftButton, {300, 250}, {420, 300});
        QVERIFY(norm(v.camera().position - first.position) > 0.1);
        QVERIFY(std::abs(v.camera().distance() - first.distance()) < 1e-9);  // it turned
        QVERIFY(difference(picture(), whole) > 0.01);
        clickAction("resetView");
        QVERIFY(sameView(v.camera(), first));
        QVERIFY(difference(picture(), whole) < 1e-3);

        drag(&v, Qt::RightButton, {300, 250}, {350, 250});
        QVERIFY(norm(v.camera().target - first.target) > 1e-3);  // it moved
        clickAction("resetView");
        drag(&v, Qt::MiddleButton, {300, 250}, {300, 200});
        QVERIFY(v.camera().distance() < first.distance());
        clickAction("resetView");
        QWheelEvent wheel({300, 250}, v.mapToGlobal(QPointF(300, 250)), {}, {0, 240}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&v, &wheel);
        QVERIFY(v.camera().distance() < first.distance());
        v.setFocus();
        QTest::keyClick(&v, Qt::Key_Left);
        QVERIFY(v.camera().orientation != first.orientation);
        QTest::keyClick(&v, Qt::Key_Home);
        QVERIFY(sameView(v.camera(), first));
        QTest::keyClick(&v, Qt::Key_Plus);
        const double near = v.camera().distance();
        QTest::keyClick(&v, Qt::Key_F);
        QVERIFY(v.camera().distance() > near);
    }

    void saveViewIsUsedWhenTheSceneIsOpenedAgain()
    {
        open();
        drag(&window->viewer(), Qt::LeftButton, {300, 250}, {450, 330});
        const gl::Camera chosen = window->viewer().camera();
        clickAction("saveView");
        const QString file = window->session().path() + ".view";
        QVERIFY(QFileInfo(file).isFile());
        QVERIFY(window->open(window->session().path()));
        settle();
        QVERIFY(norm(window->viewer().camera().position - chosen.position) < 1e-4);
        // Reset View goes there, too.
        drag(&window->viewer(), Qt::LeftButton, {300, 250}, {200, 300});
        clickAction("resetView");
        QVERIFY(norm(window->viewer().camera().position - chosen.position) < 1e-4);
    }

    void aViewThatSofaSavedIsTheFirstOne_data()
    {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".scn.qt.view", ".scn.qglviewer.view", ".view"}) QTest::newRow(ending) << ending;
    }

    void aViewThatSofaSavedIsTheFirstOne()
    {
        QFETCH(QString, ending);
        open();
        const gl::Camera usual = window->viewer().camera();
        drag(&window->viewer(), Qt::LeftButton, {300, 250}, {450, 330});
        const gl::Camera chosen = window->viewer().camera();
        QVERIFY(norm(chosen.position - usual.position) > 0.1);
        chosen.save(folder->filePath("cube" + ending).toStdString());
        open();
        QVERIFY(norm(window->viewer().camera().position - chosen.position) < 1e-4);
        // One that was saved here goes before it.
        drag(&window->viewer(), Qt::LeftButton, {300, 250}, {200, 300});
        const gl::Camera saved = window->viewer().camera();
        clickAction("saveView");
        open();
        QVERIFY(norm(window->viewer().camera().position - saved.position) < 1e-4);
    }

    void shortcutsOfTheMouseTabWork()
    {
        open();
        Viewer& v = window->viewer();
        v.setFocus();
        QTest::keyClick(&v, Qt::Key_Space);
        QTRY_VERIFY(v.frame().step > 3);
        QVERIFY(window->session().thread()->isAnimating());
        QTest::keyClick(&v, Qt::Key_Space);
        QVERIFY(!window->session().thread()->isAnimating());
        settle();
        QTest::keyClick(&v, Qt::Key_Backspace, Qt::ControlModifier);
        settle();
        QCOMPARE(steps(), std::size_t{0});
        QTest::keyClick(&v, Qt::Key_P, Qt::ControlModifier);
        QVERIFY(QFileInfo(folder->filePath("cube_0001.png")).isFile());
        const gl::Camera first = v.camera();
        const auto moves = [&](Qt::Key key) {
            QTest::keyClick(&v, Qt::Key_Home);
            QTest::keyClick(&v, key);
            return !sameView(v.camera(), first);
        };
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Plus, Qt::Key_Minus})
            QVERIFY(moves(key));
        QTest::keyClick(&v, Qt::Key_F11);
        QTRY_VERIFY(window->isFullScreen());
        QTest::keyClick(&v, Qt::Key_F11);
        QTRY_VERIFY(!window->isFullScreen());
        // Each of them is told in the tab.
        QString told;
        for (const QLabel* l : inTab<QWidget>("mouseTab")->findChildren<QLabel*>()) told += l->text() + '\n';
        for (const char* key : {"Space", "Ctrl+Backspace", "Ctrl+R", "Home", "Arrows", "F1", "F6", "F11", ">U<", ">N<"})
            QVERIFY2(told.contains(key), key);
    }

    void screenshotWritesThePictureOfTheView()
    {
        open();
        clickAction("screenshot");
        clickAction("screenshot");
        const QImage first(folder->filePath("cube_0001.png")), second(folder->filePath("cube_0002.png"));
        QCOMPARE(first.size(), window->viewer().size());
        QVERIFY(!second.isNull());
        QVERIFY(difference(first.convertToFormat(QImage::Format_RGB32), picture()) < 1e-3);
        // The cube is there, in its colour.
        const QColor middle = first.pixelColor(first.width() / 2, first.height() / 2);
        QVERIFY2(middle.red() > middle.blue() + 30, qPrintable(middle.name()));
    }

    void dtChangesTheTimeStep()
    {
        open();
        auto* dt = find<QDoubleSpinBox>("dt");
        QCOMPARE(dt->value(), 0.01);
        type(dt, QLocale().toString(0.05));
        clickAction("step");
        settle();
        QCOMPARE(window->viewer().frame().time, 0.05);
        QCOMPARE(window->viewer().frame().dt, 0.05);
    }

    void everyFilterOfTheDisplayTabShowsAndHides_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("flag");
        using F = DisplayFlags;
        QTest::newRow("Visual Models") << "filterVisualModels" << int(F::VisualModels);
        QTest::newRow("Behavior Models") << "filterBehaviorModels" << int(F::BehaviorModels);
        QTest::newRow("Force Fields") << "filterForceFields" << int(F::ForceFields);
        QTest::newRow("Collision Models") << "filterCollisionModels" << int(F::CollisionModels);
        QTest::newRow("Bounding Tree") << "filterBoundingTree" << int(F::BoundingCollisionModels);
        QTest::newRow("Mappings") << "filterMappings" << int(F::Mappings);
        QTest::newRow("Mechanical Mappings") << "filterMechanicalMappings" << int(F::MechanicalMappings);
        QTest::newRow("Interactions") << "filterInteractions" << int(F::InteractionForceFields);
        QTest::newRow("Detection outputs") << "filterDetectionOutputs" << int(F::DetectionOutputs);
        QTest::newRow("Wire Frame") << "filterWireframe" << int(F::Wireframe);
        QTest::newRow("Normals") << "filterNormals" << int(F::Normals);
        QTest::newRow("Advanced rendering") << "filterAdvancedRendering" << int(F::AdvancedRendering);
        QTest::newRow("Skins") << "filterSkins" << int(F::Skins);
        QTest::newRow("Ground and sky") << "filterSurroundings" << int(F::Surroundings);
        QTest::newRow("Axes") << "filterAxes" << int(F::Axes);
    }

    void everyFilterOfTheDisplayTabShowsAndHides()
    {
        QFETCH(QString, name);
        QFETCH(int, flag);
        const auto which = static_cast<DisplayFlags::Flag>(flag);
        open(everything());
        clickAction("step");  // what collides is known after it
        settle();
        const QImage nothing = picture();
        QVERIFY2(colours(nothing) == 1, "the view is not empty");
        // How visual models are shown is only seen with them.
        const bool how = which == DisplayFlags::Wireframe || which == DisplayFlags::Normals ||
                         which == DisplayFlags::AdvancedRendering || which == DisplayFlags::Skins;
        if (how) clickBox(inTab<QCheckBox>("filterVisualModels"));
        settle();
        auto* box = inTab<QCheckBox>(qPrintable(name));
        QVERIFY(!box->isChecked());
        const QImage first = picture();
        clickBox(box);
        settle();
        QVERIFY(window->viewer().isShown(which));
        QVERIFY(box->isChecked());
        const QImage shown = picture();
        QVERIFY2(difference(shown, first) > 1e-4, "the picture is the same");
        clickBox(box);
        settle();
        QVERIFY(!window->viewer().isShown(which));
        QVERIFY(!box->isChecked());
        QCOMPARE(difference(picture(), first), 0.);
        QTest::mouseClick(inTab<QPushButton>("filtersUseScene"), Qt::LeftButton);
        settle();
        QVERIFY(window->viewer().displayFlags() == DisplayFlags());
        QCOMPARE(difference(picture(), nothing), 0.);
        // No other filter shows the same.
        if (!how) {
            static std::map<QString, QImage> others;
            for (const auto& [other, image] : others)
                QVERIFY2(difference(image, shown) > 1e-5, qPrintable("the same as " + other));
            others[name] = shown;
        }
    }

    void colourByColoursBodiesWithALegend()
    {
        open();
        clickAction("step");
        settle();
        const QImage before = picture();
        auto* field = inTab<QComboBox>("colourBy");
        QCOMPARE(field->currentText(), QString("Nothing"));
        choose(field, "Von Mises stress");
        settle();
        QCOMPARE(window->viewer().frame().picture->legends.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(window->viewer().frame().picture->legends[0]->title),
                 QString("von Mises stress [Pa]"));
        const QImage smooth = picture();
        QVERIFY(difference(smooth, before) > 0.01);
        clickBox(inTab<QCheckBox>("filterElementColors"));
        settle();
        QVERIFY(window->viewer().isShown(DisplayFlags::ElementColors));
        QTest::mouseClick(inTab<QPushButton>("filtersUseScene"), Qt::LeftButton);
        settle();
        QCOMPARE(field->currentText(), QString("Nothing"));
        QCOMPARE(difference(picture(), before), 0.);
    }

    void allShowsAndHidesEverything()
    {
        open();
        auto* all = inTab<QCheckBox>("filterAll");
        QCOMPARE(all->checkState(), Qt::PartiallyChecked);
        clickBox(all);
        settle();
        QCOMPARE(all->checkState(), Qt::Checked);
        QVERIFY(window->viewer().isShown(DisplayFlags::CollisionModels));
        QVERIFY(window->viewer().isShown(DisplayFlags::MechanicalMappings));
        const QImage everything = picture();
        clickBox(all);
        settle();
        QCOMPARE(all->checkState(), Qt::Unchecked);
        QVERIFY(!window->viewer().isShown(DisplayFlags::VisualModels));
        QVERIFY(difference(picture(), everything) > 0.01);
        // An empty view is of one colour.
        const QImage nothing = picture();
        QCOMPARE(nothing.pixel(nothing.width() / 2, nothing.height() / 2), nothing.pixel(3, nothing.height() / 2));
    }

    void functionKeysOfMicroSofaSwitchWhatIsShown()
    {
        open();
        Viewer& v = window->viewer();
        v.setFocus();
        const auto switches = [&](Qt::Key key, DisplayFlags::Flag flag) {
            const bool before = v.isShown(flag);
            QTest::keyClick(&v, key);
            const bool after = v.isShown(flag);
            QTest::keyClick(&v, key);
            return after != before && v.isShown(flag) == before;
        };
        QVERIFY(switches(Qt::Key_F2, DisplayFlags::VisualModels));
        QVERIFY(switches(Qt::Key_F3, DisplayFlags::BehaviorModels));
        QVERIFY(switches(Qt::Key_F4, DisplayFlags::ForceFields));
        QVERIFY(switches(Qt::Key_F5, DisplayFlags::Mappings));
        QVERIFY(switches(Qt::Key_F5, DisplayFlags::MechanicalMappings));
        QVERIFY(switches(Qt::Key_F6, DisplayFlags::Wireframe));
        // From elsewhere in the window, too.
        find<QDoubleSpinBox>("dt")->setFocus();
        QTest::keyClick(find<QDoubleSpinBox>("dt"), Qt::Key_F6);
        QVERIFY(v.isShown(DisplayFlags::Wireframe));
        QTest::keyClick(&v, Qt::Key_F6);
        // The information tells iterations and times, and is no part of pictures.
        clickAction("step");
        settle();
        settle();
        const QImage without = picture();
        QTest::keyClick(&v, Qt::Key_F1);
        settle();
        QVERIFY(v.hasInformation());
        QVERIFY(inTab<QCheckBox>("information")->isChecked());
        const QString lines = v.informationLines().join('\n');
        QVERIFY2(QRegularExpression("CGLinearSolver.*: [1-9][0-9]* iterations").match(lines).hasMatch(),
                 qPrintable(lines));
        QVERIFY2(lines.contains("step 1,"), qPrintable(lines));
        QVERIFY2(lines.contains(" ms"), qPrintable(lines));
        QCOMPARE(picture().size(), without.size());
        QVERIFY2(difference(picture(), without) < 1e-3, qPrintable(QString::number(difference(picture(), without))));
        QVERIFY(difference(v.grabFramebuffer().convertToFormat(QImage::Format_RGB32), without) > 1e-3);
    }

    void controlPanelIsHiddenByItsBorder()
    {
        open();
        auto* splitter = find<QSplitter>("splitter");
        QVERIFY(splitter->sizes().front() > 100);
        QWidget* handle = splitter->handle(1);
        const QPoint start = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, start);
        for (int x : {-100, -300, -700}) {
            QMouseEvent move(QEvent::MouseMove, start, handle->mapToGlobal(start + QPoint(x, 0)), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(handle, &move);
        }
        QTest::mouseRelease(handle, Qt::LeftButton);
        QCOMPARE(splitter->sizes().front(), 0);
        window->activateWindow();
        QTest::keyClick(window.get(), Qt::Key_F9);
        QTRY_VERIFY(splitter->sizes().front() > 100);
    }

    void theViewGetsTheSizeThatIsAskedFor()
    {
        open();
        auto *width = inTab<QSpinBox>("viewWidth"), *height = inTab<QSpinBox>("viewHeight");
        type(width, "640");
        type(height, "480");
        click(inTab<QPushButton>("viewResize"));
        QTRY_COMPARE(window->viewer().size(), QSize(640, 480));
        settle();
        QCOMPARE(picture().size(), QSize(640, 480));
    }

    void layoutIsRememberedAndCanBeReset()
    {
        open();
        window->resize(1111, 666);
        find<QSplitter>("splitter")->setSizes({250, 861});
        const int panel = find<QSplitter>("splitter")->sizes().front();
        showTab(3);
        open();  // closes the first window
        window->close();
        window = std::make_unique<MainWindow>([](const std::string& path, bool) { return loadScene(path); });
        QCOMPARE(window->tabs().currentIndex(), 3);
        window->show();
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
        QVERIFY(panel > 0);
        clickMenu("Window", "Reset Layout");
        QCOMPARE(window->tabs().currentIndex(), 0);
        QVERIFY(find<QSplitter>("splitter")->sizes().front() > 100);
    }

    void aFailingStepIsReportedAndTheWindowGoesOn()
    {
        open();
        window->session().thread()->call([](Simulation& s) {
            BaseState* state = ExecutionPlan::of(s.root()).independentStates().front();
            std::vector<double> x(state->size() * state->coordSize(), std::nan(""));
            state->setScalars(vec_id::position, x.data());
        });
        clickAction("animate");
        QTRY_VERIFY_WITH_TIMEOUT(!window->notification().text().isEmpty(), 20000);
        QVERIFY2(window->notification().text().contains("not finite"), qPrintable(window->notification().text()));
        QVERIFY(!window->session().thread()->isAnimating());
        QTest::mouseClick(find<QPushButton>("notificationAction"), Qt::LeftButton);
        settle();
        QCOMPARE(steps(), std::size_t{0});
        QVERIFY(window->notification().text().isEmpty());
    }

    /// A step that never ends: the equations are never solved well enough.
    static QString endless()
    {
        return QStringLiteral(R"(<?xml version="1.0"?>
<Node name="root"><DefaultAnimationLoop/><EulerImplicitSolver/>
  <CGLinearSolver iterations="1000000000" tolerance="0" threshold="0"/>
  <RegularGridTopology n="3000 4 4" min="0 0 0" max="3000 1 1"/><MechanicalObject/><UniformMass totalMass="2"/>
  <FixedProjectiveConstraint/><HexahedronFEMForceField youngModulus="2000"/>
</Node>
)");
    }

    void aLongStepIsToldAndCanBeInterrupted()
    {
        open(endless());
        clickAction("step");
        QTRY_VERIFY_WITH_TIMEOUT(window->notification().text().contains("takes long"), 10000);
        QVERIFY2(find<QLabel>("pace")->text().startsWith("Step/Solve"), qPrintable(find<QLabel>("pace")->text()));
        QVERIFY(find<QLabel>("rates")->text().startsWith("Step 1: "));
        QTest::mouseClick(find<QPushButton>("notificationAction"), Qt::LeftButton);
        QTRY_VERIFY(window->notification().text().contains("step 1 was interrupted"));
        QTest::mouseClick(find<QPushButton>("notificationAction"), Qt::LeftButton);  // Reset scene
        settle();
        QVERIFY(window->notification().text().isEmpty());
        QCOMPARE(steps(), std::size_t{0});
        QTRY_VERIFY(!find<QLabel>("pace")->text().startsWith("Step"));
    }

    void theWindowClosesInTheMiddleOfALongStep()
    {
        open(endless());
        clickAction("step");
        QTRY_VERIFY(window->session().thread()->work().seconds > 0.2);
        QElapsedTimer clock;
        clock.start();
        close();
        QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<ControlsTest>();

}  // namespace sofa::qt

#include <ControlsTest.moc>
