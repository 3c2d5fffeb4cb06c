// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "applications/qt/Viewer.h"
#include "components/interaction/MouseSprings.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// The mouse in the scene: operations with Shift, those of microSofa, and what is under the cursor.
class InteractionTest : public WindowTest
{
    Q_OBJECT

    static QString still() { return cube().replace("gravity=\"0 -1 0\"", "gravity=\"0 0 0\""); }
    QPoint center() const { return window->viewer().rect().center(); }
    /// Mean position of all points along x [m].
    double meanX()
    {
        const auto x = positions();
        double sum = 0.;
        for (std::size_t i = 0; i < x.size(); i += 3) sum += x[i];
        return sum / (static_cast<double>(x.size()) / 3.);
    }
    void press(Qt::MouseButton b, QPoint p, Qt::KeyboardModifiers keys) const
    {
        QTest::mousePress(&window->viewer(), b, keys, p);
        QTest::mouseMove(&window->viewer(), p);
    }
    void moveTo(QPoint p, Qt::MouseButton b, Qt::KeyboardModifiers keys)
    {
        QMouseEvent e(QEvent::MouseMove, p, window->viewer().mapToGlobal(p), Qt::NoButton, b, keys);
        QApplication::sendEvent(&window->viewer(), &e);
    }
    void doSteps(int n)
    {
        for (int i = 0; i < n; ++i) clickAction("step");
        settle();
    }

private Q_SLOTS:
    void shiftAndRightButtonPullsWithASpringWhereThatIsChosen()
    {
        open(still());
        // The right button fixes at first; attaching is chosen for it.
        choose(inTab<QComboBox>("operationRight"), "attach with a spring");
        QCOMPARE(window->viewer().operation(MouseButton::Right), QString("AttachBody"));
        QCOMPARE(window->viewer().strength(MouseButton::Right), 1000.);
        type(inTab<QDoubleSpinBox>("strengthRight"), "200");
        QCOMPARE(window->viewer().strength(MouseButton::Right), 200.);
        const gl::Camera camera = window->viewer().camera();
        press(Qt::RightButton, center(), Qt::ShiftModifier);
        moveTo(center() + QPoint(150, 0), Qt::RightButton, Qt::ShiftModifier);
        doSteps(20);
        const double pulled = meanX();
        QVERIFY2(pulled > 0.05, qPrintable(QString::number(pulled)));
        QVERIFY(sameView(window->viewer().camera(), camera));
        // Let go: nothing pulls any more, it goes on at the speed that it has.
        QTest::mouseRelease(&window->viewer(), Qt::RightButton, Qt::ShiftModifier, center() + QPoint(150, 0));
        settle();
        doSteps(1);
        const double a = meanX();
        doSteps(1);
        const double b = meanX();
        doSteps(1);
        QVERIFY(std::abs((meanX() - b) - (b - a)) < 1e-6);
    }

    void everyRegisteredOperationIsOffered()
    {
        open(still());
        const auto* box = inTab<QComboBox>("operationLeft");
        QCOMPARE(box->count(), static_cast<int>(performers().names().size()) + 1);
        for (const std::string& name : performers().names()) {
            const int row = box->findData(QString::fromStdString(name));
            QVERIFY2(row > 0, name.c_str());
            QCOMPARE(box->itemText(row), QString::fromStdString(performers().get(name)->text));
        }
        // A strength only where the operation has one, in its unit.
        auto* strength = find<QDoubleSpinBox>("strengthLeft");
        choose(inTab<QComboBox>("operationLeft"), "add a force");
        QCOMPARE(strength->suffix(), QString(" N"));
        choose(inTab<QComboBox>("operationLeft"), "release the fixed point");
        QVERIFY(!strength->isVisible());
        choose(inTab<QComboBox>("operationLeft"), "nothing");
        QSignalSpy refused(&window->viewer(), &Viewer::interactionRefused);
        QTest::mouseClick(&window->viewer(), Qt::LeftButton, Qt::ShiftModifier, center());
        QTRY_COMPARE(refused.count(), 1);
        choose(inTab<QComboBox>("operationLeft"), "attach with a spring");
        QVERIFY(strength->isVisible());
        QCOMPARE(strength->suffix(), QString(" N/m"));
    }

    void aForceActsWhileTheButtonIsHeldAndIsShownAsAnArrow()
    {
        // On what collides, and on what is only shown.
        for (const bool shown : {false, true}) {
            open(shown ? still().remove("<TriangleCollisionModel name=\"faces\"/>") : still());
            choose(inTab<QComboBox>("operationLeft"), "add a force");
            type(inTab<QDoubleSpinBox>("strengthLeft"), "5");
            const QImage before = image();
            press(Qt::LeftButton, center(), Qt::ShiftModifier);
            moveTo(center() + QPoint(150, 0), Qt::LeftButton, Qt::ShiftModifier);
            settle();
            // A red arrow of about this length, to the right: from the middle, or from the nearest point of what is
            // shown.
            const QImage arrow = image();
            int left = arrow.width(), right = 0;
            for (int y = 0; y < arrow.height(); ++y)
                for (int x = 0; x < arrow.width(); ++x) {
                    const QColor c = arrow.pixelColor(x, y);
                    if (c.red() < 2 * c.green() + 60 || c.red() < 2 * c.blue() + 60) continue;
                    left = std::min(left, x), right = std::max(right, x);
                }
            QVERIFY2(std::abs(right - left - 150) < 15, qPrintable(QString("%1 to %2").arg(left).arg(right)));
            if (!shown) QVERIFY(std::abs(left - center().x()) < 10);
            QVERIFY(difference(arrow, before) > 1e-3);
            doSteps(10);
            // The mass is 1 kg, the force 5 N: implicit Euler gives Σ k a dt² along the drag.
            const double expected = 5. * 0.01 * 0.01 * 55.;
            QVERIFY2(std::abs(meanX() - expected) < 0.05 * expected, qPrintable(QString::number(meanX())));
            QTest::mouseRelease(&window->viewer(), Qt::LeftButton, Qt::ShiftModifier, center() + QPoint(150, 0));
            settle();
            const double a = meanX();
            doSteps(1);
            const double b = meanX();
            doSteps(1);
            QVERIFY(std::abs((meanX() - b) - (b - a)) < 1e-6);  // nothing acts any more
        }
    }

    void oneOfSeveralFixedPointsIsReleased()
    {
        open();  // it falls, but for the corners of one triangle
        QTest::mouseClick(&window->viewer(), Qt::RightButton, Qt::ShiftModifier, center());
        settle();
        const auto springs = [&] {
            std::size_t n = 0;
            window->session().thread()->call([&](Simulation& s) {
                n = 0;
                for (const auto* c : s.root().getAll<component::MouseSprings>(Search::Down)) n += c->springs.size();
            });
            return n;
        };
        QCOMPARE(springs(), std::size_t{3});
        choose(inTab<QComboBox>("operationLeft"), "release the fixed point");
        QTest::mouseClick(&window->viewer(), Qt::LeftButton, Qt::ShiftModifier, center());
        settle();
        QCOMPARE(springs(), std::size_t{2});
        // Nothing else is fixed far from there.
        QSignalSpy refused(&window->viewer(), &Viewer::interactionRefused);
        for (int i = 0; i < 3; ++i) QTest::mouseClick(&window->viewer(), Qt::LeftButton, Qt::ShiftModifier, center());
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY2(refused[0][0].toString().contains("no fixed point"), qPrintable(refused[0][0].toString()));
        QCOMPARE(springs(), std::size_t{0});
    }

    void theKeyUReleasesAllFixedPoints()
    {
        open();
        QTest::mouseClick(&window->viewer(), Qt::RightButton, Qt::ShiftModifier, center());
        settle();
        const auto count = [&] {
            std::size_t n = 0;
            window->session().thread()->call(
                [&](Simulation& s) { n = s.root().getAll<component::MouseSprings>(Search::Down).size(); });
            return n;
        };
        QCOMPARE(count(), std::size_t{1});
        window->viewer().setFocus();
        QTest::keyClick(&window->viewer(), Qt::Key_U);
        settle();
        QCOMPARE(count(), std::size_t{0});
    }

    void fixedPointsStayUntilTheyAreReleased()
    {
        open();  // it falls
        QTest::mouseClick(&window->viewer(), Qt::RightButton, Qt::ShiftModifier, center());
        settle();
        doSteps(30);
        const auto lowest = [&] {
            const auto x = positions();
            double y = 1e9;
            for (std::size_t i = 1; i < x.size(); i += 3) y = std::min(y, x[i]);
            return y;
        };
        const double held = lowest();
        click(inTab<QPushButton>("releaseFixed"));
        settle();
        clickAction("resetScene");
        doSteps(30);
        QVERIFY2(lowest() < held - 1e-3, qPrintable(QString("%1 %2").arg(lowest()).arg(held)));
    }

    void inTheModeOfMicroSofaTheLeftButtonPullsWithoutShift()
    {
        open(still());
        const gl::Camera camera = window->viewer().camera();
        clickBox(inTab<QCheckBox>("microSofaMode"));
        QVERIFY(window->viewer().microSofaMode());
        press(Qt::LeftButton, center(), {});
        moveTo(center() + QPoint(150, 0), Qt::LeftButton, {});
        doSteps(20);
        QVERIFY(meanX() > 0.05);
        QVERIFY(sameView(window->viewer().camera(), camera));
        QTest::mouseRelease(&window->viewer(), Qt::LeftButton, {}, center());
        clickBox(inTab<QCheckBox>("microSofaMode"));
        drag(&window->viewer(), Qt::LeftButton, center(), center() + QPoint(80, 0));
        QVERIFY(!sameView(window->viewer().camera(), camera));
    }

    void whatIsUnderTheCursorIsToldAndCopied()
    {
        open(still());
        QTest::mouseMove(&window->viewer(), center());
        moveTo(center(), Qt::NoButton, {});
        QTRY_VERIFY(!window->viewer().underCursor().path.isEmpty());
        const UnderCursor& under = window->viewer().underCursor();
        QCOMPARE(under.path, QString("/body/faces"));
        QVERIFY2(under.primitive.startsWith("triangle "), qPrintable(under.primitive));
        // The camera looks at the middle of the cube: the face before it is at a distance of 1 m.
        QVERIFY(
            std::abs(std::max({std::abs(under.position[0]), std::abs(under.position[1]), std::abs(under.position[2])}) -
                     1.) < 1e-6);
        QVERIFY(find<QLabel>("underCursor")->text().contains("triangle"));
        QTest::mouseClick(find<QToolButton>("copyUnderCursor"), Qt::LeftButton);
        QVERIFY2(QApplication::clipboard()->text().startsWith("triangle "),
                 qPrintable(QApplication::clipboard()->text()));
        moveTo({2, 2}, Qt::NoButton, {});
        QTRY_VERIFY(window->viewer().underCursor().path.isEmpty());
    }

    void aPressOnNothingSaysSo()
    {
        open(still());
        QSignalSpy refused(&window->viewer(), &Viewer::interactionRefused);
        QTest::mouseClick(&window->viewer(), Qt::LeftButton, Qt::ShiftModifier, {2, 2});
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY(refused[0][0].toString().contains("nothing"));
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<InteractionTest>();

}  // namespace sofa::qt

#include <InteractionTest.moc>
