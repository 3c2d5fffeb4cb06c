// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QStatusBar>
#include <QTreeWidget>

#include "applications/modeler/MeshWizard.h"
#include "applications/modeler/PropertiesPanel.h"
#include "applications/modeler/Prototype.h"
#include "applications/qt/CoreTexts.h"
#include "applications/qt/Language.h"
#include "applications/qt/Preferences.h"
#include "applications/qt/panels/DataEditor.h"
#include "tests/applications/modeler/ModelerWindowTest.h"

namespace sofa::modeler {

/// The Modeler in German.
class LanguageTest : public ModelerWindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!qt::availableLanguages().contains("de")) QSKIP("built without lrelease");
        qt::startLanguage("de");
    }
    void cleanupTestCase() { qt::startLanguage("en"); }

    void theWindowIsGermanAndEachEntryOfAMenuHasALetterOfItsOwn()
    {
        open();
        QStringList menus;
        for (const QAction* m : window->menuBar()->actions()) {
            menus << QString(m->text()).remove('&');
            QStringList letters;
            for (const QAction* a : m->menu()->actions()) {
                const QString text = a->text();
                const qsizetype at = text.indexOf('&');
                const QString letter = at < 0 ? QString() : text.mid(at + 1, 1).toLower();
                QVERIFY2(letter.isEmpty() || !letters.contains(letter), qPrintable(text));
                letters << letter;
            }
        }
        QCOMPARE(menus, QStringList({"Datei", "Bearbeiten", "Szene", "Fenster", "Hilfe"}));
        QCOMPARE(window->findChild<QAction*>("remove")->text(), QString("Ent&fernen"));
        QVERIFY(window->windowTitle().endsWith("Modeler"));
        clickTree("/body");
        press(QKeySequence::Delete);
        press(QKeySequence::Undo);
        QCOMPARE(bytes(), cube());  // the language is that of the window, not of the scene
    }

    void kindsStepsAndChangesAreGerman()
    {
        open();
        const auto* library = find<QTreeWidget>("libraryTree");
        QVERIFY(!library->findItems("Kraftfeld", Qt::MatchExactly).isEmpty());
        QVERIFY(library->findItems("Force Field", Qt::MatchExactly).isEmpty());
        clickTree("/body/fem");
        press(QKeySequence::Delete);
        const auto* history = find<QListWidget>("history");
        QCOMPARE(history->item(1)->text(), QString("TetrahedronFEMForceField 'fem' entfernen"));
        QVERIFY(window->findChild<QAction*>("undo")->text().endsWith(": " + history->item(1)->text()));
        press(QKeySequence::Undo);
        // What cannot be done says why in the same language.
        QSignalSpy refused(&document(), &Document::refused);
        clickTree("/");
        press(QKeySequence("Ctrl+D"));
        QCOMPARE(refused.count(), 1);
        QCOMPARE(window->statusBar()->currentMessage(), QString("die Wurzel kann nicht zweimal da sein"));
    }

    void categoriesOfComponentsAndGroupsOfAttributesHaveTranslations()
    {
        for (const ComponentEntryPtr& e : Registry::instance().entries()) {
            QVERIFY2(qt::hasKindText(e->category), e->category.c_str());
            const auto prototype = Prototype::of(e->name);
            if (!prototype) continue;
            for (const DataEntry& d : prototype->data())
                QVERIFY2(d.group.empty() || qt::hasCoreText(d.group), (e->name + ": " + d.group).c_str());
        }
    }

    void aCommaInANumberIsAPoint()
    {
        open();
        clickTree("/body/fem");
        auto* line = window->properties().editor("poissonRatio")->findChild<QLineEdit*>();
        QVERIFY(line);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, "0,45");
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(bytes(), QByteArray(cube()).replace("poissonRatio=\"0.3\"", "poissonRatio=\"0.45\""));
    }

    void pictures()
    {
        if (qEnvironmentVariableIsEmpty("SOFA_WINDOW_IMAGES")) QSKIP("SOFA_WINDOW_IMAGES names no folder");
        open();
        clickTree("/body/fem");
        QTest::qWait(1500);
        picture("modeler_de");
        qt::Preferences::set(qt::Preferences::theme, 2);
        QTest::qWait(300);
        picture("modeler_de_dark");
        clickMenu("Datei", "Vom Netz zur Simulation...");
        auto* wizard = window->findChild<MeshWizard*>();
        QTRY_VERIFY(wizard->isVisible());
        wizard->grab().save(qEnvironmentVariable("SOFA_WINDOW_IMAGES") + "/wizard_de.png");
        wizard->reject();
    }
};

[[maybe_unused]] const bool registered = qt::registerWindowTest<LanguageTest>();

}  // namespace sofa::modeler

#include <LanguageTest.moc>
