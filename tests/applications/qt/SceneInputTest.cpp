// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QComboBox>
#include <QDoubleSpinBox>

#include "applications/qt/Viewer.h"
#include "core/interaction/MouseMotionEvent.h"
#include "core/interaction/MouseWheelEvent.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// Keys and the mouse with Ctrl, which go to the components of the scene; and operations that change meshes.
class SceneInputTest : public WindowTest
{
    Q_OBJECT

    /// Writes down what it hears.
    class Listener final : public core::Component
    {
    public:
        Listener() { d_listening.setDefault(true); }
        std::string className() const override { return "Listener"; }
        void handleEvent(const core::Event& e) override
        {
            if (const auto* k = dynamic_cast<const core::KeyEvent*>(&e)) {
                add(QString(k->pressed() ? "press %1" : "release %1").arg(static_cast<int>(k->key())));
            } else if (const auto* b = dynamic_cast<const core::MouseButtonEvent*>(&e)) {
                add(QString(b->pressed() ? "button %1 at %2 %3" : "let go %1 at %2 %3")
                        .arg(static_cast<int>(b->button()))
                        .arg(b->place().x)
                        .arg(b->place().y));
                hasRay = b->place().ray && b->place().ray->camera;
                left = b->place().left;
            } else if (const auto* m = dynamic_cast<const core::MouseMotionEvent*>(&e)) {
                add(QString("move %1 %2").arg(m->dx()).arg(m->dy()));
            } else if (const auto* w = dynamic_cast<const core::MouseWheelEvent*>(&e)) {
                add(QString("wheel %1").arg(w->notches()));
            }
        }
        void add(const QString& line) { heard << line; }
        QStringList heard;
        bool hasRay = false, left = false;
    };

    std::shared_ptr<Listener> listen()
    {
        auto listener = std::make_shared<Listener>();
        window->session().thread()->call([&](Simulation& s) { s.root().addComponent(listener); });
        return listener;
    }
    QStringList heard(const Listener& l) const
    {
        QStringList lines;
        window->session().thread()->call([&](Simulation&) { lines = l.heard; });
        return lines;
    }
    void sendMouse(QEvent::Type type, QPoint p, Qt::MouseButton b, Qt::MouseButtons down, Qt::KeyboardModifiers keys)
    {
        QMouseEvent e(type, p, window->viewer().mapToGlobal(p), b, down, keys);
        QApplication::sendEvent(&window->viewer(), &e);
    }

private Q_SLOTS:
    void keysGoToTheSceneWithCtrlAndAreReleasedOnce()
    {
        open();
        const auto l = listen();
        Viewer& view = window->viewer();
        view.setFocus();
        QTest::keyPress(&view, Qt::Key_4);  // means nothing without Ctrl
        QTest::keyRelease(&view, Qt::Key_4);
        QTest::keyPress(&view, Qt::Key_4, Qt::ControlModifier);
        QKeyEvent repeated(QEvent::KeyPress, Qt::Key_4, Qt::ControlModifier, "4", true);
        QApplication::sendEvent(&view, &repeated);
        QTest::keyRelease(&view, Qt::Key_4);  // Ctrl was let go first
        QTest::keyClick(&view, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(heard(*l), QStringList({"press 52", "release 52", "press 18", "release 18"}));
        // What is down when the view loses the focus is released.
        QTest::keyPress(&view, Qt::Key_J, Qt::ControlModifier);
        view.clearFocus();
        QTRY_COMPARE(heard(*l).mid(4), QStringList({"press 74", "release 74"}));
    }

    void theMouseGoesToTheSceneWithCtrlAndLeavesTheCamera()
    {
        open();
        const auto l = listen();
        Viewer& view = window->viewer();
        const gl::Camera camera = view.camera();
        sendMouse(QEvent::MouseButtonPress, {100, 80}, Qt::LeftButton, Qt::LeftButton, Qt::ControlModifier);
        sendMouse(QEvent::MouseMove, {130, 75}, Qt::NoButton, Qt::LeftButton, Qt::ControlModifier);
        QCOMPARE(heard(*l), QStringList({"button 0 at 100 80", "move 30 -5"}));
        QVERIFY(l->hasRay);
        QVERIFY(l->left);
        sendMouse(QEvent::MouseMove, {131, 75}, Qt::NoButton, Qt::LeftButton, {});  // Ctrl was let go first
        sendMouse(QEvent::MouseButtonRelease, {131, 75}, Qt::LeftButton, Qt::NoButton, {});
        QWheelEvent wheel({50., 50.}, view.mapToGlobal(QPointF(50., 50.)), {}, {0, -240}, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &wheel);
        QCOMPARE(heard(*l).mid(2), QStringList({"move 1 0", "let go 0 at 131 75", "wheel -2"}));
        QVERIFY(!l->left);
        QVERIFY(sameView(view.camera(), camera));
        // Without Ctrl all that is the view's.
        drag(&view, Qt::LeftButton, {100, 80}, {150, 90});
        QCOMPARE(heard(*l).size(), 5);
        QVERIFY(!sameView(view.camera(), camera));
    }

    void clicksAddTheViewToARecordedCameraAndStartTheFlight()
    {
        open(cube().replace("<DefaultAnimationLoop/>",
                            "<DefaultAnimationLoop/><RecordedCamera name=\"film\" "
                            "activated=\"0\" endTime=\"4\"/>"
                            "<AddRecordedCameraButtonSetting button=\"Left\"/>"
                            "<StartNavigationButtonSetting button=\"Right\"/>"));
        Viewer& view = window->viewer();
        QSignalSpy refused(&view, &Viewer::interactionRefused);
        QTest::mouseClick(&view, Qt::RightButton, Qt::ShiftModifier, {2, 2});
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY(refused[0][0].toString().contains("two places"));
        // There is nothing at this pixel, and there need not be.
        QTest::mouseClick(&view, Qt::LeftButton, Qt::ShiftModifier, {2, 2});
        const core::Vec3 first = view.camera().position;
        drag(&view, Qt::LeftButton, {100, 80}, {150, 90});
        const core::Vec3 second = view.camera().position;
        QTest::mouseClick(&view, Qt::LeftButton, Qt::ShiftModifier, {2, 2});
        settle();
        clickAction("step");
        settle();
        QTest::mouseClick(&view, Qt::RightButton, Qt::ShiftModifier, {2, 2});
        settle();
        window->session().thread()->call([&](Simulation& s) {
            const core::Component* film = s.root().component("film");
            QVERIFY(film);
            const auto* x =
                dynamic_cast<const core::Data<core::Vector<core::Vec3>>*>(film->findData("cameraPositions"));
            QVERIFY(x);
            QCOMPARE(x->value().size(), std::size_t{2});
            QVERIFY(norm(x->value()[0] - first) < 1e-12);
            QVERIFY(norm(x->value()[1] - second) < 1e-12);
            QCOMPARE(film->findData("navigationMode")->text(), std::string("1"));
            QCOMPARE(film->findData("startTime")->text(), std::string("0.01"));
            QCOMPARE(film->findData("endTime")->text(), std::string("4.01"));
        });
        QCOMPARE(refused.count(), 1);
    }

    void anOperationThatCannotWorkIsTold()
    {
        open(cube().replace("gravity=\"0 -1 0\"", "gravity=\"0 0 0\""));
        choose(inTab<QComboBox>("operationLeft"), "refine: divide the element");
        type(inTab<QDoubleSpinBox>("strengthLeft"), "100");
        QSignalSpy refused(&window->viewer(), &Viewer::interactionRefused);
        QTest::mouseClick(&window->viewer(), Qt::LeftButton, Qt::ShiftModifier, window->viewer().rect().center());
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY(refused[0][0].toString().contains("no edge of the element is longer than 100 m"));
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<SceneInputTest>();

}  // namespace sofa::qt

#include <SceneInputTest.moc>
