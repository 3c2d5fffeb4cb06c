// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>

#include "applications/modeler/EditingPreferences.h"
#include "applications/modeler/Recovery.h"
#include "applications/qt/PreferencesDialog.h"
#include "tests/applications/modeler/ModelerWindowTest.h"

namespace sofa::modeler {

/// What the user prefers of the Modeler, and what it does.
class EditingPreferencesTest : public ModelerWindowTest
{
    Q_OBJECT

    qt::PreferencesDialog* dialog() const { return window->findChild<qt::PreferencesDialog*>(); }
    void openDialog()
    {
        press(QKeySequence("Ctrl+,"));
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        auto* pages = find<QTabWidget>("preferencePages");
        pages->setCurrentIndex(pages->count() - 1);
    }
    void accept()
    {
        QTest::mouseClick(dialog()->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
        QTRY_VERIFY(!dialog());
    }

private Q_SLOTS:
    void theTextHasTheLettersTabsAndLinesThatAreChosen()
    {
        open();
        const double usual = source().font().pointSizeF();
        openDialog();
        find<QSpinBox>("preference_modeler_textSize")->setValue(22);
        find<QSpinBox>("preference_modeler_tabWidth")->setValue(3);
        QTest::mouseClick(find<QCheckBox>("preference_modeler_wrap"), Qt::LeftButton, {}, {8, 8});
        accept();
        QCOMPARE(source().font().pointSizeF(), 22.);
        QCOMPARE(source().lineWrapMode(), QPlainTextEdit::WidgetWidth);
        const QFontMetricsF letters(source().font());
        QCOMPARE(source().tabStopDistance(), 3 * letters.horizontalAdvance(' '));
        // Documents that are opened later have it, too; without a size, the text goes with the other letters.
        open();
        QCOMPARE(source().font().pointSizeF(), 22.);
        qt::Preferences::set(preferences::textSize, 0);
        qt::Preferences::set(qt::Preferences::letters, 200);
        QCOMPARE(source().font().pointSizeF(), 2. * usual);
    }

    void theTabKeyWritesSpacesWhereThatIsChosen()
    {
        open("<Node name=\"root\">\n</Node>\n");
        clickText("root\">");
        QTest::keyClick(&source(), Qt::Key_Tab);
        QVERIFY(bytes().startsWith("<Node name=\"root\">\t\n"));
        press(QKeySequence::Undo);
        qt::Preferences::set(preferences::tabSpaces, true);
        clickText("root\">");  // behind 18 letters
        QTest::keyClick(&source(), Qt::Key_Tab);
        QCOMPARE(bytes(), QByteArray("<Node name=\"root\">  \n</Node>\n"));
        QTest::keyClick(&source(), Qt::Key_Tab);
        QCOMPARE(bytes(), QByteArray("<Node name=\"root\">      \n</Node>\n"));
        press(QKeySequence::Undo);
        press(QKeySequence::Undo);
        QCOMPARE(bytes(), QByteArray("<Node name=\"root\">\n</Node>\n"));
    }

    void safetyCopiesAreMadeAsOftenAsIsChosen()
    {
        qt::Preferences::set(preferences::copies, 600);
        open("<Node name=\"root\">\n</Node>\n");
        clickText("root\">");
        QTest::keyClicks(&source(), " ");
        const auto copies = [] { return QDir(Recovery::folder()).entryList({"*.copy"}, QDir::Files).size(); };
        QTest::qWait(1500);
        QCOMPARE(copies(), 0);
        openDialog();
        find<QSpinBox>("preference_modeler_copies")->setValue(1);
        accept();
        QTRY_COMPARE_WITH_TIMEOUT(copies(), 1, 5000);
    }

    void pictures()
    {
        if (qEnvironmentVariableIsEmpty("SOFA_WINDOW_IMAGES")) QSKIP("SOFA_WINDOW_IMAGES names no folder");
        open();
        openDialog();
        QTest::qWait(50);
        dialog()->grab().save(qEnvironmentVariable("SOFA_WINDOW_IMAGES") + "/modeler_preferences.png");
        accept();
        qt::Preferences::set(qt::Preferences::theme, 2);
        QTest::qWait(1500);
        picture("modeler_dark");
    }
};

[[maybe_unused]] const bool registered = qt::registerWindowTest<EditingPreferencesTest>();

}  // namespace sofa::modeler

#include <EditingPreferencesTest.moc>
