// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QAction>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>

#include "applications/modeler/PointPicker.h"
#include "applications/modeler/PreviewPanel.h"
#include "applications/modeler/TransformTool.h"
#include "core/behavior/BaseState.h"
#include "core/scene/SceneSnapshot.h"
#include "tests/applications/modeler/ModelerWindowTest.h"

namespace sofa::modeler {

/// Working in the view: handles that move, turn and scale, clicks that select, points that are picked.
class ViewToolsTest : public ModelerWindowTest
{
    Q_OBJECT

    PreviewPanel& preview() const { return window->preview(); }
    qt::Viewer& viewer() const { return preview().viewer(); }
    TransformTool& tool() const { return preview().tool(); }
    const gl::Camera& camera() const { return viewer().camera(); }
    /// Opens a scene and waits until it is seen.
    void show(const QByteArray& scene);
    /// Waits until the view shows the scene of the text as it is now.
    bool built() const;
    /// Selects in the tree, takes a tool by its key, and waits for the handles.
    bool take(const char* path, Qt::Key key);
    void mouse(QEvent::Type type, const QPointF& at, Qt::KeyboardModifiers keys = {}) const;
    /// Drags a handle, and returns what that means.
    Motion drag(Gizmo::Handle handle, const QPointF& by, Qt::KeyboardModifiers keys = {}, bool releases = true);
    std::vector<Vec3> points(const std::string& path) const;
    std::string value(const char* path, const char* attribute) const;

private Q_SLOTS:
    void pointsAreWhereTheHandlePutThem_data();
    void pointsAreWhereTheHandlePutThem();
    void gridsAreMovedByTheirCorners_data();
    void gridsAreMovedByTheirCorners();
    void aDragIsOneStep();
    void escapeTakesBack();
    void controlSnaps();
    void saysWhyNot_data();
    void saysWhyNot();
    void aClickSelects();
    void picksPoints();
};

void ViewToolsTest::show(const QByteArray& scene)
{
    open(scene);
    QVERIFY(QTest::qWaitFor([this] { return built() && viewer().frame().drawList; }, 30000));
}

bool ViewToolsTest::built() const
{
    const Analyser& a = window->current()->analyser();
    return QTest::qWaitFor(
        [&] { return a.isUpToDate() && preview().session().isOpen() && preview().notice().isEmpty(); }, 30000);
}

bool ViewToolsTest::take(const char* path, Qt::Key key)
{
    clickTree(path);
    viewer().setFocus();
    const auto wanted = key == Qt::Key_W ? Tool::Move : key == Qt::Key_E ? Tool::Turn : Tool::Scale;
    if (tool().tool() != wanted) press(key);
    return tool().tool() == wanted && QTest::qWaitFor([this] { return tool().isShown(); }, 10000);
}

void ViewToolsTest::mouse(QEvent::Type type, const QPointF& at, Qt::KeyboardModifiers keys) const
{
    const bool moves = type == QEvent::MouseMove;
    QMouseEvent e(type, at, viewer().mapToGlobal(at), moves ? Qt::NoButton : Qt::LeftButton,
                  type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, keys);
    QApplication::sendEvent(&viewer(), &e);
}

Motion ViewToolsTest::drag(Gizmo::Handle handle, const QPointF& by, Qt::KeyboardModifiers keys, bool releases)
{
    const auto from = tool().gizmo().place(handle, camera());
    if (!from || tool().gizmo().at(*from, camera()) != handle) qFatal("the handle %d is not there", handle);
    const Motion motion = tool().gizmo().motion(handle, *from, *from + by, camera(), keys & Qt::ControlModifier);
    mouse(QEvent::MouseButtonPress, *from, keys);
    for (int k = 1; k <= 4; ++k) {
        mouse(QEvent::MouseMove, *from + by * (k / 4.), keys);
        QTest::qWait(40);
    }
    picture(qPrintable(QString("handles %1 %2").arg(static_cast<int>(tool().tool())).arg(handle)));
    if (releases) mouse(QEvent::MouseButtonRelease, *from + by, keys);
    return motion;
}

std::vector<Vec3> ViewToolsTest::points(const std::string& path) const
{
    std::vector<Vec3> out;
    window->preview().session().thread()->call([&](Simulation& s) {
        const auto* state = dynamic_cast<const BaseState*>(findObject(s.root(), path));
        for (Index i = 0; state && i < state->size(); ++i) out.push_back(state->pointPosition(i));
    });
    return out;
}

std::string ViewToolsTest::value(const char* path, const char* attribute) const
{
    const XmlDocument& x = *document().text().tree();
    const XmlAttribute* a = x.attribute(x.items()[x.find(at(path))], attribute);
    return a ? x.value(*a) : std::string();
}

void ViewToolsTest::pointsAreWhereTheHandlePutThem_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("selected");
    QTest::addColumn<QByteArray>("points");
    QTest::addColumn<bool>("manyAxes");
    const QByteArray positions = "position=\"0 0 0  1 0 0  0 2 0  0 0 3  1 2 3\" ";
    QTest::newRow("state") << QByteArray("<MechanicalObject name='dofs' " + positions + "/>")
                           << QByteArray("/body/dofs") << QByteArray("/body/dofs") << false;
    QTest::newRow("turned state") << QByteArray("<MechanicalObject name='dofs' " + positions +
                                                "scale3d='1 2 0.5' rotation='30 -50 100' translation='1 2 3'/>")
                                  << QByteArray("/body") << QByteArray("/body/dofs") << false;
    QTest::newRow("state turned twice") << QByteArray(
                                               "<MechanicalObject name='dofs' " + positions +
                                               "sx='2' ry='90' dx='1' rotation2='0 20 30' translation2='5 0 0'/>")
                                        << QByteArray("/body/dofs") << QByteArray("/body/dofs") << false;
    QTest::newRow("loader of a node")
        << QByteArray(
               "<MeshOBJLoader name='loader' filename='mesh/cube.obj' scale='2' rotation='10 20 30'/>"
               "<MeshTopology name='mesh' src='@loader'/><MechanicalObject name='dofs' src='@mesh'/>"
               "<Node name='skin'><OglModel name='visual' src='@../loader'/>"
               "<IdentityMapping input='@../dofs' output='@visual'/></Node>")
        << QByteArray("/body/skin/visual") << QByteArray("/body/skin/visual") << false;
    QTest::newRow("visual model") << QByteArray(
                                         "<OglModel name='dofs' filename='mesh/cube.obj' rotation='0 0 90' dy='2'/>")
                                  << QByteArray("/body/dofs") << QByteArray("/body/dofs") << false;
    QTest::newRow("two in a node") << QByteArray("<MechanicalObject name='dofs' " + positions +
                                                 "rotation='0 45 0' translation='1 0 0'/>"
                                                 "<Node name='other'><MechanicalObject name='more' " +
                                                 positions + "/></Node>")
                                   << QByteArray("/body") << QByteArray("/body/other/more") << true;
}

void ViewToolsTest::pointsAreWhereTheHandlePutThem()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, selected);
    QFETCH(QByteArray, points);
    QFETCH(bool, manyAxes);
    show("<Node name='root'>\n  <VisualStyle displayFlags='showAll'/>\n  <Node name='body'>" + body +
         "</Node>\n</Node>\n");
    const std::string path = points.toStdString();
    const auto check = [&](Qt::Key key, Gizmo::Handle handle, const QPointF& by) {
        QVERIFY2(take(selected.constData(), key), qPrintable(preview().hint()));
        press(Qt::Key_F);
        QTest::qWait(30);
        const std::vector<Vec3> before = this->points(path);
        QVERIFY(!before.empty());
        const QByteArray text = bytes();
        const Motion motion = drag(handle, by);
        QVERIFY(bytes() != text);
        QVERIFY(built());
        const std::vector<Vec3> after = this->points(path);
        QCOMPARE(after.size(), before.size());
        double moved = 0., error = 0.;
        for (std::size_t i = 0; i < before.size(); ++i) {
            moved = std::max(moved, norm(after[i] - before[i]));
            error = std::max(error, norm(after[i] - motion.apply(before[i])));
        }
        QVERIFY(moved > 0.05);
        QVERIFY2(error < 1e-6, qPrintable(QString("%1 m beside it").arg(error)));  // texts have nine digits
    };
    check(Qt::Key_W, 0, {50., 20.});
    check(Qt::Key_E, 1, {30., 20.});
    check(Qt::Key_R, Gizmo::all, {30., -20.});
    if (manyAxes) {
        QVERIFY(tool().gizmo().onlyUniform);
    } else {
        const auto end = tool().gizmo().place(1, camera()), middle = tool().gizmo().place(Gizmo::all, camera());
        check(Qt::Key_R, 1, (*end - *middle) * 0.5);
    }
}

void ViewToolsTest::gridsAreMovedByTheirCorners_data()
{
    QTest::addColumn<QByteArray>("grid");
    QTest::addColumn<Vec3>("low");
    QTest::addColumn<Vec3>("high");
    const Vec3 low{-1., 0., 2.}, high{1., 3., 3.};
    QTest::newRow("regular") << QByteArray("<RegularGridTopology name='grid' n='3 4 2' min='-1 0 2'  max='1 3 3'/>")
                             << low << high;
    QTest::newRow("by default") << QByteArray("<RegularGridTopology name='grid' n='3 4 2'/>") << Vec3()
                                << Vec3{1., 1., 1.};
    QTest::newRow("first point") << QByteArray(
                                        "<RegularGrid name='grid' n='3 4 2' p0='-1 0 2' min='-1 0 2' max='1 3 3'/>")
                                 << low << high;
    QTest::newRow("bounds") << QByteArray(
                                   "<RegularGridTopology name='grid' n='3 4 2' scale='0.5' xmin='-2' ymin='0' "
                                   "zmin='4' xmax='2' ymax='6' zmax='6'/>")
                            << low << high;
    QTest::newRow("flat") << QByteArray("<RegularGridTopology name='grid' n='3 1 2' min='-1 3 2' max='1 3 3'/>")
                          << Vec3{-1., 3., 2.} << high;
    QTest::newRow("cube") << QByteArray("<CubeTopology name='grid' nx='3' ny='4' nz='2' min='-1 0 2' max='1 3 3'/>")
                          << low << high;
}

void ViewToolsTest::gridsAreMovedByTheirCorners()
{
    QFETCH(QByteArray, grid);
    QFETCH(Vec3, low);
    QFETCH(Vec3, high);
    const QByteArray scene = "<Node name='root'>\n  <VisualStyle displayFlags='showAll'/>\n  <Node name='body'>" +
                             grid + "<MechanicalObject name='dofs'/></Node>\n</Node>\n";
    show(scene);
    const auto corner = [&](const char* name) {
        const QStringList n = QString::fromStdString(value("/body/grid", name)).split(' ', Qt::SkipEmptyParts);
        return n.size() == 3 ? Vec3{n[0].toDouble(), n[1].toDouble(), n[2].toDouble()} : Vec3::filled(1e9);
    };
    const auto check = [&](Qt::Key key, Gizmo::Handle handle, const QPointF& by) {
        QVERIFY2(take("/body/grid", key), qPrintable(preview().hint()));
        QVERIFY(preview().hint().endsWith("/body/grid"));
        press(Qt::Key_F);
        QTest::qWait(30);
        QVERIFY(norm(tool().gizmo().centre - (low + high) * 0.5) < 1e-6);
        const std::vector<Vec3> before = points("/body/dofs");
        QVERIFY(!before.empty());
        const std::size_t steps = document().text().historyPosition();
        const Motion motion = drag(handle, by);
        QCOMPARE(document().text().historyPosition(), steps + 1);
        low = motion.apply(low);
        high = motion.apply(high);
        QVERIFY(norm(corner("min") - low) < 1e-6 && norm(corner("max") - high) < 1e-6);
        QVERIFY(built());
        const std::vector<Vec3> after = points("/body/dofs");
        QCOMPARE(after.size(), before.size());
        double moved = 0., error = 0.;
        for (std::size_t i = 0; i < before.size(); ++i) {
            moved = std::max(moved, norm(after[i] - before[i]));
            error = std::max(error, norm(after[i] - motion.apply(before[i])));
        }
        QVERIFY(moved > 0.05);
        QVERIFY2(error < 1e-6, qPrintable(QString("%1 m beside it").arg(error)));
    };
    check(Qt::Key_W, 0, {50., 20.});
    check(Qt::Key_R, Gizmo::all, {30., -20.});
    const auto end = tool().gizmo().place(0, camera()), middle = tool().gizmo().place(Gizmo::all, camera());
    check(Qt::Key_R, 0, (*end - *middle) * 0.5);
    QVERIFY(value("/body/grid", "xmin").empty() && value("/body/dofs", "translation").empty());
    while (document().text().canUndo()) press(QKeySequence::Undo);
    QCOMPARE(bytes(), scene);
    // A box along the axes cannot be turned: its points can.
    QVERIFY(take("/body/grid", Qt::Key_E));
    QVERIFY2(preview().hint().endsWith("/body"), qPrintable(preview().hint()));
}

void ViewToolsTest::aDragIsOneStep()
{
    show(cube());
    QVERIFY(take("/body", Qt::Key_W));
    drag(1, {0., -40.});
    QCOMPARE(document().text().historyPosition(), std::size_t(1));
    QVERIFY(!value("/body/dofs", "translation").empty());
    QVERIFY(value("/body/dofs", "rotation").empty());
    // The handles are where the object will be, before the scene is there.
    const Vec3 centre = tool().gizmo().centre;
    QVERIFY(built());
    QTest::qWait(100);
    QVERIFY(norm(tool().gizmo().centre - centre) < 1e-6);
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), cube());
    press(QKeySequence("Ctrl+Shift+Z"));
    QVERIFY(!value("/body/dofs", "translation").empty());
}

void ViewToolsTest::escapeTakesBack()
{
    show(cube());
    QVERIFY(take("/body/dofs", Qt::Key_W));
    drag(0, {50., 0.}, {}, false);
    QTRY_VERIFY(bytes() != cube());  // shown while it is dragged
    QTest::keyClick(&viewer(), Qt::Key_Escape);
    QCOMPARE(bytes(), cube());
    QVERIFY(!document().text().canUndo());
    QVERIFY(!tool().isDragging());
    QCOMPARE(document().current(), at("/body/dofs"));  // only the drag has ended
    mouse(QEvent::MouseButtonRelease, {10., 10.});
}

void ViewToolsTest::controlSnaps()
{
    show(cube());
    QVERIFY(take("/body/dofs", Qt::Key_E));
    drag(2, {25., 30.}, Qt::ControlModifier);
    const QStringList angles = QString::fromStdString(value("/body/dofs", "rotation")).split(' ');
    QCOMPARE(angles.size(), 3);
    const double z = angles[2].toDouble();
    QVERIFY(z != 0.);
    QCOMPARE(std::abs(std::remainder(z, 15.)) < 1e-6, true);
}

void ViewToolsTest::saysWhyNot_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("reason");
    QTest::newRow("link") << QByteArray(
                                 "<MechanicalObject name='a' position='0 0 0'/>"
                                 "<MechanicalObject name='dofs' position='0 0 0' translation='@a.translation'/>")
                          << "follows @a.translation";
    QTest::newRow("matrix") << QByteArray(
                                   "<MeshOBJLoader name='dofs' filename='mesh/cube.obj' "
                                   "transformation='2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1'/>")
                            << "matrix";
    QTest::newRow("corner") << QByteArray(
                                   "<MechanicalObject name='a' position='0 0 0'/>"
                                   "<RegularGridTopology name='dofs' n='2 2 2' min='@a.translation' max='1 1 1'/>")
                            << "follows @a.translation";
    QTest::newRow("unreadable") << QByteArray("<MechanicalObject name='dofs' position='0 0 0' translation='1 x'/>")
                                << "cannot be read";
    QTest::newRow("nothing") << QByteArray("<UniformMass name='dofs'/>") << "has translation";
}

void ViewToolsTest::saysWhyNot()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, reason);
    open("<Node name='root'>\n<Node name='body'>" + body + "</Node>\n</Node>\n");
    clickTree("/body/dofs");
    QTRY_VERIFY2(preview().hint().contains(reason), qPrintable(preview().hint()));
    QVERIFY(!tool().isShown());
}

void ViewToolsTest::aClickSelects()
{
    show(cube());
    clickTree("/");
    const QPointF middle(viewer().width() / 2. + 4., viewer().height() / 2. + 4.);
    mouse(QEvent::MouseButtonPress, middle);
    mouse(QEvent::MouseButtonRelease, middle);
    QTRY_VERIFY(document().current() != at("/"));
    const XmlDocument& x = *document().text().tree();
    const std::uint32_t i = x.find(document().current());
    QVERIFY(document().links()->pathOf(i).starts_with("/body/"));
    QCOMPARE(model().idOf(tree().currentIndex()), document().current());
    const std::size_t cursor = source().QPlainTextEdit::textCursor().blockNumber();
    QCOMPARE(cursor, static_cast<std::size_t>(bytes().left(x.items()[i].begin).count('\n')));
    QCOMPARE(viewer().selection().toStdString(), document().links()->pathOf(i));
    QTRY_VERIFY(tool().isShown());
    picture("selected in the view");
    // Focus.
    gl::Camera far = camera();
    far.zoom(0.2);
    viewer().setCamera(far);
    press(Qt::Key_F);
    QTRY_VERIFY(camera().distance() < 0.7 * far.distance());
}

void ViewToolsTest::picksPoints()
{
    QByteArray scene = cube();
    scene.replace("<!-- <FixedProjectiveConstraint name=\"fixed\" indices=\"0 1\"/> -->",
                  "<FixedProjectiveConstraint name=\"fixed\" indices=\"0-1\"/>");
    show(scene);
    clickTree("/body/fixed");
    QTest::mouseClick(find<QToolButton>("pick:indices"), Qt::LeftButton);
    PointPicker& picker = preview().picker();
    QVERIFY(picker.isActive());
    QTRY_VERIFY(picker.place(7).has_value());
    const auto click = [&](std::size_t point) {
        const QPointF p = *picker.place(point);
        mouse(QEvent::MouseButtonPress, p);
        mouse(QEvent::MouseButtonRelease, p);
    };
    // Points in front, which no other one hides.
    click(6);
    picture("picking");
    click(5);
    click(1);
    QCOMPARE(value("/body/fixed", "indices"), std::string("0 6 5"));
    QTest::keyClick(&viewer(), Qt::Key_Return);
    QVERIFY(!picker.isActive());
    QCOMPARE(document().text().historyPosition(), std::size_t(1));
    QCOMPARE(document().current(), at("/body/fixed"));
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), scene);
    // Escape takes all of it back.
    QTest::mouseClick(find<QToolButton>("pick:indices"), Qt::LeftButton);
    QTRY_VERIFY(picker.place(7).has_value());
    click(6);
    QVERIFY(bytes() != scene);
    QTest::keyClick(&viewer(), Qt::Key_Escape);
    QCOMPARE(bytes(), scene);
    QVERIFY(!picker.isActive());
    QVERIFY(!find<QPushButton>("pickDone")->isVisible());
}

const bool registered = qt::registerWindowTest<ViewToolsTest>();

}  // namespace sofa::modeler

#include <ViewToolsTest.moc>
