// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QAction>
#include <QDir>
#include <QListWidget>
#include <QProcess>
#include <QStandardPaths>
#include <QTextBlock>
#include <QTreeWidget>

#include "applications/modeler/MessagesPanel.h"
#include "applications/modeler/PreviewPanel.h"
#include "applications/modeler/Recovery.h"
#include "applications/qt/Viewer.h"
#include "tests/applications/modeler/ModelerWindowTest.h"

namespace sofa::modeler {

/// What is known of the scene of the text: messages, completion, the view; presets; what survives an end by force.
class SceneTest : public ModelerWindowTest
{
    Q_OBJECT

    Analyser& analyser() const { return window->current()->analyser(); }
    bool analysed() const
    {
        return QTest::qWaitFor([this] { return analyser().isUpToDate(); }, 30000);
    }
    double timeShown() const { return window->preview().viewer().frame().time; }

private Q_SLOTS:
    void messagesLeadToTheirPlaces();
    void messagesMend();
    void completes();
    void viewShowsAndPlays();
    void viewKeepsTheLastGoodScene();
    void modernises();
    void presets();
    void restoresTheSession();
    void recoversAfterKill();
};

void SceneTest::messagesLeadToTheirPlaces()
{
    QByteArray scene = cube();
    scene.replace("poissonRatio=\"0.3\"", "poissonRatio=\"0.7\"");
    open(scene);
    QVERIFY(analysed());
    auto* list = find<QTreeWidget>("messages");
    QTreeWidgetItem* wrong = nullptr;
    for (int i = 0; i < list->topLevelItemCount(); ++i)
        if (list->topLevelItem(i)->text(0).contains("0.7")) wrong = list->topLevelItem(i);
    QVERIFY(wrong);
    QCOMPARE(wrong->text(1), QString("line 12"));
    picture("messages");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(wrong).center());
    QCOMPARE(source().textCursor().blockNumber(), 11);
    QCOMPARE(document().current(), at("/body/fem"));
}

void SceneTest::messagesMend()
{
    QByteArray scene = cube();
    scene.replace("UniformMass name", "UnifromMass name");
    open(scene);
    QVERIFY(analysed());
    auto* list = find<QTreeWidget>("messages");
    QTreeWidgetItem* fix = nullptr;
    for (QTreeWidgetItemIterator it(list); *it; ++it)
        if ((*it)->text(0).contains("UniformMass") && (*it)->parent()) fix = *it;
    QVERIFY(fix);
    list->setCurrentItem(fix);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(bytes(), cube());
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), scene);
}

void SceneTest::completes()
{
    open();
    QVERIFY(analysed());
    clickText("<UniformMass name=\"mass\" totalMass=\"1\"/>");
    QTest::keyClick(&source(), Qt::Key_Return);
    QTest::keyClicks(&source(), "<UniformM");
    QListWidget* list = source().completions();
    QTRY_VERIFY_WITH_TIMEOUT(list->isVisible() && list->currentItem()->text().startsWith("UniformMass"), 20000);
    picture("completion");
    QTest::keyClick(&source(), Qt::Key_Return);
    QVERIFY(bytes().contains("<UniformMass "));
    QVERIFY(document().text().wellFormed());
    press(QKeySequence("Ctrl+Space"));
    QTRY_VERIFY_WITH_TIMEOUT(list->isVisible(), 20000);
    QTest::keyClicks(&source(), "totalM");
    QTRY_VERIFY_WITH_TIMEOUT(list->isVisible() && list->currentItem()->text().startsWith("totalMass"), 20000);
    QTest::keyClick(&source(), Qt::Key_Tab);
    QVERIFY(bytes().contains("totalMass=\"\""));
    QTest::keyClick(&source(), Qt::Key_Escape);
    QVERIFY(!list->isVisible());
}

void SceneTest::viewShowsAndPlays()
{
    open();
    PreviewPanel& preview = window->preview();
    QTRY_VERIFY_WITH_TIMEOUT(preview.session().isOpen() && preview.viewer().frame().drawList, 30000);
    picture("view");
    press(Qt::Key_F6);
    QTRY_COMPARE(preview.viewer().frame().step, std::size_t(1));
    press(Qt::Key_F5);
    QTRY_VERIFY(preview.viewer().frame().step > 3);
    press(Qt::Key_F5);
    QCOMPARE(preview.session().thread()->isAnimating(), false);
    press(QKeySequence("Shift+F5"));
    QTRY_COMPARE(timeShown(), 0.);
    // Nothing of it is in the text.
    QCOMPARE(bytes(), cube());
    QVERIFY(!document().isEdited());
    QCOMPARE(document().text().historyPosition(), std::size_t(0));
}

void SceneTest::viewKeepsTheLastGoodScene()
{
    open();
    PreviewPanel& preview = window->preview();
    QTRY_VERIFY_WITH_TIMEOUT(preview.session().isOpen(), 30000);
    clickText("youngModulus=\"");
    QTest::keyClicks(&source(), "x");
    QVERIFY(analysed());
    QTRY_VERIFY(!preview.notice().isEmpty());
    QVERIFY(preview.session().isOpen());
    press(QKeySequence::Undo);
    QVERIFY(analysed());
    QTRY_VERIFY(preview.notice().isEmpty());
}

void SceneTest::modernises()
{
    open(
        "<Node name=\"root\">\n  <EulerImplicit name='e'/>\n  <CGSolver/>\n"
        "  <MechanicalObject/>\n  <UniformMass totalmass=\"1\"></UniformMass>\n</Node>\n");
    QVERIFY(analysed());
    clickMenu("Edit", "Old Names to Today's");
    QVERIFY(bytes().contains("<EulerImplicitSolver name='e'/>"));
    QVERIFY(bytes().contains("<UniformMass totalMass=\"1\">"));
    QCOMPARE(document().text().historyPosition(), std::size_t(1));
    press(QKeySequence::Undo);
    QVERIFY(bytes().contains("<EulerImplicit name='e'/>"));
}

void SceneTest::presets()
{
    open();
    const QStringList names = ModelerWindow::presets();
    QVERIFY(names.size() >= 8);
    press(QKeySequence::New);
    QVERIFY(bytes().contains("<CollisionPipeline/>"));
    // One of the user's own.
    const QDir own(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/sofa/presets");
    QVERIFY(own.mkpath("."));
    QVERIFY(QFile::copy(write("mine.scn", "<Node name=\"mine\"/>\n"), own.filePath("9 mine.scn")));
    QCOMPARE(ModelerWindow::presets(), names + QStringList("9 mine"));
    window->openPreset("9 mine");
    QCOMPARE(bytes(), QByteArray("<Node name=\"mine\"/>\n"));
    QVERIFY(document().title().startsWith("mine"));
    QVERIFY(QFile::remove(own.filePath("9 mine.scn")));
    for (const QString& name : names) {
        window->openPreset(name);
        QVERIFY(analysed());
        QTRY_VERIFY_WITH_TIMEOUT(window->preview().session().isOpen() && window->preview().viewer().frame().drawList,
                                 30000);
        for (const Finding& f : analyser().findings()) QVERIFY2(f.severity != Severity::Error, qPrintable(f.text));
        QTest::qWait(100);
        picture(qPrintable("preset " + name));
    }
}

void SceneTest::restoresTheSession()
{
    open();
    open("<Node name=\"second\"/>\n");
    const QString second = document().path();
    QVERIFY(window->close());
    window = std::make_unique<ModelerWindow>();
    window->show();
    window->restoreSession();
    QCOMPARE(window->tabs().count(), 2);
    QCOMPARE(document().path(), second);
    QVERIFY(!document().isEdited());
}

void SceneTest::recoversAfterKill()
{
    open();
    const QString path = document().path();
    clickText("totalMass=\"1");
    QTest::keyClicks(&source(), "5");
    const QByteArray edited = bytes();
    QTest::qWait(Recovery::interval + 1000);
    const QDir copies(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/recovery");
    const QFileInfoList files = copies.entryInfoList({"*.copy"}, QDir::Files);
    QCOMPARE(files.size(), 1);
    QByteArray all = read(files.front().absoluteFilePath());
    QVERIFY(all.endsWith(edited));
    QCOMPARE(Recovery::left().size(), std::size_t(0));  // this process still runs
    const QByteArray own = QByteArray::number(QCoreApplication::applicationPid());
    QVERIFY(all.startsWith(own));
    // One of a process that does not run any more stands for the copy of a window that was killed.
    close();
    QFile file(copies.filePath("killed.copy"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("999999999" + all.mid(own.size()));
    file.close();
    QCOMPARE(Recovery::left().size(), std::size_t(1));
    // Another program may have got its number meanwhile.
    QProcess other;
    other.start("sleep", {"60"});
    QVERIFY(other.waitForStarted() && file.open(QIODevice::WriteOnly));
    file.write(QByteArray::number(other.processId()) + all.mid(own.size()));
    file.close();
    QTRY_COMPARE(Recovery::left().size(), std::size_t(1));
    other.kill();
    other.waitForFinished();
    window = std::make_unique<ModelerWindow>();
    window->show();
    window->restoreSession();
    QCOMPARE(window->tabs().count(), 1);
    QCOMPARE(bytes(), edited);
    QVERIFY(document().isEdited());
    QCOMPARE(document().path(), path);
    document().undo();
    QCOMPARE(bytes(), read(path));
    QVERIFY(Recovery::left().empty());
}

const bool registered = qt::registerWindowTest<SceneTest>();

}  // namespace sofa::modeler

#include <SceneTest.moc>
