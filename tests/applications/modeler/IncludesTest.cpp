// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QAction>
#include <QFileInfo>
#include <QLineEdit>
#include <QStatusBar>
#include <QToolButton>
#include <QTreeView>

#include "applications/modeler/PropertiesPanel.h"
#include "applications/qt/panels/DataEditor.h"
#include "tests/applications/modeler/ModelerWindowTest.h"

namespace sofa::modeler {

/// Includes and prefabs: shown, opened, overridden, inlined, made.
class IncludesTest : public ModelerWindowTest
{
    Q_OBJECT

    static QByteArray scene()
    {
        return "<Node name=\"root\">\n  <include name=\"part\" href=\"part.xml\"/>\n"
               "  <CGImplicit name=\"solvers\" iterations=\"30\"/>\n  <include name=\"lost\" href=\"none.xml\"/>\n"
               "</Node>\n";
    }
    void openScene()
    {
        write("part.xml",
              "<Node name=\"p\">\n  <MechanicalObject name=\"dofs\" position=\"0 0 0\"/>\n  <UniformMass "
              "name=\"mass\" totalMass=\"3\"/>\n</Node>\n");
        open(scene());
    }
    QLineEdit* line(const char* attribute)
    {
        qt::DataEditor* e = window->properties().editor(attribute);
        if (!e) qFatal("no editor of '%s'", attribute);
        return e->findChild<QLineEdit*>();
    }
    QString tip(const char* path) const { return model().indexOf(at(path)).data(Qt::ToolTipRole).toString(); }
    QAction* command(const char* name) const { return find<QAction>(name); }

private Q_SLOTS:
    void treeTells();
    void linesOfTheFileStandBelow();
    void linesOfTheFileFollowIt();
    void opens();
    void overrides();
    void inlines();
    void makesPrefabs();
};

void IncludesTest::treeTells()
{
    openScene();
    QVERIFY(tip("/part").contains("includes " + folder->filePath("part.xml")));
    QVERIFY(tip("/solvers").contains("prefab: ") && tip("/solvers").endsWith("Objects/CGImplicit.xml"));
    QVERIFY(tip("/lost").contains("not found"));
    QCOMPARE(model().indexOf(at("/part")).siblingAtColumn(TreeModel::Class).data().toString(), QString("part.xml"));
    clickTree("/lost");
    QVERIFY(!command("openIncluded")->isEnabled() && !command("inline")->isEnabled());
    clickTree("/part");
    QVERIFY(command("openIncluded")->isEnabled() && command("inline")->isEnabled());
    picture("include");
}

void IncludesTest::linesOfTheFileStandBelow()
{
    write("inner.xml", "<Node name=\"i\">\n  <UniformMass name=\"heavy\"/>\n</Node>\n");
    const QByteArray part =
        "<Node name=\"p\">\n  <MechanicalObject name=\"dofs\"/>\n  <!-- words -->\n"
        "  <Node name=\"child\"><UniformMass name=\"mass\"/></Node>\n  <include href=\"inner.xml\"/>\n</Node>\n";
    write("part.xml", part);
    openWindow();
    QVERIFY(window->open(write("scene.scn", scene())));
    const QModelIndex part0 = model().indexOf(at("/part"));
    QVERIFY(!tree().isExpanded(part0));
    QVERIFY(model().hasChildren(part0));
    QVERIFY(!model().hasChildren(model().indexOf(at("/lost"))));
    // By the keyboard: open, go to the first line, to the node, open that.
    clickTree("/part");
    QTest::keyClick(&tree(), Qt::Key_Right);
    QCOMPARE(model().rowCount(part0), 3);
    QTest::keyClick(&tree(), Qt::Key_Down);
    const QModelIndex dofs = tree().currentIndex();
    QCOMPARE(dofs.data().toString(), QString("dofs"));
    QCOMPARE(dofs.parent(), part0);
    QVERIFY(dofs.data(Qt::ToolTipRole).toString().startsWith("in " + folder->filePath("part.xml")));
    // Nothing of the document is selected, so nothing of it is edited.
    QVERIFY(document().selection().empty());
    QVERIFY(window->statusBar()->currentMessage().contains("part.xml"));
    QVERIFY(!(dofs.flags() & (Qt::ItemIsEditable | Qt::ItemIsDragEnabled | Qt::ItemIsDropEnabled)));
    for (const char* edits : {"remove", "rename", "duplicate", "inline"}) QVERIFY(!command(edits)->isEnabled());
    press(QKeySequence::Delete);
    QCOMPARE(bytes(), scene());
    QTest::keyClick(&tree(), Qt::Key_Down);
    QTest::keyClick(&tree(), Qt::Key_Right);
    QTest::keyClick(&tree(), Qt::Key_Down);
    QCOMPARE(tree().currentIndex().data().toString(), QString("mass"));
    QCOMPARE(tree().currentIndex().parent().data().toString(), QString("child"));
    // An include within.
    QTest::keyClick(&tree(), Qt::Key_Down);
    QTest::keyClick(&tree(), Qt::Key_Right);
    QTest::keyClick(&tree(), Qt::Key_Down);
    QCOMPARE(tree().currentIndex().data().toString(), QString("heavy"));
    picture("included lines");
    // An edit elsewhere leaves the lines where they are.
    const QPersistentModelIndex heavy = tree().currentIndex();
    QVERIFY(document().perform([](SceneText& t) { t.insert(t.tree()->items()[0].id, 0, "<Node name=\"new\"/>"); }));
    QVERIFY(heavy.isValid() && heavy.data().toString() == "heavy" && tree().isExpanded(heavy.parent()));
    QCOMPARE(QPersistentModelIndex(tree().currentIndex()), heavy);
    // A double click opens the file there; of an include in the file, where it stands in that file.
    const QRect line = tree().visualRect(heavy);
    QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, line.center());
    QTest::mouseDClick(tree().viewport(), Qt::LeftButton, {}, line.center());
    QTRY_COMPARE(document().path(), folder->filePath("inner.xml"));
    QCOMPARE(document().current(), at("/heavy"));
    window->tabs().setCurrentIndex(0);
    tree().setCurrentIndex(heavy.parent());
    QVERIFY(command("openIncluded")->isEnabled());
    press(QKeySequence("Ctrl+Shift+O"));
    QCOMPARE(document().path(), folder->filePath("part.xml"));
    QCOMPARE(
        bytes().mid(document().text().tree()->items()[document().text().tree()->find(document().current())].begin, 8),
        QByteArray("<include"));
}

void IncludesTest::linesOfTheFileFollowIt()
{
    openScene();
    clickTree("/part");
    QTest::keyClick(&tree(), Qt::Key_Right);
    QCOMPARE(model().rowCount(model().indexOf(at("/part"))), 2);
    // The file is edited in its tab, and saved.
    press(QKeySequence("Ctrl+Shift+O"));
    clickTree("/dofs");
    press(QKeySequence::Delete);
    press(QKeySequence::Save);
    window->tabs().setCurrentIndex(0);
    QModelIndex part = model().indexOf(at("/part"));
    QCOMPARE(model().rowCount(part), 1);
    QCOMPARE(model().index(0, TreeModel::Name, part).data().toString(), QString("mass"));
    QVERIFY(tree().isExpanded(part));
    // Another file, none, and back.
    write("other.xml", "<Node><Node name=\"a\"/><Node name=\"b\"/><Node name=\"c\"/></Node>");
    const auto include = [this](const char* file) {
        document().perform([&](SceneText& t) { t.setAttribute(at("/part"), "href", file); });
        return model().indexOf(at("/part"));
    };
    part = include("other.xml");
    QCOMPARE(model().rowCount(part), 3);
    QCOMPARE(model().index(2, TreeModel::Class, part).data().toString(), QString("Node"));
    part = include("nothing.xml");
    QVERIFY(model().rowCount(part) == 0 && !model().hasChildren(part));
    press(QKeySequence::Undo);
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), scene());
    part = model().indexOf(at("/part"));
    QVERIFY(model().hasChildren(part));
    // With the include, its lines go.
    clickTree("/part");
    press(QKeySequence::Delete);
    QCOMPARE(model().rowCount(model().indexOf(at("/"))), 2);
}

void IncludesTest::opens()
{
    openScene();
    clickTree("/part");
    press(QKeySequence("Ctrl+Shift+O"));
    QCOMPARE(window->tabs().count(), 2);
    QCOMPARE(document().path(), folder->filePath("part.xml"));
}

void IncludesTest::overrides()
{
    openScene();
    clickTree("/part");
    QCOMPARE(line("totalMass")->text(), QString("3"));  // as the file says
    line("totalMass")->selectAll();
    QTest::keyClicks(line("totalMass"), "5 g");
    QVERIFY(bytes().contains("<include name=\"part\" href=\"part.xml\" totalMass=\"5 g\"/>"));
    QCOMPARE(document().text().historyPosition(), std::size_t(1));
    QTest::mouseClick(find<QToolButton>("reset:totalMass"), Qt::LeftButton);
    QCOMPARE(bytes(), scene());
    QCOMPARE(line("totalMass")->text(), QString("3"));
    // Of a prefab: what is given shows, the rest has the values of the file.
    clickTree("/solvers");
    QCOMPARE(line("iterations")->text(), QString("30"));
    QCOMPARE(line("tolerance")->text(), QString("1e-5"));
    picture("overrides");
}

void IncludesTest::inlines()
{
    openScene();
    clickTree("/part");
    clickMenu("Edit", "Inline");
    QVERIFY(bytes().contains("<Node name=\"part\">\n    <MechanicalObject name=\"dofs\" position=\"0 0 0\"/>"));
    QCOMPARE(document().current(), at("/part"));
    clickTree("/solvers");
    clickMenu("Edit", "Inline");
    QVERIFY(bytes().contains("<CGLinearSolver name=\"CG Solver\" iterations=\"30\""));
    press(QKeySequence::Undo);
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), scene());
}

void IncludesTest::makesPrefabs()
{
    open();
    clickTree("/body/visual");
    QVERIFY(window->makePrefab(folder->filePath("Objects/Skin.xml")));
    QVERIFY(bytes().contains("    <Skin/>\n  </Node>"));
    QVERIFY(read(folder->filePath("Objects/Skin.xml")).contains("<OglModel name=\"skin\""));
    QVERIFY(window->statusBar()->currentMessage().contains("@../dofs"));
    QTRY_VERIFY_WITH_TIMEOUT(window->current()->analyser().isUpToDate(), 60000);
    for (const Finding& f : window->current()->analyser().findings()) QVERIFY(f.severity != Severity::Error);
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), cube());
    // Neighbours become a file that is included; what is apart cannot.
    clickTree("/body/mass");
    clickTree("/body/dofs", Qt::ControlModifier);
    QVERIFY(window->makePrefab(folder->filePath("state.xml")));
    QVERIFY(bytes().contains("    <include href=\"state.xml\"/>\n    <TetrahedronFEMForceField"));
    press(QKeySequence::Undo);
    clickTree("/body/ode");
    clickTree("/body/mass", Qt::ControlModifier);
    QVERIFY(!window->makePrefab(folder->filePath("apart.xml")));
    QVERIFY(!QFileInfo::exists(folder->filePath("apart.xml")));
    QCOMPARE(bytes(), cube());
}

const bool registered = qt::registerWindowTest<IncludesTest>();

}  // namespace sofa::modeler

#include <IncludesTest.moc>
