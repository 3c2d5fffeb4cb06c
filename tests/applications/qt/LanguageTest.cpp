// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <clocale>
#include <cstdlib>

#include "applications/qt/CoreTexts.h"
#include "applications/qt/Language.h"
#include "applications/qt/PreferencesDialog.h"
#include "applications/qt/UnderCursor.h"
#include "core/collision/CollisionShape.h"
#include "core/interaction/MouseInteractor.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// The window in German, and its numbers.
class LanguageTest : public WindowTest
{
    Q_OBJECT

    QStringList menus() const
    {
        QStringList texts;
        for (const QAction* a : window->menuBar()->actions()) texts << QString(a->text()).remove('&');
        return texts;
    }
    bool speaksGerman() const { return availableLanguages().contains("de"); }
    /// Makes the German locale of C, as it may not be installed; false if it cannot be made.
    bool useGermanLocale() const
    {
        QProcess make;
        make.start("localedef", {"-i", "de_DE", "-f", "UTF-8", folder->filePath("de_DE.UTF-8")});
        if (!make.waitForFinished()) return false;
        qputenv("LOCPATH", folder->path().toLocal8Bit());
        const bool done = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
        qunsetenv("LOCPATH");
        return done && std::strtod("1,5", nullptr) == 1.5;
    }
    /// The letters after & of a menu, which must differ.
    static QStringList lettersTwice(const QList<QAction*>& actions)
    {
        QStringList letters, twice;
        for (const QAction* a : actions) {
            const qsizetype at = a->text().indexOf('&');
            const QString letter = at >= 0 ? a->text().mid(at + 1, 1).toLower() : QString();
            if (!letter.isEmpty() && letters.contains(letter)) twice << a->text();
            letters << letter;
        }
        return twice;
    }

private Q_SLOTS:
    void cleanupTestCase()
    {
        startLanguage("en");
        std::setlocale(LC_ALL, "C");
    }

    void theWindowIsInTheLanguageThatIsWanted()
    {
        if (!speaksGerman()) QSKIP("built without lrelease");
        QCOMPARE(startLanguage("de"), QString("de"));
        open();
        QCOMPARE(menus(), QStringList({"Datei", "Bearbeiten", "Simulation", "Kamera", "Fenster", "Hilfe"}));
        QCOMPARE(window->findChild<QAction*>("resetScene")->text(), QString("Szene &zurück"));
        QCOMPARE(window->panels().front()->windowTitle(), QString("Anzeige"));
        // Classes without meta objects, tables of texts, plain functions.
        QStringList all;
        for (const auto* label : window->findChildren<QLabel*>()) all << label->text();
        QVERIFY(all.contains("<b>Doppelklick, C</b>"));
        QCOMPARE(find<QWidget>("logWarnings")->accessibleName(), QString("Warnungen"));
        close();
        QCOMPARE(startLanguage("en"), QString("en"));
        open();
        QCOMPARE(menus(), QStringList({"File", "Edit", "Simulation", "Camera", "Window", "Help"}));
    }

    void textsOfCoreAndComponentsHaveTranslations()
    {
        for (const std::string& name : performers().names()) {
            const auto kind = performers().get(name);
            QVERIFY2(hasCoreText(kind->text), kind->text.c_str());
            if (kind->strength) QVERIFY2(hasCoreText(kind->strength->help), kind->strength->help.c_str());
        }
        for (std::uint16_t i = 0; i < collisionShapeCount(); ++i) {
            const std::string& shape = CollisionShape(i).info().name;
            QVERIFY2(hasCoreText(shape), shape.c_str());
        }
        for (const BodyField f : {BodyField::Stress, BodyField::Strain, BodyField::Displacement, BodyField::Velocity}) {
            const std::string title(titleOf(f).substr(0, titleOf(f).find(" [")));
            QVERIFY2(hasCoreText(title), title.c_str());
        }
        QVERIFY(!hasCoreText("juggle"));
        QCOMPARE(coreText("juggle"), QString("juggle"));  // of a plugin
        QCOMPARE(coreText("rename to 'a%1'"), QString("rename to 'a%1'"));
        QCOMPARE(kindText("ForceField"), QString("Force Field"));
    }

    void textsOfCoreAreGerman()
    {
        if (!speaksGerman()) QSKIP("built without lrelease");
        startLanguage("de");
        open();
        const auto* operations = inTab<QComboBox>("operationLeft");
        QCOMPARE(operations->currentText(), QString("mit einer Feder anfassen"));
        QCOMPARE(find<QDoubleSpinBox>("strengthLeft")->toolTip(), QString("Steifigkeit der Feder"));
        QCOMPARE(coreText("rename to 'a b'"), QString("in 'a b' umbenennen"));
        QCOMPARE(coreText("insert 3 elements"), QString("3 Elemente einfügen"));
        QCOMPARE(coreText("insert Node 'n'"), QString("Node 'n' einfügen"));
        QCOMPARE(coreText("remove comment"), QString("Kommentar entfernen"));
        QCOMPARE(coreText("Change 'young' to 'youngModulus'"), QString("'young' in 'youngModulus' ändern"));
        QCOMPARE(coreText("'%2' of '/a' cannot be taken back"), QString("'%2' von '/a' lässt sich nicht zurücknehmen"));
        QCOMPARE(kindText("ForceField"), QString("Kraftfeld"));
        QCOMPARE(fieldText(BodyField::Velocity, 2.), QString("Geschwindigkeit 2 m/s"));
    }

    void eachEntryOfAMenuHasALetterOfItsOwn()
    {
        if (!speaksGerman()) QSKIP("built without lrelease");
        for (const char* language : {"de", "en"}) {
            startLanguage(language);
            open();
            QStringList twice = lettersTwice(window->menuBar()->actions());
            for (const QAction* a : window->menuBar()->actions()) twice += lettersTwice(a->menu()->actions());
            QVERIFY2(twice.isEmpty(), qPrintable(QString(language) + ": " + twice.join(", ")));
        }
    }

    void thePreferenceChoosesAnotherLanguageAndAnUnknownOneIsRefused()
    {
        if (!speaksGerman()) QSKIP("built without lrelease");
        QCOMPARE(startLanguage("xx"), QString());
        Preferences::set(Preferences::language, "xx");  // written by hand, or of a version that had it
        QVERIFY(availableLanguages().contains(startLanguage()));
        Preferences::set(Preferences::language, "de");
        QCOMPARE(startLanguage(), QString("de"));
        QCOMPARE(startLanguage("en"), QString("en"));  // the option comes first
        open();
        window->findChild<QAction*>("preferences")->trigger();
        auto* box = window->findChild<QComboBox*>("preference_language");
        QVERIFY(box);
        QVERIFY(box->findText("Deutsch") > 0 && box->findText("English") > 0);
        QCOMPARE(box->currentText(), QString("Deutsch"));
        window->findChild<PreferencesDialog*>()->reject();
    }

    void numbersHaveADecimalPointInEveryLanguage()
    {
        const bool germanC = useGermanLocale();
        QLocale::setDefault(QLocale(QLocale::German));
        startLanguage(speaksGerman() ? "de" : "en");
        if (!germanC) qWarning("the German locale cannot be made: only Qt's numbers are looked at");
        QCOMPARE(std::strtod("1.5", nullptr), 1.5);
        QCOMPARE(QString::asprintf("%g", 1.5), QString("1.5"));
        char text[16];
        std::snprintf(text, sizeof text, "%g", 1.5);
        QCOMPARE(QByteArray(text), QByteArray("1.5"));
        open();
        auto* dt = find<QDoubleSpinBox>("dt");
        QVERIFY(dt->text().startsWith("0.01"));
        type(dt, "0,005");
        QCOMPARE(dt->value(), 0.005);
        clickAction("step");
        settle();
        // The same bits as without all this, in the scene and in its file.
        const std::vector<double> german = positions();
        const auto saved = [&](const QString& name) {
            if (!window->saveAs(folder->filePath(name))) return QByteArray();
            QFile file(folder->filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll().replace(name.toUtf8(), "NAME") : QByteArray();
        };
        const QByteArray germanFile = saved("a.scn");
        close();
        std::setlocale(LC_ALL, "C");
        startLanguage("en");
        open();
        type(find<QDoubleSpinBox>("dt"), "0.005");
        clickAction("step");
        settle();
        QVERIFY(german == positions());
        const QByteArray english = saved("b.scn");
        QVERIFY(english.contains("0.3"));
        QCOMPARE(QString(germanFile).replace("a_", "b_"), QString(english).replace("a_", "b_"));
    }

    void pictures()
    {
        const QString images = qEnvironmentVariable("SOFA_WINDOW_IMAGES");
        if (images.isEmpty() || !speaksGerman()) QSKIP("pictures are made where SOFA_WINDOW_IMAGES says");
        for (const char* language : {"en", "de"}) {
            startLanguage(language);
            open(everything());
            for (const int theme : {1, 2}) {
                Preferences::set(Preferences::theme, theme);
                for (int i = 0; i < tabs(); ++i) {
                    showTab(i);
                    QTest::qWait(100);
                    if (theme == 1 || i == 0)
                        window->screen()
                            ->grabWindow(window->winId())
                            .save(QString("%1/window_%2_%3_%4.png").arg(images, language).arg(theme).arg(i));
                }
                window->findChild<QAction*>("preferences")->trigger();
                auto* dialog = window->findChild<PreferencesDialog*>();
                auto* pages = dialog->findChild<QTabWidget*>();
                for (int i = 0; i < pages->count(); ++i) {
                    pages->setCurrentIndex(i);
                    QTest::qWait(50);
                    dialog->grab().save(QString("%1/preferences_%2_%3_%4.png").arg(images, language).arg(theme).arg(i));
                }
                dialog->reject();
                QTest::qWait(10);
            }
            close();
        }
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<LanguageTest>();

}  // namespace sofa::qt

#include <LanguageTest.moc>
