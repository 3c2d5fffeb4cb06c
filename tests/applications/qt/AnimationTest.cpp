// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QStatusBar>

#include "applications/qt/Notification.h"
#include "applications/qt/Viewer.h"
#include "core/visitor/ExecutionPlan.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// What runs the simulation: the buttons and numbers of the tool bar, and steps that fail or take long.
class AnimationTest : public WindowTest
{
    Q_OBJECT

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

private Q_SLOTS:
    void animateRunsUntilItIsPressedAgain()
    {
        open();
        clickAction("animate");
        QVERIFY(QTest::qWaitFor([&] { return window->viewer().frame().step > 20; }, 20000));
        QVERIFY(find<QAction>("animate")->isChecked());
        QTest::qWait(1200);
        QVERIFY2(find<QLabel>("rates")->text().contains("steps/s"), qPrintable(find<QLabel>("rates")->text()));
        QVERIFY(window->viewer().frameRate() > 1.);
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

[[maybe_unused]] const bool registered = registerWindowTest<AnimationTest>();

}  // namespace sofa::qt

#include <AnimationTest.moc>
