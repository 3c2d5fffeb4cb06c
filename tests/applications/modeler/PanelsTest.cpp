// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include "applications/modeler/FilePreview.h"
#include "applications/modeler/LibraryPanel.h"
#include "applications/modeler/PropertiesPanel.h"
#include "applications/qt/HelpMenu.h"
#include "applications/qt/panels/DataEditor.h"
#include "core/factory/PluginManager.h"
#include "tests/applications/modeler/ModelerWindowTest.h"

namespace sofa::modeler {

/// Library, properties and links, by mouse and keys.
class PanelsTest : public ModelerWindowTest
{
    Q_OBJECT

    QTreeWidgetItem* inLibrary(const QString& name)
    {
        const auto found = window->library().tree().findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
        return found.isEmpty() ? nullptr : found.front();
    }
    void searchInLibrary(const QString& words)
    {
        window->library().search().clear();
        QTest::keyClicks(&window->library().search(), words);
    }
    /// The line of an attribute's editor.
    QLineEdit* line(const char* attribute)
    {
        qt::DataEditor* e = window->properties().editor(attribute);
        if (!e) qFatal("no editor of '%s'", attribute);
        auto* l = e->findChild<QLineEdit*>();
        if (!l) qFatal("no line for '%s'", attribute);
        return l;
    }

private Q_SLOTS:
    void libraryFinds();
    void libraryInserts();
    void libraryDrags();
    void libraryShowsWhatPluginsBring();
    void libraryKnowsWhatFits();
    void libraryRemembers();
    void libraryOpensExamples();
    void propertiesEdit();
    void propertiesOfATemplate();
    void propertiesKeepWhatIsNotKnown();
    void propertiesLink();
    void propertiesTellProblems();
    void propertiesFilter();
    void propertiesEditTables();
    void propertiesShowFiles();
    void helpShowsPagesAndExamples();
    void everythingHasANameForScreenReaders();
    void linksLead();
};

void PanelsTest::libraryFinds()
{
    open();
    searchInLibrary("UniformM");
    QCOMPARE(window->library().selected(), QString("UniformMass"));
    const QString help = window->library().help().toPlainText();
    QVERIFY(help.contains("totalMass") && help.contains("kg") && help.contains("Kind: Mass"));
    searchInLibrary("EulerImplicit");  // an alias, or the beginning of a name
    QCOMPARE(window->library().selected(), QString("EulerImplicitSolver"));
    searchInLibrary("corotational tetrahedra");  // words of the help
    QVERIFY(inLibrary("TetrahedronFEMForceField") || inLibrary("TetrahedralCorotationalFEMForceField"));
    searchInLibrary("[Pa]");  // a unit
    QVERIFY(inLibrary("TetrahedronFEMForceField"));
    picture("library");
    searchInLibrary("nothing like that");
    QVERIFY(window->library().selected().isEmpty());
}

void PanelsTest::libraryInserts()
{
    open();
    clickTree("/body");
    searchInLibrary("UniformMass");
    QTest::keyClick(&window->library().search(), Qt::Key_Return);
    QVERIFY(bytes().contains("    </Node>\n    <UniformMass/>\n  </Node>"));
    QCOMPARE(document().current(), at("/body/UniformMass1"));
    // Behind a component that is selected.
    press(QKeySequence::Undo);
    clickTree("/body/dofs");
    QTreeWidgetItem* item = inLibrary("UniformMass");
    QVERIFY(item);
    QTreeWidget& tree = window->library().tree();
    tree.scrollToItem(item);
    const QPoint place = tree.visualItemRect(item).center();
    QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(tree.viewport(), Qt::LeftButton, {}, place);
    QVERIFY(bytes().contains("position=\"@mesh.position\"/>\n    <UniformMass/>\n    <UniformMass name=\"mass\""));
}

void PanelsTest::libraryShowsWhatPluginsBring()
{
    PluginManager::instance().addSearchPath(QCoreApplication::applicationDirPath().toStdString() + "/plugins");
    open("<Node name=\"root\">\n</Node>\n");
    searchInLibrary("TestFromPlugin");
    QVERIFY(window->library().selected().isEmpty());
    clickText("<Node name=\"root\">");
    QTest::keyClicks(&source(), "<RequiredPlugin name=\"TestPlugin\"/>");
    QTRY_COMPARE_WITH_TIMEOUT(window->library().selected(), QString("TestFromPlugin"), 10000);
    QVERIFY(window->library().help().toPlainText().contains("Comes from a plugin"));
}

void PanelsTest::libraryDrags()
{
    open();
    searchInLibrary("UniformMass");
    QTreeWidget& from = window->library().tree();
    QTreeWidgetItem* item = inLibrary("UniformMass");
    dragAndDrop(&from, from.visualItemRect(item).center(), &tree(), place("/body/visual"), Qt::CopyAction);
    QVERIFY(bytes().contains("output=\"@skin\"/>\n      <UniformMass/>\n    </Node>"));
}

void PanelsTest::libraryKnowsWhatFits()
{
    open();
    clickTree("/body");
    window->library().search().clear();
    QTRY_VERIFY_WITH_TIMEOUT(!window->library().tree().findItems("Fits here", Qt::MatchExactly).isEmpty(), 20000);
    QTreeWidgetItem* fits = window->library().tree().findItems("Fits here", Qt::MatchExactly).front();
    QVERIFY(fits->childCount() > 3);
}

void PanelsTest::libraryRemembers()
{
    open();
    searchInLibrary("UniformMass");
    QTest::mouseClick(find<QToolButton>("libraryFavourite"), Qt::LeftButton);
    window->library().search().clear();
    QCOMPARE(window->library().tree().findItems("Favourites", Qt::MatchExactly).size(), 1);
    QCOMPARE(QSettings().value("modeler/favourites").toStringList(), QStringList{"UniformMass"});
    searchInLibrary("CGLinearSolver");
    QTest::keyClick(&window->library().search(), Qt::Key_Return);
    window->library().search().clear();
    const auto used = window->library().tree().findItems("Used last", Qt::MatchExactly);
    QCOMPARE(used.size(), 1);
    QCOMPARE(used.front()->child(0)->text(0), QString("CGLinearSolver"));
}

void PanelsTest::libraryOpensExamples()
{
    open();
    searchInLibrary("UniformMass");
    auto* example = find<QToolButton>("libraryExample");
    QVERIFY(example->isEnabled());
    QTest::mouseClick(example, Qt::LeftButton);
    QCOMPARE(window->tabs().count(), 2);
    QVERIFY(bytes().contains("UniformMass"));
}

void PanelsTest::propertiesEdit()
{
    open();
    clickTree("/body/mass");
    QCOMPARE(line("totalMass")->text(), QString("1"));
    line("totalMass")->selectAll();
    QTest::keyClicks(line("totalMass"), "2.5 g");
    QVERIFY(bytes().contains("totalMass=\"2.5 g\""));
    QCOMPARE(document().text().historyPosition(), std::size_t(1));  // one step for what was typed
    QCOMPARE(line("totalMass")->text(), QString("2.5 g"));
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), cube());
    QCOMPARE(line("totalMass")->text(), QString("1"));
    picture("properties");
    // What is not given shows its default, and becomes an attribute when it is edited.
    clickTree("/body/fem");
    qt::DataEditor* method = window->properties().editor("method");
    QVERIFY(method);
    auto* choice = method->findChild<QComboBox*>();
    QVERIFY(choice);
    choice->setFocus();
    QTest::keyClick(choice, Qt::Key_Down);
    QVERIFY(bytes().contains("method=\""));
    QTest::mouseClick(find<QToolButton>("reset:method"), Qt::LeftButton);
    QCOMPARE(bytes(), cube());
    // A new name, with the links.
    clickTree("/body/dofs");
    line("name")->selectAll();
    QTest::keyClicks(line("name"), "points");
    QTest::keyClick(line("name"), Qt::Key_Return);
    QVERIFY(bytes().contains("<MechanicalObject name=\"points\"") && bytes().contains("input=\"@../points\""));
}

void PanelsTest::propertiesOfATemplate()
{
    open();
    clickTree("/body/dofs");
    auto* choice = window->properties().editor("template")->findChild<QComboBox*>();
    QVERIFY(choice);
    choice->setFocus();
    QTest::keyClicks(choice, "Rigid3");
    QVERIFY(bytes().contains("template=\"Rigid3\""));
}

void PanelsTest::propertiesKeepWhatIsNotKnown()
{
    open();
    clickTree("/body/fem");
    QVERIFY(window->properties().editor("unknownThing"));
    QCOMPARE(line("unknownThing")->text(), QString("7"));
    auto* remove = find<QToolButton>("reset:unknownThing");
    QTest::mouseClick(remove, Qt::LeftButton);
    QVERIFY(!bytes().contains("unknownThing"));
    press(QKeySequence::Undo);
    // A class that is not known, and an include.
    open("<Node>\n  <Strange name=\"s\" a=\"1\" b=\"@x\"/>\n  <include href=\"part.xml\"/>\n</Node>\n");
    clickTree("/s");
    line("a")->selectAll();
    QTest::keyClicks(line("a"), "2");
    QVERIFY(bytes().contains("<Strange name=\"s\" a=\"2\" b=\"@x\"/>"));
}

void PanelsTest::propertiesLink()
{
    open();
    clickTree("/body/visual/IdentityMapping1");
    QCOMPARE(window->properties().editor("input")->value(), QString("@../dofs"));
    auto* box = window->properties().editor("input")->findChild<QComboBox*>();
    QVERIFY(box);
    box->showPopup();
    QVERIFY(box->findText("@dofs") >= 0);
    QVERIFY(box->findText("@mesh") < 0);  // no state
    box->hidePopup();
    // A value that follows another one.
    clickTree("/body/dofs");
    QCOMPARE(window->properties().editor("position")->value(), QString("@mesh.position"));
    QTest::mouseClick(find<QToolButton>("link:position"), Qt::LeftButton);
    QVERIFY(!bytes().contains("@mesh.position\"/>\n    <UniformMass"));
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), cube());
}

void PanelsTest::propertiesTellProblems()
{
    open();
    clickTree("/body/fem");
    line("poissonRatio")->selectAll();
    QTest::keyClicks(line("poissonRatio"), "0.7");
    QVERIFY(window->properties().problem("poissonRatio").contains("0.5"));
    picture("problem");
    line("poissonRatio")->selectAll();
    QTest::keyClicks(line("poissonRatio"), "0.4");
    QVERIFY(window->properties().problem("poissonRatio").isEmpty());
}

void PanelsTest::propertiesFilter()
{
    open();
    clickTree("/body/fem");
    auto* only = find<QCheckBox>("propertiesOnlySet");
    only->setChecked(true);
    QVERIFY(window->properties().editor("youngModulus")->isVisible());
    QVERIFY(!window->properties().editor("method")->isVisible());
    only->setChecked(false);
    QTest::keyClicks(find<QLineEdit>("propertiesSearch"), "young");
    QVERIFY(window->properties().editor("youngModulus")->isVisible());
    QVERIFY(!window->properties().editor("poissonRatio")->isVisible());
}

void PanelsTest::propertiesEditTables()
{
    open();
    clickTree("/body/mesh");
    qt::DataEditor* e = window->properties().editor("tetrahedra");
    QVERIFY(e);
    auto* table = e->findChild<QTableView*>();
    QVERIFY(table);
    QCOMPARE(table->model()->rowCount(), 5);
    QCOMPARE(table->model()->columnCount(), 4);
    find<QLineEdit>("propertiesSearch")->setText("tetrahedra");
    // A row is pasted behind the last one; that is one step.
    QGuiApplication::clipboard()->setText("0\t1\t2\t3\n");
    table->setFocus();
    QTest::keyClick(table, Qt::Key_V, Qt::ControlModifier);
    QVERIFY(bytes().contains("1 3 6 4 0 1 2 3\""));
    QCOMPARE(document().text().historyPosition(), std::size_t(1));
    QCOMPARE(table->model()->rowCount(), 6);
    picture("table");
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), cube());
    QCOMPARE(table->model()->rowCount(), 5);
}

void PanelsTest::propertiesShowFiles()
{
    QImage blue(40, 20, QImage::Format_RGB32);
    blue.fill(QColor(10, 20, 250));
    const QString picture = folder->filePath("blue.png");
    QVERIFY(blue.save(picture));
    open(
        "<Node name=\"root\">\n  <MeshOBJLoader name=\"loader\" filename=\"mesh/sphere.obj\"/>\n"
        "  <OglModel name=\"skin\" texturename=\"blue.png\"/>\n</Node>\n");
    clickTree("/loader");
    const FilePreview* preview = window->properties().preview("filename");
    QVERIFY(preview);
    QTRY_VERIFY(preview->isVisible());
    QVERIFY2(preview->text().contains("642 points") && preview->text().contains("1280 triangles") &&
                 preview->text().contains("2 × 2 × 2"),
             qPrintable(preview->text()));
    // A ball in the middle, nothing in the corners.
    const QImage& ball = preview->image();
    QVERIFY(ball.pixelColor(ball.width() / 2, ball.height() / 2).alpha() == 255);
    QCOMPARE(ball.pixelColor(1, 1).alpha(), 0);
    this->picture("file preview");
    // What is not there has none.
    line("filename")->selectAll();
    QTest::keyClicks(line("filename"), "mesh/nothing.obj");
    QTRY_VERIFY(!window->properties().preview("filename")->isVisible());
    clickTree("/skin");
    const FilePreview* texture = window->properties().preview("texturename");
    QVERIFY(texture);
    QTRY_VERIFY(texture->isVisible());
    QVERIFY(texture->text().contains("40 × 20"));
    QCOMPARE(texture->image().pixelColor(30, 20), QColor(10, 20, 250));
}

void PanelsTest::helpShowsPagesAndExamples()
{
    open();
    clickMenu("Help", "The Modeler");
    QTRY_VERIFY(window->findChild<QDialog*>("documentation"));
    auto* page = window->findChild<QTextBrowser*>("documentationPage");
    QVERIFY(page->toPlainText().contains("What is not lost"));
    window->findChild<QDialog*>("documentation")->close();
    auto* examples = window->findChild<qt::ExamplesMenu*>();
    QVERIFY(examples && !examples->isEmpty());
    examples->actions().front()->trigger();
    QCOMPARE(window->tabs().count(), 2);
    QVERIFY(document().path().contains("/scenes/demos/"));
}

void PanelsTest::everythingHasANameForScreenReaders()
{
    open();
    for (QDockWidget* dock : window->findChildren<QDockWidget*>()) {
        dock->raise();
        clickTree("/body/fem");
        QVERIFY2(qt::namelessWidgets(*window).isEmpty(), qPrintable(qt::namelessWidgets(*window)));
    }
}

void PanelsTest::linksLead()
{
    open();
    window->findChild<QWidget*>("linksDock")->raise();
    clickTree("/body/mesh");
    auto* links = find<QTreeWidget>("links");
    QTRY_VERIFY(links->isVisible());
    const auto from = links->findItems("position", Qt::MatchExactly);
    QCOMPARE(from.size(), 1);
    QCOMPARE(from.front()->text(2), QString("/body/dofs"));
    picture("links");
    QTest::mouseClick(links->viewport(), Qt::LeftButton, {}, links->visualItemRect(from.front()).center());
    QTest::mouseDClick(links->viewport(), Qt::LeftButton, {}, links->visualItemRect(from.front()).center());
    QCOMPARE(document().current(), at("/body/dofs"));
}

const bool registered = qt::registerWindowTest<PanelsTest>();

}  // namespace sofa::modeler

#include <PanelsTest.moc>
