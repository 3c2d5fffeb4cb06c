// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QThread>
#include <QTreeWidget>
#include <cmath>

#include "applications/qt/Viewer.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// The camera: mouse and keys, views that are saved, images of it.
class ViewTest : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void theViewTurnsWhileItAnimates_data()
    {
        QTest::addColumn<bool>("slow");
        QTest::newRow("many steps a frame") << false;
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
        QVERIFY2(most < 1000, qPrintable(QString("a frame took %1 ms").arg(most)));
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
            // Where something is selected, the thread of the simulation is asked for its box.
            if (!QTest::qWaitFor([&] { return !sameView(window->viewer().camera(), moved); })) return false;
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
        auto* tree = tab(1)->findChild<QTreeWidget*>();
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, QPoint(40, 8));
        QVERIFY(works());
        type(find<QDoubleSpinBox>("dt"), QLocale().toString(0.02));
        QVERIFY(works());
        QTest::mouseClick(tabBar(), Qt::LeftButton, {}, tabBar()->tabRect(4).center());
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

    void mouseAndKeysMoveTheCameraAndResetViewBringsItBack()
    {
        open();
        Viewer& v = window->viewer();
        const gl::Camera first = v.camera();
        const QImage whole = image();
        drag(&v, Qt::LeftButton, {300, 250}, {420, 300});
        QVERIFY(norm(v.camera().position - first.position) > 0.1);
        QVERIFY(std::abs(v.camera().distance() - first.distance()) < 1e-9);  // it turned
        QVERIFY(difference(image(), whole) > 0.01);
        clickAction("resetView");
        QVERIFY(sameView(v.camera(), first));
        QVERIFY(difference(image(), whole) < 1e-3);

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
        QTest::addColumn<QString>("extension");
        for (const char* extension : {".scn.qt.view", ".scn.qglviewer.view", ".view"})
            QTest::newRow(extension) << extension;
    }

    void aViewThatSofaSavedIsTheFirstOne()
    {
        QFETCH(QString, extension);
        open();
        const gl::Camera usual = window->viewer().camera();
        drag(&window->viewer(), Qt::LeftButton, {300, 250}, {450, 330});
        const gl::Camera chosen = window->viewer().camera();
        QVERIFY(norm(chosen.position - usual.position) > 0.1);
        chosen.save(folder->filePath("cube" + extension).toStdString());
        open();
        QVERIFY(norm(window->viewer().camera().position - chosen.position) < 1e-4);
        // One that was saved here goes before it.
        drag(&window->viewer(), Qt::LeftButton, {300, 250}, {200, 300});
        const gl::Camera saved = window->viewer().camera();
        clickAction("saveView");
        open();
        QVERIFY(norm(window->viewer().camera().position - saved.position) < 1e-4);
    }

    void screenshotWritesTheImageOfTheView()
    {
        open();
        clickAction("screenshot");
        clickAction("screenshot");
        const QImage first(folder->filePath("cube_0001.png")), second(folder->filePath("cube_0002.png"));
        QCOMPARE(first.size(), window->viewer().size());
        QVERIFY(!second.isNull());
        QVERIFY(difference(first.convertToFormat(QImage::Format_RGB32), image()) < 1e-3);
        // The cube is there, in its colour.
        const QColor middle = first.pixelColor(first.width() / 2, first.height() / 2);
        QVERIFY2(middle.red() > middle.blue() + 30, qPrintable(middle.name()));
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
        QCOMPARE(image().size(), QSize(640, 480));
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<ViewTest>();

}  // namespace sofa::qt

#include <ViewTest.moc>
