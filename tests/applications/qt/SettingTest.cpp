// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QLabel>
#include <QTreeWidget>

#include "applications/qt/Viewer.h"
#include "applications/qt/panels/GraphPanel.h"
#include "core/scene/SceneLoader.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// What a scene says of its window, how it is seen at first, and what is selected.
class SettingTest : public WindowTest
{
    Q_OBJECT

    static QString with(const QString& setting, QString scene = cube())
    {
        return scene.replace("<DefaultAnimationLoop/>", "<DefaultAnimationLoop/><ViewerSetting " + setting + "/>");
    }
    QSize viewSize() const { return window->viewer().size(); }
    void hover(QPoint p)
    {
        QMouseEvent move(QEvent::MouseMove, p, window->viewer().mapToGlobal(p), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(&window->viewer(), &move);
    }
    /// Whether all corners of what is shown are seen.
    bool wholeIsSeen() const
    {
        gl::Camera c = window->viewer().camera();
        c.width = window->viewer().width();
        c.height = window->viewer().height();
        const BoundingBox& b = window->viewer().frame().drawList->box;
        for (unsigned i = 0; i < 8; ++i) {
            const auto p =
                c.project({i & 1 ? b.high[0] : b.low[0], i & 2 ? b.high[1] : b.low[1], i & 4 ? b.high[2] : b.low[2]});
            if (!p || (*p)[0] < 0. || (*p)[0] > c.width || (*p)[1] < 0. || (*p)[1] > c.height) return false;
        }
        return true;
    }

private Q_SLOTS:
    void theSceneChoosesTheSizeOfTheViewAndTheProjection()
    {
        open(with("resolution=\"700 400\" cameraMode=\"Orthographic\""));
        QTRY_COMPARE(viewSize(), QSize(700, 400));
        QVERIFY(window->viewer().camera().orthographic);
        QTRY_VERIFY(wholeIsSeen());
        // The user's size stays when the scene is loaded again, and in scenes that say nothing.
        window->resizeView(600, 500);
        QTRY_COMPARE(viewSize(), QSize(600, 500));
        clickMenu("File", "Reload");
        settle();
        QCOMPARE(viewSize(), QSize(600, 500));
        QVERIFY(window->open(write("other.scn", cube())));
        settle();
        QCOMPARE(viewSize(), QSize(600, 500));
        QVERIFY(!window->viewer().camera().orthographic);
        // What the command line says goes first, for the scene that it opens.
        window->keepSize();
        const QString chosen = write("chosen.scn", with("resolution=\"700 400\""));
        QVERIFY(window->open(chosen));
        settle();
        QCOMPARE(viewSize(), QSize(600, 500));
        QVERIFY(window->open(chosen));
        QTRY_COMPARE(viewSize(), QSize(700, 400));
    }

    void theSceneChoosesTheFullScreen()
    {
        open(with("fullscreen=\"1\""));
        QTRY_VERIFY(window->isFullScreen());
        QVERIFY(window->open(write("other.scn", cube())));
        settle();
        QVERIFY(window->isFullScreen());
        QVERIFY(window->open(write("normal.scn", with("fullscreen=\"0\""))));
        QTRY_VERIFY(!window->isFullScreen());
    }

    void onlyWhatCollidesIsPickedWhereTheSceneSaysSo()
    {
        const QString shown = QString(cube()).remove("<TriangleCollisionModel name=\"faces\"/>");
        open(with("objectPickingMethod=\"Ray casting\"", shown));
        hover(window->viewer().rect().center());
        QTRY_VERIFY(window->viewer().underCursor().path.contains("model"));
        open(with("objectPickingMethod=\"Selection buffer\"", shown));
        QSignalSpy asked(&window->viewer(), &Viewer::underCursorChanged);
        hover(window->viewer().rect().center());
        QTRY_VERIFY(!asked.isEmpty());
        QVERIFY(window->viewer().underCursor().path.isEmpty());
        QSignalSpy refused(&window->viewer(), &Viewer::interactionRefused);
        QTest::mousePress(&window->viewer(), Qt::LeftButton, Qt::ShiftModifier, window->viewer().rect().center());
        QTRY_COMPARE(refused.size(), 1);
        open(with("objectPickingMethod=\"Selection buffer\""));
        hover(window->viewer().rect().center());
        QTRY_COMPARE(window->viewer().underCursor().path, QString("/body/faces"));
    }

    void theWholeSceneIsSeenInAViewOfAnyShapeUntilTheUserMovesTheCamera()
    {
        open();
        QVERIFY(wholeIsSeen());
        const double wide = window->viewer().camera().distance();
        window->resizeView(560, 900);
        QTRY_COMPARE(viewSize(), QSize(560, 900));
        QTRY_VERIFY(window->viewer().camera().distance() > 1.2 * wide);
        QVERIFY(wholeIsSeen());
        drag(&window->viewer(), Qt::LeftButton, {100, 250}, {160, 300});
        const gl::Camera chosen = window->viewer().camera();
        window->resizeView(700, 400);
        QTRY_COMPARE(viewSize(), QSize(700, 400));
        QVERIFY(sameView(window->viewer().camera(), chosen));
    }

    void theAnimationStartsWhenTheFirstFrameWasShown()
    {
        open();
        const gl::Camera still = window->viewer().camera();
        close();
        window = std::make_unique<MainWindow>([](const std::string& path, bool) { return loadScene(path); });
        window->resize(1280, 720);
        window->show();
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
        QList<std::size_t> shown;
        connect(&window->viewer(), &Viewer::frameShown, this, [&] {
            if (window->viewer().frame().drawList) shown << window->viewer().frame().step;
        });
        // The cube falls by 18 m in its first 600 steps: another frame would be seen from elsewhere.
        QVERIFY(window->open(write("cube.scn", cube())));
        window->startWhenShown();
        QTRY_VERIFY(window->session().thread()->isAnimating());
        QTRY_VERIFY(window->viewer().frame().step > 3);
        QCOMPARE(shown.first(), std::size_t{0});
        QVERIFY(sameView(window->viewer().camera(), still));
        // Once only.
        clickAction("animate");
        QTRY_VERIFY(!window->session().thread()->isAnimating());
        settle();
        QVERIFY(!window->session().thread()->isAnimating());
    }

    void aSceneSaysThatItIsAnimatedWhenItIsOpened()
    {
        window = std::make_unique<MainWindow>([](const std::string& path, bool) { return loadScene(path); });
        window->show();
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
        QVERIFY(window->open(write("cube.scn", cube())));
        settle();
        QVERIFY(!window->session().thread()->isAnimating());
        QString animated = cube();
        QVERIFY(window->open(write("animated.scn", animated.replace("<Node ", "<Node animate=\"1\" "))));
        QTRY_VERIFY(window->session().thread()->isAnimating());
        QTRY_VERIFY(window->viewer().frame().step > 3);
    }

    void whatIsSelectedInTheGraphIsSeenInTheView()
    {
        open();
        showTab(1);
        auto* tree = find<QTreeWidget>("graphTree");
        QTRY_VERIFY(tree->topLevelItemCount() > 0);
        settle();
        const QImage before = image();
        const auto select = [&](const QString& name) {
            const auto found = tree->findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
            QVERIFY(!found.isEmpty());
            tree->scrollToItem(found.first());
            QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(found.first()).center());
        };
        const auto violet = [](const QImage& image) {
            int n = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const QRgb p = image.pixel(x, y);
                    n += qRed(p) > 150 && qRed(p) < 210 && qGreen(p) < 60 && qBlue(p) > 220;
                }
            return n;
        };
        const int alone = violet(before);
        select("body");
        QTRY_VERIFY(violet(image()) > alone + 200);
        const int ofNode = violet(image());
        select("mesh");  // with its points, numbers and sides
        QTRY_VERIFY(violet(image()) > ofNode + 200);
        QTest::keyClick(tree, Qt::Key_Escape);
        QTRY_VERIFY(difference(image(), before) < 1e-3);
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<SettingTest>();

}  // namespace sofa::qt

#include <SettingTest.moc>
