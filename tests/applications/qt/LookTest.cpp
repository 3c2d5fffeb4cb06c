// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QGroupBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSlider>
#include <QStandardPaths>
#include <QTextBrowser>
#include <QToolButton>
#include <cmath>

#include "applications/qt/HelpMenu.h"
#include "applications/qt/TimeLine.h"
#include "applications/qt/VideoExport.h"
#include "applications/qt/Viewer.h"
#include "applications/qt/panels/GraphPanel.h"
#include "applications/qt/panels/MeasurePanel.h"
#include "core/scene/SceneSnapshot.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// Looking at a scene: sides, the cube, the point around which the camera turns, cuts, what is measured, ranges of
/// colours, moments to go back to, and videos.
class LookTest : public WindowTest
{
    Q_OBJECT

    void key(Qt::Key k, Qt::KeyboardModifiers modifiers = {})
    {
        window->viewer().setFocus();
        QTest::keyClick(&window->viewer(), k, modifiers);
        QTest::qWait(20);
    }
    QPoint placeOf(const Vec3& x) const
    {
        const auto at = window->viewer().camera().project(x);
        return at ? QPoint(static_cast<int>(std::lround((*at)[0])), static_cast<int>(std::lround((*at)[1]))) : QPoint();
    }
    void clickAt(const Vec3& x) { QTest::mouseClick(&window->viewer(), Qt::LeftButton, {}, placeOf(x)); }

private Q_SLOTS:
    void keysLookFromEachSideOfTheScene_data()
    {
        QTest::addColumn<QString>("gravity");
        QTest::addColumn<QList<double>>("top");
        QTest::newRow("y is up") << "0 -1 0" << QList<double>{0., 1., 0.};
        QTest::newRow("z is up") << "0 0 -9.81" << QList<double>{0., 0., 1.};
    }

    void keysLookFromEachSideOfTheScene()
    {
        QFETCH(QString, gravity);
        QFETCH(QList<double>, top);
        open(cube().replace("0 -1 0", gravity));
        const Vec3 up{top[0], top[1], top[2]}, right{1., 0., 0.}, front = cross(right, up);
        const Vec3 from[] = {front, -front, -right, right, up, -up};
        const gl::Camera first = window->viewer().camera();
        for (int i = 0; i < 6; ++i) {
            key(static_cast<Qt::Key>(Qt::Key_1 + i));
            const gl::Camera& c = window->viewer().camera();
            QVERIFY2(norm(c.forward() + from[i]) < 1e-9, qPrintable(QString::number(i + 1)));
            QVERIFY(std::abs(c.distance() - first.distance()) < 1e-9);
            if (i < 4) QVERIFY(norm(c.up() - up) < 1e-9);
        }
        key(Qt::Key_5);  // from above, the front is below
        QVERIFY(norm(window->viewer().camera().up() + front) < 1e-9);
        key(Qt::Key_7);
        QVERIFY(norm(window->viewer().camera().forward() + normalized(up + right + front)) < 1e-9);
        clickMenu("Camera", "Top");
        QVERIFY(norm(window->viewer().camera().forward() + up) < 1e-9);
    }

    void aSideOfTheCubeIsClicked()
    {
        open();
        key(Qt::Key_7);
        Viewer& v = window->viewer();
        v.repaint();
        // Where its middle is: three sides are seen.
        const auto text = [](const Vec3& s) { return QStringLiteral("%1 %2 %3").arg(s[0]).arg(s[1]).arg(s[2]); };
        std::map<QString, QPoint> places;
        for (int x = v.width() - 140; x < v.width(); ++x)
            for (int y = 0; y < 140; ++y)
                if (const auto side = v.viewCube().sideAt(QPointF(x, y))) places[text(*side)] = QPoint(x, y);
        for (const char* wanted : {"1 0 0", "0 1 0", "0 0 1", "1 1 0", "1 1 1"}) QVERIFY2(places.count(wanted), wanted);
        QTest::mouseClick(&v, Qt::LeftButton, {}, places["1 0 0"]);
        QVERIFY(norm(v.camera().forward() + Vec3{1., 0., 0.}) < 1e-9);
        QVERIFY(v.selection().isEmpty());
        // Dragged, it turns the view as the rest does.
        const gl::Camera before = v.camera();
        drag(&v, Qt::LeftButton, QPoint(v.width() - 60, 60), QPoint(v.width() - 30, 70));
        QVERIFY(v.camera().orientation != before.orientation);
        // It is seen, unless it is switched off.
        const QImage with = v.grabFramebuffer();
        key(Qt::Key_C, Qt::ShiftModifier);
        v.repaint();
        const QImage without = v.grabFramebuffer();
        QVERIFY(difference(with.convertToFormat(QImage::Format_RGB32), without.convertToFormat(QImage::Format_RGB32)) >
                1e-3);
        QVERIFY(!QSettings().value("viewCube").toBool());
    }

    void orthographicKeepsTheSizeOfWhatIsInTheMiddle()
    {
        open();
        const double size = window->viewer().camera().pixelSize(window->viewer().camera().target);
        key(Qt::Key_O);
        QVERIFY(window->viewer().camera().orthographic);
        QVERIFY(std::abs(window->viewer().camera().pixelSize(window->viewer().camera().target) - size) < 1e-9 * size);
        clickMenu("Camera", "Orthographic");
        QVERIFY(!window->viewer().camera().orthographic);
    }

    void theCameraTurnsAroundThePlaceOfADoubleClick()
    {
        open();
        Viewer& v = window->viewer();
        const Vec3 corner{0.9, 0.8, 1.};
        const QPoint at = placeOf(corner);
        QTest::mouseDClick(&v, Qt::LeftButton, {}, at);
        QTRY_VERIFY(v.pivot());
        QVERIFY2(norm(*v.pivot() - corner) < 0.02, "the place is not the one that was clicked");
        const double distance = norm(v.camera().position - *v.pivot());
        drag(&v, Qt::LeftButton, {300, 250}, {380, 290});
        QVERIFY(std::abs(norm(v.camera().position - *v.pivot()) - distance) < 1e-6);
        QVERIFY2((placeOf(*v.pivot()) - at).manhattanLength() <= 2, "the place moves in the view");
        // The whole scene again: around its middle.
        key(Qt::Key_F, Qt::ShiftModifier);
        QVERIFY(!v.pivot());
        // By a key, where the mouse is.
        const QPoint middle = v.rect().center();
        QMouseEvent move(QEvent::MouseMove, middle, v.mapToGlobal(middle), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(&v, &move);
        key(Qt::Key_C);
        QTRY_VERIFY(v.pivot());
    }

    void whatIsSelectedFillsTheView()
    {
        open(cube().replace("<Node name=\"body\">", R"(<Node name="far"><MechanicalObject name="point"
          position="20 0 0  21 0 0  20 1 0"/></Node><Node name="body">)"));
        Viewer& v = window->viewer();
        const double whole = v.camera().distance();
        window->graph().select("/body");
        QTRY_COMPARE(v.selection(), QString("/body"));
        key(Qt::Key_F);
        QTRY_VERIFY(v.camera().distance() < 0.6 * whole);
        QVERIFY(norm(v.camera().target) < 0.1);
        key(Qt::Key_F, Qt::ShiftModifier);
        QVERIFY(v.camera().distance() > 0.9 * whole);
        const QImage seen = image();
        key(Qt::Key_H);
        QTRY_VERIFY(difference(image(), seen) > 1e-3);
        key(Qt::Key_H, Qt::ShiftModifier);
        QTRY_VERIFY(difference(image(), seen) < 1e-3);
    }

    void theSceneIsCutOpenAndWhatIsCutAwayIsNotPicked()
    {
        open();
        Viewer& v = window->viewer();
        key(Qt::Key_1);
        settle();
        const QImage whole = image();
        QTest::mouseClick(&v, Qt::LeftButton, {}, v.rect().center());
        QTRY_COMPARE(v.selection(), QString("/body/faces"));
        key(Qt::Key_Escape);
        auto* cut = inTab<QGroupBox>("cut");
        QTest::mouseClick(cut, Qt::LeftButton, {}, QPoint(8, 8));
        QTRY_VERIFY(v.cut());
        QVERIFY(std::abs(v.cut()->at) < 0.02);  // the middle of the cube
        choose(find<QComboBox>("cutAxis"), "across x");
        QTRY_VERIFY(difference(image(), whole) > 0.01);
        const QImage half = image();
        const auto orange = [](const QImage& i, int x) {
            const QColor c = i.pixelColor(x, i.height() / 2);
            return c.red() > c.blue() + 30;
        };
        const int left = placeOf({-0.5, 0., 1.}).x(), right = placeOf({0.5, 0., 1.}).x();
        QVERIFY(orange(whole, left) && orange(whole, right));
        QVERIFY(orange(half, left) && !orange(half, right));
        // Where it is cut away, nothing is picked any more.
        QTest::mouseClick(&v, Qt::LeftButton, {}, placeOf({0.5, 0.2, 1.}));
        QTRY_VERIFY(v.selection().isEmpty());
        QTest::mouseClick(&v, Qt::LeftButton, {}, placeOf({-0.5, 0.2, 1.}));
        QTRY_COMPARE(v.selection(), QString("/body/faces"));
        clickBox(find<QCheckBox>("cutLower"));
        QTRY_VERIFY(orange(image(), right) && !orange(image(), left));
        find<QSlider>("cutPlace")->setFocus();
        const double before = v.cut()->at;
        QTest::keyClick(find<QSlider>("cutPlace"), Qt::Key_Right);
        QVERIFY(v.cut()->at > before);
        QTest::mouseClick(cut, Qt::LeftButton, {}, QPoint(8, 8));
        QTRY_VERIFY(!v.cut());
    }

    void distancesAnglesAndPositionsAreMeasuredAndFollow()
    {
        open();
        Viewer& v = window->viewer();
        key(Qt::Key_1);
        MeasurePanel& panel = window->measuring();
        QTest::keyClick(window.get(), Qt::Key_8, Qt::AltModifier);
        QTRY_VERIFY(panel.isVisible());
        key(Qt::Key_F, Qt::ShiftModifier);
        const auto number = [&](int row) {
            QString text = panel.results().value(row).section(": ", 1);
            return text.remove(QRegularExpression("[^-0-9.e+]")).toDouble();
        };
        click(panel.findChild<QToolButton*>("measureDistance"));
        clickAt({-0.8, -0.5, 1.});
        QTRY_COMPARE(panel.results().size(), 1);
        clickAt({0.7, -0.5, 1.});
        QTRY_VERIFY2(std::abs(number(0) - 1.5) < 0.02, qPrintable(panel.results().join(';')));
        click(panel.findChild<QToolButton*>("measureAngle"));
        clickAt({-0.5, 0.5, 1.});
        QTRY_VERIFY(panel.results().size() == 2);
        QTest::qWait(50);
        clickAt({-0.5, -0.5, 1.});
        QTest::qWait(50);
        clickAt({0.5, -0.5, 1.});
        QTRY_VERIFY2(std::abs(number(1) - 90.) < 1.5, qPrintable(panel.results().join(';')));
        click(panel.findChild<QToolButton*>("measurePosition"));
        clickAt({0.2, 0.3, 1.});
        QTRY_COMPARE(panel.results().size(), 3);
        QVERIFY2(panel.results()[2].startsWith("position: ("), qPrintable(panel.results()[2]));
        QCOMPARE(v.marks().size(), std::size_t{3});
        QVERIFY(v.selection().isEmpty());  // clicks measure
        // It falls: the place goes along.
        const QString before = panel.results()[2];
        for (int i = 0; i < 20; ++i) clickAction("step");
        settle();
        QTRY_VERIFY(panel.results()[2] != before);
        QVERIFY(std::abs(number(0) - 1.5) < 0.02);
        // Escape ends it; a click selects again.
        key(Qt::Key_Escape);
        clickAt({0., -0.1, 1.});
        QTRY_COMPARE(v.selection(), QString("/body/faces"));
        click(panel.findChild<QPushButton*>("measureClear"));
        QVERIFY(panel.results().isEmpty() && v.marks().empty());
    }

    void theForceOfTheMouseIsTold()
    {
        open();
        Viewer& v = window->viewer();
        const QPoint from = v.rect().center(), to = from + QPoint(60, 0);
        const auto send = [&](QEvent::Type type, const QPoint& p, Qt::MouseButton button, Qt::MouseButtons down) {
            QMouseEvent e(type, p, v.mapToGlobal(p), button, down, Qt::ShiftModifier);
            QApplication::sendEvent(&v, &e);
        };
        QVERIFY(!v.pullingForce());
        send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
        send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
        settle();
        QTRY_VERIFY(v.pullingForce());
        // A spring of 1000 N/m, pulled in the plane of the place.
        const Vec3 pull = v.camera().right() * (60. * v.camera().pixelSize({0., 0., 1.}) * 1000.);
        QTRY_VERIFY2(v.pullingForce() && norm(*v.pullingForce() - pull) < 0.1 * norm(pull),
                     qPrintable(QString::number(v.pullingForce() ? norm(*v.pullingForce()) : 0.)));
        send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
        settle();
        QTRY_VERIFY(!v.pullingForce());
    }

    void valuesOfTheFieldAreToldUnderTheMouseAndTheRangeIsChosen()
    {
        open();
        Viewer& v = window->viewer();
        key(Qt::Key_1);
        choose(inTab<QComboBox>("colourBy"), "Velocity");
        for (int i = 0; i < 10; ++i) clickAction("step");
        settle();
        const QPoint at = v.rect().center();
        QMouseEvent move(QEvent::MouseMove, at, v.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(&v, &move);
        // It falls freely: g t everywhere.
        QTRY_VERIFY2(v.underCursor().value.startsWith("velocity"), qPrintable(v.underCursor().text()));
        const double value = v.underCursor().value.section(' ', 1, 1).toDouble();
        QVERIFY2(std::abs(value - 0.1) < 2e-3, qPrintable(v.underCursor().value));
        QVERIFY(v.underCursor().value.endsWith("m/s"));

        QVERIFY(!find<QLineEdit>("rangeLow")->isEnabled());
        clickBox(find<QCheckBox>("rangeAutomatic"));
        auto *low = find<QLineEdit>("rangeLow"), *high = find<QLineEdit>("rangeHigh");
        QVERIFY(low->isEnabled());
        const auto give = [](QLineEdit* e, const char* text) {
            e->setFocus();
            e->selectAll();
            QTest::keyClicks(e, text);
            QTest::keyClick(e, Qt::Key_Return);
        };
        give(low, "0");
        give(high, "2.5");
        const auto legend = [&] {
            const auto& list = v.frame().drawList;
            return list && !list->legends.empty() ? std::pair(list->legends[0]->low, list->legends[0]->high)
                                                  : std::pair(-1., -1.);
        };
        settle();
        QTRY_COMPARE(legend(), std::pair(0., 2.5));
        clickBox(find<QCheckBox>("rangeAutomatic"));
        settle();
        QTRY_VERIFY(std::abs(legend().second - 0.1) < 2e-3);
    }

    void theSceneGoesBackToKeptMomentsAndOnTheSameWay()
    {
        open();
        const auto stepTo = [&](std::size_t n) {
            while (steps() < n) clickAction("step");
            settle();
        };
        stepTo(10);
        const auto atTen = positions();
        QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
        QTRY_COMPARE(window->timeLine().moments().size(), std::size_t{1});
        stepTo(25);
        const auto atTwentyFive = positions();
        QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
        QTRY_COMPARE(window->timeLine().moments().size(), std::size_t{2});
        stepTo(30);
        clickMenu("Simulation", "Back to a Kept Moment");
        QTRY_VERIFY(steps() == 25);
        QCOMPARE(positions(), atTwentyFive);
        settle();
        QTest::keyClick(window.get(), Qt::Key_Left, Qt::AltModifier);
        QTRY_COMPARE(steps(), std::size_t{10});
        QCOMPARE(positions(), atTen);
        settle();
        QTest::keyClick(window.get(), Qt::Key_Right, Qt::AltModifier);
        QTRY_COMPARE(steps(), std::size_t{25});
        settle();
        QTest::keyClick(window.get(), Qt::Key_Left, Qt::AltModifier);
        QTRY_COMPARE(steps(), std::size_t{10});
        // Steps from there make the same future, bit for bit; the moments of the old one are gone.
        stepTo(25);
        QCOMPARE(positions(), atTwentyFive);
        QCOMPARE(window->timeLine().moments().size(), std::size_t{1});
        // By a click on the mark.
        auto* line = &window->timeLine();
        const int x = 8 + static_cast<int>((line->width() - 16) * 0.1 / 0.25);
        QTest::mouseClick(line, Qt::LeftButton, {}, QPoint(x, line->height() / 2));
        QTRY_COMPARE(steps(), std::size_t{10});
        QCOMPARE(positions(), atTen);
    }

    void keptMomentsTakeNoMoreRoomThanTheLimit()
    {
        open();
        for (int i = 0; i < 12; ++i) {
            clickAction("step");
            settle();
            QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
            QTRY_COMPARE(window->timeLine().moments().size(), static_cast<std::size_t>(i + 1));
        }
        const double last = window->timeLine().moments().back();
        window->timeLine().setLimit(1);  // the newest alone
        QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
        QTRY_COMPARE(window->timeLine().moments().size(), std::size_t{1});
        QCOMPARE(window->timeLine().moments().front(), last);
    }

    void aVideoIsMadeOfWhatIsShown()
    {
        if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) QSKIP("no ffmpeg");
        open();
        const QString file = folder->filePath("cube.mp4");
        answerDialog(file);
        QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(window->video().isOn());
        for (int i = 0; i < 10; ++i) {
            clickAction("step");
            settle();
        }
        QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!window->video().isOn(), 60000);  // until the encoder has finished
        QVERIFY(QFileInfo(file).size() > 500);
    }

    void examplesAndDocumentationAreInTheHelpMenu()
    {
        open();
        QTest::keyClick(window.get(), Qt::Key_F1, Qt::ShiftModifier);
        QDialog* shown = nullptr;
        QTRY_VERIFY((shown = window->findChild<QDialog*>("documentation")));
        const auto* page = shown->findChild<QTextBrowser*>("documentationPage");
        QTRY_VERIFY(page->toPlainText().contains("Images and windows"));
        shown->close();
        window->activateWindow();
        auto* examples = window->findChild<ExamplesMenu*>();
        QVERIFY(examples && examples->actions().size() > 5);
        for (QAction* a : examples->actions())
            if (a->text() == "Pile") {
                QVERIFY2(a->statusTip().startsWith("Boxes, capsules"), qPrintable(a->statusTip()));
                a->trigger();
            }
        QTRY_VERIFY(window->session().path().endsWith("pile.scn"));
    }

    void everythingHasANameForScreenReaders()
    {
        open(everything());
        for (int i = 0; i < tabs(); ++i) {
            showTab(i);
            QVERIFY2(namelessWidgets(*window).isEmpty(), qPrintable(namelessWidgets(*window)));
        }
    }

    void theWindowIsDarkOrLight()
    {
        open();
        const auto darkness = [&] { return window->palette().color(QPalette::Window).lightness(); };
        const auto chosen = [&](const QString& entry) {
            for (QAction* a : window->findChildren<QAction*>())
                if (QString(a->text()).remove('&') == entry) a->trigger();
            QTest::qWait(20);
        };
        chosen("Dark");
        QVERIFY(darkness() < 80);
        QVERIFY(window->palette().color(QPalette::WindowText).lightness() > 180);
        chosen("Light");
        QVERIFY(darkness() > 200);
        chosen("As the Desktop");
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<LookTest>();

}  // namespace sofa::qt

#include <LookTest.moc>
