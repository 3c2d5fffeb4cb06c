// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QSettings>
#include <QSlider>
#include <QToolButton>

#include "applications/qt/Notification.h"
#include "applications/qt/PlayerBar.h"
#include "applications/qt/Viewer.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// Records and plays simulations.
class PlayerTest : public WindowTest
{
    Q_OBJECT

    std::vector<std::vector<double>> states;  ///< positions that the scene had, step by step

    void click(const char* name) { QTest::mouseClick(find<QToolButton>(name), Qt::LeftButton); }
    /// Records some steps by the buttons.
    void record(int n)
    {
        open();
        click("record");
        QVERIFY(window->player().isRecording());
        states = {positions()};
        for (int i = 0; i < n; ++i) {
            clickAction("step");
            settle();
            states.push_back(positions());
        }
        click("record");
        QVERIFY(!window->player().isRecording());
        settle();
    }
    bool shows(std::size_t frame)
    {
        settle();
        return positions() == states[frame] && std::abs(window->viewer().frame().time - 0.01 * double(frame)) < 1e-12;
    }

private Q_SLOTS:
    void aRecordingIsPlayedStepByStepWithExactStates()
    {
        record(8);
        const QString file = folder->filePath("cube.simu");
        QVERIFY(QFileInfo(file).isFile());
        QCOMPARE(window->player().frame(), std::size_t{8});
        click("playerBack");
        QVERIFY(shows(7));
        click("playerBack");
        QVERIFY(shows(6));
        click("playerForward");
        QVERIFY(shows(7));
        click("playerBegin");
        QVERIFY(shows(0));
        QVERIFY(!find<QToolButton>("playerBack")->isEnabled());
        click("playerEnd");
        QVERIFY(shows(8));
        // Jumps: by a time and by the slider.
        type(find<QDoubleSpinBox>("playerTime"), QLocale().toString(0.03));
        QVERIFY(shows(3));
        auto* slider = find<QSlider>("playerSlider");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QVERIFY(shows(4));
        // The scene goes on from there, as it did when it was recorded.
        clickAction("step");
        settle();
        const auto next = positions();
        QCOMPARE(next.size(), states[5].size());
        for (std::size_t i = 0; i < next.size(); ++i) QVERIFY(std::abs(next[i] - states[5][i]) < 1e-6);
    }

    void playFollowsTheClockAtTheChosenSpeed()
    {
        record(30);  // 0.3 s
        const auto play = [&](const QString& speed) {
            choose(find<QComboBox>("speed"), speed);
            click("playerBegin");
            settle();
            QElapsedTimer clock;
            clock.start();
            click("playerPlay");
            if (!QTest::qWaitFor([&] { return window->player().frame() == 30; }, 20000)) qFatal("it does not end");
            return clock.elapsed();
        };
        const qint64 slow = play("×" + QLocale().toString(0.2));
        QVERIFY(!find<QToolButton>("playerPlay")->isChecked());
        QVERIFY(shows(30));
        QVERIFY2(slow > 1400, qPrintable(QString("%1 ms").arg(slow)));
        const qint64 fast = play("×5");
        QVERIFY2(fast * 2 < slow, qPrintable(QString("%1 ms, then %2 ms").arg(slow).arg(fast)));
        play("fastest");  // every frame
        // Pressed again while it plays, it stops where it is.
        choose(find<QComboBox>("speed"), "×" + QLocale().toString(0.1));
        click("playerBegin");
        click("playerPlay");
        QVERIFY(find<QToolButton>("playerPlay")->isChecked());
        click("playerPlay");
        QVERIFY(!find<QToolButton>("playerPlay")->isChecked());
        QVERIFY(window->player().frame() < 30);
    }

    void aRecordingHasTheFramesThatWereShownUnlessEveryStepIsChosen()
    {
        // Steps in a row have one frame, or a few.
        const auto frames = [&] {
            click("record");
            window->session().thread()->step(400);
            settle();
            const auto at = positions();
            click("record");
            settle();
            if (!window->player().played() || positions() != at) qFatal("not recorded");
            const SimuRecording& r = *window->player().played();
            // Its last frame is the last state, whether that had a frame or not.
            if (std::abs(r.time(r.size() - 1) - window->viewer().frame().time) > 1e-12) qFatal("the end is missing");
            return r.size();
        };
        open();
        const std::size_t few = frames();
        QVERIFY2(few >= 2 && few < 200, qPrintable(QString::number(few)));
        clickMenu("Edit", "Record Every Step");
        QCOMPARE(frames(), std::size_t{401});
        open();  // it is remembered
        QCOMPARE(frames(), std::size_t{401});
    }

    void aRecordingSaysHowFarItIsAndEndsAtItsLimit()
    {
        open();
        auto* state = find<QLabel>("playerLength");
        QCOMPARE(state->text(), QString("no recording"));
        click("record");
        clickAction("step");
        settle();
        QVERIFY2(state->text().startsWith("recording: " + QLocale().toString(0.01, 'f', 2) + " s, 2 frames"),
                 qPrintable(state->text()));
        QVERIFY(state->toolTip().endsWith("cube.simu"));
        click("record");
        QVERIFY2(state->text().startsWith("of "), qPrintable(state->text()));
        QVERIFY(window->notification().text().isEmpty());
        window->player().setLimit(20'000);
        window->player().setEveryStep(true);
        click("record");
        choose(find<QComboBox>("speed"), "fastest");
        clickAction("animate");
        QTRY_VERIFY_WITH_TIMEOUT(!window->player().isRecording(), 20000);
        clickAction("animate");
        QVERIFY2(window->notification().text().contains("limit"), qPrintable(window->notification().text()));
        QVERIFY(window->player().played());
        // Not much more than that was written.
        qint64 bytes = 0;
        for (const QFileInfo& f : QDir(folder->filePath("cube_states")).entryInfoList(QDir::Files)) bytes += f.size();
        QVERIFY2(bytes > 10'000 && bytes < 60'000, qPrintable(QString::number(bytes)));
        // The limit is chosen in the menu, and remembered.
        clickMenu("Edit", "Limit of Recordings");
        QMenu* limits = nullptr;
        for (QMenu* m : window->findChildren<QMenu*>())
            if (QString(m->title()).remove('&') == "Limit of Recordings") limits = m;
        QVERIFY(limits);
        QTRY_VERIFY(limits->isVisible());
        clickEntry(limits, "100 MB");
        QCOMPARE(QSettings().value("recordLimit").toInt(), 100);
    }

    void recordingsAndImagesGoToTheFolderOfTheEditMenu()
    {
        open();
        const QString chosen = folder->filePath("records");
        QVERIFY(QDir().mkdir(chosen));
        answerDialog(chosen);
        clickMenu("Edit", "Folder of Recordings and Images...");
        QCOMPARE(window->folder(), chosen);
        click("record");
        clickAction("step");
        settle();
        click("record");
        QVERIFY(QFileInfo(chosen + "/cube.simu").isFile());
        QVERIFY(QFileInfo(chosen + "/cube_states").isDir());
        clickAction("screenshot");
        QVERIFY(QFileInfo(chosen + "/cube_0001.png").isFile());
        // The recording finds its scene from there; the choice is remembered, until it is taken back.
        QVERIFY(window->open(chosen + "/cube.simu"));
        QCOMPARE(window->session().path(), folder->filePath("cube.scn"));
        open();
        QCOMPARE(window->folder(), chosen);
        clickMenu("Edit", "Use the Folder of the Scene for Both");
        QCOMPARE(window->folder(), folder->path());
        QVERIFY(window->player().nextFile().startsWith(folder->filePath("cube")));
    }

    void animateGoesOnWhileARecordingIsShown()
    {
        record(6);
        click("playerBegin");
        QVERIFY(shows(0));
        click("playerForward");
        QVERIFY(shows(1));
        clickAction("animate");
        QTRY_VERIFY(steps() > 8);
        clickAction("animate");
        settle();
    }

    void aRecordingIsLoadedByDroppingIt()
    {
        record(4);
        const QString file = folder->filePath("cube.simu");
        const QString other = write("other.scn", cube().replace("gravity=\"0 -1 0\"", "gravity=\"0 0 0\""));
        QVERIFY(window->open(other));
        QVERIFY(!window->player().played());
        drop({file});
        QVERIFY2(window->session().path().endsWith("cube.scn"), qPrintable(window->notification().text()));
        QVERIFY(window->player().played());
        QCOMPARE(window->player().played()->size(), std::size_t{5});
        QVERIFY(shows(0));
        click("playerEnd");
        QVERIFY(shows(4));
    }

    void aDamagedRecordingIsToldAndNothingChanges()
    {
        open();
        QVERIFY(!window->open(write("bad.simu", "cube.scn\nInit: 0 End: 1 Dt: nothing States: cube_states/\n")));
        QVERIFY2(window->notification().text().contains("bad.simu"), qPrintable(window->notification().text()));
        QVERIFY(!window->player().played());
        // A recording that cannot be written is refused at once.
        window->setFolder(folder->filePath("cube.scn"));
        QCOMPARE(QFileInfo(window->player().nextFile()).fileName(), QString("cube.simu"));
    }

    void aResetEndsTheRecording()
    {
        open();
        click("record");
        clickAction("step");
        settle();
        clickAction("resetScene");
        settle();
        QTRY_VERIFY(!window->player().isRecording());
        QVERIFY(window->player().played());
        QCOMPARE(window->player().played()->size(), std::size_t{2});
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<PlayerTest>();

}  // namespace sofa::qt

#include <PlayerTest.moc>
