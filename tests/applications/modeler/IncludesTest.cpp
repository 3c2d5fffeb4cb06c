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
