// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QScrollArea>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include "applications/modeler/LibraryPanel.h"
#include "applications/modeler/PreviewPanel.h"
#include "applications/modeler/PropertiesPanel.h"
#include "applications/qt/Viewer.h"
#include "applications/qt/panels/DataEditor.h"
#include "core/behavior/BaseState.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/applications/modeler/ModelerWindowTest.h"
#include "tests/harness/Paths.h"

namespace sofa::modeler {

/// Scenes that exist are built again from nothing, as a user does it, with the mouse and keys; the new scene then moves
/// as the other one, to the last bit.
class ScriptedSessionTest : public ModelerWindowTest
{
    Q_OBJECT

    /// Searches a component in the library, and puts it behind what is selected, or into it.
    void put(const char* name)
    {
        press(QKeySequence("Ctrl+I"));
        QCOMPARE(window->focusWidget(), &window->library().search());
        QTest::keyClicks(&window->library().search(), name);
        QCOMPARE(window->library().selected(), QString(name));
        QTest::keyClick(&window->library().search(), Qt::Key_Return);
    }
    void put(const char* name, const char* called)
    {
        put(name);
        type("name", called);
    }
    QWidget* editor(const char* attribute)
    {
        qt::DataEditor* e = window->properties().editor(attribute);
        if (!e) qFatal("no editor of '%s'", attribute);
        window->properties().findChild<QScrollArea*>()->ensureWidgetVisible(e);
        QTest::qWait(1);
        return e;
    }
    /// Writes a value in the properties of what is selected.
    void type(const char* attribute, const char* value)
    {
        auto* line = editor(attribute)->findChild<QLineEdit*>();
        if (!line) qFatal("no line for '%s'", attribute);
        QTest::mouseClick(line, Qt::LeftButton);
        QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(line, value);
        QTest::keyClick(line, Qt::Key_Return);
    }
    /// Chooses from a list in the properties.
    void choose(const char* attribute, const QString& value)
    {
        auto* box = editor(attribute)->findChild<QComboBox*>();
        if (!box) qFatal("no list for '%s'", attribute);
        const QPoint arrow(box->width() - 8, box->height() / 2);
        QTest::mouseClick(box, Qt::LeftButton, {}, arrow);
        QAbstractItemView* list = box->view();
        if (!QTest::qWaitFor([&] { return list->isVisible(); })) qFatal("the list does not open");
        const int row = box->findText(value);
        if (row < 0) qFatal("no '%s' is offered for '%s'", qPrintable(value), attribute);
        const QModelIndex index = box->model()->index(row, 0);
        list->scrollTo(index);
        // A click right after the list opened would be taken for the end of the one that opened it.
        QTest::qWait(QApplication::doubleClickInterval() + 50);
        QTest::mouseMove(list->viewport(), list->visualRect(index).center());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
        if (!QTest::qWaitFor([&] { return !list->isVisible(); })) qFatal("the list of '%s' stays open", attribute);
    }
    /// Makes a value follow that of another component.
    void follow(const char* attribute, const QString& value)
    {
        editor(attribute);
        QTest::mouseClick(find<QToolButton>(qPrintable(QString("link:") + attribute)), Qt::LeftButton);
        choose(attribute, value);
    }
    /// Drags a component from the library onto a node.
    void drag(const char* name, const char* node)
    {
        window->library().search().clear();
        QTest::keyClicks(&window->library().search(), name);
        QTreeWidget& from = window->library().tree();
        const auto items = from.findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
        QVERIFY(!items.isEmpty());
        dragAndDrop(&from, from.visualItemRect(items.front()).center(), &tree(), place(node), Qt::CopyAction);
    }
    /// Another name for what is selected, in the tree.
    void rename(const char* name)
    {
        tree().setFocus();
        press(Qt::Key_F2);
        auto* line = tree().viewport()->findChild<QLineEdit*>();
        QVERIFY(line);
        QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(line, name);
        QTest::keyClick(line, Qt::Key_Return);
    }
    void saveAs(const QString& path)
    {
        answerDialog(path);
        press(QKeySequence::Save);
        QTRY_COMPARE(document().path(), path);
    }
    /// The document has no errors, is shown in the view, and saved.
    void finish(const char* name)
    {
        QVERIFY(QTest::qWaitFor([this] { return window->current()->analyser().isUpToDate(); }, 60000));
        for (const Finding& f : window->current()->analyser().findings())
            QVERIFY2(f.severity != Severity::Error, qPrintable(f.text));
        PreviewPanel& preview = window->preview();
        QTRY_VERIFY_WITH_TIMEOUT(preview.session().isOpen() && preview.viewer().frame().drawList, 30000);
        tree().expandAll();
        picture(name);
        press(QKeySequence::Save);
        QVERIFY(!document().isEdited());
        QCOMPARE(read(document().path()), bytes());
    }
    /// Positions and velocities of all states of a scene after some steps.
    static std::vector<double> run(const std::string& path, int steps)
    {
        Simulation simulation(loadScene(path));
        if (!simulation.init()) qFatal("'%s' cannot be initialised", path.c_str());
        for (int i = 0; i < steps; ++i) simulation.step();
        std::vector<double> out;
        for (const auto* s : simulation.root().getAll<BaseState>(Search::Down)) {
            const std::size_t at = out.size(), x = s->size() * s->coordSize();
            out.resize(at + x + s->size() * s->derivSize());
            s->getScalars(vec_id::position, out.data() + at);
            if (s->isMechanical())
                s->getScalars(vec_id::velocity, out.data() + at + x);
            else
                out.resize(at + x);
        }
        return out;
    }
    void compare(const std::string& original)
    {
        const std::string built = document().path().toStdString();
        const std::vector<double> begin = run(built, 0), now = run(built, 200), expected = run(original, 200);
        QVERIFY(begin.size() > 1000);
        QVERIFY(begin != now);  // it moves
        QCOMPARE(now.size(), expected.size());
        QVERIFY(now == expected);
    }
    /// A new scene, saved, with the time step of both scenes.
    void beginScene(const QString& path)
    {
        openWindow();
        press(QKeySequence::New);
        saveAs(path);
        clickTree("/");
        type("dt", "0.02");
    }

private Q_SLOTS:
    void theLiverDemoOfSofa();
    void aSoftBodyWithSkinAndCollisions();
};

void ScriptedSessionTest::theLiverDemoOfSofa()
{
    const auto oracle = test::oracleDirectory();
    if (!oracle) QSKIP("there are no reference results");
    const auto share = *oracle / "sofa/share/mesh";
    QVERIFY(QDir(folder->path()).mkdir("mesh"));
    for (const char* mesh : {"liver-smooth.obj", "liver.msh", "liver.sph"})
        QVERIFY(QFile::copy(QString::fromStdString((share / mesh).string()), folder->filePath("mesh/") + mesh));
    const QString original = folder->filePath("original.scn");
    QVERIFY(QFile::copy(QString::fromStdString((*oracle / "sofa/examples/Demos/liver.scn").string()), original));

    beginScene(folder->filePath("liver.scn"));
    clickTree("/MinProximityIntersection1");
    put("DiscreteIntersection");
    clickTree("/MinProximityIntersection1");
    tree().setFocus();
    press(QKeySequence::Delete);
    clickTree("/");
    put("MeshOBJLoader", "LiverSurface");
    type("filename", "mesh/liver-smooth.obj");
    put("Node", "Liver");
    put("EulerImplicitSolver");
    type("rayleighStiffness", "0.1");
    type("rayleighMass", "0.1");
    put("CGLinearSolver");
    type("iterations", "25");
    type("tolerance", "1e-9");
    type("threshold", "1e-9");
    put("MeshGmshLoader", "meshLoader");
    type("filename", "mesh/liver.msh");
    put("TetrahedronSetTopologyContainer");
    choose("src", "@meshLoader");
    put("MechanicalObject", "dofs");
    choose("src", "@meshLoader");
    put("TetrahedronSetGeometryAlgorithms");
    put("DiagonalMass");
    type("massDensity", "1");
    put("TetrahedralCorotationalFEMForceField");
    type("poissonRatio", "0.3");
    type("youngModulus", "3 kPa");
    put("FixedProjectiveConstraint");
    clickText("<FixedProjectiveConstraint");
    QTest::keyClicks(&source(), " indices=\"3 39 64\"");
    // What is seen: a node that comes by the mouse.
    drag("Node", "/Liver");
    rename("Visu");
    put("OglModel", "VisualModel");
    choose("src", "@LiverSurface");
    put("BarycentricMapping");
    choose("input", "@dofs");
    choose("output", "@VisualModel");
    // What collides.
    clickTree("/Liver");
    put("Node", "Surf");
    put("SphereLoader", "loader");
    type("filename", "mesh/liver.sph");
    put("MechanicalObject", "spheres");
    follow("position", "@loader.position");
    put("SphereCollisionModel");
    follow("listRadius", "@loader.listRadius");
    clickTree("/Liver/Visu/BarycentricMapping1");
    tree().setFocus();
    press(QKeySequence::Copy);
    clickTree("/Liver/Surf");
    press(QKeySequence::Paste);
    choose("output", "@spheres");
    finish("liver");
    compare(original.toStdString());
}

void ScriptedSessionTest::aSoftBodyWithSkinAndCollisions()
{
    beginScene(folder->filePath("body.scn"));
    clickTree("/MinProximityIntersection1");
    type("alarmDistance", "0.01");
    type("contactDistance", "0.005");
    clickTree("/");
    put("Node", "body");
    put("EulerImplicitSolver");
    type("rayleighStiffness", "0.05");
    type("rayleighMass", "0.1");
    put("CGLinearSolver");
    type("iterations", "500");
    type("tolerance", "1e-6");
    type("threshold", "1e-12");
    put("MeshGmshLoader", "loader");
    type("filename", "mesh/organ.msh");
    type("scale3d", "0.03 0.03 0.03");
    put("TetrahedronSetTopologyContainer");
    choose("src", "@loader");
    put("TetrahedronSetGeometryAlgorithms");
    put("MechanicalObject", "dofs");
    choose("src", "@loader");
    put("MeshMatrixMass");
    type("massDensity", "1050");
    clickText("massDensity=\"1050\"");
    QTest::keyClicks(&source(), " lumping=\"true\"");
    put("TetrahedronFEMForceField");
    type("youngModulus", "8000");
    type("poissonRatio", "0.45");
    choose("method", "large");
    put("BoxROI", "held");
    type("box", "-0.2 -0.2 -0.2 -0.06 0.2 0.2");
    put("FixedProjectiveConstraint");
    follow("indices", "@held.indices");
    put("Node", "skin");
    put("MeshOBJLoader", "surface");
    type("filename", "mesh/organ.obj");
    type("scale3d", "0.03 0.03 0.03");
    put("OglModel", "visual");
    choose("src", "@surface");
    put("BarycentricMapping");
    choose("input", "@dofs");
    choose("output", "@visual");
    // What collides.
    clickTree("/body");
    put("Node", "collision");
    put("MeshOBJLoader", "surface");
    type("filename", "mesh/organ.obj");
    type("scale3d", "0.03 0.03 0.03");
    put("MeshTopology");
    choose("src", "@surface");
    put("MechanicalObject", "points");
    choose("src", "@surface");
    for (const char* model : {"TriangleCollisionModel", "LineCollisionModel", "PointCollisionModel"}) put(model);
    put("BarycentricMapping");
    choose("input", "@dofs");
    choose("output", "@points");
    finish("soft body");
    compare((test::sourceDirectory() / "share/presets/3 deformable of tetrahedra.scn").string());
}

const bool registered = qt::registerWindowTest<ScriptedSessionTest>();

}  // namespace sofa::modeler

#include <ScriptedSessionTest.moc>
