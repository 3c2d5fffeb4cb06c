// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <set>

#include "applications/qt/Viewer.h"
#include "core/scene/SceneLoader.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// The Display and the Mouse tab, the layout.
class ControlsTest : public WindowTest
{
    Q_OBJECT

    /// Number of different colours in an image.
    static std::size_t colours(const QImage& image)
    {
        std::set<QRgb> all;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) all.insert(image.pixel(x, y));
        return all.size();
    }

private Q_SLOTS:
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
        const QImage nothing = image();
        QVERIFY2(colours(nothing) == 1, "the view is not empty");
        // How visual models are shown is only seen with them.
        const bool how = which == DisplayFlags::Wireframe || which == DisplayFlags::Normals ||
                         which == DisplayFlags::AdvancedRendering || which == DisplayFlags::Skins;
        if (how) clickBox(inTab<QCheckBox>("filterVisualModels"));
        settle();
        auto* box = inTab<QCheckBox>(qPrintable(name));
        QVERIFY(!box->isChecked());
        const QImage first = image();
        clickBox(box);
        settle();
        QVERIFY(window->viewer().isShown(which));
        QVERIFY(box->isChecked());
        const QImage shown = image();
        QVERIFY2(difference(shown, first) > 1e-4, "the image is the same");
        clickBox(box);
        settle();
        QVERIFY(!window->viewer().isShown(which));
        QVERIFY(!box->isChecked());
        QCOMPARE(difference(image(), first), 0.);
        QTest::mouseClick(inTab<QPushButton>("filtersUseScene"), Qt::LeftButton);
        settle();
        QVERIFY(window->viewer().displayFlags() == DisplayFlags());
        QCOMPARE(difference(image(), nothing), 0.);
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
        const QImage before = image();
        auto* field = inTab<QComboBox>("colourBy");
        QCOMPARE(field->currentText(), QString("Nothing"));
        choose(field, "Von Mises stress");
        settle();
        QCOMPARE(window->viewer().frame().drawList->legends.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(window->viewer().frame().drawList->legends[0]->title),
                 QString("von Mises stress [Pa]"));
        const QImage smooth = image();
        QVERIFY(difference(smooth, before) > 0.01);
        clickBox(inTab<QCheckBox>("filterElementColors"));
        settle();
        QVERIFY(window->viewer().isShown(DisplayFlags::ElementColors));
        QTest::mouseClick(inTab<QPushButton>("filtersUseScene"), Qt::LeftButton);
        settle();
        QCOMPARE(field->currentText(), QString("Nothing"));
        QCOMPARE(difference(image(), before), 0.);
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
        const QImage everything = image();
        clickBox(all);
        settle();
        QCOMPARE(all->checkState(), Qt::Unchecked);
        QVERIFY(!window->viewer().isShown(DisplayFlags::VisualModels));
        QVERIFY(difference(image(), everything) > 0.01);
        // An empty view is of one colour.
        const QImage nothing = image();
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
        // The information tells iterations and times, and is no part of images.
        clickAction("step");
        settle();
        settle();
        const QImage without = image();
        QTest::keyClick(&v, Qt::Key_F1);
        settle();
        QVERIFY(v.hasInformation());
        QVERIFY(inTab<QCheckBox>("information")->isChecked());
        const QString lines = v.informationLines().join('\n');
        QVERIFY2(QRegularExpression("CGLinearSolver.*: [1-9][0-9]* iterations").match(lines).hasMatch(),
                 qPrintable(lines));
        QVERIFY2(lines.contains("step 1,"), qPrintable(lines));
        QVERIFY2(lines.contains(" ms"), qPrintable(lines));
        QCOMPARE(image().size(), without.size());
        QVERIFY2(difference(image(), without) < 1e-3, qPrintable(QString::number(difference(image(), without))));
        QVERIFY(difference(v.grabFramebuffer().convertToFormat(QImage::Format_RGB32), without) > 1e-3);
    }

    void controlPanelIsHiddenByItsBorder()
    {
        open();
        QDockWidget* panel = window->panels().front();
        QVERIFY(panel->isVisible() && panel->width() > 100);
        const QPoint start(panel->mapTo(window.get(), QPoint(panel->width(), 0)).x() + 2, window->height() / 2);
        QTest::mousePress(window.get(), Qt::LeftButton, {}, start);
        for (const int x : {300, 100, 5}) {
            const QPoint at(x, start.y());
            QMouseEvent move(QEvent::MouseMove, at, window->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(window.get(), &move);
        }
        QTest::mouseRelease(window.get(), Qt::LeftButton, {}, QPoint(5, start.y()));
        QTRY_VERIFY(!panel->isVisible());
        QVERIFY(!window->arePanelsShown());
        window->activateWindow();
        QTest::keyClick(window.get(), Qt::Key_F9);
        QTRY_VERIFY(panel->isVisible() && panel->width() > 100);
        QCOMPARE(tabs(), 6);
    }

    void layoutIsRememberedAndCanBeReset()
    {
        open();
        window->resize(1111, 666);
        showTab(3);
        QTest::keyClick(window.get(), Qt::Key_7, Qt::AltModifier);  // Properties, at the right
        QDockWidget* properties = window->panels()[6];
        QTRY_VERIFY(properties->isVisible());
        window->panels()[4]->setFloating(true);  // the log
        QTest::qWait(50);
        open();  // closes the first window
        QTRY_VERIFY(window->panels()[6]->isVisible());
        QVERIFY(window->panels()[4]->isFloating());
        QVERIFY(window->panels()[3]->isVisible() && !window->panels()[3]->visibleRegion().isEmpty());
        QCOMPARE(window->dockWidgetArea(window->panels()[6]), Qt::RightDockWidgetArea);
        clickMenu("Window", "Reset Layout");
        QTRY_VERIFY(!window->panels()[4]->isFloating());
        QVERIFY(!window->panels()[6]->isVisible());
        QTRY_COMPARE(tabs(), 6);
        QTRY_COMPARE(tabBar()->currentIndex(), 0);
    }

    void panelsComeToTheFrontByTheirKeysAndGoAgain()
    {
        open();
        for (int i = 0; i < window->panels().size(); ++i) {
            window->activateWindow();
            QWidget* panel = window->panels()[i];
            const auto inFront = [&] { return panel->isVisible() && !panel->visibleRegion().isEmpty(); };
            const auto key = static_cast<Qt::Key>(Qt::Key_1 + i);
            if (!inFront()) QTest::keyClick(window.get(), key, Qt::AltModifier);
            QTRY_VERIFY2(inFront(), qPrintable(panel->windowTitle()));
            QTest::keyClick(window.get(), key, Qt::AltModifier);
            QTRY_VERIFY2(!panel->isVisible(), qPrintable(panel->windowTitle()));
            QTest::keyClick(window.get(), key, Qt::AltModifier);
            QTRY_VERIFY2(inFront(), qPrintable(panel->windowTitle()));
        }
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<ControlsTest>();

}  // namespace sofa::qt

#include <ControlsTest.moc>
