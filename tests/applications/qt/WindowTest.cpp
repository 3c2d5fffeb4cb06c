// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/applications/qt/WindowTest.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QScrollArea>
#include <QSpinBox>
#include <QStyle>
#include <QStyleOptionButton>
#include <QToolBar>
#include <QToolButton>
#include <cmath>

#include "applications/qt/Viewer.h"
#include "components/scene/VegaScene.h"
#include "core/scene/SceneLoader.h"
#include "core/visitor/ExecutionPlan.h"

namespace sofa::qt {

void WindowTest::init()
{
    clearSettings();
    folder = std::make_unique<QTemporaryDir>();
    QVERIFY(folder->isValid());
}

void WindowTest::cleanup()
{
    close();
    folder.reset();
}

QString WindowTest::write(const QString& name, const QString& text)
{
    const QString path = folder->filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0) qFatal("cannot write a file");
    return path;
}

QString WindowTest::cube()
{
    return QStringLiteral(R"(<?xml version="1.0"?>
<Node name="root" dt="0.01" gravity="0 -1 0">
  <VisualStyle displayFlags="showVisual hideSurroundings hideAxes"/>
  <DefaultAnimationLoop/>
  <Node name="body">
    <EulerImplicitSolver/>
    <CGLinearSolver iterations="50" tolerance="1e-9" threshold="1e-12"/>
    <MeshTopology name="mesh" position="-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  -1 -1 1  1 -1 1  1 1 1  -1 1 1"
      tetrahedra="0 1 3 4  1 2 3 6  1 4 6 5  3 4 7 6  1 3 6 4"
      triangles="0 2 1  0 3 2  4 5 6  4 6 7  0 1 5  0 5 4  2 3 7  2 7 6  1 2 6  1 6 5  0 4 7  0 7 3"/>
    <MechanicalObject name="dofs"/>
    <UniformMass totalMass="1"/>
    <TetrahedronFEMForceField youngModulus="1000" poissonRatio="0.3"/>
    <TriangleCollisionModel name="faces"/>
    <Node name="visual">
      <OglModel name="model" position="@../mesh.position" triangles="@../mesh.triangles" color="0.9 0.5 0.2"/>
      <IdentityMapping/>
    </Node>
  </Node>
</Node>
)");
}

QString WindowTest::everything()
{
    return QStringLiteral(R"(<?xml version="1.0"?>
<Node name="root" dt="0.01" gravity="0 -1 0">
  <VisualStyle displayFlags="hideAll hideSkins hideSurroundings hideAxes"/>
  <DefaultAnimationLoop/>
  <CollisionPipeline/>
  <BruteForceBroadPhase/>
  <BVHNarrowPhase/>
  <NewProximityIntersection alarmDistance="0.6" contactDistance="0.4"/>
  <CollisionResponse response="PenalityContactForceField"/>
  <OglViewport advancedRendering="1" screenPosition="10 10" screenSize="200 150" cameraPosition="0 0 9"/>
  <Node name="body">
    <EulerImplicitSolver/>
    <CGLinearSolver iterations="50" tolerance="1e-9" threshold="1e-12"/>
    <MeshTopology name="mesh" position="-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  -1 -1 1  1 -1 1  1 1 1  -1 1 1"
      tetrahedra="0 1 3 4  1 2 3 6  1 4 6 5  3 4 7 6  1 3 6 4"
      triangles="0 2 1  0 3 2  4 5 6  4 6 7  0 1 5  0 5 4  2 3 7  2 7 6  1 2 6  1 6 5  0 4 7  0 7 3"/>
    <MechanicalObject name="dofs"/>
    <UniformMass totalMass="1"/>
    <FixedProjectiveConstraint indices="2 3"/>
    <TetrahedronFEMForceField youngModulus="1000" poissonRatio="0.3"/>
    <Node name="collision">
      <MechanicalObject name="corners" position="@../mesh.position"/>
      <MeshTopology triangles="@../mesh.triangles"/>
      <TriangleCollisionModel name="faces"/>
      <IdentityMapping/>
    </Node>
    <Node name="visual">
      <OglModel name="model" position="@../mesh.position" triangles="@../mesh.triangles" color="0.9 0.5 0.2"/>
      <IdentityMapping/>
    </Node>
  </Node>
  <Node name="floor">
    <MeshTopology position="-2 -1.3 -2  2 -1.3 -2  2 -1.3 2  -2 -1.3 2" triangles="0 2 1  0 3 2"/>
    <MechanicalObject/>
    <TriangleCollisionModel moving="0" simulated="0"/>
  </Node>
</Node>
)");
}

void WindowTest::open(const QString& scene)
{
    close();
    window = std::make_unique<MainWindow>([](const std::string& path, bool lenient) {
        const LoadOptions options{.lenient = lenient};
        return component::isVegaConfigName(path) ? component::loadVegaScene(path, options) : loadScene(path, options);
    });
    window->resize(1280, 720);
    window->show();
    if (!QTest::qWaitForWindowExposed(window.get())) qFatal("the window does not appear");
    window->activateWindow();  // without a window manager, nobody else does
    if (!QTest::qWaitForWindowActive(window.get())) qFatal("the window does not get the keys");
    const QString path = write("cube.scn", scene);
    if (!window->open(path)) qFatal("the scene cannot be opened");
    settle();
}

void WindowTest::close()
{
    if (window) window->close();
    window.reset();
}

void WindowTest::clickEntry(QMenu* menu, const QString& entry)
{
    for (QAction* a : menu->actions()) {
        if (QString(a->text()).remove('&') != entry) continue;
        if (!a->isEnabled()) qFatal("'%s' is disabled", qPrintable(entry));
        QTest::mouseMove(menu, menu->actionGeometry(a).center());
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(a).center());
        return;
    }
    qFatal("no entry '%s'", qPrintable(entry));
}

void WindowTest::clickMenu(const QString& menu, const QString& entry)
{
    QMenuBar* bar = window->menuBar();
    for (QAction* a : bar->actions()) {
        if (QString(a->text()).remove('&') != menu) continue;
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(a).center());
        if (!QTest::qWaitFor([&] { return a->menu()->isVisible(); })) qFatal("the menu does not open");
        clickEntry(a->menu(), entry);
        return;
    }
    qFatal("no menu '%s'", qPrintable(menu));
}

void WindowTest::answerDialog(const QString& path) { answerFileDialog(window.get(), path); }

void WindowTest::choose(QComboBox* box, const QString& entry)
{
    const int row = box->findText(entry);
    if (row < 0) qFatal("no entry '%s'", qPrintable(entry));
    QTest::mouseClick(box, Qt::LeftButton);
    QAbstractItemView* list = box->view();
    if (!QTest::qWaitFor([&] { return list->isVisible(); })) qFatal("the list does not open");
    const QModelIndex index = box->model()->index(row, box->modelColumn());
    list->scrollTo(index);
    // A click right after the list opened would be taken for the end of the one that opened it.
    QTest::qWait(QApplication::doubleClickInterval() + 50);
    QTest::mouseMove(list->viewport(), list->visualRect(index).center());
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
    if (!QTest::qWaitFor([&] { return !list->isVisible(); })) qFatal("the list does not close");
}

void WindowTest::type(QAbstractSpinBox* box, const QString& value)
{
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, value);
    QTest::keyClick(box, Qt::Key_Return);
}

void WindowTest::click(QWidget* button)
{
    for (QWidget* p = button->parentWidget(); p; p = p->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(p)) area->ensureWidgetVisible(button);
    QTest::mouseClick(button, Qt::LeftButton);
}

void WindowTest::clickAction(const char* name)
{
    const QAction* action = window->findChild<QAction*>(name);
    for (QToolButton* b : window->findChildren<QToolButton*>())
        if (action && b->defaultAction() == action && b->isVisible()) {
            QTest::mouseClick(b, Qt::LeftButton);
            return;
        }
    qFatal("no button for '%s'", name);
}

void WindowTest::clickBox(QWidget* box)
{
    QStyleOptionButton option;
    option.initFrom(box);
    const QRect square = box->style()->subElementRect(QStyle::SE_CheckBoxIndicator, &option, box);
    QTest::mouseClick(box, Qt::LeftButton, {}, square.center());
}

void WindowTest::drag(QWidget* widget, Qt::MouseButton button, QPoint from, QPoint to, Qt::KeyboardModifiers keys)
{
    const auto send = [&](QEvent::Type type, const QPoint& p, Qt::MouseButton which, Qt::MouseButtons down) {
        QMouseEvent e(type, p, widget->mapToGlobal(p), which, down, keys);
        QApplication::sendEvent(widget, &e);
        QTest::qWait(5);
    };
    send(QEvent::MouseButtonPress, from, button, button);
    for (int i = 1; i <= 5; ++i) send(QEvent::MouseMove, from + (to - from) * i / 5, Qt::NoButton, button);
    settle();
    send(QEvent::MouseButtonRelease, to, button, Qt::NoButton);
}

void WindowTest::drop(const QStringList& files)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& f : files) urls << QUrl::fromLocalFile(f);
    data.setUrls(urls);
    const QPoint at = window->rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    if (!enter.isAccepted()) return;
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &event);
    QTest::qWait(20);
    settle();
}

void WindowTest::settle()
{
    if (!QApplication::activeWindow()) {  // without a window manager, nobody gives the keys back when a dialog is gone
        window->activateWindow();
        (void)QTest::qWaitForWindowActive(window.get());
    }
    if (!window->session().isOpen()) return;
    if (!window->session().thread()->isAnimating()) {
        // What was asked for is done, and its frame is made, before this one is.
        std::uint64_t before = window->viewer().frame().number;
        window->session().thread()->call([](Simulation&) {});
        (void)QTest::qWaitFor([&] { return window->viewer().frame().number > before; }, 2000);
        before = window->viewer().frame().number;
        (void)QTest::qWaitFor([&] { return window->viewer().frame().number > before; }, 60);
    }
    window->viewer().repaint();
    QTest::qWait(20);
}

std::size_t WindowTest::steps()
{
    std::size_t n = 0;
    window->session().thread()->call([&](Simulation& s) { n = s.stepCount(); });
    return n;
}

std::vector<double> WindowTest::positions()
{
    std::vector<double> all;
    window->session().thread()->call([&](Simulation& s) {
        for (const BaseState* state : ExecutionPlan::of(s.root()).independentStates()) {
            const std::size_t from = all.size();
            all.resize(from + state->size() * state->coordSize());
            state->getScalars(vec_id::position, all.data() + from);
        }
    });
    return all;
}

bool WindowTest::sameView(const gl::Camera& a, const gl::Camera& b)
{
    return a.position == b.position && a.orientation == b.orientation && a.target == b.target &&
           a.fieldOfView == b.fieldOfView;
}

QImage WindowTest::image() { return window->viewer().image().convertToFormat(QImage::Format_RGB32); }

double WindowTest::difference(const QImage& a, const QImage& b)
{
    if (a.size() != b.size()) return 1.;
    std::size_t other = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            if (std::abs(qRed(p) - qRed(q)) + std::abs(qGreen(p) - qGreen(q)) + std::abs(qBlue(p) - qBlue(q)) > 24)
                ++other;
        }
    return static_cast<double>(other) / (static_cast<double>(a.width()) * a.height());
}

QTabBar* WindowTest::tabBar() const
{
    QTabBar* bar = nullptr;
    // The layout makes it, a moment after the window has come.
    if (!QTest::qWaitFor([&] { return (bar = window->tabsOf(window->panels().front())) != nullptr; }))
        qFatal("the panels are not stacked");
    return bar;
}

QWidget* WindowTest::tab(int i) const { return window->panels()[i]; }

void WindowTest::showTab(int i)
{
    window->showPanel(tab(i));
    QTest::qWait(10);
}

}  // namespace sofa::qt
