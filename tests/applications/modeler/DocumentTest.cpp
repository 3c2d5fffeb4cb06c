// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QTextBlock>
#include <QTimer>
#include <QTreeView>

#include "tests/applications/modeler/ModelerWindowTest.h"

namespace sofa::modeler {

/// Documents, tree, text, undo: by mouse and keys.
class DocumentTest : public ModelerWindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void opensAndSavesTheSameBytes();
    void keepsWhatIsNoScene();
    void textAndTreeFollowEachOther();
    void typingInABrokenText();
    void undoIsOneForAll();
    void historyGoesAnywhere();
    void renamesByKey();
    void copiesPastesAndDuplicates();
    void movesByKeys();
    void dragsInTheTree();
    void dragsBetweenDocuments();
    void commentsOutAndIn();
    void removesSeveral();
    void keepsLineEndsAndEncodings();
    void searches();
    void asksBeforeItForgets();
    void newDocument();
};

void DocumentTest::opensAndSavesTheSameBytes()
{
    open();
    QVERIFY(!document().isEdited());
    picture("document");
    press(QKeySequence::Save);
    QCOMPARE(read(document().path()), cube());
    QCOMPARE(bytes(), cube());
}

void DocumentTest::keepsWhatIsNoScene()
{
    const QByteArray broken = "<Node>\n  <Unknown a='1' b=\"x\"y/>\n";
    open(broken);
    QVERIFY(!document().text().wellFormed());
    QCOMPARE(source().toPlainText().toUtf8(), broken);
    QVERIFY(find<QLabel>("treeBroken")->isVisible());
    QVERIFY(window->save());
    QCOMPARE(read(document().path()), broken);
    // And nothing breaks by commands that need a tree.
    for (const char* name : {"cut", "paste", "duplicate", "rename", "remove", "comment", "moveUp", "moveIn"})
        window->findChild<QAction*>(name)->trigger();
    QCOMPARE(bytes(), broken);
}

void DocumentTest::textAndTreeFollowEachOther()
{
    open();
    clickTree("/body/mass");
    QCOMPARE(source().textCursor().block().text().trimmed(), QString("<UniformMass name=\"mass\" totalMass=\"1\"/>"));
    clickText("poisson");
    QCOMPARE(document().current(), at("/body/fem"));
    QCOMPARE(model().idOf(tree().currentIndex()), at("/body/fem"));
    clickText("totalMass=\"1");
    QTest::keyClicks(&source(), "0");
    QVERIFY(bytes().contains("totalMass=\"10\""));
    clickText("<UniformMass name=\"");
    QTest::keyClicks(&source(), "my");
    QCOMPARE(model().indexOf(document().current()).data().toString(), QString("mymass"));
}

void DocumentTest::typingInABrokenText()
{
    open();
    const XmlId mass = at("/body/mass");
    clickText("<MechanicalObject name=\"dofs\" position=\"@mesh.position\"/>");
    QTest::keyClick(&source(), Qt::Key_Return);
    QTest::keyClicks(&source(), "<Uni");
    QVERIFY(!document().text().wellFormed());
    QVERIFY(!tree().isEnabled());
    QVERIFY(find<QLabel>("treeBroken")->isVisible());
    picture("broken");
    QTest::keyClicks(&source(), "formMass name=\"second\"/>");
    QVERIFY(document().text().wellFormed());
    QVERIFY(tree().isEnabled());
    QVERIFY(bytes().contains("position\"/>\n    <UniformMass name=\"second\"/>\n    <UniformMass name=\"mass\""));
    QCOMPARE(at("/body/mass"), mass);
    while (document().text().canUndo()) press(QKeySequence::Undo);
    QCOMPARE(bytes(), cube());
    QCOMPARE(source().toPlainText().toUtf8(), cube());
}

void DocumentTest::undoIsOneForAll()
{
    open();
    clickText("totalMass=\"1");
    QTest::keyClicks(&source(), "23");
    clickTree("/body/fem");
    press(QKeySequence("Ctrl+D"));
    QVERIFY(bytes().contains("name=\"fem2\""));
    clickText("dt=\"0.01");
    QTest::keyClicks(&source(), "5");
    QCOMPARE(document().text().historyPosition(), std::size_t(3));
    press(QKeySequence::Undo);  // from the text
    QVERIFY(bytes().contains("dt=\"0.01\""));
    clickTree("/body/mass");
    press(QKeySequence::Undo);  // from the tree
    QVERIFY(!bytes().contains("name=\"fem2\""));
    window->findChild<QLineEdit*>("treeSearch")->setFocus();
    press(QKeySequence::Undo);  // from a line
    QCOMPARE(bytes(), cube());
    QVERIFY(!document().isEdited());
    for (int i = 0; i < 3; ++i) press(QKeySequence("Ctrl+Shift+Z"));
    QVERIFY(bytes().contains("dt=\"0.015\"") && bytes().contains("fem2") && bytes().contains("totalMass=\"123\""));
}

void DocumentTest::historyGoesAnywhere()
{
    open();
    clickTree("/body/mass");
    press(QKeySequence("Ctrl+D"));
    press(QKeySequence("Ctrl+D"));
    auto* list = find<QListWidget>("history");
    QCOMPARE(list->count(), 3);
    QCOMPARE(list->currentRow(), 2);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    QCOMPARE(bytes(), cube());
    QCOMPARE(list->count(), 3);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
    QVERIFY(bytes().contains("mass2") && !bytes().contains("mass3"));
}

void DocumentTest::renamesByKey()
{
    open();
    clickTree("/body/dofs");
    press(Qt::Key_F2);
    auto* editor = tree().viewport()->findChild<QLineEdit*>();
    QTRY_VERIFY((editor = tree().viewport()->findChild<QLineEdit*>()));
    editor->selectAll();
    QTest::keyClicks(editor, "points");
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_VERIFY(bytes().contains("<MechanicalObject name=\"points\""));
    QVERIFY(bytes().contains("input=\"@../points\""));
    QCOMPARE(model().indexOf(document().current()).data().toString(), QString("points"));
}

void DocumentTest::copiesPastesAndDuplicates()
{
    open();
    clickTree("/body/visual");
    press(QKeySequence::Copy);
    QVERIFY(QGuiApplication::clipboard()->text().startsWith("<Node name=\"visual\">\n  <OglModel"));
    clickTree("/");
    press(QKeySequence::Paste);
    QVERIFY(bytes().contains("\n  <Node name=\"visual\">\n    <OglModel name=\"skin\" src=\"@../mesh\"/>"));
    clickTree("/body/visual");
    press(QKeySequence("Ctrl+D"));
    QVERIFY(bytes().contains("<Node name=\"visual2\">"));
    QCOMPARE(document().current(), at("/body/visual2"));
    press(QKeySequence::Cut);
    QVERIFY(!bytes().contains("visual2"));
}

void DocumentTest::movesByKeys()
{
    open();
    clickTree("/body/mass");
    press(QKeySequence("Alt+Up"));
    QVERIFY(bytes().indexOf("UniformMass") < bytes().indexOf("MechanicalObject"));
    press(QKeySequence("Alt+Down"));
    QCOMPARE(bytes(), cube());
    press(QKeySequence("Alt+Left"));
    QVERIFY(bytes().contains("  </Node>\n  <UniformMass name=\"mass\" totalMass=\"1\"/>\n</Node>"));
    QCOMPARE(document().current(), at("/mass"));
    press(QKeySequence("Alt+Right"));
    QVERIFY(bytes().contains("    </Node>\n    <UniformMass name=\"mass\" totalMass=\"1\"/>\n  </Node>"));
}

void DocumentTest::dragsInTheTree()
{
    open();
    const XmlId skin = at("/body/visual/skin");
    const QPoint from = place("/body/mass");
    dragAndDrop(&tree(), from, &tree(), place("/body/visual"), Qt::MoveAction);
    QVERIFY(bytes().contains("      <UniformMass name=\"mass\" totalMass=\"1\"/>\n    </Node>"));
    QCOMPARE(document().current(), at("/body/visual/mass"));
    dragAndDrop(&tree(), place("/body/visual/mass"), &tree(), place("/body"), Qt::CopyAction);
    QCOMPARE(bytes().count("name=\"mass\""), 2);
    QCOMPARE(at("/body/visual/skin"), skin);
    press(QKeySequence::Undo);
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), cube());
}

void DocumentTest::dragsBetweenDocuments()
{
    open();
    const QPoint from = place("/body/fem");
    QTreeView* first = &tree();
    QTest::mouseClick(first->viewport(), Qt::LeftButton, {}, from);
    open("<Node name=\"other\">\n</Node>\n");
    dragAndDrop(first, from, &tree(), place("/"), Qt::MoveAction);
    QCOMPARE(bytes(),
             QByteArray("<Node name=\"other\">\n  <TetrahedronFEMForceField name=\"fem\" youngModulus=\"1000\" "
                        "poissonRatio=\"0.3\" unknownThing=\"7\"/>\n</Node>\n"));
}

void DocumentTest::commentsOutAndIn()
{
    open();
    clickTree("/body/fem");
    press(QKeySequence("Ctrl+/"));
    QVERIFY(bytes().contains("<!-- <TetrahedronFEMForceField name=\"fem\""));
    press(QKeySequence("Ctrl+/"));
    QCOMPARE(bytes(), cube());
    QCOMPARE(document().current(), at("/body/fem"));
}

void DocumentTest::removesSeveral()
{
    open();
    clickTree("/body/mass");
    clickTree("/body/fem", Qt::ControlModifier);
    QCOMPARE(document().selection().size(), std::size_t(2));
    press(Qt::Key_Delete);
    QVERIFY(!bytes().contains("UniformMass") && !bytes().contains("TetrahedronFEMForceField"));
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), cube());
}

void DocumentTest::keepsLineEndsAndEncodings()
{
    const QByteArray scene = "\xEF\xBB\xBF<Node>\r\n  <A t=\"\xC3\xA9\xF0\x9F\x98\x80\xC2\xA0\xFF\"/>\r\n</Node>\r\n";
    open(scene);
    clickText("<A");
    QTest::keyClicks(&source(), " u=\"1\"");
    QTest::keyClick(&source(), Qt::Key_Return);
    QByteArray wanted = scene;
    wanted.replace("<A", "<A u=\"1\"\r\n  ");
    QCOMPARE(bytes(), wanted);
    while (document().text().canUndo()) press(QKeySequence::Undo);
    QCOMPARE(bytes(), scene);
    const QByteArray latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<Node t=\"\xE4\"/>\n";
    open(latin);
    QVERIFY(source().toPlainText().contains(QString::fromUtf8("t=\"ä\"")));
    clickText("<Node t=\"");
    source().insertPlainText(QString::fromUtf8("ö"));
    QVERIFY(bytes().contains("t=\"\xF6\xE4\""));
    source().insertPlainText(QString::fromUtf8("€"));
    QVERIFY(bytes().contains("t=\"\xF6&#8364;\xE4\""));
    QVERIFY(source().toPlainText().contains("&#8364;"));
}

void DocumentTest::searches()
{
    open();
    press(QKeySequence::Find);
    auto* search = find<QLineEdit>("treeSearch");
    QVERIFY(search->hasFocus());
    QTest::keyClicks(search, "mass");
    QCOMPARE(document().current(), at("/body/mass"));
    search->clear();
    QTest::keyClicks(search, "node");
    const XmlId first = document().current();
    QTest::keyClick(search, Qt::Key_Return);
    QVERIFY(document().current() != first);
    search->setText("rayleigh");
    press(Qt::Key_F3);
    QCOMPARE(source().textCursor().selectedText(), QString("rayleigh"));
}

void DocumentTest::asksBeforeItForgets()
{
    open();
    clickTree("/body/mass");
    press(Qt::Key_Delete);
    QVERIFY(window->tabs().tabText(0).endsWith("*"));
    const auto answer = [](QMessageBox::StandardButton button) {
        QTimer::singleShot(100, qApp, [button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box) QTest::mouseClick(box->button(button), Qt::LeftButton);
        });
    };
    answer(QMessageBox::Cancel);
    QVERIFY(!window->close());
    answer(QMessageBox::Cancel);
    press(QKeySequence("Ctrl+W"));
    QCOMPARE(window->tabs().count(), 1);
    const QString path = document().path();
    // Another program changes the file meanwhile.
    write(QFileInfo(path).fileName(), "<Node/>");
    answer(QMessageBox::Cancel);
    QVERIFY(!window->save());
    QCOMPARE(read(path), QByteArray("<Node/>"));
    answer(QMessageBox::Discard);
    press(QKeySequence("Ctrl+W"));
    QCOMPARE(window->tabs().count(), 0);
}

void DocumentTest::newDocument()
{
    open();
    press(QKeySequence::New);
    QCOMPARE(window->tabs().count(), 2);
    QVERIFY(document().path().isEmpty());
    QVERIFY(!document().isEdited());
    QVERIFY(window->saveAs(folder->filePath("made.scn")));
    QCOMPARE(read(folder->filePath("made.scn")), bytes());
    QCOMPARE(window->tabs().tabText(1), QString("made.scn"));
}

const bool registered = qt::registerWindowTest<DocumentTest>();

}  // namespace sofa::modeler

#include <DocumentTest.moc>
