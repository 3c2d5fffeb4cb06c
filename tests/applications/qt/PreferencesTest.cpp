// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTabWidget>

#include "applications/qt/PreferencesDialog.h"
#include "applications/qt/Theme.h"
#include "applications/qt/Viewer.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// The dialog of the preferences, and what they do.
class PreferencesTest : public WindowTest
{
    Q_OBJECT

    PreferencesDialog* dialog() const { return window->findChild<PreferencesDialog*>(); }
    QPushButton* button(QDialogButtonBox::StandardButton which) const
    {
        return dialog()->findChild<QDialogButtonBox*>()->button(which);
    }
    void openDialog()
    {
        window->activateWindow();  // without a window manager, nobody else does when a dialog is gone
        if (!QTest::qWaitForWindowActive(window.get())) qFatal("the window does not get the keys");
        QTest::keyClick(window.get(), Qt::Key_Comma, Qt::ControlModifier);
        if (!QTest::qWaitFor([&] { return dialog() && dialog()->isVisible(); })) qFatal("the dialog does not open");
        // Until it is active, keys that are shortcuts of the window (Space) belong to the window.
        if (!QTest::qWaitForWindowActive(dialog())) qFatal("the dialog does not get the keys");
    }
    void press(QDialogButtonBox::StandardButton which)
    {
        QTest::mouseClick(button(which), Qt::LeftButton);
        // What is deleted when it is closed is gone.
        if (which == QDialogButtonBox::Ok || which == QDialogButtonBox::Cancel) QTRY_VERIFY(!dialog());
    }
    template <class T>
    T* editor(const Preference& p)
    {
        auto* found = dialog()->findChild<T*>("preference_" + p.key);
        if (!found) qFatal("no editor of '%s'", qPrintable(p.key));
        auto* pages = dialog()->findChild<QTabWidget*>();
        for (int i = 0; i < pages->count(); ++i)
            if (pages->widget(i)->isAncestorOf(found)) pages->setCurrentIndex(i);
        return found;
    }
    void pick(const Preference& p, const QVariant& value)
    {
        auto* box = editor<QComboBox>(p);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        while (box->currentData() != value && box->currentIndex() + 1 < box->count())
            QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(box->currentData(), value);
    }
    /// Return would be OK.
    static void typeInto(QSpinBox* box, const char* number)
    {
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, number);
        QTest::keyClick(box, Qt::Key_Tab);
    }
    int darkness() const { return window->palette().color(QPalette::Window).lightness(); }
    void turnWheel(int by)
    {
        Viewer& v = window->viewer();
        const QPointF at = v.rect().center();
        QWheelEvent e(at, v.mapToGlobal(at), {}, {0, by}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&v, &e);
    }

private Q_SLOTS:
    void coloursAndLettersChangeWithApplyAndStayChosen()
    {
        open();
        const double points = QApplication::font().pointSizeF();
        openDialog();
        QVERIFY(!button(QDialogButtonBox::Apply)->isEnabled());
        pick(Preferences::theme, static_cast<int>(Theme::Dark));
        typeInto(editor<QSpinBox>(Preferences::letters), "150");
        QVERIFY(darkness() > 80);  // nothing before it is asked for
        press(QDialogButtonBox::Apply);
        QVERIFY(dialog());
        QVERIFY(!button(QDialogButtonBox::Apply)->isEnabled());
        QTRY_VERIFY(darkness() < 80);
        QCOMPARE(window->font().pointSizeF(), points * 1.5);
        // The menu of the window tells the same.
        for (const QAction* a : window->findChildren<QAction*>())
            if (QString(a->text()).remove('&') == "Dark") QVERIFY(a->isChecked());
        press(QDialogButtonBox::Cancel);  // what was applied stays
        QVERIFY(darkness() < 80);
        openDialog();
        QCOMPARE(editor<QSpinBox>(Preferences::letters)->value(), 150);
        press(QDialogButtonBox::RestoreDefaults);
        QCOMPARE(editor<QSpinBox>(Preferences::letters)->value(), 100);
        QVERIFY(darkness() < 80);
        press(QDialogButtonBox::Ok);
        QTRY_VERIFY(darkness() > 80);
        QCOMPARE(window->font().pointSizeF(), points);
    }

    void cancelChangesNothing()
    {
        open();
        openDialog();
        typeInto(editor<QSpinBox>(Preferences::wheel), "300");
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!dialog());
        QCOMPARE(Preferences::value(Preferences::wheel).toInt(), 100);
    }

    void whatIsSharedHoldsForAllProgramsAndBeforeWhatOneHadAlone()
    {
        QSettings().setValue("theme", 1);  // of a version that kept it for this program
        QCOMPARE(Preferences::value(Preferences::theme).toInt(), 1);
        Preferences::set(Preferences::theme, 2);
        QCOMPARE(Preferences::value(Preferences::theme).toInt(), 2);
        QCOMPARE(QSettings("sofa", "another program").value("theme").toInt(), 2);
        Preferences::set(Preferences::videos, "/somewhere");
        QVERIFY(!QSettings("sofa", "another program").contains("videoFolder"));
    }

    void whatTheFileHoldsWronglyDoesNoHarm()
    {
        QSettings().setValue("theme", "blue");
        QSettings().setValue("letters", 1e6);
        QSettings().setValue("mouseButtons", "LLL");
        QSettings().setValue("wheelSpeed", -3);
        QSettings().setValue("background", "nothing");
        Preferences::applyLook();
        open();
        QCOMPARE(Preferences::button(0), Qt::LeftButton);
        QCOMPARE(Preferences::button(1), Qt::RightButton);
        QVERIFY(window->font().pointSizeF() < 100.);
        openDialog();
        press(QDialogButtonBox::Cancel);
    }

    void theViewHasTheBackgroundAndTheEdgesThatAreChosen()
    {
        open(cube().replace("hideSurroundings", ""));
        const auto corner = [&] { return QColor(image().pixel(3, 3)); };
        const QColor sky = corner();
        openDialog();
        pick(Preferences::background, "#000000");
        press(QDialogButtonBox::Ok);
        settle();
        QVERIFY(sky != QColor(Qt::black));
        QCOMPARE(corner(), QColor(Qt::black));
        const QImage all = image();
        QCOMPARE(QColor(all.pixel(all.width() / 2, all.height() - 3)), QColor(Qt::black));  // no ground
        openDialog();
        editor<QCheckBox>(Preferences::smooth)->click();
        press(QDialogButtonBox::Ok);
        settle();
        const QImage rough = image();
        QVERIFY(rough != all);
        QVERIFY(difference(rough, all) < 0.02);
        openDialog();
        editor<QCheckBox>(Preferences::smooth);
        press(QDialogButtonBox::RestoreDefaults);
        press(QDialogButtonBox::Ok);
        settle();
        QCOMPARE(corner(), sky);
    }

    void buttonsAndWheelMoveTheCameraAsTheyAreChosen()
    {
        open();
        const Viewer& v = window->viewer();
        const gl::Camera first = v.camera();
        turnWheel(120);
        const double usual = std::log(first.distance() / v.camera().distance());
        QVERIFY(usual > 0.);
        openDialog();
        typeInto(editor<QSpinBox>(Preferences::wheel), "200");
        pick(Preferences::buttons, "MRL");
        press(QDialogButtonBox::Ok);
        const double before = v.camera().distance();
        turnWheel(120);
        QVERIFY(std::abs(std::log(before / v.camera().distance()) - 2. * usual) < 1e-9);
        const QPoint from(400, 300), to(430, 340);
        const gl::Camera a = v.camera();
        drag(&window->viewer(), Qt::LeftButton, from, to);  // nearer and farther now
        const gl::Camera b = v.camera();
        QVERIFY(b.orientation == a.orientation && b.distance() != a.distance());
        drag(&window->viewer(), Qt::MiddleButton, from, to);  // turns
        QVERIFY(v.camera().orientation != b.orientation);
        // The list of keys says so.
        QStringList texts;
        for (const auto* label : inTab<QWidget>("mouseTab")->findChildren<QLabel*>()) texts << label->text();
        QVERIFY(texts.contains("<b>Middle drag</b>"));
        QVERIFY(texts.contains("<b>Left drag, wheel</b>"));
    }

    void foldersAreChosenAndThoseThatCannotBeWrittenAreRefused()
    {
        open();
        QDir(folder->path()).mkdir("videos");
        const QString videos = folder->filePath("videos");
        QCOMPARE(window->folder(MainWindow::Folder::Videos), folder->path());
        openDialog();
        auto* line = editor<QLineEdit>(Preferences::videos);
        line->setFocus();
        QTest::keyClicks(line, "/no/such/folder");
        QVERIFY(!button(QDialogButtonBox::Ok)->isEnabled());
        QVERIFY(!button(QDialogButtonBox::Apply)->isEnabled());
        QCOMPARE(dialog()->findChild<QLabel*>("preferenceProblem")->text(),
                 QString("Nothing can be written to '/no/such/folder'."));
        line->clear();
        QTest::keyClicks(line, videos);
        press(QDialogButtonBox::Ok);
        QCOMPARE(window->folder(MainWindow::Folder::Videos), videos);
        QCOMPARE(window->folder(), folder->path());
        openDialog();
        editor<QLineEdit>(Preferences::exports)->setText(videos);
        press(QDialogButtonBox::Ok);
        QCOMPARE(find<QLineEdit>("statsFolder")->text(), videos);
    }

    void everythingHasANameAndIsReachedByKeys()
    {
        open();
        openDialog();
        auto* pages = dialog()->findChild<QTabWidget*>();
        QStringList letters;
        for (int i = 0; i < pages->count(); ++i) {
            pages->setCurrentIndex(i);
            const QString text = pages->tabText(i);
            QVERIFY(text.contains('&'));
            letters << text.mid(text.indexOf('&') + 1, 1).toLower();
            QStringList here = letters;
            for (const QWidget* w : pages->widget(i)->findChildren<QWidget*>()) {
                if (!w->objectName().startsWith("preference_")) continue;
                QVERIFY2(!w->accessibleName().isEmpty() && !w->toolTip().isEmpty(), qPrintable(w->objectName()));
                QVERIFY2(w->focusPolicy() & Qt::TabFocus, qPrintable(w->objectName()));
            }
            for (const auto* label : pages->widget(i)->findChildren<QLabel*>())
                if (const qsizetype at = label->text().indexOf('&'); at >= 0)
                    here << label->text().mid(at + 1, 1).toLower();
            for (const auto* box : pages->widget(i)->findChildren<QCheckBox*>())
                here << box->text().mid(box->text().indexOf('&') + 1, 1).toLower();
            QCOMPARE(QSet<QString>(here.begin(), here.end()).size(), here.size());  // no letter is there twice
        }
        press(QDialogButtonBox::Cancel);
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<PreferencesTest>();

}  // namespace sofa::qt

#include <PreferencesTest.moc>
